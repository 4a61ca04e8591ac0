//! tabletop: what players type at virtual tables.
//!
//! The input is the text of one roll. The output is a core program, warnings, and the tree for people. The stages are [`lexer`]
//! (characters to tokens), [`grammar`] (tokens to a [`tree`]), [`check`] (modifiers that do not belong where they stand) and
//! [`lower`] (tree to [`crate::ir`]). [`stages`] puts the modifiers of dice in the order of their application. If the
//! grammar fails, [`crate::notation::mend`] looks up in a table what was meant, and [`error`] has the other messages.
//!
//! The notation takes what `rpg-dice-roller`, Roll20, Foundry VTT and Avrae have in common. Where they differ, it takes
//! what most players mean, and a warning says so.
//!
//! # Grammar
//!
//! Letters are read without regard to case. Blanks and `/* … */` may stand between the parts of arithmetic, but not in dice with
//! their modifiers, except around a comparison sign. Each line is a roll, and `;` separates several.
//!
//! ```text
//! text     = [ command ] [ digits "#" ] roll [ "adv" | "advantage" | "dis" | "disadvantage" ] [ comment ] ;
//! roll     = sum { compare sum } ;
//! compare  = "<" | ">" | "<=" | ">=" | "=" | "==" | "!=" | "<>" ;
//! sum      = product { ( "+" | "-" ) product } ;
//! product  = signed { ( "*" | "/" | "//" | "%" ) signed } ;
//! signed   = ( "-" | "+" ) signed | power ;
//! power    = operand [ ( "^" | "**" ) signed ] ;
//! operand  = ( dice | group | call | number | name | "(" roll ")" | "[[" roll "]]" ) { label } ;
//! dice     = [ count ] "d" sides { modifier } ;
//! count    = digits | "(" roll ")" | "[[" roll "]]" | name ;
//! sides    = count | "%" | "F" | "F.1" | "F.2" | "c" ;
//! group    = ( "{" roll { "," roll } "}" | "(" roll { "," roll } [ "," ] ")" ) { modifier } ;
//! call     = ( "abs" | "ceil" | "floor" | "max" | "min" | "pow" | "round" | "sign" | "sqrt" | "trunc" )
//!            "(" roll { "," roll } ")" ;
//! modifier = word [ number ] | word condition | condition ;
//! condition = compare ( [ "-" ] number | "(" roll ")" ) ;
//! name     = "@" word | "@{" text "}" | "?{" text [ "|" text ] "}" ;
//! label    = "[" text "]" ;
//! comment  = ( "#" | "//" ) text ;
//! ```
//!
//! A comparison directly behind dice or a group is their target, and counts dice. Any other comparison is one of totals, and is
//! 1 or 0.
//!
//! # Modifiers
//!
//! They apply in three stages, whatever the order of writing; within a stage from left to right.
//!
//! | stage | modifiers |
//! |---|---|
//! | what the dice show | `!` `x` `e` explode, `!!` compounds, `!p` penetrates, `!o` explodes once; `r` `rr` reroll, `ro` `roh` `rol` once; `ra` adds a die; `u` `uo` unique; `min` `mi` `max` `ma` |
//! | which dice stay | `k` `kh` `kl` keep, `d` `dh` `dl` `p` `ph` `pl` `-H` `-L` drop |
//! | what they count | a target with `f`; `even` `odd`; `df` `sf` with `cs` `cf`; then `ms` on the total |
//!
//! `s` `sa` `sd`, and `cs` `cf` by themselves, only mark dice. The page of [`stages`] says which modifiers act together.
//!
//! # Numbers
//!
//! Every number is an exact rational. The outcomes of `1d6/2` are 1/2, 1, 3/2 and so on: see [`lower`].

mod check;
mod compared;
mod dice;
mod error;
mod grammar;
mod known;
mod lexer;
mod lower;
mod print;
mod scan;
mod stages;
mod token;
mod tree;
mod vain;
mod warnings;
mod words;

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, LazyLock};

use self::error::ParseError;
use self::tree::{Node, Tree};
use super::dice::{Dice, DiceReader};
use super::mend::{Table, explain};
use super::reader::gaps;
use super::reader::head::head;
use super::reader::lexed::Tokens;
use super::settings::Settings;
use super::syntax::{Kind, Notation, Reading, SyntaxTree};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::ir::{Builder, Expr};
use crate::limits::Budget;
use crate::source::{Source, Span};

/// The notation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tabletop;

impl Notation for Tabletop {
    fn rules(&self, text: &str) -> Vec<Vec<Span>> {
        gaps::lines(text)
            .into_iter()
            .flat_map(|words| split(text, &words))
            .collect()
    }

    fn parse(&self, source: &Source, span: Span) -> Result<Box<dyn SyntaxTree>, Error> {
        let lexed = lexer::lex(source.text(), span);
        let tokens = Tokens::new(source, span, &lexed);
        let wrong = |(span, error): &(Span, ParseError)| error.diagnostic(*span);
        let refused = |finding| Error::new(ErrorKind::Parse, finding);
        if lexed.tokens.is_empty() {
            return Err(refused(wrong(&(span, ParseError::Empty))));
        }
        if let Some(unmatched) = explain::brackets(tokens) {
            return Err(refused(unmatched));
        }
        let tree = grammar::parse(source, &lexed)
            .map_err(|refusal| refusal.error(tokens, error::unexpected, error::too_deep))?;
        let mistakes = check::mistakes(&tree);
        if mistakes.is_empty() {
            return Ok(Box::new(TabletopRule(tree)));
        }
        let findings: Vec<Diagnostic> = mistakes.iter().map(wrong).collect();
        Err(Error::with_all(ErrorKind::Parse, findings))
    }

    fn table(&self) -> Option<&'static Table> {
        static TABLE: LazyLock<Table> = LazyLock::new(|| Table::of(include_str!("meant.txt")));
        Some(&TABLE)
    }

    fn words(&self) -> Vec<&'static str> {
        let functions = words::FUNCTIONS.iter().map(|(name, _)| *name);
        let ends = words::ADVANTAGES.iter().map(|(name, _)| *name);
        functions.chain(ends).collect()
    }

    /// Any word can be a name, because a name stands in braces.
    fn is_name(&self, _: &str) -> bool {
        true
    }
}

/// The tree of a roll, without an error if there is none.
fn read(source: &Source, span: Span) -> Option<Tree> {
    let lexed = lexer::lex(source.text(), span);
    if lexed.tokens.is_empty() {
        return None;
    }
    let tree = grammar::parse(source, &lexed).ok()?;
    check::mistakes(&tree).is_empty().then_some(tree)
}

/// The dice of the notation, for rules of others.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableDice;

impl DiceReader for TableDice {
    fn length(&self, text: &str) -> usize {
        dice::length(text)
    }

    fn read(&self, source: &Source, span: Span) -> Option<Arc<dyn Dice>> {
        read(source, span).map(|tree| Arc::new(TabletopRule(tree)) as Arc<dyn Dice>)
    }
}

/// The words of each roll of a line, which `;` separates.
fn split(text: &str, words: &[Span]) -> Vec<Vec<Span>> {
    let mut rolls = Vec::new();
    let Some(end) = words.last().map(|last| last.end) else {
        return rolls;
    };
    let mut words = VecDeque::from(words.to_vec());
    while let Some(first) = words.front() {
        let start = first.start;
        let rest = Span::new(start, end);
        let head = head(&text[start..end], false).map_or(0, |head| head.length);
        let (_, semicolon) = lexer::until(text, Span::new(start + head, rest.end), true);
        let mut roll = Vec::new();
        while let Some(&word) = words.front().filter(|word| word.start <= semicolon) {
            words.pop_front();
            if word.start < semicolon {
                roll.push(Span::new(word.start, word.end.min(semicolon)));
            }
            if word.end > semicolon + 1 {
                words.push_front(Span::new(semicolon + 1, word.end));
            }
        }
        rolls.push(roll);
    }
    rolls.retain(|roll| !roll.is_empty());
    rolls
}

/// A roll that was read.
#[derive(Debug)]
struct TabletopRule(Tree);

impl Dice for TabletopRule {
    fn print(&self) -> String {
        print::text(&self.0)
    }

    fn total(&self, build: &mut Builder, budget: &Budget<'_>) -> Result<Expr, Error> {
        let settings = Settings::default();
        let (total, _) = lower::roll(&self.0, &settings, build, budget)?;
        Ok(total)
    }

    fn warnings(&self) -> Vec<Diagnostic> {
        warnings::warnings(&self.0)
    }
}

impl SyntaxTree for TabletopRule {
    fn free_names(&self) -> BTreeSet<String> {
        let tree = &self.0;
        let names = tree.ids().filter(|&id| matches!(tree.node(id), Node::Name));
        names
            .map(|id| lower::outside(tree.words(id)).0.into())
            .collect()
    }

    fn print(&self) -> String {
        print::text(&self.0)
    }

    fn outline(&self) -> String {
        print::tree(&self.0)
    }

    fn lower(&self, settings: &Settings, budget: &Budget<'_>) -> Result<Vec<Reading>, Error> {
        let Self(tree) = self;
        let is_comparison = matches!(tree.node(tree.ungrouped(tree.root)), Node::Compare(..));
        Ok(vec![Reading {
            program: lower::program(tree, settings, budget)?,
            kind: if is_comparison {
                Kind::Condition
            } else {
                Kind::Plain
            },
            warnings: warnings::warnings(tree),
            title: None,
        }])
    }

    fn remarks(&self) -> Vec<Diagnostic> {
        warnings::remarks(&self.0)
    }

    fn in_its_words(&self, error: Error) -> Error {
        let kind = error.kind();
        error.map(|finding| error::of_evaluation(kind, finding))
    }
}
