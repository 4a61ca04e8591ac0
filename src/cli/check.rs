//! `--check`: compares the answers of the two evaluators.
//!
//! In: an answer or an error of the engine, and one of the slow evaluator. Out: a [`Verdict`].

use dicedist::algebra::Weight;
use dicedist::compare::disagreement_within;
use dicedist::engine::{Answer, Route};
use dicedist::limits::Budget;
use dicedist::number::Fraction;
use dicedist::{Error, ErrorKind};

/// The greatest number of successive loops in which the slow evaluator may leave mass unresolved.
const LOOPS: u32 = 1_000;

/// The result of the comparison of two evaluators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// No figure of one contradicts the other.
    Agree,
    /// A figure on which they differ.
    Differ(String),
    /// Nothing comes out of the rule, so no evaluator was asked.
    Empty,
    /// Only the slow evaluator has answered: there is nothing to compare with.
    NoOther,
    /// Both give the same error. An error does not say who found it, so the slow evaluator may have found both.
    SameError,
    /// One of them reached a limit.
    Unknown(String),
}

/// Compares an answer, within a budget, with that of the slow evaluator, which is asked only where there is something to compare.
///
/// Two answers agree unless there is a [`disagreement`]. The probability of an error may be greater by the mass that the slow
/// evaluator leaves unresolved in some loops.
pub(super) fn compare(
    fast: &Result<Answer, Error>,
    budget: &Budget<'_>,
    slow: impl FnOnce() -> Result<Answer, Error>,
) -> Verdict {
    let tolerance = &budget.limits().tolerance;
    let fast = match fast {
        Err(error) if is_limit(error) => {
            return Verdict::Unknown(format!("no answer to compare with: {error}"));
        }
        Err(error) => return compare_errors(error, tolerance, slow()),
        Ok(answer) if matches!(answer.route, Route::Enumerated(_)) => return Verdict::NoOther,
        Ok(answer) if answer.sampling().is_some() => {
            return Verdict::Unknown("sampled: there is no exact answer to compare".into());
        }
        Ok(answer) => answer,
    };
    match slow() {
        Err(error) if is_limit(&error) => {
            Verdict::Unknown(format!("the slow evaluator gave up: {error}"))
        }
        Err(error) => Verdict::Differ(format!("only the slow one says '{error}'")),
        Ok(slow) if slow.unresolved() == Weight::ZERO && fast.unresolved() != Weight::ZERO => {
            Verdict::Differ("only the fast one leaves mass unresolved".into())
        }
        Ok(slow) => match disagreement_within(fast, &slow, budget) {
            Err(reached) => Verdict::Unknown(format!(
                "not compared, because the limit of {} is reached",
                reached.name()
            )),
            Ok(found) => found.map_or(Verdict::Agree, Verdict::Differ),
        },
    }
}

/// Compares two errors. Equal ones do not show that the evaluators agree: see [`Verdict::SameError`].
fn compare_errors(fast: &Error, tolerance: &Fraction, slow: Result<Answer, Error>) -> Verdict {
    let place = |error: &Error| error.diagnostics()[0].span;
    match slow {
        Err(slow) if is_limit(&slow) => {
            Verdict::Unknown(format!("the slow evaluator gave up: {slow}"))
        }
        Err(slow) => {
            let is_same = fast.kind() == slow.kind()
                && place(fast) == place(&slow)
                && are_close(
                    fast.least_probability(),
                    slow.least_probability(),
                    tolerance,
                );
            if is_same {
                Verdict::SameError
            } else {
                Verdict::Differ(format!("one says '{fast}', the other '{slow}'"))
            }
        }
        Ok(_) => Verdict::Differ(format!("only the fast one says '{fast}'")),
    }
}

/// Whether two probabilities are equal, up to the mass that the slow evaluator leaves unresolved in [`LOOPS`] loops.
fn are_close(fast: Option<&Fraction>, slow: Option<&Fraction>, tolerance: &Fraction) -> bool {
    match (fast, slow) {
        (Some(fast), Some(slow)) => {
            let open = tolerance * Fraction::from_integer(LOOPS.into());
            slow <= fast && *fast <= slow + open
        }
        (fast, slow) => fast == slow,
    }
}

fn is_limit(error: &Error) -> bool {
    error.kind() == ErrorKind::Limit
}

#[cfg(test)]
mod tests {
    use dicedist::Diagnostic;
    use dicedist::Limits;
    use dicedist::algebra::{Law, Mass, Moments, Numbers, Weight};
    use dicedist::engine::Reason;
    use dicedist::limits::Unobserved;
    use dicedist::number::Integer;

    use super::*;

    fn listed(weights: &[(i64, u32)], total: u32) -> Numbers {
        let weighted = weights
            .iter()
            .map(|&(value, weight)| (Integer::from(value), Weight::from(weight)));
        Numbers::new(weighted, Weight::from(total))
    }

    fn answer(weights: &[(i64, u32)], total: u32) -> Answer {
        Answer::new(Law::from(listed(weights, total)), 0)
    }

    /// A 1 that weighs 1, and a mass.
    fn one_and(mass: Mass, moments: Option<Moments>) -> Answer {
        let total = u32::try_from(&mass.weight).unwrap() + 1;
        let law = Law::new(listed(&[(1, 1)], total), vec![mass], Weight::ZERO, moments);
        Answer::new(law, 0)
    }

    fn at_least(bound: i64, weight: u32) -> Mass {
        Mass::at_or_above(bound.into(), weight.into())
    }

    fn at_most(bound: i64, weight: u32) -> Mass {
        Mass::at_or_below(bound.into(), weight.into())
    }

    /// A 1 half the time, else it never ends.
    fn endless() -> Answer {
        Answer::new(Law::from(listed(&[(1, 1)], 2)).missing_never_ends(), 0)
    }

    fn error(kind: ErrorKind) -> Error {
        Error::new(kind, Diagnostic::without_place("so"))
    }

    fn compare(
        fast: &Result<Answer, Error>,
        slow: impl FnOnce() -> Result<Answer, Error>,
    ) -> Verdict {
        compare_to(&Fraction::new(1.into(), 1_000_000.into()), fast, slow)
    }

    fn compare_to(
        tolerance: &Fraction,
        fast: &Result<Answer, Error>,
        slow: impl FnOnce() -> Result<Answer, Error>,
    ) -> Verdict {
        let limits = Limits::unbounded().with_tolerance(tolerance.clone());
        super::compare(fast, &Budget::start(&limits, &Unobserved), slow)
    }

    #[track_caller]
    fn assert_agree(fast: &Answer, slow: &Answer) {
        assert_eq!(
            compare(&Ok(fast.clone()), || Ok(slow.clone())),
            Verdict::Agree
        );
    }

    #[track_caller]
    fn assert_differ(fast: &Answer, slow: &Answer, word: &str) {
        for (fast, slow) in [(fast, slow), (slow, fast)] {
            match compare(&Ok(fast.clone()), || Ok(slow.clone())) {
                Verdict::Differ(how) => assert!(how.contains(word), "{how}"),
                verdict => panic!("{verdict:?}"),
            }
        }
    }

    #[test]
    fn the_total_does_not_matter_but_the_probabilities_do() {
        let one = answer(&[(1, 1), (2, 1)], 2);
        assert_agree(&one, &answer(&[(1, 2), (2, 2)], 4));
        assert_differ(&one, &answer(&[(1, 1), (2, 3)], 4), "of (1) is 1/");
        assert_differ(&one, &answer(&[(1, 1), (3, 1)], 2), "the probability of (");
    }

    #[test]
    fn unresolved_mass_may_lie_anywhere_or_never_end() {
        let partial = one_and(Mass::anywhere(1_u32.into()), None);
        let whole = answer(&[(1, 2), (2, 2)], 4);
        assert_eq!(
            compare(&Ok(whole.clone()), || Ok(partial.clone())),
            Verdict::Agree
        );
        let other = answer(&[(1, 1), (2, 3)], 4);
        let differ = compare(&Ok(other), || Ok(partial.clone()));
        assert!(matches!(differ, Verdict::Differ(_)), "{differ:?}");
        assert_eq!(
            compare(&Ok(endless()), || Ok(partial.clone())),
            Verdict::Agree
        );
        // What the slow evaluator lists whole, the other one does not leave open.
        let differ = compare(&Ok(partial), || Ok(whole));
        assert!(matches!(differ, Verdict::Differ(_)), "{differ:?}");
    }

    #[test]
    fn what_never_ends_for_one_is_no_tail_for_the_other() {
        assert_differ(&endless(), &one_and(at_least(2, 1), None), "never ends");
    }

    #[test]
    fn a_tail_lies_beyond_its_bound() {
        let tailed = one_and(at_least(5, 1), None);
        assert_agree(&answer(&[(1, 1), (7, 1)], 2), &tailed);
        assert_differ(&answer(&[(1, 1), (3, 1)], 2), &tailed, "of (3)");
        let nearer = listed(&[(1, 1), (5, 1)], 4);
        let nearer = Law::new(nearer, vec![at_most(0, 2)], Weight::ZERO, None);
        let farther = answer(&[(1, 1), (5, 3)], 4);
        assert_differ(&Answer::new(nearer, 0), &farther, "of (5)");
        let above = one_and(at_least(5, 3), None);
        let below = one_and(at_most(0, 3), None);
        assert_differ(&above, &below, "or");
    }

    #[test]
    fn moments_are_compared_where_both_are_known() {
        let tailed = |mean: i64| {
            let moments = Moments {
                ends: Fraction::from_integer(1.into()),
                first: Some(Fraction::from_integer(mean.into())),
                second: None,
            };
            one_and(at_least(2, 1), Some(moments))
        };
        assert_agree(&tailed(2), &tailed(2));
        assert_differ(&tailed(2), &tailed(3), "the mean is");
        assert_agree(&tailed(2), &one_and(at_least(2, 1), None));
    }

    #[test]
    fn a_limit_on_either_side_leaves_it_open() {
        let one = answer(&[(1, 1)], 1);
        let limit = compare(&Err(error(ErrorKind::Limit)), || Ok(one.clone()));
        assert!(matches!(limit, Verdict::Unknown(_)), "{limit:?}");
        let limit = compare(&Ok(one.clone()), || Err(error(ErrorKind::Limit)));
        assert!(matches!(limit, Verdict::Unknown(_)), "{limit:?}");
        let differs = compare(&Ok(one), || Err(error(ErrorKind::Type)));
        assert!(matches!(differs, Verdict::Differ(_)), "{differs:?}");
    }

    #[test]
    fn the_slow_evaluator_is_not_compared_with_itself() {
        let mut listed = answer(&[(1, 1)], 1);
        listed.route = Route::Enumerated(Reason::AskedFor);
        let never = || unreachable!("it is not asked again");
        assert_eq!(compare(&Ok(listed), never), Verdict::NoOther);
    }

    #[test]
    fn errors_that_are_the_same_may_have_one_finder() {
        let half = Fraction::new(1.into(), 2.into());
        let typed = || error(ErrorKind::Type);
        assert_eq!(compare(&Err(typed()), || Err(typed())), Verdict::SameError);
        for slow in [
            Err(error(ErrorKind::Domain)),
            Err(typed().with_probability(half)),
            Ok(answer(&[(1, 1)], 1)),
        ] {
            let differs = compare(&Err(typed()), || slow);
            assert!(matches!(differs, Verdict::Differ(_)), "{differs:?}");
        }
    }

    #[test]
    fn an_error_after_a_loop_is_certain_for_one_and_nearly_so_for_the_other() {
        let with = |ones: u32| {
            let probability = Fraction::new(ones.into(), 10_000_000.into());
            error(ErrorKind::Type).with_probability(probability)
        };
        let millionth = Fraction::new(1.into(), 1_000_000.into());
        let compare = |slow: u32| {
            let fast = Err(with(10_000_000));
            let tolerance = &millionth / Fraction::from_integer(LOOPS.into());
            compare_to(&tolerance, &fast, || Err(with(slow)))
        };
        assert_eq!(compare(9_999_990), Verdict::SameError);
        assert!(matches!(compare(9_999_989), Verdict::Differ(_)));
    }
}
