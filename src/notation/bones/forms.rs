//! The parsers of the forms that Bones has and dicelab has not: conditions, dice with any faces, decks, choices, calls and
//! loops with a state.

use chumsky::pratt::{Operator as _, infix, left, none, prefix};
use chumsky::prelude::*;

use super::language::{BonesParser, Expected, ParserState, Words};
use super::lexer::Token;
use super::tree::{
    Again, Arm, Binding, Case, Connective, Function, How, Loop, Node, Pair, Pattern, WeightedFace,
};
use crate::ir::{Candidates, Comparison};
use crate::notation::reader::parsers::{self, At, add, leave, noted, sign};
use crate::notation::reader::tree::NodeId;
use crate::source::Span;

/// A parser of a node.
pub(super) trait NodeParser<'s>: BonesParser<'s, NodeId> {}

impl<'s, P: BonesParser<'s, NodeId>> NodeParser<'s> for P {}

/// The first token of a nested part.
pub(super) fn opening<'s, O>(
    expected: Expected,
    read: impl Fn(Token) -> Option<O> + Clone,
) -> impl BonesParser<'s, O> {
    parsers::opening(expected, move |_: &mut ParserState<'s>, token| read(token))
}

/// [`opening`] for a token of one kind, without an output.
pub(super) fn opening_sign<'s>(kind: Token) -> impl BonesParser<'s, ()> {
    parsers::opening_sign(kind, Expected::Operand)
}

/// A word or sign between the parts of a binder.
pub(super) fn sign_of_binder<'s>(token: Token) -> impl BonesParser<'s, ()> {
    let expected = match token {
        Token::Assign => Expected::Assign,
        Token::Do => Expected::Do,
        Token::Where => Expected::Where,
        _ => Expected::In,
    };
    sign(token, expected)
}

/// The place of a name.
pub(super) fn bound_name<'s>() -> impl BonesParser<'s, Span> {
    sign(Token::Name, Expected::Name).map_with(|(), extra| {
        let tokens = extra.span();
        extra.state().place(tokens)
    })
}

/// The comparison of a token.
pub(super) fn comparison(token: Token) -> Option<Comparison> {
    Some(match token {
        Token::Equal => Comparison::Equal,
        Token::Greater => Comparison::Greater,
        Token::GreaterOrEqual => Comparison::GreaterOrEqual,
        Token::Less => Comparison::Less,
        Token::LessOrEqual => Comparison::LessOrEqual,
        Token::NotEqual => Comparison::NotEqual,
        _ => return None,
    })
}

/// The word with two operands of a token.
pub(super) fn pair(token: Token) -> Option<Pair> {
    Some(match token {
        Token::At => Pair::At,
        Token::Compare => Pair::Compare,
        Token::Rank => Pair::Rank,
        Token::Without => Pair::Without,
        _ => return None,
    })
}

/// A number of members that are drawn, without the list: `draw n from`.
pub(super) fn draw_from<'s>(argument: impl NodeParser<'s>) -> impl NodeParser<'s> {
    opening_sign(Token::DrawFrom)
        .ignore_then(argument)
        .then_ignore(sign(Token::From, Expected::From))
}

/// The word for dice that are rolled once more, without a name behind it.
pub(super) fn again(token: Token) -> Option<Again> {
    Some(match token {
        Token::Explode => Again::Explode,
        Token::RerollOn => Again::Reroll,
        _ => return None,
    })
}

/// The faces on which dice explode or are rolled again: `on 1`, `once on 1..2`, `on (1, 3)`.
pub(super) fn on<'s>(expression: impl NodeParser<'s> + 's) -> impl BonesParser<'s, (bool, NodeId)> {
    let operand = Expected::Operand;
    let end = choice((
        sign(Token::Integer, operand).map_with(|(), extra| add(extra, Node::Integer)),
        sign(Token::Name, operand).map_with(|(), extra| add(extra, Node::Name)),
        opening_sign(Token::Open)
            .ignore_then(expression.or_not())
            .then_ignore(sign(Token::Close, Expected::Close))
            .map_with(|content, extra| leave(extra, Node::Group(content))),
    ));
    let high = sign(Token::Dots, Expected::Operator).ignore_then(end.clone());
    let list = end
        .then(high.or_not())
        .map_with(|(low, high), extra| match high {
            None => low,
            Some(high) => add(extra, Node::Range(low, high)),
        });
    let once = sign(Token::Once, Expected::Operator).or_not();
    once.then_ignore(sign(Token::On, Expected::Operator))
        .then(list)
        .map(|(once, list)| (once.is_some(), list))
}

/// Comparisons, `not`, `and` and `or` over arguments, from the tightest to the loosest.
pub(super) fn condition<'s>(argument: impl NodeParser<'s> + 's) -> impl NodeParser<'s> {
    let between = |read: fn(Token) -> Option<Token>| {
        noted(
            Expected::Operator,
            move |_: &mut ParserState<'s>, token| read(token),
            |state, at| {
                state.enter(at);
                Ok(())
            },
        )
    };
    let connect = |level, token: fn(Token) -> Option<Token>, connective| {
        infix(
            left(level),
            between(token),
            move |a, _, b, extra: At<Words>| leave(extra, Node::Connect(connective, a, b)),
        )
        .boxed()
    };
    let compare = infix(
        none(3),
        noted(
            Expected::Operator,
            |_: &mut ParserState<'s>, token| comparison(token),
            |state, at| {
                state.enter(at);
                Ok(())
            },
        ),
        |a, comparison, b, extra: At<Words>| leave(extra, Node::Compare(comparison, a, b)),
    );
    let not = prefix(2, opening_sign(Token::Not), |(), a, extra: At<Words>| {
        leave(extra, Node::Not(a))
    });
    let operators: Vec<parsers::Operator<'s, Words>> = vec![
        compare.boxed(),
        not.boxed(),
        connect(
            1,
            |token| (token == Token::And).then_some(token),
            Connective::And,
        ),
        connect(
            0,
            |token| (token == Token::Or).then_some(token),
            Connective::Or,
        ),
    ];
    argument.pratt(operators).boxed()
}

/// An operand that begins with a word or a brace of Bones alone.
pub(super) fn form<'s>(
    expression: impl NodeParser<'s> + 's,
    tail: impl NodeParser<'s> + 's,
    argument: impl NodeParser<'s> + 's,
) -> impl NodeParser<'s> {
    let fate = sign(Token::Fate, Expected::Operand).map_with(|(), extra| add(extra, Node::Fate));
    let percentile = opening_sign(Token::Percentile)
        .then_ignore(sign(Token::Percent, Expected::Operand))
        .map_with(|(), extra| leave(extra, Node::Percentile));
    let any_die = opening_sign(Token::AnyDie)
        .ignore_then(entries(expression.clone()))
        .map_with(|entries, extra| leave(extra, Node::AnyDie(entries)));
    let draw = opening_sign(Token::Draw)
        .ignore_then(argument.clone())
        .then(entries(expression.clone()))
        .map_with(|(count, entries), extra| leave(extra, Node::Draw(count, entries)));
    let function = opening(Expected::Operand, function)
        .then(arguments(expression.clone()))
        .map_with(|(function, arguments), extra| leave(extra, Node::Function(function, arguments)));
    let call = opening_sign(Token::Called)
        .map_with(|(), extra| {
            let tokens = extra.span();
            extra.state().place(tokens)
        })
        .then(arguments(expression.clone()))
        .map_with(|(name, arguments), extra| leave(extra, Node::Call(name, arguments)));
    let reroll = opening_sign(Token::Reroll)
        .ignore_then(bound_name())
        .then_ignore(sign(Token::Assign, Expected::Assign))
        .then(expression.clone())
        .then_ignore(sign(Token::Until, Expected::Until))
        .then(expression.clone())
        .map_with(|((name, value), body), extra| {
            leave(extra, Node::Reroll(Binding { name, value, body }))
        });
    let text = sign(Token::Text, Expected::Operand).map_with(|(), extra| add(extra, Node::Text));
    let members = sign(Token::In, Expected::In).to(Candidates::Members);
    let parts = sign(Token::From, Expected::From).to(Candidates::Parts);
    let best = opening_sign(Token::Best)
        .ignore_then(bound_name())
        .then(choice((members, parts)))
        .then(expression.clone())
        .then(
            sign(Token::By, Expected::Do)
                .ignore_then(part_name())
                .or_not(),
        )
        .then_ignore(sign(Token::Do, Expected::Do))
        .then(tail.clone())
        .map_with(|((((name, candidates), value), by), body), extra| {
            let binding = Binding { name, value, body };
            leave(extra, Node::Best(candidates, binding, by))
        });
    choice((
        best,
        text,
        record(expression.clone()),
        fate,
        percentile,
        any_die,
        draw,
        function,
        call,
        reroll,
        repeated(expression.clone(), tail),
        case(expression, argument),
    ))
    .boxed()
}

fn function(token: Token) -> Option<Function> {
    Some(match token {
        Token::Abs => Function::Abs,
        Token::Max => Function::Max,
        Token::Min => Function::Min,
        _ => return None,
    })
}

/// Arguments in parentheses.
fn arguments<'s>(expression: impl NodeParser<'s> + 's) -> impl BonesParser<'s, Box<[NodeId]>> {
    sign(Token::Open, Expected::Arguments)
        .ignore_then(
            expression
                .separated_by(sign(Token::Separator, Expected::Comma))
                .collect::<Vec<_>>(),
        )
        .then_ignore(sign(Token::Close, Expected::Close))
        .map(Into::into)
}

/// The entries of a die or a deck, in braces.
fn entries<'s>(expression: impl NodeParser<'s> + 's) -> impl BonesParser<'s, Box<[WeightedFace]>> {
    let weight = sign(Token::Colon, Expected::Colon).ignore_then(expression.clone());
    let entry = expression
        .then(weight.or_not())
        .map(|(face, weight)| WeightedFace { face, weight });
    sign(Token::OpenBrace, Expected::Brace)
        .ignore_then(
            entry
                .separated_by(sign(Token::Separator, Expected::Comma))
                .collect::<Vec<_>>(),
        )
        .then_ignore(sign(Token::CloseBrace, Expected::CloseBrace))
        .map(Into::into)
}

/// A record: named parts in braces.
fn record<'s>(expression: impl NodeParser<'s> + 's) -> impl NodeParser<'s> {
    let part = part_name()
        .then_ignore(sign(Token::Colon, Expected::Colon))
        .then(expression);
    opening_sign(Token::OpenRecord)
        .ignore_then(
            part.separated_by(sign(Token::Separator, Expected::Comma))
                .at_least(1)
                .collect::<Vec<_>>(),
        )
        .then_ignore(sign(Token::CloseBrace, Expected::CloseBrace))
        .map_with(|parts, extra| leave(extra, Node::Record(parts.into())))
}

/// The place of the name of a part.
fn part_name<'s>() -> impl BonesParser<'s, Span> {
    sign(Token::PartName, Expected::PartName).map_with(|(), extra| {
        let tokens = extra.span();
        extra.state().place(tokens)
    })
}

/// A part of records, without the records: `name of`.
pub(super) fn part_of<'s>() -> impl BonesParser<'s, Span> {
    opening_sign(Token::PartName)
        .map_with(|(), extra: At<Words>| {
            let tokens = extra.span();
            extra.state().place(tokens)
        })
        .then_ignore(sign(Token::Of, Expected::Of))
}

/// A value and, behind `given`, its condition.
pub(super) fn given<'s>(
    value: impl NodeParser<'s> + 's,
    condition: impl NodeParser<'s> + 's,
) -> impl NodeParser<'s> {
    let given = noted(
        Expected::Operator,
        |_: &mut ParserState<'s>, token| (token == Token::Given).then_some(()),
        |state, at| {
            state.enter(at);
            Ok(())
        },
    );
    value.then(given.ignore_then(condition).or_not()).map_with(
        |(value, condition), extra: At<Words>| match condition {
            None => value,
            Some(condition) => leave(extra, Node::Given(value, condition)),
        },
    )
}

fn case<'s>(
    expression: impl NodeParser<'s> + 's,
    argument: impl NodeParser<'s> + 's,
) -> impl NodeParser<'s> {
    let dots = || sign(Token::Dots, Expected::Operator);
    let to = sign(Token::Dots, Expected::Operand)
        .ignore_then(argument.clone())
        .map(Pattern::To);
    let from = argument
        .clone()
        .then(dots().ignore_then(argument.or_not()).or_not())
        .map(|(low, high)| match high {
            None => Pattern::One(low),
            Some(None) => Pattern::From(low),
            Some(Some(high)) => Pattern::Between(low, high),
        });
    let patterns = choice((to, from))
        .separated_by(sign(Token::Or, Expected::Operator))
        .at_least(1)
        .collect::<Vec<_>>();
    let holds = expression
        .clone()
        .map(|condition| vec![Pattern::Holds(condition)]);
    let with_value = expression
        .clone()
        .then(arms(patterns, expression.clone()))
        .map(|(value, arms)| (Some(value), arms));
    let without_value = sign(Token::OpenBrace, Expected::Brace)
        .rewind()
        .ignore_then(arms(holds, expression))
        .map(|arms| (None, arms));
    opening_sign(Token::Case)
        .ignore_then(choice((without_value, with_value)))
        .map_with(|(value, (arms, otherwise)), extra| {
            leave(
                extra,
                Node::Case(Box::new(Case {
                    value,
                    arms,
                    otherwise,
                })),
            )
        })
}

/// The arms of a choice and what follows `else`, in braces.
fn arms<'s>(
    patterns: impl BonesParser<'s, Vec<Pattern>>,
    expression: impl NodeParser<'s> + 's,
) -> impl BonesParser<'s, (Box<[Arm]>, Option<NodeId>)> {
    let colon = || sign(Token::Colon, Expected::Colon);
    let arm = patterns
        .then_ignore(colon())
        .then(expression.clone())
        .map(|(patterns, result)| Arm {
            patterns: patterns.into(),
            result,
        });
    let separator = || sign(Token::Separator, Expected::Comma);
    let otherwise = sign(Token::Else, Expected::Else)
        .ignore_then(colon())
        .ignore_then(expression);
    let arms = arm
        .then_ignore(separator().or(sign(Token::CloseBrace, Expected::CloseBrace).rewind()))
        .repeated()
        .collect::<Vec<_>>();
    sign(Token::OpenBrace, Expected::Brace)
        .ignore_then(arms)
        .then(otherwise.or_not())
        .then_ignore(sign(Token::CloseBrace, Expected::CloseBrace))
        .map(|(arms, otherwise)| (arms.into(), otherwise))
}

fn repeated<'s>(
    expression: impl NodeParser<'s> + 's,
    tail: impl NodeParser<'s> + 's,
) -> impl NodeParser<'s> {
    let state = bound_name()
        .then_ignore(sign(Token::Assign, Expected::Assign))
        .then(expression.clone());
    let states = state
        .separated_by(sign(Token::NextName, Expected::Comma))
        .at_least(1)
        .collect::<Vec<_>>();
    let condition = |token, how: fn(NodeId) -> How| {
        sign(token, Expected::How)
            .ignore_then(expression.clone())
            .map(how)
    };
    let members = sign(Token::For, Expected::How)
        .ignore_then(bound_name())
        .then_ignore(sign(Token::In, Expected::In))
        .then(expression.clone())
        .map(|(name, list)| How::For(name, list));
    let how = choice((
        condition(Token::While, How::While),
        condition(Token::Until, How::Until),
        members,
    ));
    let result = sign(Token::Then, Expected::Then).ignore_then(tail.clone());
    opening_sign(Token::Repeat)
        .ignore_then(states)
        .then(how)
        .then_ignore(sign(Token::Do, Expected::Do))
        .then(tail)
        .then(result.or_not())
        .map_with(|(((states, how), body), result), extra| {
            let states = states.into();
            leave(
                extra,
                Node::Loop(Box::new(Loop {
                    states,
                    how,
                    body,
                    result,
                })),
            )
        })
}
