//! dicebag: every expression is a pool of dice that can be rolled again.
//!
//! The input is the text of one rule. The output is a core program, warnings, and the tree for people. The stages are [`lexer`] (characters
//! to tokens), [`grammar`] (tokens to a [`tree`]) and [`lower`] (tree to [`crate::ir`], by way of [`pool`] and [`terms`]). [`warnings`] and
//! [`print`](mod@print) also read the tree. If the grammar fails, [`error`] has the message, and [`crate::notation::mend`] looks up what
//! was meant.
//!
//! # Grammar
//!
//! Blanks are part of the language: `" + "` means the sign with one or more blanks on both sides. Other blanks may stand only
//! around the whole rule. Each line is a rule, unless it is empty or begins with `//`.
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
//! `-` may also stand where these rules allow only a tighter operator. Its operand is the same as elsewhere: `2d-1` is
//! `2d(-1)`.
//!
//! # Operators
//!
//! The *total* of an expression is the sum of its pool, evaluated afresh. A number is a die that always shows this number. The
//! table begins with the tightest operators; ΣD is the total of D.
//!
//! | operator | | pool |
//! |---|---|---|
//! | `DdE`, `dE` | right | ΣD dice (one without D) with ΣE sides; both totals are evaluated once |
//! | `DEF`, `DeF` | right | the dice of F, each with the sum of its rolls; a die is rolled again while its last roll is at least, or at most, ΣD |
//! | `DKE`, `DkE` | right | the ΣD highest, or lowest, dice of E; among equal dice the earlier |
//! | `DAE`, `DaE` | right | one die for each roll of the dice of E; a die is rolled again while its last roll is at least, or at most, ΣD |
//! | `DTE`, `DtE` | right | one die for each die of E: 1 if it is at least, or at most, ΣD, else 0 |
//! | `-D` | prefix | the dice of D with opposite values |
//! | `D+E`, `D-E` | left | the dice of D, with ΣE added to, or subtracted from, each roll; ΣE is evaluated afresh for each roll |
//! | `D x E` | left | the dice of ΣE fresh evaluations of D |
//! | `D * E`, `D / E` | left | one die: the product of the totals, or their quotient rounded down |
//! | `D + E`, `D - E` | left | the dice of D, then the dice of E, or their opposites |
//!
//! A die that was kept (`K`, `k`) or that stands for a roll (`A`, `a`) shows its value first. If it is rolled again, it is
//! rolled like the die that it comes from.
//!
//! # Deviations
//!
//! From the dicebag program:
//!
//! - `-1d6` is the opposite of `1d6`, as the document promises (`a_sign_before_dice_negates_them`);
//! - a negative count means 0, also for `K` and `k` (`less_than_no_dice_are_none`);
//! - a die without sides, and a division by zero, are errors (`dice_without_sides_are_errors`);
//! - blanks may stand around the whole rule, and several blanks may stand around an operator
//!   (`blanks_on_both_sides_make_another_operator`).
//!
//! From its document: `e` and `a` also roll again on the limit itself, as the program does.
//!
//! The values of a pool are in the order of their rolls, with two exceptions, which only `--ordered` shows: the dice that `K`
//! keeps stay in their order, and a die that `A` rolls again comes after the die that caused it.
//!
//! Parts nest at most [`MAX_DEPTH`](crate::limits::MAX_DEPTH) deep, and a chain has at most
//! [`MAX_CHAIN`](crate::limits::MAX_CHAIN) operators (`deep_nesting_of_dicebag_is_a_limit_and_no_crash`).

mod change;
mod choice;
mod error;
mod grammar;
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

use std::sync::LazyLock;

use self::tree::Tree;
use super::mend::{Table, explain};
use super::reader::gaps;
use super::reader::lexed::Tokens;
use super::settings::Settings;
use super::syntax::{Kind, Notation, Reading, SyntaxTree};
use crate::error::{Error, ErrorKind};
use crate::limits::Budget;
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
        let tokens = Tokens::new(source, span, &lexed);
        let refused = |finding| Error::new(ErrorKind::Parse, finding);
        if lexed.tokens.is_empty() {
            return Err(refused(error::empty(span)));
        }
        if let Some(unmatched) = explain::brackets(tokens) {
            return Err(refused(unmatched));
        }
        let tree = grammar::parse(source, &lexed)
            .map_err(|refusal| refusal.error(tokens, error::unexpected, error::too_deep))?;
        Ok(Box::new(DicebagRule { span, tree }))
    }

    fn table(&self) -> Option<&'static Table> {
        static TABLE: LazyLock<Table> = LazyLock::new(|| Table::of(include_str!("meant.txt")));
        Some(&TABLE)
    }
}

/// A rule that was read.
#[derive(Debug)]
struct DicebagRule {
    span: Span,
    tree: Tree,
}

impl SyntaxTree for DicebagRule {
    fn print(&self) -> String {
        print::text(&self.tree)
    }

    fn outline(&self) -> String {
        print::tree(&self.tree)
    }

    fn lower(&self, settings: &Settings, _: &Budget<'_>) -> Result<Vec<Reading>, Error> {
        let program = lower::lower(&self.tree, settings.wanted)
            .ok_or_else(|| Error::new(ErrorKind::Limit, error::too_long(self.span)))?;
        Ok(vec![Reading {
            kind: Kind::Plain,
            program,
            warnings: warnings::warnings(&self.tree),
            title: None,
        }])
    }
}
