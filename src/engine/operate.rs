//! The operators of [`crate::ir`] on known values: one definition for every evaluator.

use std::cmp::Reverse;

use super::outcomes::List;
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Comparison, Folding, Selection};
use crate::limits::{LimitReached, MAX_LIST};
use crate::map::ValueMap;
use crate::number::{Integer, Overflow};

impl From<Overflow> for ErrorKind {
    fn from(_: Overflow) -> Self {
        Self::Overflow
    }
}

/// The value of an arithmetic operator. `Err` where the operator is not defined, or where the value is too long.
pub(crate) fn arithmetic(
    operator: Arithmetic,
    a: &Integer,
    b: &Integer,
) -> Result<Integer, ErrorKind> {
    Ok(match operator {
        Arithmetic::Add => a.add(b)?,
        Arithmetic::BitAnd => a.bit_and(b),
        Arithmetic::BitOr => a.bit_or(b),
        Arithmetic::Concatenate => concatenate(a, b)?,
        Arithmetic::Divide => a.div(b).ok_or(ErrorKind::DivisionByZero)?,
        Arithmetic::FloorDivide => a.div_floor(b).ok_or(ErrorKind::DivisionByZero)?,
        Arithmetic::Max => a.max(b).clone(),
        Arithmetic::Min => a.min(b).clone(),
        Arithmetic::Modulo => a.mod_floor(b).ok_or(ErrorKind::DivisionByZero)?,
        Arithmetic::Multiply => a.mul(b)?,
        Arithmetic::Power => power(a, b)?,
        Arithmetic::Remainder => a.rem(b).ok_or(ErrorKind::DivisionByZero)?,
        Arithmetic::Shift => joined(a, b, true, false)?,
        Arithmetic::Subtract => a.sub(b)?,
    })
}

/// `a·p + b`, or `a·p - b` if `subtract`. The power of ten `p` is the least that is at least 10 and more than `b`, or
/// at least `b` if `may_equal`.
///
/// Only the result must keep to the bound of integers: `p` and `a·p` may be longer.
fn joined(a: &Integer, b: &Integer, may_equal: bool, subtract: bool) -> Result<Integer, ErrorKind> {
    let ten = Integer::from(10);
    let small = || {
        let mut power = ten.clone();
        while power < *b || !may_equal && power == *b {
            power = power.mul(&ten)?;
        }
        let shifted = a.mul(&power)?;
        if subtract {
            shifted.sub(b)
        } else {
            shifted.add(b)
        }
    };
    if let Ok(joined) = small() {
        return Ok(joined);
    }
    let (a, b, ten) = (a.to_big(), b.to_big(), ten.to_big());
    let mut power = ten.clone();
    while power < b || !may_equal && power == b {
        power *= &ten;
    }
    let shifted = a * power;
    let joined = if subtract { shifted - b } else { shifted + b };
    Ok(Integer::from_big(joined)?)
}

fn concatenate(a: &Integer, b: &Integer) -> Result<Integer, ErrorKind> {
    if b.is_negative() {
        return Err(ErrorKind::Domain);
    }
    joined(a, b, false, a.is_negative())
}

fn power(base: &Integer, exponent: &Integer) -> Result<Integer, ErrorKind> {
    if !exponent.is_negative() {
        // An exponent beyond u64 makes every power too long, but for the bases -1, 0 and 1. The powers of these
        // depend on the parity of the exponent alone, and the largest `u64` is odd.
        let is_even = || {
            let rest = exponent.rem(&Integer::from(2));
            rest.is_some_and(|rest| rest.is_zero())
        };
        let exponent = exponent
            .to_usize()
            .map_or_else(|| u64::MAX - u64::from(is_even()), |small| small as u64);
        return Ok(base.pow(exponent)?);
    }
    if base.is_zero() {
        return Err(ErrorKind::Domain);
    }
    let magnitude = power(base, &exponent.neg()?).unwrap_or_else(|_| Integer::from(2));
    Ok(Integer::ONE.div(&magnitude).unwrap_or_default())
}

/// The fold of a list: a number. `Only` of a list that does not have exactly one member is the error `Type`.
pub(crate) fn fold(folding: Folding, list: &[Integer]) -> Result<Integer, ErrorKind> {
    match folding {
        Folding::Count => Ok(Integer::from(list.len())),
        Folding::Only => number(list).cloned().ok_or(ErrorKind::Type),
        Folding::Product => Ok(list
            .iter()
            .try_fold(Integer::ONE, |product, member| product.mul(member))?),
        Folding::Sum => Ok(list
            .iter()
            .try_fold(Integer::ZERO, |sum, member| sum.add(member))?),
    }
}

/// The member of a list that has exactly one.
pub(super) fn number(list: &[Integer]) -> Option<&Integer> {
    match list {
        [only] => Some(only),
        _ => None,
    }
}

/// A count, capped at one more than the longest list.
pub(super) fn count(n: &Integer) -> Result<usize, ErrorKind> {
    if n.is_negative() {
        return Err(ErrorKind::NegativeCount);
    }
    Ok(n.to_usize().unwrap_or(usize::MAX).min(MAX_LIST + 1))
}

/// The `n` selected members, in their order.
pub(crate) fn select(
    selection: Selection,
    n: &Integer,
    list: &[Integer],
) -> Result<List, ErrorKind> {
    let n = count(n)?.min(list.len());
    let rest = list.len() - n;
    // Of equal members the earliest are taken, also among those that a `Drop` leaves, because the sorts are stable.
    let ranked = |high: bool, n: usize| {
        if n == 1 {
            let members = list.iter();
            let member = if high { members.max() } else { members.min() };
            return member.into_iter().cloned().collect();
        }
        let mut order: Vec<usize> = (0..list.len()).collect();
        if high {
            order.sort_by_key(|&index| Reverse(&list[index]));
        } else {
            order.sort_by_key(|&index| &list[index]);
        }
        order.truncate(n);
        order.sort_unstable();
        order.into_iter().map(|index| list[index].clone()).collect()
    };
    Ok(match selection {
        Selection::DropFirst => list[n..].to_vec(),
        Selection::DropHigh => ranked(false, rest),
        Selection::DropLast => list[..rest].to_vec(),
        Selection::DropLow => ranked(true, rest),
        Selection::First => list[..n].to_vec(),
        Selection::High => ranked(true, n),
        Selection::Last => list[rest..].to_vec(),
        Selection::Low => ranked(false, n),
    })
}

/// The members for which the comparison with a number holds.
pub(crate) fn filter(comparison: Comparison, number: &Integer, list: &[Integer]) -> List {
    list.iter()
        .filter(|member| comparison.holds(*member, number))
        .cloned()
        .collect()
}

/// `list` less each member of `removed` once.
pub(super) fn difference(list: &[Integer], removed: &[Integer]) -> Result<List, ErrorKind> {
    let kept = without(list, removed);
    if kept.len() + removed.len() == list.len() {
        Ok(kept)
    } else {
        Err(ErrorKind::Domain)
    }
}

/// `list` less each member of `removed` once, as far as it has them.
pub(super) fn without(list: &[Integer], removed: &[Integer]) -> List {
    let mut left: ValueMap<&Integer, usize> = ValueMap::default();
    for member in removed {
        *left.entry(member).or_default() += 1;
    }
    let mut kept = Vec::with_capacity(list.len().saturating_sub(removed.len()));
    for member in list {
        match left.get_mut(member) {
            Some(count) if *count > 0 => *count -= 1,
            _ => kept.push(member.clone()),
        }
    }
    kept
}

/// The members, but of equal ones only the first.
pub(crate) fn distinct(list: &[Integer]) -> List {
    let mut seen: ValueMap<&Integer, ()> = ValueMap::default();
    list.iter()
        .filter(|member| seen.insert(member, ()).is_none())
        .cloned()
        .collect()
}

/// The order of two lists as multisets: the greatest value that one has more often than the other decides.
pub(super) fn compare(a: &[Integer], b: &[Integer]) -> Integer {
    let descending = |list: &[Integer]| {
        let mut list = list.to_vec();
        list.sort_unstable_by(|a, b| b.cmp(a));
        list
    };
    Integer::from(descending(a).cmp(&descending(b)) as i64)
}

/// How many integers there are from `a` to `b`.
pub(super) fn length_of_range(a: &Integer, b: &Integer) -> Result<usize, LimitReached> {
    if a > b {
        return Ok(0);
    }
    let steps = b.sub(a).ok().and_then(|steps| steps.to_usize());
    let steps = steps.filter(|&steps| steps < MAX_LIST);
    steps.map(|steps| steps + 1).ok_or(LimitReached::List)
}

/// All integers from `a` to `b`.
pub(crate) fn range(a: &Integer, b: &Integer) -> Result<List, LimitReached> {
    let length = length_of_range(a, b)?;
    if length == 0 {
        return Ok(List::new());
    }
    let mut list = List::with_capacity(length);
    let mut member = a.clone();
    while member < *b {
        let next = member.add(&Integer::ONE).map_err(|_| LimitReached::List)?;
        list.push(std::mem::replace(&mut member, next));
    }
    list.push(member);
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> List {
        text.split_whitespace()
            .map(|member| member.parse().unwrap())
            .collect()
    }

    #[test]
    fn of_joined_digits_only_the_result_counts() {
        use Arithmetic::{Concatenate, Shift};
        let long = Integer::from(2).pow(65_535).unwrap();
        let zero = Integer::from(0);
        for operator in [Concatenate, Shift] {
            assert_eq!(arithmetic(operator, &zero, &long), Ok(long.clone()));
            assert_eq!(
                arithmetic(operator, &Integer::ONE, &long),
                Err(ErrorKind::Overflow)
            );
        }
    }

    #[test]
    fn arithmetic_follows_the_page_of_the_core_language() {
        use Arithmetic::{Concatenate, Divide, Power, Remainder, Shift};
        for (operator, a, b, expected) in [
            (Concatenate, -10, 9, Ok(-109)),
            (Concatenate, 1, 10, Ok(110)),
            (Concatenate, 0, 5, Ok(5)),
            (Concatenate, 1, -3, Err(ErrorKind::Domain)),
            (Shift, -10, 9, Ok(-91)),
            (Shift, 1, 10, Ok(20)),
            (Shift, 1, 11, Ok(111)),
            (Shift, 1, -3, Ok(7)),
            (Divide, -7, 2, Ok(-3)),
            (Divide, 7, 0, Err(ErrorKind::DivisionByZero)),
            (Remainder, -7, 3, Ok(-1)),
            (Remainder, 7, -3, Ok(1)),
            (Power, 2, -1, Ok(0)),
            (Power, 1, -1, Ok(1)),
            (Power, -1, -3, Ok(-1)),
            (Power, 0, 0, Ok(1)),
            (Power, 0, -1, Err(ErrorKind::Domain)),
            (Power, -2, 3, Ok(-8)),
        ] {
            let expected: Result<Integer, _> = expected.map(Integer::from);
            assert_eq!(
                arithmetic(operator, &a.into(), &b.into()),
                expected,
                "{operator:?} {a} {b}"
            );
        }
    }

    #[test]
    fn selections_keep_the_original_order_and_take_the_earliest_of_equals() {
        let members = list("3 1 4 1 5 9 2 6");
        for (selection, n, expected) in [
            (Selection::Low, 3, "1 1 2"),
            (Selection::High, 3, "5 9 6"),
            (Selection::DropLow, 3, "3 4 5 9 6"),
            (Selection::DropHigh, 20, ""),
            (Selection::First, 2, "3 1"),
            (Selection::DropLast, 2, "3 1 4 1 5 9"),
        ] {
            assert_eq!(
                select(selection, &n.into(), &members),
                Ok(list(expected)),
                "{selection:?} {n}"
            );
        }
        assert_eq!(
            select(Selection::High, &2.into(), &list("1 3 1")),
            Ok(list("1 3"))
        );
        assert_eq!(
            select(Selection::DropLow, &1.into(), &list("1 3 1")),
            Ok(list("1 3"))
        );
    }

    #[test]
    fn a_difference_needs_every_removed_member() {
        assert_eq!(difference(&list("1 2 1 3"), &list("1 3")), Ok(list("2 1")));
        assert_eq!(
            difference(&list("1 2"), &list("2 2")),
            Err(ErrorKind::Domain)
        );
    }
}
