//! Tokens to a tree: the grammar of the head of this folder.
//!
//! The next token alone says how to go on. So nothing is read twice, and the furthest place that was reached
//! is the place of the mistake.

use chumsky::error::{Error, LabelError};
use chumsky::input::{Checkpoint, Cursor, MapExtra};
use chumsky::inspector::Inspector;
use chumsky::pratt::{self, Associativity, Operator as _, infix, left, prefix, right};
use chumsky::prelude::*;
use chumsky::util::MaybeRef;
use chumsky::{DefaultExpected, span::SimpleSpan};

use super::lexer::{Lexed, Token};
use super::tree::{Binary, Node, NodeId, Tree};
use crate::limits::{MAX_CHAIN, MAX_DEPTH};
use crate::source::Span;

type Tokens<'s> = &'s [Token];
type Extra<'s> = extra::Full<Failure, State<'s>, ()>;
type At<'s, 'p, 'e> = &'e mut MapExtra<'s, 'p, Tokens<'s>, Extra<'s>>;

/// Why there is no tree.
#[derive(Clone, Copy, Debug)]
pub(super) enum Refusal {
    /// A limit is reached at this token.
    Limit(usize, Limit),
    /// The text stops being a rule at this token.
    Failure(Failure),
}

/// A limit of depth.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// [`MAX_CHAIN`]
    Chain,
    /// [`MAX_DEPTH`]
    Depth,
}

/// Where the text stopped being a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// The token, by its number; the number of tokens for the end.
    pub(super) at: usize,
    /// Whether an operand could have stood there, rather than something after one.
    pub(super) lacks_operand: bool,
}

/// Reads a whole rule.
pub(super) fn parse<'s>(text: &'s str, lexed: &'s Lexed) -> Result<Tree<'s>, Refusal> {
    let mut state = State {
        lexed,
        nodes: Vec::new(),
        spans: Vec::new(),
        heights: Vec::new(),
        depth: 0,
        refused: None,
    };
    let (root, failures) = rule()
        .then_ignore(end())
        .parse_with_state(&lexed.tokens, &mut state)
        .into_output_errors();
    if let Some((at, limit)) = state.refused {
        return Err(Refusal::Limit(at, limit));
    }
    match (root, failures.first()) {
        (Some(root), None) => Ok(Tree {
            text,
            nodes: state.nodes,
            spans: state.spans,
            root,
        }),
        (_, failure) => Err(Refusal::Failure(failure.copied().unwrap_or(Failure {
            at: 0,
            lacks_operand: true,
        }))),
    }
}

fn rule<'s>() -> impl Parser<'s, Tokens<'s>, NodeId, Extra<'s>> {
    recursive(|rule| {
        let integer = token(
            true,
            |token| (token == Token::Integer).then_some(()),
            |_, _| {},
        )
        .map_with(|(), extra| add(extra, Node::Integer));
        let group = opening(|token| (token == Token::Open).then_some(()))
            .ignore_then(rule)
            .then_ignore(token(
                false,
                |token| (token == Token::Close).then_some(()),
                |_, _| {},
            ))
            .map_with(|inner, extra| leave(extra, Node::Group(inner)));
        integer.or(group).pratt(operators()).boxed()
    })
}

/// The operators, by their place in the table: the higher the tighter.
fn operators<'s>() -> Vec<pratt::Boxed<'s, 's, Tokens<'s>, NodeId, Extra<'s>>> {
    let letter = |token| match token {
        Token::Letter(letter) => Binary::of_letter(letter),
        _ => None,
    };
    let die = prefix(
        DICE,
        opening(|token| (token == Token::Letter('d')).then_some(())),
        |(), sides, extra| leave(extra, Node::Die(sides)),
    );
    let minus = prefix(
        4,
        opening(|token| (token == Token::Minus).then_some(())),
        |(), operand, extra| leave(extra, Node::Negate(operand)),
    );
    vec![
        binary(right(DICE), letter),
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

/// The place of the letters, and of `d` before a die.
const DICE: u16 = 5;

fn binary<'s>(
    associativity: Associativity,
    read: fn(Token) -> Option<Binary>,
) -> pratt::Boxed<'s, 's, Tokens<'s>, NodeId, Extra<'s>> {
    let operator = token(false, read, State::enter);
    infix(associativity, operator, |left, operator, right, extra| {
        leave(extra, Node::Binary(operator, left, right))
    })
    .boxed()
}

/// A token that begins something with parts of its own: one level deeper, until the node is added.
fn opening<'s>(
    read: impl Fn(Token) -> Option<()> + Clone,
) -> impl Parser<'s, Tokens<'s>, (), Extra<'s>> + Clone {
    token(true, read, State::enter)
}

/// The one way in which tokens are read: one that stands here, and that the state then takes note of.
fn token<'s, O>(
    is_operand: bool,
    read: impl Fn(Token) -> Option<O> + Clone,
    note: fn(&mut State<'s>, usize),
) -> impl Parser<'s, Tokens<'s>, O, Extra<'s>> + Clone {
    custom::<_, Tokens<'s>, _, Extra<'s>>(move |input| {
        let at = *input.cursor().inner();
        let refused = input.state().refused.is_some();
        match input.peek().and_then(&read) {
            Some(output) if !refused => {
                note(input.state(), at);
                input.skip();
                Ok(output)
            }
            _ => Err(Failure {
                at,
                lacks_operand: is_operand,
            }),
        }
    })
}

fn add(extra: At, node: Node) -> NodeId {
    let tokens = extra.span();
    extra.state().add(tokens, node)
}

fn leave(extra: At, node: Node) -> NodeId {
    let tokens = extra.span();
    let state = extra.state();
    state.depth -= 1;
    state.add(tokens, node)
}

impl<'s> LabelError<'s, Tokens<'s>, DefaultExpected<'s, Token>> for Failure {
    fn expected_found<E: IntoIterator<Item = DefaultExpected<'s, Token>>>(
        _: E,
        _: Option<MaybeRef<'s, Token>>,
        span: SimpleSpan,
    ) -> Self {
        // The grammar names everything that it expects itself, but for the end.
        Self {
            at: span.start,
            lacks_operand: false,
        }
    }
}

impl<'s> Error<'s, Tokens<'s>> for Failure {
    fn merge(self, other: Self) -> Self {
        Self {
            at: self.at,
            lacks_operand: self.lacks_operand && other.lacks_operand,
        }
    }
}

/// The memory of one run of the grammar: the tree so far, and how deep it is.
#[derive(Debug)]
struct State<'s> {
    lexed: &'s Lexed,
    nodes: Vec<Node>,
    spans: Vec<Span>,
    /// How many nodes lie one in another, for each node.
    heights: Vec<usize>,
    depth: usize,
    /// The token at which a limit was reached, and which: nothing more is read then.
    refused: Option<(usize, Limit)>,
}

impl State<'_> {
    /// Goes one level deeper: before every part that the grammar reads by calling itself.
    fn enter(&mut self, at: usize) {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.refused.get_or_insert((at, Limit::Depth));
        }
    }

    /// Adds a node that covers these tokens.
    fn add(&mut self, tokens: SimpleSpan, node: Node) -> NodeId {
        let mut height = 1;
        node.each_operand(|operand| height = height.max(self.heights[operand.0 as usize] + 1));
        if height > MAX_CHAIN {
            self.refused.get_or_insert((tokens.start, Limit::Chain));
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer nodes than bytes"));
        let spans = &self.lexed.spans;
        self.spans
            .push(spans[tokens.start].to(spans[tokens.end - 1]));
        self.nodes.push(node);
        self.heights.push(height);
        id
    }
}

/// A rewind takes back what was read since.
impl<'s> Inspector<'s, Tokens<'s>> for State<'s> {
    type Checkpoint = (usize, usize);

    fn on_token(&mut self, _: &Token) {}

    fn on_save<'p>(&self, _: &Cursor<'s, 'p, Tokens<'s>>) -> Self::Checkpoint {
        (self.nodes.len(), self.depth)
    }

    fn on_rewind<'p>(&mut self, marker: &Checkpoint<'s, 'p, Tokens<'s>, Self::Checkpoint>) {
        let (nodes, depth) = *marker.inspector();
        self.nodes.truncate(nodes);
        self.spans.truncate(nodes);
        self.heights.truncate(nodes);
        self.depth = depth;
    }
}
