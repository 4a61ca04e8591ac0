//! The types that outcomes of a distribution can have.

use std::fmt;

use crate::algebra::{Distribution, Weight};
use crate::engine::{Answer, List, MemberRef, Outcomes, Value};
use crate::ir::{Labels, Member, Shape};
use crate::number::{Fraction, Integer, Overflow, Unit};

/// A type of outcomes.
///
/// | type | outcomes |
/// |---|---|
/// | [`Integer`] | whole numbers |
/// | [`Fraction`](crate::number::Fraction) | whole numbers, and the fractions that rules such as `1d6/2` of tabletop have |
/// | `bool` | conditions: 1 is `true`, 0 is `false` |
/// | `Vec<Integer>` | lists; a number is a list with one member |
/// | `[Integer; N]` | lists of one length, and records of numbers |
/// | `String` | labels |
/// | `Vec<Member>` | anything whole: records, and lists with labels |
///
/// The trait is sealed.
pub trait Outcome: Read + Clone + fmt::Debug + Ord {}

/// A type of outcomes that are numbers: [`Integer`] and [`Fraction`](crate::number::Fraction). The trait is sealed.
pub trait Numeric: Outcome + Lattice {}

/// A type of outcomes that distributions can be made of: all but `Vec<Member>`. The trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no type of outcomes",
    note = "outcomes are `Integer`, `Fraction`, `bool`, `String` (use `to_owned`), `Vec<Integer>` and `[Integer; N]`"
)]
pub trait Listed: Outcome + Write {}

/// How outcomes are read from an answer.
pub trait Read: Sized {
    /// What the outcomes are called in messages.
    const NAME: &'static str;

    /// Whether outcomes are conditions, which are shown as yes and no.
    const IS_CONDITION: bool = false;

    /// Whether all outcomes of an answer have this type.
    fn fits(answer: &Answer) -> bool;

    /// A value of an answer that fits.
    fn read(value: Value<'_>, unit: &Unit) -> Self;

    /// The index of the outcome in an answer that fits.
    fn place(&self, answer: &Answer) -> Option<usize>;

    /// The outcome as a number in a unit, if it can be one.
    fn number(&self, unit: &Unit) -> Option<Integer>;

    /// Writes the outcome with a serializer.
    #[cfg(feature = "serde")]
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// Numbers among the multiples of a unit.
pub trait Lattice {
    /// The least multiple of the unit that is no less; `None` if it is too long.
    fn ceil(&self, unit: &Unit) -> Option<Integer>;

    /// The greatest multiple of the unit that is no greater; `None` if it is too long.
    fn floor(&self, unit: &Unit) -> Option<Integer>;
}

/// How outcomes are written as those of an answer.
pub trait Write: Sized {
    /// Weighted outcomes over a total, in any order.
    ///
    /// # Errors
    ///
    /// [`Overflow`] for fractions whose common denominator is too long.
    fn outcomes(
        weighted: Vec<(Self, Weight)>,
        total: Weight,
    ) -> Result<(Outcomes, Unit, Shape), Overflow>;
}

impl Outcome for Integer {}
impl Numeric for Integer {}
impl Listed for Integer {}

impl Read for Integer {
    const NAME: &'static str = "whole numbers";

    fn fits(answer: &Answer) -> bool {
        answer.numbers().is_some() && answer.unit.is_whole()
    }

    fn read(value: Value<'_>, _: &Unit) -> Self {
        only_number(value).clone()
    }

    fn place(&self, answer: &Answer) -> Option<usize> {
        answer.outcomes().place(Value::Number(self))
    }

    fn number(&self, unit: &Unit) -> Option<Integer> {
        self.mul(unit.parts()).ok()
    }

    #[cfg(feature = "serde")]
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        super::written::integer(self, serializer)
    }
}

impl Lattice for Integer {
    fn ceil(&self, unit: &Unit) -> Option<Integer> {
        self.mul(unit.parts()).ok()
    }

    fn floor(&self, unit: &Unit) -> Option<Integer> {
        self.mul(unit.parts()).ok()
    }
}

impl Write for Integer {
    fn outcomes(
        weighted: Vec<(Self, Weight)>,
        total: Weight,
    ) -> Result<(Outcomes, Unit, Shape), Overflow> {
        let outcomes = Outcomes::Numbers(Distribution::new(weighted, total));
        Ok((outcomes, Unit::WHOLE, Shape::Numbers))
    }
}

impl Outcome for Fraction {}
impl Numeric for Fraction {}
impl Listed for Fraction {}

impl Read for Fraction {
    const NAME: &'static str = "numbers";

    fn fits(answer: &Answer) -> bool {
        answer.numbers().is_some()
    }

    fn read(value: Value<'_>, unit: &Unit) -> Self {
        unit.fraction(only_number(value))
    }

    fn place(&self, answer: &Answer) -> Option<usize> {
        let number = answer.unit.value(self)?;
        answer.outcomes().place(Value::Number(&number))
    }

    fn number(&self, unit: &Unit) -> Option<Integer> {
        unit.value(self)
    }

    #[cfg(feature = "serde")]
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        super::written::fraction(self, serializer)
    }
}

impl Lattice for Fraction {
    fn ceil(&self, unit: &Unit) -> Option<Integer> {
        let scaled = self * Fraction::from_integer(unit.parts().to_big());
        Integer::from_big(scaled.ceil().to_integer()).ok()
    }

    fn floor(&self, unit: &Unit) -> Option<Integer> {
        let scaled = self * Fraction::from_integer(unit.parts().to_big());
        Integer::from_big(scaled.floor().to_integer()).ok()
    }
}

impl Write for Fraction {
    fn outcomes(
        weighted: Vec<(Self, Weight)>,
        total: Weight,
    ) -> Result<(Outcomes, Unit, Shape), Overflow> {
        let mut unit = Unit::WHOLE;
        for (outcome, _) in &weighted {
            let parts = Integer::from_big(outcome.denom().clone())?;
            unit = unit.common(&Unit::new(parts).expect("a denominator is positive"))?;
        }
        let mut numbers = Vec::with_capacity(weighted.len());
        for (outcome, weight) in weighted {
            numbers.push((unit.value(&outcome).ok_or(Overflow)?, weight));
        }
        let outcomes = Outcomes::Numbers(Distribution::new(numbers, total));
        Ok((outcomes, unit, Shape::Numbers))
    }
}

impl Outcome for bool {}
impl Listed for bool {}

impl Read for bool {
    const NAME: &'static str = "true or false";
    const IS_CONDITION: bool = true;

    fn fits(answer: &Answer) -> bool {
        let is_truth = |number: &Integer| number.is_zero() || *number == Integer::ONE;
        let has_tail = answer.above().is_some() || answer.below().is_some();
        let numbers = answer.numbers().filter(|_| answer.unit.is_whole());
        !has_tail && numbers.is_some_and(|numbers| numbers.outcomes().iter().all(is_truth))
    }

    fn read(value: Value<'_>, _: &Unit) -> Self {
        !only_number(value).is_zero()
    }

    fn place(&self, answer: &Answer) -> Option<usize> {
        let number = self.number(&answer.unit)?;
        answer.outcomes().place(Value::Number(&number))
    }

    fn number(&self, _: &Unit) -> Option<Integer> {
        Some(i64::from(*self).into())
    }

    #[cfg(feature = "serde")]
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(*self)
    }
}

impl Write for bool {
    fn outcomes(
        weighted: Vec<(Self, Weight)>,
        total: Weight,
    ) -> Result<(Outcomes, Unit, Shape), Overflow> {
        let numbers = weighted
            .into_iter()
            .map(|(holds, weight)| (Integer::from(i64::from(holds)), weight));
        Integer::outcomes(numbers.collect(), total)
    }
}

impl Outcome for List {}
impl Listed for List {}

impl Read for List {
    const NAME: &'static str = "lists of whole numbers";

    fn fits(answer: &Answer) -> bool {
        let has_labels = match answer.outcomes() {
            Outcomes::Members(members) => {
                let mut members = members.outcomes().iter().flatten();
                members.any(|member| member.number().is_none())
            }
            Outcomes::Lists(_) | Outcomes::Numbers(_) => false,
        };
        !has_labels && answer.unit.is_whole()
    }

    fn read(value: Value<'_>, _: &Unit) -> Self {
        let number = |member| match member {
            MemberRef::Number(number) => number.clone(),
            MemberRef::Label(_) => unreachable!("the answer has no labels"),
        };
        value.members().map(number).collect()
    }

    fn place(&self, answer: &Answer) -> Option<usize> {
        let outcomes = answer.outcomes();
        if let Outcomes::Members(_) = outcomes {
            let members: Vec<Member> = self.iter().cloned().map(Member::Number).collect();
            return outcomes.place(Value::Members(&members));
        }
        outcomes.place(Value::List(self))
    }

    fn number(&self, unit: &Unit) -> Option<Integer> {
        match &self[..] {
            [number] => Read::number(number, unit),
            _ => None,
        }
    }

    #[cfg(feature = "serde")]
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        super::written::list(self, serializer)
    }
}

impl Write for List {
    fn outcomes(
        weighted: Vec<(Self, Weight)>,
        total: Weight,
    ) -> Result<(Outcomes, Unit, Shape), Overflow> {
        let outcomes = Outcomes::from_lists(Distribution::new(weighted, total));
        Ok((outcomes, Unit::WHOLE, Shape::Numbers))
    }
}

impl<const N: usize> Outcome for [Integer; N] {}
impl<const N: usize> Listed for [Integer; N] {}

impl<const N: usize> Read for [Integer; N] {
    const NAME: &'static str = "that many whole numbers";

    fn fits(answer: &Answer) -> bool {
        let outcomes = answer.outcomes();
        List::fits(answer)
            && outcomes
                .iter()
                .all(|(value, _)| value.members().count() == N)
    }

    fn read(value: Value<'_>, unit: &Unit) -> Self {
        let list = List::read(value, unit);
        list.try_into().expect("each value has that many members")
    }

    fn place(&self, answer: &Answer) -> Option<usize> {
        self.to_vec().place(answer)
    }

    fn number(&self, unit: &Unit) -> Option<Integer> {
        self.to_vec().number(unit)
    }

    #[cfg(feature = "serde")]
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        super::written::list(self, serializer)
    }
}

impl<const N: usize> Write for [Integer; N] {
    fn outcomes(
        weighted: Vec<(Self, Weight)>,
        total: Weight,
    ) -> Result<(Outcomes, Unit, Shape), Overflow> {
        let lists = weighted.into_iter();
        let lists = lists.map(|(members, weight)| (members.to_vec(), weight));
        List::outcomes(lists.collect(), total)
    }
}

impl Outcome for String {}
impl Listed for String {}

impl Read for String {
    const NAME: &'static str = "labels";

    fn fits(answer: &Answer) -> bool {
        let Outcomes::Members(members) = answer.outcomes() else {
            return false;
        };
        let is_label = |value: &Vec<Member>| matches!(value[..], [Member::Label(_)]);
        members.outcomes().iter().all(is_label)
    }

    fn read(value: Value<'_>, _: &Unit) -> Self {
        match value.members().next() {
            Some(MemberRef::Label(label)) => label.text.to_string(),
            _ => unreachable!("each value is a label"),
        }
    }

    fn place(&self, answer: &Answer) -> Option<usize> {
        let mut values = answer.outcomes().iter();
        values.position(|(value, _)| Self::read(value, &answer.unit) == *self)
    }

    fn number(&self, _: &Unit) -> Option<Integer> {
        None
    }

    #[cfg(feature = "serde")]
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl Write for String {
    fn outcomes(
        mut weighted: Vec<(Self, Weight)>,
        total: Weight,
    ) -> Result<(Outcomes, Unit, Shape), Overflow> {
        weighted.sort();
        let mut texts: Vec<&str> = weighted.iter().map(|(text, _)| &**text).collect();
        texts.dedup();
        let labels = Labels::new(texts);
        let mut members = Vec::with_capacity(weighted.len());
        let mut place = 0;
        for (text, weight) in &weighted {
            while *labels.all()[place].text != **text {
                place += 1;
            }
            let member = Member::Label(labels.all()[place].clone());
            members.push((vec![member], weight.clone()));
        }
        let outcomes = Outcomes::Members(Distribution::new(members, total));
        let is_single = true;
        Ok((outcomes, Unit::WHOLE, Shape::Labels { labels, is_single }))
    }
}

impl Outcome for Vec<Member> {}

impl Read for Vec<Member> {
    const NAME: &'static str = "lists and records of whole numbers and labels";

    fn fits(answer: &Answer) -> bool {
        answer.unit.is_whole()
    }

    fn read(value: Value<'_>, _: &Unit) -> Self {
        let member = |member| match member {
            MemberRef::Label(label) => Member::Label(label.clone()),
            MemberRef::Number(number) => Member::Number(number.clone()),
        };
        value.members().map(member).collect()
    }

    fn place(&self, answer: &Answer) -> Option<usize> {
        answer.outcomes().place(Value::Members(self))
    }

    fn number(&self, unit: &Unit) -> Option<Integer> {
        match &self[..] {
            [Member::Number(number)] => Read::number(number, unit),
            _ => None,
        }
    }

    #[cfg(feature = "serde")]
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        super::written::members(self, serializer)
    }
}

/// The number that a value is.
fn only_number(value: Value<'_>) -> &Integer {
    match value {
        Value::Number(number) => number,
        Value::List(_) | Value::Members(_) => unreachable!("each value is a number"),
    }
}
