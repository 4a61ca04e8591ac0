//! The errors of reading and of evaluating a rule, with their wording. The place at which the grammar failed decides which
//! mistake is reported.

use std::ops::Deref;

use super::facts::MOST_DICE;
use super::grammar::{Expected, Failure};
use super::lexer::{Token, plain};
use super::operator::{Operator, Parameter};
use super::tree::{Node, Tree};
use crate::error::{Diagnostic, ErrorKind, Remedy};
use crate::notation::reader::failure::Limit;
use crate::notation::reader::lexed::Tokens;
use crate::notation::reader::quote::{MOST_LISTED, is_short, shortened};
use crate::notation::reader::tree::NodeId;
use crate::source::{Span, is_invisible};

/// An error of evaluating a rule, in the words of the notation.
pub(super) fn of_evaluation(kind: ErrorKind, finding: Diagnostic) -> Diagnostic {
    match kind {
        ErrorKind::BadDie => Diagnostic {
            message: format!("dice and sides out of the range 1 to {MOST_DICE} can occur here"),
            ..finding
        },
        ErrorKind::Domain => finding.with_help(
            "`k` and `q` keep no more dice than there are, `sp` counts from 1 to the length of its tuple, `kh`, `kl`, \
             `dh`, `dl`, `max` and `min` take 1 or more, pools take 1 to 999 dice, and 0^0 is no number",
        ),
        _ => finding,
    }
}

/// The tokens of a rule, for messages about a mistake.
#[derive(Clone, Copy)]
pub(super) struct Context<'s>(pub(super) Tokens<'s, Token>);

impl<'s> Deref for Context<'s> {
    type Target = Tokens<'s, Token>;

    fn deref(&self) -> &Tokens<'s, Token> {
        &self.0
    }
}

impl<'s> Context<'s> {
    /// The text from token `from` to the token before `to`, if it fits into a message.
    fn short_words(self, from: usize, to: usize) -> Option<&'s str> {
        if from >= to || to > self.lexed.tokens.len() {
            return None;
        }
        Some(self.words(from, to)).filter(|words| is_short(words))
    }

    /// The token at a place, as a message names it.
    fn found(self, at: usize) -> String {
        match self.0.found(at) {
            None => "the end of the rule".into(),
            Some(word) => format!("`{word}`"),
        }
    }

    /// The first token of the operand that ends before a token. The operand is a number or brackets.
    fn operand_start(self, at: usize) -> Option<usize> {
        let mut open = 0_usize;
        for first in (at.saturating_sub(30)..at).rev() {
            match self.token(first)? {
                Token::Close | Token::CloseTuple => open += 1,
                Token::Open | Token::OpenTuple => open = open.checked_sub(1)?,
                _ => {}
            }
            if open == 0 {
                return Some(first);
            }
        }
        None
    }

    fn operand_before(self, at: usize) -> Option<&'s str> {
        self.short_words(self.operand_start(at)?, at)
    }

    /// The dice whose last operand ends before a token: `4d6` at the end of `4d6`.
    fn dice_before(self, at: usize) -> Option<&'s str> {
        let mut first = self.operand_start(at)?;
        while let Some(Token::Infix(operator)) = self.before(first)
            && operator.level() >= Operator::Roll.level()
        {
            let begins = first.checked_sub(2).and_then(|left| self.token(left));
            let left = begins.filter(|left| left.ends_operand());
            first = left
                .and_then(|_| self.operand_start(first - 1))
                .unwrap_or(first - 1);
        }
        self.short_words(first, at)
    }
}

/// Errors about brackets that do not match, and about signs that are no part of the notation.
pub(super) fn signs(context: Context) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (at, &token) in context.lexed.tokens.iter().enumerate() {
        if errors.len() == MOST_LISTED {
            break;
        }
        match token {
            Token::Open | Token::OpenTuple => open.push(at),
            Token::Close | Token::CloseTuple => {
                let partner = if token == Token::Close {
                    Token::Open
                } else {
                    Token::OpenTuple
                };
                match open.pop() {
                    Some(opening) if context.token(opening) == Some(partner) => {}
                    Some(opening) => {
                        let message = format!(
                            "{} is closed by {}",
                            context.found(opening),
                            context.found(at)
                        );
                        let closing = if partner == Token::Open { ']' } else { ')' };
                        errors.push(
                            Diagnostic::new(context.place(at), message)
                                .with_help(format!("write `{closing}` here")),
                        );
                    }
                    None => errors.push(Diagnostic::new(
                        context.place(at),
                        "this bracket was never opened",
                    )),
                }
            }
            Token::Unknown => errors.push(unknown(context, at)),
            _ => {}
        }
    }
    let unclosed = open.into_iter().take(MOST_LISTED);
    errors.extend(
        unclosed.map(|at| Diagnostic::new(context.place(at), "this bracket is never closed")),
    );
    errors.sort_by_key(|error| error.span);
    errors.truncate(MOST_LISTED);
    errors
}

fn unknown(context: Context, at: usize) -> Diagnostic {
    let word = context.word(at);
    let place = context.place(at);
    let first = word.chars().next().unwrap_or(' ');
    let message = if first.is_control() || is_invisible(first) {
        format!("U+{:04X} is not a sign of OneDice", u32::from(first))
    } else {
        format!("`{}` is no word or sign of OneDice", shortened(word))
    };
    let help = match plain(first) {
        '!' => Some("dice that roll on are a pool: write `5a10` for five that do so on a 10"),
        '#' => Some("write `4d6` for four dice, `10lp[4d6]` for ten rolls of them"),
        '%' => Some("write `d100`"),
        '.' => Some("all numbers are whole: write `7/2` for 3"),
        ';' => Some("write each rule on a line of its own"),
        '{' => Some("write `{NAME}`, and give it a value with `--set NAME=5`"),
        '$' => Some("write `$t1` for a variable"),
        '"' | '\'' | '“' | '”' => Some("leave it out"),
        _ if word.eq_ignore_ascii_case("sum") => {
            Some("the number of dice is their sum: write `3d6`")
        }
        _ if first.is_alphabetic() => Some("a name for a number stands in braces, as in `{NAME}`"),
        _ => None,
    };
    let diagnostic = Diagnostic::new(place, message);
    match help {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}

/// A failure of the grammar.
pub(super) fn explain(context: Context, failure: &Failure) -> Diagnostic {
    let at = failure.at;
    let (found, before) = (context.token(at), context.before(at));
    let place = context.place(at);
    let after = |at: usize| context.found(at - 1);
    if failure.expects(Expected::Value) {
        let message = format!(
            "expected digits or parentheses after {}, found {}",
            after(at),
            context.found(at)
        );
        return Diagnostic::new(place, message).with_help(match before {
            Some(Token::Assign) => "write `$t1=5` or `$t1=(2d6)`",
            Some(Token::Colon) => "write `1?2:3` or `1?(2d6):(1d8)`",
            _ => "write `4d6k3` or `4d6k(1+2)`",
        });
    }
    if before.is_some_and(Token::ends_operand) {
        return after_operand(context, at, found);
    }
    let message = match (found, before) {
        (Some(Token::Infix(_)), None | Some(Token::Comma | Token::Open | Token::OpenTuple)) => {
            format!("{} has nothing on its left", context.found(at))
        }
        (_, None) => format!("expected a rule, found {}", context.found(at)),
        _ => format!(
            "expected an operand after {}, found {}",
            after(at),
            context.found(at)
        ),
    };
    let help: Option<String> = match (before, found) {
        (_, Some(Token::Infix(Operator::Pool))) => {
            Some("write `10a8` for a pool of ten dice".into())
        }
        (_, Some(Token::Infix(Operator::Cross))) => {
            Some("write `5c8` for a pool of five dice".into())
        }
        (Some(Token::Infix(before)), Some(Token::Infix(Operator::Subtract))) => {
            let left = context.operand_before(at - 1).unwrap_or("3");
            let right = context.short_words(at + 1, at + 2).unwrap_or("2");
            Some(format!(
                "write `{left}{}(-{right})` for a negative number",
                before.word()
            ))
        }
        (Some(Token::Infix(Operator::Variable)), _) => {
            Some("variables have numbers: write `$t1=5`".into())
        }
        (Some(Token::Infix(_)), Some(Token::Assign)) => {
            Some("`<` and `>` are the only comparisons: write `1d6>2` for 3 or more".into())
        }
        (Some(Token::OpenTuple), Some(Token::CloseTuple)) => {
            Some("a tuple has a member at least: write `[1,2]`".into())
        }
        (None, _) => Some("write a rule such as `4d6k3`".into()),
        _ => None,
    };
    let diagnostic = Diagnostic::new(place, message);
    match help {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}

/// A token other than an operator after a complete operand.
fn after_operand(context: Context, at: usize, found: Option<Token>) -> Diagnostic {
    let place = context.place(at);
    let operand = context.operand_before(at);
    match found {
        Some(Token::Assign) => Diagnostic::new(place, "`=` only sets a variable, as in `$t1=5`")
            .with_help("`<` and `>` are the only comparisons; write `(2d6>6)&(2d6<8)` for both"),
        Some(Token::Colon) => Diagnostic::new(place, "`:` has no `?` whose first branch ends here")
            .with_help("write branches in parentheses, as in `(1d6>3)?(2d6):(1d8)`"),
        Some(Token::K | Token::Q | Token::M) => {
            let word = shortened(context.word(at));
            let message = format!("`{word}` does not directly follow the operand of a die or pool");
            let number = context.token(at + 1) == Some(Token::Integer);
            let number = if number { context.word(at + 1) } else { "3" };
            let help = match (found, context.dice_before(at)) {
                (Some(Token::K), Some(dice)) => {
                    format!("write `{dice}kh{number}` to keep the highest")
                }
                (Some(Token::Q), Some(dice)) => {
                    format!("write `{dice}kl{number}` to keep the lowest")
                }
                (Some(Token::M), _) => "write `10a8m6` for a pool of dice with six sides".into(),
                _ => "write `4d6k3`".into(),
            };
            Diagnostic::new(place, message).with_help(help)
        }
        Some(found) if found.begins_operand() => {
            let message = format!("expected an operator, found {}", context.found(at));
            let diagnostic =
                Diagnostic::new(place, message).with_label("the operand before it is complete");
            match (operand, found) {
                (Some(operand), Token::Open) => {
                    diagnostic.with_help(format!("write `{operand}*(…)` to multiply"))
                }
                (_, Token::OpenTuple) => diagnostic,
                _ => diagnostic.with_help("write each rule on a line of its own, or `+` to add"),
            }
        }
        _ => Diagnostic::new(
            place,
            format!("expected an operator, found {}", context.found(at)),
        ),
    }
}

/// A rule without tokens.
pub(super) fn empty(span: Span) -> Diagnostic {
    Diagnostic::new(span, "there is no rule here").with_help("write a rule such as `4d6k3`")
}

/// A rule that reaches a limit.
pub(super) fn too_deep(place: Span, limit: Limit) -> Diagnostic {
    limit.complaint(
        place,
        match limit {
            Limit::Chain => "write `9000lp[1d6]kh9000` for the sum of many",
            Limit::Depth => "set inner parts to variables, as in `[$t1=(2d6),$t1*2]`",
        },
    )
}

/// A name without a value, or an `i` outside of a loop.
pub(super) fn unbound(tree: &Tree, id: NodeId) -> Diagnostic {
    let place = tree.span(id);
    if matches!(tree.node(id), Node::Index) {
        return Diagnostic::new(
            place,
            "`i` is the number of a round, and this is in no loop",
        )
        .with_help("write `3lp[i*1d6]`");
    }
    let name = tree.plain_words(id);
    Diagnostic::new(place, format!("`{{{}}}` has no value", shortened(&name)))
        .with_remedy(Remedy::GiveValue(name))
}

/// Errors that the grammar does not see: parameters that exclude each other, and `?` with one branch.
pub(super) fn contradictions(tree: &Tree) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for id in tree.ids() {
        match *tree.node(id) {
            Node::With(parameter, subject, _) => {
                let Some(operation) = tree.operation(subject) else {
                    continue;
                };
                let excluded = |found: Parameter| {
                    operation.operator == Operator::Roll && excludes(parameter, found)
                };
                let earlier = operation.parameters.iter();
                let clash = earlier
                    .map(|&(found, _)| found)
                    .find(|&found| excluded(found));
                if let Some(clash) = clash {
                    let end = tree.span(subject).end;
                    let place = Span::new(end, tree.span(id).end);
                    let message = format!(
                        "a die cannot have both `{}` and `{}`",
                        clash.word(),
                        parameter.word()
                    );
                    let help = "write `5d6k3kl1` to choose again among the dice that are left";
                    errors.push(Diagnostic::new(place, message).with_help(help));
                }
            }
            Node::Infix(Operator::Choose, left, right)
                if !matches!(tree.node(right), Node::Missing(_)) =>
            {
                let next = tree.nodes.get(id.index() + 1..).unwrap_or_default();
                let is_followed = |node: &Node| matches!(node, Node::With(Parameter::Else, subject, _) if *subject == id);
                if !next.iter().any(is_followed) {
                    let message = "`?` has one branch, and no `:` for the other";
                    let (left, right) = (tree.words(left), tree.words(right));
                    let help = if is_short(left) && is_short(right) {
                        format!("write `{left}?{right}:0`, or `{left}?` for the sum of 1 to {left}")
                    } else {
                        "write `1?2:3`".into()
                    };
                    errors.push(Diagnostic::new(tree.span(id), message).with_help(help));
                }
            }
            _ => {}
        }
        if errors.len() == MOST_LISTED {
            break;
        }
    }
    errors
}

/// Whether two parameters of a die exclude each other.
fn excludes(one: Parameter, other: Parameter) -> bool {
    let is_percentile = |found| matches!(found, Parameter::Bonus | Parameter::Penalty);
    let is_kept = |found| matches!(found, Parameter::KeepHigh | Parameter::KeepLow);
    one != other && (is_percentile(one) || is_kept(one)) && (is_percentile(other) || is_kept(other))
}
