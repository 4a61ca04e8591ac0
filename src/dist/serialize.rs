//! Distributions in the formats of serde.

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use super::outcome::Read;
use super::{Dist, Outcome};
use crate::engine::Value;
use crate::number::Fraction;

/// A structure with the fields `outcomes`, `below`, `above`, `unresolved` and `never_ends`.
///
/// `outcomes` lists pairs of an outcome and its probability; the tails are such pairs or nothing, and the others are probabilities.
/// A probability is a text, such as `"7/432"`. An outcome is a number, a boolean, a text or a list. An integer beyond 64 bits and a fraction
/// are texts.
///
/// # Examples
///
/// ```
/// use dicedist::Dist;
///
/// let coin: Dist = Dist::uniform(0..=1);
/// let json = serde_json::to_value(&coin)?;
/// assert_eq!(json["outcomes"], serde_json::json!([[0, "1/2"], [1, "1/2"]]));
/// # Ok::<(), serde_json::Error>(())
/// ```
impl<T: Outcome> Serialize for Dist<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let outcomes: Vec<_> = self
            .iter()
            .map(|(outcome, chance)| pair(outcome, &chance))
            .collect();
        let tail = |tail: Option<&crate::algebra::Tail>| {
            tail.map(|tail| {
                let chance = self.answer.probability(&tail.weight);
                pair(
                    T::read(Value::Number(&tail.bound), &self.answer.unit),
                    &chance,
                )
            })
        };
        let mut fields = serializer.serialize_struct("Dist", 5)?;
        fields.serialize_field("outcomes", &outcomes)?;
        fields.serialize_field("below", &tail(self.answer.below()))?;
        fields.serialize_field("above", &tail(self.answer.above()))?;
        fields.serialize_field("unresolved", &self.unresolved().to_string())?;
        fields.serialize_field("never_ends", &self.never_ends().to_string())?;
        fields.end()
    }
}

fn pair<T: Outcome>(outcome: T, probability: &Fraction) -> (Written<T>, String) {
    (Written(outcome), probability.to_string())
}

/// An outcome that writes itself.
struct Written<T>(T);

impl<T: Read> Serialize for Written<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
