//! Errors with what was probably meant: rules that a notation does not read are looked up in the tables of notations.

use std::collections::BTreeSet;
use std::time::Duration;

use super::environment::Environment;
use super::mend::explain::NAME_AS_WORD;
use super::mend::{self, Meant, Reader};
use super::rules::rules;
use super::settings::Settings;
use super::syntax::SyntaxTree;
use super::table::Dialect;
use crate::engine::analyze;
use crate::error::{Diagnostic, Error, ErrorKind, Remedy};
use crate::limits::{Budget, Limits, Unobserved};
use crate::source::{Source, Span};

/// The longest time that a suggestion is looked at. A mistake in it is found long before.
const TIME: Duration = Duration::from_millis(200);

/// The most states of a suggestion that is looked at.
const MOST_STATES: u64 = 100;

/// The codes of warnings about rules that nobody means: a part changes nothing, no die is left, or a total is not compared.
const IN_VAIN: [&str; 6] = [
    "drops-all",
    "glued-count",
    "keeps-all",
    "no-face",
    "one-number",
    "target",
];

/// What was probably meant by a rule that no notation of a list reads, with the notation that reads the correction. Of equally near
/// corrections, that of the first notation is taken.
pub(super) fn meant(
    dialects: &[Dialect],
    source: &Source,
    (span, mistake): (Span, Option<Span>),
    environment: &Environment,
) -> Option<(Dialect, Meant)> {
    let passage = passage(source, span, mistake);
    let text = source.slice(passage);
    let around = [
        Span::new(span.start, passage.start),
        Span::new(passage.end, span.end),
    ];
    let [before, behind] = around.map(|place| source.slice(place));
    let found = dialects.iter().filter_map(|&dialect| {
        let notation = dialect.notation();
        // If the rule can be read and all its names are bound, a suggestion must not have free names either.
        let read = notation.parse_in(source, span, environment);
        let names = match read {
            Ok(read) if read.free_names().is_empty() => Names::None,
            Err(_) if dialects == [Dialect::Bones] => Names::Any,
            _ => Names::Clear,
        };
        let reader = Reader {
            table: notation.table()?,
            reads: &|suggestion| {
                let text = format!("{before}{suggestion}{behind}");
                let is_own = !dialects.contains(&Dialect::Tabletop) || !is_of_tabletop(&text);
                let is_own = is_own || dialect == Dialect::Tabletop;
                reads(dialect, &text, names, environment).filter(|_| is_own)
            },
            words: &notation.words(),
        };
        Some((dialect, mend::meant(text, passage, &reader)?))
    });
    // `#` is hardly typed for a virtual table.
    let is_odd = |dialect: Dialect| dialect == Dialect::Tabletop && text.contains('#');
    found.min_by_key(|(dialect, meant)| (meant.cost, is_odd(*dialect)))
}

/// The part of a rule in which a mistake is looked up: the whole rule, or the line of the mistake in a long one.
fn passage(source: &Source, span: Span, mistake: Option<Span>) -> Span {
    let text = source.slice(span);
    let Some(at) = mistake.and_then(|place| place.start.checked_sub(span.start)) else {
        return span;
    };
    if text.len() <= mend::LONGEST || !text.is_char_boundary(at.min(text.len())) {
        return span;
    }
    let (before, behind) = text.split_at(at.min(text.len()));
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let blanks = text[line..].len() - text[line..].trim_start().len();
    let start = line + blanks.min(at - line);
    let end = at + behind.find('\n').unwrap_or(behind.len());
    let end = start + text[start..end].trim_end().len();
    Span::new(span.start + start, span.start + end)
}

/// Whether an error says all that can be said.
pub(super) fn is_certain(error: &Error) -> bool {
    let first = &error.diagnostics()[0];
    !first.corrections.is_empty() || first.code == NAME_AS_WORD
}

/// The error of a rule in a notation, with what was probably meant.
pub(super) fn mended(
    error: Error,
    dialect: Dialect,
    source: &Source,
    span: Span,
    environment: &Environment,
) -> Error {
    // To run a program again takes time.
    let is_run = dialect.runs_programs() && error.kind() != ErrorKind::Parse;
    if error.kind() == ErrorKind::Limit || is_run || is_certain(&error) {
        return error;
    }
    let mistake = error.diagnostics()[0].span;
    match meant(&[dialect], source, (span, mistake), environment) {
        Some((_, meant)) => with_meant(&error, dialect, &meant, environment),
        None => error,
    }
}

/// The error of a rule with what was probably meant in a notation, and with the first name from outside that this asks a value for.
pub(super) fn with_meant(
    error: &Error,
    dialect: Dialect,
    meant: &Meant,
    environment: &Environment,
) -> Error {
    let source = Source::new("suggestion", &*meant.texts[0]);
    let notation = dialect.notation();
    let read = notation.parse_in(&source, source.span(), environment);
    let mut names = read.map_or_else(|_| BTreeSet::new(), |read| read.free_names());
    names.retain(|name| !environment.is_given(name));
    meant.instead_of(error).map(|finding| {
        let names = names.iter().take(1).cloned().map(Remedy::GiveValue);
        names.fold(finding, Diagnostic::with_remedy)
    })
}

/// Whether tabletop reads a text that is Bones only with dice of tabletop. If no notation is named, such a text is not Bones.
fn is_of_tabletop(text: &str) -> bool {
    let source = Source::new("suggestion", text);
    let is_read = |dialect: Dialect| dialect.notation().parse(&source, source.span()).is_ok();
    !is_read(Dialect::Bones) && is_read(Dialect::Tabletop)
}

/// The names that a suggestion may ask values for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Names {
    /// All, where somebody named Bones, and the rule cannot be read.
    Any,
    /// Only names that are clear, as [`names_are_clear`] decides.
    Clear,
    /// None, where the rule is read and asks for none.
    None,
}

/// The canonical text of a suggestion, if it can be read and has a meaning.
fn reads(dialect: Dialect, text: &str, names: Names, environment: &Environment) -> Option<String> {
    let source = Source::new("suggestion", text);
    let mut canonical = String::new();
    for rule in rules(dialect, &source) {
        let rule = rule
            .ok()
            .filter(|rule| !rule.is_definition && rule.dialect == dialect)?;
        let notation = dialect.notation();
        let read = notation.parse_in(&source, rule.span, environment).ok()?;
        let has_names = !read.free_names().is_empty();
        if has_names && names == Names::None {
            return None;
        }
        // A program gives its variables their values itself, and takes time.
        let is_open = has_names && names == Names::Any;
        if !dialect.runs_programs() && !is_open && !is_clear(&*read, text, environment) {
            return None;
        }
        canonical.push_str(&read.print());
        canonical.push(';');
    }
    Some(canonical)
}

/// Whether a rule that was read has a meaning: its names are clear, and nothing in it is of a wrong kind.
fn is_clear(read: &dyn SyntaxTree, text: &str, environment: &Environment) -> bool {
    let has_names = !read.free_names().is_empty();
    if has_names || !names_are_clear(read, text, environment) {
        return has_names && names_are_clear(read, text, environment);
    }
    if read.refusal().is_some() {
        return false;
    }
    let limits = Limits::default()
        .with_time(Some(TIME))
        .with_states(MOST_STATES);
    let lowered = read.lower(&Settings::default(), &Budget::start(&limits, &Unobserved));
    let answered = lowered.and_then(|readings| {
        let mut programs = readings.iter().map(|reading| &reading.program);
        programs.try_for_each(|program| analyze(program, &limits, &Unobserved).map(drop))?;
        let warnings = readings.iter().flat_map(|reading| &reading.warnings);
        Ok(warnings
            .into_iter()
            .all(|warning| !IN_VAIN.contains(&warning.code)))
    });
    // A `case` may lack an `else`, which is another mistake.
    answered.unwrap_or_else(|error| matches!(error.kind(), ErrorKind::Domain | ErrorKind::Limit))
}

/// Whether each name that a rule asks a value for has one, is marked as a name from outside, or is one small letter.
pub(super) fn names_are_clear(
    read: &dyn SyntaxTree,
    text: &str,
    environment: &Environment,
) -> bool {
    let marks = ["@", "@{", "?{"];
    let is_marked = |name: &str| {
        marks
            .iter()
            .any(|mark| text.contains(&format!("{mark}{name}")))
    };
    let names = read.free_names();
    let is_clear = |name: &String| {
        let is_letter = name.len() == 1 && name.starts_with(|name: char| name.is_ascii_lowercase());
        environment.is_given(name) || is_letter || is_marked(name)
    };
    names.iter().all(is_clear)
}
