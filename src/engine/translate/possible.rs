//! Hazards that can happen with a probability above 0.

use std::slice;

use crate::algebra::Weight;
use crate::algebra::weight::probability;
use crate::engine::failure::{Chance, Failure};
use crate::engine::program::{Compare, MARKS, NodeId, Store};
use crate::engine::simplify::Forms as _;
use crate::engine::stop::{Attempt, if_supported};
use crate::engine::translate::event::{Hazard, HazardKind};
use crate::number::{Fraction, Integer};

/// The probability that a number (0 or 1) is 1. Unresolved weight does not count. Where there is no other weight, the
/// store notes that the event is open.
pub(in crate::engine) fn probability_of(store: &mut Store<'_>, event: NodeId) -> Attempt<Fraction> {
    let law = store.law(event)?;
    let (least, most) = law.weight_between(Some(&Integer::ONE), Some(&Integer::ONE));
    if least == Weight::ZERO && most != Weight::ZERO {
        store.note_open_error(probability(&most, law.total()));
    }
    Ok(probability(&least, law.total()))
}

/// The chance that a number (0 or 1) is 1.
pub(in crate::engine) fn chance_of(store: &mut Store<'_>, event: NodeId) -> Attempt<Chance> {
    let law = store.law(event)?;
    let (least, most) = law.weight_between(Some(&Integer::ONE), Some(&Integer::ONE));
    let is_exact = least == most;
    Ok(Chance::of(probability(&least, law.total()), is_exact))
}

/// Failures that can happen.
pub(in crate::engine) struct PossibleFailures {
    /// The failures, each with its event.
    pub(in crate::engine) events: Vec<(NodeId, Failure)>,
    /// Loops that can fail, each with the values of its copy with marks. The events look at the rolls of the copies, so
    /// whatever is looked at together with them must do so, too.
    copies: Vec<(NodeId, NodeId)>,
}

impl PossibleFailures {
    /// The program with the rolls that the events look at.
    pub(in crate::engine) fn beside_events(
        &self,
        store: &mut Store<'_>,
        program: NodeId,
    ) -> Attempt<NodeId> {
        if self.copies.is_empty() {
            return Ok(program);
        }
        store.replaced(program, &self.copies)
    }
}

/// The failures that can happen. An event waits for the loops before it: it happens only once they are over.
pub(in crate::engine) fn possible_failures(
    store: &mut Store<'_>,
    hazards: &[Hazard],
) -> Attempt<PossibleFailures> {
    let mut possible = Vec::with_capacity(hazards.len());
    let mut until_over = store.constant(0);
    // A loop and its copy with marks have different rolls. The event of a later failure must use the copy, so that it
    // knows of the error in the loop.
    let mut marked_loops = Vec::new();
    for hazard in hazards {
        if matches!(hazard.kind, HazardKind::NeverEnds(_)) {
            let over = zero_once_over(store, slice::from_ref(hazard))?;
            until_over = store.linear(0, &[(1, until_over), (1, over)])?;
            continue;
        }
        // An event that cannot happen need not wait for a loop, which may leave a little weight open.
        if !store.has_loop(hazard.when)
            && let Some(law) = if_supported(store.law(hazard.when))?
            && law
                .weight_between(Some(&Integer::ONE), Some(&Integer::ONE))
                .1
                == Weight::ZERO
            && law.never_ends() == Weight::ZERO
        {
            continue;
        }
        let mut when = store.linear(0, &[(1, hazard.when), (1, until_over)])?;
        if !marked_loops.is_empty() {
            when = store.replaced(when, &marked_loops)?;
        }
        if probability_of(store, when)? == Fraction::default() {
            continue;
        }
        match hazard.kind {
            HazardKind::Fails(failure) => possible.push((when, failure)),
            HazardKind::FailsInLoop { values, marked } => {
                let marks = store.constant(MARKS);
                let unmarked = store.filtered(Compare::Below, marks, marked)?;
                marked_loops.push((values, unmarked));
                for (failure, mark) in store.marked_failures() {
                    let (mark, zero) = (store.constant(mark), store.constant(0));
                    let found = store.filtered(Compare::Equal, mark, marked)?;
                    let found = store.is_not_empty(found)?;
                    let when = store.choose(when, found, zero)?;
                    if probability_of(store, when)? != Fraction::default() {
                        possible.push((when, failure));
                    }
                }
            }
            HazardKind::NeverEnds(_) => {}
        }
    }
    Ok(PossibleFailures {
        events: possible,
        copies: marked_loops,
    })
}

/// 0, once all loops among these hazards are over that may never end.
pub(in crate::engine) fn zero_once_over(
    store: &mut Store<'_>,
    hazards: &[Hazard],
) -> Attempt<NodeId> {
    let mut waiting = Vec::new();
    for hazard in hazards {
        if matches!(hazard.kind, HazardKind::NeverEnds(_)) {
            let law = store.law(hazard.when)?;
            // A loop that surely ends needs no waiting.
            if law.listed.mass() != *law.total() {
                waiting.push((1, hazard.when));
            }
        }
    }
    store.linear(0, &waiting)
}

/// 1 if any of these events happens, else 0.
pub(in crate::engine) fn any_of(
    store: &mut Store<'_>,
    events: &[(NodeId, Failure)],
) -> Attempt<NodeId> {
    let events: Vec<_> = events.iter().map(|&(when, _)| (1, when)).collect();
    let count = store.linear(0, &events)?;
    store.at_least(count, 1)
}
