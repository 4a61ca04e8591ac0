//! The errors of reading a rule, with their wording. Corrections are looked up elsewhere ([`crate::notation::mend`]).

use super::language::{Expected, Failure};
use super::lexer::{Token, words};
use super::names::Unbound;
use super::table::Table;
use super::tree::{Node, Operator, Pattern, Tree};
use crate::error::{Diagnostic, Error, ErrorKind, Remedy};
use crate::notation::mend::explain;
use crate::notation::reader::failure::Limit;
use crate::notation::reader::lexed::Tokens;
use crate::notation::reader::quote::{MOST_LISTED, shortened};
use crate::notation::reader::tree::NodeId;
use crate::source::Span;

/// Some findings as one error. There is at least one finding.
pub(super) fn failed(kind: ErrorKind, findings: impl IntoIterator<Item = Diagnostic>) -> Error {
    let mut findings: Vec<Diagnostic> = findings.into_iter().collect();
    findings.dedup();
    findings.truncate(MOST_LISTED);
    Error::with_all(kind, findings)
}

/// The error about a text that needs no grammar to be found: there is no rule, a bracket has no partner, or a sign has no meaning.
pub(super) fn of_signs(tokens: Tokens<Token>) -> Option<Diagnostic> {
    if tokens.lexed.tokens.is_empty() {
        let empty = Diagnostic::new(tokens.span, "there is no rule here");
        return Some(empty.with_help("write a rule such as `sum(3#d6)`"));
    }
    if let Some(unmatched) = explain::brackets(tokens) {
        return Some(unmatched);
    }
    let unknown = tokens.lexed.tokens.iter();
    let at = unknown.clone().position(|token| *token == Token::Unknown)?;
    Some(if tokens.word(at) == "\"" {
        Diagnostic::new(tokens.place(at), "this text is never closed")
            .with_help("write `\"` where it ends, as in `\"hit\"`")
            .with_code("unclosed")
    } else {
        explain::unknown_sign(tokens.place(at), tokens.word(at), "Bones")
    })
}

/// The error for a place where the grammar fails.
pub(super) fn unexpected(table: Table, tokens: Tokens<Token>, failure: &Failure) -> Diagnostic {
    let at = failure.at;
    if let Some(list) = failure.part {
        return Diagnostic::new(list, "a list stands where a number is needed");
    }
    if failure.expects(Expected::Name)
        && let Some(token) = tokens.token(at)
        && token.is_keyword()
    {
        let has_digits = tokens.token(at + 1) == Some(Token::Integer) && tokens.is_glued(at + 1);
        let end = at + 1 + usize::from(has_digits);
        return keyword_as_name(tokens.place(at), tokens.words(at, end));
    }
    // A word of the language stands for the next name in `a = 1, d = 2`, and for the name that is defined in `def d(x) = …`.
    let is_keyword = |at: &usize| tokens.token(*at).is_some_and(Token::is_keyword);
    let is_next = |name: &usize| {
        let is_listed = tokens.before(*name).is_some_and(Token::is_comma);
        is_listed && tokens.token(at) == Some(Token::Assign)
    };
    let next = at.checked_sub(1).filter(is_next);
    let defined = (tokens.word(0) == "def").then_some(1);
    if let Some(name) = next.or(defined).filter(is_keyword) {
        return keyword_as_name(tokens.place(name), tokens.word(name));
    }
    // A word that stands elsewhere, too, is probably a name.
    let occurs = |word: &str| {
        let places = 0..tokens.lexed.tokens.len();
        places.filter(|&place| tokens.word(place) == word).count()
    };
    if let Some(before) = at.checked_sub(1)
        && tokens.token(before) == Some(Token::Name)
    {
        let name = tokens.word(before);
        if words(Table::Bones).any(|word| word == name) {
            return if words(table).any(|word| word == name) {
                name_as_word(tokens, before)
            } else {
                let message = format!("`{name}` is a word of Bones, and none of {table}");
                Diagnostic::new(tokens.place(before), message)
                    .with_help("read the rule as Bones, with `-d bones`")
                    .with_code("unknown-word")
            };
        }
        if tokens.token(at) == Some(Token::Open) && tokens.is_glued(at) && occurs(name) == 1 {
            let name = shortened(name);
            let message = format!("no definition of `{name}` stands before");
            return Diagnostic::new(tokens.place(before), message)
                .with_help(format!(
                    "write `def {name}(x) = …` before the rule to define it"
                ))
                .with_code("undefined");
        }
    }
    let is_name = tokens.token(at) == Some(Token::Name);
    explain::unexpected(tokens, failure, |word| {
        !is_name || word.len() == 1 || occurs(word) > 1
    })
}

/// The error about a word of the language that something in the rule binds, so that the whole rule reads it as a name.
fn name_as_word(tokens: Tokens<Token>, at: usize) -> Diagnostic {
    let name = tokens.word(at);
    let is_binder = |place: &usize| {
        let binds = [Token::Assign, Token::In, Token::From].map(Some);
        tokens.word(*place) == name && binds.contains(&tokens.token(place + 1))
    };
    let binder = (0..tokens.lexed.tokens.len()).find(is_binder);
    let since = binder.map_or_else(
        || "because a definition or `--set` gives it a value".to_owned(),
        |place| {
            let is_first = tokens
                .before(place)
                .is_some_and(|before| !before.is_comma());
            let from = place - usize::from(is_first);
            format!("since `{} …`", tokens.words(from, place + 2))
        },
    );
    let message = format!("`{name}` is a name in this rule, {since}");
    Diagnostic::new(tokens.place(at), message)
        .with_help("give it another name where it gets its value")
        .with_code(explain::NAME_AS_WORD)
}

/// The error about a word of the language that stands for a name.
pub(super) fn keyword_as_name(place: Span, word: &str) -> Diagnostic {
    let message = format!("`{word}` is a word of the language, so it cannot be a name");
    Diagnostic::new(place, message)
        .with_help("give it another name")
        .with_code("reserved")
}

/// The errors about a rule that can be read, and surely means something else: `d00`, and an arm for `1-3`.
pub(super) fn misread(tree: &Tree) -> Option<Diagnostic> {
    let number = |id: NodeId| match *tree.node(id) {
        Node::Integer | Node::Negate(_) => tree.words(id).parse::<i64>().ok(),
        _ => None,
    };
    let is_run = |id: NodeId| match *tree.node(id) {
        Node::Arithmetic(Operator::Subtract, low, high) => number(low)
            .zip(number(high))
            .is_some_and(|(low, high)| low < high),
        _ => false,
    };
    tree.ids().find_map(|id| match tree.node(id) {
        Node::Die(sides) if tree.words(*sides) == "00" => {
            let wrong = Diagnostic::new(tree.span(*sides), "no die has 00 sides");
            Some(wrong.with_note("the tens alone, from 0 to 90, are `d{0..9}*10`"))
        }
        Node::AnyDie(entries) => {
            let run = entries.iter().find(|entry| is_run(entry.face))?.face;
            let message = format!("`{}` is one number, and no range", tree.words(run));
            Some(Diagnostic::new(tree.span(run), message).with_code("dice"))
        }
        Node::Case(case) => {
            let patterns = case.arms.iter().flat_map(|arm| &arm.patterns);
            let run = patterns.into_iter().find_map(|pattern| match *pattern {
                Pattern::One(value) => Some(value).filter(|&value| is_run(value)),
                _ => None,
            })?;
            let message = format!("`{}` is no value of an arm", tree.words(run));
            Some(Diagnostic::new(tree.span(run), message).with_code("arm"))
        }
        _ => None,
    })
}

/// The error for a name that nothing binds.
pub(super) fn unbound(unbound: &Unbound) -> Diagnostic {
    let name = shortened(&unbound.name);
    let message = match &unbound.within {
        None => format!("`{name}` has no value"),
        Some(within) => format!(
            "`{name}` has no value, in the definition of `{}`",
            shortened(within)
        ),
    };
    Diagnostic::new(unbound.place, message)
        .with_label("nothing gives it a value")
        .with_help(format!("write `let {name} = … in …`"))
        .with_remedy(Remedy::GiveValue(unbound.name.clone()))
        .with_code("unbound")
}

/// A rule that reaches a limit.
pub(super) fn too_deep(place: Span, limit: Limit) -> Diagnostic {
    limit.complaint(
        place,
        match limit {
            Limit::Chain => "write `sum(…,…)`, which has no such limit",
            Limit::Depth => "name the inner parts with `let`, or leave out parentheses",
        },
    )
}
