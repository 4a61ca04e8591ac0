//! Values: variables, operators and what they do with each kind of value.

use super::dice::negated;
use super::machine::Machine;
use super::sequence::total;
use super::stop::{Attempt, Stop};
use crate::error::{Diagnostic, ErrorKind};
use crate::ir::Comparison;
use crate::notation::anydice::code::Operation;
use crate::notation::anydice::faces::{BYTES, Faces};
use crate::notation::anydice::term::{Shape, Term};
use crate::notation::anydice::tree::{Infix, Prefix};
use crate::notation::anydice::value::{Summed, Value};
use crate::notation::reader::tree::NodeId;
use crate::number::{Integer, Overflow};
use crate::source::Span;
use crate::stack;

/// The sum of a value.
pub(super) fn summed(value: &Value) -> Result<Summed, Overflow> {
    Ok(match value {
        Value::Nothing => Summed::Nothing,
        Value::Number(number) => Summed::Number(number.clone()),
        Value::Sequence(members) => Summed::Number(total(members)?),
        Value::Dice(dice) => Summed::Die(dice.sum()),
        Value::Unknown(term) => Summed::Unknown(term.clone()),
        Value::Pool(list) => Summed::Unknown(Term::new(Shape::Total(list.clone()))),
        Value::Row(members) => {
            let mut sum = Summed::Number(Integer::ZERO);
            for member in &**members {
                sum = sum.plus(summed(member)?)?;
            }
            sum
        }
        Value::Throw(count, die) => Summed::Die(Term::new(Shape::Repeat(
            count.clone(),
            die.clone(),
            Span::default(),
        ))),
    })
}

impl Machine<'_> {
    /// The value of a node.
    pub(super) fn value(&mut self, id: NodeId) -> Attempt<Value> {
        let value = self.value_of_node(id)?;
        self.budget.work(value.members())?;
        Ok(value)
    }

    fn value_of_node(&mut self, id: NodeId) -> Attempt<Value> {
        let code = self.code;
        let span = code.span(id);
        match code.operation(id) {
            Operation::Number(number) => Ok(Value::Number(number.clone())),
            Operation::Variable(variable) => match self.value_of(*variable) {
                Some(value) => Ok(value.clone()),
                None => Err(self.unbound(code.variables[*variable], span)),
            },
            Operation::Group(inner) => stack::level(|| self.value(*inner)),
            Operation::Prefix(operator, operand) => {
                let value = stack::level(|| self.value(*operand))?;
                self.prefix(*operator, value, span)
                    .map_err(|stop| stop.at(span))
            }
            Operation::Infix(operator, a, b) => {
                let left = stack::level(|| self.value(*a))?;
                let right = stack::level(|| self.value(*b))?;
                self.infix(*operator, left, right, id)
                    .map_err(|stop| stop.at(span))
            }
            Operation::Sequence(parts) => {
                stack::level(|| self.sequence(parts)).map_err(|stop| stop.at(span))
            }
            Operation::Call(name, values) => {
                stack::level(|| self.call(*name, values, id)).map_err(|stop| stop.at(span))
            }
            _ => Ok(Value::Nothing),
        }
    }

    fn prefix(&mut self, operator: Prefix, value: Value, span: Span) -> Attempt<Value> {
        Ok(match (operator, value) {
            (Prefix::Plus, value) => value,
            (Prefix::Die, value) => self.roll(&Value::Number(Integer::ONE), value, span)?,
            (Prefix::Length, value) => match value {
                Value::Number(number) => Value::number(digits(&number).len()),
                Value::Sequence(members) => Value::number(members.len()),
                Value::Dice(dice) => Value::Number(of_count(dice.count)),
                Value::Pool(list) => Value::Number(of_count(list.count())),
                Value::Row(members) => Value::number(length(&members)),
                Value::Throw(..) => {
                    return Err(Stop::Open(
                        "dice are counted, of which the number depends on the roll",
                    ));
                }
                Value::Nothing => Value::number(0),
                Value::Unknown(_) => {
                    return Err(Stop::Open(
                        "the digits of a number that depends on the roll are counted",
                    ));
                }
            },
            (Prefix::Minus, Value::Dice(mut dice)) => {
                dice.die = negated(&dice.die);
                Value::Dice(dice)
            }
            (Prefix::Minus, Value::Throw(count, die)) => Value::Throw(count, negated(&die)),
            (Prefix::Minus, value) => match summed(&value)? {
                Summed::Number(number) => Value::Number(number.neg()?),
                sum => sum.map(Shape::Negate).value(),
            },
            (Prefix::Not, value) => match summed(&value)? {
                Summed::Number(number) => Value::truth(number.is_zero()),
                sum => sum.map(Shape::Not).value(),
            },
        })
    }

    fn infix(&mut self, operator: Infix, a: Value, b: Value, id: NodeId) -> Attempt<Value> {
        let span = self.code.span(id);
        match operator {
            Infix::At => self.at(&a, b, id),
            Infix::Dice => self.roll(&a, b, span),
            Infix::Condition(comparison) => {
                self.warn_of_condition(comparison, (&a, &b), id);
                self.compare(comparison, &a, &b, span)
            }
            Infix::Add | Infix::Subtract | Infix::Or
                if matches!(a, Value::Nothing) || matches!(b, Value::Nothing) =>
            {
                self.beside_nothing(operator, a, b, span)
            }
            _ => self.arithmetic(operator, &a, &b, span),
        }
    }

    /// Warns of conditions that look like others, and of the one that AnyDice gets wrong.
    fn warn_of_condition(&mut self, comparison: Comparison, (a, b): (&Value, &Value), id: NodeId) {
        let span = self.code.span(id);
        if let Operation::Infix(_, left, _) = self.code.operation(id)
            && let Operation::Infix(Infix::Condition(_), ..) = self.code.operation(*left)
        {
            let message = "a condition is compared here: the one on the left is 1 or 0";
            let warning = Diagnostic::new(span, message)
                .with_code("compared-condition")
                .with_help("write `(A > B) & (B > C)` for both conditions");
            self.warn(warning);
        }
        if comparison == Comparison::LessOrEqual
            && matches!((a, b), (Value::Dice(_), Value::Sequence(_)))
        {
            let message = "AnyDice compares dice with sequences by `<=` wrongly; here it is the sum of the sequence";
            self.warn(Diagnostic::new(span, message).with_code("compared-sequence"));
        }
    }

    /// `+`, `-` or `|` where one side is the empty die: the other side counts.
    fn beside_nothing(
        &mut self,
        operator: Infix,
        a: Value,
        b: Value,
        span: Span,
    ) -> Attempt<Value> {
        if !matches!(b, Value::Nothing) {
            return match operator {
                Infix::Subtract => self.prefix(Prefix::Minus, b, span),
                _ => Ok(b),
            };
        }
        Ok(match a {
            Value::Sequence(_) | Value::Pool(_) | Value::Row(_) => summed(&a)?.value(),
            a => a,
        })
    }

    /// `count d sides`.
    fn roll(&mut self, count: &Value, sides: Value, span: Span) -> Attempt<Value> {
        let Some(dice) = self.sides(sides)? else {
            return Ok(Value::Nothing);
        };
        match summed(count)? {
            Summed::Nothing => Ok(Value::Nothing),
            Summed::Number(count) => super::dice::dice(&count, dice, span).map(Value::Dice),
            Summed::Die(count) if !count.is_open() => self.random_dice(&count, &dice, span),
            count => self.throw(&count, &dice, span),
        }
    }

    /// Arithmetic, `&` and `|` on sums.
    fn arithmetic(&mut self, operator: Infix, a: &Value, b: &Value, span: Span) -> Attempt<Value> {
        let (a, b) = (summed(a)?, summed(b)?);
        if let (Summed::Number(a), Summed::Number(b)) = (&a, &b) {
            return self.calculated(operator, a, b, span).map(Value::Number);
        }
        let (Some(left), Some(right)) = (a.term(), b.term()) else {
            return Ok(Value::Nothing);
        };
        let is_open = left.is_open() || right.is_open();
        if operator == Infix::Power && !is_open {
            let (left, right) = (self.faces(&left, span)?, self.faces(&right, span)?);
            let faces = self.each_pair(
                &left,
                &right,
                |machine, a, b| machine.calculated(operator, a, b, span),
                span,
            )?;
            return Ok(a.with(&b, |_, _| Term::faces(faces)).value());
        }
        if operator == Infix::Divide && !is_open {
            let divisors = self.faces(&right, span)?;
            if divisors.outcomes().any(Integer::is_zero) {
                self.warn(by_zero(span));
            }
        }
        let made = a.with(&b, |a, b| match operator {
            Infix::Add => Term::sum_of(&a, &b, span),
            _ => Term::new(Shape::Infix(operator, a, b, span)),
        });
        match self.shallow(made, span)?.value() {
            Value::Dice(dice) if is_open && dice.die.may_fail() => Err(Stop::Open(
                "a power of a die that depends on the roll may fail",
            )),
            // The number is evaluated even if nothing looks at it.
            Value::Unknown(term) if term.may_fail() => Ok(self.named(Value::Unknown(term))),
            value => Ok(value),
        }
    }

    /// The distribution of a function of two independent outcomes. Errors have the probability of the pairs that lead to them.
    fn each_pair(
        &mut self,
        a: &Faces,
        b: &Faces,
        mut combine: impl FnMut(&mut Self, &Integer, &Integer) -> Attempt<Integer>,
        span: Span,
    ) -> Attempt<Faces> {
        let mut failed = Integer::ZERO;
        let mut first = None;
        let mut weights = crate::notation::anydice::faces::Weights::default();
        for (left, weight) in a.weighted() {
            self.has_room(weights.len() + b.len(), BYTES)?;
            for (right, other) in b.weighted() {
                let weight = weight.mul(other)?;
                match combine(self, left, right).map_err(|stop| stop.at(span)) {
                    Ok(outcome) => weights.add(outcome, &weight)?,
                    Err(stop) => {
                        failed = failed.add(&weight)?;
                        first.get_or_insert(stop);
                    }
                }
            }
        }
        match (first, weights.faces()) {
            (Some(Stop::Error(error)), _) if !error.is_limit() => {
                let total = a.total()?.mul(&b.total()?)?;
                let probability = super::dice::share(&failed, &total);
                Err(Stop::Error(error.with_probability(probability)))
            }
            (Some(stop), _) => Err(stop),
            (None, faces) => Ok(faces.expect("there are pairs")),
        }
    }

    /// Two numbers combined by arithmetic, `&` or `|`.
    pub(super) fn calculated(
        &mut self,
        operator: Infix,
        a: &Integer,
        b: &Integer,
        span: Span,
    ) -> Attempt<Integer> {
        Ok(match operator {
            Infix::Add => a.add(b)?,
            Infix::Subtract => a.sub(b)?,
            Infix::Multiply => a.mul(b)?,
            Infix::Divide => a.div(b).unwrap_or_else(|| {
                self.warn(by_zero(span));
                Integer::ZERO
            }),
            Infix::Power => power(a, b, span)?,
            Infix::And => Integer::from(i32::from(!a.is_zero() && !b.is_zero())),
            Infix::Or => Integer::from(i32::from(!a.is_zero() || !b.is_zero())),
            Infix::Condition(comparison) => Integer::from(i32::from(comparison.holds(a, b))),
            Infix::At | Infix::Dice => Integer::ZERO,
        })
    }

    /// A condition.
    pub(super) fn compare(
        &mut self,
        comparison: Comparison,
        a: &Value,
        b: &Value,
        span: Span,
    ) -> Attempt<Value> {
        match (a, b) {
            (Value::Sequence(a), Value::Sequence(b)) => Ok(Value::truth(comparison.holds(a, b))),
            (Value::Sequence(members), Value::Number(number)) => {
                Ok(counted(members, comparison, number))
            }
            (Value::Number(number), Value::Sequence(members)) => {
                Ok(counted(members, comparison.mirrored(), number))
            }
            (Value::Pool(_), _) | (_, Value::Pool(_)) => self.compare_pool(comparison, a, b),
            (Value::Row(members), Value::Number(_) | Value::Unknown(_)) => {
                self.compare_row(comparison, members, b, span)
            }
            (Value::Number(_) | Value::Unknown(_), Value::Row(members)) => {
                self.compare_row(comparison.mirrored(), members, a, span)
            }
            (Value::Row(_), Value::Sequence(_) | Value::Row(_))
            | (Value::Sequence(_), Value::Row(_)) => Err(Stop::Open(
                "two sequences are compared, of which one depends on the roll",
            )),
            (Value::Sequence(_), Value::Unknown(_)) | (Value::Unknown(_), Value::Sequence(_)) => {
                count_known(comparison, a, b, span)
            }
            _ => self.arithmetic(Infix::Condition(comparison), a, b, span),
        }
    }

    /// A condition on the members of a hidden roll.
    fn compare_pool(&mut self, comparison: Comparison, a: &Value, b: &Value) -> Attempt<Value> {
        let term = match (a, b) {
            (Value::Pool(a), Value::Pool(b)) => {
                if a == b {
                    return Ok(Value::truth(comparison.holds(&0, &0)));
                }
                if self.rules.lowest_first {
                    return Err(Stop::Open("two rolls are compared from the lowest"));
                }
                Term::new(Shape::Order(comparison, a.clone(), b.clone()))
            }
            (Value::Pool(list), other) => {
                Term::new(Shape::Count(list.clone(), comparison, as_number(other)?))
            }
            (other, Value::Pool(list)) => {
                let comparison = comparison.mirrored();
                Term::new(Shape::Count(list.clone(), comparison, as_number(other)?))
            }
            _ => return Err(Stop::Open("a roll is compared")),
        };
        Ok(Value::unknown(term))
    }
}

impl Machine<'_> {
    /// How many members of a sequence meet a condition with a number.
    pub(super) fn compare_row(
        &mut self,
        comparison: Comparison,
        members: &[Value],
        number: &Value,
        span: Span,
    ) -> Attempt<Value> {
        let mut sum = Summed::Number(Integer::ZERO);
        for member in members {
            let met = self.compare(comparison, member, number, span)?;
            sum = sum.plus(summed(&met)?)?;
        }
        Ok(sum.value())
    }
}

/// The number of members of a sequence, of which some are sequences.
pub(super) fn length(members: &[Value]) -> usize {
    let lengths = members.iter().map(|member| match member {
        Value::Pool(list) => usize::try_from(list.count()).unwrap_or(usize::MAX),
        _ => 1,
    });
    lengths.sum()
}

/// A number that the members of a hidden roll are compared with.
fn as_number(value: &Value) -> Attempt<Term> {
    match value {
        Value::Number(number) => Ok(Term::certain(number.clone())),
        Value::Unknown(term) => Ok(term.clone()),
        _ => Err(Stop::Open(
            "a roll is compared with a sequence or with dice",
        )),
    }
}

fn counted(members: &[Integer], comparison: Comparison, number: &Integer) -> Value {
    let met = members
        .iter()
        .filter(|member| comparison.holds(*member, number));
    Value::number(met.count())
}

fn power(a: &Integer, b: &Integer, span: Span) -> Attempt<Integer> {
    if !b.is_negative() {
        let exponent = b.to_i64().and_then(|exponent| u64::try_from(exponent).ok());
        return Ok(a.pow(exponent.unwrap_or(u64::MAX))?);
    }
    if a.is_zero() {
        let finding = Diagnostic::new(span, "0 to a negative power is no number")
            .with_help("keep the exponent at 0 or above, or the base away from 0");
        return Err(Stop::new(ErrorKind::Domain, finding));
    }
    let is_odd = !b.bit_and(&Integer::ONE).is_zero();
    Ok(match a.to_i64() {
        Some(1) => Integer::ONE,
        Some(-1) if is_odd => Integer::from(-1),
        Some(-1) => Integer::ONE,
        _ => Integer::ZERO,
    })
}

pub(super) fn by_zero(span: Span) -> Diagnostic {
    Diagnostic::new(span, "this divides by zero, which is 0 in AnyDice")
        .with_code("division-by-zero")
}

/// The decimal digits of a number, each with its sign, from the most significant.
pub(super) fn digits(number: &Integer) -> Vec<Integer> {
    let text = number.to_string();
    let sign = if number.is_negative() { -1 } else { 1 };
    let digits = text.bytes().filter(u8::is_ascii_digit);
    digits
        .map(|digit| Integer::from(sign * i64::from(digit - b'0')))
        .collect()
}

pub(super) fn of_count(count: u64) -> Integer {
    Integer::from(usize::try_from(count).unwrap_or(usize::MAX))
}

/// How many members of a known sequence meet a condition with an unknown number.
fn count_known(comparison: Comparison, a: &Value, b: &Value, span: Span) -> Attempt<Value> {
    let (members, number, comparison) = match (a, b) {
        (Value::Sequence(members), Value::Unknown(number)) => (members, number, comparison),
        (Value::Unknown(number), Value::Sequence(members)) => {
            (members, number, comparison.mirrored())
        }
        _ => return Err(Stop::Open("a sequence is compared with the roll")),
    };
    if members.len() > 100 {
        return Err(Stop::Open("a long sequence is compared with the roll"));
    }
    let mut sum = Term::certain(Integer::ZERO);
    for member in &**members {
        let member = Term::certain(member.clone());
        let meets = Term::new(Shape::Infix(
            Infix::Condition(comparison),
            member,
            number.clone(),
            span,
        ));
        sum = Term::new(Shape::Infix(Infix::Add, sum, meets, span));
    }
    Ok(Value::unknown(sum))
}
