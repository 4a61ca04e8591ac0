//! Numbers in normal form: each constructor applies its laws, given that its operands are in normal form.

use super::node::{Compare, Image, Node, NodeId};
use super::scope::Scope;
use super::{Attempt, Stop};
use crate::engine::operate;
use crate::engine::reason::Reason;
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Comparison, Folding, Selection};
use crate::number::{Integer, Overflow};

/// Room for the atoms of a linear form while they are collected: most forms are known already, and need none of their own.
#[derive(Debug, Default)]
pub(super) struct LinearScratch {
    atoms: Vec<(NodeId, i128)>,
    collected: Vec<(i64, NodeId)>,
}

impl Scope<'_> {
    pub(super) fn constant(&mut self, value: i64) -> NodeId {
        self.nodes.intern(Node::Constant(value))
    }

    pub(super) fn as_constant(&self, id: NodeId) -> Option<i64> {
        match self.nodes.get(id) {
            Node::Constant(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether the node is a number by its form.
    pub(super) fn is_number(&self, id: NodeId) -> bool {
        match self.nodes.get(id) {
            Node::Constant(_)
            | Node::Draw(_)
            | Node::Linear(..)
            | Node::AtLeast(..)
            | Node::Equals(..)
            | Node::Arithmetic(..)
            | Node::Fold(..)
            | Node::Die(..)
            | Node::Over(_) => true,
            Node::If(_, a, b) => self.is_number(*a) && self.is_number(*b),
            _ => false,
        }
    }

    /// The list as a number: the sum of its members, of which a number has one.
    pub(super) fn number(&mut self, id: NodeId) -> Attempt<NodeId> {
        self.fold(Folding::Sum, id)
    }

    /// The number, or 0 where it is negative.
    pub(super) fn natural(&mut self, id: NodeId) -> Attempt<NodeId> {
        if self.bounds(id)?.low >= 0 {
            return Ok(id);
        }
        let zero = self.constant(0);
        self.extremum(Selection::High, id, zero)
    }

    /// `constant + Σ coefficient · part`: nested sums are flattened, equal atoms collected, and atoms with
    /// only one possible value added to the constant.
    pub(super) fn linear(&mut self, constant: i64, parts: &[(i64, NodeId)]) -> Attempt<NodeId> {
        let mut total = i128::from(constant);
        let LinearScratch {
            mut atoms,
            mut collected,
        } = std::mem::take(&mut self.scratch);
        atoms.clear();
        collected.clear();
        for &(coefficient, part) in parts {
            let coefficient = i128::from(coefficient);
            match self.nodes.get(part) {
                Node::Constant(value) => total += coefficient * i128::from(*value),
                Node::Linear(inner, inner_atoms) => {
                    total += coefficient * i128::from(*inner);
                    atoms.extend(
                        inner_atoms
                            .iter()
                            .map(|&(factor, atom)| (atom, coefficient * i128::from(factor))),
                    );
                }
                _ => atoms.push((part, coefficient)),
            }
        }
        atoms.sort_unstable_by_key(|&(atom, _)| atom);
        let mut index = 0;
        while index < atoms.len() {
            let atom = atoms[index].0;
            let mut coefficient = 0;
            while index < atoms.len() && atoms[index].0 == atom {
                coefficient += atoms[index].1;
                index += 1;
            }
            let bounds = self.bounds(atom)?;
            if bounds.low == bounds.high {
                total += coefficient * i128::from(bounds.low);
            } else if coefficient != 0 {
                collected.push((narrow(coefficient)?, atom));
            }
        }
        let total = narrow(total)?;
        let form = match (total, &collected[..]) {
            (total, []) => self.constant(total),
            (0, [(1, only)]) => *only,
            _ => self.nodes.linear(total, &collected),
        };
        self.scratch = LinearScratch { atoms, collected };
        Ok(form)
    }

    pub(super) fn difference_of(&mut self, a: NodeId, b: NodeId) -> Attempt<NodeId> {
        self.linear(0, &[(1, a), (-1, b)])
    }

    /// `1 - a`
    pub(super) fn complement(&mut self, a: NodeId) -> Attempt<NodeId> {
        self.linear(1, &[(-1, a)])
    }

    /// 1 if `a` compares so with `b`, else 0.
    pub(super) fn comparison(
        &mut self,
        comparison: Comparison,
        a: NodeId,
        b: NodeId,
    ) -> Attempt<NodeId> {
        let form = self.difference_of(a, b)?;
        match comparison {
            Comparison::Equal => self.equals(form, 0),
            Comparison::Greater => self.at_least(form, 1),
            Comparison::GreaterOrEqual => self.at_least(form, 0),
            Comparison::Less => {
                let not = self.at_least(form, 0)?;
                self.complement(not)
            }
            Comparison::LessOrEqual => {
                let not = self.at_least(form, 1)?;
                self.complement(not)
            }
            Comparison::NotEqual => {
                let not = self.equals(form, 0)?;
                self.complement(not)
            }
        }
    }

    pub(super) fn indicator(
        &mut self,
        compare: Compare,
        member: NodeId,
        number: NodeId,
    ) -> Attempt<NodeId> {
        let comparison = match compare {
            Compare::AtLeast => Comparison::GreaterOrEqual,
            Compare::Below => Comparison::Less,
            Compare::Equal => Comparison::Equal,
            Compare::Unequal => Comparison::NotEqual,
        };
        self.comparison(comparison, member, number)
    }

    /// The form without its constant and with positive first coefficient, divided by the common factor of the
    /// coefficients: `(form', number', factor, negated)` with `form - number = ±(factor·form' - number')`.
    fn homogeneous(&mut self, form: NodeId, number: i64) -> Attempt<(NodeId, i128, i64, bool)> {
        let Node::Linear(constant, atoms) = self.nodes.get(form).clone() else {
            return Ok((form, number.into(), 1, false));
        };
        let factor = atoms
            .iter()
            .fold(0, |factor, &(c, _)| num_integer::gcd(factor, c))
            .abs();
        let negated = atoms[0].0 < 0;
        if constant == 0 && factor == 1 && !negated {
            return Ok((form, number.into(), 1, false));
        }
        let sign = if negated { -1 } else { 1 };
        let parts: Vec<_> = atoms
            .iter()
            .map(|&(c, atom)| (sign * (c / factor), atom))
            .collect();
        let number = i128::from(sign) * (i128::from(number) - i128::from(constant));
        Ok((self.linear(0, &parts)?, number, factor, negated))
    }

    /// 1 if the form is at least the number, else 0. Decided where its bounds decide it.
    pub(super) fn at_least(&mut self, form: NodeId, number: i64) -> Attempt<NodeId> {
        let bounds = self.bounds(form)?;
        if bounds.low >= number || bounds.high < number {
            return Ok(self.constant(i64::from(bounds.low >= number)));
        }
        // f·L >= n  is  L >= ⌈n/f⌉;   -f·L >= -n  is  L <= ⌊n/f⌋  is  not L >= ⌊n/f⌋ + 1.
        let (form, number, factor, negated) = self.homogeneous(form, number)?;
        let factor = i128::from(factor);
        if negated {
            let not = self.at_least_homogeneous(
                form,
                narrow(num_integer::Integer::div_floor(&number, &factor) + 1)?,
            )?;
            self.complement(not)
        } else {
            self.at_least_homogeneous(
                form,
                narrow(num_integer::Integer::div_ceil(&number, &factor))?,
            )
        }
    }

    fn at_least_homogeneous(&mut self, form: NodeId, number: i64) -> Attempt<NodeId> {
        let bounds = self.bounds(form)?;
        Ok(if bounds.low >= number || bounds.high < number {
            self.constant(i64::from(bounds.low >= number))
        } else if bounds.low == 0 && bounds.high == 1 {
            form
        } else {
            self.nodes.intern(Node::AtLeast(form, number))
        })
    }

    /// 1 if the form equals the number, else 0. Decided where its bounds decide it, and at an end of the
    /// bounds the same as a comparison.
    pub(super) fn equals(&mut self, form: NodeId, number: i64) -> Attempt<NodeId> {
        let (form, number, factor, _) = self.homogeneous(form, number)?;
        let bounds = self.bounds(form)?;
        let quotient = number / i128::from(factor);
        if number % i128::from(factor) != 0
            || quotient < bounds.low.into()
            || quotient > bounds.high.into()
        {
            return Ok(self.constant(0));
        }
        let number = narrow(quotient)?;
        if bounds.low == bounds.high {
            return Ok(self.constant(1));
        }
        if number == bounds.high {
            return self.at_least_homogeneous(form, number);
        }
        if number == bounds.low {
            let not = self.at_least_homogeneous(form, number + 1)?;
            return self.complement(not);
        }
        Ok(self.nodes.intern(Node::Equals(form, number)))
    }

    /// `a` if the condition (0 or 1) is 1, else `b`.
    ///
    /// Laws: a decided condition picks; equal branches need none; `if 1-c then a else b = if c then b else a`;
    /// numbers that differ by a constant `k` are `b + k·c`; an empty branch leaves copies of the other.
    pub(super) fn choose(&mut self, condition: NodeId, a: NodeId, b: NodeId) -> Attempt<NodeId> {
        let bounds = self.bounds(condition)?;
        if bounds.low == bounds.high {
            return Ok(if bounds.low == 0 { b } else { a });
        }
        if a == b {
            return Ok(a);
        }
        if let Node::Linear(1, atoms) = self.nodes.get(condition)
            && let [(-1, not)] = **atoms
        {
            return self.choose(not, b, a);
        }
        if self.is_number(a) && self.is_number(b) {
            let difference = self.difference_of(a, b)?;
            if let Some(difference) = self.as_constant(difference) {
                return self.linear(0, &[(1, b), (difference, condition)]);
            }
        }
        if self.is_empty_list(b) {
            return self.copies(condition, a);
        }
        if self.is_empty_list(a) {
            let not = self.complement(condition)?;
            return self.copies(not, b);
        }
        Ok(self.nodes.intern(Node::If(condition, a, b)))
    }

    /// 1 if the list has a member, else 0.
    pub(super) fn is_not_empty(&mut self, list: NodeId) -> Attempt<NodeId> {
        let count = self.fold(Folding::Count, list)?;
        self.at_least(count, 1)
    }

    /// The largest (`High`) or smallest (`Low`) of two numbers.
    pub(super) fn extremum(
        &mut self,
        selection: Selection,
        a: NodeId,
        b: NodeId,
    ) -> Attempt<NodeId> {
        for (bound, number) in [(a, b), (b, a)] {
            let Some(bound) = self.as_constant(bound) else {
                continue;
            };
            let bounds = self.bounds(number)?;
            // Where only one value is on the other side of the bound, it is a comparison away.
            if selection == Selection::Low && bounds.low >= bound - 1 {
                let reached = self.at_least(number, bound)?;
                return self.linear(bound - 1, &[(1, reached)]);
            }
            if selection == Selection::High && bounds.high <= bound + 1 {
                let passed = self.at_least(number, bound + 1)?;
                return self.linear(bound, &[(1, passed)]);
            }
        }
        let both = self.join(&[a, b])?;
        let one = self.constant(1);
        let best = self.select(selection, one, both)?;
        self.fold(Folding::Sum, best)
    }

    /// Two numbers combined; 0 where the operator is not defined.
    pub(super) fn arithmetic(
        &mut self,
        operator: Arithmetic,
        a: NodeId,
        b: NodeId,
    ) -> Attempt<NodeId> {
        match operator {
            Arithmetic::Add => return self.linear(0, &[(1, a), (1, b)]),
            Arithmetic::Subtract => return self.difference_of(a, b),
            Arithmetic::Max => return self.extremum(Selection::High, a, b),
            Arithmetic::Min => return self.extremum(Selection::Low, a, b),
            _ => {}
        }
        if let (Some(x), Some(y)) = (self.as_constant(a), self.as_constant(b)) {
            let value = total(operator, &Integer::from(x), &Integer::from(y))?;
            let value = value
                .to_i64()
                .ok_or(Stop::Unsupported(Reason::LongIntegers))?;
            return Ok(self.constant(narrow(value.into())?));
        }
        if operator == Arithmetic::Multiply {
            return self.product(a, b);
        }
        let id = self.nodes.intern(Node::Arithmetic(operator, a, b));
        let bounds = self.bounds(id)?;
        Ok(if bounds.low == bounds.high {
            self.constant(bounds.low)
        } else {
            id
        })
    }

    /// A product: linear where a factor is constant, a condition where one is 0 or 1.
    fn product(&mut self, a: NodeId, b: NodeId) -> Attempt<NodeId> {
        if let Some(factor) = self.as_constant(a) {
            return self.linear(0, &[(factor, b)]);
        }
        if let Some(factor) = self.as_constant(b) {
            return self.linear(0, &[(factor, a)]);
        }
        let zero = self.constant(0);
        for (condition, value) in [(a, b), (b, a)] {
            let bounds = self.bounds(condition)?;
            if bounds.low == 0 && bounds.high == 1 {
                return self.choose(condition, value, zero);
            }
        }
        Ok(self
            .nodes
            .intern(Node::Arithmetic(Arithmetic::Multiply, a.min(b), a.max(b))))
    }

    /// A list made a number. Sums, counts and products distribute over joins.
    pub(super) fn fold(&mut self, folding: Folding, list: NodeId) -> Attempt<NodeId> {
        if folding == Folding::Only {
            return self.number(list);
        }
        if self.is_number(list) {
            return Ok(if folding == Folding::Count {
                self.constant(1)
            } else {
                list
            });
        }
        let bounds = self.bounds(list)?;
        if folding == Folding::Count && bounds.least == bounds.most {
            return Ok(self.constant(bounds.least));
        }
        if let Node::Map(inner, closure) = *self.nodes.get(list)
            && let Some(rows) = self.rows_of(closure)
            && !are_folded(folding, &rows)
        {
            let folded = self.map_with(inner, &rows, |image| {
                Ok(neutral(folding, fold_members(folding, image)?))
            })?;
            return self.fold(of_parts(folding), folded);
        }
        match self.nodes.get(list).clone() {
            Node::Dealt(pool) => {
                let cards = self.cards(pool);
                self.fold(folding, cards)
            }
            Node::Known(members) => self.fold_known(folding, &members),
            Node::Join(parts) | Node::Chain(parts) => {
                let mut folded = Vec::with_capacity(parts.len());
                for &part in parts.iter() {
                    folded.push(self.fold(folding, part)?);
                }
                if folding == Folding::Product {
                    let one = self.constant(1);
                    return folded.into_iter().try_fold(one, |product, part| {
                        self.arithmetic(Arithmetic::Multiply, product, part)
                    });
                }
                let parts: Vec<_> = folded.into_iter().map(|part| (1, part)).collect();
                self.linear(0, &parts)
            }
            Node::Copies(count, member) => {
                let folded = self.fold(folding, member)?;
                let (operator, neutral) = match folding {
                    Folding::Product => (Arithmetic::Power, 1),
                    _ => (Arithmetic::Multiply, 0),
                };
                let all = self.arithmetic(operator, folded, count)?;
                if !self.may_never_show(folded) {
                    return Ok(all);
                }
                // What never ends is waited for only where there is a copy of it.
                let (some, none) = (self.at_least(count, 1)?, self.constant(neutral));
                self.choose(some, all, none)
            }
            Node::If(condition, a, b) => {
                let (a, b) = (self.fold(folding, a)?, self.fold(folding, b)?);
                self.choose(condition, a, b)
            }
            Node::Draws(count, ..) if folding == Folding::Count => Ok(count),
            Node::Select(selection, n, inner) if folding == Folding::Count => {
                let size = self.fold(folding, inner)?;
                match selection {
                    Selection::First | Selection::High | Selection::Last | Selection::Low => {
                        self.extremum(Selection::Low, n, size)
                    }
                    _ => {
                        let (rest, zero) = (self.difference_of(size, n)?, self.constant(0));
                        self.extremum(Selection::High, rest, zero)
                    }
                }
            }
            Node::Range(a, b) if folding == Folding::Count => {
                let (length, zero) = (self.linear(1, &[(1, b), (-1, a)])?, self.constant(0));
                self.extremum(Selection::High, length, zero)
            }
            _ => {
                let id = self.nodes.intern(Node::Fold(folding, list));
                let bounds = self.bounds(id)?;
                Ok(if bounds.low == bounds.high {
                    self.constant(bounds.low)
                } else {
                    id
                })
            }
        }
    }

    fn fold_known(&mut self, folding: Folding, members: &[(i64, u32)]) -> Attempt<NodeId> {
        Ok(self.constant(fold_members(folding, members)?))
    }
}

pub(super) fn fold_members(folding: Folding, members: &[(i64, u32)]) -> Attempt<i64> {
    narrow(match folding {
        Folding::Product => {
            let one = Some(1_i128);
            let product = members.iter().fold(one, |product, &(member, count)| {
                product?.checked_mul(i128::from(member).checked_pow(count)?)
            });
            product.ok_or(Stop::Unsupported(Reason::LongIntegers))?
        }
        Folding::Count => members.iter().map(|&(_, count)| i128::from(count)).sum(),
        _ => members
            .iter()
            .map(|&(member, count)| i128::from(member) * i128::from(count))
            .sum(),
    })
}

/// What makes the folded parts of a list its folded value: counts are summed.
pub(super) fn of_parts(folding: Folding) -> Folding {
    match folding {
        Folding::Count => Folding::Sum,
        folding => folding,
    }
}

/// A folded value as members: none where it makes no difference.
fn neutral(folding: Folding, value: i64) -> Vec<(i64, u32)> {
    if value == i64::from(folding == Folding::Product) {
        Vec::new()
    } else {
        vec![(value, 1)]
    }
}

/// Whether each row of a table is a folded value already.
fn are_folded(folding: Folding, rows: &[(i64, Image)]) -> bool {
    folding != Folding::Count
        && rows.iter().all(|(_, image)| match image[..] {
            [] => true,
            [(value, count)] => count == 1 && value != i64::from(folding == Folding::Product),
            _ => false,
        })
}

/// Two numbers combined; 0 where the operator is not defined.
pub(super) fn total(operator: Arithmetic, a: &Integer, b: &Integer) -> Result<Integer, Overflow> {
    match operate::arithmetic(operator, a, b) {
        Err(ErrorKind::Overflow) => Err(Overflow),
        value => Ok(value.unwrap_or_default()),
    }
}

/// A number that residual programs can hold.
pub(super) fn narrow(value: i128) -> Attempt<i64> {
    match i64::try_from(value) {
        Ok(small) if small.unsigned_abs() <= 1 << 62 => Ok(small),
        _ => Err(Stop::Unsupported(Reason::LongIntegers)),
    }
}

/// The binomial coefficient, if it is not more than so much.
pub(super) fn binomial_at_most(n: u64, k: u64, most: u64) -> Option<u64> {
    let Some(rest) = n.checked_sub(k) else {
        return Some(0);
    };
    let mut coefficient = 1_u64;
    for index in 1..=k.min(rest) {
        coefficient = coefficient.checked_mul(n + 1 - index)? / index;
        if coefficient > most {
            return None;
        }
    }
    Some(coefficient)
}
