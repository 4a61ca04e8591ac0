//! The parsers of single tokens that all grammars are built from, and the run of a whole grammar.
//!
//! In every grammar the next token decides how to go on. So the furthest place that was reached is the place of the mistake.
//! chumsky tries an operator before a mistake again for each part around it, with all that follows. This would take exponential
//! time, so [`ParserState::may_read`] bounds how often.

use chumsky::input::MapExtra;
use chumsky::pratt;
use chumsky::prelude::*;

use super::failure::{Expected as _, Failure, Refusal};
use super::lexed::Lexed;
use super::state::{Language, ParserState};
use super::tree::{NodeId, Tree};
use crate::limits::MAX_DEPTH;
use crate::source::Source;
use crate::stack;

/// The input of a grammar: tokens.
pub(crate) type Input<'s, L> = &'s [<L as Language>::Token];

/// The error type and the state of a grammar's parsers.
pub(crate) type ParserExtra<'s, L> =
    extra::Full<Failure<<L as Language>::Expected>, ParserState<'s, L>, ()>;

/// The state and the tokens of a part that was read.
pub(crate) type At<'s, 'p, 'e, L> = &'e mut MapExtra<'s, 'p, Input<'s, L>, ParserExtra<'s, L>>;

/// An operator with its precedence.
pub(crate) type Operator<'s, L> = pratt::Boxed<'s, 's, Input<'s, L>, NodeId, ParserExtra<'s, L>>;

/// A part of a grammar.
pub(crate) trait GrammarParser<'s, L: Language, O>:
    Parser<'s, Input<'s, L>, O, ParserExtra<'s, L>> + Clone
{
}

impl<'s, L: Language, O, P: Parser<'s, Input<'s, L>, O, ParserExtra<'s, L>> + Clone>
    GrammarParser<'s, L, O> for P
{
}

/// Reads one token, and records it in the state by `note`. All tokens are read through this function. `map_with` would not
/// do, because chumsky skips it where the output is ignored.
pub(crate) fn noted<'s, L: Language, O>(
    expected: L::Expected,
    read: impl Fn(&mut ParserState<'s, L>, L::Token) -> Option<O> + Clone,
    note: impl Fn(&mut ParserState<'s, L>, usize) -> Result<(), Failure<L::Expected>> + Clone,
) -> impl GrammarParser<'s, L, O> {
    custom::<_, Input<'s, L>, _, ParserExtra<'s, L>>(move |input| {
        let at = *input.cursor().inner();
        let found = input.peek().filter(|_| !input.state().is_over());
        match found.and_then(|token| read(input.state(), token)) {
            Some(output) => {
                note(input.state(), at)?;
                if !input.state().may_read(at) {
                    return Err(Failure::new(at, expected));
                }
                input.skip();
                Ok(output)
            }
            None => Err(Failure::new(at, expected)),
        }
    })
}

/// Reads a token for which `read` returns an output.
pub(crate) fn token<'s, L: Language, O>(
    expected: L::Expected,
    read: impl Fn(&mut ParserState<'s, L>, L::Token) -> Option<O> + Clone,
) -> impl GrammarParser<'s, L, O> {
    noted(expected, read, |_, _| Ok(()))
}

/// Reads a token of one kind, without an output.
pub(crate) fn sign<'s, L: Language>(
    kind: L::Token,
    expected: L::Expected,
) -> impl GrammarParser<'s, L, ()> {
    token(expected, move |_, found| (found == kind).then_some(()))
}

/// Reads the first token of a nested part. The depth is one more until [`leave`] adds the node of the part.
pub(crate) fn opening<'s, L: Language, O>(
    expected: L::Expected,
    read: impl Fn(&mut ParserState<'s, L>, L::Token) -> Option<O> + Clone,
) -> impl GrammarParser<'s, L, O> {
    noted(expected, read, |state, at| {
        state.enter(at);
        Ok(())
    })
}

/// [`opening`] for a token of one kind, without an output.
pub(crate) fn opening_sign<'s, L: Language>(
    kind: L::Token,
    expected: L::Expected,
) -> impl GrammarParser<'s, L, ()> {
    opening(expected, move |_, found| (found == kind).then_some(()))
}

/// Adds the node of the tokens that were read.
pub(crate) fn add<L: Language>(extra: At<L>, node: L::Node) -> NodeId {
    let tokens = extra.span();
    extra.state().add(tokens, node)
}

/// Adds the node of a nested part that began with [`opening`].
pub(crate) fn leave<L: Language>(extra: At<L>, node: L::Node) -> NodeId {
    let tokens = extra.span();
    extra.state().leave(tokens, node)
}

/// The most bytes of stack that a grammar takes for a level ([`ParserState::enter`]). A level has a token at least.
const STACK_OF_LEVEL: usize = if cfg!(debug_assertions) {
    40 << 10
} else {
    6 << 10
};

/// Reads a whole rule.
pub(crate) fn parse<'s, L: Language>(
    source: &Source,
    lexed: &'s Lexed<L::Token>,
    memory: L::Memory,
    grammar: impl Parser<'s, Input<'s, L>, NodeId, ParserExtra<'s, L>>,
) -> Result<Tree<L::Node>, Refusal<L::Expected>> {
    let mut state = ParserState::new(lexed, memory);
    let depth = lexed.tokens.len().min(MAX_DEPTH) + 1;
    let (root, mut failures) = stack::with_room(depth * STACK_OF_LEVEL, || {
        grammar
            .then_ignore(end())
            .parse_with_state(&lexed.tokens, &mut state)
            .into_output_errors()
    });
    if let Some((at, limit)) = state.refused {
        return Err(Refusal::Limit(at, limit));
    }
    match root {
        Some(root) if failures.is_empty() => Ok(Tree {
            source: source.clone(),
            nodes: state.nodes,
            spans: state.spans,
            root,
        }),
        _ => {
            failures.append(&mut state.failures);
            failures.sort_by_key(|failure| failure.at);
            failures.dedup_by_key(|failure| (failure.at, failure.part));
            if failures.is_empty() {
                failures.push(Failure::new(lexed.tokens.len(), L::Expected::END));
            }
            Err(Refusal::Failures(failures))
        }
    }
}
