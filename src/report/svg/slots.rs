//! Slots: the values that are shown, each by itself or gathered into ranges, and the share of a rule in each slot.
//!
//! Weights are summed as integers. A share becomes a double once, when its slot is complete.

use super::chance::Chance;
use super::kind::Kind;
use super::viewport::Viewport;
use crate::algebra::{Distribution, Tail, Weight};
use crate::number::Integer;
use crate::report::scale::Scale;
use crate::report::sheet::{Seen, bounds};
use crate::report::{Answered, View, decimal};

/// The largest number of slots that a cumulative view fills where no values are.
const MOST_FILLED: i64 = 1_400;

/// The share of one slot.
#[derive(Debug)]
pub(super) struct Spot {
    pub(super) slot: i64,
    pub(super) chance: Chance,
    pub(super) bounds: Option<[f64; 2]>,
    /// The share of the values for which the only condition holds, if one is asked.
    pub(super) asked: Option<f64>,
}

/// The shares of one rule in the slots that are shown.
pub(super) fn spots(
    rule: &Answered,
    numbers: &Distribution<Integer>,
    viewport: &Viewport,
    view: View,
    kind: Kind,
    digits: usize,
) -> Vec<Spot> {
    let answer = &rule.answer;
    let mut scale = Scale::new(answer.total());
    let weight_of = |tail: Option<&Tail>| tail.map_or(Weight::ZERO, |tail| tail.weight.clone());
    let mut passed = weight_of(answer.below());
    let mut ahead = numbers.mass() + weight_of(answer.above());
    let mut outcomes = numbers.iter().enumerate().peekable();
    let slot_of = |outcome: &Integer| {
        outcome.to_i64().map_or(i64::MAX, |value| {
            (value - viewport.low).div_euclid(viewport.width)
        })
    };
    while let Some((_, (_, weight))) = outcomes.next_if(|(_, (outcome, _))| slot_of(outcome) < 0) {
        passed += weight;
        ahead -= weight;
    }
    let occupied: Vec<i64> = numbers.outcomes().iter().map(slot_of).collect();
    let ends = (
        occupied.first().copied().unwrap_or(0),
        occupied.last().copied().unwrap_or(0),
    );
    // A slot without a value has no bar, but a line continues through it. In a cumulative view the line covers the axis from the
    // last 100% to the first 0%, or to the end of the axis at an end without a tail.
    let (from, to) = match (kind, view) {
        (Kind::Curves | Kind::Field, View::AtLeast) if answer.below().is_some() => {
            (ends.0, ends.1 + 1)
        }
        (Kind::Curves | Kind::Field, View::AtLeast) => (0, ends.1 + 1),
        (Kind::Curves | Kind::Field, View::AtMost) if answer.above().is_some() => {
            (ends.0 - 1, ends.1)
        }
        (Kind::Curves | Kind::Field, View::AtMost) => (ends.0 - 1, viewport.slots),
        _ => ends,
    };
    let has_gaps = match kind {
        Kind::Area => false,
        Kind::Bars => view == View::Exactly || viewport.slots > MOST_FILLED,
        _ => view == View::Exactly,
    };
    let mut shown: Vec<i64> = if has_gaps {
        occupied
    } else {
        (from.max(0)..=to.min(viewport.slots - 1)).collect()
    };
    shown.retain(|slot| (0..viewport.slots).contains(slot));
    shown.dedup();
    let mut spots = Vec::with_capacity(shown.len());
    for slot in shown {
        let mut here = Weight::ZERO;
        let mut asked = rule.only_holds().map(|_| Weight::ZERO);
        let mut listed = Vec::new();
        while let Some((index, (_, weight))) =
            outcomes.next_if(|(_, (outcome, _))| slot_of(outcome) <= slot)
        {
            here += weight;
            let holds = rule.only_holds().and_then(|holds| holds.get(index));
            if let (Some(asked), Some(true)) = (&mut asked, holds) {
                *asked += weight;
            }
            listed.push(index);
        }
        let only = listed.first().copied().filter(|_| listed.len() == 1);
        passed += &here;
        let weight = match view {
            View::Exactly => here.clone(),
            View::AtLeast => ahead.clone(),
            View::AtMost => passed.clone(),
        };
        ahead -= &here;
        let from = viewport
            .low
            .saturating_add(slot.saturating_mul(viewport.width));
        let [from, to] = [from, from.saturating_add(viewport.width - 1)].map(Integer::from);
        let seen = match view {
            View::AtLeast => Seen::Range(Some(&from), None),
            View::AtMost => Seen::Range(None, Some(&to)),
            View::Exactly if viewport.gathers => Seen::Range(Some(&from), Some(&to)),
            View::Exactly => Seen::value(only),
        };
        let bounds = bounds(answer, seen, &weight);
        let chance = Chance::new(&weight, &mut scale, digits);
        // Cells have no room for intervals.
        let chance = if kind == Kind::Field && bounds.is_some() {
            chance.estimated()
        } else {
            chance
        };
        spots.push(Spot {
            slot,
            chance: match &bounds {
                Some(bounds) => chance.within(bounds),
                None => chance,
            },
            bounds: bounds.map(|bounds| bounds.each_ref().map(decimal::nearest)),
            asked: asked.map(|asked| scale.nearest(&asked)),
        });
    }
    spots
}
