//! Packs a value and a small number (of a group, or of a place) into one integer, so that dice are chosen by value first.

use super::terms::Terms as _;
use crate::ir::{Arithmetic, Builder, Comparison, Expr, Name, SiteId};
use crate::notation::extreme::Extreme;

/// The value and the number of the group that are packed in a member.
pub(super) fn unpacked(
    terms: &mut Builder,
    member: Name,
    groups: usize,
    site: SiteId,
) -> (Expr, Expr) {
    let size = terms.integer(number(groups));
    let member = terms.variable(member);
    let group = terms.arithmetic(Arithmetic::Modulo, member, size, site);
    let value = terms.arithmetic(Arithmetic::FloorDivide, member, size, site);
    (value, group)
}

/// The law with the number `which`, counted from 0; `None` if there are no laws.
pub(super) fn chosen(
    terms: &mut Builder,
    which: Expr,
    laws: &[Expr],
    site: SiteId,
) -> Option<Expr> {
    let (&last, others) = laws.split_last()?;
    let choice = others
        .iter()
        .enumerate()
        .rev()
        .fold(last, |no, (place, &yes)| {
            let place = terms.integer(number(place));
            let is_it = terms.filter(Comparison::Equal, place, which, site);
            terms.choose(is_it, yes, no)
        });
    Some(choice)
}

/// The code of a place, which makes an earlier place win among equal values: `size - 1 - place` for the highest, `place` for the
/// lowest. The function is its own inverse.
pub(super) fn preference(
    terms: &mut Builder,
    end: Extreme,
    place: Expr,
    size: Expr,
    site: SiteId,
) -> Expr {
    if end == Extreme::Low {
        return place;
    }
    let one = terms.integer(1);
    let last = terms.arithmetic(Arithmetic::Subtract, size, one, site);
    terms.arithmetic(Arithmetic::Subtract, last, place, site)
}

/// A list with the highest, or lowest, member first.
pub(super) fn ranked(terms: &mut Builder, end: Extreme, list: Expr) -> Expr {
    match end {
        Extreme::High => terms.descending(list),
        Extreme::Low => terms.ascending(list),
    }
}

/// A small number as an `i64`.
pub(super) fn number(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
