//! The rules of a call as read, one series for each combination of values that `--set` gives.

use std::collections::BTreeSet;

use dicedist::notation::{self, Reading, Rule, Settings};
use dicedist::number::Integer;
use dicedist::report::Refused;
use dicedist::source::Source;
use dicedist::{Dialect, Error};

use super::input::Text;
use super::remedy;
use super::status::{Status, Stop};
use super::values::Setting;

/// The most series of one call.
const MAX_SERIES: usize = 10_000;

/// The most rules of one call that may be wrong.
const MAX_WRONG: usize = 1_000;

/// Values of the free variables of a rule, in the order of the call.
type Parameters = Vec<(String, Integer)>;

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
            warnings: self.reading.warnings.clone(),
            error: remedy::with_options(self.with_values(error)),
        }
    }

    /// The error with a note that says for which values of the free variables it happens.
    fn with_values(&self, error: Error) -> Error {
        if self.parameters.is_empty() {
            return error;
        }
        let note = format!("this happens with {}", list(&self.parameters));
        error.map(|finding| finding.with_note(&note))
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
    let rules = texts
        .iter()
        .flat_map(|text| text.rules().into_iter().map(|found| (&text.source, found)));
    for (rule, (source, found)) in rules.enumerate() {
        let outcome = match found {
            Err(wrong) => Err((wrong.name, wrong.error)),
            Ok(found) => {
                let most = MAX_SERIES - series.len();
                let combinations = combinations(source, &found, settings, most);
                match combinations {
                    Err(Wrong::TooMany) => {
                        return Err(Stop::usage(format!("more than {MAX_SERIES} series")));
                    }
                    Err(Wrong::Rule(error)) => Err((Some(found.name), error)),
                    Ok(combinations) => Ok((found, combinations)),
                }
            }
        };
        match outcome {
            Err((_, error)) if refused.len() == MAX_WRONG => {
                return Err(too_many(&refused, &error));
            }
            Err((name, error)) => refused.push(Refused {
                rule,
                name: name.unwrap_or_else(|| source.name().to_owned()),
                source: source.clone(),
                warnings: Vec::new(),
                error: remedy::with_options(error),
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
    }
    if refused.is_empty() {
        refuse_unused(settings, &series)?;
    }
    Ok((series, refused))
}

/// Ends a call with more wrong rules than anybody reads about.
fn too_many(refused: &[Refused], last: &Error) -> Stop {
    let first = refused.first().map_or(last, |first| &first.error);
    let place = refused.first().and_then(|first| {
        let span = first.error.diagnostics()[0].span?;
        let line = first.source.position(span.start).line;
        Some(format!(" of {}, line {line}", first.source.name()))
    });
    let place = place.unwrap_or_default();
    Stop::Message(
        Status::WrongRule,
        format!("more than {MAX_WRONG} rules are wrong; the first{place}: {first}"),
    )
}

/// Why a rule has no series.
enum Wrong {
    Rule(Error),
    TooMany,
}

impl From<Error> for Wrong {
    fn from(error: Error) -> Self {
        Self::Rule(error)
    }
}

/// A rule read with each combination of values for the variables that are free in it, the last variable
/// changing fastest; not more than `most`.
fn combinations(
    source: &Source,
    rule: &Rule,
    settings: &[Setting],
    most: usize,
) -> Result<Vec<(Parameters, Reading)>, Wrong> {
    let names = notation::free_names(rule.dialect, source, rule.span)?;
    let mut free = settings.to_vec();
    free.retain(|setting| names.contains(&setting.name));
    let mut counts = free.iter().map(|setting| setting.values.len());
    let count = counts.try_fold(1_usize, usize::checked_mul);
    if count.is_none_or(|count| count > most) {
        return Err(Wrong::TooMany);
    }
    let mut all = vec![Parameters::new()];
    for Setting { name, values } in &free {
        let extended = all.iter().flat_map(|parameters| {
            values.iter().map(|value| {
                let mut parameters = parameters.clone();
                parameters.push((name.clone(), value.clone()));
                parameters
            })
        });
        all = extended.collect();
    }
    all.into_iter()
        .map(|parameters| {
            let values = parameters.iter().cloned().collect();
            let settings = Settings::default().with_parameters(values);
            let reading = notation::read(rule.dialect, source, rule.span, &settings)?;
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
            .flat_map(|series| &series.parameters)
            .any(|(name, _)| *name == setting.name)
    });
    match unused {
        None => Ok(()),
        Some(setting) => Err(Stop::usage(format!(
            "--set gives a value to '{}', but no rule has a free variable of that name",
            setting.name
        ))),
    }
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
