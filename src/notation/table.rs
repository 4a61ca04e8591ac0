//! The table of all notations.

use std::fmt;
use std::str::FromStr;

use super::anydice::Anydice;
use super::bones::Bones;
use super::dicebag::Dicebag;
use super::diceroller::Diceroller;
use super::onedice::Onedice;
use super::reader::quote::shortened;
use super::syntax::Notation;
use super::tabletop::Tabletop;

/// A dice notation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Bones, the default: `sum(drop low 1 4#d6)`.
    #[default]
    Bones,
    /// dicebag: expressions such as `3K4d6`, in which every operator works on pools of dice.
    Dicebag,
    /// dicelab: Bones with the precedence and the typed grammar of the dicelab program.
    Dicelab,
    /// DiceRoller: scripts of instructions over a pool and a stack, `4D6 [L1] S`.
    Diceroller,
    /// `OneDice`, the notation of Chinese dice bots: `4d6k3`.
    Onedice,
    /// tabletop: the rolls of virtual tables, `4d6kh3`.
    Tabletop,
    /// AnyDice: programs of anydice.com, `output [highest 3 of 4d6]`.
    Anydice,
}

/// The properties of a notation.
struct Properties {
    dialect: Dialect,
    name: &'static str,
    /// A rule for messages that suggest one.
    example: &'static str,
    /// Whether the result of a rule is a number with a pool behind it.
    has_pools: bool,
    notation: &'static dyn Notation,
}

/// Every notation in the order of listings, the default first.
const NOTATIONS: [Properties; 7] = [
    Properties {
        dialect: Dialect::Bones,
        name: "bones",
        example: "sum(3#d6)",
        has_pools: false,
        notation: &Bones::BONES,
    },
    Properties {
        dialect: Dialect::Dicelab,
        name: "dicelab",
        example: "sum(3#d6)",
        has_pools: false,
        notation: &Bones::DICELAB,
    },
    Properties {
        dialect: Dialect::Dicebag,
        name: "dicebag",
        example: "3d6",
        has_pools: true,
        notation: &Dicebag,
    },
    Properties {
        dialect: Dialect::Diceroller,
        name: "diceroller",
        example: "3D6 S",
        has_pools: false,
        notation: &Diceroller,
    },
    Properties {
        dialect: Dialect::Onedice,
        name: "onedice",
        example: "4d6k3",
        has_pools: true,
        notation: &Onedice,
    },
    Properties {
        dialect: Dialect::Tabletop,
        name: "tabletop",
        example: "4d6kh3",
        has_pools: false,
        notation: &Tabletop,
    },
    Properties {
        dialect: Dialect::Anydice,
        name: "anydice",
        example: "output 3d6",
        has_pools: false,
        notation: &Anydice,
    },
];

impl Dialect {
    /// Every dialect, the default first.
    pub const ALL: &'static [Self] = &{
        let mut all = [Self::Bones; NOTATIONS.len()];
        let mut place = 0;
        while place < all.len() {
            all[place] = NOTATIONS[place].dialect;
            place += 1;
        }
        all
    };

    fn row(self) -> &'static Properties {
        const ROWS: &[Properties] = &NOTATIONS;
        let row = ROWS.iter().find(|row| row.dialect == self);
        row.expect("every dialect has a row")
    }

    pub(super) fn notation(self) -> &'static dyn Notation {
        self.row().notation
    }

    /// The name on the command line, in JSON, and as the extension of a file.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// A rule in this dialect, for messages such as "write a rule such as `3d6`".
    #[must_use]
    pub fn example(self) -> &'static str {
        self.row().example
    }

    /// Whether the result of a rule is a number that a pool of dice adds up to. Then [`super::Wanted::Pool`] asks for another
    /// result than [`super::Wanted::Number`].
    #[must_use]
    pub fn has_pools(self) -> bool {
        self.row().has_pools
    }

    /// Whether a rule is a program, which has any number of results, and names them.
    #[must_use]
    pub fn runs_programs(self) -> bool {
        self == Self::Anydice
    }

    /// Whether a free variable can have this name. A dialect without variables has no names.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Dialect;
    ///
    /// assert!(Dialect::Bones.is_name("n") && !Dialect::Bones.is_name("if"));
    /// ```
    #[must_use]
    pub fn is_name(self, word: &str) -> bool {
        self.notation().is_name(word)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A name that is no [`Dialect`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect '{}'", shortened(.0))]
pub struct UnknownDialect(String);

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        Self::ALL
            .iter()
            .find(|dialect| dialect.name() == name)
            .copied()
            .ok_or_else(|| UnknownDialect(name.into()))
    }
}
