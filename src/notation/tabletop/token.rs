//! The tokens of a roll.

use super::words::{Function, Modifier};
use crate::ir::Comparison;
use crate::notation::extreme::Extreme;

/// The kind of a token. Its text is the text of its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// The word behind a roll for two dice of which one counts.
    Advantage(Extreme),
    /// A number that belongs to a modifier or to a target.
    Argument,
    BraceClose,
    BraceOpen,
    Close,
    Comma,
    /// A comparison of totals.
    Compare(Comparison),
    /// A number with decimals.
    Decimal,
    /// The `d` behind a count.
    Dice,
    /// The `d` of a die without a count.
    Die,
    Function(Function),
    InlineClose,
    InlineOpen,
    Modifier(Modifier),
    /// `@name`, `@{name}` or `?{name|default}`
    Name,
    Number,
    Open,
    /// `+`, `-`, `*`, `/`, `//`, `%`, `^` or `**`
    Operator(Operator),
    /// The number before the `#` of a repeated roll.
    Repeat,
    /// `%`, `F`, `F.1` or `c` behind the `d` of a die.
    Sides(Sides),
    /// A comparison sign whose number belongs to a die, a group or a modifier.
    Target(Comparison),
    Unknown(Unknown),
}

/// The operators of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Divide,
    Floor,
    Modulo,
    Multiply,
    Power,
    Subtract,
}

/// The sides of a die that are no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sides {
    /// `dc`
    Coin,
    /// `dF`
    Fate,
    /// `dF.1`
    RareFate,
    /// `d%`
    Percent,
}

/// Text that has no meaning at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// `#` before a die or a parenthesis.
    Hash,
    Sign,
    /// A `/*` that is never closed.
    UnclosedComment,
    /// A `[`, `@{` or `?{` that is never closed.
    UnclosedName,
    Word,
}
