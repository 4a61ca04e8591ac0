//! Why every path of a rule was listed: the reasons for the slow evaluator.
//!
//! Each reason names one thing that residual programs cannot do. Two are different: the slow evaluator was asked for,
//! or it was faster. The words of a reason complete "every path listed (…)".

use std::fmt;

/// Why an answer was found by the slow evaluator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The caller asked for the slow evaluator.
    AskedFor,
    /// The best of a loop's dice or lists has no bound.
    BestOfLoop,
    /// A candidate is chosen by its mean.
    Choice,
    /// The place where a deck is cut depends on cards of that deck.
    DeckCutByCards,
    /// The program looks at a part of a deck that cannot be revealed alone.
    DeckPartlyRevealed,
    /// Pools have a tail below and a tail above, so that no order of their faces leaves the tails to the end.
    DiceUnboundedOnBothSides,
    /// The order of the members that a difference leaves is asked for.
    DifferenceInOrder,
    /// A difference may remove members that are not there.
    DifferenceMayFail,
    /// Both an error and a loop that never ends are possible.
    ErrorsBesideEndlessLoop,
    /// Which of several errors comes first is not known.
    ErrorsHideEachOther,
    /// The slow evaluator, tried for a while, listed all paths before the residual programs were solved.
    FewerPaths,
    /// A body that rolls and can fail is evaluated for hidden members.
    HiddenBodyRollsAndFails,
    /// A body that loops is evaluated for hidden members.
    HiddenLoop,
    /// The numbers that a loop adds lead to exponents that are too large.
    LargeSteps,
    /// An integer may be too long for residual programs.
    LongIntegers,
    /// The order of a list with very many members is asked for.
    LongListInOrder,
    /// The members of a loop may be as large as the numbers that mark errors.
    LongLoopMembers,
    /// A long repetition is no pool, because its evaluations share a hidden value.
    LongRepetition,
    /// A round of a loop reveals dice whose faces are not all listed.
    LoopOverUnboundedDice,
    /// A list can have more different values than can be asked for one by one.
    ManyValues,
    /// A count may be negative, which is an error.
    NegativeCount,
    /// A condition decides whether a die or loop that may never end is evaluated.
    NeverEndsBehindCondition,
    /// A sum adds a random number of loops that may never end.
    RandomNumberOfEndlessLoops,
    /// The shares of a loop that may never end are asked for.
    SharesOfEndlessLoop,
    /// The shares of a number are asked for, and its values are not all listed.
    SharesOfTail,
    /// The order of a shuffled list is asked for, and the list cannot be split into places.
    ShuffledInOrder,
    /// A complete distribution is needed, but some outcomes are not listed.
    Tail,
    /// A pool has more dice than can be counted.
    TooManyDice,
    /// The values of a body for the members are not known.
    UnknownBody,
    /// The order of a list is asked for, but not known.
    UnknownOrder,
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::AskedFor => "asked for",
            Self::BestOfLoop => "the best of a loop",
            Self::Choice => "the best choice by its mean",
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
