//! Tokens to a script: the grammar of the head of this folder.
//!
//! The next token and the number of values on the stack say how to go on. So nothing is read twice, and the furthest
//! place that was reached is the place of the mistake.

use chumsky::prelude::*;

use super::lexer::{Lexed, Token};
use super::state::{Expected, Failure, Limit, State};
use super::tree::{Block, BlockId, End, Instruction, Kind, Script, Sign, Then, Value, ValueKind};
use crate::source::Span;

type Tokens<'s> = &'s [Token];
type Extra<'s> = extra::Full<Failure, State<'s>, ()>;

/// Why there is no script.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The text is wrong here.
    Failure(Failure),
    /// A limit is reached at this token.
    Limit(usize, Limit),
}

/// Reads a whole script.
pub(super) fn parse<'s>(text: &'s str, lexed: &'s Lexed) -> Result<Script<'s>, Refusal> {
    let mut state = State::new(lexed);
    let (root, failures) = block()
        .then_ignore(end())
        .parse_with_state(&lexed.tokens, &mut state)
        .into_output_errors();
    if let Some((at, limit)) = state.refused {
        return Err(Refusal::Limit(at, limit));
    }
    match (root, failures.first()) {
        (Some(root), None) => Ok(Script {
            text,
            blocks: state.blocks,
            root,
        }),
        (_, failure) => Err(Refusal::Failure(
            failure
                .copied()
                .unwrap_or(Failure::new(lexed.tokens.len(), Expected::End)),
        )),
    }
}

/// Instructions up to a closing bracket or the end.
fn block<'s>() -> impl Parser<'s, Tokens<'s>, Block, Extra<'s>> {
    recursive(|block| {
        let simple = choice((
            token(Expected::Instruction, |token, _| match token {
                Token::Graph => Some(Kind::Graph),
                Token::Print => Some(Kind::Print),
                _ => None,
            }),
            value(Expected::Instruction).map_with(|value, extra| {
                state(extra).push();
                Kind::Push(value)
            }),
            // With a number on the stack they are filters; without one they append the value behind them.
            token(Expected::Instruction, |token, state| {
                sign(token)
                    .filter(|_| state.has_argument())
                    .map(Kind::Keep)
                    .inspect(|_| {
                        state.pop();
                    })
            }),
            token(Expected::Instruction, |token, state| {
                sign(token).filter(|_| !state.has_argument())
            })
            .then(value(Expected::Value))
            .map(|(sign, value)| Kind::Append(sign, value)),
            token(Expected::Instruction, |token, state| {
                (token == Token::Dice).then(|| state.pop())
            })
            .then(value(Expected::Value))
            .map(|(pops, sides)| Kind::Roll { pops, sides }),
            token(Expected::Instruction, |token, _| {
                Some(match token {
                    Token::High => |value| Kind::Select(End::High, value),
                    Token::Low => |value| Kind::Select(End::Low, value),
                    Token::Star => Kind::Multiply,
                    Token::Verbosity => Kind::Verbosity,
                    _ => return None,
                } as fn(Value) -> Kind)
            })
            .then(value(Expected::Value))
            .map(|(kind, value)| kind(value)),
        ));
        let braces = bracketed(Token::Open, Token::Close, Expected::Close, block.clone()).boxed();
        let squares = bracketed(
            Token::OpenSquare,
            Token::CloseSquare,
            Expected::CloseSquare,
            block,
        );
        let repeated = braces.clone().map_with(|body, extra| {
            let pops = state(extra).pop();
            Kind::Block { pops, body }
        });
        let then = braces.map_with(|body, extra| {
            let span = place(extra);
            let pops = state(extra).pop();
            Then { pops, body, span }
        });
        let remove = squares
            .then(then.or_not())
            .map(|(filter, then)| Kind::Remove { filter, then });
        choice((simple.boxed(), repeated.boxed(), remove.boxed()))
            .map_with(|kind, extra| {
                let at = extra.span().start;
                state(extra).count(at);
                Instruction {
                    span: place(extra),
                    kind,
                }
            })
            .repeated()
            .collect()
            .boxed()
    })
}

/// A block in brackets.
fn bracketed<'s>(
    open: Token,
    close: Token,
    expected: Expected,
    block: impl Parser<'s, Tokens<'s>, Block, Extra<'s>> + Clone + 's,
) -> impl Parser<'s, Tokens<'s>, BlockId, Extra<'s>> + Clone {
    let begins = custom::<_, Tokens<'s>, _, Extra<'s>>(move |input| {
        let at = *input.cursor().inner();
        if input.peek() != Some(open) || input.state().is_over() {
            return Err(Failure::new(at, Expected::Instruction));
        }
        input.state().enter(at);
        input.skip();
        Ok(())
    });
    // A bracket that is not closed is the mistake, and nothing around it is to be tried again: that would take twice as long
    // for each bracket around it.
    let closes = custom::<_, Tokens<'s>, _, Extra<'s>>(move |input| {
        let at = *input.cursor().inner();
        if input.peek() != Some(close) || input.state().is_over() {
            input.state().is_wrong = true;
            return Err(Failure::new(at, expected));
        }
        input.skip();
        Ok(())
    });
    begins
        .ignore_then(block)
        .then_ignore(closes)
        .map_with(|block, extra| state(extra).leave(block))
}

/// `3`, `S` or `C`.
fn value<'s>(expected: Expected) -> impl Parser<'s, Tokens<'s>, Value, Extra<'s>> + Clone {
    token(expected, |token, _| match token {
        Token::Count => Some(ValueKind::Count),
        Token::Integer => Some(ValueKind::Integer),
        Token::Sum => Some(ValueKind::Sum),
        _ => None,
    })
    .map_with(|kind, extra| Value {
        span: place(extra),
        kind,
    })
}

fn sign(token: Token) -> Option<Sign> {
    match token {
        Token::Minus => Some(Sign::Minus),
        Token::Plus => Some(Sign::Plus),
        _ => None,
    }
}

/// The one way in which tokens are read: one that stands here.
fn token<'s, O>(
    expected: Expected,
    read: impl Fn(Token, &mut State<'s>) -> Option<O> + Clone,
) -> impl Parser<'s, Tokens<'s>, O, Extra<'s>> + Clone {
    custom::<_, Tokens<'s>, _, Extra<'s>>(move |input| {
        let at = *input.cursor().inner();
        let found = input.peek().filter(|_| !input.state().is_over());
        let read = found.and_then(|token| read(token, input.state()));
        if read.is_some() {
            input.skip();
        }
        read.ok_or(Failure::new(at, expected))
    })
}

type At<'s, 'p, 'e> = &'e mut chumsky::input::MapExtra<'s, 'p, Tokens<'s>, Extra<'s>>;

fn state<'s, 'e>(extra: At<'s, '_, 'e>) -> &'e mut State<'s> {
    extra.state()
}

fn place(extra: At) -> Span {
    let tokens = extra.span();
    extra.state().place(tokens)
}
