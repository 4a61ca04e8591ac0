//! The rules of a call as read, one series for each combination of values that `--set` gives.

use std::collections::{BTreeMap, BTreeSet};

use dicedist::notation::{self, Reading, Rule, Settings};
use dicedist::number::Integer;
use dicedist::report::Refused;
use dicedist::source::Source;
use dicedist::{Diagnostic, Dialect, Error, ErrorKind};

use super::input::Text;
use super::status::Stop;
use super::values::Setting;

/// The most series of one call.
const MAX_SERIES: usize = 10_000;

/// Values of the free variables of a rule.
type Parameters = BTreeMap<String, Integer>;

/// A rule as read, with values for its free variables.
#[derive(Debug)]
pub(super) struct Series<'a> {
    /// The text that the places of the rule refer to.
    pub(super) source: &'a Source,
    /// The place of the rule among the rules of the call, from 0.
    pub(super) rule: usize,
    pub(super) name: String,
    pub(super) expression: String,
    pub(super) dialect: Dialect,
    pub(super) parameters: Parameters,
    pub(super) reading: Reading,
}

impl Series<'_> {
    /// The name with the values of the free variables, on one line.
    pub(super) fn label(&self) -> String {
        label(&self.name, &self.parameters)
    }

    /// This series as one that could not be answered.
    pub(super) fn refused(&self, error: Error) -> Refused {
        Refused {
            rule: self.rule,
            name: self.label(),
            source: self.source.clone(),
            error: self.with_values(error),
        }
    }

    /// The error with a note that says for which values of the free variables it happens.
    fn with_values(&self, error: Error) -> Error {
        if self.parameters.is_empty() {
            return error;
        }
        let note = format!("this happens with {}", list(&self.parameters));
        let findings = error.diagnostics().iter().cloned();
        let noted = Error::with_all(
            error.kind(),
            findings.map(|finding| finding.with_note(&note)).collect(),
        );
        match error.probability() {
            Some(probability) => noted.with_probability(probability.clone()),
            None => noted,
        }
    }
}

/// Reads all rules of all texts. What cannot be read is told apart from what can, in the order of the call.
pub(super) fn read<'a>(
    texts: &'a [Text],
    settings: &[Setting],
) -> Result<(Vec<Series<'a>>, Vec<Refused>), Stop> {
    if let Some(twice) = first_repeated(settings) {
        return Err(Stop::usage(format!(
            "--set gives '{twice}' its values twice; write {twice}=1,2,3 for several"
        )));
    }
    let mut series = Vec::new();
    let mut refused = Vec::new();
    let mut rule = 0;
    for text in texts {
        let source = &text.source;
        let mut rules = text.rules();
        if rules.is_empty() {
            rules.push(Err(nothing_there()));
        }
        for found in rules {
            let outcome = found
                .map_err(|error| (source.name().to_owned(), error))
                .and_then(|found| {
                    let combinations = combinations(source, &found, settings)
                        .map_err(|error| (found.name.clone(), error))?;
                    Ok((found, combinations))
                });
            match outcome {
                Err((name, error)) => refused.push(Refused {
                    rule,
                    name,
                    source: source.clone(),
                    error,
                }),
                Ok((found, combinations)) => {
                    for (parameters, reading) in combinations {
                        series.push(Series {
                            source,
                            rule,
                            name: found.name.clone(),
                            expression: source.slice(found.span).to_owned(),
                            dialect: found.dialect,
                            parameters,
                            reading,
                        });
                    }
                }
            }
            if series.len() > MAX_SERIES {
                return Err(Stop::usage(format!("more than {MAX_SERIES} series")));
            }
            rule += 1;
        }
    }
    if refused.is_empty() {
        refuse_unused(settings, &series)?;
    }
    Ok((series, refused))
}

/// A rule read with each combination of values for the variables that are free in it, the last variable
/// changing fastest.
fn combinations(
    source: &Source,
    rule: &Rule,
    settings: &[Setting],
) -> Result<Vec<(Parameters, Reading)>, Error> {
    let read = |parameters: &Parameters| {
        let mut settings = Settings::default();
        settings.parameters.clone_from(parameters);
        notation::read(rule.dialect, source, rule.span, &settings)
    };
    let first: Parameters = settings
        .iter()
        .map(|setting| (setting.name.clone(), setting.values[0].clone()))
        .collect();
    read(&first)?;
    // A variable is free in the rule if the rule cannot be read without its value.
    let free = settings.iter().filter(|setting| {
        let mut without = first.clone();
        without.remove(&setting.name);
        read(&without).is_err()
    });
    let mut all = vec![Parameters::new()];
    for setting in free {
        let extended = all.iter().flat_map(|parameters| {
            setting.values.iter().map(|value| {
                let mut parameters = parameters.clone();
                parameters.insert(setting.name.clone(), value.clone());
                parameters
            })
        });
        // One more than the most is enough to be refused.
        all = extended.take(MAX_SERIES + 1).collect();
    }
    all.into_iter()
        .map(|parameters| {
            let reading = read(&parameters)?;
            Ok((parameters, reading))
        })
        .collect()
}

fn first_repeated(settings: &[Setting]) -> Option<&str> {
    let mut names = BTreeSet::new();
    settings
        .iter()
        .map(|setting| setting.name.as_str())
        .find(|name| !names.insert(*name))
}

/// A value that no rule asks for is most likely a misspelt name.
fn refuse_unused(settings: &[Setting], series: &[Series]) -> Result<(), Stop> {
    let unused = settings.iter().find(|setting| {
        !series
            .iter()
            .any(|series| series.parameters.contains_key(&setting.name))
    });
    match unused {
        None => Ok(()),
        Some(setting) => Err(Stop::usage(format!(
            "--set gives a value to '{}', but no rule has a free variable of that name",
            setting.name
        ))),
    }
}

fn nothing_there() -> Error {
    Error::new(
        ErrorKind::Parse,
        Diagnostic::without_place("there is no rule here")
            .with_help("write a rule, such as sum(3#d6)"),
    )
}

/// A name with values, on one line.
fn label(name: &str, parameters: &Parameters) -> String {
    let mut label = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if !parameters.is_empty() {
        label = format!("{label} ({})", list(parameters));
    }
    label
}

/// Values as `k=2, n=3`.
fn list(parameters: &Parameters) -> String {
    let values: Vec<String> = parameters
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    values.join(", ")
}
