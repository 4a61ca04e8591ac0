//! The words of the notation: modifiers, functions, comparison signs and chat commands.

use crate::ir::Comparison;
use crate::notation::extreme::Extreme;

/// The modifiers of dice and groups. Each has one meaning, whatever its spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Modifier {
    /// `!`, `!!` and `x` with what follows them: a die adds dice.
    Explode(Explosion),
    /// `r`, `rr`
    Reroll,
    /// `ro`
    RerollOnce,
    /// `roh`, `rol`
    RerollEnd(Extreme),
    /// `ra`
    Add,
    /// `u`
    Unique,
    /// `uo`
    UniqueOnce,
    /// `min`, `mi`
    Min,
    /// `max`, `ma`
    Max,
    /// `k`, `keep`: a number of the highest, or all that meet a condition
    Keep,
    /// `kh`, `kl`, `keeph`, `keepl`
    KeepEnd(Extreme),
    /// `p`
    Drop,
    /// `d`, `dh`, `dl`, `ph`, `pl`, `drop`, `droph`, `dropl`, `-L`, `-H`
    DropEnd(Extreme),
    /// `f`
    Fail,
    /// `even`, `odd`
    Parity(Parity),
    /// `cs`
    MarkSuccess,
    /// `cf`
    MarkFailure,
    /// `df`
    Deduct,
    /// `sf`
    Subtract,
    /// `ms`
    Margin,
    /// `s`, `sa`, `sd`
    Sort,
}

/// How a die explodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Explosion {
    /// Whether the chain of rolls is one die.
    pub(super) is_compound: bool,
    pub(super) manner: Manner,
}

/// How the added dice of an explosion differ from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// They explode likewise.
    Endless,
    /// There is one, which does not explode.
    Once,
    /// Each counts 1 less.
    Penetrating,
}

/// The numbers that a modifier counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parity {
    Even,
    Odd,
}

/// What may follow a modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// A sign and a number, or a number alone.
    Condition,
    /// A number.
    Number,
    Nothing,
}

impl Modifier {
    /// Whether the modifier changes what dice show, or adds dice.
    pub(super) fn changes_faces(self) -> bool {
        matches!(
            self,
            Self::Add
                | Self::Explode(_)
                | Self::Max
                | Self::Min
                | Self::Reroll
                | Self::RerollEnd(_)
                | Self::RerollOnce
        )
    }

    /// What may follow the modifier.
    pub(super) fn takes(self) -> Takes {
        match self {
            Self::RerollEnd(_) | Self::Min | Self::Max | Self::KeepEnd(_) | Self::DropEnd(_) => {
                Takes::Number
            }
            Self::Parity(_) | Self::Sort => Takes::Nothing,
            _ => Takes::Condition,
        }
    }
}

/// The spellings of the modifiers, in alphabetical order.
pub(super) const MODIFIERS: [(&str, Modifier); 49] = {
    use Modifier::{
        Add, Deduct, Drop, DropEnd, Explode, Fail, Keep, KeepEnd, Margin, MarkFailure, MarkSuccess,
        Max, Min, Parity, Reroll, RerollEnd, RerollOnce, Sort, Subtract, Unique, UniqueOnce,
    };
    const fn explode(is_compound: bool, manner: Manner) -> Modifier {
        Explode(Explosion {
            is_compound,
            manner,
        })
    }
    [
        ("!", explode(false, Manner::Endless)),
        ("!!", explode(true, Manner::Endless)),
        ("!!o", explode(true, Manner::Once)),
        ("!!p", explode(true, Manner::Penetrating)),
        ("!o", explode(false, Manner::Once)),
        ("!p", explode(false, Manner::Penetrating)),
        ("-h", DropEnd(Extreme::High)),
        ("-l", DropEnd(Extreme::Low)),
        ("cf", MarkFailure),
        ("cs", MarkSuccess),
        ("d", DropEnd(Extreme::Low)),
        ("df", Deduct),
        ("dh", DropEnd(Extreme::High)),
        ("dl", DropEnd(Extreme::Low)),
        ("drop", DropEnd(Extreme::Low)),
        ("droph", DropEnd(Extreme::High)),
        ("dropl", DropEnd(Extreme::Low)),
        ("e", explode(false, Manner::Endless)),
        ("even", Parity(self::Parity::Even)),
        ("f", Fail),
        ("k", Keep),
        ("keep", Keep),
        ("keeph", KeepEnd(Extreme::High)),
        ("keepl", KeepEnd(Extreme::Low)),
        ("kh", KeepEnd(Extreme::High)),
        ("kl", KeepEnd(Extreme::Low)),
        ("ma", Max),
        ("max", Max),
        ("mi", Min),
        ("min", Min),
        ("ms", Margin),
        ("odd", Parity(self::Parity::Odd)),
        ("p", Drop),
        ("ph", DropEnd(Extreme::High)),
        ("pl", DropEnd(Extreme::Low)),
        ("r", Reroll),
        ("ra", Add),
        ("ro", RerollOnce),
        ("roh", RerollEnd(Extreme::High)),
        ("rol", RerollEnd(Extreme::Low)),
        ("rr", Reroll),
        ("s", Sort),
        ("sa", Sort),
        ("sd", Sort),
        ("sf", Subtract),
        ("u", Unique),
        ("uo", UniqueOnce),
        ("x", explode(false, Manner::Endless)),
        ("xo", explode(false, Manner::Once)),
    ]
};

/// The functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Abs,
    Ceil,
    Floor,
    Max,
    Min,
    Pow,
    Round,
    Sign,
    Sqrt,
    Trunc,
}

/// The names of the functions.
pub(super) const FUNCTIONS: [(&str, Function); 10] = [
    ("abs", Function::Abs),
    ("ceil", Function::Ceil),
    ("floor", Function::Floor),
    ("max", Function::Max),
    ("min", Function::Min),
    ("pow", Function::Pow),
    ("round", Function::Round),
    ("sign", Function::Sign),
    ("sqrt", Function::Sqrt),
    ("trunc", Function::Trunc),
];

impl Function {
    /// The name.
    pub(super) fn name(self) -> &'static str {
        let mut all = FUNCTIONS.iter();
        let found = all.find(|(_, function)| *function == self);
        found.map_or("", |(name, _)| name)
    }

    /// The least and the greatest number of arguments.
    pub(super) fn arguments(self) -> (usize, usize) {
        match self {
            Self::Max | Self::Min => (1, usize::MAX),
            Self::Pow => (2, 2),
            _ => (1, 1),
        }
    }
}

/// The comparison signs, longer signs first.
pub(super) const COMPARISONS: [(&str, Comparison); 11] = [
    ("!=", Comparison::NotEqual),
    ("<=", Comparison::LessOrEqual),
    ("<>", Comparison::NotEqual),
    ("==", Comparison::Equal),
    (">=", Comparison::GreaterOrEqual),
    ("<", Comparison::Less),
    ("=", Comparison::Equal),
    (">", Comparison::Greater),
    ("≠", Comparison::NotEqual),
    ("≤", Comparison::LessOrEqual),
    ("≥", Comparison::GreaterOrEqual),
];

/// The sign of a comparison in canonical text.
pub(super) fn sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::NotEqual => "<>",
    }
}

/// The chat commands that may stand before a roll, longer ones first.
pub(super) const COMMANDS: [&str; 14] = [
    "/publicroll",
    "/blindroll",
    "/selfroll",
    "/gmroll",
    "/broll",
    "/roll",
    "!roll",
    "/gmr",
    "/gr",
    "/pr",
    "/br",
    "/sr",
    "/r",
    "!r",
];

/// The words for two dice of which the better, or the worse, counts.
pub(super) const ADVANTAGES: [(&str, Extreme); 4] = [
    ("adv", Extreme::High),
    ("advantage", Extreme::High),
    ("dis", Extreme::Low),
    ("disadvantage", Extreme::Low),
];

impl Modifier {
    /// A short word for the modifier that other modifiers may follow.
    pub(super) fn word(self) -> &'static str {
        let mut all = MODIFIERS.iter().rev();
        let is_short = |word: &str| !word.starts_with('-') && (word.len() < 4 || word == "even");
        let found = all.find(|(word, modifier)| *modifier == self && is_short(word));
        found.map_or("", |(word, _)| word)
    }
}
