//! Operators on values that are known before any roll. `None` where an operand is not known, or the operator has no value.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Arithmetic, Comparison, Selection};
use crate::notation::bones::tree::Word;
use crate::number::Integer;

/// The longest list that counts as known.
const LONGEST: usize = 100_000;

/// Whether a list counts as known: its numbers take no more room than [`LONGEST`] short ones.
pub(super) fn is_short(list: &[Integer]) -> bool {
    let bytes: u64 = list.iter().map(Integer::bytes).sum();
    bytes <= (LONGEST * size_of::<Integer>()) as u64
}

pub(super) fn arithmetic(
    operator: Arithmetic,
    a: Option<Integer>,
    b: Option<Integer>,
) -> Option<Integer> {
    let (a, b) = (a?, b?);
    match operator {
        Arithmetic::Add => a.add(&b).ok(),
        Arithmetic::Divide => a.div(&b),
        Arithmetic::FloorDivide => a.div_floor(&b),
        Arithmetic::Max => Some(a.max(b)),
        Arithmetic::Min => Some(a.min(b)),
        Arithmetic::Modulo => a.mod_floor(&b),
        Arithmetic::Multiply => a.mul(&b).ok(),
        Arithmetic::Power => a.pow(b.to_usize()? as u64).ok(),
        Arithmetic::Remainder => a.rem(&b),
        Arithmetic::Subtract => a.sub(&b).ok(),
        _ => None,
    }
}

pub(super) fn range(low: Option<Integer>, high: Option<Integer>) -> Option<Vec<Integer>> {
    let (low, high) = (low?.to_i64()?, high?.to_i64()?);
    if low > high {
        return Some(Vec::new());
    }
    let length = usize::try_from(high.checked_sub(low)?).ok()?;
    (length < LONGEST).then(|| (low..=high).map(Integer::from).collect())
}

/// The length of a list that is made a number of times.
pub(super) fn times(count: Option<Integer>, length: Option<usize>) -> Option<usize> {
    count?.to_usize()?.checked_mul(length?)
}

pub(super) fn join<'v>(parts: impl Iterator<Item = Option<&'v [Integer]>>) -> Option<Vec<Integer>> {
    let mut all = Vec::new();
    for part in parts {
        all.extend_from_slice(part?);
    }
    (all.len() <= LONGEST).then_some(all)
}

pub(super) fn word(word: Word, list: Option<&[Integer]>) -> Option<Vec<Integer>> {
    let list = list?;
    Some(match word {
        Word::Count => vec![Integer::from(list.len())],
        Word::Distinct => distinct(list),
        Word::Perm => return None,
        Word::Prod => {
            let product = |product: Integer, member| product.mul(member);
            vec![list.iter().try_fold(Integer::ONE, product).ok()?]
        }
        Word::Rev => list.iter().rev().cloned().collect(),
        Word::Sets => {
            let mut groups: BTreeMap<&Integer, usize> = BTreeMap::new();
            for member in list {
                *groups.entry(member).or_default() += 1;
            }
            let mut sizes: Vec<_> = groups.into_values().map(Integer::from).collect();
            sizes.sort_by(|a, b| b.cmp(a));
            sizes
        }
        Word::Sort => {
            let mut list = list.to_vec();
            list.sort();
            list
        }
        Word::Straight => {
            let members: BTreeSet<&Integer> = list.iter().collect();
            let (mut longest, mut row) = (0_usize, 0_usize);
            let mut last: Option<&Integer> = None;
            for member in members {
                let goes_on = last.and_then(|last| last.add(&Integer::ONE).ok());
                row = if goes_on.as_ref() == Some(member) {
                    row + 1
                } else {
                    1
                };
                longest = longest.max(row);
                last = Some(member);
            }
            vec![Integer::from(longest)]
        }
        Word::Sum => {
            let sum = |sum: Integer, member| sum.add(member);
            vec![list.iter().try_fold(Integer::ZERO, sum).ok()?]
        }
    })
}

/// Each value once, where it stands first.
pub(super) fn distinct(list: &[Integer]) -> Vec<Integer> {
    let mut seen = BTreeSet::new();
    let mut list = list.to_vec();
    list.retain(|member| seen.insert(member.clone()));
    list
}

pub(super) fn filter(
    comparison: Comparison,
    number: Option<Integer>,
    list: Option<&[Integer]>,
) -> Option<Vec<Integer>> {
    let (number, mut list) = (number?, list?.to_vec());
    list.retain(|member| comparison.holds(member, &number));
    Some(list)
}

pub(super) fn select(
    selection: Selection,
    count: Option<Integer>,
    list: Option<&[Integer]>,
) -> Option<Vec<Integer>> {
    let list = list?;
    let count = count?;
    if count.is_negative() {
        return None;
    }
    let count = count.to_usize().unwrap_or(usize::MAX).min(list.len());
    let rest = list.len() - count;
    Some(match selection {
        Selection::DropFirst => list[count..].to_vec(),
        Selection::DropLast => list[..rest].to_vec(),
        Selection::First => list[..count].to_vec(),
        Selection::Last => list[rest..].to_vec(),
        Selection::DropHigh => ranked(list, rest, false),
        Selection::DropLow => ranked(list, rest, true),
        Selection::High => ranked(list, count, true),
        Selection::Low => ranked(list, count, false),
    })
}

/// The greatest or least members, in their order; of equal members the earliest.
fn ranked(list: &[Integer], count: usize, greatest: bool) -> Vec<Integer> {
    let mut order: Vec<usize> = (0..list.len()).collect();
    order.sort_by(|&a, &b| {
        let order = list[a].cmp(&list[b]);
        if greatest { order.reverse() } else { order }
    });
    order.truncate(count);
    order.sort_unstable();
    order.into_iter().map(|place| list[place].clone()).collect()
}

/// The number of selected members.
pub(super) fn selected(
    selection: Selection,
    count: Option<Integer>,
    length: Option<usize>,
) -> Option<usize> {
    let (count, length) = (count?, length?);
    if count.is_negative() {
        return None;
    }
    let count = count.to_usize().unwrap_or(usize::MAX).min(length);
    Some(match selection {
        Selection::First | Selection::High | Selection::Last | Selection::Low => count,
        _ => length - count,
    })
}
