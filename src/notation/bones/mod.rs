//! Bones, and dicelab, which is the same language with another precedence.
//!
//! [`pieces`] splits a text into rules and definitions. The input of the other stages is the text of one rule, with the definitions before
//! it; the output is a core program, warnings, and the tree for people. The stages are [`lexer`] (characters to tokens), [`grammar`] and
//! [`forms`] (tokens to a [`tree`]) and [`lower`] (tree to [`crate::ir`]). [`names`], [`warnings`], [`traps`] and [`print`](mod@print) also
//! read the tree. If a stage fails, [`error`] has the message, and the later stages do not run; [`crate::notation::mend`] looks up what was
//! meant. [`blame`] words the errors of evaluation.
//!
//! `docs/bones.md` is the page of the language for people.
//!
//! # To add a word
//!
//! Add it to the words of [`lexer`], to the words in [`tree`], to [`grammar`] or [`forms`], to [`print`](mod@print), to
//! [`lower`], to the lists in [`warnings`], and to the tables of this page and of `docs/bones.md`. A rule that binds the new word
//! as a name keeps its meaning: there the word is no keyword.
//!
//! # Grammar
//!
//! Blanks and comments (`//` to the end of the line) may stand between all tokens. A word is the longest
//! run of letters; where it is a name, the longest run of letters, digits and `_`.
//!
//! Both tables:
//!
//! ```text
//! operand    = integer | name | "(" [ rule ] ")" | binder | worded ;
//! binder     = "let" state { "," state } "in" rule      (* dicelab: one state *)
//!            | "while" name "=" rule "do" rule
//!            | "foreach" name "in" rule "do" rule
//!            | "if" rule "then" rule "else" rule ;
//! word       = "sum" | "prod" | "count" | "perm" | "sort" | "rev" ;
//! rank       = [ "drop" | "keep" ] ( "low" | "high" | "first" | "last" ) ;
//! comparison = [ "drop" | "keep" ] ( "==" | "!=" | "<" | ">" | "<=" | ">=" ) ;
//! integer    = digit { digit } ;
//! name       = letter { letter | digit | "_" } ;       (* dicelab: letters *)
//! ```
//!
//! Bones:
//!
//! ```text
//! definition = "def" name [ "(" [ name { "," name } ] ")" ] "=" rule ;
//! rule       = list [ ".." list ] ;
//! list       = condition { "," condition } ;
//! condition  = both { "or" both } ;
//! both       = negated { "and" negated } ;
//! negated    = "not" negated | compared ;
//! compared   = argument [ ( "==" | "!=" | "<" | ">" | "<=" | ">=" ) argument ] ;
//! argument   = product { ( "+" | "-" | "." ) product } ;
//! product    = signed { ( "*" | "/" | "%" | "div" | "mod" ) signed } ;
//! signed     = "-" signed | chosen ;
//! chosen     = ( word | "distinct" | "sets" | "straight" ) chosen
//!            | ( "explode" | "reroll" ) chosen [ [ "once" ] "on" end [ ".." end ] ]
//!            | ( rank | "rank" | "at" | "without" | "compare" ) argument chosen
//!            | repeated ;
//! end        = integer | name | "(" rule ")" ;
//! repeated   = power [ "#" repeated ] ;
//! power      = die [ "^" power ] ;
//! die        = "d" die | operand ;
//! worded     = comparison argument argument | form ;
//! form       = "dF" | "d%" | "d" entries | "draw" argument entries
//!            | ( "max" | "min" | "abs" | name ) arguments
//!            | "case" rule "{" { arm "," } [ arm | "else" ":" rule ] "}"
//!            | "case" "{" { rule ":" rule "," } [ rule ":" rule | "else" ":" rule ] "}"
//!            | "select" name "in" rule "where" rule
//!            | "repeat" state { "," state } ( ( "while" | "until" ) rule | "for" name "in" rule )
//!              "do" rule [ "then" rule ]
//!            | "reroll" state "until" rule
//!            | "best" name ( "in" | "from" ) rule "do" rule ;
//! arguments  = "(" [ rule { "," rule } ] ")" ;
//! entries    = "{" [ entry { "," entry } ] "}" ;
//! entry      = rule [ ":" rule ] ;
//! arm        = pattern { "or" pattern } ":" rule ;
//! pattern    = argument [ ".." [ argument ] ] | ".." argument ;
//! state      = name "=" rule ;
//! ```
//!
//! A comma directly between the parentheses of `arguments`, or directly between braces, makes no list; neither does a comma
//! before the name of the next `state`. A name stands before `arguments` only if it has a definition.
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
//! | comparisons | not chained | words and filters take everything that follows | prefix |
//! | `not`; `and`; `or` | prefix; left; left | `let while foreach if` | prefix |
//! | `,` | any number | | |
//! | `..` | once | | |
//! | `let while foreach if repeat reroll best` | prefix | | |
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

mod condition;
mod definition;
mod dice;
mod error;
mod evaluation_error;
mod forms;
mod grammar;
mod header;
mod language;
mod lexer;
mod lower;
mod misreadings;
mod names;
mod passages;
mod print;
mod table;
mod totals;
mod tree;
mod warnings;

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

pub(super) use self::condition::condition;
use self::definition::Definition;
use self::dice::DiceByPlace;
use self::error::failed;
use self::lexer::{Lexed, Names};
use self::table::Table;
use self::tree::Tree;
use super::environment::{self, Environment};
use super::mend;
use super::reader::failure::Refusal;
use super::reader::lexed::Tokens;
use super::settings::Settings;
use super::syntax::{Notation, Passage, Reading, SyntaxTree};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::limits::Budget;
use crate::source::{Source, Span};

/// The notation with one of its two tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bones(Table);

/// Whether a text is a word of the language.
pub(crate) fn is_word(text: &str) -> bool {
    lexer::words(Table::Bones).any(|word| word == text)
}

impl Bones {
    pub(super) const BONES: Self = Self(Table::Bones);
    pub(super) const DICELAB: Self = Self(Table::Dicelab);
}

impl Notation for Bones {
    fn rules(&self, text: &str) -> Vec<Vec<Span>> {
        self.0.gaps().words(text, Some(';'))
    }

    fn passages(&self, text: &str) -> Vec<Passage> {
        if self.0 == Table::Bones {
            return passages::passages(text);
        }
        let rule = |words| Passage {
            words,
            defines: None,
        };
        self.rules(text).into_iter().map(rule).collect()
    }

    fn parse(&self, source: &Source, span: Span) -> Result<Box<dyn SyntaxTree>, Error> {
        self.parse_in(source, span, &Environment::default())
    }

    fn parse_in(
        &self,
        source: &Source,
        span: Span,
        environment: &Environment,
    ) -> Result<Box<dyn SyntaxTree>, Error> {
        let definitions = self.definitions(environment);
        let defined = defined(&definitions);
        let names = Names {
            is_given: &|name| environment.is_given(name),
            is_defined: &|name| defined.contains(name),
            dice: environment.dice(),
        };
        let mut lexed = lexer::lex(self.0, source.text(), span, names);
        let dice = dice::found(source, &mut lexed, names);
        let has_dice = !dice.is_empty();
        let tree = parse(self.0, source, span, &lexed, dice)?;
        if has_dice && totals::are_records(&tree) {
            let wrong = Diagnostic::new(
                span,
                "dice of which only the total is known have no members",
            );
            return Err(failed(ErrorKind::Parse, [wrong]));
        }
        Ok(Box::new(BonesRule {
            table: self.0,
            lexed,
            tree,
            definitions,
        }))
    }

    fn define(
        &self,
        source: &Source,
        span: Span,
        environment: &Environment,
    ) -> Result<Arc<dyn environment::Definition>, Error> {
        let definitions = self.definitions(environment);
        let own = passages::passages(source.slice(span))
            .first()
            .and_then(|own| own.defines);
        let own = own.map_or("", |own| &source.slice(span)[own.start..own.end]);
        let defined = defined(&definitions);
        let is_defined = |name: &str| name == own || defined.contains(name);
        let names = Names {
            is_given: &|name| environment.is_given(name),
            is_defined: &is_defined,
            dice: environment.dice(),
        };
        let mut lexed = lexer::lex(self.0, source.text(), span, names);
        let dice = dice::found(source, &mut lexed, names);
        let tokens = Tokens::new(source, span, &lexed);
        if let Some(wrong) = error::of_signs(tokens) {
            return Err(failed(ErrorKind::Parse, [wrong]));
        }
        let header = header::header(tokens).map_err(|wrong| failed(ErrorKind::Parse, [*wrong]))?;
        if let Some(first) = definitions.iter().find(|known| known.name == own) {
            return Err(header::twice(first, header.name));
        }
        lexed.tokens.drain(..header.length);
        lexed.spans.drain(..header.length);
        if lexed.tokens.is_empty() {
            let end = Span::new(span.end, span.end);
            let empty = Diagnostic::new(end, "the definition stops before its value");
            let empty = empty.with_help("write `def f(x) = x + 1`");
            return Err(failed(ErrorKind::Parse, [empty]));
        }
        let body = lexed.spans[0].to(span);
        let tree = parse(self.0, source, body, &lexed, dice)?;
        if let Some(error) = totals::as_list(&tree) {
            return Err(error);
        }
        Ok(Arc::new(header::definition(
            header,
            tree,
            span,
            &definitions,
        )))
    }

    fn is_name(&self, word: &str) -> bool {
        lexer::is_name(self.0, word)
    }

    fn has_free_names(&self) -> bool {
        self.0 == Table::Bones
    }

    fn table(&self) -> Option<&'static mend::Table> {
        static TABLE: LazyLock<mend::Table> =
            LazyLock::new(|| mend::Table::of(include_str!("meant.txt")));
        (self.0 == Table::Bones).then(|| &*TABLE)
    }

    fn words(&self) -> Vec<&'static str> {
        lexer::words(self.0).collect()
    }
}

impl Bones {
    /// The definitions of an environment that rules in this language can use.
    fn definitions(self, environment: &Environment) -> Vec<Arc<Definition>> {
        match self.0 {
            Table::Bones => environment.definitions(),
            Table::Dicelab => Vec::new(),
        }
    }
}

/// The names of definitions.
fn defined(definitions: &[Arc<Definition>]) -> BTreeSet<&str> {
    let names = definitions.iter().map(|known| known.name.as_str());
    names.collect()
}

/// A rule that was read.
#[derive(Debug)]
struct BonesRule {
    table: Table,
    lexed: Lexed,
    tree: Tree,
    /// The definitions that stand before the rule.
    definitions: Vec<Arc<Definition>>,
}

impl SyntaxTree for BonesRule {
    fn free_names(&self) -> BTreeSet<String> {
        let unbound = names::unbound(&self.tree, Vec::new(), &self.definitions, None);
        unbound.into_iter().map(|unbound| unbound.name).collect()
    }

    fn print(&self) -> String {
        print::text(self.table, &self.tree)
    }

    fn outline(&self) -> String {
        print::tree(&self.tree)
    }

    fn refusal(&self) -> Option<Error> {
        totals::as_list(&self.tree)
    }

    fn in_its_words(&self, error: Error) -> Error {
        evaluation_error::in_its_words(&self.tree, error)
    }

    fn lower(&self, settings: &Settings, budget: &Budget<'_>) -> Result<Vec<Reading>, Error> {
        let Self {
            table,
            ref lexed,
            ref tree,
            ref definitions,
        } = *self;
        let mut unbound = names::unbound(tree, Vec::new(), definitions, None);
        unbound.retain(|unbound| !settings.parameters.contains_key(&unbound.name));
        if !unbound.is_empty() {
            let errors = unbound.iter().map(error::unbound);
            return Err(failed(ErrorKind::Unbound, errors));
        }
        let lowered = lower::lower(table, tree, definitions, &settings.parameters, budget)?;
        let (program, kind, slips) = lowered;
        let mut warnings = warnings::warnings(tree);
        if table == Table::Bones {
            warnings.extend(misreadings::misreadings(tree, lexed));
            warnings.extend(totals::warnings(tree));
        }
        warnings.extend(misreadings::slips(tree, &slips));
        warnings.sort_by_key(|warning| warning.span);
        Ok(vec![Reading {
            program,
            kind,
            warnings,
            title: None,
        }])
    }
}

/// The tree of some tokens.
fn parse(
    table: Table,
    source: &Source,
    span: Span,
    lexed: &Lexed,
    dice: DiceByPlace,
) -> Result<Tree, Error> {
    let tokens = Tokens::new(source, span, lexed);
    let refused = |wrong| failed(ErrorKind::Parse, [wrong]);
    if let Some(wrong) = error::of_signs(tokens) {
        return Err(refused(wrong));
    }
    let tree = grammar::parse(table, source, lexed, dice);
    let tree = tree.map_err(|refusal| match refusal {
        Refusal::Limit(at, limit) => {
            Error::new(ErrorKind::Limit, error::too_deep(tokens.place(at), limit))
        }
        Refusal::Failures(failures) => {
            let findings = failures
                .iter()
                .map(|failure| error::unexpected(table, tokens, failure));
            failed(ErrorKind::Parse, findings)
        }
    })?;
    match error::misread(&tree) {
        Some(wrong) => Err(refused(wrong)),
        None => Ok(tree),
    }
}
