//! What outcomes can be written as.

use crate::ir::Member;
use crate::number::{Fraction, Integer};

/// What names an outcome of type `T`: a literal, most often. For whole numbers all integers of Rust, for lists an array of
/// them, for labels a text.
pub trait IntoOutcome<T> {
    /// The outcome.
    fn into_outcome(self) -> T;
}

impl<N: Into<Integer>> IntoOutcome<Integer> for N {
    fn into_outcome(self) -> Integer {
        self.into()
    }
}

impl<N: Into<Integer>> IntoOutcome<Fraction> for N {
    fn into_outcome(self) -> Fraction {
        Fraction::from_integer(self.into().to_big())
    }
}

impl IntoOutcome<Self> for Fraction {
    fn into_outcome(self) -> Self {
        self
    }
}

impl IntoOutcome<Self> for bool {
    fn into_outcome(self) -> Self {
        self
    }
}

impl<S: Into<String>> IntoOutcome<String> for S {
    fn into_outcome(self) -> String {
        self.into()
    }
}

impl<N: Into<Integer>, const L: usize> IntoOutcome<Vec<Integer>> for [N; L] {
    fn into_outcome(self) -> Vec<Integer> {
        self.map(Into::into).into()
    }
}

impl<N: Into<Integer>> IntoOutcome<Vec<Integer>> for Vec<N> {
    fn into_outcome(self) -> Vec<Integer> {
        self.into_iter().map(Into::into).collect()
    }
}

impl<N: Into<Integer>, const L: usize> IntoOutcome<[Integer; L]> for [N; L] {
    fn into_outcome(self) -> [Integer; L] {
        self.map(Into::into)
    }
}

impl IntoOutcome<Self> for Vec<Member> {
    fn into_outcome(self) -> Self {
        self
    }
}
