//! Numbers that the rounds of a loop add up.
//!
//! The added numbers are no part of the states: they stand at the steps, and a chain adds them up.

use std::sync::Arc;

use num_integer::Integer as _;

use super::code::{Expr, ExprId, RoutineId};
use super::compile::{Compiler, Ending, Frame};
use super::counters::{Counters, counters};
use super::run::{Adds, Exploration, Halt, Machine, Run, Scope, Table};
use super::words::Word;
use crate::algebra::{
    Chain, ChainLaw, EndId, Law, Mass, Network, Numbers, Place, StateId, Stop, Weight,
};
use crate::engine::program::Order;
use crate::ir::{Folding, Term, TermId};
use crate::limits::Budget;
use crate::map::ValueMap;
use crate::number::Fraction;

/// Chains with no more steps than this are always solved.
const MANY_STEPS: usize = 1 << 14;

/// What the rounds of a loop add up, or what its best play is worth.
pub(super) enum Worth {
    /// One of some numbers.
    Listed(Table),
    /// A number that the rounds add up; and whether they may come back to a state.
    Sum(Summed, bool),
}

/// A sum of numbers: what steps add up, times a factor, and a first number.
pub(super) struct Summed {
    steps: Steps,
    first: i64,
    factor: i64,
    /// Whether some sums are left open.
    is_open: bool,
}

/// Steps that add up numbers.
enum Steps {
    Chain(Chain, StateId),
    /// Steps between too many states to be solved, and what each adds.
    Many(Network, Vec<u64>),
}

impl Summed {
    /// Whether some of the sum may be unresolved.
    pub(super) fn leaves_a_rest(&self) -> bool {
        self.is_open || matches!(self.steps, Steps::Many(..))
    }

    /// The distribution of the sum, until no more than the tolerance is left.
    pub(super) fn law(self, tolerance: &Fraction, budget: &Budget<'_>) -> Result<ChainLaw, Stop> {
        let most = budget.limits().outcomes;
        let (factor, first) = (self.factor.into(), self.first.into());
        let (chain, start) = match self.steps {
            Steps::Chain(chain, start) => (chain, start),
            Steps::Many(network, added) => {
                if let Some(law) = network.sums_within(&added, tolerance, budget)? {
                    let law = law.reduced(budget)?;
                    let is_cut = true;
                    return ChainLaw { law, is_cut }.line(&factor, &first, budget);
                }
                network.adding(|step| added[step], budget)?
            }
        };
        let law = if self.is_open {
            let sums = chain.sums(start, tolerance, most, budget)?;
            let mut listed = sums.listed.into_iter();
            let listed = listed.find(|(end, _)| *end == EndId(0));
            let none = || Numbers::impossible(sums.total.clone());
            let listed = listed.map_or_else(none, |(_, listed)| listed);
            // What is left open may lead anywhere.
            let open = Mass::anywhere(&sums.total - listed.mass() - &sums.never);
            ChainLaw {
                law: Law::new(listed, vec![open], sums.never, None).reduced(budget)?,
                is_cut: true,
            }
        } else {
            ChainLaw::of(&Arc::new(chain), start, tolerance, most, budget)?
        };
        law.line(&factor, &first, budget)
    }
}

impl Compiler<'_, '_, '_> {
    /// The routine of the body of a loop whose values a term sums up or counts; and the number of such loops, where there are several.
    pub(super) fn summed(&mut self, sum: TermId) -> Option<(RoutineId, Option<TermId>)> {
        let arena = self.store.arena;
        let Term::Fold(Folding::Count | Folding::Sum, list, _) = *arena.term(sum) else {
            return None;
        };
        let (mut list, mut times) = (list, None);
        loop {
            list = match *arena.term(list) {
                Term::Filter(_, _, inner, _) | Term::Foreach(inner, _) => inner,
                Term::Repeat(count, inner, _) if times.is_none() => {
                    times = Some(count);
                    inner
                }
                Term::While(first, body) => {
                    let body = self.body(body, Order::Kept, Ending::Sum(first, sum))?;
                    return Some((body, times));
                }
                _ => return None,
            };
        }
    }

    /// What the members of one state of a loop contribute to a list that is made of all its values.
    pub(super) fn of_state(&mut self, list: TermId, frame: &mut Frame) -> Option<ExprId> {
        match *self.store.arena.term(list) {
            Term::While(..) => Some(self.code.add(Expr::Slot(0))),
            // Each of several loops has its own states.
            Term::Repeat(_, inner, _) => self.of_state(inner, frame),
            Term::Filter(comparison, number, inner, _) if !self.rolls(number, frame) => {
                let number = self.plain(number, Order::Ignored, frame)?;
                let inner = self.of_state(inner, frame)?;
                Some(self.code.add(Expr::Filter(comparison, number, inner)))
            }
            Term::Foreach(inner, body) if !self.rolls_in(body, 1, frame) => {
                let inner = self.of_state(inner, frame)?;
                let slot = frame.slot();
                let body = self.within_slot(slot, body, Order::Ignored, frame)?;
                Some(self.code.add(Expr::Foreach(slot, inner, body)))
            }
            _ => None,
        }
    }
}

impl<'a> Machine<'a> {
    /// The sum of what the states of a loop add that begins with the first flow of its body.
    pub(super) fn sum(&mut self, body: RoutineId, arguments: &[Word]) -> Run<Worth> {
        let adds = self.code.routine(body).adds.ok_or(Halt::Refused)?;
        let idle = self.idle(body, true);
        let (mut exploration, _) = self.begun(body, arguments, Adds::Value(adds), idle)?;
        self.added_up(&mut exploration)
    }

    /// A loop without choices that begins with the first flow of its body: what some numbers of its states add up.
    pub(super) fn counts(&mut self, body: RoutineId, arguments: &[Word]) -> Run<Worth> {
        let (mut exploration, _) = self.counted(body, arguments)?;
        let mut counters = exploration.counters.places.iter();
        if counters.all(|counter| counter.factor == 0) {
            return Err(Halt::Refused);
        }
        self.added_up(&mut exploration)
    }

    /// A loop without choices that begins with the first flow of its body: a number that is known where it ends.
    pub(super) fn member(&mut self, body: RoutineId, arguments: &[Word]) -> Run<Worth> {
        let (mut exploration, _) = self.counted(body, arguments)?;
        self.added_up(&mut exploration)
    }

    /// A search for the states of a loop, without what is counted in them, and the place that it starts from.
    pub(super) fn counted(
        &mut self,
        body: RoutineId,
        arguments: &[Word],
    ) -> Run<(Exploration<'a>, Place)> {
        let counters = counters(&self.code, self.arena, body, true);
        self.begun(body, arguments, Adds::Counted, counters)
    }

    fn begun(
        &mut self,
        body: RoutineId,
        arguments: &[Word],
        adds: Adds,
        counters: Counters,
    ) -> Run<(Exploration<'a>, Place)> {
        let kept = self.code.routine(body).kept;
        let mut exploration = self.exploration(body, arguments, Scope::Whole(Some(kept)));
        exploration.counters = counters;
        exploration.adds = Some(adds);
        let first = self.code.routine(body).first.ok_or(Halt::Refused)?;
        let start = self.go_on(&mut exploration, first)?;
        Ok((exploration, start))
    }

    /// What all steps of a loop add up, after its beginning.
    fn added_up(&mut self, exploration: &mut Exploration<'a>) -> Run<Worth> {
        exploration.may_be_open = true;
        let before = std::mem::take(&mut exploration.added);
        if self.follow(exploration)?.is_some() {
            exploration.leave_open();
        }
        let (network, added) = (&exploration.network, &exploration.all_added);
        self.worth((network, added), before, exploration.is_open)
    }

    /// What the steps of a network add up, and a first number. Some steps may lead to a second end, where sums are left open.
    ///
    /// A chain adds no negative number. So each state has a potential, and a step adds the potential of its state, less that of its
    /// target, too: all that is added is then the same but for the potential of the first state. There are potentials with which no
    /// step adds a negative number unless a round trip does (D. Johnson, *Efficient algorithms for shortest paths in sparse networks*,
    /// 1977). Where one does, the opposite of each number may be added.
    pub(super) fn worth(
        &self,
        (network, added): (&Network, &[i64]),
        first: i64,
        is_open: bool,
    ) -> Run<Worth> {
        for sign in [1, -1] {
            let added: Vec<i64> = added.iter().map(|added| added * sign).collect();
            let Some((added, potential)) = network.without_negative(&added, self.budget)? else {
                continue;
            };
            let first = first.checked_sub(sign * potential).ok_or(Halt::Refused)?;
            let factor = added.iter().fold(0, |a: u64, b| a.gcd(b));
            // A loop that may come back may never end.
            if factor == 0 && !is_open && !network.comes_back() {
                return only(first);
            }
            let factor = factor.max(1);
            let leaves_a_rest = is_open && self.share != Fraction::default();
            let steps = if leaves_a_rest || self.are_many(network)? {
                let added = added.iter().map(|added| added / factor);
                Steps::Many(network.clone(), added.collect())
            } else {
                let (chain, start) = network.adding(|step| added[step] / factor, self.budget)?;
                Steps::Chain(chain, start)
            };
            let factor = i64::try_from(factor).map_err(|_| Halt::Refused)?;
            let sum = Summed {
                steps,
                first,
                factor: sign * factor,
                is_open,
            };
            return Ok(Worth::Sum(sum, is_open || network.comes_back()));
        }
        Err(Halt::Refused)
    }

    /// Whether the states of a network are too many to be solved, where a small share may be left.
    fn are_many(&self, network: &Network) -> Run<bool> {
        Ok(self.share != Fraction::default()
            && network.steps() > MANY_STEPS
            && network.comes_back()
            && !network.is_solved_soon(self.budget)?)
    }

    /// What the rounds of a loop add up: all values, or all but a share of at most the tolerance if it may come back to a state.
    pub(super) fn listed(&self, worth: Worth) -> Run<Table> {
        let (sum, comes_back) = match worth {
            Worth::Listed(table) => return Ok(table),
            Worth::Sum(sum, comes_back) => (sum, comes_back),
        };
        let tolerance = if comes_back {
            self.tolerance.clone().ok_or(Halt::Endless)?
        } else {
            Fraction::default()
        };
        let law = sum.law(&tolerance, self.budget)?.law;
        let never = law.never_ends();
        let open = law.total() - law.listed.mass() - &never;
        table_of(&law.listed, [(Word::NEVER, never), (Word::OPEN, open)])
    }
}

/// The table of some numbers, and of the words that stand for what they do not list.
pub(super) fn table_of(
    numbers: &Numbers,
    others: impl IntoIterator<Item = (Word, Weight)>,
) -> Run<Table> {
    let words = numbers.iter().map(|(number, weight)| {
        let word = number.to_i64().and_then(Word::number);
        Some((word?, weight.clone()))
    });
    let mut words: ValueMap<_, _> = words.collect::<Option<_>>().ok_or(Halt::Refused)?;
    words.extend(others);
    Ok(Table::of(words, numbers.total().clone()))
}

/// Always the same number.
pub(super) fn only(number: i64) -> Run<Worth> {
    let word = Word::number(number).ok_or(Halt::Refused)?;
    Ok(Worth::Listed(Table::certain(word)))
}
