//! A rule that was read from a text, and its results.

use std::sync::{Arc, OnceLock};

use crate::error::{Diagnostic, Error, ErrorKind, Remedy};
use crate::limits::Budget;
use crate::notation::{Kind, Parsed, Reading, Settings};
use crate::source::Source;

/// A rule of a text with its settings. A clone shares the results.
#[derive(Clone, Debug)]
pub(super) struct Text {
    source: Arc<Source>,
    parsed: Parsed,
    settings: Settings,
    readings: Arc<OnceLock<Result<Vec<Reading>, Error>>>,
    /// Which of the results it is, if it is one of several.
    place: Option<usize>,
}

impl Text {
    pub(super) fn new(source: &Arc<Source>, parsed: Parsed) -> Self {
        Self {
            source: Arc::clone(source),
            parsed,
            settings: Settings::default(),
            readings: Arc::default(),
            place: None,
        }
    }

    /// The rule with other settings.
    pub(super) fn with(self, change: impl FnOnce(Settings) -> Settings) -> Self {
        Self {
            settings: change(self.settings),
            readings: Arc::default(),
            ..self
        }
    }

    /// The rule of one of the results.
    pub(super) fn only(&self, place: usize) -> Self {
        Self {
            place: self.place.or(Some(place)),
            ..self.clone()
        }
    }

    pub(super) fn source(&self) -> &Source {
        &self.source
    }

    pub(super) fn parsed(&self) -> &Parsed {
        &self.parsed
    }

    /// The results, which are found once, within a budget. If a limit is reached, a later call may find them within another budget. A rule
    /// that is one of several results has only itself.
    pub(super) fn readings(&self, budget: &Budget<'_>) -> Result<&[Reading], Error> {
        if self.readings.get().is_none() {
            let readings = self.parsed.lower_within(&self.settings, budget);
            let readings = readings.map_err(with_method);
            if let Err(error) = &readings
                && error.limit().is_some()
            {
                return Err(error.clone());
            }
            // Another thread may have been faster.
            let _ = self.readings.set(readings);
        }
        let readings = self.readings.get().map(Result::as_deref);
        let readings = readings.expect("the results were found");
        let readings = readings.map_err(Error::clone)?;
        match self.place {
            None => Ok(readings),
            Some(place) => readings.get(place..=place).ok_or_else(|| {
                let message = format!(
                    "with these values there is no result {}, but only {}",
                    place + 1,
                    readings.len()
                );
                let finding = Diagnostic::new(self.parsed.span(), message);
                let help = "give it all values before `Rule::results`";
                Error::new(ErrorKind::Type, finding.with_help(help))
            }),
        }
    }

    /// Whether the rule has no outcomes.
    pub(super) fn is_of_nothing(&self, budget: &Budget<'_>) -> bool {
        let result = self.result(budget);
        result.is_ok_and(|reading| reading.kind == Kind::Nothing)
    }

    /// The only result.
    pub(super) fn result(&self, budget: &Budget<'_>) -> Result<&Reading, Error> {
        match self.readings(budget)? {
            [reading] => Ok(reading),
            readings => {
                let message = format!("the rule has {} results", readings.len());
                let finding = Diagnostic::new(self.parsed.span(), message);
                let finding = if readings.is_empty() {
                    finding
                } else {
                    finding.with_help("`Rule::results` gives each result as a rule")
                };
                Err(Error::new(ErrorKind::Type, finding))
            }
        }
    }
}

/// The error, with help that names the method for giving a free name its value.
fn with_method(error: Error) -> Error {
    error.map(|finding| {
        let mut remedies = finding.remedies.iter();
        let Some(name) = remedies.find_map(Remedy::name) else {
            return finding;
        };
        let method = format!("give it a value with `Rule::with(\"{name}\", …)`");
        let help = match &finding.help {
            Some(help) if !finding.corrections.is_empty() => format!("{help}, and {method}"),
            Some(help) => format!("{help}, or {method}"),
            None => method,
        };
        finding.with_help(help)
    })
}
