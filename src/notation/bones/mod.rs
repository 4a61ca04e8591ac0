//! Bones, and dicelab, which is the same language with another precedence.
//!
//! The input is the text of one rule. The output is a core program, warnings, and the tree for people. The stages are
//! [`lexer`] (characters to tokens), [`grammar`] (tokens to a [`tree`]) and [`lower`] (tree to [`crate::ir`]). [`warnings`] and
//! [`print`](mod@print) also read the tree. If a stage fails, [`signs`] or [`hints`] find out which mistake it is, [`error`] has
//! the message, and the later stages do not run.
//!
//! # To add a word
//!
//! Add it to [`lexer`], to the words in [`tree`] and [`grammar`], to [`lower`], to the lists in [`warnings`], and to the tables
//! of this page. A rule that uses the new word as the name of a variable stops working.
//!
//! # Grammar
//!
//! Blanks and comments (`//` to the end of the line) may stand between all tokens. A word is the longest
//! run of letters.
//!
//! Both tables:
//!
//! ```text
//! operand    = integer | name | "(" [ rule ] ")" | binder | worded ;
//! binder     = "let" name "=" rule "in" rule
//!            | "while" name "=" rule "do" rule
//!            | "foreach" name "in" rule "do" rule
//!            | "if" rule "then" rule "else" rule ;
//! word       = "sum" | "prod" | "count" | "perm" | "sort" | "rev" ;
//! rank       = [ "drop" | "keep" ] ( "low" | "high" | "first" | "last" ) ;
//! comparison = [ "drop" | "keep" ] ( "==" | "!=" | "<" | ">" | "<=" | ">=" ) ;
//! integer    = digit { digit } ;
//! name       = letter { letter } ;          (* no keyword *)
//! ```
//!
//! Bones:
//!
//! ```text
//! rule       = list [ ".." list ] ;
//! list       = argument { "," argument } ;
//! argument   = product { ( "+" | "-" | "." ) product } ;
//! product    = signed { ( "*" | "/" | "%" ) signed } ;
//! signed     = "-" signed | chosen ;
//! chosen     = word chosen | rank argument chosen | repeated ;
//! repeated   = power [ "#" repeated ] ;
//! power      = die [ "^" power ] ;
//! die        = "d" die | operand ;
//! worded     = comparison argument argument ;
//! ```
//!
//! dicelab:
//!
//! ```text
//! rule       = item { "," item } ;
//! item       = argument [ "#" item | ".." argument ] ;
//! argument   = signed { ( "+" | "-" | "." ) signed } ;
//! signed     = "-" signed | product ;
//! product    = power { ( "*" | "/" | "%" ) power } ;
//! power      = die [ "^" power ] ;
//! die        = "d" die | operand ;
//! worded     = word rule | ( rank | comparison ) argument rule ;
//! ```
//!
//! In Bones no `..` follows the body of a binder: the body extends as far as it can, so that this `..` would be its second
//! one. `let x=1 in 1..2..3` is as wrong as `1..2..3`.
//!
//! A prefix operator (`-`, `d`, a word, a rank) may also stand where these rules allow only a tighter operator. Its operand is
//! the same as elsewhere: `2^-1`, `d-x`.
//!
//! # Operators
//!
//! The table begins with the tightest. *Prefix* operators nest freely. A prefix operator after a tighter operator still takes
//! its whole operand (`count >7 c-1` is `count (>7 (c-1))`).
//!
//! | Bones | | dicelab | |
//! |---|---|---|---|
//! | `d` | prefix | `d` | prefix |
//! | `^` | right | `^` | right |
//! | `#` | right | `* / %` | left |
//! | words, filters by rank | prefix | `-` | prefix |
//! | `-` | prefix | `+ - .` | left |
//! | `* / %` | left | `#` | right |
//! | `+ - .` | left | `..` | once |
//! | filters by comparison | prefix | `,` | any number |
//! | `,` | any number | words and filters take everything that follows | prefix |
//! | `..` | once | `let while foreach if` | prefix |
//! | `let while foreach if` | prefix | | |
//!
//! Dicelab distinguishes numbers and lists by syntax: integers, names, arithmetic, dice, `sum prod count` and any of these in
//! parentheses are numbers; everything else is a list. The operands of arithmetic, the left operand of `#` and both operands
//! of `..` must be numbers. So the operand of a word ends where an operator on numbers follows a list: `count (1,2)+1` is
//! `(count (1,2))+1`.
//!
//! # Deviations
//!
//! From the Bones document, where it is silent or contradicts itself:
//!
//! - `perm sort rev first last` have the precedence of `sum` and `low`
//!   (`the_words_that_the_bones_table_forgets_are_as_tight_as_sum`);
//! - the first operand of a filter may contain every arithmetic operator
//!   (`the_first_operand_of_a_filter_takes_arithmetic`);
//! - any expression may stand where a number is needed, as in the RISK example of the document: the value is checked, not the
//!   syntax (`bones_asks_for_numbers_by_value_not_by_syntax`);
//! - `-` and digits are two tokens, so `2-1` is a difference
//!   (`a_minus_sign_after_an_operand_is_binary`);
//! - `;` separates rules (`semicolons_separate_rules`).
//!
//! From the dicelab program:
//!
//! - the first operand of a filter may be a list by syntax if it stands in parentheses, as in the RISK example
//!   (`dicelab_takes_a_list_in_parentheses_as_the_first_operand_of_a_filter`);
//! - a line that begins with `#` is a comment in every text, also in a file
//!   (`hash_lines_are_comments_in_dicelab_and_repetition_in_bones`).
//!
//! From both: parts nest at most [`MAX_DEPTH`](crate::limits::MAX_DEPTH) deep
//! (`deep_nesting_is_a_limit_and_no_crash`), and a chain has at most
//! [`MAX_CHAIN`](crate::limits::MAX_CHAIN) operators (`long_flat_chains_are_ordinary`).

mod compare;
mod context;
mod error;
mod foreign;
mod grammar;
mod hints;
mod language;
mod lexer;
mod lower;
mod print;
mod shorthand;
mod signs;
mod table;
mod tree;
mod warnings;

use std::collections::{BTreeMap, BTreeSet};

use self::context::Context;
use self::error::{ParseError, ParseErrorKind};
use self::lexer::Lexed;
use self::table::Table;
use self::tree::Tree;
use super::reader::failure::Refusal;
use super::reader::quote::MOST_LISTED;
use super::settings::Settings;
use super::syntax::{Notation, Reading, SyntaxTree};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::source::{Source, Span};

/// The notation with one of its two tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bones(Table);

impl Bones {
    pub(super) const BONES: Self = Self(Table::Bones);
    pub(super) const DICELAB: Self = Self(Table::Dicelab);
}

impl Notation for Bones {
    fn rules(&self, text: &str) -> Vec<Vec<Span>> {
        self.0.gaps().words(text, Some(';'))
    }

    fn parse(&self, source: &Source, span: Span) -> Result<Box<dyn SyntaxTree>, Error> {
        let lexed = lexer::lex(self.0, source.text(), span);
        let tree = parse(self.0, source, span, &lexed)?;
        Ok(Box::new(Rule {
            table: self.0,
            span,
            lexed,
            tree,
        }))
    }

    fn is_name(&self, word: &str) -> bool {
        lexer::is_name(word)
    }
}

/// A rule that was read.
#[derive(Debug)]
struct Rule {
    table: Table,
    span: Span,
    lexed: Lexed,
    tree: Tree,
}

impl SyntaxTree for Rule {
    fn free_names(&self) -> BTreeSet<String> {
        let unbound = match lower::lower(self.table, &self.tree, &BTreeMap::new()) {
            Ok(_) => Vec::new(),
            Err(unbound) => unbound,
        };
        let names = unbound.into_iter().map(|unbound| unbound.name);
        names.map(|name| self.tree.slice(name).to_owned()).collect()
    }

    fn print(&self) -> String {
        print::text(self.table, &self.tree)
    }

    fn outline(&self) -> String {
        print::tree(&self.tree)
    }

    fn lower(&self, settings: &Settings) -> Result<Vec<Reading>, Error> {
        let Self {
            table,
            span,
            ref lexed,
            ref tree,
        } = *self;
        let program = lower::lower(table, tree, &settings.parameters).map_err(|unbound| {
            let context = Context::new(table, tree.source.text(), span, lexed);
            let errors = unbound
                .into_iter()
                .map(|unbound| hints::unbound(context, unbound.name, &unbound.scope));
            failed(table, ErrorKind::Unbound, errors)
        })?;
        Ok(vec![Reading {
            program,
            warnings: warnings::warnings(table, tree),
        }])
    }
}

fn parse(table: Table, source: &Source, span: Span, lexed: &Lexed) -> Result<Tree, Error> {
    let context = Context::new(table, source.text(), span, lexed);
    if lexed.tokens.is_empty() {
        let empty = ParseError::new(span, ParseErrorKind::Empty);
        return Err(failed(table, ErrorKind::Parse, [empty]));
    }
    let signs = signs::signs(context);
    if !signs.is_empty() {
        return Err(failed(table, ErrorKind::Parse, signs));
    }
    grammar::parse(table, source, lexed).map_err(|refusal| match refusal {
        Refusal::Limit(at, limit) => {
            Error::new(ErrorKind::Limit, error::too_deep(context.place(at), limit))
        }
        Refusal::Failures(failures) => failed(
            table,
            ErrorKind::Parse,
            hints::explain_all(context, &failures),
        ),
    })
}

fn failed(table: Table, kind: ErrorKind, errors: impl IntoIterator<Item = ParseError>) -> Error {
    let mut diagnostics: Vec<Diagnostic> = errors
        .into_iter()
        .map(|error| error.diagnostic(table))
        .collect();
    diagnostics.dedup();
    diagnostics.truncate(MOST_LISTED);
    Error::with_all(kind, diagnostics)
}
