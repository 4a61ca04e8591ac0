//! The parsers of single tokens that all grammars are built from, and the run of a whole grammar.
//!
//! The grammars are such that the next token says how to go on. So nothing is read twice, and the furthest place that
//! was reached is the place of the mistake.

use chumsky::input::MapExtra;
use chumsky::pratt;
use chumsky::prelude::*;

use super::failure::{Expected as _, Failure, Refusal};
use super::lexed::Lexed;
use super::state::{Language, State};
use super::tree::{NodeId, Tree};
use crate::source::Source;

/// What a grammar reads.
pub(crate) type Input<'s, L> = &'s [<L as Language>::Token];

/// What its parsers have at hand.
pub(crate) type Extra<'s, L> = extra::Full<Failure<<L as Language>::Expected>, State<'s, L>, ()>;

/// The same where something was read.
pub(crate) type At<'s, 'p, 'e, L> = &'e mut MapExtra<'s, 'p, Input<'s, L>, Extra<'s, L>>;

/// An operator with its place in the table of precedence.
pub(crate) type Operator<'s, L> = pratt::Boxed<'s, 's, Input<'s, L>, NodeId, Extra<'s, L>>;

/// A part of a grammar.
pub(crate) trait Part<'s, L: Language, O>:
    Parser<'s, Input<'s, L>, O, Extra<'s, L>> + Clone
{
}

impl<'s, L: Language, O, P: Parser<'s, Input<'s, L>, O, Extra<'s, L>> + Clone> Part<'s, L, O>
    for P
{
}

/// The one way in which tokens are read: one that stands here, and that the state then takes note of.
/// (Not by `map_with`, which is skipped where the output is ignored.)
pub(crate) fn noted<'s, L: Language, O>(
    expected: L::Expected,
    read: impl Fn(&mut State<'s, L>, L::Token) -> Option<O> + Clone,
    note: impl Fn(&mut State<'s, L>, usize) -> Result<(), Failure<L::Expected>> + Clone,
) -> impl Part<'s, L, O> {
    custom::<_, Input<'s, L>, _, Extra<'s, L>>(move |input| {
        let at = *input.cursor().inner();
        let found = input.peek().filter(|_| !input.state().is_over());
        match found.and_then(|token| read(input.state(), token)) {
            Some(output) => {
                note(input.state(), at)?;
                input.skip();
                Ok(output)
            }
            None => Err(Failure::new(at, expected)),
        }
    })
}

/// A token that stands here and means something.
pub(crate) fn token<'s, L: Language, O>(
    expected: L::Expected,
    read: impl Fn(&mut State<'s, L>, L::Token) -> Option<O> + Clone,
) -> impl Part<'s, L, O> {
    noted(expected, read, |_, _| Ok(()))
}

/// A token that says nothing but that it is there.
pub(crate) fn sign<'s, L: Language>(kind: L::Token, expected: L::Expected) -> impl Part<'s, L, ()> {
    token(expected, move |_, found| (found == kind).then_some(()))
}

/// A token that begins something with parts of its own: one level deeper, until the node is added.
pub(crate) fn opening<'s, L: Language, O>(
    expected: L::Expected,
    read: impl Fn(&mut State<'s, L>, L::Token) -> Option<O> + Clone,
) -> impl Part<'s, L, O> {
    noted(expected, read, |state, at| {
        state.enter(at);
        Ok(())
    })
}

/// As [`opening`], with a single token in mind.
pub(crate) fn opening_sign<'s, L: Language>(
    kind: L::Token,
    expected: L::Expected,
) -> impl Part<'s, L, ()> {
    opening(expected, move |_, found| (found == kind).then_some(()))
}

/// Adds the node of what was read.
pub(crate) fn add<L: Language>(extra: At<L>, node: L::Node) -> NodeId {
    let tokens = extra.span();
    extra.state().add(tokens, node)
}

/// Adds the node of what was read since an opening token.
pub(crate) fn leave<L: Language>(extra: At<L>, node: L::Node) -> NodeId {
    let tokens = extra.span();
    extra.state().leave(tokens, node)
}

/// Reads a whole rule.
pub(crate) fn parse<'s, L: Language>(
    source: &Source,
    lexed: &'s Lexed<L::Token>,
    memory: L::Memory,
    grammar: impl Parser<'s, Input<'s, L>, NodeId, Extra<'s, L>>,
) -> Result<Tree<L::Node>, Refusal<L::Expected>> {
    let mut state = State::new(lexed, memory);
    let (root, mut failures) = grammar
        .then_ignore(end())
        .parse_with_state(&lexed.tokens, &mut state)
        .into_output_errors();
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
