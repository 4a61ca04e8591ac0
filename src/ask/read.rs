//! Reads the rules of a question: one series for each combination of values.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::conditions;
use super::misfit::{MAX_SERIES, MAX_WRONG, Misfit};
use super::question::Question;
use super::series::{Parameters, Series};
use super::text::{RecognisedRule, Text};
use super::values::Setting;
use crate::error::{Diagnostic, Error};
use crate::limits::{Budget, LimitReached};
use crate::notation::{
    self, Dialect, Environment, Parsed, Reading, Recognised, Rule, Settings, Wanted,
};
use crate::report::Refused;
use crate::source::{Source, echoed};

/// The rules of a question, as they were read.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Read {
    /// The rules that can be answered, in the order of the texts.
    pub series: Vec<Series>,
    /// The rules that cannot be read.
    pub refused: Vec<Refused>,
    /// Findings that belong to no series.
    pub warnings: Vec<(Source, Diagnostic)>,
    /// How parts of programs were answered, for somebody who asks.
    pub remarks: Vec<(Source, Diagnostic)>,
    /// The free names of all rules that can be parsed, with values or without.
    pub names: BTreeSet<String>,
    /// The notations other than the default that nobody named.
    pub guessed: BTreeSet<Dialect>,
    /// Whether a rule is a program, which may have no result.
    has_programs: bool,
}

impl Question {
    /// Reads all rules of all texts, in their order: the series of those that can be read, and the errors of the others. Every rule
    /// has the names that conditions use beside its own free names.
    ///
    /// # Errors
    ///
    /// If the question as a whole makes no sense. A rule that cannot be read is no such error: [`Read::refused`].
    pub fn read(&self, budget: &Budget<'_>) -> Result<Read, Misfit> {
        if let Some(twice) = first_repeated(&self.settings) {
            return Err(Misfit::NameTwice(twice.to_owned()));
        }
        let mut read = Read::default();
        let given = self
            .settings
            .iter()
            .map(|setting| setting.name().to_owned());
        let mut environment = Environment::with_given(given);
        let asked = conditions::words_in(self);
        let mut rule = 0;
        let mut waiting: VecDeque<(&Text, RecognisedRule)> = VecDeque::new();
        let mut rules = self
            .texts
            .iter()
            .flat_map(|text| text.rules().into_iter().map(move |found| (text, found)))
            .peekable();
        loop {
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
            let source = text.source();
            // A rule that takes all its time leaves as much to the others, and their answers to those that are read.
            let is_only = read.series.is_empty() && waiting.is_empty() && rules.peek().is_none();
            let pieces = if is_only { 1 } else { 2 };
            let over = is_over(budget)?;
            let outcome = match (found, over) {
                (Err(wrong), _) => Err((wrong.name, wrong.error)),
                (Ok(found), Some(reached)) => {
                    let error = Error::from(reached).at(found.rule.span);
                    Err((Some(found.rule.name), error))
                }
                (Ok(Recognised { rule: found, .. }), None) if found.is_definition => {
                    match text.define(&found, &mut environment) {
                        Ok(()) => continue,
                        Err(error) => Err((Some(found.name), error)),
                    }
                }
                (
                    Ok(Recognised {
                        rule: found,
                        parsed,
                        other,
                    }),
                    None,
                ) => {
                    if text.is_unnamed(&found) && found.dialect != Dialect::default() {
                        read.guessed.insert(found.dialect);
                    }
                    let most = MAX_SERIES - read.series.len();
                    let names = (&environment, &asked);
                    let bounds = (most, pieces);
                    match combinations(source, (&found, parsed), self, names, bounds, budget) {
                        Err(Wrong::TooMany) => return Err(too_long(self)),
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
        read.check(self)?;
        place_labels(&mut read.series);
        name_by_texts(&mut read.series);
        Ok(read)
    }
}

impl Read {
    /// Adds the results of a rule, and the errors that stopped it. Each result of a program is a rule of its own. The place of
    /// the last rule is returned.
    fn add(
        &mut self,
        rule: usize,
        (source, found, other): (&Source, &Rule, Option<Parsed>),
        results: Combinations,
    ) -> Result<usize, Misfit> {
        let is_program = results.parsed.dialect().runs_programs();
        self.names.extend(results.names);
        self.has_programs |= is_program;
        let warnings = results.warnings.into_iter();
        self.warnings
            .extend(warnings.map(|warning| (source.clone(), warning)));
        let remarks = results.remarks.into_iter();
        self.remarks
            .extend(remarks.map(|remark| (source.clone(), remark)));
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
                source: source.clone(),
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
    ) -> Result<(), Misfit> {
        if self.refused.len() == MAX_WRONG {
            return Err(Misfit::TooManyWrong(Box::new(self.refused.swap_remove(0))));
        }
        let name = name.unwrap_or_else(|| source.name().to_owned());
        let mut refused = Refused::new(name, source.clone(), error);
        refused.rule = rule;
        refused.parameters = parameters;
        self.refused.push(refused);
        Ok(())
    }

    /// Whether the question fits the rules. What is asked of rules that cannot be read is not looked at.
    fn check(&self, question: &Question) -> Result<(), Misfit> {
        let reading = &question.reading;
        if self.refused.is_empty() && self.series.is_empty() && !self.has_programs {
            return Err(Misfit::OnlyDefinitions);
        }
        if self.refused.is_empty() && !self.series.is_empty() {
            refuse_unused(&question.settings, &self.series)?;
            if reading.wanted == Wanted::Pool {
                refuse_no_pool(&self.series)?;
            }
        }
        let are_programs = self.series.iter().all(is_program);
        let default = Settings::default().default_sides;
        if self.has_programs && are_programs && reading.default_sides != default {
            return Err(Misfit::AllSidesSaid);
        }
        if question.ordered && !self.series.is_empty() && are_programs {
            return Err(Misfit::NoLists);
        }
        Ok(())
    }
}

fn is_program(series: &Series) -> bool {
    series.parsed.dialect().runs_programs()
}

/// The complaint about more than [`MAX_SERIES`] series, whether of values or of rules.
fn too_long(question: &Question) -> Misfit {
    if question.settings.is_empty() {
        Misfit::TooManyRules
    } else {
        Misfit::TooManySeries
    }
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
    let is_same =
        |a: &Series, b: &Series| a.source.is_same(&b.source) && a.parsed.span() == b.parsed.span();
    let is_numbered = |series: &&mut Series| {
        let title = series.reading.title.as_ref();
        title.is_some_and(|title| !title.is_given && title.name == series.name)
    };
    if all.windows(2).all(|pair| is_same(&pair[0], &pair[1])) {
        return;
    }
    for series in all.iter_mut().filter(is_numbered) {
        series.name.clone_from(&series.expression);
    }
}

/// A result of a rule with some values of its free names.
struct Combination {
    parameters: Parameters,
    /// The place of the result among those of the rule, from 0, and their number.
    place: (usize, usize),
    reading: Reading,
}

/// A rule with all its results.
struct Combinations {
    parsed: Parsed,
    names: BTreeSet<String>,
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

/// A rule, and its results with each combination of values for its free names, at most `most`. The last name changes fastest.
fn combinations(
    source: &Source,
    (rule, parsed): (&Rule, Option<Parsed>),
    question: &Question,
    (environment, asked): (&Environment, &BTreeSet<String>),
    (most, pieces): (usize, usize),
    budget: &Budget<'_>,
) -> Result<Combinations, Wrong> {
    let parsed = match parsed {
        Some(parsed) => parsed,
        None => notation::parse_in(rule.dialect, source, rule.span, environment)?,
    };
    let names = parsed.free_names();
    let is_free = |name: &str| names.contains(name) || asked.contains(name);
    let mut free: Vec<&Setting> = question.settings.iter().collect();
    free.retain(|setting| is_free(setting.name()));
    let mut counts = free.iter().map(|setting| setting.values().len());
    let count = counts.try_fold(1_usize, usize::checked_mul);
    let Some(count) = count.filter(|&count| count <= most) else {
        return Err(Wrong::TooMany);
    };
    let mut read = Combinations {
        parsed,
        names,
        results: Vec::new(),
        warnings: Vec::new(),
        remarks: Vec::new(),
        errors: Vec::new(),
    };
    for index in 0..count {
        let parameters = nth_combination(&free, index);
        if let Some(reached) = is_over(budget)? {
            // No time is left for the other values either.
            let error = Error::from(reached).at(rule.span);
            read.errors.push((parameters, error));
            break;
        }
        let values = parameters.iter().cloned().collect();
        let settings = question.reading.clone().with_parameters(values);
        let limits = budget.share(pieces);
        let reading = Budget::start(&limits, budget.observer());
        let outcome = read.parsed.run(&settings, &reading);
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

/// The limit that is reached, so that nothing more can be read. What is read is answered all the same, unless somebody interrupts.
fn is_over(budget: &Budget<'_>) -> Result<Option<LimitReached>, LimitReached> {
    match budget.look_at_clock() {
        Ok(()) => Ok(None),
        Err(LimitReached::Interrupted) => Err(LimitReached::Interrupted),
        Err(reached) => Ok(Some(reached)),
    }
}

/// The combination of values at an index: the last name changes fastest.
fn nth_combination(free: &[&Setting], mut index: usize) -> Parameters {
    let backwards = free.iter().rev().map(|setting| {
        let value = setting.values().get(index % setting.values().len());
        index /= setting.values().len();
        (setting.name().to_owned(), value)
    });
    let mut parameters: Parameters = backwards.collect();
    parameters.reverse();
    parameters
}

fn first_repeated(settings: &[Setting]) -> Option<&str> {
    let mut names = BTreeSet::new();
    settings
        .iter()
        .map(Setting::name)
        .find(|name| !names.insert(*name))
}

/// Refuses a value for a name that no rule has: it is probably misspelt.
fn refuse_unused(settings: &[Setting], series: &[Series]) -> Result<(), Misfit> {
    let is_used = |name: &str| {
        let mut parameters = series.iter().flat_map(|series| &series.parameters);
        parameters.any(|(used, _)| used == name)
    };
    let mut names = settings.iter().map(Setting::name);
    let Some(name) = names.find(|name| !is_used(name)) else {
        return Ok(());
    };
    let mut dialects = series.iter().map(|series| series.parsed.dialect());
    Err(Misfit::NameUnused {
        name: name.to_owned(),
        reason: dialects.find_map(|dialect| no_name(dialect, name)),
    })
}

/// Why nothing in a notation can have a name, if so.
fn no_name(dialect: Dialect, name: &str) -> Option<String> {
    if dialect.is_name(name) {
        return None;
    }
    Some(format!("'{}' cannot be a name in {dialect}", echoed(name)))
}

/// Refuses pools where no rule is in a notation that has them.
fn refuse_no_pool(series: &[Series]) -> Result<(), Misfit> {
    let mut dialects = series.iter().map(|series| series.parsed.dialect());
    let first = dialects.clone().next().unwrap_or_default();
    if dialects.any(Dialect::has_pools) {
        return Ok(());
    }
    Err(Misfit::NoPool(first))
}
