//! Values, their laws, and what a consumer asks for of a list.

use std::collections::BTreeMap;
use std::rc::Rc;

use dicedist::number::Fraction;
use num_traits::{One, Zero};

use super::tree::Word;

/// A member of a list. Numbers come before records, and records before labels.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Member {
    Number(i128),
    Record(Names, Vec<Member>),
    Label(Word),
    /// The values of the states of a loop.
    States(Vec<Value>),
}

pub(super) type Value = Vec<Member>;

/// The names of the parts of a record.
pub(super) type Names = Rc<[Word]>;

pub(super) fn number(number: i128) -> Value {
    vec![Member::Number(number)]
}

pub(super) fn condition(holds: bool) -> Value {
    if holds { number(1) } else { Value::new() }
}

/// A kind of error, as JSON has it.
pub(super) type Failure = &'static str;

/// A distribution. All parts together are 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Law {
    pub(super) values: BTreeMap<Value, Fraction>,
    pub(super) errors: BTreeMap<Failure, Fraction>,
    pub(super) never: Fraction,
    /// What a condition after `given` leaves out, and what never ends before it.
    pub(super) left_out: Fraction,
    /// What may be anything, also an error.
    pub(super) open: Fraction,
}

impl Law {
    pub(super) fn certain(value: Value) -> Self {
        Self {
            values: BTreeMap::from([(value, Fraction::one())]),
            ..Self::default()
        }
    }

    pub(super) fn error(failure: Failure) -> Self {
        Self {
            errors: BTreeMap::from([(failure, Fraction::one())]),
            ..Self::default()
        }
    }

    pub(super) fn never() -> Self {
        Self {
            never: Fraction::one(),
            ..Self::default()
        }
    }

    pub(super) fn left_out() -> Self {
        Self {
            left_out: Fraction::one(),
            ..Self::default()
        }
    }

    pub(super) fn open() -> Self {
        Self {
            open: Fraction::one(),
            ..Self::default()
        }
    }

    pub(super) fn uniform(values: Vec<Value>) -> Self {
        let share = Fraction::new(1.into(), values.len().into());
        let mut law = Self::default();
        for value in values {
            *law.values.entry(value).or_default() += &share;
        }
        law
    }

    /// The law of everything but the values.
    pub(super) fn without_values(&self) -> Self {
        Self {
            values: BTreeMap::new(),
            ..self.clone()
        }
    }

    /// The probability of an error of any kind.
    pub(super) fn fails(&self) -> Fraction {
        self.errors.values().sum()
    }

    pub(super) fn is_sure(&self) -> bool {
        self.errors.is_empty() && self.never.is_zero() && self.open.is_zero()
    }

    pub(super) fn total(&self) -> Fraction {
        let values: Fraction = self.values.values().sum();
        values + self.fails() + &self.never + &self.left_out + &self.open
    }

    /// Whether some path is over.
    pub(super) fn exits(&self) -> bool {
        !self.total().is_zero()
    }

    pub(super) fn add(&mut self, law: &Self, share: &Fraction) {
        for (value, weight) in &law.values {
            *self.values.entry(value.clone()).or_default() += weight * share;
        }
        for (failure, weight) in &law.errors {
            *self.errors.entry(failure).or_default() += weight * share;
        }
        let rest = [
            (&mut self.never, &law.never),
            (&mut self.left_out, &law.left_out),
            (&mut self.open, &law.open),
        ];
        for (own, weight) in rest {
            if !weight.is_zero() {
                *own += weight * share;
            }
        }
    }

    /// The law of the rolls that are kept, and the probability that one is kept with what is open of it. Errors are of all rolls.
    pub(super) fn kept(&self) -> Option<Self> {
        let kept = self.values.values().sum::<Fraction>() + &self.never + &self.open;
        if kept.is_zero() {
            return None;
        }
        let share = kept.recip();
        let mut law = Self::default();
        law.add(
            &Self {
                left_out: Fraction::zero(),
                errors: BTreeMap::new(),
                ..self.clone()
            },
            &share,
        );
        Some(law)
    }
}

/// Why there is no judgement: the numbers, or the work, are too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// What a consumer asks for of a list: the members that pass the filters, as far as the kind tells them apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ask {
    pub(super) filters: Vec<(&'static str, Member)>,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Whether there is any member.
    Any,
    Count,
    First(usize),
    High(usize),
    Last(usize),
    List,
    Low(usize),
    Multiset,
    Product,
    Sum,
}

impl Kind {
    pub(super) fn all(self) -> Ask {
        Ask {
            filters: Vec::new(),
            kind: self,
        }
    }

    pub(super) fn has_order(self) -> bool {
        matches!(self, Self::First(_) | Self::Last(_) | Self::List)
    }

    /// Whether few values are possible if there are few different members.
    pub(super) fn is_bounded(self) -> bool {
        !matches!(
            self,
            Self::Count | Self::List | Self::Multiset | Self::Product | Self::Sum
        )
    }

    /// How a list is asked for, if its order matters or not.
    pub(super) fn whole(has_order: bool) -> Ask {
        if has_order {
            Self::List.all()
        } else {
            Self::Multiset.all()
        }
    }

    /// What is asked for of a list. Where a label makes a sum senseless, the label is the answer.
    pub(super) fn of(self, mut list: Value) -> Result<Value, TooLong> {
        let is_label = |member: &Member| !matches!(member, Member::Number(_));
        let fold = |list: &Value, start: i128, operate: fn(i128, i128) -> Option<i128>| {
            if let Some(label) = list.iter().find(|member| is_label(member)) {
                return Ok(vec![label.clone()]);
            }
            let mut folded = start;
            for member in list {
                let Member::Number(member) = member else {
                    continue;
                };
                folded = operate(folded, *member).ok_or(TooLong)?;
            }
            Ok(number(folded))
        };
        let has_label = list.iter().any(|member| matches!(member, Member::Label(_)));
        Ok(match self {
            Self::Any => condition(!list.is_empty()),
            Self::Count => number(list.len() as i128),
            Self::First(n) => {
                list.truncate(n);
                list
            }
            Self::High(n) if !has_label => {
                list.sort();
                list.split_off(list.len().saturating_sub(n))
            }
            Self::Last(n) => list.split_off(list.len().saturating_sub(n)),
            Self::List => list,
            Self::Low(n) if !has_label => {
                list.sort();
                list.truncate(n);
                list
            }
            Self::High(_) | Self::Low(_) | Self::Multiset => {
                list.sort();
                list
            }
            Self::Product => fold(&list, 1, i128::checked_mul)?,
            Self::Sum => fold(&list, 0, i128::checked_add)?,
        })
    }

    /// What is asked for of two lists one after the other.
    pub(super) fn merged(self, a: &Value, b: &Value) -> Result<Value, TooLong> {
        let both = [a.as_slice(), b].concat();
        match self {
            Self::Count => Self::Sum.of(both),
            _ => self.of(both),
        }
    }
}

impl Ask {
    pub(super) fn filtered(&self, comparison: &'static str, bound: Member) -> Self {
        let mut filters = vec![(comparison, bound)];
        filters.extend(self.filters.iter().cloned());
        Self {
            filters,
            kind: self.kind,
        }
    }

    pub(super) fn of(&self, mut list: Value) -> Result<Value, TooLong> {
        list.retain(|member| {
            let mut filters = self.filters.iter();
            filters.all(|(comparison, bound)| holds(comparison, member, bound))
        });
        self.kind.of(list)
    }
}

pub(super) fn holds(comparison: &str, a: &Member, b: &Member) -> bool {
    match comparison {
        "==" => a == b,
        "!=" => a != b,
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        ">=" => a >= b,
        _ => unreachable!("{comparison} is no comparison"),
    }
}
