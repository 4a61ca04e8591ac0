//! Why every path of a rule was listed: the reasons of the slow evaluator.
//!
//! Each stands for one thing that residual programs do not have, but for two, which say that the slow evaluator was asked
//! for or was faster. The words complete "every path listed (…)".

use std::fmt;

/// Why an answer was found by the slow evaluator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// Whoever called asked for the slow evaluator.
    AskedFor,
    /// The best of dice or lists that a loop makes has no largest or no smallest value.
    BestOfLoop,
    /// Where a deck is cut depends on cards that it has shown.
    DeckCutByCards,
    /// Something looks at a part of a deck that cannot be revealed alone.
    DeckPartlyRevealed,
    /// Pools have a tail below and a tail above, so that no order of their faces leaves the tails to the end.
    DiceUnboundedOnBothSides,
    /// The order of what a difference leaves is asked for.
    DifferenceInOrder,
    /// A difference may take members that are not there.
    DifferenceMayFail,
    /// An error stands beside a loop that may never end.
    ErrorsBesideEndlessLoop,
    /// Which of several errors comes first is not known.
    ErrorsHideEachOther,
    /// A try of the slow evaluator listed all paths before the residual programs were solved.
    FewerPaths,
    /// For hidden members something is evaluated that rolls and can fail.
    HiddenBodyRollsAndFails,
    /// For hidden members something is evaluated that loops.
    HiddenLoop,
    /// The numbers that a loop adds make exponents that are too large.
    LargeSteps,
    /// An integer may be longer than those of residual programs.
    LongIntegers,
    /// The order of a list with very many members is asked for.
    LongListInOrder,
    /// The members of a loop may be as large as the numbers that stand for errors.
    LongLoopMembers,
    /// What is repeated very often makes no pool, for its repetitions depend on something that they share.
    LongRepetition,
    /// A round of a loop reveals dice whose faces are not all listed.
    LoopOverUnboundedDice,
    /// A list can have too many values to ask for each.
    ManyValues,
    /// A count may be negative, which is an error where it counts.
    NegativeCount,
    /// A condition decides whether something is evaluated that may never end.
    NeverEndsBehindCondition,
    /// A sum has a random number of loops that may never end.
    RandomNumberOfEndlessLoops,
    /// The shares of a loop that may never end are asked for.
    SharesOfEndlessLoop,
    /// The shares of a number are asked for whose values are not all listed.
    SharesOfTail,
    /// The order of a shuffled list that cannot be taken apart is asked for.
    ShuffledInOrder,
    /// A value is needed whole, but is not all listed.
    Tail,
    /// A pool has more dice than can be counted.
    TooManyDice,
    /// What a body makes of each member is not known.
    UnknownBody,
    /// The order of a list is asked for and not known.
    UnknownOrder,
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::AskedFor => "asked for",
            Self::BestOfLoop => "the best of a loop",
            Self::DeckCutByCards => "a deck that is cut where its cards say",
            Self::DeckPartlyRevealed => "a deck of which only a part is revealed",
            Self::DiceUnboundedOnBothSides => "dice without an end on both sides",
            Self::DifferenceInOrder => "a multiset difference in order",
            Self::DifferenceMayFail => "a multiset difference that may fail",
            Self::ErrorsBesideEndlessLoop => "errors beside a loop that may never end",
            Self::ErrorsHideEachOther => "errors that hide each other",
            Self::FewerPaths => "they are fewer than residual programs",
            Self::HiddenBodyRollsAndFails => "a body that rolls and can fail, for hidden members",
            Self::HiddenLoop => "a loop for hidden members",
            Self::LargeSteps => "a loop that adds large numbers",
            Self::LongIntegers => "integers beyond 62 bits",
            Self::LongListInOrder => "a long list in order",
            Self::LongLoopMembers => "members of a loop beyond 61 bits",
            Self::LongRepetition => "a long repetition that is no pool",
            Self::LoopOverUnboundedDice => "a loop over dice without an end",
            Self::ManyValues => "a list with too many values",
            Self::NegativeCount => "a count that may be negative",
            Self::NeverEndsBehindCondition => "what may never end, behind a condition",
            Self::RandomNumberOfEndlessLoops => "a random number of loops that may not end",
            Self::SharesOfEndlessLoop => "shares of a loop that may never end",
            Self::SharesOfTail => "shares of what has a tail",
            Self::ShuffledInOrder => "a shuffled list in order",
            Self::Tail => "a tail where none can be",
            Self::TooManyDice => "too many dice",
            Self::UnknownBody => "a body that is not known",
            Self::UnknownOrder => "an order that is not known",
        })
    }
}
