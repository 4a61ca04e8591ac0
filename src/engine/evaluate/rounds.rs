//! The rounds of a `while`, as far as what is asked of its values.
//!
//! A state of a loop is what is asked of all values so far, and the last value. Where few states can be reached they are a chain,
//! which is solved exactly. Else the loop is unrolled until little of it is live. So a loop of which the last value is asked for,
//! the greatest one, or the body of a `foreach` for these, has no more states than the list has such members.

use super::asked::ListQuestion;
use super::enumerate::{BYTES_OF_ENTRY, Evaluator, bytes_of_members, mean};
use super::measure::{Evaluated, Measure, PathEnd};
use crate::algebra::weight::probability;
use crate::algebra::{Chain, EndId, Stop, Target, Weight};
use crate::engine::operate;
use crate::engine::outcomes::List;
use crate::ir::{Term, TermId};
use crate::limits::LimitReached;
use crate::map::ValueMap;

/// The most different values of a loop that are searched for an end.
const MAX_LOOP_VALUES: usize = 10_000;

/// The most states of a loop that are looked for before it is unrolled, and the most members that one of them keeps.
const FEW_STATES: usize = 64;

/// The most states of a loop that are looked for before some of it is left unresolved.
const MOST_STATES: usize = 4096;

/// What is asked of all values of a loop so far, and the last value.
type RoundState = (List, List);

impl Evaluator<'_> {
    /// What is asked of a list that is made part by part. `None` for other lists, and if an error might be missed because not all parts are
    /// made before one of them is used.
    pub(super) fn asked(
        &self,
        id: TermId,
        asked: &ListQuestion<'_>,
        environment: &mut Vec<List>,
    ) -> Result<Option<Measure<List>>, LimitReached> {
        match self.arena.term(id) {
            Term::While(e, body) => self.rounds(*e, *body, asked, environment).map(Some),
            Term::Foreach(e, body) => {
                let found = self.asked(*e, &ListQuestion::Each(*body, asked), environment)?;
                Ok(found.filter(|found| found.failures.is_empty()))
            }
            Term::Filter(comparison, number, e, _) => match self.arena.term(*number) {
                Term::Integer(number) => {
                    let asked = ListQuestion::Passing(*comparison, number, asked);
                    self.asked(*e, &asked, environment)
                }
                _ => Ok(None),
            },
            Term::Repeat(times, e, _) => {
                let times = match self.arena.term(*times) {
                    Term::Integer(times) => operate::count(times).unwrap_or_default(),
                    _ => 0,
                };
                if times == 0 {
                    return Ok(None);
                }
                let Some(one) = self.asked(*e, asked, environment)? else {
                    return Ok(None);
                };
                let mut all = one.clone();
                for _ in 1..times {
                    all = self.product(all, &one, |all, one| Ok(asked.of(all, one)))?;
                }
                Ok(Some(all))
            }
            _ => Ok(None),
        }
    }

    /// A part of a list, as far as it is asked for.
    fn part(
        &self,
        part: List,
        asked: &ListQuestion<'_>,
        environment: &mut Vec<List>,
    ) -> Evaluated<List> {
        match asked {
            ListQuestion::Whole | ListQuestion::Selected(..) => Ok(Measure::certain(part)),
            ListQuestion::Passing(comparison, number, asked) => {
                let passing = operate::filter(*comparison, number, &part);
                self.part(passing, asked, environment)
            }
            ListQuestion::Each(body, asked) => {
                let images = self.images(part, *body, environment)?;
                images.and_then(self.budget, |images| self.part(images, asked, environment))
            }
        }
    }

    /// The state after a value: what is asked of all values so far, and the value itself.
    fn state(
        &self,
        so_far: &List,
        value: &List,
        asked: &ListQuestion<'_>,
        environment: &mut Vec<List>,
    ) -> Evaluated<RoundState> {
        self.has_room_for_lists([so_far, value])?;
        let part = self.part(value.clone(), asked, environment)?;
        part.map(self.budget, |part| (asked.of(so_far, &part), value.clone()))
    }

    /// What is asked of all values of a loop.
    pub(super) fn rounds(
        &self,
        e: TermId,
        body: TermId,
        asked: &ListQuestion<'_>,
        environment: &mut Vec<List>,
    ) -> Evaluated<List> {
        let first = self.evaluate(e, environment)?;
        let first = first.and_then(self.budget, |value| {
            self.state(&List::new(), &value, asked, environment)
        })?;
        if let Some(solved) = self.chain(&first, body, asked, environment, FEW_STATES)? {
            return Ok(solved);
        }
        let mut live = first.clone();
        let mut ended = Measure::zero(live.total.clone());
        let mut endings: ValueMap<List, bool> = ValueMap::default();
        loop {
            // The next round holds about as much again.
            let sizes = live.values.keys();
            let bytes = mean(sizes.map(|(a, b)| bytes_of_members(a) + bytes_of_members(b)));
            let bytes = bytes.saturating_add(BYTES_OF_ENTRY);
            let bytes = bytes.saturating_mul(live.values.len() as u64);
            self.budget.has_room_for(bytes)?;
            let mut lasts: Vec<&List> = live.values.keys().map(|(_, last)| last).collect();
            // With this order, each run counts the same states.
            lasts.sort_unstable();
            lasts.dedup();
            for last in lasts {
                self.can_end(last, body, environment, &mut endings)?;
            }
            let stepped = live.and_then(self.budget, |(so_far, last)| {
                if last.is_empty() {
                    return Ok(Measure::certain((so_far, None)));
                }
                if endings.get(&last) == Some(&false) {
                    return Ok(Measure::never_ending());
                }
                let next = self.evaluate_with(body, last, environment)?;
                next.and_then(self.budget, |next| {
                    let state = self.state(&so_far, &next, asked, environment)?;
                    state.map(self.budget, |(so_far, next)| (so_far, Some(next)))
                })
            })?;
            // All values move to new tables while the old one is still there.
            self.budget
                .has_room_for(BYTES_OF_ENTRY.saturating_mul(stepped.values.len() as u64))?;
            let mut rest = Measure::zero(stepped.total.clone());
            let factor = &stepped.total / &ended.total;
            ended.scale(&factor, self.budget)?;
            for (value, weight) in stepped.values {
                match value {
                    (so_far, None) => *ended.values.entry(so_far).or_default() += weight,
                    (so_far, Some(last)) => {
                        *rest.values.entry((so_far, last)).or_default() += weight;
                    }
                }
            }
            for (failure, weight) in stepped.failures {
                *ended.failures.entry(failure).or_default() += weight;
            }
            ended.never_ends += stepped.never_ends;
            ended.unresolved += stepped.unresolved;
            let open: Weight = rest.values.values().sum();
            if probability(&open, &rest.total) <= self.live {
                if open != Weight::ZERO
                    && let Some(solved) =
                        self.chain(&first, body, asked, environment, MOST_STATES)?
                {
                    return Ok(solved);
                }
                ended.unresolved += open;
                return Ok(ended);
            }
            self.budget.look_at_clock()?;
            live = rest;
        }
    }

    /// What is asked of all values of a loop with these first states, if it has no more than so many states.
    fn chain(
        &self,
        first: &Measure<RoundState>,
        body: TermId,
        asked: &ListQuestion<'_>,
        environment: &mut Vec<List>,
        most: usize,
    ) -> Result<Option<Measure<List>>, LimitReached> {
        let mut nexts: ValueMap<List, Measure<RoundState>> = ValueMap::default();
        let mut states: Vec<RoundState> = Vec::new();
        let mut place_of: ValueMap<RoundState, usize> = ValueMap::default();
        let mut rows = vec![first.clone()];
        loop {
            let reached = rows[rows.len() - 1].values.keys();
            let is_new =
                |state: &&RoundState| !state.1.is_empty() && !place_of.contains_key(*state);
            let mut new: Vec<RoundState> = reached.filter(is_new).cloned().collect();
            new.sort_unstable();
            for state in new {
                states.push(state.clone());
                place_of.insert(state, states.len());
            }
            if states.len() > most || states.iter().any(|state| state.0.len() > FEW_STATES) {
                return Ok(None);
            }
            let Some((so_far, last)) = states.get(rows.len() - 1) else {
                break;
            };
            self.budget.look_at_clock()?;
            if !nexts.contains_key(last) {
                let next = self.evaluate_with(body, last.clone(), environment)?;
                let next = next.and_then(self.budget, |next| {
                    self.state(&List::new(), &next, asked, environment)
                })?;
                nexts.insert(last.clone(), next);
            }
            let next = nexts[last].clone();
            rows.push(next.map(self.budget, |(part, next)| (asked.of(so_far, &part), next))?);
        }
        let mut chain = Chain::new();
        let totals = rows.iter().map(|row| row.total.clone());
        let ids: Vec<_> = totals.map(|total| chain.add_state(total)).collect();
        let mut ends: Vec<PathEnd> = Vec::new();
        let mut end_of: ValueMap<PathEnd, EndId> = ValueMap::default();
        let mut end = |end: PathEnd| {
            let next = EndId(u32::try_from(ends.len() + 1).expect("fewer than 2^32 ends"));
            *end_of.entry(end.clone()).or_insert_with(|| {
                ends.push(end);
                next
            })
        };
        for (row, &from) in rows.into_iter().zip(&ids) {
            for (state, weight) in row.values {
                let to = match place_of.get(&state) {
                    Some(&place) => Target::State(ids[place]),
                    None => Target::End(end(Ok(state.0))),
                };
                chain.add_step(from, weight, 0, to);
            }
            for (failure, weight) in row.failures {
                chain.add_step(from, weight, 0, Target::End(end(Err(failure))));
            }
            // What is unresolved leaves the chain.
            chain.add_step(from, row.never_ends, 0, Target::End(EndId(0)));
        }
        let found = match chain.ends(ids[0], self.budget) {
            Ok(found) => found,
            Err(Stop::Limit(reached)) => return Err(reached),
            Err(Stop::Overflow) => return Ok(None),
        };
        let mut solved = Measure::zero(found.total);
        solved.never_ends = found.never;
        let mut open = &solved.total - &solved.never_ends;
        for (EndId(end), weight) in found.weights {
            open -= &weight;
            match end.checked_sub(1).map(|place| &ends[place as usize]) {
                None => solved.never_ends += weight,
                Some(Ok(list)) => *solved.values.entry_ref(list).or_default() += weight,
                Some(Err(failure)) => *solved.failures.entry(*failure).or_default() += weight,
            }
        }
        solved.unresolved = open;
        Ok(Some(solved))
    }

    /// Decides whether a loop at this value can reach an empty list or an error, and enters that in `endings`: `true` if it is
    /// not known.
    fn can_end(
        &self,
        value: &List,
        body: TermId,
        environment: &mut Vec<List>,
        endings: &mut ValueMap<List, bool>,
    ) -> Result<(), LimitReached> {
        if endings.contains_key(value) {
            return Ok(());
        }
        let mut seen: ValueMap<List, bool> = ValueMap::default();
        let mut open = vec![value.clone()];
        while let Some(reached) = open.pop() {
            if reached.is_empty()
                || endings.get(&reached) == Some(&true)
                || seen.len() > MAX_LOOP_VALUES
            {
                endings.insert(value.clone(), true);
                return Ok(());
            }
            self.has_room_for_lists([&reached])?;
            if seen.insert(reached.clone(), false).is_none() {
                let next = self.evaluate_with(body, reached, environment)?;
                if !next.failures.is_empty() || next.unresolved != Weight::ZERO {
                    endings.insert(value.clone(), true);
                    return Ok(());
                }
                let mut nexts: Vec<List> = next.values.into_keys().collect();
                // The empty list comes first, and each run takes the same way.
                nexts.sort_unstable_by(|a, b| b.cmp(a));
                open.extend(nexts);
            }
        }
        endings.extend(seen);
        Ok(())
    }
}
