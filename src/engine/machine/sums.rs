//! Numbers that the rounds of a loop add up.
//!
//! The added numbers are no part of the states: they stand at the steps, and a chain adds them up.

use std::iter;
use std::sync::Arc;

use num_integer::Integer as _;

use super::code::{Expr, ExprId, RoutineId};
use super::compile::{Compiler, Ending, Frame};
use super::counters::{Counters, ValueReader, counters};
use super::ends::SumEnd;
use super::run::{Adds, Exploration, Halt, Machine, Run, Scope, Table};
use super::values::Values;
use super::words::Word;
use crate::algebra::{
    Chain, ChainLaw, Line, Network, Numbers, Place, StateId, Stop, SumsByEnd, Weight,
};
use crate::engine::program::Order;
use crate::ir::{Folding, Term, TermId};
use crate::limits::Budget;
use crate::map::ValueMap;
use crate::number::{Fraction, Integer, Overflow};

/// Chains with no more steps than this are always solved.
const MANY_STEPS: usize = 1 << 14;

/// What the rounds of a loop add up, or what its best play is worth.
pub(super) enum Worth {
    /// One of some numbers.
    Listed(Table),
    /// A number that the rounds add up; and whether they may come back to a state.
    Sum(Summed, bool),
}

/// A sum of numbers, which is what steps add up, times a factor, and a first number; and the value of a loop, which follows from the sum
/// and from the end.
pub(super) struct Summed {
    steps: Steps,
    first: i64,
    factor: i64,
    /// For each end, the members of the value; `None` if they are not known.
    ends: Vec<Option<Vec<Member>>>,
}

/// A member of a value: a constant, and a multiple of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Member {
    constant: i64,
    multiple: i64,
}

/// Steps that add up numbers.
enum Steps {
    Chain(Chain, StateId),
    /// Steps between too many states to be solved, and what each adds.
    Many(Network, Vec<u64>),
}

impl Steps {
    /// What the steps of many states add up, if they are short.
    fn abacus(&self, tolerance: &Fraction, budget: &Budget<'_>) -> Result<Option<SumsByEnd>, Stop> {
        match self {
            Self::Chain(..) => Ok(None),
            Self::Many(network, added) => network.sums_within(added, tolerance, budget),
        }
    }

    fn chain(self, budget: &Budget<'_>) -> Result<(Chain, StateId), Stop> {
        match self {
            Self::Chain(chain, start) => Ok((chain, start)),
            Self::Many(network, added) => Ok(network.adding(|step| added[step], budget)?),
        }
    }
}

impl Summed {
    /// Whether some of the values may be unresolved.
    pub(super) fn leaves_a_rest(&self) -> bool {
        self.ends.contains(&None) || matches!(self.steps, Steps::Many(..))
    }

    /// Whether the value is a number at each end.
    pub(super) fn is_number(&self) -> bool {
        let mut ends = self.ends.iter().flatten();
        ends.all(|members| members.len() == 1)
    }

    /// The distribution of a number, until no more than the tolerance is left.
    pub(super) fn law(self, tolerance: &Fraction, budget: &Budget<'_>) -> Result<ChainLaw, Stop> {
        let lines = self.lines()?.into_iter();
        let lines: Vec<_> = lines.map(|lines| lines?.into_iter().next()).collect();
        if let Some(sums) = self.steps.abacus(tolerance, budget)? {
            let (law, is_cut) = (sums.law(&lines, None, tolerance, budget)?, sums.is_cut);
            return Ok(ChainLaw { law, is_cut });
        }
        let (chain, start) = self.steps.chain(budget)?;
        let most = budget.limits().outcomes;
        ChainLaw::by_end(&Arc::new(chain), start, &lines, tolerance, most, budget)
    }

    /// The lists, until no more than the tolerance is left.
    pub(super) fn values(self, tolerance: &Fraction, budget: &Budget<'_>) -> Result<Values, Stop> {
        let lines = self.lines()?;
        let sums = if let Some(sums) = self.steps.abacus(tolerance, budget)? {
            sums
        } else {
            let (chain, start) = self.steps.chain(budget)?;
            SumsByEnd::of(&chain, start, tolerance, budget.limits().outcomes, budget)?
        };
        let mut listed: ValueMap<Vec<i64>, Weight> = ValueMap::default();
        for own in &sums.ends {
            let Some(lines) = &lines[own.end.0 as usize] else {
                continue;
            };
            // Without the sum in it, a list is known whatever the sum is.
            let is_known = lines.iter().all(|line| line.factor.is_zero());
            let zero = is_known.then(|| (Integer::ZERO, own.weight()));
            let numbers = own.listed.iter().filter(|_| !is_known);
            for (number, weight) in numbers.chain(zero) {
                budget.check()?;
                let mut list = Vec::with_capacity(lines.len());
                for line in lines {
                    list.push(line.at(&number)?.to_i64().ok_or(Overflow)?);
                }
                *listed.entry(list).or_default() += weight;
            }
        }
        Ok(Values {
            listed: listed.into_iter().collect(),
            never: sums.never,
            total: sums.total,
            may_fail: Fraction::default(),
            are_all: true,
        })
    }

    /// The members at each end as lines of what the steps add up.
    fn lines(&self) -> Result<Vec<Option<Vec<Line>>>, Overflow> {
        let lines = self.ends.iter().map(|end| {
            let members = end.as_ref()?.iter();
            Some(members.map(|member| self.line(*member)).collect())
        });
        lines.map(Option::transpose).collect()
    }

    /// A member as a line of what the steps add up.
    fn line(&self, member: Member) -> Result<Line, Overflow> {
        let [constant, multiple] = [member.constant, member.multiple].map(Integer::from);
        let [factor, first] = [self.factor, self.first].map(Integer::from);
        Ok(Line {
            factor: multiple.mul(&factor)?,
            constant: multiple.mul(&first)?.add(&constant)?,
        })
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
        let (mut exploration, _) = self.counted(body, arguments, ValueReader::Members)?;
        let mut counters = exploration.counters.places.iter();
        if counters.all(|counter| counter.factor == 0) {
            return Err(Halt::Refused);
        }
        self.added_up(&mut exploration)
    }

    /// A loop without choices that begins with the first flow of its body: a number that is known where it ends.
    pub(super) fn member(&mut self, body: RoutineId, arguments: &[Word]) -> Run<Worth> {
        let (mut exploration, _) = self.counted(body, arguments, ValueReader::Members)?;
        self.added_up(&mut exploration)
    }

    /// A search for the states of a loop, without what is counted in them, and the place that it starts from.
    pub(super) fn counted(
        &mut self,
        body: RoutineId,
        arguments: &[Word],
        value: ValueReader,
    ) -> Run<(Exploration<'a>, Place)> {
        let counters = counters(&self.code, self.arena, body, value);
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
        let ends = std::mem::take(&mut exploration.ends.sums);
        if let ([end], 0) = (&ends[..], exploration.states.len()) {
            return self.at_once(end, before);
        }
        let (network, added) = (&exploration.network, &exploration.all_added);
        self.worth((network, added), before, &ends)
    }

    /// What the steps of a network add up, and a first number, for these ends.
    ///
    /// A chain adds no negative number. So each state has a potential, and a step adds the potential of its state, less that of its
    /// target, too: all that is added is then the same but for the potential of the first state. There are potentials with which no
    /// step adds a negative number unless a round trip does (D. Johnson, *Efficient algorithms for shortest paths in sparse networks*,
    /// 1977). Where one does, the opposite of each number may be added.
    pub(super) fn worth(
        &self,
        (network, added): (&Network, &[i64]),
        first: i64,
        ends: &[SumEnd],
    ) -> Run<Worth> {
        let is_sum = *ends == [SumEnd::sum()];
        let ends: Vec<_> = ends.iter().map(|end| self.members_at(end)).collect();
        let is_open = ends.contains(&None);
        for sign in [1, -1] {
            let added: Vec<i64> = added.iter().map(|added| added * sign).collect();
            let Some((added, potential)) = network.without_negative(&added, self.budget)? else {
                continue;
            };
            let first = first.checked_sub(sign * potential).ok_or(Halt::Refused)?;
            let factor = added.iter().fold(0, |a: u64, b| a.gcd(b));
            // A loop that may come back may never end.
            if factor == 0 && is_sum && !network.comes_back() {
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
                ends,
            };
            return Ok(Worth::Sum(sum, is_open || network.comes_back()));
        }
        Err(Halt::Refused)
    }

    /// The value at the end of a loop that ends at once, with a sum.
    fn at_once(&mut self, end: &SumEnd, sum: i64) -> Run<Worth> {
        let members = self.members_at(end).ok_or(Halt::Refused)?;
        let members = members.into_iter().map(|member| {
            let sum = member.multiple.checked_mul(sum)?;
            member.constant.checked_add(sum)
        });
        let members: Option<Vec<i64>> = members.collect();
        let word = members.and_then(|members| self.lists.word(&members));
        Ok(Worth::Listed(Table::certain(word.ok_or(Halt::Refused)?)))
    }

    /// The members of the value at an end, if they are known.
    fn members_at(&self, end: &SumEnd) -> Option<Vec<Member>> {
        let constants = self.lists.members(&end.value).iter();
        let multiples = end.multiples.iter().chain(iter::repeat(&0));
        let members = constants.zip(multiples);
        let members = members.map(|(&constant, &multiple)| Member { constant, multiple });
        (end.value != Word::OPEN).then(|| members.collect())
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
