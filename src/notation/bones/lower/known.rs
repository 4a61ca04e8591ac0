//! Operators on values that are known before any roll. `None` where an operand is not known, or the operator has no value.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::operate;
use crate::ir::{Arithmetic, Comparison, Folding, Selection};
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
    operate::arithmetic(operator, &a?, &b?).ok()
}

pub(super) fn range(low: Option<Integer>, high: Option<Integer>) -> Option<Vec<Integer>> {
    let (low, high) = (low?, high?);
    // A long list is not built to be dropped.
    let is_short = low > high || high.sub(&low).ok()?.to_usize()? < LONGEST;
    is_short.then(|| operate::range(&low, &high).ok())?
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
    let fold = |folding| Some(vec![operate::fold(folding, list).ok()?]);
    Some(match word {
        Word::Count => return fold(Folding::Count),
        Word::Distinct => operate::distinct(list),
        Word::Perm => return None,
        Word::Prod => return fold(Folding::Product),
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
        Word::Sum => return fold(Folding::Sum),
    })
}

pub(super) fn filter(
    comparison: Comparison,
    number: Option<Integer>,
    list: Option<&[Integer]>,
) -> Option<Vec<Integer>> {
    Some(operate::filter(comparison, &number?, list?))
}

pub(super) fn select(
    selection: Selection,
    count: Option<Integer>,
    list: Option<&[Integer]>,
) -> Option<Vec<Integer>> {
    operate::select(selection, &count?, list?).ok()
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
    Some(if selection.keeps() {
        count
    } else {
        length - count
    })
}
