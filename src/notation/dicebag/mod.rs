//! dicebag: every expression is a pool of dice that can be rolled again.
//!
//! In comes the text of one rule; out goes a core program, warnings, and the tree for people. The stages are
//! [`lexer`] (characters to tokens), [`grammar`] (tokens to a [`tree`]) and [`lower`] (tree to [`crate::ir`], by way of
//! [`pool`] and [`terms`]), and beside them [`warnings`] and [`print`](mod@print). Where the grammar fails, [`hints`] finds out
//! which mistake it is, and [`error`] has the words for it.
//!
//! # Grammar
//!
//! Blanks are part of the language: `" + "` stands for the sign with any number of blanks on both sides, and no other blank
//! may stand anywhere but around the whole rule. Each line is a rule, unless it is empty or begins with `//`.
//!
//! ```text
//! rule     = product { ( " + " | " - " ) product } ;
//! product  = repeated { ( " * " | " / " ) repeated } ;
//! repeated = bonus { " x " bonus } ;
//! bonus    = signed { ( "+" | "-" ) signed } ;
//! signed   = "-" signed | dice ;
//! dice     = "d" dice | operand [ letter dice ] ;
//! operand  = integer | "(" rule ")" ;
//! letter   = "d" | "E" | "e" | "K" | "k" | "A" | "a" | "T" | "t" ;
//! integer  = digit { digit } ;
//! ```
//!
//! `-` may also stand where only something tighter could by these rules, and takes there what it always takes: `2d-1`
//! is `2d(-1)`.
//!
//! # Operators
//!
//! The tightest first.
//!
//! | operator | | a pool of |
//! |---|---|---|
//! | `DdE`, `dE` | right | as many dice as D comes to, of as many sides as E comes to; both once |
//! | `DEF`, `DeF` | right | the dice of F, each the sum of its rolls, again while the last is at least, or at most, what D comes to |
//! | `DKE`, `DkE` | right | the highest, or lowest, dice of E, as many as D comes to; of equals the earlier |
//! | `DAE`, `DaE` | right | a die for each roll of the dice of E, again on at least, or at most, what D comes to |
//! | `DTE`, `DtE` | right | a 1 for each die of E of at least, or at most, what D comes to, else a 0 |
//! | `-D` | prefix | the opposites |
//! | `D+E`, `D-E` | left | the dice of D, each with what E comes to when the die is rolled |
//! | `D x E` | left | D, as many times as E comes to, each time evaluated anew |
//! | `D * E`, `D / E` | left | one die: the product, the quotient rounded down |
//! | `D + E`, `D - E` | left | the dice of D, and those of E, or their opposites |
//!
//! An expression comes to the sum of its pool, evaluated anew. A number is a die that always shows it. What is kept
//! (`K`, `k`) or was rolled (`A`, `a`) shows its value first; rolled again, it is rolled like any other die.
//!
//! # Deviations
//!
//! From the dicebag program:
//!
//! - `-1d6` is the opposite of `1d6`, as its document promises (`a_sign_before_dice_negates_them`);
//! - a count below 0 is none, also of `K` and `k` (`less_than_no_dice_are_none`);
//! - a die without sides, and a division by zero, are errors (`dice_without_sides_are_errors`);
//! - blanks may stand around the whole rule, and be several around an operator
//!   (`blanks_on_both_sides_make_another_operator`).
//!
//! From its document: `e` and `a` roll again on the limit itself as well, as the program does.
//!
//! The values of a pool are in the order in which they were rolled, but for two things that nothing but `--ordered` shows:
//! what `K` keeps stays where it was, and what `A` rolls again stands after what it was rolled for.
//!
//! Parts nest at most [`MAX_DEPTH`](crate::limits::MAX_DEPTH) deep, and a chain has at most
//! [`MAX_CHAIN`](crate::limits::MAX_CHAIN) operators (`deep_nesting_of_dicebag_is_a_limit_and_no_crash`).

mod change;
mod choice;
mod error;
mod grammar;
mod hints;
mod lexer;
mod lower;
mod packing;
mod pool;
mod print;
mod rolls;
mod table;
mod terms;
mod tree;
mod warnings;

use self::error::ParseError;
use self::hints::Context;
use self::tree::Tree;
use super::reader::failure::Refusal;
use super::reader::gaps;
use super::reader::lexed::Tokens;
use super::settings::Settings;
use super::syntax::{Notation, Reading, SyntaxTree};
use crate::error::{Error, ErrorKind};
use crate::source::{Source, Span};

/// The notation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dicebag;

impl Notation for Dicebag {
    fn rules(&self, text: &str) -> Vec<Vec<Span>> {
        gaps::lines(text)
    }

    fn parse(&self, source: &Source, span: Span) -> Result<Box<dyn SyntaxTree>, Error> {
        let lexed = lexer::lex(source.text(), span);
        let context = Context(Tokens {
            text: source.text(),
            span,
            lexed: &lexed,
        });
        let wrong = |span, error: &ParseError| Error::new(ErrorKind::Parse, error.diagnostic(span));
        if lexed.tokens.is_empty() {
            return Err(wrong(span, &ParseError::Empty));
        }
        if let Some((place, error)) = context.unmatched() {
            return Err(wrong(place, &error));
        }
        match grammar::parse(source, &lexed) {
            Ok(tree) => Ok(Box::new(Rule { span, tree })),
            Err(Refusal::Failures(failures)) => {
                let (place, error) = context.explain(&failures[0]);
                Err(wrong(place, &error))
            }
            Err(Refusal::Limit(at, limit)) => {
                let place = context.place(at);
                Err(Error::new(ErrorKind::Limit, error::too_deep(place, limit)))
            }
        }
    }
}

/// A rule that was read.
#[derive(Debug)]
struct Rule {
    span: Span,
    tree: Tree,
}

impl SyntaxTree for Rule {
    fn print(&self) -> String {
        print::text(&self.tree)
    }

    fn outline(&self) -> String {
        print::tree(&self.tree)
    }

    fn lower(&self, settings: &Settings) -> Result<Vec<Reading>, Error> {
        let program = lower::lower(&self.tree, settings.wanted)
            .ok_or_else(|| Error::new(ErrorKind::Limit, error::too_long(self.span)))?;
        Ok(vec![Reading {
            program,
            warnings: warnings::warnings(&self.tree),
        }])
    }
}
