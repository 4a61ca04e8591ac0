//! The operators and their parameters: words, precedence, and the defaults of missing operands.

/// An infix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    And,
    /// `min`: raises lower members to a bound.
    AtLeast,
    /// `max`: lowers higher members to a bound.
    AtMost,
    Bonus,
    Choose,
    /// `c`: rounds of dice, as in double cross.
    Cross,
    Divide,
    DropHigh,
    DropLow,
    Fate,
    Greater,
    KeepHigh,
    KeepLow,
    Less,
    Loop,
    Multiply,
    Or,
    Penalty,
    /// `a`: dice that add dice.
    Pool,
    Power,
    Roll,
    Slice,
    Subtract,
    Variable,
}

/// The value of a missing operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Default {
    Number(u8),
    /// The number of sides of a die, which is a setting.
    Sides,
}

/// A parameter, which follows the right operand of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parameter {
    Bonus,
    Else,
    KeepHigh,
    KeepLow,
    Penalty,
    Pool,
    Sides,
    Value,
}

/// The tightest level.
pub(super) const TIGHTEST: u16 = 9;

impl Operator {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::And => "&",
            Self::AtLeast => "min",
            Self::AtMost => "max",
            Self::Bonus => "b",
            Self::Choose => "?",
            Self::Cross => "c",
            Self::Divide => "/",
            Self::DropHigh => "dh",
            Self::DropLow => "dl",
            Self::Fate => "f",
            Self::Greater => ">",
            Self::KeepHigh => "kh",
            Self::KeepLow => "kl",
            Self::Less => "<",
            Self::Loop => "lp",
            Self::Multiply => "*",
            Self::Or => "|",
            Self::Penalty => "p",
            Self::Pool => "a",
            Self::Power => "^",
            Self::Roll => "d",
            Self::Slice => "sp",
            Self::Subtract => "-",
            Self::Variable => "$t",
        }
    }

    /// The precedence: 1 is the loosest.
    pub(super) fn level(self) -> u16 {
        match self {
            Self::Greater | Self::Less => 1,
            Self::And | Self::Or => 2,
            Self::Add | Self::Subtract => 3,
            Self::Divide | Self::Multiply => 4,
            Self::Power => 5,
            Self::AtLeast
            | Self::AtMost
            | Self::DropHigh
            | Self::DropLow
            | Self::KeepHigh
            | Self::KeepLow
            | Self::Loop
            | Self::Slice => 6,
            Self::Bonus | Self::Cross | Self::Fate | Self::Penalty | Self::Pool | Self::Roll => 7,
            Self::Choose => 8,
            Self::Variable => TIGHTEST,
        }
    }

    /// The default of a missing left operand. The default before `-` depends on the token before it, and is not here.
    pub(super) fn left_default(self) -> Option<Default> {
        match self {
            Self::Bonus | Self::Penalty | Self::Roll | Self::Variable => Some(Default::Number(1)),
            Self::Fate => Some(Default::Number(4)),
            _ => None,
        }
    }

    pub(super) fn right_default(self) -> Option<Default> {
        match self {
            Self::Bonus
            | Self::DropHigh
            | Self::DropLow
            | Self::KeepHigh
            | Self::KeepLow
            | Self::Penalty => Some(Default::Number(1)),
            Self::Choose => Some(Default::Number(0)),
            Self::Fate => Some(Default::Number(3)),
            Self::Roll => Some(Default::Sides),
            _ => None,
        }
    }

    /// Whether the operator is arithmetic, which has a tuple of its own where one operand has several members.
    pub(super) fn is_arithmetic(self) -> bool {
        matches!(
            self,
            Self::Add | Self::Divide | Self::Multiply | Self::Power | Self::Subtract
        )
    }
}

impl Parameter {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Bonus => "b",
            Self::Else => ":",
            Self::KeepHigh => "k",
            Self::KeepLow => "q",
            Self::Penalty => "p",
            Self::Pool => "a",
            Self::Sides => "m",
            Self::Value => "=",
        }
    }
}
