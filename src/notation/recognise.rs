//! Finds the notation of rules for which nobody named one.
//!
//! A rule is Bones if Bones reads it. Only a rule that Bones does not read is offered to [`CANDIDATES`], and then to Bones again,
//! with dice of tabletop as numbers. dicebag and `OneDice` are not among the candidates: they read `2d6+3` and `3d6>3` otherwise
//! than everybody expects.

use super::environment::Environment;
use super::parsed::{Parsed, define, if_read, parse, parse_in};
use super::rules::{Rule, WrongRule, rule, rules};
use super::table::Dialect;
use super::tabletop::TableDice;
use crate::error::{Diagnostic, Error, ErrorKind, Remedy};
use crate::source::{Source, Span};

/// A notation that a rule is offered to, and the words of which a rule must have one; any rule for no words.
struct Candidate {
    dialect: Dialect,
    words: &'static [&'static str],
}

/// The notations that a rule is offered to, in this order.
const CANDIDATES: [Candidate; 1] = [Candidate {
    dialect: Dialect::Tabletop,
    words: &[],
}];

/// The notations that are only named where they would read a rule.
const NAMED: [Dialect; 2] = [Dialect::Dicebag, Dialect::Onedice];

/// A rule whose notation was found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recognised {
    /// The rule with its notation.
    pub rule: Rule,
    /// What the notation reads, if it was found by reading the rule. It is missing where a limit ended the reading, and for a line
    /// with a mistake among lines without.
    pub parsed: Option<Parsed>,
    /// The same text in another notation that reads it, too.
    pub other: Option<Parsed>,
}

/// A rule that no notation reads.
#[derive(Clone, Debug)]
pub struct Unrecognised {
    /// The error of the notation that came furthest.
    pub error: Error,
    /// The notation that came furthest, where it is not Bones.
    pub dialect: Option<Dialect>,
    /// Notations that read the text, but probably not as it is meant.
    pub readers: Vec<Dialect>,
}

impl From<Error> for Unrecognised {
    fn from(error: Error) -> Self {
        Self {
            error,
            dialect: None,
            readers: Vec::new(),
        }
    }
}

/// The error says which notations could be named.
impl From<Unrecognised> for Error {
    fn from(found: Unrecognised) -> Self {
        let nearest = found.dialect.map(Dialect::name);
        let readers: Vec<_> = found.readers.iter().map(|dialect| dialect.name()).collect();
        let mut remedy = (nearest.is_some() || !readers.is_empty())
            .then_some(Remedy::NameNotation { nearest, readers });
        found.error.map(|finding| match remedy.take() {
            Some(remedy) => finding.with_remedy(remedy),
            None => finding,
        })
    }
}

/// The notation of a rule for which nobody named one, and which [`rules()`](super::rules()) found in a text of Bones. It may be
/// several rules in another notation, a line for each.
///
/// # Errors
///
/// An [`Unrecognised`] rule, if no notation reads it.
///
/// # Examples
///
/// ```
/// use dicedist::notation::{Environment, recognise, rules};
/// use dicedist::{Dialect, source::Source};
///
/// let source = Source::new("rules", "sum(2#d6); 4d6kh3");
/// let environment = Environment::default();
/// let found = rules(Dialect::Bones, &source).into_iter().map(|rule| {
///     recognise(&source, rule.unwrap(), &environment).unwrap().remove(0).rule.dialect
/// });
/// assert!(found.eq([Dialect::Bones, Dialect::Tabletop]));
/// ```
pub fn recognise(
    source: &Source,
    rule: Rule,
    environment: &Environment,
) -> Result<Vec<Recognised>, Unrecognised> {
    let error = match parse_in(Dialect::Bones, source, rule.span, environment) {
        Ok(parsed) => {
            let span = with_comment(source, rule.span);
            let other = CANDIDATES.iter().find_map(|candidate| {
                candidate.is_for(source.slice(span)).then_some(())?;
                if_read(candidate.dialect, source, span, environment)
            });
            return Ok(vec![Recognised {
                rule,
                parsed: Some(parsed),
                other,
            }]);
        }
        // What is no parse error is one of a rule that Bones reads.
        Err(error) if error.kind() != ErrorKind::Parse => {
            return Ok(vec![Recognised {
                rule,
                parsed: None,
                other: None,
            }]);
        }
        Err(error) => error,
    };
    let mut furthest = (None, error.clone());
    for candidate in &CANDIDATES {
        if !candidate.is_for(source.slice(rule.span)) {
            continue;
        }
        match offered(candidate.dialect, source, &rule, environment) {
            Ok(recognised) => return Ok(recognised),
            Err(other) if other.kind() != ErrorKind::Parse || is_better(&other, &furthest.1) => {
                furthest = (Some(candidate.dialect), other);
            }
            Err(other) => furthest.1 = beside(furthest.1, candidate.dialect, &other),
        }
    }
    let (dialect, mut wrong) = furthest;
    if dialect.is_some() {
        wrong = beside(wrong, Dialect::Bones, &error);
    }
    let with_dice = environment.with_dice(&TableDice);
    if let Some(parsed) = if_read(Dialect::Bones, source, rule.span, &with_dice) {
        if let Some(error) = parsed.refusal() {
            let correction = wrong.diagnostics()[0].correction.clone();
            let error = error.map(|finding| Diagnostic {
                correction: correction.clone(),
                ..finding
            });
            return Err(error.into());
        }
        // A name that nobody gives a value is probably a word of another notation.
        let names = parsed.free_names();
        if !corrects(&wrong) || names.iter().all(|name| environment.is_given(name)) {
            return Ok(vec![Recognised {
                rule,
                parsed: Some(parsed),
                other: None,
            }]);
        }
    }
    let readers = NAMED.into_iter();
    let readers =
        readers.filter(|dialect| if_read(*dialect, source, rule.span, environment).is_some());
    Err(Unrecognised {
        error: wrong,
        dialect,
        readers: readers.collect(),
    })
}

/// Reads one definition for which nobody named a notation, as [`define`] does: in Bones, and if that fails with dice of
/// tabletop as numbers.
///
/// # Errors
///
/// As [`define`] for Bones.
pub fn recognise_definition(
    source: &Source,
    span: Span,
    environment: &mut Environment,
) -> Result<(), Error> {
    let error = match define(Dialect::Bones, source, span, environment) {
        Err(error) if error.kind() == ErrorKind::Parse => error,
        defined => return defined,
    };
    let with_dice = environment.with_dice(&TableDice);
    let notation = Dialect::Bones.notation();
    match notation.define(source, span, &with_dice) {
        Ok(definition) => environment.add(definition),
        Err(other) if other.kind() != ErrorKind::Parse => return Err(other),
        Err(_) => return Err(error),
    }
    Ok(())
}

/// The only rule of a text for which nobody named a notation, if the text is a program of AnyDice: a text that Bones refuses,
/// and in which a statement `output` or a function stands. Its lines are no rules of their own.
#[must_use]
pub fn program(source: &Source) -> Option<Rule> {
    let text = source.text();
    // A program that begins words with capital letters is corrected as one.
    let small = text.to_ascii_lowercase();
    if !PROGRAM_WORDS.iter().any(|word| small.contains(word)) {
        return None;
    }
    let mut environment = Environment::default();
    let is_refused = |rule: Result<Rule, WrongRule>| match rule {
        Ok(rule) if rule.names_dialect && !rule.is_definition => Some(false),
        Ok(rule) if rule.is_definition => {
            let defined = define(rule.dialect, source, rule.span, &mut environment);
            defined.is_err().then_some(true)
        }
        Ok(rule) => {
            let read = parse_in(rule.dialect, source, rule.span, &environment);
            read.is_err_and(|error| error.kind() == ErrorKind::Parse)
                .then_some(true)
        }
        Err(_) => Some(true),
    };
    let found = rules(Dialect::default(), source)
        .into_iter()
        .find_map(is_refused);
    if found != Some(true) {
        return None;
    }
    let mut program = rules(Dialect::Anydice, source).into_iter().next()?.ok()?;
    program.dialect = Dialect::Anydice;
    Some(program)
}

/// The words of which a program of AnyDice has one.
const PROGRAM_WORDS: [&str; 3] = ["output ", "output\n", "function:"];

/// The place of a rule with the comment behind it, which may be no comment in another notation: `7//2`.
fn with_comment(source: &Source, span: Span) -> Span {
    let behind = &source.text()[span.end..];
    let line = behind.split('\n').next().unwrap_or_default();
    if line.trim_start().starts_with("//") {
        return Span::new(span.start, span.end + line.trim_end().len());
    }
    span
}

impl Candidate {
    fn is_for(&self, text: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| text.contains(word))
    }
}

/// The rules that a rule is in another notation, a line for each. A line that this notation does not read may be Bones. A line with
/// a mistake is left to whoever reads it again, if most lines have none and some line is no Bones.
fn offered(
    dialect: Dialect,
    source: &Source,
    whole: &Rule,
    environment: &Environment,
) -> Result<Vec<Recognised>, Error> {
    let start = whole.span.start;
    let pieces = dialect.notation().rules(source.slice(whole.span));
    let with_dice = environment.with_dice(&TableDice);
    let in_bones = |rule: &Rule| {
        let parsed = if_read(Dialect::Bones, source, rule.span, &with_dice);
        parsed.filter(|parsed| parsed.refusal().is_none())
    };
    let mut found = Vec::new();
    let mut mistake = None;
    for (index, words) in pieces.iter().enumerate() {
        let words: Vec<Span> = words
            .iter()
            .map(|word| Span::new(start + word.start, start + word.end))
            .collect();
        let mut rule = rule(dialect, source, &words)?;
        if pieces.len() == 1 || index == 0 && whole.has_name {
            rule.name.clone_from(&whole.name);
        }
        let parsed = match parse(rule.dialect, source, rule.span) {
            Ok(parsed) => Some(parsed),
            Err(error) if pieces.len() == 1 => return Err(error),
            Err(error) => {
                let parsed = in_bones(&rule);
                if parsed.is_some() {
                    rule.dialect = Dialect::Bones;
                } else {
                    mistake.get_or_insert(error);
                }
                parsed
            }
        };
        found.push(Recognised {
            rule,
            parsed,
            other: None,
        });
    }
    let Some(mistake) = mistake else {
        return Ok(found);
    };
    let read = || found.iter().filter(|line| line.parsed.is_some());
    let are_lines = 2 * read().count() > found.len()
        && read().any(|line| line.rule.dialect == dialect && in_bones(&line.rule).is_none());
    if are_lines { Ok(found) } else { Err(mistake) }
}

/// Whether an error is a better answer than the one of an earlier notation: it has the whole rule corrected, or the other has not
/// and it came further in the text.
fn is_better(error: &Error, other: &Error) -> bool {
    let place = |error: &Error| error.diagnostics()[0].span.map(|span| span.start);
    corrects(error) || !corrects(other) && place(error) > place(other)
}

/// Whether an error has the whole rule corrected.
fn corrects(error: &Error) -> bool {
    error.diagnostics()[0].correction.is_some()
}

/// An error with the help of another notation beside it. Beside a whole rule, only another whole rule helps.
fn beside(error: Error, dialect: Dialect, other: &Error) -> Error {
    if corrects(&error) && !corrects(other) {
        return error;
    }
    let help = other.diagnostics()[0].help.as_ref();
    let Some(help) = help.filter(|help| error.diagnostics()[0].help.as_ref() != Some(help)) else {
        return error;
    };
    let note = format!("in {dialect}: {help}");
    let mut is_first = true;
    error.map(|finding: Diagnostic| {
        if std::mem::take(&mut is_first) {
            finding.with_note(&note)
        } else {
            finding
        }
    })
}
