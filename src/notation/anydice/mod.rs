//! AnyDice: programs of anydice.com.
//!
//! The input is the text of one program. The output is a core program for each `output` that is executed, warnings, and the
//! tree for people. The stages are [`lexer`] (characters to tokens), [`grammar`] (tokens to a [`tree`]), [`code`] (names to
//! numbers), and [`run`] (the program is run; dice stay [`term`]s). [`lower`] turns a term into [`crate::ir`]. [`error`] has
//! the messages.
//!
//! # Grammar
//!
//! Statements need no separators. Variables are runs of `A`-`Z` and `_`, words are runs of `a`-`z`. `\ … \` is a comment.
//!
//! ```text
//! program     = { statement | outputs } ;
//! statement   = VARIABLE ":" value | conditional | loop ;
//! outputs     = "output" value [ "named" STRING ] | "set" STRING "to" ( STRING | value ) | function ;
//! function    = "function" ":" { word | VARIABLE [ ":" ( "n" | "s" | "d" | "?" ) ] } body ;
//! conditional = "if" value block [ "else" ( conditional | block ) ] ;
//! loop        = "loop" VARIABLE "over" value block ;
//! block       = "{" { statement | outputs } "}" ;
//! body        = "{" { statement } [ "result" ":" value ] "}" ;     (* the blocks of a function *)
//! value       = condition { ( "&" | "|" ) condition } ;
//! condition   = sum { ( "=" | "!=" | "<" | ">" | "<=" | ">=" ) sum } ;
//! sum         = product { ( "+" | "-" ) product } ;
//! product     = power { ( "*" | "/" ) power } ;
//! power       = chosen { "^" chosen } ;
//! chosen      = dice { "@" dice } ;
//! dice        = prefixed { "d" prefixed } ;
//! prefixed    = { "d" | "+" | "-" | "!" | "#" } operand ;
//! operand     = NUMBER | VARIABLE | "(" value ")" | sequence | call ;
//! sequence    = "{" [ part { "," part } ] "}" ;
//! part        = value [ ".." value ] [ ":" value ] ;
//! call        = "[" { word | value } "]" ;
//! ```
//!
//! All infix operators are left associative, and every prefix binds tighter than every infix operator.
//!
//! # Deviations
//!
//! From the program of the site:
//!
//! - probabilities are exact, and impossible outcomes do not exist;
//! - every outcome of an argument starts with the same variables;
//! - "explode depth" and "maximum function depth" can be "unlimited".

mod code;
mod error;
mod faces;
mod grammar;
mod lexer;
mod lower;
mod print;
mod run;
mod term;
mod tree;
mod value;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use self::tree::{Node, Tree};
use super::mend::Table;
use super::reader::gaps::BLANKS;
use super::reader::lexed::Tokens;
use super::settings::Settings;
use super::syntax::{Kind, Notation, Outcome, Reading, SyntaxTree, Title};
use crate::error::{Diagnostic, Error};
use crate::limits::Budget;
use crate::source::{Source, Span};

/// The notation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anydice;

impl Notation for Anydice {
    /// The whole text is one program.
    fn rules(&self, text: &str) -> Vec<Vec<Span>> {
        BLANKS.words(text, None)
    }

    fn parse(&self, source: &Source, span: Span) -> Result<Box<dyn SyntaxTree>, Error> {
        let lexed = lexer::lex(source.text(), span);
        let tokens = Tokens::new(source, span, &lexed);
        let tree = grammar::parse(source, &lexed)
            .map_err(|refusal| refusal.error(tokens, error::unexpected, error::too_deep))?;
        Ok(Box::new(Program(tree)))
    }

    fn table(&self) -> Option<&'static Table> {
        static TABLE: LazyLock<Table> = LazyLock::new(|| Table::of(include_str!("meant.txt")));
        Some(&TABLE)
    }

    fn has_plain_heads(&self) -> bool {
        false
    }

    fn is_name(&self, word: &str) -> bool {
        !word.is_empty() && word.chars().all(lexer::is_of_variable)
    }
}

/// A program that was read.
#[derive(Debug)]
struct Program(Tree);

impl SyntaxTree for Program {
    /// All variables: a value from outside is assigned before the program begins.
    fn free_names(&self) -> BTreeSet<String> {
        let tree = &self.0;
        let names = tree.ids().filter_map(|id| match tree.node(id) {
            Node::Variable => Some(tree.words(id)),
            Node::Assign(name, _) | Node::Loop(name, ..) => Some(tree.slice(*name)),
            _ => None,
        });
        names.map(str::to_owned).collect()
    }

    fn print(&self) -> String {
        print::text(&self.0)
    }

    fn outline(&self) -> String {
        print::tree(&self.0)
    }

    fn lower(&self, settings: &Settings, budget: &Budget<'_>) -> Result<Vec<Reading>, Error> {
        let outcome = self.run(settings, budget);
        match outcome.error {
            Some(error) => Err(error),
            None => Ok(outcome.readings),
        }
    }

    fn run(&self, settings: &Settings, budget: &Budget<'_>) -> Outcome {
        let mut done = run::run(&self.0, settings, budget);
        let mut warnings = std::mem::take(&mut done.warnings);
        let mut readings: Vec<Reading> = Vec::with_capacity(done.outputs.len());
        let mut taken = 0;
        for output in done.outputs {
            let own = warnings[taken..output.warned].to_vec();
            taken = output.warned;
            readings.push(reading(output, own));
        }
        warnings.drain(..taken);
        if let Some(last) = readings.last_mut() {
            last.warnings.append(&mut warnings);
        } else if done.error.is_none() {
            let message = "this program outputs nothing";
            let nothing = Diagnostic::without_place(message)
                .with_code("no-output")
                .with_help("write `output 3d6`");
            warnings.push(nothing);
        }
        Outcome {
            readings,
            warnings,
            remarks: done.remarks,
            error: done.error,
        }
    }

    fn in_its_words(&self, error: Error) -> Error {
        let kind = error.kind();
        error.map(|finding| error::of_evaluation(kind, finding))
    }
}

/// The core program of an output.
fn reading(output: run::Output, warnings: Vec<Diagnostic>) -> Reading {
    let kind = match (&output.term, output.is_condition) {
        (None, _) => Kind::Nothing,
        (Some(_), true) => Kind::Condition,
        (Some(_), false) => Kind::Plain,
    };
    let nothing = || term::Term::new(term::Shape::Nothing);
    Reading {
        program: lower::program(&output.term.unwrap_or_else(nothing)),
        kind,
        warnings,
        title: Some(Title {
            name: output.name,
            is_given: output.is_named,
            span: output.span,
        }),
    }
}
