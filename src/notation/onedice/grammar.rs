//! Parses tokens to a tree. The grammar is in the documentation of the folder.
//!
//! A missing operand is read as a node without tokens, where the tokens around it allow it. A parameter is read as a postfix
//! operator, just looser than the operator that it belongs to, so that the right operand of that operator is complete before
//! the parameter. The node that was added last decides which operator a parameter belongs to.

use chumsky::pratt::{Operator as _, infix, left, postfix};
use chumsky::prelude::*;

use super::lexer::{Lexed, Token};
use super::operator::{Default, Operator, Parameter, TIGHTEST};
use super::tree::{Node, Tree};
use crate::notation::reader::failure::Refusal;
use crate::notation::reader::language::language;
use crate::notation::reader::parsers::{
    self, GrammarParser, Input, ParserExtra, add, leave, opening, opening_sign, sign, token,
};
use crate::notation::reader::state;
use crate::notation::reader::tree::NodeId;
use crate::source::Source;

language! {
    Token, Node, ();
    end End;
    Value = "digits or parentheses",
    Operand = "a number or dice",
    Comma = "`,`",
    Close = "a closing bracket",
    Operator = "an operator",
    End = "the end of the rule",
}

type ParserState<'s> = state::ParserState<'s, Words>;

impl ParserState<'_> {
    /// The parameter that a token begins here. It belongs to the operation that was read last.
    fn parameter(&self, token: Token) -> Option<Parameter> {
        let mut node = self.nodes.last()?;
        loop {
            match node {
                Node::Infix(operator, ..) => return parameter_of(*operator, token),
                // An operation has at most one branch after `:`, and one value after `=`.
                Node::With(Parameter::Else | Parameter::Value, ..) => return None,
                Node::With(_, subject, _) => node = &self.nodes[subject.index()],
                _ => return None,
            }
        }
    }

    /// The operator of a token, unless the token begins a parameter.
    fn operator(&self, token: Token) -> Option<Operator> {
        match token {
            Token::Infix(operator) if self.parameter(token).is_none() => Some(operator),
            _ => None,
        }
    }
}

type Operators<'s> = Vec<parsers::Operator<'s, Words>>;

/// Reads a whole rule.
pub(super) fn parse(source: &Source, lexed: &Lexed) -> Result<Tree, Refusal<Expected>> {
    parsers::parse::<Words>(source, lexed, (), rule())
}

/// A parser of a node.
trait NodeParser<'s>: GrammarParser<'s, Words, NodeId> {}

impl<'s, P: GrammarParser<'s, Words, NodeId>> NodeParser<'s> for P {}

fn rule<'s>() -> impl NodeParser<'s> {
    recursive(|expression| {
        let value = value(expression.clone()).boxed();
        let operand = choice((value.clone(), tuple(expression), missing())).boxed();
        let variable = || vec![infixes(TIGHTEST), assigned(value.clone())];
        let branch = operand.clone().pratt(variable()).boxed();
        let mut operators: Operators = (1..TIGHTEST).map(infixes).collect();
        operators.extend(variable());
        operators.extend([pop(), dice(value), otherwise(branch)]);
        operand.pratt(operators)
    })
}

/// The value of a parameter: a number or parentheses.
fn value<'s>(expression: impl NodeParser<'s> + 's) -> impl NodeParser<'s> {
    let leaf = token(
        Expected::Operand,
        |_: &mut ParserState<'s>, found| match found {
            Token::Index => Some(Node::Index),
            Token::Integer => Some(Node::Integer),
            Token::Name => Some(Node::Name),
            _ => None,
        },
    );
    let leaf = leaf.map_with(|node, extra| add(extra, node));
    let group = opening_sign(Token::Open, Expected::Operand)
        .ignore_then(expression)
        .then_ignore(sign(Token::Close, Expected::Close))
        .map_with(|inner, extra| leave(extra, Node::Group(inner)));
    choice((leaf, group))
}

fn tuple<'s>(expression: impl NodeParser<'s> + 's) -> impl NodeParser<'s> {
    opening_sign(Token::OpenTuple, Expected::Operand)
        .ignore_then(
            expression
                .separated_by(sign(Token::Comma, Expected::Comma))
                .at_least(1)
                .collect::<Vec<_>>(),
        )
        .then_ignore(sign(Token::CloseTuple, Expected::Close))
        .map_with(|members, extra| leave(extra, Node::Tuple(members.into())))
}

/// A missing operand.
fn missing<'s>() -> impl NodeParser<'s> {
    custom::<_, Input<'s, Words>, _, ParserExtra<'s, Words>>(|input| {
        let at = *input.cursor().inner();
        let state = input.state();
        let tokens = &state.lexed.tokens;
        let before = at.checked_sub(1).map(|before| tokens[before]);
        default(before, tokens.get(at).copied())
            .filter(|_| state.refused.is_none())
            .ok_or_else(|| Failure::new(at, Expected::Operand))
    })
    .map_with(|default, extra| add(extra, Node::Missing(default)))
}

/// The infix operators of a level.
fn infixes<'s>(level: u16) -> parsers::Operator<'s, Words> {
    let operator = opening(
        Expected::Operator,
        move |state: &mut ParserState<'s>, found| {
            state.operator(found).filter(|found| found.level() == level)
        },
    );
    infix(left(level), operator, |left, operator, right, extra| {
        leave(extra, Node::Infix(operator, left, right))
    })
    .boxed()
}

/// `tp`, which binds as tightly as `kh`. chumsky gives a postfix operator an odd binding power and an infix operator an even
/// one, so the level here is one below that of `kh`.
fn pop<'s>() -> parsers::Operator<'s, Words> {
    let word = opening(Expected::Operator, |_: &mut ParserState<'s>, found| {
        (found == Token::Tp).then_some(())
    });
    postfix(5, word, |operand, (), extra| {
        leave(extra, Node::Pop(operand))
    })
    .boxed()
}

/// The parameters of dice and pools. The number of bonus or penalty dice may be missing, and is then one.
fn dice<'s>(value: impl NodeParser<'s> + 's) -> parsers::Operator<'s, Words> {
    let is_optional = |found| matches!(found, Parameter::Bonus | Parameter::Penalty);
    let is_other = |found| matches!(found, Parameter::Else | Parameter::Value);
    let optional = parameter(is_optional).then(value.clone().or_not());
    let required = parameter(move |found| !is_optional(found) && !is_other(found))
        .then(expected_value(value).map(Some));
    postfix(
        6,
        choice((optional, required)),
        |subject, (parameter, value), extra| leave(extra, Node::With(parameter, subject, value)),
    )
    .boxed()
}

/// The second branch of `?`.
fn otherwise<'s>(branch: impl NodeParser<'s> + 's) -> parsers::Operator<'s, Words> {
    single(7, Parameter::Else, branch)
}

/// The value after `=`.
fn assigned<'s>(value: impl NodeParser<'s> + 's) -> parsers::Operator<'s, Words> {
    single(8, Parameter::Value, value)
}

fn single<'s>(
    place: u16,
    one: Parameter,
    value: impl NodeParser<'s> + 's,
) -> parsers::Operator<'s, Words> {
    let parameter = parameter(move |found| found == one);
    postfix(
        place,
        parameter.then(expected_value(value)),
        |subject, (parameter, value), extra| {
            leave(extra, Node::With(parameter, subject, Some(value)))
        },
    )
    .boxed()
}

/// A parameter of the operation that was read last.
fn parameter<'s>(
    is_one: impl Fn(Parameter) -> bool + Clone,
) -> impl GrammarParser<'s, Words, Parameter> {
    opening(
        Expected::Operator,
        move |state: &mut ParserState<'s>, found| {
            state.parameter(found).filter(|&found| is_one(found))
        },
    )
}

/// The parser `value`; a failure at its first token says that a value is expected.
fn expected_value<'s>(value: impl NodeParser<'s> + 's) -> impl NodeParser<'s> {
    value.map_err_with_state(|failure: Failure, tokens: SimpleSpan, _| {
        if failure.at == tokens.start {
            Failure::new(failure.at, Expected::Value)
        } else {
            failure
        }
    })
}

/// The parameter that a token begins after the right operand of an operator, if it begins one.
fn parameter_of(operator: Operator, token: Token) -> Option<Parameter> {
    Some(match (operator, token) {
        (Operator::Pool | Operator::Roll, Token::K) => Parameter::KeepHigh,
        (Operator::Pool | Operator::Roll, Token::Q) => Parameter::KeepLow,
        (Operator::Cross | Operator::Pool, Token::M) => Parameter::Sides,
        (Operator::Roll, Token::Infix(Operator::Bonus)) => Parameter::Bonus,
        (Operator::Roll, Token::Infix(Operator::Penalty)) => Parameter::Penalty,
        (Operator::Roll, Token::Infix(Operator::Pool)) => Parameter::Pool,
        (Operator::Choose, Token::Colon) => Parameter::Else,
        (Operator::Variable, Token::Assign) => Parameter::Value,
        _ => return None,
    })
}

/// The default of an operand that is missing between two tokens; `None` if it may not be missing.
fn default(before: Option<Token>, next: Option<Token>) -> Option<Default> {
    match (before, next) {
        (
            None | Some(Token::Comma | Token::Open | Token::OpenTuple),
            Some(Token::Infix(Operator::Subtract)),
        ) => Some(Default::Number(0)),
        (
            None | Some(Token::Comma | Token::Open | Token::OpenTuple),
            Some(Token::Infix(operator)),
        ) => operator.left_default(),
        (Some(Token::Infix(before)), Some(Token::Infix(next))) => {
            before.right_default().or_else(|| next.left_default())
        }
        (
            Some(Token::Infix(before)),
            None
            | Some(Token::Close | Token::CloseTuple | Token::Comma | Token::K | Token::Q | Token::Tp),
        ) => before.right_default(),
        (Some(Token::Colon), Some(Token::Infix(Operator::Variable))) => Some(Default::Number(1)),
        _ => None,
    }
}
