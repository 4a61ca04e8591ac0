//! Reads the beginning of a definition: its name and its parameters.

use std::sync::Arc;

use super::definition::Definition;
use super::error::keyword_as_name;
use super::lexer::Token;
use super::names;
use super::tree::Tree;
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::notation::reader::lexed::Tokens;
use crate::notation::reader::quote::shortened;
use crate::source::Span;

/// The definition of a header and a tree, after other definitions.
pub(super) fn definition(
    header: Header,
    tree: Tree,
    span: Span,
    earlier: &[Arc<Definition>],
) -> Definition {
    let source = tree.source.clone();
    let name = source.slice(header.name).to_owned();
    let bound = header.parameters.iter().flatten();
    let bound = bound.map(|&parameter| source.slice(parameter)).collect();
    let free = names::unbound(&tree, bound, earlier, Some(&name));
    let free = free.into_iter().map(|unbound| unbound.name).collect();
    Definition {
        name,
        parameters: header.parameters,
        tree,
        span,
        free,
    }
}

/// The error for a second definition of a name.
pub(super) fn twice(first: &Definition, place: Span) -> Error {
    let message = format!("`{}` is defined a second time", shortened(&first.name));
    let finding = Diagnostic::new(place, message)
        .with_note(format!("the first definition is in {}", first.place()))
        .with_help("give one of them another name");
    Error::new(ErrorKind::Parse, finding)
}

/// The tokens of a definition before its tree.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) name: Span,
    pub(super) parameters: Option<Vec<Span>>,
    /// The number of tokens, with the sign `=`.
    pub(super) length: usize,
}

/// Reads `def NAME =` or `def NAME(P, …) =`.
pub(super) fn header(tokens: Tokens<Token>) -> Result<Header, Box<Diagnostic>> {
    let is_keyword = |at: usize| tokens.token(at).is_some_and(Token::is_keyword);
    let expected = |at: usize, what: &str| {
        let found = tokens.found(at).unwrap_or_else(|| "the end".into());
        let message = format!("expected {what}, found `{found}`");
        let wrong = Diagnostic::new(tokens.place(at), message);
        Err(Box::new(
            wrong
                .with_help("write `def f(x, y) = x + y`")
                .with_code("unexpected"),
        ))
    };
    if is_keyword(1) {
        return Err(Box::new(keyword_as_name(tokens.place(1), tokens.word(1))));
    }
    let mut at = 2;
    let mut parameters = None;
    if tokens.token(at) == Some(Token::Open) {
        at += 1;
        let names: &mut Vec<Span> = parameters.insert(Vec::new());
        while tokens.token(at) != Some(Token::Close) {
            if !names.is_empty() {
                if !tokens.token(at).is_some_and(Token::is_comma) {
                    return expected(at, "`,` or `)` after a parameter");
                }
                at += 1;
            }
            let word = tokens.word(at);
            match tokens.token(at) {
                Some(Token::Name) if names.iter().any(|&known| tokens.slice(known) == word) => {
                    let message = format!("two parameters are called `{}`", shortened(word));
                    let wrong = Diagnostic::new(tokens.place(at), message);
                    return Err(Box::new(wrong.with_help("give one of them another name")));
                }
                Some(Token::Name) => names.push(tokens.place(at)),
                _ if is_keyword(at) => {
                    return Err(Box::new(keyword_as_name(tokens.place(at), word)));
                }
                _ => return expected(at, "the name of a parameter"),
            }
            at += 1;
        }
        at += 1;
    }
    if tokens.token(at) != Some(Token::Assign) {
        return expected(at, "`=`");
    }
    Ok(Header {
        name: tokens.place(1),
        parameters,
        length: at + 1,
    })
}
