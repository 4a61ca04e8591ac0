//! A question as the page asks it, and as a link holds it.

use std::fmt;
use std::time::Duration;

use dicedist::ask;
use dicedist::notation::{Settings, Wanted};
use dicedist::report::{self, Style};
use dicedist::{Dialect, Limits};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

/// A text of rules, and everything that is asked about it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct Question {
    pub(crate) text: String,
    /// The notation; `None` if it is to be recognised.
    pub(crate) dialect: Option<String>,
    /// Values for free names, as `--set` takes them, in their order.
    #[serde(deserialize_with = "in_order")]
    pub(crate) values: Vec<(String, String)>,
    pub(crate) asked: Vec<Asked>,
    pub(crate) ordered: bool,
    pub(crate) pool: bool,
    pub(crate) default_sides: Option<u32>,
    pub(crate) exact: bool,
    pub(crate) samples: u64,
    pub(crate) seed: u64,
    pub(crate) seconds: f64,
    pub(crate) megabytes: u64,
    pub(crate) states: u64,
    /// The largest probability that may stay unresolved, such as `1e-6`; `None` for the usual one.
    pub(crate) tolerance: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) view: View,
    pub(crate) layout: Layout,
    pub(crate) digits: Option<u8>,
}

/// A chance that is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    pub(crate) kind: Kind,
    pub(crate) text: String,
}

/// Of what a chance is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    AtLeast,
    AtMost,
    Exactly,
    Chance,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum View {
    #[default]
    Exactly,
    AtLeast,
    AtMost,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Layout {
    #[default]
    Normal,
    Transposed,
    Summary,
}

impl Default for Question {
    fn default() -> Self {
        Self {
            text: String::new(),
            dialect: None,
            values: Vec::new(),
            asked: Vec::new(),
            ordered: false,
            pool: false,
            default_sides: None,
            exact: false,
            samples: 1_000_000,
            seed: 1,
            seconds: 10.0,
            megabytes: 512,
            states: 2_000_000,
            tolerance: None,
            title: None,
            view: View::default(),
            layout: Layout::default(),
            digits: None,
        }
    }
}

impl Question {
    /// The notation that the question names.
    pub(crate) fn dialect(&self) -> Option<Dialect> {
        self.dialect.as_deref()?.parse().ok()
    }

    /// The names that have values.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        self.values.iter().map(|(name, _)| name.clone())
    }

    /// How much the answer may cost.
    ///
    /// # Errors
    ///
    /// What is wrong with the tolerance, in words.
    pub(crate) fn limits(&self) -> Result<Limits, String> {
        let time = Duration::try_from_secs_f64(self.seconds).unwrap_or(Duration::MAX);
        let limits = Limits::default()
            .with_time(Some(time))
            .with_states(self.states)
            .with_memory(self.megabytes.saturating_mul(1 << 20));
        Ok(match &self.tolerance {
            Some(text) => limits.with_tolerance(ask::typed::tolerance(text)?),
            None => limits,
        })
    }

    /// The settings that rules are read with, without values.
    pub(crate) fn settings(&self) -> Settings {
        let wanted = if self.pool {
            Wanted::Pool
        } else {
            Wanted::Number
        };
        let settings = Settings::default().with_wanted(wanted);
        match self.default_sides {
            Some(sides) => settings.with_default_sides(sides),
            None => settings,
        }
    }

    /// How answers are shown, without the chances that are asked for.
    pub(crate) fn style(&self) -> Style {
        let mut style = Style::default();
        if let Some(digits) = self.digits {
            style.digits = digits.into();
        }
        style.view = match self.view {
            View::Exactly => report::View::Exactly,
            View::AtLeast => report::View::AtLeast,
            View::AtMost => report::View::AtMost,
        };
        style.layout = match self.layout {
            Layout::Normal => report::Layout::Listing,
            Layout::Transposed => report::Layout::Transposed,
            Layout::Summary => report::Layout::Summary,
        };
        style.title.clone_from(&self.title);
        style
    }
}

/// The entries of an object in the order of the text.
fn in_order<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(String, String)>, D::Error> {
    struct Entries;

    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<(String, String)>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an object of texts")
        }

        fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = map.next_entry()? {
                entries.push(entry);
            }
            Ok(entries)
        }
    }

    from.deserialize_map(Entries)
}
