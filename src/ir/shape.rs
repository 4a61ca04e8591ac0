//! What the members of a program's value stand for: numbers, labels, or records with named parts.
//!
//! The core language has only integers. A notation with labels and records computes with integers that stand for them, and
//! says in the [`Shape`] of its program how they are read back. Reports see [`Member`]s alone.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::number::Integer;

/// A value that is a text, such as `miss`.
///
/// Labels have an order, which is that of their first appearance; it decides only in which order they are shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// The place in the order.
    pub place: u32,
    /// The text, without quotes.
    pub text: Arc<str>,
}

impl Ord for Label {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.place, &self.text).cmp(&(other.place, &other.text))
    }
}

impl PartialOrd for Label {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A number or a label. All numbers come before all labels.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Member {
    /// A number.
    Number(Integer),
    /// A label.
    Label(Label),
}

impl Member {
    /// The number, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<&Integer> {
        match self {
            Self::Label(_) => None,
            Self::Number(number) => Some(number),
        }
    }
}

impl fmt::Display for Member {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Label(label) => label.text.fmt(formatter),
            Self::Number(number) => number.fmt(formatter),
        }
    }
}

/// Some labels, by which integers stand for numbers and labels: of m labels the i-th is the integer i, counted from 1, and the
/// number n is n(m + 1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Labels {
    all: Arc<[Label]>,
    /// The index of each text.
    places: Arc<BTreeMap<Arc<str>, usize>>,
}

impl Labels {
    /// These texts as labels, in their order.
    #[must_use]
    pub fn new<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let labels = (0..).zip(texts).map(|(place, text)| Label {
            place,
            text: text.into(),
        });
        Self::of(labels.collect())
    }

    fn of(all: Arc<[Label]>) -> Self {
        let texts = all.iter().map(|label| Arc::clone(&label.text));
        let places = texts.zip(0..).collect();
        Self {
            places: Arc::new(places),
            all,
        }
    }

    /// The labels in their order.
    #[must_use]
    pub fn all(&self) -> &[Label] {
        &self.all
    }

    /// The integer of a label, which is its place counted from 1.
    #[must_use]
    pub fn code(&self, text: &str) -> Option<Integer> {
        let place = self.places.get(text)?;
        Some(Integer::from(place + 1))
    }

    /// The integer that stands for the number 1.
    #[must_use]
    pub fn unit(&self) -> Integer {
        Integer::from(self.all.len() + 1)
    }

    /// The number or label that an integer stands for.
    #[must_use]
    pub fn read(&self, code: &Integer) -> Member {
        let unit = self.unit();
        let place = code.mod_floor(&unit).and_then(|place| place.to_usize());
        match place.and_then(|place| place.checked_sub(1)) {
            Some(place) => Member::Label(self.all[place].clone()),
            None => Member::Number(code.div_floor(&unit).unwrap_or_default()),
        }
    }
}

/// A part of a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The name.
    pub name: Arc<str>,
    /// Whether the part is an integer that [`Labels`] read. Otherwise it is a number.
    pub has_labels: bool,
}

/// How records are packed into integers.
///
/// The integer of a record is the sum of its parts, each less the least value of that part, times the number of values of all
/// later parts together. So packed records have the order of their parts, the first part deciding first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Packing(Box<[Digit]>);

/// A part of a packed record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Digit {
    /// The least value.
    pub low: Integer,
    /// The number of values.
    pub count: Integer,
    /// What one more of the part adds to the integer.
    pub step: Integer,
}

impl Packing {
    /// The packing for parts with these least and greatest values; `None` if its integers are too long.
    #[must_use]
    pub fn new(ranges: &[[Integer; 2]]) -> Option<Self> {
        let mut step = Integer::ONE;
        let mut digits = Vec::with_capacity(ranges.len());
        for [low, high] in ranges.iter().rev() {
            let count = high.sub(low).ok()?.add(&Integer::ONE).ok()?;
            let next = step.mul(&count).ok()?;
            digits.push(Digit {
                low: low.clone(),
                count,
                step,
            });
            step = next;
        }
        digits.reverse();
        Some(Self(digits.into()))
    }

    /// The parts.
    #[must_use]
    pub fn digits(&self) -> &[Digit] {
        &self.0
    }

    /// The integer of the record whose parts are all 0, which may lie outside of their ranges.
    #[must_use]
    pub fn offset(&self) -> Option<Integer> {
        let zeros = vec![Integer::ZERO; self.0.len()];
        self.pack(&zeros)
    }

    /// The integer of a record; `None` if it is too long.
    #[must_use]
    pub fn pack(&self, parts: &[Integer]) -> Option<Integer> {
        let mut packed = Integer::ZERO;
        for (part, digit) in parts.iter().zip(&self.0) {
            let places = part.sub(&digit.low).ok()?;
            packed = packed.add(&places.mul(&digit.step).ok()?).ok()?;
        }
        Some(packed)
    }

    /// The parts of the record of an integer.
    #[must_use]
    pub fn unpack(&self, packed: &Integer) -> Vec<Integer> {
        let parts = self.0.iter().map(|digit| {
            let places = packed.div_floor(&digit.step)?.mod_floor(&digit.count)?;
            places.add(&digit.low).ok()
        });
        parts.map(Option::unwrap_or_default).collect()
    }
}

/// What the members of a program's value stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// Each member is a number.
    #[default]
    Numbers,
    /// Each member is read by the labels.
    Labels {
        /// The labels.
        labels: Labels,
        /// Whether the value always has exactly one member.
        is_single: bool,
    },
    /// The value is one record: its parts in order.
    Record {
        /// The parts.
        parts: Arc<[Part]>,
        /// The labels that read those parts that have labels.
        labels: Labels,
    },
    /// Each member is a record, packed into an integer.
    Records {
        /// The parts.
        parts: Arc<[Part]>,
        /// The labels that read those parts that have labels.
        labels: Labels,
        /// How the records are packed.
        packing: Packing,
        /// Whether the value always has exactly one member.
        is_single: bool,
    },
}

impl Shape {
    /// The names of the parts, if the members are records.
    #[must_use]
    pub fn parts(&self) -> Option<&Arc<[Part]>> {
        match self {
            Self::Labels { .. } | Self::Numbers => None,
            Self::Record { parts, .. } | Self::Records { parts, .. } => Some(parts),
        }
    }

    /// Whether the value is always one number, label or record.
    #[must_use]
    pub fn is_single(&self) -> bool {
        match self {
            Self::Labels { is_single, .. } | Self::Records { is_single, .. } => *is_single,
            Self::Numbers => false,
            Self::Record { .. } => true,
        }
    }

    /// The labels.
    #[must_use]
    pub fn labels(&self) -> &[Label] {
        match self {
            Self::Labels { labels, .. }
            | Self::Record { labels, .. }
            | Self::Records { labels, .. } => labels.all(),
            Self::Numbers => &[],
        }
    }

    /// Gives each label the place that a function says.
    pub fn place_labels(&mut self, place: impl Fn(&str) -> u32) {
        if let Self::Labels { labels, .. }
        | Self::Record { labels, .. }
        | Self::Records { labels, .. } = self
        {
            let placed = labels.all().iter().map(|label| Label {
                place: place(&label.text),
                text: Arc::clone(&label.text),
            });
            *labels = Labels::of(placed.collect());
        }
    }

    /// What a list of integers stands for: numbers and labels, or the parts of one record after the other.
    #[must_use]
    pub fn read(&self, list: &[Integer]) -> Vec<Member> {
        let part = |part: &Part, labels: &Labels, value: &Integer| {
            if part.has_labels {
                labels.read(value)
            } else {
                Member::Number(value.clone())
            }
        };
        match self {
            Self::Numbers => list.iter().cloned().map(Member::Number).collect(),
            Self::Labels { labels, .. } => list.iter().map(|code| labels.read(code)).collect(),
            Self::Record { parts, labels } => {
                let parts = parts.iter().zip(list);
                parts.map(|(of, value)| part(of, labels, value)).collect()
            }
            Self::Records {
                parts,
                labels,
                packing,
                ..
            } => {
                let mut members = Vec::with_capacity(list.len() * parts.len());
                for packed in list {
                    let values = packing.unpack(packed);
                    let values = parts.iter().zip(&values);
                    members.extend(values.map(|(of, value)| part(of, labels, value)));
                }
                members
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_labels_are_told_apart() {
        let labels = Labels::new(["miss", "hit"]);
        let read = |code: i64| labels.read(&code.into()).to_string();
        let shown = [-6, -3, 0, 1, 2, 3, 15].map(read);
        assert_eq!(shown, ["-2", "-1", "0", "miss", "hit", "1", "5"]);
        assert_eq!(labels.code("hit"), Some(2.into()));
    }

    #[test]
    fn packed_records_are_unpacked_part_by_part() {
        let part = |name: &str| Part {
            name: name.into(),
            has_labels: false,
        };
        let shape = Shape::Records {
            parts: [part("a"), part("b")].into(),
            labels: Labels::default(),
            packing: Packing::new(&[[(-2).into(), 2.into()], [0.into(), 2.into()]]).unwrap(),
            is_single: false,
        };
        // (-2, 0) is 0, (-2, 2) is 2, (-1, 0) is 3 and (2, 2) is 14.
        let read = shape.read(&[0.into(), 2.into(), 3.into(), 14.into()]);
        let read: Vec<String> = read.iter().map(Member::to_string).collect();
        assert_eq!(read, ["-2", "0", "-2", "2", "-1", "0", "2", "2"]);
    }
}
