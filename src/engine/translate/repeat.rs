//! `n # e`: independent evaluations. If `e` uses nothing hidden, they are a pool of `n` dice with the distribution of
//! `e`, which is solved first. Other evaluations are written out.

use crate::engine::program::{Drawing, Node, NodeId, Order, Pool, Reduction, Store};
use crate::engine::reason::Reason;
use crate::engine::simplify::{Forms as _, MOST_UNROLLED, values};
use crate::engine::stop::{Attempt, Stop};
use crate::engine::translate::draws::drawn_lists;
use crate::engine::translate::possible::{possible_failures, zero_once_over};
use crate::engine::translate::translator::Translator;
use crate::ir::TermId;

/// The most evaluations that are written out rather than split by the values of a number that they use.
const FEW: i64 = 4;

/// The most values of a hidden number by which repeated evaluations are split.
const MOST_CASES: usize = 64;

/// The body of a repetition: a term, or a term for each member of another.
#[derive(Clone, Copy)]
pub(in crate::engine) enum Repeated {
    Term(TermId),
    Foreach(TermId, TermId),
}

/// The places in the environment of the hidden values that a body uses.
pub(in crate::engine) fn hidden_places(
    store: &mut Store<'_>,
    body: Repeated,
    environment: &[NodeId],
) -> Vec<usize> {
    let terms = match body {
        Repeated::Term(e) => vec![(e, 0)],
        Repeated::Foreach(e, f) => vec![(e, 0), (f, 1)],
    };
    let mut hidden = Vec::new();
    for (term, bound) in terms {
        let free = store.free(term);
        let outside = free.iter().filter_map(|index| index.checked_sub(bound));
        hidden.extend(
            outside
                .map(|index| environment.len() - 1 - index as usize)
                .filter(|&place| store.nodes.mask(environment[place]) != 0),
        );
    }
    hidden.sort_unstable();
    hidden.dedup();
    hidden
}

impl Translator<'_, '_> {
    /// `n` evaluations of a body, joined.
    pub(in crate::engine) fn repeat(
        &mut self,
        n: NodeId,
        body: Repeated,
        reductions: &[Reduction],
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let times = self.store.bounds(n)?;
        if times.low < 0 {
            return Err(Stop::Unsupported(Reason::NegativeCount));
        }
        if times.high == 0 {
            return Ok(self.store.empty());
        }
        let (first, hazards) = self.collecting_hazards(|translator| {
            translator.translate_body(body, reductions, order, environment)
        })?;
        let random = match body {
            Repeated::Term(e) => self.store.is_random(e),
            Repeated::Foreach(e, f) => self.store.is_random(e) || self.store.is_random(f),
        };
        let is_once = times.low == 1 && times.high == 1;
        if is_once && !self.is_looped_number(first) {
            self.add_hazards(&hazards)?;
            return Ok(first);
        }
        if !is_once && !random {
            let some = self.store.at_least(n, 1)?;
            self.on_path(some, |translator| translator.add_hazards(&hazards))?;
            return self.store.copies(n, first);
        }
        // A hidden value matters only if the body's value or its hazards still mention a pool of it.
        let places = hidden_places(self.store, body, environment);
        let mentioned: Vec<NodeId> = hazards
            .iter()
            .map(|hazard| hazard.when)
            .chain([first])
            .collect();
        let hidden = places
            .iter()
            .any(|&place| self.store.share_pools(&[environment[place]], &mentioned));
        if is_once {
            return self.isolated(first, hidden, &hazards, order);
        }
        if !hidden {
            let failures = possible_failures(self.store, &hazards)?;
            let waiting = zero_once_over(self.store, &hazards)?;
            if self.store.is_number(first) {
                let first = self.store.linear(0, &[(1, first), (1, waiting)])?;
                let first = failures.beside_events(self.store, first)?;
                return self.drawn(n, first, &failures.events, order);
            }
            if failures.events.is_empty()
                && self.store.as_constant(waiting).is_some()
                && order == Order::Ignored
                && let Some(pool) = self.repeated_pool(n, first)?
            {
                return Ok(pool);
            }
        }
        if hidden
            && order == Order::Ignored
            && times.high > FEW
            && let [place] = places[..]
            && self.store.is_number(environment[place])
            && let Some(values) = values(self.store, environment[place], MOST_CASES)?
        {
            return self.repeat_by_value(n, body, reductions, place, &values, environment);
        }
        let mut first = Some(first);
        self.unrolled(n, order, |translator| match first.take() {
            Some(first) => {
                translator.add_hazards(&hazards)?;
                Ok(first)
            }
            None => translator.translate_body(body, reductions, order, environment),
        })
    }

    /// `n` evaluations of a body that uses one hidden number: for each value of that number, the evaluations with
    /// that value, if the number has it. Each of these is a pool again.
    pub(in crate::engine) fn repeat_by_value(
        &mut self,
        n: NodeId,
        body: Repeated,
        reductions: &[Reduction],
        place: usize,
        values: &[i64],
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let number = environment[place];
        let mut cases = Vec::with_capacity(values.len());
        for &value in values {
            let is_value = self.store.equals(number, value)?;
            environment[place] = self.store.constant(value);
            let case = self.on_path(is_value, |translator| {
                translator.repeat(n, body, reductions, Order::Ignored, environment)
            });
            environment[place] = number;
            cases.push(self.store.copies(is_value, case?)?);
        }
        self.store.join(&cases)
    }

    /// Evaluations written out. Each is there if the number `n` is large enough.
    pub(in crate::engine) fn unrolled(
        &mut self,
        n: NodeId,
        order: Order,
        mut evaluate: impl FnMut(&mut Self) -> Attempt<NodeId>,
    ) -> Attempt<NodeId> {
        let times = self.store.bounds(n)?;
        if times.high > MOST_UNROLLED {
            return Err(Stop::Unsupported(Reason::LongRepetition));
        }
        let mut parts = Vec::new();
        for index in 1..=times.high {
            let there = self.store.at_least(n, index)?;
            let value = self.on_path(there, &mut evaluate)?;
            parts.push(self.store.copies(there, value)?);
        }
        self.store.sequence(order, parts)
    }

    /// `n` independent values with the distribution of this one as pools, if its form allows it.
    pub(in crate::engine) fn repeated_pool(
        &mut self,
        n: NodeId,
        value: NodeId,
    ) -> Attempt<Option<NodeId>> {
        if self.store.is_number(value) {
            return self.drawn(n, value, &[], Order::Ignored).map(Some);
        }
        match self.store.nodes.get(value).clone() {
            Node::Known(_) => self.store.copies(n, value).map(Some),
            Node::Pool(pool) => {
                let Pool { die, dice, drawing } = *self.store.pools.get(pool);
                if drawing != Drawing::Independent {
                    return Ok(None);
                }
                let count = self.store.linear(0, &[(dice.into(), n)])?;
                let name = self.store.pools.name();
                self.store.draws(count, die, name).map(Some)
            }
            // Parts that share no pool are repeated separately.
            Node::Join(parts) if self.store.are_independent(&parts) => {
                let mut repeated = Vec::with_capacity(parts.len());
                for &part in parts.iter() {
                    match self.repeated_pool(n, part)? {
                        Some(pool) => repeated.push(pool),
                        None => return Ok(None),
                    }
                }
                self.store.join(&repeated).map(Some)
            }
            _ => drawn_lists(self.store, n, value),
        }
    }
}
