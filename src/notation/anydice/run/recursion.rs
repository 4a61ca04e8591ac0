//! Recursion to an unlimited depth: a call that comes back to itself is a loop.
//!
//! A call that begins has a name. An equal call within it is not run, but stands for its value, and the value of the call is a
//! term that mentions the name. When all calls that a term mentions have ended, they are equations for each other's values, and the
//! term is a loop over them.

use std::collections::BTreeSet;

use super::machine::{Calls, FunctionCall, Machine};
use super::stop::{Attempt, Stop};
use crate::error::{Diagnostic, ErrorKind};
use crate::notation::anydice::term::{Hidden, Shape, Term};
use crate::notation::anydice::tree::Infix;
use crate::notation::anydice::value::Value;
use crate::notation::reader::tree::NodeId;
use crate::stack;

impl Machine<'_> {
    /// The value of a call that has begun before; `None` if it has not.
    pub(super) fn came_back(&mut self, key: &FunctionCall, id: NodeId) -> Attempt<Option<Value>> {
        let Some(&name) = self.calls.names.get(key) else {
            return Ok(None);
        };
        self.closed_loop(name, id).map(Some)
    }

    /// Gives a call that begins a name.
    pub(super) fn begin(&mut self, key: &FunctionCall) -> Hidden {
        let name = self.hide();
        self.calls.names.insert(key.clone(), name);
        name
    }

    /// The value of a call that ends.
    pub(super) fn end(
        &mut self,
        key: &FunctionCall,
        name: Hidden,
        value: Attempt<Value>,
        id: NodeId,
    ) -> Attempt<Value> {
        match value {
            Ok(Value::Dice(dice)) if dice.die.is_open() => {
                self.calls.ended.insert(name, dice.sum());
                self.closed_loop(name, id)
            }
            Ok(value) => {
                // Calls that have ended may mention it.
                let closed = match &value {
                    Value::Dice(dice) => Some(dice.sum()),
                    Value::Number(number) => Some(Term::certain(number.clone())),
                    _ => None,
                };
                self.calls.ended.extend(closed.map(|closed| (name, closed)));
                self.calls.names.remove(key);
                Ok(value)
            }
            Err(stop) => {
                // Calls that have ended may mention this one, which has no value, and must be run again.
                let Calls { names, ended } = &mut self.calls;
                names.remove(key);
                names.retain(|_, name| !ended.contains_key(name));
                ended.clear();
                Err(stop)
            }
        }
    }

    /// The value of a call: a loop, once all calls to which it leads have ended; until then its name.
    fn closed_loop(&self, name: Hidden, id: NodeId) -> Attempt<Value> {
        let mut met = BTreeSet::from([name]);
        let mut open = vec![name];
        let mut calls = Vec::new();
        while let Some(next) = open.pop() {
            let Some(value) = self.calls.ended.get(&next) else {
                return Ok(Value::single(Term::new(Shape::Again(name))));
            };
            calls.push((next, value.clone()));
            open.extend(value.free().iter().filter(|name| met.insert(**name)));
        }
        let mut others = Vec::new();
        for (_, value) in &mut calls {
            *value = flattened(value, &mut others);
        }
        for (name, value) in others {
            if met.insert(name) {
                calls.push((name, value));
            }
        }
        let is_call = |name: &Hidden| met.contains(name);
        if calls.iter().all(|(_, value)| value.is_round(&is_call)) {
            return Ok(Value::single(Term::new(Shape::Loop(calls.into()))));
        }
        let message = "this recursion has no end, and is no loop: more is done with its value than adding to it";
        let finding = Diagnostic::new(self.code.span(id), message).with_help(
            "set \"maximum function depth\" to a number, or end the body with `result: [call]` or `result: X + [call]`",
        );
        Err(Stop::new(ErrorKind::Limit, finding))
    }
}

/// A round that ends with the value of another loop, changed to go on with a call of that loop. The calls of that loop are added to
/// `calls`.
fn flattened(round: &Term, calls: &mut Vec<(Hidden, Term)>) -> Term {
    let mut inner = |term: &Term| stack::level(|| flattened(term, calls));
    match round.shape() {
        Shape::If(condition, yes, no) => {
            let (yes, no) = (inner(yes), inner(no));
            Term::new(Shape::If(condition.clone(), yes, no))
        }
        Shape::Infix(Infix::Add, a, b, span) => {
            let left = if b.is_open() { a.clone() } else { inner(a) };
            let (left, right) = if left.is_open() {
                (left, b.clone())
            } else {
                (a.clone(), inner(b))
            };
            Term::new(Shape::Infix(Infix::Add, left, right, *span))
        }
        Shape::Infix(Infix::Subtract, a, b, span) if !b.is_open() => {
            Term::new(Shape::Infix(Infix::Subtract, inner(a), b.clone(), *span))
        }
        Shape::Let(hidden, bound, body) => {
            Term::new(Shape::Let(*hidden, bound.clone(), inner(body)))
        }
        Shape::Loop(others) => {
            calls.extend(others.iter().cloned());
            Term::new(Shape::Again(others[0].0))
        }
        Shape::Mixture(parts) => {
            let parts = parts.iter();
            let parts = parts.map(|(weight, part)| (weight.clone(), inner(part)));
            Term::new(Shape::Mixture(parts.collect()))
        }
        _ => round.clone(),
    }
}
