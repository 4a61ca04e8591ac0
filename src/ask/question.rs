//! What is asked.

use super::asked::Asked;
use super::text::Text;
use super::values::Setting;
use crate::engine::estimate::Request;
use crate::notation::Settings;
use crate::source::Source;

/// A question about rules. The default question has no rules.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Question {
    /// The texts of the rules.
    pub texts: Vec<Text>,
    /// The values of free names. A rule has one series for each combination of values of its names.
    pub settings: Vec<Setting>,
    /// The probabilities that are asked for.
    pub asked: Vec<Asked>,
    /// How rules are read, without the values of free names.
    pub reading: Settings,
    /// Whether lists are shown in order rather than as multisets.
    pub ordered: bool,
    /// The part of records that is shown instead of the whole records.
    pub part: Option<String>,
    /// How a rule is sampled whose exact answer takes too long; `None` for never.
    pub sampling: Option<Request>,
    /// Whether only the probabilities that are asked for are shown: the answers list nothing else.
    pub queries_only: bool,
    /// The most values of all rules that are looked at one by one, so that a picture marks those for which a condition holds.
    pub marked: usize,
}

impl Question {
    /// The question for the distributions of the rules in a text, whose notation is found rule by rule.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self {
            texts: vec![Text::new(Source::new("rule", text))],
            ..Self::default()
        }
    }
}
