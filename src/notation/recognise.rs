//! Finds the notation of rules for which nobody named one.
//!
//! A rule is Bones if Bones reads it. Only a rule that Bones does not read is offered to tabletop, and then to Bones again, with dice
//! of tabletop as numbers. dicebag and `OneDice` are not asked: they read `2d6+3` and `3d6>3` otherwise than everybody expects.

use std::cmp::Ordering;

use super::environment::Environment;
use super::mend::{LONGEST, glossary};
use super::mended::{is_certain, meant, names_are_clear, with_meant};
use super::parsed::{Parsed, define, read};
use super::rules::{Rule, WrongRule, rule, rules};
use super::table::Dialect;
use super::tabletop::TableDice;
use crate::error::{Diagnostic, Error, ErrorKind, Remedy};
use crate::source::{Source, Span};

/// The notations that are tried if none is named. If none reads a text and several come equally near, the first is taken.
const OFFERED: [Dialect; 2] = [Dialect::Tabletop, Dialect::Bones];

/// The notations that are not tried, but mentioned if they would read a rule.
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

/// The error says which notations could be named, unless it says what was meant.
impl From<Unrecognised> for Error {
    fn from(found: Unrecognised) -> Self {
        let nearest = found.dialect.map(Dialect::name);
        let readers: Vec<_> = found.readers.iter().map(|dialect| dialect.name()).collect();
        let is_unknown = found.error.diagnostics()[0].corrections.is_empty();
        let mut remedy = (is_unknown && (nearest.is_some() || !readers.is_empty()))
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
    let text = source.slice(rule.span);
    let in_bones = match read(Dialect::Bones, source, rule.span, environment) {
        Ok(parsed) if names_are_clear(parsed.tree_of_rule(), text, environment) => {
            let span = with_comment(source, rule.span);
            let other = read(Dialect::Tabletop, source, span, environment).ok();
            return Ok(vec![recognised(rule, Some(parsed), other)]);
        }
        // Any other error is one of a rule that Bones reads.
        Err(error) if error.kind() != ErrorKind::Parse => {
            return Ok(vec![recognised(rule, None, None)]);
        }
        other => other,
    };
    let in_tabletop = match offered(source, &rule, environment) {
        Ok(recognised) => return Ok(recognised),
        Err(error) => error,
    };
    let environment = &environment.with_dice(&TableDice);
    let with_dice = read(Dialect::Bones, source, rule.span, environment);
    let refusal = with_dice.as_ref().ok().and_then(Parsed::refusal);
    if let Ok(parsed) = &with_dice
        && refusal.is_none()
        && names_are_clear(parsed.tree_of_rule(), text, environment)
    {
        return Ok(vec![recognised(rule, with_dice.ok(), None)]);
    }
    let in_dice = with_dice.as_ref().err();
    let meant = if in_dice.is_some_and(is_certain) {
        None
    } else {
        let mistake = in_dice.and_then(|error| error.diagnostics()[0].span);
        let whole = wider(source, &rule, environment);
        let whole = whole.and_then(|whole| meant(&OFFERED, source, (whole, None), environment));
        whole
            .filter(|(_, meant)| !meant.texts[0].contains(';'))
            .or_else(|| meant(&OFFERED, source, (rule.span, mistake), environment))
    };
    let (dialect, error) = match (meant, refusal, in_bones, with_dice) {
        (Some((dialect, meant)), refusal, _, with_dice) => {
            let in_bones = with_dice.err().filter(|_| dialect == Dialect::Bones);
            let own = refusal.or(in_bones).unwrap_or(in_tabletop);
            let error = with_meant(&own, dialect, &meant, environment);
            (dialect, error)
        }
        (None, Some(refusal), ..) => (Dialect::Bones, refusal),
        (None, None, Ok(parsed), _) | (None, None, _, Ok(parsed)) => {
            return Ok(vec![recognised(rule, Some(parsed), None)]);
        }
        (None, None, Err(_), Err(in_bones)) => {
            let (dialect, error) = nearest(text, in_tabletop, in_bones);
            (dialect, error.map(|finding| with_glossary(finding, text)))
        }
    };
    let readers = NAMED.into_iter();
    let readers = readers.filter(|dialect| read(*dialect, source, rule.span, environment).is_ok());
    Err(Unrecognised {
        error,
        dialect: Some(dialect).filter(|dialect| *dialect != Dialect::Bones),
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

fn recognised(rule: Rule, parsed: Option<Parsed>, other: Option<Parsed>) -> Recognised {
    Recognised {
        rule,
        parsed,
        other,
    }
}

/// The line of a rule, where it may be one rule that was split: a word of its name is a roll, or `;` stands between parts.
fn wider(source: &Source, rule: &Rule, environment: &Environment) -> Option<Span> {
    let text = source.text();
    let start = text[..rule.span.start].rfind('\n').map_or(0, |at| at + 1);
    let length = text[start..].lines().next().map_or(0, str::len);
    let line = Span::new(start, rule.span.end.max(start + length));
    let has_roll = rule.name.split_whitespace().any(|word| {
        let word = Source::new("word", word);
        read(Dialect::Tabletop, &word, word.span(), environment).is_ok()
    });
    (rule.has_name && has_roll || source.slice(line).contains(';')).then_some(line)
}

/// A finding without a help, with rules about the words of its text.
fn with_glossary(finding: Diagnostic, text: &str) -> Diagnostic {
    if finding.help.is_some() || text.len() > LONGEST {
        return finding;
    }
    let notes = glossary::notes(text).into_iter();
    notes.fold(finding, Diagnostic::with_note)
}

/// The notation that comes nearest to a rule that neither reads, with its error. `#` is hardly typed for a virtual table.
fn nearest(text: &str, in_tabletop: Error, in_bones: Error) -> (Dialect, Error) {
    // An unknown sign says nothing about how far a notation has read. A text whose error has no code was read to its end.
    let reached = |error: &Error| {
        let first = &error.diagnostics()[0];
        match first.code {
            "" => Some(usize::MAX),
            "unknown-sign" => None,
            _ => first.span.map(|place| place.start),
        }
    };
    let has_come_further = match reached(&in_bones).cmp(&reached(&in_tabletop)) {
        Ordering::Greater => true,
        Ordering::Equal => text.contains('#'),
        Ordering::Less => false,
    };
    if in_tabletop.kind() == ErrorKind::Parse && has_come_further {
        (Dialect::Bones, in_bones)
    } else {
        (Dialect::Tabletop, in_tabletop)
    }
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
            let read = read(rule.dialect, source, rule.span, &environment);
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

/// Words of which each AnyDice program has at least one.
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

/// The rules that a text makes in tabletop, a line for each. A line that tabletop does not read may be Bones. A line with a mistake is kept
/// without a parsed rule, if most lines have no mistake and some line is not Bones.
fn offered(
    source: &Source,
    whole: &Rule,
    environment: &Environment,
) -> Result<Vec<Recognised>, Error> {
    let dialect = Dialect::Tabletop;
    let start = whole.span.start;
    let pieces = dialect.notation().rules(source.slice(whole.span));
    let with_dice = environment.with_dice(&TableDice);
    let in_bones = |rule: &Rule| {
        let parsed = read(Dialect::Bones, source, rule.span, &with_dice).ok();
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
        let parsed = match read(rule.dialect, source, rule.span, environment) {
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
    let is_own = |line: &Recognised| {
        let plain = || super::parsed::read(Dialect::Bones, source, line.rule.span, environment);
        line.rule.dialect == dialect && plain().is_err()
    };
    let are_lines = 2 * read().count() > found.len() && read().any(is_own);
    if are_lines { Ok(found) } else { Err(mistake) }
}
