//! Splits a text into its rules, each with a name, a dialect and a place.

use super::reader::head::head;
use super::reader::quote::shortened;
use super::reader::spelling;
use super::table::{Dialect, UnknownDialect};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::limits::MAX_TEXT;
use crate::source::{Source, Span};

/// One rule of a text that may hold several.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The name in front of the rule (`heroic: sum(…)`), or else the text of the rule.
    pub name: String,
    /// The notation of the rule: the dialect with the name (`name [dicebag]: …`), or else the default.
    pub dialect: Dialect,
    /// Whether the name stands in front of the rule.
    pub has_name: bool,
    /// The place of the rule, without the name and without blanks around it.
    pub span: Span,
    /// Whether this is a definition, which has no result. Its name is the name that it defines, and its place contains the
    /// name: [`define`](super::define) reads it.
    pub is_definition: bool,
    /// Whether the rule names its notation itself.
    pub names_dialect: bool,
}

/// A part of a text that should be a rule and is not.
#[derive(Clone, Debug, PartialEq)]
pub struct WrongRule {
    /// The name in front of the part, if there is one.
    pub name: Option<String>,
    /// What is wrong with the part.
    pub error: Error,
}

impl From<WrongRule> for Error {
    fn from(wrong: WrongRule) -> Self {
        wrong.error
    }
}

impl From<Error> for WrongRule {
    fn from(error: Error) -> Self {
        Self { name: None, error }
    }
}

/// Splits a text into its rules, and takes names and dialects off.
///
/// In Bones and dicelab `;` separates rules, and nothing between two separators is no rule. In Bones a line that begins with a
/// definition or with the name of a rule begins another rule, too, and a definition ends with its line. In dicebag and `OneDice` each
/// line is a rule, unless the line is empty or begins with `//`. A DiceRoller text is one script. Any rule may begin with a
/// name, a colon and a blank; a dialect in brackets may follow the name. A name between double quotes may have any signs. Comments may stand anywhere, also before a name. A
/// mistake in one rule does not affect the other rules.
///
/// # Errors
///
/// In place of a rule: [`ErrorKind::Parse`] for an unknown dialect, for a name without a rule, and for a text without rules;
/// [`ErrorKind::Limit`] for a text longer than [`MAX_TEXT`].
///
/// # Examples
///
/// ```
/// use dicedist::{Dialect, notation::rules, source::Source};
///
/// let source = Source::new("rules", "// attributes\nplain: sum(3#d6); best [dicelab]: high 1 3#d6;");
/// let rules: Vec<_> = rules(Dialect::Bones, &source).into_iter().collect::<Result<_, _>>()?;
/// assert_eq!(rules[0].name, "plain");
/// assert_eq!(source.slice(rules[0].span), "sum(3#d6)");
/// assert_eq!((rules[1].name.as_str(), rules[1].dialect), ("best", Dialect::Dicelab));
/// # Ok::<(), dicedist::Error>(())
/// ```
#[must_use]
pub fn rules(dialect: Dialect, source: &Source) -> Vec<Result<Rule, WrongRule>> {
    if source.text().len() > MAX_TEXT {
        return vec![Err(too_long().into())];
    }
    let passages = dialect.notation().passages(source.text());
    if passages.is_empty() {
        let nothing = Diagnostic::new(Span::new(0, 0), "there is no rule in this text")
            .with_help(format!("write a rule such as `{}`", dialect.example()));
        return vec![Err(Error::new(ErrorKind::Parse, nothing).into())];
    }
    passages
        .iter()
        .map(|passage| match passage.defines {
            Some(name) => Ok(Rule {
                name: source.slice(name).to_owned(),
                has_name: true,
                dialect,
                span: passage.words[0].to(passage.words[passage.words.len() - 1]),
                is_definition: true,
                names_dialect: true,
            }),
            None => rule(dialect, source, &passage.words),
        })
        .collect()
}

/// The error for a text longer than [`MAX_TEXT`].
pub(super) fn too_long() -> Error {
    let message = format!("the text is longer than the limit of {MAX_TEXT} bytes");
    Error::new(ErrorKind::Limit, Diagnostic::without_place(message))
}

/// One rule from the places of its words. There is at least one word.
pub(super) fn rule(default: Dialect, source: &Source, words: &[Span]) -> Result<Rule, WrongRule> {
    let whole = words[0].to(words[words.len() - 1]);
    let has_free_names = default.notation().has_free_names();
    let has_plain_heads = default.notation().has_plain_heads();
    let head = head(source.slice(whole), has_free_names);
    let Some(head) = head.filter(|head| has_plain_heads || head.dialect.is_some()) else {
        return Ok(Rule {
            name: on_one_line(source, words),
            has_name: false,
            dialect: default,
            span: whole,
            is_definition: false,
            names_dialect: false,
        });
    };
    let wrong = |error| WrongRule {
        name: Some(head.name.into()),
        error,
    };
    let dialect = match head.dialect {
        None => default,
        Some((start, name)) => {
            let start = whole.start + start;
            known(name, Span::new(start, start + name.len())).map_err(wrong)?
        }
    };
    let body = words.partition_point(|word| word.start < whole.start + head.length);
    match words.get(body) {
        Some(first) => Ok(Rule {
            name: head.name.into(),
            has_name: true,
            dialect,
            span: Span::new(first.start, whole.end),
            is_definition: false,
            names_dialect: head.dialect.is_some(),
        }),
        None => Err(wrong(Error::new(
            ErrorKind::Parse,
            Diagnostic::new(whole, "there is no rule after this name").with_help(format!(
                "write `{}: {}`",
                shortened(head.name),
                dialect.example()
            )),
        ))),
    }
}

fn known(name: &str, place: Span) -> Result<Dialect, Error> {
    name.parse().map_err(|unknown: UnknownDialect| {
        let names: Vec<_> = Dialect::ALL.iter().map(|known| known.name()).collect();
        let near = spelling::nearest(name, names.iter().copied());
        let wrong = Diagnostic::new(place, unknown.to_string())
            .with_note(format!("the dialects are {}", names.join(", ")));
        Error::new(
            ErrorKind::Parse,
            match near {
                Some(near) => wrong.with_help(format!("did you mean `{near}`?")),
                None => wrong,
            },
        )
    })
}

/// The words of a rule in one line, with one blank for each gap between two words.
fn on_one_line(source: &Source, words: &[Span]) -> String {
    let mut line = String::new();
    let mut end = words[0].start;
    for &word in words {
        line.push_str(if word.start > end { " " } else { "" });
        line.push_str(source.slice(word));
        end = word.end;
    }
    line
}
