//! The errors of reading a rule, with their wording.

use std::borrow::Cow;
use std::fmt;

use super::lexer::Token;
use super::table::Table;
use crate::error::{Diagnostic, Remedy};
use crate::notation::reader::failure::Limit;
use crate::source::Span;

/// An error and its place.
#[derive(Debug)]
pub(super) struct ParseError {
    pub(super) span: Span,
    pub(super) kind: ParseErrorKind,
}

/// The kinds of error. The comment of each begins with a short rule that has the error.
#[derive(Debug)]
pub(super) enum ParseErrorKind {
    /// Dicelab: `(1..2)+1`; `list` is the text of a short list
    ArithmeticAfterList {
        operator: Found,
        list: Option<String>,
    },
    /// `1=1`
    AssignForEqual,
    /// `/* */ 1`
    BlockComment,
    /// `1..2..3`
    Chain,
    /// `4d6`
    DiceCount { count: String, dice: Dice },
    /// `dd6`
    DiceGlued { help: String },
    /// A rule without tokens
    Empty,
    /// `d6!`; `dice` is the text of the dice in Bones
    Exploding { dice: String, sides: String },
    /// `let x 3 in x`; `binder` is the word that binds the name
    ExpectedAssign { found: Found, binder: Option<Token> },
    /// `let x=3 x`; `word` is the missing word
    ExpectedKeyword { word: &'static str, found: Found },
    /// `foreach x = 3#d6 do x`
    ExpectedIn,
    /// `drop 1 (1,2)`
    ExpectedFilter { modifier: Found, found: Found },
    /// `let =3 in 3`
    ExpectedName { found: Found },
    /// `1+`
    ExpectedOperand { after: Option<Found>, found: Found },
    /// `low 1 -2`; `subtracted` is the text from a binary minus on
    FilterLacksList { subtracted: Option<String> },
    /// `high(1 2)`
    FilterParenthesised { help: Option<String> },
    /// `max(1,2)`
    Function { name: String, help: Option<String> },
    /// `1==1`
    InfixComparison { sign: String, help: Option<String> },
    /// `1 2`
    Juxtaposed { found: Found, help: Option<String> },
    /// `let d=2 in 1`
    KeywordAsName { keyword: String },
    /// Dicelab: `1+(1,2)`
    ListOperand { text: String },
    /// `2×3`; `ascii` is the sign in ASCII, and `rule` the whole rule in ASCII
    Lookalike {
        found: char,
        ascii: &'static str,
        rule: Option<String>,
    },
    /// `*2`
    MissingLeft { operator: Found },
    /// `a:d6`; `is_name` says whether the text before the colon can be a name
    NameColon { is_name: bool, help: Option<String> },
    /// `hihg 1 2#d6`
    NearKeyword {
        found: String,
        keyword: &'static str,
        /// The index of the misspelt word among the tokens.
        at: usize,
    },
    /// `d%`
    Percent { count: Option<String> },
    /// Two rules on two lines, without a `;` between them; `before` is the text before the second rule
    SecondLine { before: String },
    /// `1;2`, where one rule is read
    SeveralRules,
    /// `=>4 3#d6`; `sign` is the comparison that was probably intended
    SwappedSign {
        found: &'static str,
        sign: &'static str,
    },
    /// `1 & 2`
    UnknownSign {
        found: char,
        help: Option<Cow<'static, str>>,
    },
    /// `d00`; `rule` is the whole rule as it was probably meant
    Misread {
        message: String,
        note: Option<&'static str>,
        rule: Option<String>,
    },
    /// `drop keep >1 (1,2)`
    TwoModifiers,
    /// `(1`
    Unclosed { is_brace: bool },
    /// `"hit`; `rule` is the whole rule with a second quote
    UnclosedText { rule: Option<String> },
    /// `1)`
    Unopened { is_brace: bool },
    /// `x`; `near` is a known name or word that is like it
    UnboundName {
        name: String,
        near: Option<String>,
        help: Option<String>,
        /// The whole rule with the roll that the name means in other programs.
        rule: Option<Box<str>>,
        /// The definition that uses the name.
        within: Option<Box<str>>,
    },
    /// Dicelab: `not 1`; `what` is a word or a sign of Bones alone
    BonesAlone { what: String },
    /// `1 < 2 < 3`; `help` is the text with `and`
    ChainedComparison { help: Option<String> },
    /// `def x =`
    EmptyDefinition,
    /// `max 1`
    ExpectedArguments { word: String },
    /// `case 1 2`
    ExpectedBrace { found: Found },
    /// `case 1 {2 3}`
    ExpectedColon { found: Found },
    /// `{1, 2}`
    ExpectedPart { found: Found },
    /// `reroll 1 d6`; `word` is the word before
    ExpectedState {
        word: String,
        found: Found,
        help: Option<String>,
    },
    /// `repeat x = 1 do x`
    ExpectedHow { found: Found },
    /// `def f(1) = 2`
    ExpectedParameter { found: Found },
    /// `1 + not 2`
    LooseNot,
    /// `given`, before it is there; `word` is the word
    NotYet { word: String },
    /// `def f(x, x) = 1`
    SameParameter { name: String },
}

/// A token as a message names it.
#[derive(Debug)]
pub(super) struct Found {
    /// The token; `None` at the end of the rule.
    pub(super) token: Option<Token>,
    /// The text of the token, shortened.
    pub(super) word: String,
}

impl fmt::Display for Found {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.token {
            None => formatter.write_str("the end of the rule"),
            Some(_) => write!(formatter, "`{}`", self.word),
        }
    }
}

/// What to write for dice such as `4d6`.
#[derive(Debug)]
pub(super) struct Dice {
    /// The dice as a list: `4#d6`.
    pub(super) each: String,
    /// The dice as a number: `sum(high 2 3#d6)`, with the text that follows if it was understood.
    pub(super) total: String,
    pub(super) meaning: Meaning,
}

/// The meaning of [`Dice::total`].
#[derive(Debug)]
pub(super) enum Meaning {
    /// `1d6`: one die
    Die,
    /// `4d6`
    Sum,
    /// `2d6+3`
    SumAndMore,
    /// `3d6kh2`
    Kept,
}

impl ParseError {
    pub(super) fn new(span: Span, kind: ParseErrorKind) -> Self {
        Self { span, kind }
    }

    /// The error in words.
    pub(super) fn diagnostic(&self, table: Table) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(self.span, self.kind.message(table));
        diagnostic.label = self.kind.label().map(Into::into);
        diagnostic.notes.extend(self.kind.note().map(String::from));
        diagnostic.help = self.kind.help();
        let rule = match &self.kind {
            ParseErrorKind::UnclosedText { rule }
            | ParseErrorKind::Lookalike { rule, .. }
            | ParseErrorKind::Misread { rule, .. } => rule.as_deref(),
            ParseErrorKind::UnboundName { rule, .. } => rule.as_deref(),
            _ => None,
        };
        if let Some(rule) = rule {
            diagnostic = diagnostic.with_correction(rule);
        }
        if let ParseErrorKind::UnboundName {
            name,
            near: None,
            help: None,
            rule: None,
            ..
        } = &self.kind
        {
            diagnostic = diagnostic.with_remedy(Remedy::GiveValue(name.clone()));
        }
        diagnostic
    }
}

/// A rule that reaches a limit.
pub(super) fn too_deep(place: Span, limit: Limit) -> Diagnostic {
    limit.complaint(
        place,
        match limit {
            Limit::Chain => "write `sum(…,…)`, which has no such limit",
            Limit::Depth => "name the inner parts with `let`, or leave out parentheses",
        },
    )
}
