//! Parses tokens to a tree. The grammar is in the documentation of the folder.

use chumsky::pratt::{Associativity, Operator as _, infix, left, prefix, right};
use chumsky::prelude::*;

use super::lexer::{Lexed, Token};
use super::tree::{Binary, Node, Tree};
use crate::notation::reader::failure::Refusal;
use crate::notation::reader::language::language;
use crate::notation::reader::parsers::{
    self, Input, ParserExtra, add, leave, opening, opening_sign, sign,
};
use crate::notation::reader::state::ParserState;
use crate::notation::reader::tree::NodeId;
use crate::source::Source;

language! {
    Token, Node, ();
    end After;
    Operand = "a number or dice",
    /// An operator, a closing parenthesis, or the end.
    After = "an operator",
}

type Operators<'s> = Vec<parsers::Operator<'s, Words>>;

/// Reads a whole rule.
pub(super) fn parse(source: &Source, lexed: &Lexed) -> Result<Tree, Refusal<Expected>> {
    parsers::parse::<Words>(source, lexed, (), rule())
}

fn rule<'s>() -> impl Parser<'s, Input<'s, Words>, NodeId, ParserExtra<'s, Words>> {
    recursive(|rule| {
        let integer =
            sign(Token::Integer, Expected::Operand).map_with(|(), extra| add(extra, Node::Integer));
        let group = opening_sign(Token::Open, Expected::Operand)
            .ignore_then(rule)
            .then_ignore(sign(Token::Close, Expected::After))
            .map_with(|inner, extra| leave(extra, Node::Group(inner)));
        integer.or(group).pratt(operators()).boxed()
    })
}

/// The operators with their precedence. A higher number binds tighter.
fn operators<'s>() -> Operators<'s> {
    let die = prefix(
        DICE,
        opening_sign(Token::Letter('d'), Expected::Operand),
        |(), sides, extra| leave(extra, Node::Die(sides)),
    );
    let minus = prefix(
        4,
        opening_sign(Token::Minus, Expected::Operand),
        |(), operand, extra| leave(extra, Node::Negate(operand)),
    );
    vec![
        binary(right(DICE), |token| match token {
            Token::Letter(letter) => Binary::of_letter(letter),
            _ => None,
        }),
        die.boxed(),
        minus.boxed(),
        binary(left(3), |token| match token {
            Token::Minus => Some(Binary::BonusSubtract),
            Token::Plus => Some(Binary::BonusAdd),
            _ => None,
        }),
        binary(left(2), |token| {
            (token == Token::Spaced('x')).then_some(Binary::Repeat)
        }),
        binary(left(1), |token| match token {
            Token::Spaced('*') => Some(Binary::Multiply),
            Token::Spaced('/') => Some(Binary::Divide),
            _ => None,
        }),
        binary(left(0), |token| match token {
            Token::Spaced('+') => Some(Binary::Add),
            Token::Spaced('-') => Some(Binary::Subtract),
            _ => None,
        }),
    ]
}

/// The precedence of the letters, and of `d` before a die.
const DICE: u16 = 5;

fn binary<'s>(
    associativity: Associativity,
    read: fn(Token) -> Option<Binary>,
) -> parsers::Operator<'s, Words> {
    let operator = opening(
        Expected::After,
        move |_: &mut ParserState<'s, Words>, token| read(token),
    );
    infix(associativity, operator, |left, operator, right, extra| {
        leave(extra, Node::Binary(operator, left, right))
    })
    .boxed()
}
