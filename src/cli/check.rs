//! `--check`: two evaluators, one answer?

use std::collections::BTreeMap;

use dicedist::Error;
use dicedist::engine::Answer;
use dicedist::number::{Fraction, Integer};

/// What the comparison of two evaluators found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing that they say contradicts the other.
    Agree,
    /// A value or an error on which they differ.
    Differ(String),
    /// The slow one reached a limit.
    Unknown(String),
}

/// Compares what the engine and the slow evaluator say about a rule.
///
/// Listed probabilities must be equal where both know the whole distribution. Mass that one of them has
/// in a tail, or not resolved, may lie on any value that it does not list, and may add to those it lists.
pub(super) fn compare(fast: &Result<Answer, Error>, slow: &Result<Answer, Error>) -> Verdict {
    match (fast, slow) {
        (_, Err(error)) if error.is_limit() => Verdict::Unknown(error.to_string()),
        (Ok(fast), Ok(slow)) => compare_answers(fast, slow),
        (Err(fast), Err(slow)) => {
            let place = |error: &Error| error.diagnostics()[0].span;
            let is_same = fast.kind() == slow.kind()
                && place(fast) == place(slow)
                && fast.probability() == slow.probability();
            if is_same {
                Verdict::Agree
            } else {
                Verdict::Differ(format!("one says '{fast}', the other '{slow}'"))
            }
        }
        (Ok(_), Err(error)) => Verdict::Differ(format!("only the slow one says '{error}'")),
        (Err(error), Ok(_)) => Verdict::Differ(format!("only the fast one says '{error}'")),
    }
}

/// What an answer says about single values.
struct Claims {
    listed: BTreeMap<Vec<Integer>, Fraction>,
    /// How much more a listed value can have.
    open: Fraction,
    /// How much a value that is not listed can have.
    elsewhere: Fraction,
}

impl Claims {
    fn of(answer: &Answer) -> Self {
        let open = answer.probability(&answer.unresolved);
        let mut elsewhere = open.clone();
        for tail in &answer.tails {
            elsewhere += answer.probability(tail.weight());
        }
        Self {
            listed: answer
                .outcomes
                .iter()
                .map(|(value, weight)| (value.members().to_vec(), answer.probability(weight)))
                .collect(),
            open,
            elsewhere,
        }
    }

    /// The least and the most probability that a value can have.
    fn range(&self, value: &[Integer]) -> (Fraction, Fraction) {
        match self.listed.get(value) {
            Some(probability) => (probability.clone(), probability + &self.open),
            None => (Fraction::from_integer(0.into()), self.elsewhere.clone()),
        }
    }
}

fn compare_answers(fast: &Answer, slow: &Answer) -> Verdict {
    let (fast, slow) = (Claims::of(fast), Claims::of(slow));
    let values = fast.listed.keys().chain(slow.listed.keys());
    for value in values {
        let (a, b) = (fast.range(value), slow.range(value));
        if a.0 > b.1 || b.0 > a.1 {
            let value: Vec<String> = value.iter().map(ToString::to_string).collect();
            return Verdict::Differ(format!(
                "the probability of ({}) is {} by one and {} by the other",
                value.join(" "),
                a.0,
                b.0
            ));
        }
    }
    Verdict::Agree
}

#[cfg(test)]
mod tests {
    use dicedist::algebra::{Distribution, Weight};
    use dicedist::engine::Outcomes;

    use super::*;

    fn answer(weights: &[(i64, u32)], total: u32) -> Answer {
        let weighted = weights
            .iter()
            .map(|&(value, weight)| (Integer::from(value), Weight::from(weight)));
        let listed = Distribution::new(weighted, Weight::from(total));
        Answer::exact(Outcomes::Numbers(listed), 0)
    }

    #[test]
    fn the_total_does_not_matter_but_the_probabilities_do() {
        let one = Ok(answer(&[(1, 1), (2, 1)], 2));
        assert_eq!(
            compare(&one, &Ok(answer(&[(1, 2), (2, 2)], 4))),
            Verdict::Agree
        );
        let differs = compare(&one, &Ok(answer(&[(1, 1), (2, 3)], 4)));
        assert!(matches!(differs, Verdict::Differ(_)), "{differs:?}");
        let differs = compare(&one, &Ok(answer(&[(1, 1), (3, 1)], 2)));
        assert!(matches!(differs, Verdict::Differ(_)), "{differs:?}");
    }

    #[test]
    fn unresolved_mass_may_lie_anywhere() {
        let mut partial = answer(&[(1, 1)], 2);
        partial.unresolved = Weight::from(1_u32);
        assert_eq!(
            compare(&Ok(answer(&[(1, 2), (2, 2)], 4)), &Ok(partial.clone())),
            Verdict::Agree
        );
        let differs = compare(&Ok(answer(&[(1, 1), (2, 3)], 4)), &Ok(partial));
        assert!(matches!(differs, Verdict::Differ(_)), "{differs:?}");
    }
}
