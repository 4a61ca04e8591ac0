//! Sums of the members of one list by rank, in normal form.
//!
//! A selection by rank leaves a range of ranks of a list whose size is known. A linear form of sums of such ranges gives each rank a
//! coefficient, and runs of ranks with one coefficient are one sum each: all members less the greatest and the least are those in
//! between, and the greatest and the second greatest are the two greatest.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::engine::program::{Node, NodeId, Store, narrow};
use crate::engine::simplify::difference::others;
use crate::engine::simplify::forms::Forms as _;
use crate::engine::stop::Attempt;
use crate::ir::{Folding, Selection};

/// The ranks that a selection leaves of a range of ranks. The lowest rank is 0. `None` for a selection by position.
pub(in crate::engine) fn ranks_left(
    selection: Selection,
    n: u64,
    ranks: Range<u64>,
) -> Option<Range<u64>> {
    let n = n.min(ranks.end - ranks.start);
    Some(match selection {
        Selection::High => ranks.end - n..ranks.end,
        Selection::Low => ranks.start..ranks.start + n,
        Selection::DropHigh => ranks.start..ranks.end - n,
        Selection::DropLow => ranks.start + n..ranks.end,
        _ => return None,
    })
}

/// The same form with fewer atoms: the sums of some ranks of a list are put together. `None` if that makes no fewer.
pub(super) fn with_ranks_together(
    store: &mut Store<'_>,
    constant: i128,
    atoms: &[(i64, NodeId)],
) -> Attempt<Option<NodeId>> {
    let is_sum_of_ranks = |&(_, atom): &(i64, NodeId)| selected(store, atom).is_some();
    if atoms.len() < 2 || !atoms.iter().any(is_sum_of_ranks) {
        return Ok(None);
    }
    let mut sources: Vec<(NodeId, u64)> = Vec::new();
    let mut sums: Vec<Option<(NodeId, Range<u64>)>> = Vec::with_capacity(atoms.len());
    for &(_, atom) in atoms {
        let sum = ranks_of_one_list(store, atom)?;
        if let Some((source, size, ranks)) = sum {
            if !sources.contains(&(source, size)) {
                sources.push((source, size));
            }
            sums.push(Some((source, ranks)));
        } else {
            sums.push(None);
        }
    }
    for (source, size) in sources {
        let mut rest = Vec::with_capacity(atoms.len());
        let mut ranges = Vec::new();
        for (&(coefficient, atom), sum) in atoms.iter().zip(&sums) {
            match sum {
                Some((list, ranks)) if *list == source => {
                    ranges.push((i128::from(coefficient), ranks.clone()));
                }
                _ => rest.push((coefficient, atom)),
            }
        }
        let mut constant = constant;
        let all = store.fold(Folding::Sum, source)?;
        if let Some((times, inner)) = taken_out(store, all, &mut rest) {
            constant -= times * i128::from(inner);
            ranges.push((times, 0..size));
        }
        let runs = runs(&ranges);
        if runs.len() >= ranges.len() {
            continue;
        }
        for (coefficient, ranks) in runs {
            let list = at_ranks(store, source, size, ranks)?;
            rest.push((narrow(coefficient)?, store.fold(Folding::Sum, list)?));
        }
        return store.linear(narrow(constant)?, &rest).map(Some);
    }
    Ok(None)
}

/// The members of a list of known size that have certain ranks.
fn at_ranks(store: &mut Store<'_>, list: NodeId, size: u64, ranks: Range<u64>) -> Attempt<NodeId> {
    let mut select = |selection, n: u64, list| {
        let n = narrow(n.into())?;
        let n = store.constant(n);
        store.select(selection, n, list)
    };
    if ranks.end == size {
        return select(Selection::High, size - ranks.start, list);
    }
    let list = select(Selection::Low, ranks.end, list)?;
    select(Selection::DropLow, ranks.start, list)
}

/// The selection by rank whose members a number adds up, or which is a number itself.
fn selected(store: &Store<'_>, number: NodeId) -> Option<(Selection, NodeId, NodeId)> {
    let list = match *store.nodes.get(number) {
        Node::Fold(Folding::Sum, list) => list,
        _ => number,
    };
    match *store.nodes.get(list) {
        Node::Select(selection, n, inner) => others(selection).map(|_| (selection, n, inner)),
        _ => None,
    }
}

/// The list whose members with certain ranks a number adds up, its size, and the ranks.
fn ranks_of_one_list(
    store: &mut Store<'_>,
    number: NodeId,
) -> Attempt<Option<(NodeId, u64, Range<u64>)>> {
    let mut selections = Vec::new();
    let mut list = number;
    while let Some((selection, n, inner)) = selected(store, list) {
        let Some(n) = store.as_constant(n).and_then(|n| u64::try_from(n).ok()) else {
            return Ok(None);
        };
        selections.push((selection, n));
        list = inner;
    }
    if selections.is_empty() {
        return Ok(None);
    }
    let bounds = store.bounds(list)?;
    let size = u64::try_from(bounds.least).ok();
    let Some(size) = size.filter(|_| bounds.least == bounds.most) else {
        return Ok(None);
    };
    let mut ranks = selections.into_iter().rev();
    let ranks = ranks.try_fold(0..size, |ranks, (selection, n)| {
        ranks_left(selection, n, ranks)
    });
    Ok(ranks.map(|ranks| (list, size, ranks)))
}

/// Takes a multiple of a number out of the atoms of a form, if they have one: the factor, and the constant of the number.
fn taken_out(
    store: &Store<'_>,
    number: NodeId,
    atoms: &mut Vec<(i64, NodeId)>,
) -> Option<(i128, i64)> {
    let own = [(1, number)];
    let (constant, parts) = match store.nodes.get(number) {
        Node::Linear(constant, parts) => (*constant, &parts[..]),
        _ => (0, &own[..]),
    };
    let coefficient_of = |part: NodeId| {
        let atom = atoms.iter().find(|&&(_, atom)| atom == part);
        atom.map_or(0, |&(coefficient, _)| i128::from(coefficient))
    };
    let (first, atom) = *parts.first()?;
    let times = coefficient_of(atom) / i128::from(first);
    let fits = |&(factor, part): &(i64, NodeId)| coefficient_of(part) == times * i128::from(factor);
    if times == 0 || !parts.iter().all(fits) {
        return None;
    }
    atoms.retain(|&(_, atom)| parts.iter().all(|&(_, part)| part != atom));
    Some((times, constant))
}

/// The runs of ranks whose coefficients, those of all ranges together, are the same and not 0.
fn runs(ranges: &[(i128, Range<u64>)]) -> Vec<(i128, Range<u64>)> {
    let mut steps: BTreeMap<u64, i128> = BTreeMap::new();
    for (coefficient, ranks) in ranges {
        *steps.entry(ranks.start).or_default() += coefficient;
        *steps.entry(ranks.end).or_default() -= coefficient;
    }
    steps.retain(|_, step| *step != 0);
    let mut coefficient = 0;
    let next = steps.keys().copied().skip(1).collect::<Vec<_>>();
    let runs = steps.iter().zip(next).map(|((&start, step), end)| {
        coefficient += step;
        (coefficient, start..end)
    });
    runs.filter(|&(coefficient, _)| coefficient != 0).collect()
}
