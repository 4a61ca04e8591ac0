//! DiceRoller: scripts of one-letter instructions, strictly from left to right, over a pool and a stack.
//!
//! The input is the text of one script. The output is one core program for each result, warnings, and the tree for people.
//! The stages are [`lexer`] (characters to tokens), [`grammar`] (tokens to a [`tree`], with the size of the stack counted) and
//! [`lower`] (instructions to [`crate::ir`]). [`warnings`] and [`print`](mod@print) also read the tree; [`error`] has the messages.
//!
//! # Grammar
//!
//! Blanks and comments (`#`, or `//`, to the end of the line) may stand between all tokens. A whole text is one script.
//!
//! ```text
//! script      = { instruction } ;
//! instruction = value                                     (* onto the stack *)
//!             | "D" value | "*" value | "H" value | "L" value | "V" value
//!             | "+" | "-"                                 (* with a number on the stack *)
//!             | ( "+" | "-" ) value                       (* without *)
//!             | "G" | "P"
//!             | block
//!             | "[" script "]" [ block ] ;
//! block       = "{" script "}" ;
//! value       = integer | "S" | "C" ;
//! integer     = digit { digit } ;
//! ```
//!
//! The size of the stack is known at every place of a script, because each pair of brackets begins with an empty stack, and
//! every instruction pops and pushes a fixed number of numbers at its place. There is no precedence.
//!
//! # Instructions
//!
//! | | takes | effect |
//! |---|---|---|
//! | `3`, `S`, `C` | | pushes the number; the sum of the pool; the size of the pool |
//! | `xDy` | x, else 1 | the pool becomes x dice of y sides |
//! | `x+`, `x-` | x | keeps the members that are at least, at most x |
//! | `+y`, `-y` | | appends y, or its opposite, to the pool |
//! | `*y` | | repeats every member y times |
//! | `Hy`, `Ly` | | keeps the y highest, lowest members |
//! | `x{…}` | x, else 1 | runs the block x times, each on a copy of the pool; the joined results become the pool (the result of a run is its stack at the end, or its pool if the stack is empty) |
//! | `[f]` | | runs f on a copy of the pool, and removes the members that f leaves in its pool |
//! | `x[f]{…}` | x, else 1 | like `[f]`; then runs the block x times, each on a copy of the removed members, and adds the results to the pool |
//! | `G` | | a result: the share of each value in the pool |
//! | `Vy`, `P` | | nothing |
//!
//! `S` and `C` behind an instruction are the sum and the size of the pool before the instruction.
//!
//! Each `G` at the top level is a result. Without a `G`, the result is the stack at the end, or the pool if the stack is
//! empty.
//!
//! # Deviations
//!
//! From the DiceRoller program:
//!
//! - `G` gives exact shares; the DiceRoller program counts the values of one run (`a_graph_is_the_share_of_each_value`);
//! - comments may stand wherever blanks may, also between an instruction and its value, and between a filter and its
//!   block (`comments_stand_wherever_blanks_do`);
//! - `V` and `P` print nothing: `--trace` shows the pool after each instruction (`printing_changes_nothing`);
//! - a block with a negative number of runs does not run, as with 0 (`a_block_that_runs_less_than_once_leaves_nothing`);
//! - `//` begins a comment, as in every notation.
//!
//! Parts nest at most [`MAX_DEPTH`](crate::limits::MAX_DEPTH) deep, and a script has at most
//! [`MAX_CHAIN`](crate::limits::MAX_CHAIN) instructions (`deep_and_long_scripts_are_limits`).

mod error;
mod grammar;
mod lexer;
mod lower;
mod print;
mod state;
mod tree;
mod warnings;

use std::sync::LazyLock;

use self::error::Context;
use self::tree::Script;
use super::mend::Table;
use super::settings::Settings;
use super::syntax::{self, Notation, Reading, Step, SyntaxTree};
use crate::error::{Error, ErrorKind};
use crate::limits::Budget;
use crate::source::{Source, Span};

/// The notation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Diceroller;

impl Notation for Diceroller {
    fn rules(&self, text: &str) -> Vec<Vec<Span>> {
        lexer::GAPS.words(text, None)
    }

    fn parse(&self, source: &Source, span: Span) -> Result<Box<dyn SyntaxTree>, Error> {
        let lexed = lexer::lex(source.text(), span);
        let context = Context::new(source, span, &lexed);
        if lexed.tokens.is_empty() {
            return Err(Error::new(ErrorKind::Parse, error::empty(span)));
        }
        if let Some(unknown) = error::unknown(context) {
            return Err(Error::new(ErrorKind::Parse, unknown));
        }
        let script = grammar::parse(source, &lexed)
            .map_err(|refusal| refusal.error(context, error::unexpected, error::too_large))?;
        Ok(Box::new(DicerollerRule { script }))
    }

    fn table(&self) -> Option<&'static Table> {
        static TABLE: LazyLock<Table> = LazyLock::new(|| Table::of(include_str!("meant.txt")));
        Some(&TABLE)
    }
}

/// A script that was read.
#[derive(Debug)]
struct DicerollerRule {
    script: Script,
}

impl SyntaxTree for DicerollerRule {
    fn print(&self) -> String {
        print::text(&self.script)
    }

    fn outline(&self) -> String {
        print::tree(&self.script)
    }

    fn lower(&self, _: &Settings, _: &Budget<'_>) -> Result<Vec<Reading>, Error> {
        let warnings = warnings::warnings(&self.script);
        let programs = lower::results(&self.script).into_iter();
        Ok(programs
            .map(|program| Reading {
                kind: syntax::Kind::Plain,
                program,
                warnings: warnings.clone(),
                title: None,
            })
            .collect())
    }

    fn steps(&self) -> Option<Vec<Step>> {
        Some(lower::steps(&self.script))
    }

    fn in_its_words(&self, error: Error) -> Error {
        let kind = error.kind();
        error.map(|finding| {
            let words = finding.span.map(|span| self.script.slice(span));
            error::of_evaluation(kind, words.unwrap_or_default(), finding)
        })
    }
}
