//! Outcomes in the formats of serde.

use serde::ser::{Serialize, Serializer};

use crate::ir::Member;
use crate::number::{Fraction, Integer};

/// A number, or the text of one beyond 64 bits.
pub(super) fn integer<S: Serializer>(number: &Integer, serializer: S) -> Result<S::Ok, S::Error> {
    match number.to_i64() {
        Some(number) => serializer.serialize_i64(number),
        None => serializer.collect_str(number),
    }
}

pub(super) fn fraction<S: Serializer>(number: &Fraction, serializer: S) -> Result<S::Ok, S::Error> {
    match Integer::from_big(number.numer().clone()) {
        Ok(whole) if number.is_integer() => integer(&whole, serializer),
        _ => serializer.collect_str(number),
    }
}

pub(super) fn list<S: Serializer>(numbers: &[Integer], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(numbers.iter().map(Number))
}

pub(super) fn members<S: Serializer>(members: &[Member], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(members.iter().map(WrittenMember))
}

struct Number<'n>(&'n Integer);

impl Serialize for Number<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        integer(self.0, serializer)
    }
}

struct WrittenMember<'m>(&'m Member);

impl Serialize for WrittenMember<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Member::Label(label) => serializer.serialize_str(&label.text),
            Member::Number(number) => integer(number, serializer),
        }
    }
}
