//! Dice chosen by their values: the number of a group, or of a place, packed with a value into one integer.

use super::terms::Terms as _;
use super::tree::End;
use crate::ir::{Arithmetic, Builder, Comparison, Expr, Name, Selection, SiteId};

/// The value and the number of the group that a member was packed of.
pub(super) fn unpacked(
    terms: &mut Builder,
    member: Name,
    groups: usize,
    site: SiteId,
) -> (Expr, Expr) {
    let size = terms.integer(number(groups));
    let member = terms.variable(member);
    let group = terms.modulo(member, size, site);
    let rest = terms.arithmetic(Arithmetic::Subtract, member, group, site);
    let value = terms.arithmetic(Arithmetic::Divide, rest, size, site);
    (value, group)
}

/// The law of a number, counted from 0.
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

/// A place as it is packed with a value, or the place that was packed so: the earlier the higher, or the lower.
pub(super) fn preference(
    terms: &mut Builder,
    end: End,
    place: Expr,
    size: Expr,
    site: SiteId,
) -> Expr {
    if end == End::Low {
        return place;
    }
    let one = terms.integer(1);
    let last = terms.arithmetic(Arithmetic::Subtract, size, one, site);
    terms.arithmetic(Arithmetic::Subtract, last, place, site)
}

/// The selection of the best.
pub(super) fn selection(end: End) -> Selection {
    match end {
        End::High => Selection::High,
        End::Low => Selection::Low,
    }
}

/// A list with the best first.
pub(super) fn ranked(terms: &mut Builder, end: End, list: Expr) -> Expr {
    match end {
        End::High => terms.descending(list),
        End::Low => terms.ascending(list),
    }
}

/// A small number for a term.
pub(super) fn number(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
