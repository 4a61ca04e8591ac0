//! OneDice, the notation of Chinese dice bots.
//!
//! The input is the text of one rule. The output is a core program, warnings, and the tree for people. The stages are
//! [`lexer`] (characters of either width to tokens), [`grammar`] (tokens to a [`tree`]), [`facts`] (bounds that hold for every
//! roll) and [`lower`] (tree to [`crate::ir`]; its parts are [`dice`], [`tuples`], [`slices`], [`loops`] and [`variables`]).
//! [`warnings`] and [`print`](mod@print) also read the tree; [`error`] has the messages.
//!
//! # Grammar
//!
//! Case has no meaning. Blanks may stand between all tokens. A rule ends with its line.
//!
//! ```text
//! rule       = compared ;
//! compared   = bits   { ( "<" | ">" ) bits } ;
//! bits       = sum    { ( "&" | "|" ) sum } ;
//! sum        = product { ( "+" | "-" ) product } ;
//! product    = power  { ( "*" | "x" | "/" ) power } ;
//! power      = chosen { "^" chosen } ;
//! chosen     = dice   { selection dice | "tp" } ;
//! selection  = "sp" | "kl" | "kh" | "dh" | "dl" | "min" | "max" | "lp" ;
//! dice       = branch { ( "d" | "a" | "c" | "f" | "df" | "b" | "p" ) branch { parameter } } ;
//! parameter  = ( "k" | "q" | "m" | "a" ) value | ( "b" | "p" ) [ value ] ;
//! branch     = variable { "?" variable [ ":" variable ] } ;
//! variable   = operand { "$t" operand [ "=" value ] } ;
//! operand    = value | "[" rule { "," rule } "]" | (* nothing: see below *) ;
//! value      = digits | "i" | "{" name "}" | "(" rule ")" ;
//! ```
//!
//! `d` has the parameters `k q b p a`, the pool `a` has `k q m`, and `c` has `m`. A parameter follows the right operand
//! directly, so `5d6a4` has a parameter and `(5d6)a4` is a pool. A die has at most one of the parameters `k`, `q`, `b` and `p`.
//! If a parameter is written twice, the last one counts.
//!
//! # Missing operands
//!
//! | where | default |
//! |---|---|
//! | at the start or after `(` `[` `,`, before an operator | the left default of the operator, or 0 before `-` |
//! | between two operators | the right default of the first, or else the left default of the second |
//! | before the end, `)` `]` `,` | the right default of the operator |
//!
//! | operator | left | right |
//! |---|---|---|
//! | `d` | 1 | the sides of a die, 100 by default |
//! | `f` | 4 | 3 |
//! | `b` `p` | 1 | 1 |
//! | `kh` `kl` `dh` `dl` | | 1 |
//! | `?` | | 0 |
//! | `$t` | 1 | |
//!
//! # Operators
//!
//! All operators are left associative. The table begins with the loosest.
//!
//! | operators | |
//! |---|---|
//! | `<` `>` | 1 or 0 |
//! | `&` `\|` | bit by bit |
//! | `+` `-` | |
//! | `*` `x` `/` | |
//! | `^` | |
//! | `sp` `kl` `kh` `dh` `dl` `min` `max` `lp` `tp` | tuples; `tp` has no right operand |
//! | `d` `a` `c` `f` `df` `b` `p` | dice |
//! | `?` | a choice with `:`; `A?` alone is `1 + 2 + … + A` |
//! | `$t` | a variable; sets it with `=` |
//!
//! # Numbers and tuples
//!
//! Every part has a number and a tuple, both of the same roll. The operator around a part uses one of them. The operators on
//! tuples use the tuple of their left operand; `lp` and `sp` also use the tuple that selects the rounds or the members.
//! Arithmetic uses the numbers of its operands for its own number, and their tuples for its own tuple. All other operators
//! use numbers. When arithmetic is asked for its tuple, it evaluates its number as well if the number can fail although no
//! member fails.
//!
//! # Deviations
//!
//! From the document:
//!
//! - `dh` and `dl` drop the highest and the lowest members, as the programs do (`dropping_drops`);
//! - `//` begins a comment at the start of a line (`onedice_reads_a_rule_a_line`);
//! - `i` and `{NAME}` may stand wherever digits may (`parameters_are_digits_names_or_parentheses`).
//!
//! From the programs:
//!
//! - each part is evaluated once, and left before right (`parts_of_onedice_are_evaluated_once_from_left_to_right`);
//! - `A?B` without `:` is an error (`a_choice_has_two_branches`);
//! - numbers are exact, however large (`onedice_is_exact`).
//!
//! From both: parts nest at most [`MAX_DEPTH`](crate::limits::MAX_DEPTH) deep, and a chain has at most
//! [`MAX_CHAIN`](crate::limits::MAX_CHAIN) operators. A loop with more than a hundred rounds, or with a rolled number of
//! rounds, can set `$t1` but not `$t(1d6)`.

mod assignments;
mod dice;
mod error;
mod facts;
mod grammar;
mod lexer;
mod loops;
mod lower;
mod operator;
mod print;
mod slices;
mod tree;
mod tuples;
mod variables;
mod warnings;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use self::tree::{Node, Tree};
use super::mend::{Table, explain};
use super::reader::gaps;
use super::reader::lexed::Tokens;
use super::reader::quote::MOST_LISTED;
use super::settings::Settings;
use super::syntax::{Kind, Notation, Reading, SyntaxTree};
use crate::error::{Error, ErrorKind};
use crate::limits::Budget;
use crate::source::{Source, Span};

/// The notation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Onedice;

impl Notation for Onedice {
    fn rules(&self, text: &str) -> Vec<Vec<Span>> {
        gaps::lines(text)
    }

    fn parse(&self, source: &Source, span: Span) -> Result<Box<dyn SyntaxTree>, Error> {
        let lexed = lexer::lex(source.text(), span);
        let tokens = Tokens::new(source, span, &lexed);
        if lexed.tokens.is_empty() {
            return Err(Error::new(ErrorKind::Parse, error::empty(span)));
        }
        if let Some(wrong) = error::of_signs(tokens) {
            return Err(Error::new(ErrorKind::Parse, wrong));
        }
        let unexpected = |tokens, failure: &_| explain::unexpected(tokens, failure, |_| true);
        let tree = grammar::parse(source, &lexed)
            .map_err(|refusal| refusal.error(tokens, unexpected, error::too_deep))?;
        let contradictions = error::contradictions(&tree);
        if contradictions.is_empty() {
            Ok(Box::new(tree))
        } else {
            Err(Error::with_all(ErrorKind::Parse, contradictions))
        }
    }

    fn table(&self) -> Option<&'static Table> {
        static TABLE: LazyLock<Table> = LazyLock::new(|| Table::of(include_str!("meant.txt")));
        Some(&TABLE)
    }

    /// Any word can be a name, because a name stands in braces.
    fn is_name(&self, _: &str) -> bool {
        true
    }
}

impl SyntaxTree for Tree {
    fn free_names(&self) -> BTreeSet<String> {
        let names = self.ids().filter(|&id| matches!(self.node(id), Node::Name));
        names.map(|id| self.plain_words(id)).collect()
    }

    fn print(&self) -> String {
        print::text(self)
    }

    fn outline(&self) -> String {
        print::tree(self)
    }

    fn lower(&self, settings: &Settings, _: &Budget<'_>) -> Result<Vec<Reading>, Error> {
        let facts = facts::facts(self, settings);
        let program = lower::lower(self, &facts, settings).map_err(|unbound| {
            let errors = unbound
                .into_iter()
                .map(|lower::Unbound(id)| error::unbound(self, id));
            let mut seen = BTreeSet::new();
            let errors = errors.filter(|error| seen.insert(error.message.clone()));
            Error::with_all(ErrorKind::Unbound, errors.take(MOST_LISTED).collect())
        })?;
        Ok(vec![Reading {
            kind: Kind::Plain,
            program,
            warnings: warnings::warnings(self, &facts),
            title: None,
        }])
    }

    fn in_its_words(&self, error: Error) -> Error {
        let kind = error.kind();
        error.map(|finding| error::of_evaluation(kind, finding))
    }
}
