//! Tokens to a tree: the grammar of the head of this folder.
//!
//! An operand that is not written is one that takes no tokens, where its neighbours allow it. Parameters are read as
//! operators after an operand, just looser than the operator that they belong to, so that its right operand
//! is complete before them; the node that was added last tells whose they are.

use chumsky::pratt::{self, Operator as _, infix, left, postfix};
use chumsky::prelude::*;

use super::lexer::{Lexed, Token};
use super::operator::{self, Parameter, TIGHTEST};
use super::state::{Expected, Failure, Limit, State};
use super::tree::{Node, NodeId, Tree};

/// What the grammar reads.
type Tokens<'s> = &'s [Token];

/// What its parsers have at hand.
type Extra<'s> = extra::Full<Failure, State<'s>, ()>;

type Ops<'s> = Vec<pratt::Boxed<'s, 's, Tokens<'s>, NodeId, Extra<'s>>>;

type At<'s, 'p, 'e> = &'e mut chumsky::input::MapExtra<'s, 'p, Tokens<'s>, Extra<'s>>;

/// Why there is no tree.
#[derive(Debug)]
pub(super) enum Refusal {
    /// A limit was reached at this token.
    Limit(usize, Limit),
    /// The text is wrong here.
    Failure(Failure),
}

/// Reads a whole rule.
pub(super) fn parse<'s>(text: &'s str, lexed: &'s Lexed) -> Result<Tree<'s>, Refusal> {
    let mut state = State::new(lexed);
    let result = rule()
        .then_ignore(end())
        .parse_with_state(&lexed.tokens, &mut state)
        .into_result();
    if let Some((at, limit)) = state.refused {
        return Err(Refusal::Limit(at, limit));
    }
    match result {
        Ok(root) => Ok(Tree {
            text,
            nodes: state.nodes,
            spans: state.spans,
            root,
        }),
        Err(failures) => {
            let furthest = failures.into_iter().max_by_key(|failure| failure.at);
            let failure = furthest.unwrap_or_else(|| Failure::new(0, Expected::Operand));
            Err(Refusal::Failure(failure))
        }
    }
}

/// A part of the grammar that reads a node.
trait Rule<'s>: Parser<'s, Tokens<'s>, NodeId, Extra<'s>> + Clone {}

impl<'s, P: Parser<'s, Tokens<'s>, NodeId, Extra<'s>> + Clone> Rule<'s> for P {}

fn rule<'s>() -> impl Rule<'s> {
    recursive(|expression| {
        let value = value(expression.clone()).boxed();
        let operand = choice((value.clone(), tuple(expression), missing())).boxed();
        let variable = || vec![infixes(TIGHTEST), assigned(value.clone())];
        let branch = operand.clone().pratt(variable()).boxed();
        let mut operators: Ops = (1..TIGHTEST).map(infixes).collect();
        operators.extend(variable());
        operators.extend([pop(), dice(value), otherwise(branch)]);
        operand.pratt(operators)
    })
}

/// What a parameter may be: a number or parentheses.
fn value<'s>(expression: impl Rule<'s> + 's) -> impl Rule<'s> {
    let leaf = token(|_, found| match found {
        Token::Index => Some(Node::Index),
        Token::Integer => Some(Node::Integer),
        Token::Name => Some(Node::Name),
        _ => None,
    });
    let leaf = leaf.map_with(|node, extra: At<'s, '_, '_>| {
        let tokens = extra.span();
        extra.state().add(tokens, node)
    });
    let group = opening(Token::Open)
        .ignore_then(expression)
        .then_ignore(sign(Token::Close, Expected::Close))
        .map_with(|inner, extra| leave(extra, Node::Group(inner)));
    choice((leaf, group))
}

fn tuple<'s>(expression: impl Rule<'s> + 's) -> impl Rule<'s> {
    opening(Token::OpenTuple)
        .ignore_then(
            expression
                .separated_by(sign(Token::Comma, Expected::Comma))
                .at_least(1)
                .collect::<Vec<_>>(),
        )
        .then_ignore(sign(Token::CloseTuple, Expected::Close))
        .map_with(|members, extra| leave(extra, Node::Tuple(members.into())))
}

/// An operand that is not written.
fn missing<'s>() -> impl Rule<'s> {
    custom::<_, Tokens<'s>, _, Extra<'s>>(|input| {
        let at = *input.cursor().inner();
        let state = input.state();
        let tokens = &state.lexed.tokens;
        let before = at.checked_sub(1).map(|before| tokens[before]);
        operator::default(before, tokens.get(at).copied())
            .filter(|_| state.refused.is_none())
            .ok_or_else(|| Failure::new(at, Expected::Operand))
    })
    .map_with(|default, extra| {
        let tokens = extra.span();
        extra.state().add(tokens, Node::Missing(default))
    })
}

/// The operators of a level.
fn infixes<'s>(level: u16) -> pratt::Boxed<'s, 's, Tokens<'s>, NodeId, Extra<'s>> {
    let operator = deeper(Expected::Operator, move |state, found| {
        state.operator(found).filter(|found| found.level() == level)
    });
    infix(left(level), operator, |left, operator, right, extra| {
        leave(extra, Node::Infix(operator, left, right))
    })
    .boxed()
}

/// `tp`, which has the place of `kh`. (After an operand the power of a place is odd where an operator between two has an
/// even one, so the place here is the next looser one.)
fn pop<'s>() -> pratt::Boxed<'s, 's, Tokens<'s>, NodeId, Extra<'s>> {
    let word = deeper(Expected::Operator, |_, found| {
        (found == Token::Tp).then_some(())
    });
    postfix(5, word, |operand, (), extra| {
        leave(extra, Node::Pop(operand))
    })
    .boxed()
}

/// The parameters of dice and pools; bonus and penalty dice are one where their number is not written.
fn dice<'s>(value: impl Rule<'s> + 's) -> pratt::Boxed<'s, 's, Tokens<'s>, NodeId, Extra<'s>> {
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

/// The other branch of `?`.
fn otherwise<'s>(
    branch: impl Rule<'s> + 's,
) -> pratt::Boxed<'s, 's, Tokens<'s>, NodeId, Extra<'s>> {
    single(7, Parameter::Else, branch)
}

/// The value that a variable is set to.
fn assigned<'s>(value: impl Rule<'s> + 's) -> pratt::Boxed<'s, 's, Tokens<'s>, NodeId, Extra<'s>> {
    single(8, Parameter::Value, value)
}

fn single<'s>(
    place: u16,
    one: Parameter,
    value: impl Rule<'s> + 's,
) -> pratt::Boxed<'s, 's, Tokens<'s>, NodeId, Extra<'s>> {
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

/// A parameter of what was read last.
fn parameter<'s>(
    is_one: impl Fn(Parameter) -> bool + Clone,
) -> impl Parser<'s, Tokens<'s>, Parameter, Extra<'s>> + Clone {
    deeper(Expected::Operator, move |state, found| {
        state.parameter(found).filter(|&found| is_one(found))
    })
}

/// The same, said to be a value where it fails at once.
fn expected_value<'s>(value: impl Rule<'s> + 's) -> impl Rule<'s> {
    value.map_err_with_state(|failure: Failure, tokens: SimpleSpan, _| {
        if failure.at == tokens.start {
            Failure::new(failure.at, Expected::Value)
        } else {
            failure
        }
    })
}

/// A token that stands here and means something.
fn token<'s, O>(
    read: impl Fn(&State<'s>, Token) -> Option<O> + Clone,
) -> impl Parser<'s, Tokens<'s>, O, Extra<'s>> + Clone {
    reading(Expected::Operand, read, |_, _| {})
}

/// A token that says nothing but that it is there.
fn sign<'s>(kind: Token, expected: Expected) -> impl Parser<'s, Tokens<'s>, (), Extra<'s>> + Clone {
    reading(
        expected,
        move |_, found| (found == kind).then_some(()),
        |_, _| {},
    )
}

/// A token that begins something with parts of its own: one level deeper, until the node is added.
fn deeper<'s, O>(
    expected: Expected,
    read: impl Fn(&State<'s>, Token) -> Option<O> + Clone,
) -> impl Parser<'s, Tokens<'s>, O, Extra<'s>> + Clone {
    reading(expected, read, State::enter)
}

fn opening<'s>(kind: Token) -> impl Parser<'s, Tokens<'s>, (), Extra<'s>> + Clone {
    deeper(Expected::Operand, move |_, found| {
        (found == kind).then_some(())
    })
}

/// The one way in which tokens are read: one that stands here, and that the state then takes note of.
fn reading<'s, O>(
    expected: Expected,
    read: impl Fn(&State<'s>, Token) -> Option<O> + Clone,
    note: fn(&mut State<'s>, usize),
) -> impl Parser<'s, Tokens<'s>, O, Extra<'s>> + Clone {
    custom::<_, Tokens<'s>, _, Extra<'s>>(move |input| {
        let at = *input.cursor().inner();
        let found = input.peek();
        let state = input.state();
        match found.and_then(|found| read(state, found)) {
            Some(output) if state.refused.is_none() => {
                note(state, at);
                input.skip();
                Ok(output)
            }
            _ => Err(Failure::new(at, expected)),
        }
    })
}

fn leave(extra: At, node: Node) -> NodeId {
    let tokens = extra.span();
    extra.state().leave(tokens, node)
}
