//! A small tree of a rule, which is printed as Bones. Every part stands in parentheses, so that no precedence matters.

use std::fmt;

/// The name of a variable. No rule binds a name twice.
pub(super) type Name = &'static str;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fold {
    Count,
    Product,
    Sum,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Select {
    DropFirst,
    DropHigh,
    DropLast,
    DropLow,
    First,
    High,
    Last,
    Low,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Comparison {
    Equal,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    NotEqual,
}

impl Comparison {
    pub(super) fn holds(self, member: i128, bound: i128) -> bool {
        match self {
            Self::Equal => member == bound,
            Self::Greater => member > bound,
            Self::GreaterOrEqual => member >= bound,
            Self::Less => member < bound,
            Self::LessOrEqual => member <= bound,
            Self::NotEqual => member != bound,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum Rule {
    /// One of `+ - * / %`.
    Arithmetic(char, Box<Rule>, Box<Rule>),
    Copies(Box<Rule>, Box<Rule>),
    Die(Box<Rule>),
    Filter(Comparison, Box<Rule>, Box<Rule>),
    Fold(Fold, Box<Rule>),
    Foreach(Name, Box<Rule>, Box<Rule>),
    If(Box<Rule>, Box<Rule>, Box<Rule>),
    Joined(Vec<Rule>),
    Let(Name, Box<Rule>, Box<Rule>),
    Number(i128),
    Range(Box<Rule>, Box<Rule>),
    Reverse(Box<Rule>),
    Select(Select, Box<Rule>, Box<Rule>),
    Sort(Box<Rule>),
    Variable(Name),
    While(Name, Box<Rule>, Box<Rule>),
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arithmetic(operator, a, b) => write!(formatter, "({a}{operator}{b})"),
            Self::Copies(n, e) => write!(formatter, "({n}#{e})"),
            Self::Die(sides) => write!(formatter, "(d {sides})"),
            Self::Filter(comparison, bound, e) => {
                let sign = match comparison {
                    Comparison::Equal => "==",
                    Comparison::Greater => ">",
                    Comparison::GreaterOrEqual => ">=",
                    Comparison::Less => "<",
                    Comparison::LessOrEqual => "<=",
                    Comparison::NotEqual => "!=",
                };
                write!(formatter, "({sign}{bound} {e})")
            }
            Self::Fold(fold, e) => {
                let word = match fold {
                    Fold::Count => "count",
                    Fold::Product => "prod",
                    Fold::Sum => "sum",
                };
                write!(formatter, "({word} {e})")
            }
            Self::Foreach(name, e, f) => write!(formatter, "(foreach {name} in {e} do {f})"),
            Self::If(c, e, f) => write!(formatter, "(if {c} then {e} else {f})"),
            Self::Joined(parts) => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                write!(formatter, "({})", parts.join(","))
            }
            Self::Let(name, e, f) => write!(formatter, "(let {name}={e} in {f})"),
            Self::Number(number) if *number < 0 => write!(formatter, "(0-{})", -number),
            Self::Number(number) => write!(formatter, "{number}"),
            Self::Range(a, b) => write!(formatter, "({a}..{b})"),
            Self::Reverse(e) => write!(formatter, "(rev {e})"),
            Self::Select(select, n, e) => {
                let words = match select {
                    Select::DropFirst => "drop first",
                    Select::DropHigh => "drop high",
                    Select::DropLast => "drop last",
                    Select::DropLow => "drop low",
                    Select::First => "first",
                    Select::High => "high",
                    Select::Last => "last",
                    Select::Low => "low",
                };
                write!(formatter, "({words} {n} {e})")
            }
            Self::Sort(e) => write!(formatter, "(sort {e})"),
            Self::Variable(name) => write!(formatter, "{name}"),
            Self::While(name, e, f) => write!(formatter, "(while {name}={e} do {f})"),
        }
    }
}
