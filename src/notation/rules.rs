//! Splits a text into its rules, each with a name, a dialect and a place.

use super::reader::gaps::is_blank;
use super::reader::quote::shortened;
use super::reader::spelling;
use super::table::{Dialect, UnknownDialect};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::limits::MAX_TEXT;
use crate::source::{Source, Span};

/// One rule of a text that may hold several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The name in front of the rule (`heroic: sum(…)`), or else the text of the rule.
    pub name: String,
    /// The notation of the rule: the dialect with the name (`name [dicebag]: …`), or else the default.
    pub dialect: Dialect,
    /// The place of the rule, without the name and without blanks around it.
    pub span: Span,
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
/// In Bones and dicelab `;` separates rules, and nothing between two separators is no rule. In dicebag and `OneDice` each
/// line is a rule, unless the line is empty or begins with `//`. A DiceRoller text is one script. Any rule may begin with a
/// name, a colon and a blank; a dialect in brackets may follow the name. Comments may stand anywhere, also before a name. A
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
    let pieces = dialect.notation().rules(source.text());
    if pieces.is_empty() {
        let nothing = Diagnostic::new(Span::new(0, 0), "there is no rule in this text")
            .with_help(format!("write a rule such as `{}`", dialect.example()));
        return vec![Err(Error::new(ErrorKind::Parse, nothing).into())];
    }
    pieces
        .iter()
        .map(|words| rule(dialect, source, words))
        .collect()
}

/// The error for a text longer than [`MAX_TEXT`].
pub(super) fn too_long() -> Error {
    let message = format!("the text is longer than the limit of {MAX_TEXT} bytes");
    Error::new(ErrorKind::Limit, Diagnostic::without_place(message))
}

/// One rule from the places of its words. There is at least one word.
fn rule(default: Dialect, source: &Source, words: &[Span]) -> Result<Rule, WrongRule> {
    let whole = words[0].to(words[words.len() - 1]);
    let Some(head) = head(source.slice(whole)) else {
        return Ok(Rule {
            name: on_one_line(source, words),
            dialect: default,
            span: whole,
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
            dialect,
            span: Span::new(first.start, whole.end),
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

/// The name of a rule, and perhaps a dialect, in front of the rule.
struct Head<'s> {
    name: &'s str,
    /// The dialect in brackets, with the place of its first byte.
    dialect: Option<(usize, &'s str)>,
    /// The number of bytes before the rule, with the colon.
    length: usize,
}

/// The head at the beginning of a text: a letter, then letters, digits, blanks and `_ ' / -`, perhaps a dialect in
/// brackets, then a colon and a blank. A name contains no two slashes in a row, because they begin a comment.
fn head(text: &str) -> Option<Head<'_>> {
    if !text.starts_with(char::is_alphabetic) {
        return None;
    }
    let is_in_name = |letter: char| letter.is_alphanumeric() || " \t_'/-".contains(letter);
    let end = text.find(|letter| !is_in_name(letter))?;
    let (name, mut rest) = text.split_at(end);
    if name.contains("//") {
        return None;
    }
    let mut dialect = None;
    if let Some(bracket) = rest.strip_prefix('[') {
        let (inner, after) = bracket.split_once(']')?;
        // A name does not go on in another line.
        if inner.contains('\n') {
            return None;
        }
        let start = end + 1 + (inner.len() - inner.trim_start().len());
        dialect = Some((start, inner.trim()));
        rest = after.trim_start_matches([' ', '\t']);
    }
    let rest = rest.strip_prefix(':')?;
    (rest.is_empty() || rest.starts_with(is_blank)).then(|| Head {
        name: name.trim_end(),
        dialect,
        length: text.len() - rest.len(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_head(text: &str, name: &str, dialect: Option<&str>, rule: &str) {
        let head = head(text).unwrap();
        assert_eq!(head.name, name);
        assert_eq!(head.dialect.map(|(_, dialect)| dialect), dialect);
        assert_eq!(&text[head.length..], rule);
    }

    #[test]
    fn a_name_begins_with_a_letter_and_ends_before_a_colon_and_a_blank() {
        assert_head("heroic: d6", "heroic", None, " d6");
        assert_head(
            "Baldur's 3d6/re-roll_1 : d6",
            "Baldur's 3d6/re-roll_1",
            None,
            " d6",
        );
        assert_head("würfeln: d6", "würfeln", None, " d6");
        assert_head("a:\nd6", "a", None, "\nd6");
        assert_head("best [ dicelab ]: d6", "best", Some("dicelab"), " d6");
        for text in [
            "d6",
            "4d6: 1",
            "1?2:3",
            "a:d6",
            "(a): 1",
            "d6 // note: 1",
            "a\nb: 1",
            "a [x\n]: 1",
        ] {
            assert!(head(text).is_none(), "{text}");
        }
    }
}
