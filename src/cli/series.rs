//! The rules of a call as read, one series for each combination of values that `--set` gives.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use dicedist::limits::{Budget, LimitReached};
use dicedist::notation::{
    self, Environment, Kind, Parsed, Reading, Recognised, Rule, Settings, Wanted,
};
use dicedist::number::Integer;
use dicedist::report::{Answered, Refused};
use dicedist::source::Source;
use dicedist::{Answer, Diagnostic, Dialect, Error};

use super::echo::echoed;
use super::input::{Found, Text};
use super::remedy;
use super::status::{Status, Stop};
use super::values::Setting;

/// The most series of one call.
const MAX_SERIES: usize = 10_000;

/// The most rules of one call that may be wrong.
const MAX_WRONG: usize = 1_000;

/// Values of the free variables of a rule, in the order of the call.
pub(super) type Parameters = Vec<(String, Integer)>;

/// A rule as read, with values for its free variables.
#[derive(Debug)]
pub(super) struct Series<'a> {
    /// The text that the places of the rule refer to.
    pub(super) source: &'a Source,
    /// The place of the rule among the rules of the call, from 0.
    pub(super) rule: usize,
    pub(super) name: String,
    pub(super) expression: String,
    pub(super) parsed: Parsed,
    /// The same text in another notation that reads it, too, where nobody named one.
    pub(super) other: Option<Parsed>,
    pub(super) parameters: Parameters,
    pub(super) reading: Reading,
}

impl Series<'_> {
    /// The name with the values of the free variables, on one line.
    pub(super) fn label(&self) -> String {
        label(&self.name, &self.parameters)
    }

    /// This series as one with an answer, which is sorted.
    pub(super) fn answered(self, answer: Answer) -> Answered {
        let mut answered = Answered::new(self.name, answer);
        answered.rule = self.rule;
        answered.expression = self.expression;
        answered.dialect = Some(self.parsed.dialect().to_string());
        answered.parameters = self.parameters;
        answered.is_condition = self.reading.kind == Kind::Condition;
        answered.warnings = self.reading.warnings;
        answered
    }

    /// This series as one that could not be answered.
    pub(super) fn refused(&self, error: Error) -> Refused {
        let error = remedy::with_options(self.parsed.in_its_words(error));
        let mut refused = Refused::new(self.label(), self.source.clone(), error);
        refused.rule = self.rule;
        refused.warnings.clone_from(&self.reading.warnings);
        refused.parameters.clone_from(&self.parameters);
        refused
    }

    /// As [`Series::refused`], for an error of another text.
    pub(super) fn refused_by(&self, source: &Source, error: Error) -> Refused {
        let mut refused = self.refused(error);
        refused.source = source.clone();
        refused
    }
}

/// The rules of a call.
#[derive(Debug, Default)]
pub(super) struct Read<'a> {
    pub(super) series: Vec<Series<'a>>,
    /// The rules that cannot be read.
    pub(super) refused: Vec<Refused>,
    /// Findings that belong to no series.
    pub(super) warnings: Vec<(&'a Source, Diagnostic)>,
    /// How parts of programs were answered, for somebody who asks.
    pub(super) remarks: Vec<(&'a Source, Diagnostic)>,
    /// The notations other than the default that nobody named.
    pub(super) guessed: BTreeSet<Dialect>,
    /// Whether a rule is a program, which may have no result.
    has_programs: bool,
}

/// Puts the labels of all rules in one order, that of their first appearance.
fn place_labels(all: &mut [Series]) {
    let mut places: BTreeMap<String, u32> = BTreeMap::new();
    for series in &*all {
        for label in series.reading.program.shape().labels() {
            let next = u32::try_from(places.len()).unwrap_or(u32::MAX);
            places.entry(label.text.to_string()).or_insert(next);
        }
    }
    for series in all {
        let shape = series.reading.program.shape_mut();
        shape.place_labels(|text| places.get(text).copied().unwrap_or(u32::MAX));
    }
}

/// Names the results of several programs by their texts, where the programs would number them each from 1.
fn name_by_texts(all: &mut [Series]) {
    let program = |series: &Series| (std::ptr::from_ref(series.source), series.parsed.span());
    let is_numbered = |series: &&mut Series| {
        let title = series.reading.title.as_ref();
        title.is_some_and(|title| !title.is_given && title.name == series.name)
    };
    let first = all.first().map(program);
    if all.iter().all(|series| Some(program(series)) == first) {
        return;
    }
    for series in all.iter_mut().filter(is_numbered) {
        series.name.clone_from(&series.expression);
    }
}

/// Reads all rules of all texts, in their order: the series of those that can be read, and the errors of the others. Every rule
/// has the names in `asked` beside its own free variables.
pub(super) fn read<'a>(
    texts: &'a [Text],
    reading: &Settings,
    (settings, asked): (&[Setting], &BTreeSet<String>),
    budget: &Budget<'_>,
) -> Result<Read<'a>, Stop> {
    if let Some(twice) = first_repeated(settings) {
        let twice = echoed(twice);
        return Err(Stop::usage(format!(
            "--set gives '{twice}' its values twice; write {twice}=1,2,3 for several"
        )));
    }
    let mut read = Read::default();
    let given = settings.iter().map(|setting| setting.name.clone());
    let mut environment = Environment::with_given(given);
    let mut rule = 0;
    let mut waiting: VecDeque<(&Text, Found)> = VecDeque::new();
    let mut rules = texts
        .iter()
        .flat_map(|text| text.rules().into_iter().map(move |found| (text, found)));
    loop {
        budget.look_at_clock()?;
        if waiting.is_empty() {
            let Some((text, found)) = rules.next() else {
                break;
            };
            let recognised = text.recognised(found, &environment).into_iter();
            waiting.extend(recognised.map(|found| (text, found)));
        }
        let Some((text, found)) = waiting.pop_front() else {
            continue;
        };
        let source = &text.source;
        let outcome = match found {
            Err(wrong) => Err((wrong.name, wrong.error)),
            Ok(Recognised { rule: found, .. }) if found.is_definition => {
                match notation::define(found.dialect, source, found.span, &mut environment) {
                    Ok(()) => continue,
                    Err(error) => Err((Some(found.name), error)),
                }
            }
            Ok(Recognised { rule: found, other }) => {
                if text.is_unnamed(&found) && found.dialect != Dialect::default() {
                    read.guessed.insert(found.dialect);
                }
                let most = MAX_SERIES - read.series.len();
                let reading = (reading, &environment);
                let values = (settings, asked);
                let combinations = combinations(source, &found, reading, values, most, budget);
                match combinations {
                    Err(Wrong::TooMany) => return Err(too_long(settings)),
                    Err(Wrong::Limit(reached)) => return Err(reached.into()),
                    Err(Wrong::Rule(error)) => Err((Some(found.name), error)),
                    Ok(combinations) => Ok((found, other, combinations)),
                }
            }
        };
        match outcome {
            Err((name, error)) => read.refuse(rule, name, (source, Vec::new()), error)?,
            Ok((found, other, results)) => {
                rule = read.add(rule, (source, &found, other), results)?;
            }
        }
        rule += 1;
    }
    if read.refused.is_empty() && read.series.is_empty() && !read.has_programs {
        return Err(Stop::Message(
            Status::WrongRule,
            "there are only definitions, and no rule that uses them".into(),
        ));
    }
    if read.refused.is_empty() && !read.series.is_empty() {
        refuse_unused(settings, &read.series)?;
        if reading.wanted == Wanted::Pool {
            refuse_no_pool(&read.series)?;
        }
    }
    if read.has_programs
        && read
            .series
            .iter()
            .all(|series| series.parsed.dialect().runs_programs())
        && reading.default_sides != Settings::default().default_sides
    {
        return Err(Stop::usage(
            "--default-sides is for rules in onedice; a die in anydice says its sides",
        ));
    }
    place_labels(&mut read.series);
    name_by_texts(&mut read.series);
    Ok(read)
}

impl<'a> Read<'a> {
    /// Adds the results of a rule, and the errors that stopped it. Each result of a program is a rule of its own. The place of
    /// the last rule is returned.
    fn add(
        &mut self,
        rule: usize,
        (source, found, other): (&'a Source, &Rule, Option<Parsed>),
        results: Combinations,
    ) -> Result<usize, Stop> {
        let is_program = results.parsed.dialect().runs_programs();
        self.has_programs |= is_program;
        let warnings = results.warnings.into_iter();
        self.warnings
            .extend(warnings.map(|warning| (source, warning)));
        let remarks = results.remarks.into_iter();
        self.remarks.extend(remarks.map(|remark| (source, remark)));
        let mut last = rule;
        for result in results.results {
            let own = if is_program {
                rule + result.place.0
            } else {
                rule
            };
            last = last.max(own);
            let title = result.reading.title.as_ref();
            let expression = title.map_or(found.span, |title| title.span);
            self.series.push(Series {
                source,
                rule: own,
                name: name_of(found, &result),
                expression: source.slice(expression).to_owned(),
                parsed: results.parsed.clone(),
                other: other.clone(),
                parameters: result.parameters,
                reading: result.reading,
            });
        }
        for (parameters, error) in results.errors {
            last += usize::from(is_program && last > rule);
            let error = if is_program {
                results.parsed.in_its_words(error)
            } else {
                error
            };
            let name = Some(found.name.clone());
            self.refuse(last, name, (source, parameters), error)?;
        }
        Ok(last)
    }

    fn refuse(
        &mut self,
        rule: usize,
        name: Option<String>,
        (source, parameters): (&Source, Parameters),
        error: Error,
    ) -> Result<(), Stop> {
        if self.refused.len() == MAX_WRONG {
            return Err(too_many(&self.refused, &error));
        }
        let name = name.unwrap_or_else(|| source.name().to_owned());
        let mut refused = Refused::new(name, source.clone(), remedy::with_options(error));
        refused.rule = rule;
        refused.parameters = parameters;
        self.refused.push(refused);
        Ok(())
    }
}

/// The complaint about more than [`MAX_SERIES`] series, whether of values or of rules.
fn too_long(settings: &[Setting]) -> Stop {
    if settings.is_empty() {
        return Stop::Message(
            Status::Limit,
            format!("there are more rules than the limit of {MAX_SERIES}"),
        );
    }
    Stop::usage(format!("more than {MAX_SERIES} series"))
}

/// The complaint about more than [`MAX_WRONG`] wrong rules.
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

/// A result of a rule with some values of its free variables.
struct Combination {
    parameters: Parameters,
    /// The place of the result among those of the rule, from 0, and their number.
    place: (usize, usize),
    reading: Reading,
}

/// A rule with all its results.
struct Combinations {
    parsed: Parsed,
    results: Vec<Combination>,
    /// Findings that belong to no result.
    warnings: Vec<Diagnostic>,
    remarks: Vec<Diagnostic>,
    /// What stopped the rule behind its last result.
    errors: Vec<(Parameters, Error)>,
}

/// Why a rule has no series.
enum Wrong {
    Limit(LimitReached),
    Rule(Error),
    TooMany,
}

impl From<LimitReached> for Wrong {
    fn from(reached: LimitReached) -> Self {
        Self::Limit(reached)
    }
}

impl From<Error> for Wrong {
    fn from(error: Error) -> Self {
        Self::Rule(error)
    }
}

/// The name of a result of a rule. A program names its results itself; those of any other rule are numbered where there are
/// several.
fn name_of(rule: &Rule, result: &Combination) -> String {
    match (&result.reading.title, result.place) {
        (Some(title), _) if rule.names_dialect => format!("{}: {}", rule.name, title.name),
        (Some(title), _) => title.name.clone(),
        (None, (_, 1)) => rule.name.clone(),
        (None, (place, _)) => format!("{} #{}", rule.name, place + 1),
    }
}

/// A rule, and its results with each combination of values for its free variables, at most `most`. The last variable
/// changes fastest.
fn combinations(
    source: &Source,
    rule: &Rule,
    (reading, environment): (&Settings, &Environment),
    (settings, asked): (&[Setting], &BTreeSet<String>),
    most: usize,
    budget: &Budget<'_>,
) -> Result<Combinations, Wrong> {
    let parsed = notation::parse_in(rule.dialect, source, rule.span, environment)?;
    let names = parsed.free_names();
    let mut free = settings.to_vec();
    free.retain(|setting| names.contains(&setting.name) || asked.contains(&setting.name));
    let mut counts = free.iter().map(|setting| setting.values.len());
    let count = counts.try_fold(1_usize, usize::checked_mul);
    let Some(count) = count.filter(|&count| count <= most) else {
        return Err(Wrong::TooMany);
    };
    let mut read = Combinations {
        parsed,
        results: Vec::new(),
        warnings: Vec::new(),
        remarks: Vec::new(),
        errors: Vec::new(),
    };
    for index in 0..count {
        budget.look_at_clock()?;
        let parameters = nth_combination(&free, index);
        let values = parameters.iter().cloned().collect();
        let settings = reading.clone().with_parameters(values);
        let settings = settings.with_limits(budget.share(1));
        let outcome = read.parsed.run(&settings);
        read.warnings.extend(outcome.warnings);
        read.remarks.extend(outcome.remarks);
        let results = outcome.readings.len();
        let places = (0..results).map(|place| (place, results));
        for (place, reading) in places.zip(outcome.readings) {
            read.results.push(Combination {
                parameters: parameters.clone(),
                place,
                reading,
            });
        }
        read.errors
            .extend(outcome.error.map(|error| (parameters, error)));
        if read.results.len() > most {
            return Err(Wrong::TooMany);
        }
    }
    Ok(read)
}

/// The combination of values at an index: the last variable changes fastest.
fn nth_combination(free: &[Setting], mut index: usize) -> Parameters {
    let backwards = free.iter().rev().map(|setting| {
        let value = setting.values.get(index % setting.values.len());
        index /= setting.values.len();
        (setting.name.clone(), value)
    });
    let mut parameters: Parameters = backwards.collect();
    parameters.reverse();
    parameters
}

fn first_repeated(settings: &[Setting]) -> Option<&str> {
    let mut names = BTreeSet::new();
    settings
        .iter()
        .map(|setting| setting.name.as_str())
        .find(|name| !names.insert(*name))
}

/// Refuses a value for a variable that no rule has: its name is probably misspelt.
fn refuse_unused(settings: &[Setting], series: &[Series]) -> Result<(), Stop> {
    let unused = settings.iter().find(|setting| {
        !series
            .iter()
            .flat_map(|series| &series.parameters)
            .any(|(name, _)| *name == setting.name)
    });
    match unused {
        None => Ok(()),
        Some(Setting { name, .. }) => {
            let mut dialects = series.iter().map(|series| series.parsed.dialect());
            let reason = dialects.find_map(|dialect| no_name(dialect, name));
            let name = echoed(name);
            Err(Stop::usage(format!(
                "--set gives a value to '{name}', but no rule has a free variable of that name{}",
                reason.unwrap_or_default()
            )))
        }
    }
}

/// Why nothing in a notation can have a name, if so.
fn no_name(dialect: Dialect, name: &str) -> Option<String> {
    if dialect.is_name(name) {
        return None;
    }
    let letters = name.chars().all(|letter| letter.is_ascii_alphabetic());
    let name = echoed(name);
    Some(if letters {
        format!(": '{name}' is a word of the language, so it cannot be a name")
    } else {
        format!(": '{name}' is no name in {dialect}, where names are letters only")
    })
}

/// Refuses `--pool` where no rule is in a notation that has pools.
fn refuse_no_pool(series: &[Series]) -> Result<(), Stop> {
    if series
        .iter()
        .any(|series| series.parsed.dialect().has_pools())
    {
        return Ok(());
    }
    let dialect = series
        .first()
        .map_or_else(Dialect::default, |series| series.parsed.dialect());
    let names = Dialect::ALL.iter().filter(|dialect| dialect.has_pools());
    let names: Vec<_> = names.map(|dialect| dialect.name()).collect();
    Err(Stop::usage(format!(
        "--pool is for rules in {}; the result of a rule in {dialect} is the list that it says",
        names.join(" or ")
    )))
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
pub(super) fn list(parameters: &Parameters) -> String {
    let values: Vec<String> = parameters
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    values.join(", ")
}
