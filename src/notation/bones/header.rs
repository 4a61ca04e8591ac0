//! Reads the beginning of a definition: its name and its parameters.

use std::sync::Arc;

use super::context::Context;
use super::definition::Definition;
use super::error::{ParseError, ParseErrorKind};
use super::lexer::Token;
use super::names;
use super::tree::Tree;
use crate::error::{Diagnostic, Error, ErrorKind};
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
pub(super) fn header(context: Context) -> Result<Header, ParseError> {
    let lexed = context.lexed;
    let span = |at: usize| context.place(at);
    let name = span(1);
    if lexed.tokens.get(1).is_some_and(|token| token.is_keyword()) {
        let keyword = context.word(1).to_owned();
        return Err(ParseError::new(
            name,
            ParseErrorKind::KeywordAsName { keyword },
        ));
    }
    let mut at = 2;
    let mut parameters = None;
    if lexed.tokens.get(at) == Some(&Token::Open) {
        at += 1;
        let names = parameters.insert(Vec::new());
        while lexed.tokens.get(at) != Some(&Token::Close) {
            if !names.is_empty() {
                if !lexed.tokens.get(at).is_some_and(|token| token.is_comma()) {
                    let found = context.found(at);
                    return Err(ParseError::new(
                        span(at),
                        ParseErrorKind::ExpectedParameter { found },
                    ));
                }
                at += 1;
            }
            match lexed.tokens.get(at) {
                Some(Token::Name) => {
                    let word = context.word(at);
                    if names.iter().any(|&known| context.slice(known) == word) {
                        let name = word.to_owned();
                        return Err(ParseError::new(
                            span(at),
                            ParseErrorKind::SameParameter { name },
                        ));
                    }
                    names.push(span(at));
                }
                Some(token) if token.is_keyword() => {
                    let keyword = context.word(at).to_owned();
                    return Err(ParseError::new(
                        span(at),
                        ParseErrorKind::KeywordAsName { keyword },
                    ));
                }
                _ => {
                    let found = context.found(at);
                    return Err(ParseError::new(
                        span(at),
                        ParseErrorKind::ExpectedParameter { found },
                    ));
                }
            }
            at += 1;
        }
        at += 1;
    }
    if lexed.tokens.get(at) != Some(&Token::Assign) {
        let found = context.found(at);
        let binder = Some(Token::Def);
        return Err(ParseError::new(
            span(at),
            ParseErrorKind::ExpectedAssign { found, binder },
        ));
    }
    Ok(Header {
        name,
        parameters,
        length: at + 1,
    })
}
