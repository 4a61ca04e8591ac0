//! The values of the free names of a question.

use std::str::FromStr;

use super::typed::{ends, integer, small};
use crate::number::Integer;
use crate::source::echoed;

/// The most values that one name may have.
const MAX_VALUES: usize = 10_000;

/// A free name with the values that it has, one after the other.
///
/// # Examples
///
/// ```
/// use dicedist::ask::Setting;
///
/// let setting: Setting = "n=1..10..3".parse()?;
/// assert_eq!((setting.name(), setting.values().len()), ("n", 4)); // 1, 4, 7, 10
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    name: String,
    values: Values,
}

/// Some integers: never none, and at most 10,000.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values(Vec<Progression>);

/// A part of a list of values: one integer, or some at equal distances.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Progression {
    One(Integer),
    /// `first`, `first + step`, … : `length` integers.
    Range {
        first: i64,
        step: i64,
        length: usize,
    },
}

impl Progression {
    fn len(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Range { length, .. } => *length,
        }
    }
}

impl Values {
    /// How many values there are.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "there is always a value")]
    pub fn len(&self) -> usize {
        self.0.iter().map(Progression::len).sum()
    }

    /// The value at an index below the length.
    ///
    /// # Panics
    ///
    /// At another index.
    #[must_use]
    pub fn get(&self, mut index: usize) -> Integer {
        for part in &self.0 {
            match part {
                Progression::One(value) if index == 0 => return value.clone(),
                Progression::Range {
                    first,
                    step,
                    length,
                } if index < *length => {
                    let index = i64::try_from(index).expect("at most 10,000 values");
                    return Integer::from(first + step * index);
                }
                part => index -= part.len(),
            }
        }
        unreachable!("the index is below the length")
    }
}

impl Setting {
    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its values, in the order given.
    #[must_use]
    pub fn values(&self) -> &Values {
        &self.values
    }
}

impl FromStr for Setting {
    type Err = String;

    /// Reads `n=5`, `n=1..10`, `n=1..10..3` and `n=1,5,20`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, values_text) = text
            .split_once('=')
            .ok_or("expected NAME=VALUES, such as n=1..10")?;
        let name = name.trim();
        if name.is_empty() {
            return Err("expected a name before '=', such as n=1..10".into());
        }
        let mut values = Values(Vec::new());
        for part in values_text.split(',') {
            if part.contains('=') {
                let part = echoed(part.trim());
                return Err(format!(
                    "'{part}' is no value; give the option once for each name"
                ));
            }
            values.0.push(match part.split_once("..") {
                None => Progression::One(integer(part).map_err(|wrong| match ends(part) {
                    Some((low, high)) => {
                        format!("{wrong}; write {}={low}..{high} for a range", echoed(name))
                    }
                    None => wrong,
                })?),
                Some((first, rest)) => {
                    let (end, step) = rest.split_once("..").unwrap_or((rest, "1"));
                    range(part, small(first)?, small(end)?, small(step)?)?
                }
            });
            if values.len() > MAX_VALUES {
                return Err(format!("more than {MAX_VALUES} values"));
            }
        }
        Ok(Self {
            name: name.into(),
            values,
        })
    }
}

/// `first`, `first + step`, … up to `last`, or one value more than allowed.
fn range(text: &str, first: i64, last: i64, step: i64) -> Result<Progression, String> {
    if step < 1 {
        return Err(format!("the step of '{}' is less than 1", echoed(text)));
    }
    if first > last {
        return Err(format!("the range '{}' is empty", echoed(text)));
    }
    let steps = last.abs_diff(first) / step.unsigned_abs();
    let length = usize::try_from(steps).unwrap_or(usize::MAX).min(MAX_VALUES) + 1;
    Ok(Progression::Range {
        first,
        step,
        length,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_in_other_words_is_suggested_in_its_own() {
        for text in ["n=1-4", "n=1 to 4", "n=1:4", "n=1\u{2013}4"] {
            let wrong = text.parse::<Setting>().unwrap_err();
            assert!(wrong.ends_with("write n=1..4 for a range"), "{wrong}");
        }
    }

    #[test]
    fn settings_list_values_ranges_and_steps() {
        let values = |text: &str| -> Vec<i64> {
            let setting: Setting = text.parse().unwrap();
            let values = (0..setting.values.len()).map(|index| setting.values.get(index));
            values.filter_map(|value| value.to_i64()).collect()
        };
        assert_eq!(values("n=5"), [5]);
        assert_eq!(values("n=-1..1"), [-1, 0, 1]);
        assert_eq!(values("n=1..10..3"), [1, 4, 7, 10]);
        assert_eq!(values("n=1,5,20"), [1, 5, 20]);
        assert_eq!(values("n=1..3,9"), [1, 2, 3, 9]);
        for wrong in [
            "n",
            "=1",
            "n=",
            "n=x",
            "n=3..1",
            "n=1..9..0",
            "n=1..1000000",
        ] {
            assert!(wrong.parse::<Setting>().is_err(), "{wrong}");
        }
    }
}
