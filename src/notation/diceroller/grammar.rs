//! Parses tokens to a script. The grammar is in the documentation of the folder.
//!
//! The next token and the size of the stack decide how to go on. So no token is read twice, and the furthest place that was
//! reached is the place of the mistake.

use chumsky::prelude::*;

use super::lexer::{Lexed, Token};
use super::state::{Expected, Failure, ParserState, Stacks, Words};
use super::tree::{Action, Block, Instruction, Operand, OperandKind, Script, Sign, Then};
use crate::notation::extreme::Extreme;
use crate::notation::reader::failure::Refusal;
use crate::notation::reader::parsers::{self, At, GrammarParser, Input, ParserExtra, token};
use crate::notation::reader::tree::NodeId as BlockId;
use crate::source::{Source, Span};

/// Reads a whole script.
pub(super) fn parse(source: &Source, lexed: &Lexed) -> Result<Script, Refusal<Expected>> {
    let script = block().map_with(|root, extra| parsers::add(extra, root));
    parsers::parse::<Words>(source, lexed, Stacks::new(), script)
}

/// Instructions up to a closing bracket or the end.
fn block<'s>() -> impl Parser<'s, Input<'s, Words>, Block, ParserExtra<'s, Words>> {
    recursive(|block| {
        let simple = choice((
            token(
                Expected::Instruction,
                |_: &mut ParserState<'s>, token| match token {
                    Token::Graph => Some(Action::Graph),
                    Token::Print => Some(Action::Print),
                    _ => None,
                },
            ),
            value(Expected::Instruction).map_with(|value, extra| {
                memory(extra).push();
                Action::Push(value)
            }),
            // A sign is a filter if a number is on the stack; otherwise it appends the value behind it.
            token(
                Expected::Instruction,
                |state: &mut ParserState<'s>, token| {
                    sign(token)
                        .filter(|_| state.memory.has_argument())
                        .map(Action::Keep)
                        .inspect(|_| {
                            state.memory.pop();
                        })
                },
            ),
            token(
                Expected::Instruction,
                |state: &mut ParserState<'s>, token| {
                    sign(token).filter(|_| !state.memory.has_argument())
                },
            )
            .then(value(Expected::Value))
            .map(|(sign, value)| Action::Append(sign, value)),
            token(
                Expected::Instruction,
                |state: &mut ParserState<'s>, token| {
                    (token == Token::Dice).then(|| state.memory.pop())
                },
            )
            .then(value(Expected::Value))
            .map(|(pops, sides)| Action::Roll { pops, sides }),
            token(Expected::Instruction, |_: &mut ParserState<'s>, token| {
                Some(match token {
                    Token::High => |value| Action::Select(Extreme::High, value),
                    Token::Low => |value| Action::Select(Extreme::Low, value),
                    Token::Star => Action::Multiply,
                    Token::Verbosity => Action::Verbosity,
                    _ => return None,
                } as fn(Operand) -> Action)
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
            let pops = memory(extra).pop();
            Action::Block { pops, body }
        });
        let then = braces.map_with(|body, extra| {
            let span = place(extra);
            let pops = memory(extra).pop();
            Then { pops, body, span }
        });
        let remove = squares
            .then(then.or_not())
            .map(|(filter, then)| Action::Remove { filter, then });
        choice((simple.boxed(), repeated.boxed(), remove.boxed()))
            .map_with(|kind, extra| {
                let at = extra.span().start;
                extra.state().count(at);
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
    block: impl GrammarParser<'s, Words, Block> + 's,
) -> impl GrammarParser<'s, Words, BlockId> {
    let begins = custom::<_, Input<'s, Words>, _, ParserExtra<'s, Words>>(move |input| {
        let at = *input.cursor().inner();
        if input.peek() != Some(open) || input.state().is_over() {
            return Err(Failure::new(at, Expected::Instruction));
        }
        input.state().enter_context(at);
        input.skip();
        Ok(())
    });
    // A bracket that is not closed ends the reading. To try other parsers would double the time for each bracket around it.
    let closes = custom::<_, Input<'s, Words>, _, ParserExtra<'s, Words>>(move |input| {
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
        .map_with(|block, extra| {
            memory(extra).leave();
            parsers::add(extra, block)
        })
}

/// `3`, `S` or `C`.
fn value<'s>(expected: Expected) -> impl GrammarParser<'s, Words, Operand> {
    token(expected, |_: &mut ParserState<'s>, token| match token {
        Token::Count => Some(OperandKind::Count),
        Token::Integer => Some(OperandKind::Integer),
        Token::Sum => Some(OperandKind::Sum),
        _ => None,
    })
    .map_with(|kind, extra| Operand {
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

fn memory<'e>(extra: At<'_, '_, 'e, Words>) -> &'e mut Stacks {
    &mut extra.state().memory
}

fn place(extra: At<Words>) -> Span {
    let tokens = extra.span();
    extra.state().place(tokens)
}
