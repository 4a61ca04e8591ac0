//! The modifiers of dice in the order of their application.
//!
//! There are three stages, whatever the order of writing: what the dice show, which dice stay, and what they count.
//! Modifiers of one kind in a row act together.

use super::error::ParseError;
use super::tree::{Argument, ChainPart, Modified};
use super::words::{Explosion, Modifier, Parity};
use crate::ir::Comparison;
use crate::notation::extreme::Extreme;
use crate::notation::reader::tree::NodeId;
use crate::source::Span;

/// What dice count, stage by stage.
#[derive(Debug, Default)]
pub(super) struct Stages {
    pub(super) changes: Vec<Change>,
    pub(super) choices: Vec<Choice>,
    pub(super) score: Score,
    /// Numbers that the total is compared with, one after the other.
    pub(super) margins: Vec<Test>,
}

/// A comparison with a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    pub(super) comparison: Comparison,
    pub(super) number: NodeId,
}

/// The dice that a modifier is about: those that pass any test, or the default.
#[derive(Clone, Debug, Default)]
pub(super) struct Condition {
    pub(super) tests: Vec<Test>,
    /// Whether a modifier without a test is among those that act together.
    pub(super) has_default: bool,
}

/// A modifier of the first stage.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Add(Condition),
    Explode(Explosion, Condition),
    Limit(Limit, NodeId),
    Reroll(Condition),
    RerollOnce(Selectors),
    Unique { is_once: bool, condition: Condition },
}

/// Whether the values are raised or capped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    AtLeast,
    AtMost,
}

/// The dice that any of several selectors takes.
#[derive(Clone, Debug, Default)]
pub(super) struct Selectors {
    pub(super) high: Vec<Count>,
    pub(super) low: Vec<Count>,
    pub(super) condition: Condition,
}

/// A number of dice; one if none is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count(pub(super) Option<NodeId>);

/// A modifier of the second stage.
#[derive(Clone, Debug)]
pub(super) enum Choice {
    Drop(Selectors),
    Keep(Selectors),
}

/// What the dice that stay count.
#[derive(Clone, Debug, Default)]
pub(super) enum Score {
    Deduct(Vec<Mark>),
    Parity(Parity),
    Successes {
        success: Test,
        failure: Option<Test>,
    },
    #[default]
    Sum,
}

/// A modifier that marks dice, or that makes marked dice count otherwise.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) kind: MarkKind,
    pub(super) condition: Condition,
}

/// What a [`Mark`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// `df`
    Deduct,
    /// `cf`
    Failure,
    /// `sf`
    Subtract,
    /// `cs`
    Success,
}

/// The largest number of marks of one die, because each doubles the cases.
const MOST_MARKS: usize = 6;

impl Stages {
    /// The stages of a chain of modifiers.
    pub(super) fn of(modifiers: &[Modified]) -> Result<Self, (Span, ParseError)> {
        let mut stages = Self::default();
        let mut marks = Vec::new();
        let mut before: Option<ChainPart> = None;
        for part in modifiers {
            let wrong = |error| Err((part.span, error));
            match part.kind {
                ChainPart::Target => {
                    let Argument::Condition(comparison, number) = part.argument else {
                        unreachable!("a target has a number");
                    };
                    let success = Test { comparison, number };
                    match stages.score {
                        Score::Sum => {
                            let failure = None;
                            stages.score = Score::Successes { success, failure };
                        }
                        _ => return wrong(ParseError::SecondScore),
                    }
                }
                ChainPart::Modifier(Modifier::Fail) => {
                    let Some(test) = test(part.argument) else {
                        return wrong(ParseError::NoNumber { modifier: "f" });
                    };
                    match &mut stages.score {
                        Score::Successes {
                            failure: failure @ None,
                            ..
                        } if before == Some(ChainPart::Target) => *failure = Some(test),
                        Score::Successes {
                            failure: Some(_), ..
                        } => return wrong(ParseError::SecondScore),
                        _ => return wrong(ParseError::FailureWithoutTarget),
                    }
                }
                ChainPart::Modifier(modifier) => {
                    let result = stages.modify(modifier, part.argument, &mut marks);
                    result.map_err(|error| (part.span, error))?;
                }
            }
            before = Some(part.kind);
        }
        let last = marks.iter().rposition(|mark: &Mark| mark.kind.deducts());
        if let Some(last) = last {
            let place = modifiers.last().map_or(Span::default(), |part| part.span);
            marks.truncate(last + 1);
            if marks.len() > MOST_MARKS {
                return Err((place, ParseError::TooManyMarks));
            }
            if !matches!(stages.score, Score::Sum) {
                return Err((place, ParseError::SecondScore));
            }
            stages.score = Score::Deduct(marks);
        }
        Ok(stages)
    }

    fn modify(
        &mut self,
        modifier: Modifier,
        argument: Argument,
        marks: &mut Vec<Mark>,
    ) -> Result<(), ParseError> {
        let condition = Condition::of(argument);
        match modifier {
            Modifier::Add => {
                if condition.has_default {
                    return Err(ParseError::NoNumber { modifier: "ra" });
                }
                match self.changes.last_mut() {
                    Some(Change::Add(known)) => known.extend(condition),
                    _ => self.changes.push(Change::Add(condition)),
                }
            }
            Modifier::Explode(explosion) => match self.changes.last_mut() {
                Some(Change::Explode(before, known)) if *before == explosion => {
                    known.extend(condition);
                }
                _ => self.changes.push(Change::Explode(explosion, condition)),
            },
            Modifier::Min | Modifier::Max => {
                let (limit, modifier) = match modifier {
                    Modifier::Min => (Limit::AtLeast, "min"),
                    _ => (Limit::AtMost, "max"),
                };
                let Argument::Number(number) = argument else {
                    return Err(ParseError::NoNumber { modifier });
                };
                self.changes.push(Change::Limit(limit, number));
            }
            Modifier::Reroll => match self.changes.last_mut() {
                Some(Change::Reroll(known)) => known.extend(condition),
                _ => self.changes.push(Change::Reroll(condition)),
            },
            Modifier::RerollEnd(_) | Modifier::RerollOnce => {
                if !matches!(self.changes.last(), Some(Change::RerollOnce(_))) {
                    self.changes.push(Change::RerollOnce(Selectors::default()));
                }
                let Some(Change::RerollOnce(selectors)) = self.changes.last_mut() else {
                    unreachable!("it is there");
                };
                match (modifier, argument) {
                    (Modifier::RerollEnd(end), Argument::Number(number)) => {
                        selectors.of_end(end).push(Count(Some(number)));
                    }
                    (Modifier::RerollEnd(Extreme::High), _) => {
                        return Err(ParseError::NoNumber { modifier: "roh" });
                    }
                    (Modifier::RerollEnd(Extreme::Low), _) => {
                        return Err(ParseError::NoNumber { modifier: "rol" });
                    }
                    _ => selectors.condition.extend(condition),
                }
            }
            Modifier::Unique | Modifier::UniqueOnce => {
                let is_once = modifier == Modifier::UniqueOnce;
                match self.changes.last_mut() {
                    Some(Change::Unique {
                        is_once: known,
                        condition: all,
                    }) if *known == is_once => all.extend(condition),
                    _ => self.changes.push(Change::Unique { is_once, condition }),
                }
            }
            Modifier::Drop | Modifier::DropEnd(_) | Modifier::Keep | Modifier::KeepEnd(_) => {
                self.choose(modifier, argument)?;
            }
            Modifier::Parity(parity) => match self.score {
                Score::Sum => self.score = Score::Parity(parity),
                _ => return Err(ParseError::SecondScore),
            },
            Modifier::MarkFailure | Modifier::MarkSuccess => {
                let kind = match modifier {
                    Modifier::MarkFailure => MarkKind::Failure,
                    _ => MarkKind::Success,
                };
                marks.push(Mark { kind, condition });
            }
            Modifier::Deduct | Modifier::Subtract => {
                let (kind, modifier) = match modifier {
                    Modifier::Deduct => (MarkKind::Deduct, "df"),
                    _ => (MarkKind::Subtract, "sf"),
                };
                let is_marked = marks.iter().any(|mark| !mark.kind.deducts());
                if condition.has_default && !is_marked {
                    return Err(ParseError::NothingMarked { modifier });
                }
                marks.push(Mark { kind, condition });
            }
            Modifier::Margin => match test(argument) {
                Some(test) if test.comparison != Comparison::NotEqual => self.margins.push(test),
                Some(_) => return Err(ParseError::MarginSign),
                None => return Err(ParseError::NoNumber { modifier: "ms" }),
            },
            Modifier::Fail | Modifier::Sort => {}
        }
        Ok(())
    }

    /// Adds a modifier of the second stage.
    fn choose(&mut self, modifier: Modifier, argument: Argument) -> Result<(), ParseError> {
        let keeps = matches!(modifier, Modifier::Keep | Modifier::KeepEnd(_));
        let selectors = match self.choices.last_mut() {
            Some(Choice::Keep(selectors)) if keeps => selectors,
            Some(Choice::Drop(selectors)) if !keeps => selectors,
            _ => {
                let new = Selectors::default();
                self.choices.push(if keeps {
                    Choice::Keep(new)
                } else {
                    Choice::Drop(new)
                });
                match self.choices.last_mut() {
                    Some(Choice::Keep(selectors) | Choice::Drop(selectors)) => selectors,
                    None => unreachable!("it is there"),
                }
            }
        };
        let count = match argument {
            Argument::Number(number) => Count(Some(number)),
            _ => Count(None),
        };
        match (modifier, argument) {
            (Modifier::Keep | Modifier::Drop, Argument::Condition(comparison, number)) => {
                selectors.condition.tests.push(Test { comparison, number });
            }
            (Modifier::Drop, Argument::Number(number)) => {
                let comparison = Comparison::Equal;
                selectors.condition.tests.push(Test { comparison, number });
            }
            (Modifier::Drop, _) => return Err(ParseError::NoNumber { modifier: "p" }),
            (Modifier::KeepEnd(end) | Modifier::DropEnd(end), _) => {
                selectors.of_end(end).push(count);
            }
            _ => selectors.high.push(count),
        }
        Ok(())
    }
}

impl Condition {
    fn of(argument: Argument) -> Self {
        let tests: Vec<Test> = test(argument).into_iter().collect();
        Self {
            has_default: tests.is_empty(),
            tests,
        }
    }

    fn extend(&mut self, more: Self) {
        self.tests.extend(more.tests);
        self.has_default |= more.has_default;
    }
}

impl Selectors {
    fn of_end(&mut self, end: Extreme) -> &mut Vec<Count> {
        match end {
            Extreme::High => &mut self.high,
            Extreme::Low => &mut self.low,
        }
    }
}

impl MarkKind {
    /// Whether it makes marked dice count otherwise.
    pub(super) fn deducts(self) -> bool {
        matches!(self, Self::Deduct | Self::Subtract)
    }
}

/// The test of a modifier, a number alone meaning that it is equal.
fn test(argument: Argument) -> Option<Test> {
    match argument {
        Argument::Condition(comparison, number) => Some(Test { comparison, number }),
        Argument::None => None,
        Argument::Number(number) => Some(Test {
            comparison: Comparison::Equal,
            number,
        }),
    }
}
