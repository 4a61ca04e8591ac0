//! Variables (`$t1`), and choices between branches that may set variables.

use super::assignments::{Assignments, VariableNumber};
use super::lower::Lowering;
use super::operator::Parameter;
use super::tree::Operation;
use crate::ir::{Comparison, Expr, Name};
use crate::notation::reader::tree::NodeId;

/// A branch whose bindings can still be extended.
struct Branch {
    pending: Vec<(Name, Expr)>,
    value: Expr,
    store: Assignments,
}

impl Lowering<'_> {
    /// `$tN`, which reads a variable, and `$tN=value`, which sets it.
    pub(super) fn variable(&mut self, operation: &Operation) -> Expr {
        let &Operation { left, right, .. } = operation;
        // The left operand has no meaning, but can fail.
        let left = self.number(left);
        self.bind(left);
        let range = self.fact(right).number;
        let number = self.number(right);
        let number = self.bind(number);
        let key = range
            .constant()
            .map_or(VariableNumber::Rolled(number), VariableNumber::Known);
        let value = operation.position(Parameter::Value);
        let Some(value) = value.and_then(|at| operation.parameters[at].1) else {
            return self.read_key(key);
        };
        let value = self.number(value);
        let value = self.bind(value);
        self.store.0.push((key, value));
        value
    }

    pub(super) fn read(&mut self, key: i64) -> Expr {
        self.read_key(VariableNumber::Known(key))
    }

    /// The value of a variable. A setting with a rolled number counts if that number equals the number of the variable.
    fn read_key(&mut self, wanted: VariableNumber) -> Expr {
        let mut value = self.constant(0);
        let mut questions = Vec::new();
        for &(key, found) in self.store.0.clone().iter().rev() {
            match (key, wanted) {
                (VariableNumber::Known(key), VariableNumber::Known(wanted)) if key == wanted => {
                    value = found;
                    break;
                }
                (VariableNumber::Known(_), VariableNumber::Known(_)) => {}
                _ => questions.push((key, found)),
            }
        }
        for (key, found) in questions.into_iter().rev() {
            let [key, wanted] = [key, wanted].map(|key| match key {
                VariableNumber::Known(key) => self.constant(key),
                VariableNumber::Rolled(key) => key,
            });
            let is_same = self.filter(Comparison::Equal, wanted, key);
            value = self.build.choose(is_same, found, value);
        }
        value
    }

    /// `A?B:C`
    pub(super) fn choose(&mut self, operation: &Operation) -> Expr {
        let yes = operation.right;
        let no = operation.position(Parameter::Else);
        let no = no.and_then(|at| operation.parameters[at].1).unwrap_or(yes);
        let zero = self.constant(0);
        let condition = self.number(operation.left);
        let condition = self.filter(Comparison::NotEqual, zero, condition);
        if self.fact(yes).writes || self.fact(no).writes {
            return self.choose_what_writes(condition, yes, no);
        }
        let [yes, no] = [yes, no].map(|branch| self.block(|this| this.number(branch)));
        self.build.choose(condition, yes, no)
    }

    /// A choice between branches that set variables. Each branch becomes a list: its value, and the values of all variables
    /// that either branch sets.
    fn choose_what_writes(&mut self, condition: Expr, yes: NodeId, no: NodeId) -> Expr {
        let condition = self.bind(condition);
        let before = self.store.0.len();
        let branches = [yes, no].map(|branch| self.open(branch));
        let mut known = Vec::new();
        for branch in &branches {
            for (key, _) in &branch.store.0[before..] {
                if let VariableNumber::Known(key) = key {
                    known.push(*key);
                }
            }
        }
        known.sort_unstable();
        known.dedup();
        let rolled = [0, 1].map(|branch: usize| -> Vec<(Expr, Expr)> {
            let set = branches[branch].store.0[before..].iter();
            set.filter_map(|&(key, value)| match key {
                VariableNumber::Known(_) => None,
                VariableNumber::Rolled(key) => Some((key, value)),
            })
            .collect()
        });
        let mut number = 0;
        let closed = branches.map(|branch| {
            let closed = self.close(branch, &known, &rolled, number);
            number += 1;
            closed
        });
        let list = self.build.choose(condition, closed[0], closed[1]);
        let list = self.bind(list);
        let mut place = 0;
        let mut next = |this: &mut Self| {
            let at = this.constant(place);
            place += 1;
            let member = this.member(at, list);
            this.bind(member)
        };
        let value = next(self);
        let known: Vec<_> = known.into_iter().map(|key| (key, next(self))).collect();
        for _ in rolled.iter().flatten() {
            let key = next(self);
            let value = next(self);
            self.store.0.push((VariableNumber::Rolled(key), value));
        }
        // These values were read at the end of the branch. So they already include settings with a rolled number, and must come
        // after those settings.
        for (key, value) in known {
            self.store.set(key, value);
        }
        value
    }

    /// Lowers a branch, and leaves its bindings open for [`Self::close`].
    fn open(&mut self, branch: NodeId) -> Branch {
        let outer = std::mem::take(&mut self.pending);
        let store = self.store.clone();
        let value = self.number(branch);
        let value = self.bind(value);
        Branch {
            pending: std::mem::replace(&mut self.pending, outer),
            value,
            store: std::mem::replace(&mut self.store, store),
        }
    }

    /// The list of a branch: its value, and the values of all variables that either branch sets. In place of a setting with a
    /// rolled number in the other branch, the list sets variable 0 to the value that it has.
    fn close(
        &mut self,
        branch: Branch,
        known: &[i64],
        rolled: &[Vec<(Expr, Expr)>; 2],
        number: usize,
    ) -> Expr {
        let store = std::mem::replace(&mut self.store, branch.store);
        let mut parts = vec![branch.value];
        parts.extend(known.iter().map(|&key| self.read(key)));
        for (of, set) in rolled.iter().enumerate() {
            for &(key, value) in set {
                if of == number {
                    parts.extend([key, value]);
                } else {
                    parts.extend([self.constant(0), self.read(0)]);
                }
            }
        }
        let body = self.build.join(&parts);
        self.store = store;
        self.bound(branch.pending, body)
    }
}
