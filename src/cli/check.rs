//! `--check`: compares the answers of the two evaluators.
//!
//! In: an answer or an error of the engine, and one of the slow evaluator. Out: a [`Verdict`].

use std::collections::BTreeMap;

use dicedist::engine::{Answer, Route, Tail};
use dicedist::number::{Fraction, Integer};
use dicedist::report::Query;
use dicedist::summary::{self, Figure, Moment, Summary};
use dicedist::{Error, ErrorKind};

/// The slow evaluator leaves mass unresolved in at most so many loops that follow each other.
const LOOPS: u32 = 1_000;

/// What the comparison of two evaluators found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// No figure of one contradicts the other.
    Agree,
    /// A figure on which they differ.
    Differ(String),
    /// Only the slow evaluator has answered: there is nothing to compare with.
    NoOther,
    /// Both give the same error. An error does not say who found it, so the slow evaluator may have found both.
    SameError,
    /// One of them reached a limit.
    Unknown(String),
}

/// Compares an answer with that of the slow evaluator, which is asked only where there is something to compare.
///
/// Listed probabilities must be equal where both know the whole distribution. Mass that one of them has
/// in a tail may lie on any value there that it does not list. Unresolved mass may lie on any value, listed or not,
/// or never end. Moments must be equal where both know them. The probability of an error may be higher by what the
/// slow evaluator leaves unresolved in [`LOOPS`] loops.
pub(super) fn compare(
    fast: &Result<Answer, Error>,
    tolerance: &Fraction,
    slow: impl FnOnce() -> Result<Answer, Error>,
) -> Verdict {
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
        Ok(slow) => compare_answers(fast, &slow).map_or(Verdict::Agree, Verdict::Differ),
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
                && are_close(fast.probability(), slow.probability(), tolerance);
            if is_same {
                Verdict::SameError
            } else {
                Verdict::Differ(format!("one says '{fast}', the other '{slow}'"))
            }
        }
        Ok(_) => Verdict::Differ(format!("only the fast one says '{fast}'")),
    }
}

/// Whether two probabilities are equal up to what the slow evaluator leaves unresolved in [`LOOPS`] loops.
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

/// A figure that contradicts the other answer, in words.
fn compare_answers(fast: &Answer, slow: &Answer) -> Option<String> {
    values(fast, slow)
        .or_else(|| never_ends(fast, slow))
        .or_else(|| tails(fast, slow))
        .or_else(|| moments(fast, slow))
}

/// What an answer says about single values.
struct Claims<'a> {
    answer: &'a Answer,
    listed: BTreeMap<Vec<Integer>, Fraction>,
    /// How much more a listed value can have.
    open: Fraction,
}

impl<'a> Claims<'a> {
    fn of(answer: &'a Answer) -> Self {
        Self {
            answer,
            listed: answer
                .outcomes
                .iter()
                .map(|(value, weight)| (value.members().to_vec(), answer.probability(weight)))
                .collect(),
            open: answer.probability(&answer.unresolved),
        }
    }

    /// The least and the most probability that a value can have.
    fn range(&self, value: &[Integer]) -> Figure {
        if let Some(probability) = self.listed.get(value) {
            return Figure::between(probability.clone(), probability + &self.open);
        }
        let mut most = self.open.clone();
        for tail in &self.answer.tails {
            let may_hold = match (tail, value) {
                (Tail::AtLeast(from, _), [number]) => from <= number,
                (Tail::AtMost(to, _), [number]) => number <= to,
                _ => true,
            };
            if may_hold {
                most += self.answer.probability(tail.weight());
            }
        }
        Figure::between(Fraction::from_integer(0.into()), most)
    }
}

fn values(fast: &Answer, slow: &Answer) -> Option<String> {
    let (fast, slow) = (Claims::of(fast), Claims::of(slow));
    let mut values = fast.listed.keys().chain(slow.listed.keys());
    values.find_map(|value| {
        let members: Vec<String> = value.iter().map(ToString::to_string).collect();
        let what = || format!("the probability of ({})", members.join(" "));
        apart(what, &fast.range(value), &slow.range(value))
    })
}

/// Compares the mass that never ends, to which unresolved mass may belong.
fn never_ends(fast: &Answer, slow: &Answer) -> Option<String> {
    let range = |answer: &Answer| {
        let least = answer.probability(&answer.never_ends);
        let most = &least + answer.probability(&answer.unresolved);
        Figure::between(least, most)
    };
    let what = || "the probability that it never ends".into();
    apart(what, &range(fast), &range(slow))
}

/// Compares the mass beyond the bound of each tail.
fn tails(fast: &Answer, slow: &Answer) -> Option<String> {
    let mut tails = fast.tails.iter().chain(&slow.tails);
    tails.find_map(|tail| {
        let (query, words) = match tail {
            Tail::AtLeast(bound, _) => (Query::AtLeast(bound.clone()), "or more"),
            Tail::AtMost(bound, _) => (Query::AtMost(bound.clone()), "or less"),
        };
        let what = || format!("the probability of {} {words}", tail.bound());
        let (fast, slow) = (summary::event(fast, &query)?, summary::event(slow, &query)?);
        apart(what, &fast, &slow)
    })
}

fn moments(fast: &Answer, slow: &Answer) -> Option<String> {
    let (fast, slow) = (Summary::of(fast), Summary::of(slow));
    let differ = |what, fast: &Moment, slow: &Moment| {
        let (fast_text, slow_text) = (known(fast)?, known(slow)?);
        (fast != slow)
            .then(|| format!("the {what} is {fast_text} by one and {slow_text} by the other"))
    };
    differ("mean", &fast.mean, &slow.mean)
        .or_else(|| differ("variance", &fast.variance, &slow.variance))
}

/// A moment as text, if anything is known about it.
fn known(moment: &Moment) -> Option<String> {
    match moment {
        Moment::Finite(moment) => Some(moment.to_string()),
        Moment::Infinite => Some("infinite".into()),
        Moment::Undefined | Moment::Unknown => None,
    }
}

/// The complaint about two figures that cannot be the same.
fn apart(what: impl FnOnce() -> String, fast: &Figure, slow: &Figure) -> Option<String> {
    let is_apart = fast.low() > slow.high() || slow.low() > fast.high();
    is_apart.then(|| {
        let (what, fast, slow) = (what(), text(fast), text(slow));
        format!("{what} is {fast} by one and {slow} by the other")
    })
}

fn text(figure: &Figure) -> String {
    match figure {
        Figure::Exact(exact) => exact.to_string(),
        Figure::Between { low, high } => format!("{low} to {high}"),
    }
}

#[cfg(test)]
mod tests {
    use dicedist::Diagnostic;
    use dicedist::algebra::{Distribution, Weight};
    use dicedist::engine::{Method, Moments, Outcomes, Reason};

    use super::*;

    fn answer(weights: &[(i64, u32)], total: u32) -> Answer {
        let weighted = weights
            .iter()
            .map(|&(value, weight)| (Integer::from(value), Weight::from(weight)));
        let listed = Distribution::new(weighted, Weight::from(total));
        Answer::exact(Outcomes::Numbers(listed), 0)
    }

    fn error(kind: ErrorKind) -> Error {
        Error::new(kind, Diagnostic::without_place("so"))
    }

    fn compare(
        fast: &Result<Answer, Error>,
        slow: impl FnOnce() -> Result<Answer, Error>,
    ) -> Verdict {
        super::compare(fast, &Fraction::new(1.into(), 1_000_000.into()), slow)
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
        let mut partial = answer(&[(1, 1)], 2);
        partial.unresolved = Weight::from(1_u32);
        assert_agree(&answer(&[(1, 2), (2, 2)], 4), &partial);
        assert_differ(&answer(&[(1, 1), (2, 3)], 4), &partial, "of (1)");
        let mut endless = answer(&[(1, 1)], 2);
        endless.never_ends = Weight::from(1_u32);
        assert_agree(&endless, &partial);
    }

    #[test]
    fn what_never_ends_for_one_is_no_tail_for_the_other() {
        let mut endless = answer(&[(1, 1)], 2);
        endless.never_ends = Weight::from(1_u32);
        let mut tailed = answer(&[(1, 1)], 2);
        tailed.tails = vec![Tail::AtLeast(Integer::from(2), Weight::from(1_u32))];
        tailed.method = Method::ExactWithTail;
        assert_differ(&endless, &tailed, "never ends");
    }

    #[test]
    fn a_tail_lies_beyond_its_bound() {
        let mut tailed = answer(&[(1, 1)], 2);
        tailed.tails = vec![Tail::AtLeast(Integer::from(5), Weight::from(1_u32))];
        assert_agree(&answer(&[(1, 1), (7, 1)], 2), &tailed);
        assert_differ(&answer(&[(1, 1), (3, 1)], 2), &tailed, "of (3)");
        let mut nearer = answer(&[(1, 1), (5, 1)], 4);
        nearer.tails = vec![Tail::AtMost(Integer::from(0), Weight::from(2_u32))];
        assert_differ(&nearer, &answer(&[(1, 1), (5, 3)], 4), "of (5)");
        let mut above = answer(&[(1, 1)], 4);
        above.tails = vec![Tail::AtLeast(Integer::from(5), Weight::from(3_u32))];
        let mut below = answer(&[(1, 1)], 4);
        below.tails = vec![Tail::AtMost(Integer::from(0), Weight::from(3_u32))];
        assert_differ(&above, &below, "or");
    }

    #[test]
    fn moments_are_compared_where_both_are_known() {
        let tailed = |mean: i64| {
            let mut tailed = answer(&[(1, 1)], 2);
            tailed.tails = vec![Tail::AtLeast(Integer::from(2), Weight::from(1_u32))];
            tailed.moments = Some(Moments {
                mean: Some(Fraction::from_integer(mean.into())),
                variance: None,
            });
            tailed
        };
        assert_agree(&tailed(2), &tailed(2));
        assert_differ(&tailed(2), &tailed(3), "the mean is");
        let mut unknown = tailed(3);
        unknown.moments = None;
        assert_agree(&tailed(2), &unknown);
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
            super::compare(
                &fast,
                &(&millionth / Fraction::from_integer(LOOPS.into())),
                || Err(with(slow)),
            )
        };
        assert_eq!(compare(9_999_990), Verdict::SameError);
        assert!(matches!(compare(9_999_989), Verdict::Differ(_)));
    }
}
