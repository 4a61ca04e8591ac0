//! The loops of the judge: chains of states.
//!
//! If the states that can be reached are few, the chain is solved: round by round where no state comes back, and by elimination
//! where some do. Otherwise it is followed round by round, and what is left is *open*: it may be anything. So every figure is a
//! lower bound, and the figure and the open probability together are an upper bound.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use dicedist::number::Fraction;
use num_traits::{One, Zero};

use super::eval::{Judge, Judged, flat, ignores_order};
use super::kinds::Kind as Known;
use super::law::{Ask, Kind, Law, Member, Value, number};
use super::tree::{Form, How, Tree, Word};

/// The most states of a chain, and of one in which some come back.
const STATES: usize = 3_000;
const CYCLIC_STATES: usize = 120;

/// The most values of `while`.
const VALUES: usize = 300;

/// The most members of a value whose next round is followed.
const LENGTH: usize = 8;

/// The most rounds of a loop that is followed round by round, and the most work for it.
const ROUNDS: usize = 200;
const WORK: usize = 40_000;

/// The name under which a loop keeps what never ends after its last round.
const AFTER: &str = "never after the loop";

/// A state is followed while its probability is more than one part in so many.
const LEAST: i64 = 100_000_000;

/// Where a state leads, and how it ends.
pub(super) type Step = (BTreeMap<Value, Fraction>, Law);

impl Judge<'_> {
    /// Whether a round begins, by the law of a condition: then the next states, else what the loop ends with.
    pub(super) fn step(
        &mut self,
        asked: &Law,
        goes_on_if: bool,
        mut next: impl FnMut(&mut Self) -> Judged<Rc<Law>>,
        end: &Law,
    ) -> Judged<Step> {
        let (mut edges, mut exit) = (BTreeMap::new(), asked.without_values());
        for (any, share) in &asked.values {
            if any.is_empty() == goes_on_if {
                self.add(&mut exit, end, share)?;
            } else {
                let law = next(self)?;
                self.add(&mut exit, &law.without_values(), share)?;
                for (state, weight) in &law.values {
                    *edges.entry(state.clone()).or_default() += weight * share;
                }
            }
        }
        Ok((edges, exit))
    }

    /// What a loop ends with. `may_end` says of a state whether some path ends the loop from it, where that is known.
    pub(super) fn chain(
        &mut self,
        first: &Law,
        most: usize,
        may_end: Option<&dyn Fn(&Value) -> bool>,
        mut step: impl FnMut(&mut Self, &Value) -> Judged<Step>,
    ) -> Judged<Law> {
        let mut result = first.without_values();
        let mut steps: BTreeMap<Value, Step> = BTreeMap::new();
        let mut waiting: VecDeque<Value> = first.values.keys().cloned().collect();
        let before = self.work;
        let mut is_closed = true;
        while let Some(state) = waiting.pop_front() {
            if steps.contains_key(&state) {
                continue;
            }
            if steps.len() == most || length(&state) > LENGTH || self.work > before + WORK {
                is_closed = false;
                break;
            }
            let found = step(self, &state)?;
            self.works(1 + found.0.len())?;
            waiting.extend(found.0.keys().cloned());
            steps.insert(state, found);
        }
        let exits = match order(&steps) {
            _ if !is_closed => self.followed(first, may_end, step)?,
            Some(order) => self.passed(&order, &steps, first)?,
            None if steps.len() <= CYCLIC_STATES => self.eliminated(steps, first)?,
            None => self.followed(first, may_end, step)?,
        };
        self.add(&mut result, &exits, &Fraction::one())?;
        Ok(result)
    }

    /// Follows a loop round by round. States with less than the least probability are left open.
    fn followed(
        &mut self,
        first: &Law,
        may_end: Option<&dyn Fn(&Value) -> bool>,
        mut step: impl FnMut(&mut Self, &Value) -> Judged<Step>,
    ) -> Judged<Law> {
        let least = Fraction::new(1.into(), LEAST.into());
        let (mut result, mut now, before) = (Law::default(), first.values.clone(), self.work);
        for _ in 0..ROUNDS {
            let mut next: BTreeMap<Value, Fraction> = BTreeMap::new();
            for (state, share) in now {
                if may_end.is_some_and(|may_end| !may_end(&state)) {
                    result.never += share;
                    continue;
                }
                if share < least || length(&state) > LENGTH || self.work > before + WORK {
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
        order: &[Value],
        steps: &BTreeMap<Value, Step>,
        first: &Law,
    ) -> Judged<Law> {
        let (mut result, mut shares) = (Law::default(), first.values.clone());
        for state in order {
            let Some(share) = shares.remove(state) else {
                continue;
            };
            let (edges, exit) = &steps[state];
            self.works(edges.len())?;
            self.add(&mut result, exit, &share)?;
            for (next, weight) in edges {
                *shares.entry(next.clone()).or_default() += weight * &share;
            }
        }
        Ok(result)
    }

    /// Removes one state after the other from a chain: who goes to it goes on to where it leads.
    fn eliminated(&mut self, mut steps: BTreeMap<Value, Step>, first: &Law) -> Judged<Law> {
        let ending = ending(&steps);
        let states: Vec<Value> = steps.keys().cloned().collect();
        let mut begin: Step = (first.values.clone(), Law::default());
        for state in states {
            let (mut edges, mut exit) = steps.remove(&state).expect("each state once");
            if !ending.contains(&state) {
                (edges, exit) = (BTreeMap::new(), Law::never());
            }
            let again = edges.remove(&state).unwrap_or_default();
            let visits = (Fraction::one() - again).recip();
            for other in steps.values_mut().chain([&mut begin]) {
                let Some(share) = other.0.remove(&state) else {
                    continue;
                };
                let share = share * &visits;
                self.works(edges.len())?;
                for (next, weight) in &edges {
                    *other.0.entry(next.clone()).or_default() += weight * &share;
                }
                self.add(&mut other.1, &exit, &share)?;
            }
        }
        Ok(begin.1)
    }

    /// What follows a value of `while`.
    fn after(&mut self, name: &Word, value: &Value, f: &Tree, ask: &Ask) -> Judged<Rc<Law>> {
        self.within(&[(name, value.clone(), Known::List)], |judge| {
            judge.law(f, ask)
        })
    }

    /// The values of `while` alone, and where each leads. Those of a loop that has more than [`VALUES`] are not all here.
    fn values(
        &mut self,
        name: &Word,
        first: &Law,
        f: &Tree,
        ask: &Ask,
    ) -> Judged<BTreeMap<Value, Step>> {
        let mut values: BTreeMap<Value, Step> = BTreeMap::new();
        let mut waiting: Vec<Value> = first.values.keys().cloned().collect();
        while let Some(value) = waiting.pop() {
            if value.is_empty() || values.contains_key(&value) || values.len() > VALUES {
                continue;
            }
            if value.len() > LENGTH {
                values.insert(value, (BTreeMap::new(), Law::open()));
                continue;
            }
            let law = self.after(name, &value, f, ask)?;
            let (mut edges, mut exit) = (law.values.clone(), law.without_values());
            if let Some(share) = edges.remove(&Value::new()) {
                exit.values.insert(Value::new(), share);
            }
            waiting.extend(edges.keys().cloned());
            values.insert(value, (edges, exit));
        }
        Ok(values)
    }

    /// The mean and the mean of the square of a sum or a count of a loop's values, if it surely ends without error.
    pub(super) fn moments(&mut self, tree: &Tree) -> Judged<Option<[Fraction; 2]>> {
        let (Form::Prefix(fold @ ("sum" | "count")), Some(mut e)) =
            (&tree.form, tree.parts.first())
        else {
            return Ok(None);
        };
        let mut ask = if *fold == "sum" {
            Kind::Sum.all()
        } else {
            Kind::Count.all()
        };
        while let Form::Take(sign @ ("==" | "!=" | "<" | "<=" | ">" | ">="), false) = e.form {
            let Form::Number(bound) = e.parts[0].form else {
                return Ok(None);
            };
            ask = ask.filtered(sign, Member::Number(bound));
            e = &e.parts[1];
        }
        let Form::While(name) = &e.form else {
            return Ok(None);
        };
        let of_values = Kind::whole(!ignores_order(&e.parts[1], name, true));
        let first = self.law(&e.parts[0], &of_values)?;
        let values = self.values(name, &first, &e.parts[1], &of_values)?;
        let ends = values.values().all(|(_, exit)| exit.is_sure())
            && ending(&values).len() == values.len();
        if values.len() > 25 || !ends || !first.is_sure() {
            return Ok(None);
        }
        // The mean from each value on is m(v) = s(v) + Σ p m(v'), and that of the square q(v) = s² + 2 s Σ p m(v') + Σ p q(v').
        let mut own = Vec::new();
        for value in values.keys() {
            let Some(Member::Number(value)) = ask.of(value.clone())?.pop() else {
                return Ok(None);
            };
            own.push(Fraction::from_integer(value.into()));
        }
        let places: BTreeMap<&Value, usize> = values.keys().zip(0..).collect();
        let of_next = |known: &[Fraction], edges: &BTreeMap<Value, Fraction>| -> Fraction {
            let shares = edges
                .iter()
                .filter_map(|(value, share)| Some(share * &known[*places.get(value)?]));
            shares.sum()
        };
        let line = |(row, (edges, _)): (usize, &Step)| {
            let mut line = vec![Fraction::zero(); values.len()];
            line[row] = Fraction::one();
            for (value, share) in edges {
                line[places[value]] -= share;
            }
            line
        };
        let matrix: Vec<Vec<Fraction>> = values.values().enumerate().map(line).collect();
        let means = solved(matrix.clone(), own.clone());
        let right = own.iter().zip(values.values());
        let two = Fraction::from_integer(2.into());
        let right = right.map(|(own, (edges, _))| own * own + own * of_next(&means, edges) * &two);
        let squares = solved(matrix, right.collect());
        Ok(Some([
            of_next(&means, &first.values),
            of_next(&squares, &first.values),
        ]))
    }

    /// `while x = e do f`. A state is the last value, and what is asked for of all values so far.
    pub(super) fn while_loop(&mut self, name: &Word, e: &Tree, f: &Tree, ask: &Ask) -> Judged<Law> {
        let of_values = Kind::whole(ask.kind.has_order() || !ignores_order(f, name, true));
        let first = self.law(e, &of_values)?;
        let values = self.values(name, &first, f, &of_values)?;
        let is_whole = values.len() <= VALUES;
        let ending = ending(&values);
        let may_end = |state: &Value| !is_whole || ending.contains(&flat(state)[0]);
        let state = |value: &Value, all: Value| vec![Member::States(vec![value.clone(), all])];
        let mut start = first.without_values();
        let mut result = Law::default();
        for (value, share) in &first.values {
            let law = if value.is_empty() {
                &mut result
            } else {
                &mut start
            };
            let all = ask.of(value.clone())?;
            let key = if value.is_empty() {
                all
            } else {
                state(value, all)
            };
            *law.values.entry(key).or_default() += share;
        }
        // Where some value comes back, there are only few states if what is asked for is bounded.
        let is_small = order(&values).is_some() || ask.kind.is_bounded();
        let most = if is_small { STATES } else { CYCLIC_STATES / 4 };
        let law = self.chain(&start, most, Some(&may_end), |judge, now| {
            let states = flat(now);
            let (value, all) = (&states[0], &states[1]);
            if !may_end(now) {
                return Ok((BTreeMap::new(), Law::never()));
            }
            let law = judge.after(name, value, f, &of_values)?;
            judge.works(law.values.len())?;
            let (mut edges, mut exit) = (BTreeMap::new(), law.without_values());
            for (value, share) in &law.values {
                if value.is_empty() {
                    exit.values.insert(all.clone(), share.clone());
                } else {
                    let all = ask.kind.merged(all, &ask.of(value.clone())?)?;
                    *edges.entry(state(value, all)).or_default() += share;
                }
            }
            Ok((edges, exit))
        })?;
        result.add(&law, &Fraction::one());
        Ok(result)
    }

    /// A loop with states.
    pub(super) fn repeat(
        &mut self,
        tree: &Tree,
        names: &Rc<[Word]>,
        how: &How,
        has_then: bool,
        ask: &Ask,
    ) -> Judged<Law> {
        let states = names.len();
        let bound = self.state_kinds(tree, &self.scope(), 0).into_iter();
        let known: Vec<Known> = bound.map(|(_, known)| known).collect();
        let (round, then) = (
            &tree.parts[states + 1],
            tree.parts.last().filter(|_| has_then),
        );
        // Its choices are for the value of the loop: `play` has a judge of them.
        if ends_with_best(round) {
            return Ok(Law::open());
        }
        let mut first = Law::certain(Value::new());
        for part in &tree.parts[..states] {
            first = self.with_state(&first, part)?;
        }
        if let How::For(_) = how {
            first = self.with_state(&first, &tree.parts[states])?;
        }
        let counted = |values: &mut [Value]| {
            for (value, known) in values.iter_mut().zip(&known) {
                // A condition in the place of a number counts as 1 or 0.
                if *known == Known::One && value.is_empty() {
                    *value = number(0);
                }
            }
        };
        let first = first_states(&first, &counted);
        let rest: Vec<&Tree> = then.into_iter().collect();
        let first = self.before(&Rc::new(first), &rest);
        let bound = |state: &[Value]| -> Vec<(&Word, Value, Known)> {
            let values = names.iter().zip(state).zip(&known);
            values
                .map(|((name, value), known)| (name, value.clone(), known.clone()))
                .collect()
        };
        let leaves_out = rest.iter().any(|tree| self.has_given(tree));
        let mut law = self.chain(&first, STATES, None, |judge, now| {
            let state = flat(now);
            let (values, mut names) = (&state[..states], bound(&state));
            let list = state.get(states);
            let asked = match (how, list) {
                (How::For(name), Some(list)) => {
                    if let Some(member) = list.first() {
                        let kind = match member {
                            Member::Record(names, _) => Known::Record(names.clone()),
                            _ => Known::One,
                        };
                        names.push((name, vec![member.clone()], kind));
                    }
                    Rc::new(Law::certain(Kind::Any.of(list.clone())?))
                }
                _ => judge.within(&names, |judge| {
                    judge.law(&tree.parts[states], &Kind::Any.all())
                })?,
            };
            let goes_on_if = !matches!(how, How::Until);
            let mut end = Law::default();
            if asked.values.keys().any(|any| any.is_empty() == goes_on_if) {
                end = judge.loop_end(&bound(values), then, tree, ask)?;
            }
            if leaves_out && !end.never.is_zero() {
                end.errors.insert(AFTER, std::mem::take(&mut end.never));
            }
            let (edges, exit) = judge.step(
                &asked,
                goes_on_if,
                |judge| {
                    let law = judge.within(&names, |judge| judge.law(round, &Kind::List.all()))?;
                    let mut next = law.without_values();
                    for (value, share) in &law.values {
                        let mut state = match value.as_slice() {
                            [Member::States(values)] if states > 1 => values.clone(),
                            _ => vec![value.clone()],
                        };
                        counted(&mut state);
                        state.extend(list.map(|list| list[1..].to_vec()));
                        *next.values.entry(vec![Member::States(state)]).or_default() += share;
                    }
                    Ok(Rc::new(next))
                },
                &end,
            )?;
            Ok((edges, exit))
        })?;
        if leaves_out {
            // What never ends before the condition is left out, and what never ends after it is not.
            let after = law.errors.remove(AFTER).unwrap_or_default();
            law.left_out += std::mem::replace(&mut law.never, after);
        }
        Ok(law)
    }

    fn loop_end(
        &mut self,
        bound: &[(&Word, Value, Known)],
        then: Option<&Tree>,
        tree: &Tree,
        ask: &Ask,
    ) -> Judged<Law> {
        if let Some(then) = then {
            let law = self.within(bound, |judge| judge.law(then, ask))?;
            return Ok((*law).clone());
        }
        let Form::Repeat { names, .. } = &tree.form else {
            unreachable!("{tree} is a loop");
        };
        if let [(_, value, _)] = bound {
            return Ok(Law::certain(ask.of(value.clone())?));
        }
        let mut parts = Value::new();
        for (_, value, known) in bound {
            match (value.as_slice(), known) {
                (_, Known::Condition) => parts.push(Member::Number(i128::from(!value.is_empty()))),
                ([part @ (Member::Number(_) | Member::Label(_))], _) => parts.push(part.clone()),
                _ => return Ok(Law::error("type")),
            }
        }
        Ok(Law::certain(
            ask.of(vec![Member::Record(names.clone(), parts)])?,
        ))
    }
}

fn first_states(law: &Law, counted: &dyn Fn(&mut [Value])) -> Law {
    let mut first = law.without_values();
    for (states, share) in &law.values {
        let mut states = flat(states);
        counted(&mut states);
        *first
            .values
            .entry(vec![Member::States(states)])
            .or_default() += share;
    }
    first
}

/// How many members the values of a state have.
fn length(state: &Value) -> usize {
    let lengths = state.iter().map(|member| match member {
        Member::States(values) => values.iter().map(Vec::len).max().unwrap_or(0),
        _ => 1,
    });
    lengths.max().unwrap_or(0)
}

/// The states from which some path ends the loop.
fn ending(steps: &BTreeMap<Value, Step>) -> BTreeSet<Value> {
    let mut ending: BTreeSet<Value> = BTreeSet::new();
    loop {
        let more: Vec<Value> = (steps.iter())
            .filter(|(state, (edges, exit))| {
                let ends = exit.exits() || edges.keys().any(|next| ending.contains(next));
                !ending.contains(*state) && ends
            })
            .map(|(state, _)| state.clone())
            .collect();
        if more.is_empty() {
            return ending;
        }
        ending.extend(more);
    }
}

/// The states in an order in which each leads to later ones only, if there is one.
fn order(steps: &BTreeMap<Value, Step>) -> Option<Vec<Value>> {
    let mut entries: BTreeMap<&Value, usize> = BTreeMap::new();
    for next in steps.values().flat_map(|(edges, _)| edges.keys()) {
        *entries.entry(next).or_default() += 1;
    }
    let mut ready: Vec<&Value> = steps
        .keys()
        .filter(|state| !entries.contains_key(state))
        .collect();
    let mut order = Vec::new();
    while let Some(state) = ready.pop() {
        order.push(state.clone());
        for next in steps.get(state)?.0.keys() {
            let left = entries.get_mut(next).expect("each edge is counted");
            *left -= 1;
            if *left == 0 {
                ready.push(next);
            }
        }
    }
    (order.len() == steps.len()).then_some(order)
}

/// The solution of linear equations that have one.
fn solved(mut matrix: Vec<Vec<Fraction>>, mut right: Vec<Fraction>) -> Vec<Fraction> {
    for column in 0..right.len() {
        let pivot = (column..right.len()).find(|&row| !matrix[row][column].is_zero());
        let pivot = pivot.expect("the loop surely ends");
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let scale = matrix[column][column].recip();
        matrix[column].iter_mut().for_each(|entry| *entry *= &scale);
        right[column] *= scale;
        for row in (0..right.len()).filter(|row| *row != column) {
            let factor = matrix[row][column].clone();
            let (pivot, change) = (matrix[column].clone(), &right[column] * &factor);
            for (entry, of_pivot) in matrix[row].iter_mut().zip(pivot) {
                *entry -= of_pivot * &factor;
            }
            right[row] -= change;
        }
    }
    right
}

/// Whether some branch of a round ends with a choice.
fn ends_with_best(tree: &Tree) -> bool {
    let ends = |first: usize| tree.parts[first..].iter().any(ends_with_best);
    match &tree.form {
        Form::Best(_, _, None) => true,
        Form::Let(_) => ends(1),
        Form::If | Form::Case(..) => ends(1),
        Form::Cases(_) => ends(0),
        _ => false,
    }
}
