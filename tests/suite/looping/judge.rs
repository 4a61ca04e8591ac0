//! The judge: the distribution of a rule from its definition, in fractions.
//!
//! The values of a part are listed with their probabilities, given the values of the variables. A consumer tells its operand
//! what it asks for ([`Ask`]), so that a loop under `sum` carries its sum and not its list.
//!
//! A loop is a chain of states: its last value, and what the consumer asks for of all values so far. If the states are few, the
//! chain is solved: round by round where no state comes back, and by elimination where some do. Otherwise it is followed round
//! by round, and what is left is *open*: it may be anything. So every figure is a lower bound, and the figure and the open
//! probability together are an upper bound; where nothing is open, all figures are exact.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

use dicedist::ErrorKind;
use dicedist::number::Fraction;
use num_traits::{One, Zero};

use super::ask::{
    Ask, Kind, answers, asks_of, fold_kind, free, ignores_order, is_sum_or_count, remainder_of,
    select_kind,
};
use super::chain::{Chain, State, Step, come_back, solved, values_that_may_end};
use super::rule::{Name, Rule, Select};

pub(super) type List = Vec<i128>;

/// The most work for one rule, in additions of fractions or so.
const WORK: usize = 80_000;

/// The most members of a value whose next round is followed.
const LENGTH: usize = 8;

/// The most values of a loop, and the most states of a chain.
const VALUES: usize = 400;
const STATES: usize = 3_000;

/// The most states of a chain in which some come back.
const CYCLIC_STATES: usize = 150;

/// The most rounds of a loop that is followed round by round.
const ROUNDS: usize = 200;

/// A distribution. All parts together are 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Law {
    pub(super) values: BTreeMap<List, Fraction>,
    pub(super) errors: BTreeMap<ErrorKind, Fraction>,
    pub(super) never: Fraction,
    /// What may be anything, also an error.
    pub(super) open: Fraction,
}

impl Law {
    fn certain(value: List) -> Self {
        Self {
            values: BTreeMap::from([(value, Fraction::one())]),
            ..Self::default()
        }
    }

    fn error(kind: ErrorKind) -> Self {
        Self {
            errors: BTreeMap::from([(kind, Fraction::one())]),
            ..Self::default()
        }
    }

    /// The probability of an error of any kind.
    pub(super) fn fails(&self) -> Fraction {
        self.errors.values().sum()
    }

    pub(super) fn exits(&self) -> bool {
        self.values.contains_key(&List::new())
            || !self.errors.is_empty()
            || !self.never.is_zero()
            || !self.open.is_zero()
    }
}

/// Why there is no judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    TooLong,
    /// A negative number where the remainder of a sum is asked for, or a question that has no answer.
    Unforeseen,
}

/// A place in the text, the values of the variables it uses, and what is asked for.
type Key = (usize, Vec<List>, Ask);

#[derive(Default)]
pub(super) struct Judge {
    known: HashMap<Key, Rc<Law>>,
    names: HashMap<usize, Rc<[Name]>>,
    variables: Vec<(Name, List)>,
    /// The variables of which only these answers are known.
    answered: Vec<(Name, Rc<[Ask]>)>,
    work: usize,
    /// Whether some value of a loop may come back, or a loop has too many values to tell.
    comes_back: bool,
}

/// The distribution of a rule, as a multiset or as a list in order; and whether each of its loops ends after so many rounds.
pub(super) fn judge(rule: &Rule, in_order: bool) -> Result<(Law, bool), Stop> {
    let ask = Kind::whole(in_order);
    let mut judge = Judge::default();
    let law = judge.law(rule, &ask)?;
    let all = law.values.values().sum::<Fraction>() + law.fails() + &law.never + &law.open;
    assert_eq!(all, Fraction::one(), "the judge loses some of {rule}");
    Ok(((*law).clone(), !judge.comes_back))
}

impl Judge {
    fn works(&mut self, work: usize) -> Result<(), Stop> {
        self.work += work;
        if self.work > WORK {
            return Err(Stop::TooLong);
        }
        Ok(())
    }

    fn law(&mut self, rule: &Rule, ask: &Ask) -> Result<Rc<Law>, Stop> {
        let place = std::ptr::from_ref(rule).addr();
        let names = self.names.entry(place).or_insert_with(|| {
            let mut found = Vec::new();
            free(rule, &mut Vec::new(), &mut found);
            found.into()
        });
        let values = names
            .clone()
            .iter()
            .map(|name| self.variable(name))
            .collect();
        let key = (place, values, ask.clone());
        if let Some(law) = self.known.get(&key) {
            return Ok(law.clone());
        }
        let law = self.fresh_law(rule, ask)?;
        self.works(1 + law.values.len())?;
        let law = Rc::new(law);
        self.known.insert(key, law.clone());
        Ok(law)
    }

    fn variable(&self, name: Name) -> List {
        let mut variables = self.variables.iter().rev();
        let (_, value) = variables.find(|(other, _)| *other == name).unwrap();
        value.clone()
    }

    fn within(&mut self, name: Name, value: List, rule: &Rule, ask: &Ask) -> Result<Rc<Law>, Stop> {
        self.variables.push((name, value));
        let law = self.law(rule, ask);
        self.variables.pop();
        law
    }

    /// First one thing, then for each of its values another.
    fn then(
        &mut self,
        first: &Law,
        mut next: impl FnMut(&mut Self, &List) -> Result<Rc<Law>, Stop>,
    ) -> Result<Law, Stop> {
        let mut result = Law {
            values: BTreeMap::new(),
            ..first.clone()
        };
        for (value, share) in &first.values {
            let law = next(self, value)?;
            self.add(&mut result, &law, share)?;
        }
        Ok(result)
    }

    fn add(&mut self, result: &mut Law, law: &Law, share: &Fraction) -> Result<(), Stop> {
        let length = |number: &num_bigint::BigInt| usize::try_from(number.bits() / 64).unwrap();
        let lengths = 1 + length(share.denom()) + length(result.open.denom());
        self.works(lengths * (law.values.len() + 1))?;
        for (value, weight) in &law.values {
            self.works(value.len() / 4)?;
            *result.values.entry(value.clone()).or_default() += weight * share;
        }
        for (kind, weight) in &law.errors {
            *result.errors.entry(*kind).or_default() += weight * share;
        }
        result.never += &law.never * share;
        result.open += &law.open * share;
        Ok(())
    }

    fn map(
        &mut self,
        law: &Law,
        mut change: impl FnMut(&List) -> Result<List, Stop>,
    ) -> Result<Law, Stop> {
        self.then(law, |_, value| Ok(Rc::new(Law::certain(change(value)?))))
    }

    /// Two independent parts, one after the other.
    fn both(
        &mut self,
        a: &Law,
        b: &Law,
        mut combine: impl FnMut(&List, &List) -> Result<List, Stop>,
    ) -> Result<Law, Stop> {
        self.then(a, |judge, a| judge.map(b, |b| combine(a, b)).map(Rc::new))
    }

    /// The law of operands that must be numbers, both evaluated before either is looked at.
    fn numbers(
        &mut self,
        a: &Rule,
        b: &Rule,
        mut operator: impl FnMut(i128, i128) -> Result<Law, Stop>,
    ) -> Result<Law, Stop> {
        let (a, b) = (
            self.law(a, &Kind::Multiset.all())?,
            self.law(b, &Kind::Multiset.all())?,
        );
        let pairs = self.both(&a, &b, |a, b| {
            Ok([&[a.len() as i128], a.as_slice(), b].concat())
        })?;
        self.then(&pairs, |_, pair| {
            Ok(Rc::new(match pair.as_slice() {
                [1, a, b] => operator(*a, *b)?,
                _ => Law::error(ErrorKind::Type),
            }))
        })
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each form")]
    fn fresh_law(&mut self, rule: &Rule, ask: &Ask) -> Result<Law, Stop> {
        let number = Kind::Multiset.all();
        match rule {
            Rule::Arithmetic('%', a, modulus) if remainder_of(a, modulus).is_some() => {
                let (asked, e) = remainder_of(a, modulus).expect("as above");
                match self.law(e, &asked) {
                    Ok(law) => self.map(&law, |value| ask.of(value.clone())),
                    Err(Stop::Unforeseen) => self.arithmetic('%', a, modulus, ask),
                    Err(Stop::TooLong) => Err(Stop::TooLong),
                }
            }
            Rule::Arithmetic(operator, a, b) => self.arithmetic(*operator, a, b, ask),
            Rule::Copies(n, e) => {
                let n = self.law(n, &number)?;
                self.then(&n, |judge, n| {
                    let [n] = n.as_slice() else {
                        return Ok(Rc::new(Law::error(ErrorKind::Type)));
                    };
                    if *n < 0 {
                        return Ok(Rc::new(Law::error(ErrorKind::NegativeCount)));
                    }
                    let mut all = Law::certain(ask.of(List::new())?);
                    for _ in 0..*n {
                        let one = judge.law(e, ask)?;
                        all = judge.both(&all, &one, |a, b| ask.kind.merged(a, b))?;
                    }
                    Ok(Rc::new(all))
                })
            }
            Rule::Die(sides) => {
                let sides = self.law(sides, &number)?;
                self.then(&sides, |_, sides| {
                    let mut law = Law::default();
                    match sides.as_slice() {
                        [sides @ 1..=1_000] => {
                            for face in 1..=*sides {
                                let share = Fraction::new(1.into(), (*sides).into());
                                *law.values.entry(ask.of(vec![face])?).or_default() += share;
                            }
                        }
                        [1..=i128::MAX] => return Err(Stop::TooLong),
                        [_] => law = Law::error(ErrorKind::BadDie),
                        _ => law = Law::error(ErrorKind::Type),
                    }
                    Ok(Rc::new(law))
                })
            }
            Rule::Filter(comparison, bound, e) => {
                let bound = self.law(bound, &number)?;
                self.then(&bound, |judge, bound| {
                    let [bound] = bound.as_slice() else {
                        // The list is evaluated before the bound is looked at.
                        let list = judge.law(e, &Kind::Any.all())?;
                        let law =
                            judge.then(&list, |_, _| Ok(Rc::new(Law::error(ErrorKind::Type))));
                        return law.map(Rc::new);
                    };
                    judge.law(e, &ask.filtered(*comparison, *bound))
                })
            }
            Rule::Fold(fold, e) => {
                let law = self.law(e, &fold_kind(*fold).all())?;
                self.map(&law, |value| ask.of(value.clone()))
            }
            Rule::Foreach(name, e, f) => {
                let list = self.law(e, &Kind::whole(ask.kind.has_order()))?;
                self.then(&list, |judge, list| {
                    let mut all = Law::certain(ask.of(List::new())?);
                    for member in list {
                        let one = judge.within(name, vec![*member], f, ask)?;
                        all = judge.both(&all, &one, |a, b| ask.kind.merged(a, b))?;
                    }
                    Ok(Rc::new(all))
                })
            }
            Rule::If(c, e, f) => {
                let condition = self.law(c, &Kind::Any.all())?;
                self.then(&condition, |judge, any| {
                    judge.law(if any.is_empty() { f } else { e }, ask)
                })
            }
            Rule::Joined(parts) => {
                let mut all = Law::certain(ask.of(List::new())?);
                for part in parts {
                    let one = self.law(part, ask)?;
                    all = self.both(&all, &one, |a, b| ask.kind.merged(a, b))?;
                }
                Ok(all)
            }
            Rule::Let(name, e, f) => {
                let mut found = Vec::new();
                if matches!(**e, Rule::While(..)) && asks_of(f, name, ask, &mut found).is_some() {
                    let asks: Rc<[Ask]> = found.into();
                    match self.with_answers(name, e, f, ask, &asks) {
                        Err(Stop::Unforeseen) => {}
                        law => return law,
                    }
                }
                let has_order = !ignores_order(f, name, !ask.kind.has_order());
                let value = self.law(e, &Kind::whole(has_order))?;
                self.then(&value, |judge, value| {
                    judge.within(name, value.clone(), f, ask)
                })
            }
            Rule::Number(number) => Ok(Law::certain(ask.of(vec![*number])?)),
            Rule::Range(a, b) => self.numbers(a, b, |a, b| {
                if b - a > 1_000 {
                    return Err(Stop::TooLong);
                }
                Ok(Law::certain(ask.of((a..=b).collect())?))
            }),
            Rule::Reverse(e) => {
                let list = self.law(e, &Kind::whole(ask.kind.has_order()))?;
                self.map(&list, |list| ask.of(list.iter().rev().copied().collect()))
            }
            Rule::Select(select, n, e) => self.select(*select, n, e, ask),
            Rule::Sort(e) => {
                let list = self.law(e, &Kind::Multiset.all())?;
                self.map(&list, |list| ask.of(list.clone()))
            }
            Rule::Variable(name) => {
                let value = self.variable(name);
                let mut answered = self.answered.iter().rev();
                let asks = answered
                    .find(|(other, _)| other == name)
                    .map(|(_, asks)| asks);
                Ok(Law::certain(match (value.split_first(), asks) {
                    (Some((&i128::MIN, value)), Some(asks)) => {
                        let place = asks.iter().position(|known| known == ask);
                        answers(value).swap_remove(place.ok_or(Stop::Unforeseen)?)
                    }
                    _ => ask.of(value)?,
                }))
            }
            Rule::While(name, e, f) => self.looped(name, e, f, ask),
        }
    }

    /// `let` with a loop, of which only some questions are asked.
    fn with_answers(
        &mut self,
        name: Name,
        e: &Rule,
        f: &Rule,
        ask: &Ask,
        asks: &Rc<[Ask]>,
    ) -> Result<Law, Stop> {
        let joint = Kind::Joint(asks.clone());
        let value = self.law(e, &joint.all())?;
        self.then(&value, |judge, value| {
            // No other value begins like this.
            let value = [&[i128::MIN], value.as_slice()].concat();
            judge.answered.push((name, asks.clone()));
            let law = judge.within(name, value, f, ask);
            judge.answered.pop();
            law
        })
    }

    fn arithmetic(&mut self, operator: char, a: &Rule, b: &Rule, ask: &Ask) -> Result<Law, Stop> {
        self.numbers(a, b, |a, b| {
            let value = match operator {
                '+' => a.checked_add(b),
                '-' => a.checked_sub(b),
                '*' => a.checked_mul(b),
                '/' | '%' if b == 0 => return Ok(Law::error(ErrorKind::DivisionByZero)),
                '/' => a.checked_div(b),
                _ => a.checked_rem(b),
            };
            Ok(Law::certain(ask.of(vec![value.ok_or(Stop::TooLong)?])?))
        })
    }

    fn select(&mut self, select: Select, n: &Rule, e: &Rule, ask: &Ask) -> Result<Law, Stop> {
        let n = self.law(n, &Kind::Multiset.all())?;
        self.then(&n, |judge, n| {
            let count = match n.as_slice() {
                [count] => usize::try_from(*count).ok(),
                _ => None,
            };
            let kind = select_kind(select, count, ask.kind.has_order());
            let list = judge.law(e, &kind.all())?;
            let law = judge.then(&list, |_, list| {
                let Some(count) = count else {
                    let kind = if n.len() == 1 {
                        ErrorKind::NegativeCount
                    } else {
                        ErrorKind::Type
                    };
                    return Ok(Rc::new(Law::error(kind)));
                };
                let mut ranks: Vec<usize> = (0..list.len()).collect();
                // Of equals the earliest are left, whether the others are dropped or not kept.
                match select {
                    Select::High => ranks.sort_by_key(|&place| std::cmp::Reverse(list[place])),
                    Select::Low => ranks.sort_by_key(|&place| list[place]),
                    Select::DropHigh => {
                        ranks.sort_by_key(|&place| std::cmp::Reverse((list[place], place)));
                    }
                    Select::DropLow => {
                        ranks.sort_by_key(|&place| (list[place], std::cmp::Reverse(place)));
                    }
                    Select::Last | Select::DropLast => ranks.reverse(),
                    Select::First | Select::DropFirst => {}
                }
                let taken: HashSet<usize> = ranks.into_iter().take(count).collect();
                let drops = matches!(
                    select,
                    Select::DropFirst | Select::DropHigh | Select::DropLast | Select::DropLow
                );
                let places = (0..list.len()).filter(|place| taken.contains(place) != drops);
                let kept = places.map(|place| list[place]).collect();
                Ok(Rc::new(Law::certain(ask.of(kept)?)))
            });
            law.map(Rc::new)
        })
    }

    /// What a loop asks for of its values: their order only if it matters.
    fn ask_of_values(name: Name, f: &Rule, ask: &Ask) -> Ask {
        Kind::whole(ask.kind.has_order() || !ignores_order(f, name, true))
    }

    /// The values of a loop, each with the law of what follows; `None` if they are too many.
    fn values(
        &mut self,
        name: Name,
        first: &Law,
        f: &Rule,
        ask: &Ask,
    ) -> Result<Option<BTreeMap<List, Rc<Law>>>, Stop> {
        let mut waiting: Vec<List> = first.values.keys().cloned().collect();
        let mut values = BTreeMap::new();
        while let Some(value) = waiting.pop() {
            if value.is_empty() || values.contains_key(&value) {
                continue;
            }
            if values.len() == VALUES || value.len() > LENGTH {
                return Ok(None);
            }
            let next = self.within(name, value.clone(), f, ask)?;
            waiting.extend(next.values.keys().cloned());
            values.insert(value, next);
        }
        Ok(Some(values))
    }

    fn looped(&mut self, name: Name, e: &Rule, f: &Rule, ask: &Ask) -> Result<Law, Stop> {
        let of_values = Self::ask_of_values(name, f, ask);
        let first = self.law(e, &of_values)?;
        let values = self.values(name, &first, f, &of_values)?;
        let ending = values.as_ref().map(values_that_may_end);
        let mut chain = Chain::default();
        let mut result = Law {
            values: BTreeMap::new(),
            ..(*first).clone()
        };
        let mut start: BTreeMap<State, Fraction> = BTreeMap::new();
        for (value, share) in &first.values {
            let asked = ask.of(value.clone())?;
            if value.is_empty() {
                *result.values.entry(asked).or_default() += share;
            } else {
                *start.entry((value.clone(), asked)).or_default() += share;
            }
        }
        let step = |judge: &mut Self, (value, asked): &State| -> Result<Step, Stop> {
            if ending
                .as_ref()
                .is_some_and(|ending| !ending.contains(value))
            {
                let never = Fraction::one();
                let exit = Law {
                    never,
                    ..Law::default()
                };
                return Ok((BTreeMap::new(), exit));
            }
            let next = judge.within(name, value.clone(), f, &of_values)?;
            judge.works(next.values.len())?;
            let mut exit = Law {
                values: BTreeMap::new(),
                ..(*next).clone()
            };
            let mut edges: BTreeMap<State, Fraction> = BTreeMap::new();
            for (value, share) in &next.values {
                if value.is_empty() {
                    exit.values.insert(asked.clone(), share.clone());
                } else {
                    let all = ask.kind.merged(asked, &ask.of(value.clone())?)?;
                    *edges.entry((value.clone(), all)).or_default() += share;
                }
            }
            Ok((edges, exit))
        };
        // The chain, if it is closed. If some value comes back, the chain is only closed if what is asked for is bounded.
        let comes_back = values.as_ref().is_none_or(come_back);
        self.comes_back |= comes_back;
        let most = match &values {
            None => 0,
            Some(_) if !comes_back => STATES,
            Some(_) if ask.kind.is_bounded() => CYCLIC_STATES,
            Some(_) => CYCLIC_STATES / 5,
        };
        let mut is_closed = values.is_some();
        let mut waiting: VecDeque<State> = start.keys().cloned().collect();
        while let Some(state) = waiting.pop_front() {
            if chain.steps.contains_key(&state) {
                continue;
            }
            if chain.steps.len() == most {
                is_closed = false;
                break;
            }
            let found = step(self, &state)?;
            self.works(1 + found.0.len())?;
            waiting.extend(found.0.keys().cloned());
            chain.steps.insert(state, found);
        }
        if is_closed {
            let exits = match chain.order() {
                Some(order) => self.passed(&chain, &order, start)?,
                None => self.eliminated(chain, start)?,
            };
            self.add(&mut result, &exits, &Fraction::one())?;
            return Ok(result);
        }
        let least: i64 = match ask.kind {
            Kind::List | Kind::Multiset => 50_000,
            _ => 100_000_000,
        };
        let exits = self.followed(start, &Fraction::new(1.into(), least.into()), step)?;
        self.add(&mut result, &exits, &Fraction::one())?;
        Ok(result)
    }

    /// Follows a loop round by round. States with less than the least probability are left open.
    fn followed(
        &mut self,
        start: BTreeMap<State, Fraction>,
        least: &Fraction,
        step: impl Fn(&mut Self, &State) -> Result<Step, Stop>,
    ) -> Result<Law, Stop> {
        let mut result = Law::default();
        let mut now = start;
        for _ in 0..ROUNDS {
            let mut next: BTreeMap<State, Fraction> = BTreeMap::new();
            for (state, share) in now {
                if share < *least || state.0.len() > LENGTH {
                    result.open += share;
                    continue;
                }
                let (edges, exit) = step(self, &state)?;
                self.add(&mut result, &exit, &share)?;
                for (state, weight) in edges {
                    *next.entry(state).or_default() += weight * &share;
                }
            }
            now = next;
        }
        result.open += now.values().sum::<Fraction>();
        Ok(result)
    }

    /// Passes the probability of each state on, in an order in which no state comes back.
    fn passed(
        &mut self,
        chain: &Chain,
        order: &[State],
        mut shares: BTreeMap<State, Fraction>,
    ) -> Result<Law, Stop> {
        let mut result = Law::default();
        for state in order {
            let Some(share) = shares.remove(state) else {
                continue;
            };
            let (edges, exit) = &chain.steps[state];
            self.works(edges.len())?;
            self.add(&mut result, exit, &share)?;
            for (next, weight) in edges {
                *shares.entry(next.clone()).or_default() += weight * &share;
            }
        }
        Ok(result)
    }

    /// Removes one state after the other from a chain: who goes to it goes on to where it leads.
    fn eliminated(&mut self, chain: Chain, start: BTreeMap<State, Fraction>) -> Result<Law, Stop> {
        let mut steps = chain.steps;
        let begin: State = (List::new(), List::new());
        steps.insert(begin.clone(), (start, Law::default()));
        let states: Vec<State> = steps
            .keys()
            .filter(|state| **state != begin)
            .cloned()
            .collect();
        for state in states {
            let (mut edges, exit) = steps.remove(&state).expect("each state once");
            let again = edges.remove(&state).unwrap_or_default();
            assert!(again < Fraction::one(), "such a state never ends");
            let visits = Fraction::one() / (Fraction::one() - again);
            for (other, out) in &mut steps {
                debug_assert_ne!(*other, state);
                let Some(share) = out.0.remove(&state) else {
                    continue;
                };
                let share = share * &visits;
                self.works(edges.len())?;
                for (next, weight) in &edges {
                    *out.0.entry(next.clone()).or_default() += weight * &share;
                }
                self.add(&mut out.1, &exit, &share)?;
            }
        }
        let (edges, exit) = steps.remove(&begin).expect("the start is left");
        assert!(edges.is_empty(), "every other state is gone");
        Ok(exit)
    }

    /// The mean and the mean of the square of a sum or a count of a loop's values, if it surely ends without error.
    fn moments(&mut self, rule: &Rule) -> Result<Option<[Fraction; 2]>, Stop> {
        let Some((fold, mut e)) = is_sum_or_count(rule) else {
            return Ok(None);
        };
        let mut filters = Vec::new();
        while let Rule::Filter(comparison, bound, inner) = e {
            let Rule::Number(bound) = **bound else {
                return Ok(None);
            };
            filters.insert(0, (*comparison, bound));
            e = inner;
        }
        let kind = fold_kind(fold);
        let ask = Ask { filters, kind };
        let Rule::While(name, e, f) = e else {
            return Ok(None);
        };
        let of_values = Self::ask_of_values(name, f, &ask);
        let first = self.law(e, &of_values)?;
        let Some(values) = self.values(name, &first, f, &of_values)? else {
            return Ok(None);
        };
        let is_sure = |law: &Law| law.fails() + &law.never + &law.open == Fraction::zero();
        let ending = values_that_may_end(&values);
        let all = values.keys().all(|value| ending.contains(value));
        if values.len() > 25 || !all || !values.values().all(|law| is_sure(law)) || !is_sure(&first)
        {
            return Ok(None);
        }
        // The mean from each value on is m(v) = s(v) + Σ p m(v'), and that of the square q(v) = s² + 2 s Σ p m(v') + Σ p q(v').
        let places: BTreeMap<&List, usize> = values.keys().zip(0..).collect();
        let mut own = Vec::new();
        for value in values.keys() {
            own.push(Fraction::from_integer(ask.of(value.clone())?[0].into()));
        }
        let of_next = |known: &[Fraction], law: &Law| -> Fraction {
            let shares = law.values.iter();
            let shares = shares.filter_map(|(value, share)| Some((places.get(value)?, share)));
            shares.map(|(place, share)| share * &known[*place]).sum()
        };
        let matrix: Vec<Vec<Fraction>> = (values.values().zip(0..))
            .map(|(law, row)| {
                let mut line = vec![Fraction::zero(); values.len()];
                line[row] = Fraction::one();
                for (value, share) in &law.values {
                    if let Some(&column) = places.get(value) {
                        line[column] -= share;
                    }
                }
                line
            })
            .collect();
        let means = solved(matrix.clone(), own.clone());
        let right = (own.iter().zip(values.values()))
            .map(|(own, law)| {
                own * own + own * of_next(&means, law) * Fraction::from_integer(2.into())
            })
            .collect();
        let squares = solved(matrix, right);
        Ok(Some([of_next(&means, &first), of_next(&squares, &first)]))
    }
}

/// The mean and the variance of a loop's sum or count, from linear equations. `None` for other rules.
pub(super) fn mean_and_variance(rule: &Rule) -> Option<[Fraction; 2]> {
    let [mean, square] = Judge::default().moments(rule).ok()??;
    let variance = square - &mean * &mean;
    Some([mean, variance])
}
