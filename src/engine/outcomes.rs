//! Outcomes: the values of a rule that are listed, with their weights.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use crate::algebra::{Distribution, Law, Listing, Weight};
use crate::ir::{Label, Member, Shape};
use crate::number::{Integer, Unit};
use crate::source::shown;

/// A value of a rule as the list of its members.
pub type List = Vec<Integer>;

/// Listed outcomes: all numbers, or lists.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcomes {
    /// Every outcome has exactly one member.
    Numbers(Distribution<Integer>),
    /// Some outcome is a list that does not have exactly one member.
    Lists(Distribution<List>),
    /// Labels, records, or lists of them. A record is the list of its parts, and a list of records has the parts of one after those of
    /// the other; [`Answer::shape`](crate::engine::Answer::shape) says which it is.
    Members(Distribution<Vec<Member>>),
}

/// A value of a rule, borrowed from [`Outcomes`]. Values are compared member by member, and a beginning comes before its
/// extensions.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Value<'a> {
    /// A number.
    Number(&'a Integer),
    /// The members of a list.
    List(&'a [Integer]),
    /// The members of [`Outcomes::Members`].
    Members(&'a [Member]),
}

impl Outcomes {
    /// The outcomes of an evaluator of lists: as numbers where every list has exactly one member.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "never: each list has one member")]
    pub fn from_lists(lists: Distribution<List>) -> Self {
        if lists.outcomes().iter().all(|list| list.len() == 1) {
            Self::Numbers(lists.relabelled(|mut list| list.pop().expect("one member")))
        } else {
            Self::Lists(lists)
        }
    }

    /// The common denominator.
    #[must_use]
    pub fn total(&self) -> &Weight {
        match self {
            Self::Numbers(numbers) => numbers.total(),
            Self::Lists(lists) => lists.total(),
            Self::Members(members) => members.total(),
        }
    }

    /// How many outcomes are listed.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Lists(lists) => lists.len(),
            Self::Members(members) => members.len(),
        }
    }

    /// Whether no outcome is listed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The distribution of numbers, if every outcome is a number.
    #[must_use]
    pub fn numbers(&self) -> Option<&Distribution<Integer>> {
        match self {
            Self::Numbers(numbers) => Some(numbers),
            Self::Lists(_) | Self::Members(_) => None,
        }
    }

    /// The value at an index.
    ///
    /// # Panics
    ///
    /// If there is no such index.
    #[must_use]
    pub fn value(&self, index: usize) -> Value<'_> {
        match self {
            Self::Numbers(numbers) => Value::Number(&numbers.outcomes()[index]),
            Self::Lists(lists) => Value::List(&lists.outcomes()[index]),
            Self::Members(members) => Value::Members(&members.outcomes()[index]),
        }
    }

    /// The index of a value, if it is listed.
    #[must_use]
    pub fn place(&self, value: Value<'_>) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.value(middle).cmp(&value) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Some(middle),
                Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The weights of the values, in their order. The first call makes a number for each weight.
    #[must_use]
    pub fn weights(&self) -> &[Weight] {
        match self {
            Self::Numbers(numbers) => numbers.weights(),
            Self::Lists(lists) => lists.weights(),
            Self::Members(members) => members.weights(),
        }
    }

    /// Values with their weights, ascending. Lists compare member by member, and a prefix comes before its
    /// extensions.
    pub fn iter(&self) -> impl Iterator<Item = (Value<'_>, &Weight)> {
        let weights = self.weights().iter();
        weights
            .enumerate()
            .map(|(index, weight)| (self.value(index), weight))
    }
}

impl Listing for Outcomes {
    fn total(&self) -> &Weight {
        self.total()
    }

    fn mass(&self) -> Weight {
        match self {
            Self::Numbers(numbers) => numbers.mass(),
            Self::Lists(lists) => lists.mass(),
            Self::Members(members) => members.mass(),
        }
    }

    fn weight_between(&self, low: Option<&Integer>, high: Option<&Integer>) -> Weight {
        match self {
            Self::Numbers(numbers) => numbers.weight_between(low, high),
            Self::Lists(lists) => lists.weight_between(low, high),
            Self::Members(_) => Weight::ZERO,
        }
    }
}

impl From<Law> for Law<Outcomes> {
    /// Drops the source of the law, so that the answer can list no further outcomes, but knows that there are some.
    fn from(law: Law) -> Self {
        let mut law = law.relisted(|numbers| Outcomes::Numbers(numbers.into_distribution()));
        if let Some(unlisted) = &mut law.unlisted {
            unlisted.is_endless = unlisted.source.take().is_some();
        }
        law
    }
}

impl<'a> Value<'a> {
    /// The members. A number has one.
    pub fn members(self) -> impl Iterator<Item = MemberRef<'a>> + Clone {
        let (numbers, members) = match self {
            Self::Number(number) => (std::slice::from_ref(number), [].as_slice()),
            Self::List(list) => (list, [].as_slice()),
            Self::Members(members) => ([].as_slice(), members),
        };
        let members = members.iter().map(|member| match member {
            Member::Label(label) => MemberRef::Label(label),
            Member::Number(number) => MemberRef::Number(number),
        });
        numbers.iter().map(MemberRef::Number).chain(members)
    }

    /// The members, if they are stored as numbers: not those of [`Value::Members`].
    #[must_use]
    pub fn numbers(self) -> Option<&'a [Integer]> {
        match self {
            Self::Number(number) => Some(std::slice::from_ref(number)),
            Self::List(list) => Some(list),
            Self::Members(_) => None,
        }
    }

    /// The number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Number(_) => 1,
            Self::List(list) => list.len(),
            Self::Members(members) => members.len(),
        }
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A member of a [`Value`]: a number or a label. All numbers come before all labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MemberRef<'a> {
    /// A number.
    Number(&'a Integer),
    /// A label.
    Label(&'a Label),
}

impl Ord for Value<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.members().cmp(other.members())
    }
}

impl PartialOrd for Value<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value<'_> {}

impl Hash for Value<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.members().for_each(|member| member.hash(state));
    }
}

impl Value<'_> {
    /// Each member as people read it, labels without quotes.
    pub fn texts<'s>(&'s self, unit: &'s Unit) -> impl Iterator<Item = String> + 's {
        self.members().map(|member| match member {
            MemberRef::Label(label) => shown(&label.text).into_owned(),
            MemberRef::Number(number) => unit.show(number),
        })
    }

    /// The value as people read it: the members separated by blanks, and nothing for the empty list. A number is in the unit.
    /// Labels stand between quotes, unless the value is always one label; parts of records have their names.
    #[must_use]
    pub fn show(&self, unit: &Unit, shape: &Shape) -> String {
        self.joined(shape, |member| unit.show(member))
    }

    /// As [`Value::show`], with numbers as integers or fractions in lowest terms.
    #[must_use]
    pub fn exact(&self, unit: &Unit, shape: &Shape) -> String {
        self.joined(shape, |member| unit.exact(member))
    }

    fn joined(&self, shape: &Shape, number: impl Fn(&Integer) -> String) -> String {
        let text = |member| match member {
            MemberRef::Number(member) => number(member),
            MemberRef::Label(label) if shape.is_single() => shown(&label.text).into_owned(),
            MemberRef::Label(label) => format!("\"{}\"", shown(&label.text)),
        };
        let members: Vec<String> = self.members().map(text).collect();
        let Some(parts) = shape.parts() else {
            return members.join(" ");
        };
        let record = |values: &[String]| {
            let parts = parts.iter().zip(values);
            let parts: Vec<String> = parts
                .map(|(part, value)| format!("{}: {value}", shown(&part.name)))
                .collect();
            if shape.is_single() {
                parts.join(", ")
            } else {
                format!("{{{}}}", parts.join(", "))
            }
        };
        let records: Vec<String> = members.chunks(parts.len().max(1)).map(record).collect();
        records.join(" ")
    }
}
