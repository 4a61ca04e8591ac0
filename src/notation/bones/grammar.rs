//! Parses tokens to a tree, for both tables. The grammar is in the documentation of the folder.
//!
//! The next token alone decides how to go on. So the furthest place that was reached is the place of the mistake.

use chumsky::pratt::{Associativity, Operator as _, infix, left, postfix, prefix, right};
use chumsky::prelude::*;

use super::dice::DiceByPlace;
use super::forms::{self, NodeParser, opening, opening_sign, sign_of_binder};
use super::language::{
    BonesParser, Expected, Failure, NodeFacts, ParserState, Words, after_list, operator,
};
use super::lexer::{Lexed, Token};
use super::table::Table;
use super::tree::{Binder, Binding, By, Filter, Modifier, Node, Operator, Pair, Tree, Word};
use crate::notation::reader::failure::Refusal;
use crate::notation::reader::parsers::{
    self, At, Input, ParserExtra, add, leave, noted, sign, token,
};
use crate::notation::reader::tree::NodeId;
use crate::source::Source;

/// The parts of an operand.
#[derive(Clone)]
struct OperandParts<'s, E> {
    /// A whole rule: what stands in parentheses, or before a word or sign of the operand.
    expression: E,
    /// A whole rule at the end of the operand.
    tail: Boxed<'s>,
    /// The first argument of a filter.
    first: Boxed<'s>,
    argument: Boxed<'s>,
}

type Boxed<'s> = chumsky::Boxed<'s, 's, Input<'s, Words>, NodeId, ParserExtra<'s, Words>>;

type Ops<'s> = Vec<parsers::Operator<'s, Words>>;

/// Reads a whole rule, with the dice of another notation in it. Its parentheses must match.
pub(super) fn parse(
    table: Table,
    source: &Source,
    lexed: &Lexed,
    dice: DiceByPlace,
) -> Result<Tree, Refusal<Expected>> {
    parsers::parse::<Words>(source, lexed, NodeFacts::new(table, dice), rule(table))
}

/// A whole rule, or the content of parentheses.
fn rule<'s>(table: Table) -> impl Parser<'s, Input<'s, Words>, NodeId, ParserExtra<'s, Words>> {
    recursive(move |expression| {
        let parts = |tail, first, argument| OperandParts {
            expression: expression.clone(),
            tail,
            first,
            argument,
        };
        match table {
            Table::Bones => {
                // In the first argument of a filter no comparison is infix, outside parentheses.
                let first = recursive(|first| {
                    let first = first.boxed();
                    let tail = range_of_lists(first.clone()).boxed();
                    let parts = parts(tail, first.clone(), first.clone());
                    operand(table, &parts)
                        .pratt(operators(table, first, expression.clone()))
                        .boxed()
                })
                .boxed();
                let argument = recursive(|argument| {
                    let parts = parts(expression.clone().boxed(), first.clone(), argument.boxed());
                    let dice = token(Expected::Operand, |_: &mut ParserState<'s>, token| {
                        (token == Token::Dice).then_some(())
                    });
                    let dice = dice.map_with(|(), extra: At<Words>| {
                        let tokens = extra.span();
                        let state = extra.state();
                        let start = state.place(tokens).start;
                        let dice = state.memory.dice[&start].clone();
                        state.add(tokens, Node::Dice(dice))
                    });
                    choice((operand(table, &parts), dice))
                        .pratt(operators(table, first.clone(), expression.clone()))
                        .boxed()
                });
                let value = range_of_lists(forms::condition(argument)).boxed();
                forms::given(value.clone(), value).boxed()
            }
            Table::Dicelab => {
                let argument = recursive(|argument| {
                    let argument = argument.boxed();
                    let parts = parts(
                        expression.clone().boxed(),
                        argument.clone(),
                        argument.clone(),
                    );
                    operand(table, &parts)
                        .pratt(operators(table, argument, expression.clone()))
                        .boxed()
                });
                list(item(argument)).boxed()
            }
        }
    })
}

/// Bones: `..` is looser than `,`, and a rule has at most one. After the body of a `let`, `while`, `foreach` or `if` there is no
/// `..`, because the body extends as far as it can: a `..` after it would be the second one of the body.
fn range_of_lists<'s>(argument: impl NodeParser<'s>) -> impl NodeParser<'s> {
    let members = list(argument);
    let dots = noted(
        Expected::Operator,
        |_: &mut ParserState<'s>, token| (token == Token::Dots).then_some(()),
        |state, at| {
            if state.memory.after_body {
                return Err(Failure::new(at, Expected::Operator));
            }
            Ok(())
        },
    );
    let high = dots.ignore_then(members.clone());
    members
        .then(high.or_not())
        .map_with(|(low, high), extra| match high {
            None => low,
            Some(high) => add(extra, Node::Range(low, high)),
        })
}

/// Dicelab: `#` and `..` are looser than all arithmetic. The right operand of `#` extends up to a comma.
fn item<'s>(argument: impl NodeParser<'s> + 's) -> impl NodeParser<'s> {
    recursive(|item| {
        let again = operator(|token| (token == Token::Hash).then_some(()))
            .ignore_then(item)
            .map(|body| (Node::Repeat as fn(_, _) -> _, body));
        let range = operator(|token| (token == Token::Dots).then_some(()))
            .ignore_then(argument.clone())
            .map_with(|high, extra| (Node::Range as fn(_, _) -> _, number(extra, high)));
        argument
            .then(choice((again, range)).or_not())
            .map_with(|(left, tail), extra| match tail {
                None => left,
                Some((node, right)) => leave(extra, node(left, right)),
            })
    })
}

/// Members with commas between them. A single member is returned as it is.
fn list<'s>(member: impl NodeParser<'s>) -> impl NodeParser<'s> {
    member
        .separated_by(sign(Token::Comma, Expected::Comma))
        .at_least(1)
        .collect::<Vec<_>>()
        .map_with(|members, extra| match members[..] {
            [only] => only,
            _ => add(extra, Node::Join(members.into())),
        })
}

/// An operand of an operator.
fn operand<'s, E: NodeParser<'s> + 's>(
    table: Table,
    parts: &OperandParts<'s, E>,
) -> impl NodeParser<'s> + use<'s, E> {
    let OperandParts {
        expression,
        tail,
        first,
        argument,
    } = parts.clone();
    let expected = Expected::Operand;
    let integer = sign(Token::Integer, expected).map_with(|(), extra| add(extra, Node::Integer));
    let name = sign(Token::Name, expected).map_with(|(), extra| add(extra, Node::Name));
    // `let` binds one name after the other.
    let binder = |word, [equals, before_body]: [_; 2], binder| {
        let bound = forms::bound_name()
            .then_ignore(sign_of_binder(equals))
            .then(expression.clone())
            .separated_by(sign(Token::NextName, Expected::Comma))
            .at_least(1)
            .at_most(if word == Token::Let { usize::MAX } else { 1 })
            .collect::<Vec<_>>();
        opening_sign(word)
            .ignore_then(bound)
            .then_ignore(sign_of_binder(before_body))
            .then(tail.clone())
            .map_with(move |(mut bound, mut body), extra: At<Words>| {
                let (name, value) = bound.remove(0);
                for (name, value) in bound.into_iter().rev() {
                    body = add(extra, Node::Bind(binder, Binding { name, value, body }));
                }
                leave(extra, Node::Bind(binder, Binding { name, value, body }))
            })
    };
    let condition = opening_sign(Token::If)
        .ignore_then(expression.clone())
        .then_ignore(sign(Token::Then, Expected::Then))
        .then(expression.clone())
        .then_ignore(sign(Token::Else, Expected::Else))
        .then(tail.clone())
        .map_with(|((condition, yes), no), extra| leave(extra, Node::If(condition, yes, no)));
    let worded = match table {
        Table::Bones => choice((
            filter(by_value)
                .then(first.clone())
                .then(argument)
                .map_with(|((filter, argument), list), extra| {
                    leave(extra, Node::Filter(filter, argument, list))
                }),
            forms::form(expression.clone(), tail.clone(), first),
        ))
        .boxed(),
        // Words and filters have no precedence: the operand extends as far as it can.
        Table::Dicelab => choice((
            opening(Expected::Operand, word)
                .then(expression.clone())
                .map_with(|(word, list), extra| leave(extra, Node::Word(word, list))),
            filter(|token| by_value(token).or_else(|| by_rank(token)))
                .then(argument)
                .then_ignore(no_minus_after_list())
                .then(expression.clone())
                .map_with(|((filter, argument), list), extra| {
                    leave(extra, Node::Filter(filter, argument, list))
                }),
        ))
        .boxed(),
    };
    choice((
        integer,
        name,
        group(expression.clone()),
        binder(Token::Let, [Token::Assign, Token::In], Binder::Let),
        binder(Token::Foreach, [Token::In, Token::Do], Binder::Foreach),
        binder(Token::Select, [Token::In, Token::Where], Binder::Select),
        binder(Token::While, [Token::Assign, Token::Do], Binder::While),
        condition,
        worded,
    ))
}

/// Parentheses. If their content is wrong, the failure is recorded, and the parentheses are skipped.
fn group<'s>(expression: impl NodeParser<'s>) -> impl NodeParser<'s> {
    let open = || opening_sign(Token::Open);
    let skipped = custom::<_, Input<'s, Words>, _, ParserExtra<'s, Words>>(|input| {
        let at = *input.cursor().inner();
        if !input.state().may_recover() {
            return Err(Failure::new(at, Expected::Operand));
        }
        let mut open = 0_usize;
        while let Some(token) = input.next() {
            match token {
                Token::Open => open += 1,
                Token::Close => open -= 1,
                _ => {}
            }
            if open == 0 {
                break;
            }
        }
        Ok(())
    });
    let group = open()
        .ignore_then(expression.or_not())
        .then_ignore(sign(Token::Close, Expected::Close))
        .map_with(|content, extra| leave(extra, Node::Group(content)))
        .map_err_with_state(|failure, _, state: &mut ParserState| state.record(failure))
        .recover_with(via_parser(
            skipped.map_with(|(), extra| add(extra, Node::Unreadable)),
        ));
    sign(Token::Open, Expected::Operand)
        .rewind()
        .ignore_then(group)
}

/// The operators with a precedence. A higher number binds tighter.
fn operators<'s>(
    table: Table,
    argument: impl NodeParser<'s> + 's,
    expression: impl NodeParser<'s> + 's,
) -> Ops<'s> {
    let die = prefix(7, opening_sign(Token::D), |(), sides, extra| {
        let sides = number(extra, sides);
        leave(extra, Node::Die(sides))
    });
    let minus = |level| {
        prefix(level, opening_sign(Token::Minus), |(), operand, extra| {
            let operand = number(extra, operand);
            leave(extra, Node::Negate(operand))
        })
    };
    let mut operators = vec![
        die.boxed(),
        arithmetic(right(6), |token| {
            (token == Token::Caret).then_some(Operator::Power)
        }),
        arithmetic(left(2), |token| match token {
            Token::Div => Some(Operator::Div),
            Token::Mod => Some(Operator::Mod),
            Token::Percent => Some(Operator::Remainder),
            Token::Slash => Some(Operator::Divide),
            Token::Star => Some(Operator::Multiply),
            _ => None,
        }),
        arithmetic(left(0), |token| match token {
            Token::Dot => Some(Operator::Concatenate),
            Token::Minus => Some(Operator::Subtract),
            Token::Plus => Some(Operator::Add),
            _ => None,
        }),
    ];
    match table {
        Table::Bones => operators.extend([
            infix(
                right(5),
                operator(|token| (token == Token::Hash).then_some(())),
                |count, (), body, extra| leave(extra, Node::Repeat(count, body)),
            )
            .boxed(),
            prefix(4, opening(Expected::Operand, word), |word, list, extra| {
                leave(extra, Node::Word(word, list))
            })
            .boxed(),
            prefix(
                4,
                opening(Expected::Operand, forms::pair).then(argument.clone()),
                |(pair, argument), list, extra| leave(extra, Node::Pair(pair, argument, list)),
            )
            .boxed(),
            prefix(
                4,
                forms::draw_from(argument.clone()),
                |count, list, extra| leave(extra, Node::Pair(Pair::Draw, count, list)),
            )
            .boxed(),
            prefix(
                4,
                opening(Expected::Operand, forms::again),
                |again, dice, extra| leave(extra, Node::Again(again, dice)),
            )
            .boxed(),
            postfix(4, forms::on(expression), |dice, (once, list), extra| {
                add(extra, Node::On(dice, once, list))
            })
            .boxed(),
            prefix(4, forms::part_of(), |name, records, extra| {
                leave(extra, Node::Part(name, records))
            })
            .boxed(),
            prefix(
                4,
                filter(by_rank).then(argument),
                |(filter, argument), list, extra| {
                    leave(extra, Node::Filter(filter, argument, list))
                },
            )
            .boxed(),
            minus(3).boxed(),
        ]),
        // The operand of the minus sign ends before the next `+` or `-`.
        Table::Dicelab => operators.push(minus(1).boxed()),
    }
    operators
}

fn arithmetic<'s>(
    associativity: Associativity,
    read: fn(Token) -> Option<Operator>,
) -> parsers::Operator<'s, Words> {
    infix(
        associativity,
        operator(read),
        |left, operator, right, extra| {
            let right = number(extra, right);
            leave(extra, Node::Arithmetic(operator, left, right))
        },
    )
    .boxed()
}

fn word(token: Token) -> Option<Word> {
    Some(match token {
        Token::Count => Word::Count,
        Token::Distinct => Word::Distinct,
        Token::Perm => Word::Perm,
        Token::Prod => Word::Prod,
        Token::Rev => Word::Rev,
        Token::Sets => Word::Sets,
        Token::Sort => Word::Sort,
        Token::Straight => Word::Straight,
        Token::Sum => Word::Sum,
        _ => return None,
    })
}

fn by_rank(token: Token) -> Option<By> {
    Some(match token {
        Token::First => By::First,
        Token::High => By::High,
        Token::Last => By::Last,
        Token::Low => By::Low,
        _ => return None,
    })
}

fn by_value(token: Token) -> Option<By> {
    forms::comparison(token).map(By::Value)
}

/// A filter without its operands.
fn filter<'s>(by: fn(Token) -> Option<By>) -> impl BonesParser<'s, Filter> {
    let modifier = token(
        Expected::Operand,
        |_: &mut ParserState<'s>, token| match token {
            Token::Drop => Some(Modifier::Drop),
            Token::Keep => Some(Modifier::Keep),
            _ => None,
        },
    );
    let with_modifier = modifier
        .map(Some)
        .then(opening(Expected::Filter, by))
        .map(|(modifier, by)| Filter { modifier, by });
    let plain = opening(Expected::Operand, by).map(|by| Filter { modifier: None, by });
    choice((plain, with_modifier))
}

/// Fails at a `-` after a list. `-` after a complete operand is always binary, and its left operand must be a number.
fn no_minus_after_list<'s>() -> impl BonesParser<'s, ()> {
    custom::<_, Input<'s, Words>, _, ParserExtra<'s, Words>>(|input| {
        let at = *input.cursor().inner();
        let minus = input.peek() == Some(Token::Minus) && input.state().memory.after_list;
        if minus { Err(after_list(at)) } else { Ok(()) }
    })
}

/// The operand of an operator on numbers. If it is a list by dicelab's syntax, a failure is recorded.
fn number(extra: At<Words>, operand: NodeId) -> NodeId {
    let at = extra.span().start;
    if let Some(failure) = extra.state().refuse_list(at, operand) {
        extra.emit(failure);
    }
    operand
}
