//! Loops over a hidden roll that only add up: `loop X over R { T: T + X }`.
//!
//! The body is run once, with a hidden member and hidden variables. Where each variable becomes itself and something that depends on
//! the member alone, it is a sum over all members, whatever their order. Such a sum needs no positions, so the engine
//! solves it for any number of dice.

use super::machine::Machine;
use super::places::chosen;
use super::stop::{Attempt, Stop};
use crate::notation::anydice::code::{Operation, Variable};
use crate::notation::anydice::term::{Bound, Hidden, List, Run, Shape, Term};
use crate::notation::anydice::tree::Infix;
use crate::notation::anydice::value::Value;
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;
use crate::source::Span;
use crate::stack;

/// One round of a loop, for a hidden member.
struct Round {
    member: Hidden,
    /// The variables that the body assigns, with their hidden values before the round, and their terms after it.
    variables: Vec<(Variable, Option<Hidden>, Term)>,
    /// The terms that were given names in the body.
    names: Vec<(Hidden, Term)>,
    /// The names that depend on a variable as it was before the round.
    depends: Vec<Hidden>,
}

impl Machine<'_> {
    /// Runs a loop over a hidden roll as sums, if that is possible. Returns whether it was.
    pub(super) fn add_up(
        &mut self,
        variable: Variable,
        pool: &List,
        block: NodeId,
    ) -> Attempt<bool> {
        let mut assigned = Vec::new();
        self.assigned_in(block, &mut assigned);
        // After a loop that assigns its own variable, the variable has the value that the body gave it.
        if self.has_result(block) || pool.count() == 0 || assigned.contains(&variable) {
            return Ok(false);
        }
        let before = self.variables.clone();
        let since = self.pending.len();
        let round = self.round(variable, block);
        self.variables = before;
        let names = self.pending.split_off(since);
        let mut round = match round {
            Ok(round) => round,
            Err(Stop::Open(_)) => return Ok(false),
            Err(stop) => return Err(stop),
        };
        if names.iter().any(|(_, term)| term.may_fail()) {
            return Ok(false);
        }
        for (hidden, term) in names {
            if round.mentions_state(&term) {
                round.depends.push(hidden);
            }
            round.names.push((hidden, term));
        }
        let Some(values) = self.after_all(&round, pool) else {
            return Ok(false);
        };
        for (variable, value) in values {
            let value = self.named(value);
            self.variables[variable] = Some(value);
        }
        let last = self.last_member(pool);
        self.variables[variable] = Some(Value::Unknown(last));
        Ok(true)
    }

    fn round(&mut self, variable: Variable, block: NodeId) -> Attempt<Round> {
        let member = self.hide();
        let mut assigned = Vec::new();
        self.assigned_in(block, &mut assigned);
        assigned.sort_unstable();
        assigned.dedup();
        let mut before = Vec::new();
        for variable in assigned {
            let hidden = match &self.variables[variable] {
                None => None,
                Some(Value::Number(_) | Value::Unknown(_)) => {
                    let hidden = self.hide();
                    self.variables[variable] =
                        Some(Value::Unknown(Term::new(Shape::Hidden(hidden))));
                    Some(hidden)
                }
                Some(_) => return Err(Stop::Open("a loop changes something that is no number")),
            };
            before.push((variable, hidden));
        }
        self.variables[variable] = Some(Value::Unknown(Term::new(Shape::Hidden(member))));
        self.run_block(block)?;
        let mut variables = Vec::new();
        for (variable, hidden) in before {
            let term = match &self.variables[variable] {
                Some(Value::Number(number)) => Term::certain(number.clone()),
                Some(Value::Unknown(term)) => term.clone(),
                _ => return Err(Stop::Open("a loop changes something that is no number")),
            };
            variables.push((variable, hidden, term));
        }
        Ok(Round {
            member,
            variables,
            names: Vec::new(),
            depends: Vec::new(),
        })
    }

    /// The variables that a block assigns.
    fn assigned_in(&self, id: NodeId, assigned: &mut Vec<Variable>) {
        let code = self.code;
        match code.operation(id) {
            Operation::Assign(variable, _) => assigned.push(*variable),
            Operation::Block(statements) => {
                for &statement in statements {
                    self.assigned_in(statement, assigned);
                }
            }
            Operation::If(branches, otherwise) => {
                let blocks = branches.iter().map(|&(_, block)| block);
                for block in blocks.chain(*otherwise) {
                    self.assigned_in(block, assigned);
                }
            }
            Operation::Loop(variable, _, block) => {
                assigned.push(*variable);
                self.assigned_in(*block, assigned);
            }
            _ => {}
        }
    }

    /// The variables after all rounds; `None` if one is no sum.
    fn after_all(&self, round: &Round, pool: &List) -> Option<Vec<(Variable, Value)>> {
        let mut values = Vec::with_capacity(round.variables.len());
        for (variable, hidden, term) in &round.variables {
            if !round.mentions_state(term) {
                let last = self.last_member(pool);
                let term = Term::bind(round.member, &last, round.with_names(term.clone()));
                values.push((*variable, Value::Unknown(term)));
                continue;
            }
            let increment = round.increment(term, (*hidden)?)?;
            let first = match &self.variables[*variable] {
                Some(Value::Number(number)) => Term::certain(number.clone()),
                Some(Value::Unknown(term)) => term.clone(),
                _ => return None,
            };
            let sum = Term::new(Shape::Each(
                pool.clone(),
                round.member,
                round.with_names(increment),
            ));
            values.push((*variable, Value::Unknown(sum_of(first, sum))));
        }
        Some(values)
    }

    /// The member that a loop comes to last.
    fn last_member(&self, pool: &List) -> Term {
        let place = if self.rules.lowest_first {
            1
        } else {
            pool.count()
        };
        let run = Run {
            first: place,
            last: place,
            times: 1,
        };
        chosen(pool.clone(), vec![run])
    }
}

fn sum_of(a: Term, b: Term) -> Term {
    let is_zero = |term: &Term| term.constant().is_some_and(Integer::is_zero);
    if is_zero(&a) {
        return b;
    }
    if is_zero(&b) {
        return a;
    }
    Term::new(Shape::Infix(Infix::Add, a, b, Span::default()))
}

impl Round {
    fn is_state(&self, hidden: Hidden) -> bool {
        self.variables
            .iter()
            .any(|(_, state, _)| *state == Some(hidden))
    }

    /// Whether a term depends on a variable as it was before the round.
    fn mentions_state(&self, term: &Term) -> bool {
        let is_state = |hidden: &Hidden| self.is_state(*hidden) || self.depends.contains(hidden);
        term.free().iter().any(is_state)
    }

    /// What a term adds to the variable that it contains as a summand; `None` if it is no such sum.
    fn increment(&self, term: &Term, state: Hidden) -> Option<Term> {
        let inner = |term: &Term| stack::level(|| self.increment(term, state));
        match term.shape() {
            Shape::Hidden(hidden) if *hidden == state => Some(Term::certain(Integer::ZERO)),
            Shape::Hidden(hidden) => {
                let named = self.names.iter().find(|(name, _)| name == hidden)?;
                inner(&named.1)
            }
            Shape::Infix(Infix::Add, a, b, _) if !self.mentions_state(b) => {
                Some(sum_of(inner(a)?, b.clone()))
            }
            Shape::Infix(Infix::Add, a, b, _) if !self.mentions_state(a) => {
                Some(sum_of(a.clone(), inner(b)?))
            }
            Shape::Infix(Infix::Subtract, a, b, _) if !self.mentions_state(b) => {
                let negated = Term::new(Shape::Negate(b.clone()));
                Some(sum_of(inner(a)?, negated))
            }
            Shape::If(condition, yes, no) if !self.mentions_state(condition) => {
                let (yes, no) = (inner(yes)?, inner(no)?);
                Some(Term::new(Shape::If(condition.clone(), yes, no)))
            }
            Shape::Let(hidden, Bound::Number(value), body) if !self.mentions_state(value) => {
                let bound = Bound::Number(value.clone());
                Some(Term::new(Shape::Let(*hidden, bound, inner(body)?)))
            }
            _ => None,
        }
    }

    /// A term that does not depend on the variables, with the names that it mentions. A later name may mention an earlier one.
    fn with_names(&self, term: Term) -> Term {
        let names = self.names.iter().rev();
        names.fold(term, |term, (hidden, value)| {
            if term.mentions(*hidden) {
                Term::bind(*hidden, value, term)
            } else {
                term
            }
        })
    }
}
