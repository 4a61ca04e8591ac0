//! Parses tokens to a tree. The grammar is in the documentation of the folder.
//!
//! What may stand in a block depends on where the block is: only a program has `output`, `set` and functions, and only the
//! body of a function has `result`.

use chumsky::pratt::{Operator as _, infix, left, prefix};
use chumsky::prelude::*;

use super::lexer::{Keyword, Lexed, Sign, Token};
use super::tree::{
    CallPart, Chosen, Infix, LEVELS, NamePart, Node, ParameterType, Prefix, SequencePart, Tree,
};
use crate::notation::reader::failure::Refusal;
use crate::notation::reader::language::language;
use crate::notation::reader::parsers::{
    self, GrammarParser, add, leave, opening, opening_sign, sign, token,
};
use crate::notation::reader::state;
use crate::notation::reader::tree::NodeId;
use crate::source::{Source, Span};

language! {
    Token, Node, ();
    end End;
    Statement = "a statement such as `output 3d6`",
    Value = "a value such as `3d6`",
    Colon = "`:`",
    Block = "`{`",
    Over = "`over`",
    To = "`to`",
    Text = "a name between double quotes",
    Kind = "`n`, `s`, `d` or `?`",
    Variable = "a variable in capital letters",
    Dot = "`..`",
    Close = "`)`",
    CallEnd = "`]`",
    SequenceEnd = "`}`",
    BlockEnd = "`}`",
    Comma,
    Else,
    End,
    Named,
    Operator,
    Parameter,
    Result,
}

type ParserState<'s> = state::ParserState<'s, Words>;

/// Reads a whole program.
pub(super) fn parse(source: &Source, lexed: &Lexed) -> Result<Tree, Refusal<Expected>> {
    parsers::parse::<Words>(source, lexed, (), program())
}

/// A parser of a node.
trait NodeParser<'s>: GrammarParser<'s, Words, NodeId> {}

impl<'s, P: GrammarParser<'s, Words, NodeId>> NodeParser<'s> for P {}

fn program<'s>() -> impl NodeParser<'s> {
    let value = value().boxed();
    let body = body(value.clone()).boxed();
    let statement = recursive(|statement| {
        let block = brace()
            .ignore_then(statement.repeated().collect::<Vec<_>>())
            .then_ignore(sign(Token::BraceClose, Expected::BlockEnd))
            .map_with(|statements, extra| leave(extra, Node::Block(statements.into())))
            .boxed();
        choice((
            assignment(value.clone()),
            conditional(value.clone(), block.clone()),
            repetition(value.clone(), block),
            output(value.clone()),
            setting(value.clone()),
            function(body),
        ))
    });
    statement
        .repeated()
        .collect::<Vec<_>>()
        .map_with(|statements, extra| add(extra, Node::Block(statements.into())))
}

/// A block within a function. Nothing follows a result.
fn body<'s>(value: impl NodeParser<'s> + 's) -> impl NodeParser<'s> {
    recursive(move |body| {
        let statement = choice((
            assignment(value.clone()),
            conditional(value.clone(), body.clone()),
            repetition(value.clone(), body),
        ));
        let result = keyword(Keyword::Result, Expected::Result)
            .ignore_then(sign(Token::Colon, Expected::Colon))
            .ignore_then(value)
            .map_with(|value, extra| add(extra, Node::Result(value)));
        brace()
            .ignore_then(statement.repeated().collect::<Vec<_>>())
            .then(result.or_not())
            .then_ignore(sign(Token::BraceClose, Expected::BlockEnd))
            .map_with(|(mut statements, result), extra| {
                statements.extend(result);
                leave(extra, Node::Block(statements.into()))
            })
    })
}

fn brace<'s>() -> impl GrammarParser<'s, Words, ()> {
    opening_sign(Token::BraceOpen, Expected::Block)
}

fn keyword<'s>(keyword: Keyword, expected: Expected) -> impl GrammarParser<'s, Words, ()> {
    sign(Token::Keyword(keyword), expected)
}

/// The place of a token of one kind.
fn place<'s>(kind: Token, expected: Expected) -> impl GrammarParser<'s, Words, Span> {
    sign(kind, expected).map_with(|(), extra| {
        let tokens = extra.span();
        extra.state().place(tokens)
    })
}

fn assignment<'s>(value: impl NodeParser<'s>) -> impl NodeParser<'s> {
    place(Token::Variable, Expected::Statement)
        .then_ignore(sign(Token::Colon, Expected::Colon))
        .then(value)
        .map_with(|(name, value), extra| add(extra, Node::Assign(name, value)))
}

/// `if` with all its branches. A chain of `else if` is no deeper than one branch.
fn conditional<'s>(value: impl NodeParser<'s>, block: impl NodeParser<'s>) -> impl NodeParser<'s> {
    let branch = |value| {
        keyword(Keyword::If, Expected::Statement)
            .ignore_then(value)
            .then(block.clone())
    };
    let other = keyword(Keyword::Else, Expected::Else).ignore_then(branch(value.clone()));
    let otherwise = keyword(Keyword::Else, Expected::Else).ignore_then(block.clone());
    branch(value)
        .then(other.repeated().collect::<Vec<_>>())
        .then(otherwise.or_not())
        .map_with(|((first, others), otherwise), extra| {
            let branches = std::iter::once(first).chain(others).collect();
            add(extra, Node::If(branches, otherwise))
        })
}

fn repetition<'s>(value: impl NodeParser<'s>, block: impl NodeParser<'s>) -> impl NodeParser<'s> {
    keyword(Keyword::Loop, Expected::Statement)
        .ignore_then(place(Token::Variable, Expected::Variable))
        .then_ignore(keyword(Keyword::Over, Expected::Over))
        .then(value)
        .then(block)
        .map_with(|((name, value), block), extra| add(extra, Node::Loop(name, value, block)))
}

fn output<'s>(value: impl NodeParser<'s>) -> impl NodeParser<'s> {
    let name =
        keyword(Keyword::Named, Expected::Named).ignore_then(place(Token::Text, Expected::Text));
    keyword(Keyword::Output, Expected::Statement)
        .ignore_then(value)
        .then(name.or_not())
        .map_with(|(value, name), extra| add(extra, Node::Output(value, name)))
}

fn setting<'s>(value: impl NodeParser<'s>) -> impl NodeParser<'s> {
    let text = place(Token::Text, Expected::Text).map(Chosen::Text);
    keyword(Keyword::Set, Expected::Statement)
        .ignore_then(place(Token::Text, Expected::Text))
        .then_ignore(keyword(Keyword::To, Expected::To))
        .then(choice((text, value.map(Chosen::Value))))
        .map_with(|(name, chosen), extra| add(extra, Node::Set(name, chosen)))
}

fn function<'s>(body: impl NodeParser<'s>) -> impl NodeParser<'s> {
    let kind = sign(Token::Colon, Expected::Colon).ignore_then(kind());
    let parameter = place(Token::Variable, Expected::Parameter)
        .then(kind.or_not())
        .map(|(name, kind)| NamePart::Parameter(name, kind.unwrap_or(ParameterType::Any)));
    keyword(Keyword::Function, Expected::Statement)
        .ignore_then(sign(Token::Colon, Expected::Colon))
        .ignore_then(
            choice((defined_word().map(NamePart::Word), parameter))
                .repeated()
                .collect::<Vec<_>>(),
        )
        .then(body)
        .map_with(|(places, body), extra| add(extra, Node::Function(places.into(), body)))
}

/// The type of a parameter.
fn kind<'s>() -> impl GrammarParser<'s, Words, ParameterType> {
    token(
        Expected::Kind,
        |_: &mut ParserState<'s>, found| match found {
            Token::Kind(kind) => Some(kind),
            Token::Question => Some(ParameterType::Any),
            Token::Sign(Sign::Both(Infix::Dice, _)) => Some(ParameterType::Die),
            _ => None,
        },
    )
}

/// A word of a call, where a keyword is a word, too.
fn word<'s>(expected: Expected) -> impl GrammarParser<'s, Words, Span> {
    token(expected, |_: &mut ParserState<'s>, found| {
        matches!(found, Token::Keyword(_) | Token::Kind(_) | Token::Word).then_some(())
    })
    .map_with(|(), extra| {
        let tokens = extra.span();
        extra.state().place(tokens)
    })
}

/// A word in the heading of a function, where `d` is a word, too; no call can name it.
fn defined_word<'s>() -> impl GrammarParser<'s, Words, Span> {
    token(
        Expected::Parameter,
        |_: &mut ParserState<'s>, found| match found {
            Token::Keyword(_)
            | Token::Kind(_)
            | Token::Sign(Sign::Both(Infix::Dice, _))
            | Token::Word => Some(()),
            _ => None,
        },
    )
    .map_with(|(), extra| {
        let tokens = extra.span();
        extra.state().place(tokens)
    })
}

fn value<'s>() -> impl NodeParser<'s> {
    recursive(|value| {
        let operand = operand(value).boxed();
        let mut operators: Vec<parsers::Operator<'s, Words>> = (1..=LEVELS).map(infixes).collect();
        operators.push(prefixes());
        operand.pratt(operators)
    })
}

fn infixes<'s>(level: u16) -> parsers::Operator<'s, Words> {
    let operator = opening(
        Expected::Operator,
        move |_: &mut ParserState<'s>, found| match found {
            Token::Sign(Sign::Both(infix, _) | Sign::Infix(infix)) if infix.level() == level => {
                Some(infix)
            }
            _ => None,
        },
    );
    infix(left(level), operator, |left, operator, right, extra| {
        leave(extra, Node::Infix(operator, left, right))
    })
    .boxed()
}

fn prefixes<'s>() -> parsers::Operator<'s, Words> {
    let operator = opening(
        Expected::Value,
        |_: &mut ParserState<'s>, found| match found {
            Token::Sign(Sign::Both(_, prefix) | Sign::Prefix(prefix)) => Some(prefix),
            _ => None,
        },
    );
    prefix(
        LEVELS + 1,
        operator,
        |operator: Prefix, value: NodeId, extra| leave(extra, Node::Prefix(operator, value)),
    )
    .boxed()
}

fn operand<'s>(value: impl NodeParser<'s> + 's) -> impl NodeParser<'s> {
    let leaf = token(
        Expected::Value,
        |_: &mut ParserState<'s>, found| match found {
            Token::Number => Some(false),
            Token::Variable => Some(true),
            _ => None,
        },
    );
    let leaf = leaf.map_with(|is_variable, extra| {
        let node = if is_variable {
            Node::Variable
        } else {
            Node::Number
        };
        add(extra, node)
    });
    let group = opening_sign(Token::Open, Expected::Value)
        .ignore_then(value.clone())
        .then_ignore(sign(Token::Close, Expected::Close))
        .map_with(|inner, extra| leave(extra, Node::Group(inner)));
    choice((leaf, group, sequence(value.clone()), call(value)))
}

fn sequence<'s>(value: impl NodeParser<'s>) -> impl NodeParser<'s> {
    let last = sign(Token::Dot, Expected::Dot)
        .ignore_then(sign(Token::Dot, Expected::Dot))
        .ignore_then(value.clone());
    let times = sign(Token::Colon, Expected::Colon).ignore_then(value.clone());
    let part = value
        .then(last.or_not())
        .then(times.or_not())
        .map(|((first, last), times)| SequencePart { first, last, times });
    opening_sign(Token::BraceOpen, Expected::Value)
        .ignore_then(
            part.separated_by(sign(Token::Comma, Expected::Comma))
                .collect::<Vec<_>>(),
        )
        .then_ignore(sign(Token::BraceClose, Expected::SequenceEnd))
        .map_with(|parts, extra| leave(extra, Node::Sequence(parts.into())))
}

fn call<'s>(value: impl NodeParser<'s>) -> impl NodeParser<'s> {
    let piece = choice((
        word(Expected::Value).map(CallPart::Word),
        value.map(CallPart::Value),
    ));
    opening_sign(Token::ListOpen, Expected::Value)
        .ignore_then(piece.repeated().at_least(1).collect::<Vec<_>>())
        .then_ignore(sign(Token::ListClose, Expected::CallEnd))
        .map_with(|pieces, extra| leave(extra, Node::Call(pieces.into())))
}
