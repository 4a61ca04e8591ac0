//! Parses tokens to a tree. The grammar is in the documentation of the folder.

use chumsky::pratt::{Associativity, Operator as _};
use chumsky::pratt::{infix, left, prefix, right};
use chumsky::prelude::*;

use super::lexer::Lexed;
use super::token::{Operator, Token};
use super::tree::{Argument, ChainPart, Die, Modified, Node, Pool, Sides, Tree};
use super::words::Takes;
use crate::notation::reader::failure::Refusal;
use crate::notation::reader::language::language;
use crate::notation::reader::parsers::{
    self, At, GrammarParser, Input, ParserExtra, add, leave, opening, opening_sign, sign, token,
};
use crate::notation::reader::state::ParserState;
use crate::notation::reader::tree::NodeId;
use crate::source::Source;

language! {
    Token, Node, ();
    end After;
    Sides = "the sides of the die",
    Operand = "dice or a number",
    /// The number of a modifier or of a target.
    Number = "a number",
    /// An operator, a closing bracket, or the end.
    After = "an operator or the end of the roll",
}

type Operators<'s> = Vec<parsers::Operator<'s, Words>>;

/// Reads a whole roll.
pub(super) fn parse(source: &Source, lexed: &Lexed) -> Result<Tree, Refusal<Expected>> {
    parsers::parse::<Words>(source, lexed, (), roll())
}

/// The part after the count of a die, or after a parenthesis.
enum Behind {
    Dice(Sides, Vec<Modified>),
    Modifiers(Vec<Modified>),
}

fn roll<'s>() -> impl Parser<'s, Input<'s, Words>, NodeId, ParserExtra<'s, Words>> {
    let repeat = sign(Token::Repeat, Expected::Operand)
        .map_with(|(), extra| add(extra, Node::Number))
        .or_not();
    let advantage = token(
        Expected::After,
        |_: &mut ParserState<'s, Words>, token| match token {
            Token::Advantage(end) => Some(end),
            _ => None,
        },
    )
    .or_not();
    let rolled =
        expression()
            .then(advantage)
            .map_with(|(roll, advantage), extra| match advantage {
                None => roll,
                Some(end) => add(extra, Node::Advantage(end, roll)),
            });
    repeat
        .then(rolled)
        .map_with(|(count, roll), extra| match count {
            None => roll,
            Some(count) => add(extra, Node::Repeat(count, roll)),
        })
}

fn expression<'s>() -> impl Parser<'s, Input<'s, Words>, NodeId, ParserExtra<'s, Words>> {
    recursive(|expression| {
        let list = expression
            .clone()
            .separated_by(sign(Token::Comma, Expected::After))
            .at_least(1)
            .collect::<Vec<_>>();
        let inline = opening_sign(Token::InlineOpen, Expected::Operand)
            .ignore_then(expression.clone())
            .then_ignore(sign(Token::InlineClose, Expected::After))
            .map_with(|inner, extra| leave(extra, Node::Group(inner)));
        let parenthesis = opening_sign(Token::Open, Expected::Operand)
            .ignore_then(expression)
            .then_ignore(sign(Token::Close, Expected::After))
            .map_with(|inner, extra| leave(extra, Node::Group(inner)));
        let number = leaf(Token::Number, Expected::Operand);
        let decimal = leaf(Token::Decimal, Expected::Operand);
        let name = leaf(Token::Name, Expected::Operand);
        let nested = inline.clone().or(parenthesis).boxed();

        let sides = sides(nested.clone());
        let argument = leaf(Token::Argument, Expected::Number).or(nested);
        let modifiers = modifiers(argument).boxed();
        let sides = sides
            .then(modifiers.clone())
            .map(|(sides, modifiers)| Behind::Dice(sides, modifiers))
            .boxed();
        let dice = sign(Token::Dice, Expected::After).ignore_then(sides.clone());
        let die = sign(Token::Die, Expected::Operand)
            .ignore_then(sides)
            .map_with(|dice, extra| with(None, dice, extra));
        let tail = dice
            .clone()
            .or(modifiers.clone().map(Behind::Modifiers))
            .boxed();
        let inlined = inline
            .then(tail.clone())
            .map_with(|(inner, tail), extra| with(Some(inner), tail, extra));
        // A parenthesis with a comma is a group.
        let listed = opening_sign(Token::Open, Expected::Operand)
            .ignore_then(list.clone())
            .then(sign(Token::Comma, Expected::After).or_not())
            .then_ignore(sign(Token::Close, Expected::After))
            .map_with(|(members, comma), extra| {
                let is_group = members.len() > 1 || comma.is_some();
                let first = members[0];
                let node = if is_group {
                    Node::Pool(Pool {
                        members,
                        modifiers: Vec::new(),
                        is_parenthesis: false,
                    })
                } else {
                    Node::Group(first)
                };
                leave(extra, node)
            })
            .then(tail)
            .map_with(|(inner, tail), extra| with(Some(inner), tail, extra));
        let braced = opening_sign(Token::BraceOpen, Expected::Operand)
            .ignore_then(list.clone())
            .then_ignore(sign(Token::BraceClose, Expected::After))
            .then(modifiers)
            .map_with(|(members, modifiers), extra| {
                let node = Node::Pool(Pool {
                    members,
                    modifiers,
                    is_parenthesis: false,
                });
                leave(extra, node)
            });
        let call = opening(
            Expected::Operand,
            |_: &mut ParserState<'s, Words>, token| match token {
                Token::Function(function) => Some(function),
                _ => None,
            },
        )
        .then_ignore(sign(Token::Open, Expected::Operand))
        .then(list)
        .then_ignore(sign(Token::Close, Expected::After))
        .map_with(|(function, arguments), extra| leave(extra, Node::Call(function, arguments)));
        let counted =
            choice((number, name, call))
                .then(dice.or_not())
                .map_with(|(count, dice), extra| match dice {
                    None => count,
                    Some(dice) => with(Some(count), dice, extra),
                });

        choice((
            counted.boxed(),
            decimal.boxed(),
            die.boxed(),
            listed.boxed(),
            inlined.boxed(),
            braced.boxed(),
        ))
        .pratt(operators())
        .boxed()
    })
}

/// The sides of a die.
fn sides<'s>(
    nested: impl GrammarParser<'s, Words, NodeId> + 's,
) -> impl GrammarParser<'s, Words, Sides> {
    choice((
        leaf(Token::Number, Expected::Sides).map(Sides::Number),
        leaf(Token::Name, Expected::Sides).map(Sides::Number),
        nested.map(Sides::Number),
        token(
            Expected::Sides,
            |_: &mut ParserState<'s, Words>, token| match token {
                Token::Sides(sides) => Some(Sides::Word(sides)),
                _ => None,
            },
        ),
    ))
}

/// The node of dice, or of a parenthesis with modifiers. A parenthesis without modifiers stays as it is.
fn with(count: Option<NodeId>, behind: Behind, extra: At<'_, '_, '_, Words>) -> NodeId {
    match (behind, count) {
        (Behind::Dice(sides, modifiers), count) => add(
            extra,
            Node::Die(Die {
                count,
                sides,
                modifiers,
            }),
        ),
        (Behind::Modifiers(modifiers), Some(inner)) if modifiers.is_empty() => inner,
        (Behind::Modifiers(modifiers), Some(inner)) => {
            let pool = match &extra.state().nodes[inner.index()] {
                Node::Pool(pool) => Pool {
                    modifiers,
                    ..pool.clone()
                },
                _ => Pool {
                    members: vec![inner],
                    modifiers,
                    is_parenthesis: true,
                },
            };
            add(extra, Node::Pool(pool))
        }
        (Behind::Modifiers(_), None) => unreachable!("modifiers stand behind something"),
    }
}

/// A token that is a node by itself.
fn leaf<'s>(kind: Token, expected: Expected) -> impl GrammarParser<'s, Words, NodeId> {
    sign(kind, expected).map_with(move |(), extra| {
        let node = if kind == Token::Name {
            Node::Name
        } else {
            Node::Number
        };
        add(extra, node)
    })
}

/// The modifiers and the target behind a die or a group.
fn modifiers<'s>(
    argument: impl GrammarParser<'s, Words, NodeId> + 's,
) -> impl GrammarParser<'s, Words, Vec<Modified>> {
    let condition = token(
        Expected::Number,
        |_: &mut ParserState<'s, Words>, token| match token {
            Token::Target(comparison) => Some(comparison),
            _ => None,
        },
    )
    .then(argument.clone())
    .map(|(comparison, number)| Argument::Condition(comparison, number));
    let that_takes = |takes: Takes| {
        token(
            Expected::After,
            move |_: &mut ParserState<'s, Words>, token| match token {
                Token::Modifier(modifier) if modifier.takes() == takes => Some(modifier),
                _ => None,
            },
        )
    };
    let number = argument.map(Argument::Number);
    let or_none = |found: Option<Argument>| found.unwrap_or(Argument::None);
    let plain = that_takes(Takes::Nothing).map(|modifier| (modifier, Argument::None));
    let numbered = that_takes(Takes::Number).then(number.clone().or_not().map(or_none));
    let conditioned =
        that_takes(Takes::Condition).then(condition.clone().or(number).or_not().map(or_none));
    let modifier = choice((plain, numbered, conditioned))
        .map(|(modifier, argument)| (ChainPart::Modifier(modifier), argument));
    modifier
        .or(condition.map(|condition| (ChainPart::Target, condition)))
        .map_with(|(kind, argument), extra: At<'_, '_, '_, Words>| {
            let tokens = extra.span();
            let span = extra.state().place(tokens);
            Modified {
                kind,
                argument,
                span,
            }
        })
        .repeated()
        .collect::<Vec<_>>()
}

/// The operators with their precedence. A higher number binds tighter.
fn operators<'s>() -> Operators<'s> {
    let signed = |kind: Operator| opening_sign::<Words>(Token::Operator(kind), Expected::Operand);
    vec![
        binary(right(4), &[Operator::Power]),
        prefix(3, signed(Operator::Subtract), |(), operand, extra| {
            leave(extra, Node::Negate(operand))
        })
        .boxed(),
        prefix(3, signed(Operator::Add), |(), operand, extra| {
            leave(extra, Node::Group(operand))
        })
        .boxed(),
        binary(
            left(2),
            &[
                Operator::Multiply,
                Operator::Divide,
                Operator::Floor,
                Operator::Modulo,
            ],
        ),
        binary(left(1), &[Operator::Add, Operator::Subtract]),
        infix(
            left(0),
            opening(
                Expected::After,
                |_: &mut ParserState<'s, Words>, token| match token {
                    Token::Compare(comparison) => Some(comparison),
                    _ => None,
                },
            ),
            |a, comparison, b, extra| leave(extra, Node::Compare(comparison, a, b)),
        )
        .boxed(),
    ]
}

fn binary<'s>(
    associativity: Associativity,
    operators: &'static [Operator],
) -> parsers::Operator<'s, Words> {
    let operator = opening(
        Expected::After,
        move |_: &mut ParserState<'s, Words>, token| match token {
            Token::Operator(found) if operators.contains(&found) => Some(found),
            _ => None,
        },
    );
    infix(associativity, operator, |a, operator, b, extra| {
        leave(extra, Node::Binary(operator, a, b))
    })
    .boxed()
}
