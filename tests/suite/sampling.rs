//! Estimates: their confidence bounds hold for every seed.

use std::num::NonZeroUsize;

use dicedist::algebra::{Distribution, Weight};
use dicedist::engine::analyze_or_estimate;
use dicedist::engine::estimate::{Request, estimate};
use dicedist::engine::{Answer, Method, Outcomes, Route};
use dicedist::limits::{LimitReached, Unobserved};
use dicedist::number::{Fraction, Integer};
use dicedist::summary::{Query, event};
use dicedist::{Dialect, Error, ErrorKind, Limits, engine};
use num_traits::Zero as _;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

use crate::command::{run, say};

fn generator(seed: u64) -> impl Fn(u64) -> ChaCha8Rng + Sync {
    move |chunk| {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(chunk);
        generator
    }
}

fn rolled(rule: &str, request: &Request) -> Result<Answer, Error> {
    let program = crate::rules::read(Dialect::Bones, rule).unwrap().sorted();
    let generator = generator(request.seed);
    estimate(
        &program,
        request,
        generator,
        &Limits::default(),
        &Unobserved,
    )
}

fn exact(rule: &str) -> Answer {
    let program = crate::rules::read(Dialect::Bones, rule).unwrap().sorted();
    engine::analyze(&program, &Limits::default(), &Unobserved).unwrap()
}

/// A hundred rules with many or few values, even or uneven probabilities, rare values, lists, or loops.
fn rules() -> Vec<String> {
    let forms: [fn(i64) -> String; 10] = [
        |k| format!("sum({k}#d6)"),
        |k| format!("d{}", 2 * k * k),
        |k| format!("count >{k} 10#d12"),
        |k| format!("sum(high {k} 12#d6)"),
        |k| format!("{k}#d3"),
        |k| format!("prod({k}#d4)"),
        |k| format!("let x={k}#d6 in high 1 (foreach y in 1..6 do sum(==y x))"),
        |k| format!("if >=d{} d100 then 1 else 0", 100 * k),
        |k| format!("count(while x=d{} do ((count >1 x)#d{}))", k + 1, k + 1),
        |k| format!("low 1 10#d{k}"),
    ];
    let rules = forms.iter().flat_map(|form| (1..=10).map(form));
    rules.collect()
}

/// Whether every bound of an estimate contains the exact probability.
fn holds(estimate: &Answer, exact: &Answer) -> bool {
    let sampling = estimate.sampling().unwrap();
    let listed: Vec<Vec<_>> = estimate
        .outcomes()
        .iter()
        .map(|(value, _)| value.numbers().unwrap().to_vec())
        .collect();
    let mut cells = exact.outcomes().iter().map(|(value, weight)| {
        let probability = exact.probability(weight);
        match listed.binary_search_by(|members| members.as_slice().cmp(value.numbers().unwrap())) {
            Ok(index) => {
                let interval = &sampling.intervals[index];
                interval.low <= probability && probability <= interval.high
            }
            Err(_) => probability <= sampling.unseen,
        }
    });
    let curve = exact.numbers().is_none_or(|numbers| {
        numbers.outcomes().iter().all(|number| {
            [Query::AtMost, Query::AtLeast].iter().all(|query| {
                let query = query(number.clone());
                let bounds = event(estimate, &query).unwrap();
                let truth = event(exact, &query).unwrap();
                bounds.low() <= truth.high() && truth.low() <= bounds.high()
            })
        })
    });
    cells.all(|holds| holds) && curve && blocks_hold(estimate, exact)
}

/// Whether the bounds of all round blocks with a value contain the exact probability.
fn blocks_hold(estimate: &Answer, exact: &Answer) -> bool {
    let (Some(counted), Some(numbers)) = (estimate.numbers(), exact.numbers()) else {
        return true;
    };
    let sampling = estimate.sampling().unwrap();
    let mass = |of: &Distribution<Integer>, low: i64, high: i64| -> Weight {
        let within = of
            .iter()
            .filter(|(value, _)| (low.into()..=high.into()).contains(*value));
        within.map(|(_, weight)| weight).sum()
    };
    [2, 5, 10, 20, 50].into_iter().all(|width: i64| {
        let values = numbers.outcomes().iter().filter_map(Integer::to_i64);
        let mut starts: Vec<i64> = values
            .map(|value| value.div_euclid(width) * width)
            .collect();
        starts.dedup();
        starts.into_iter().all(|low| {
            let high = low + width - 1;
            let count = u64::try_from(&mass(counted, low, high)).unwrap();
            let bounds = sampling.between(Some(&low.into()), Some(&high.into()), count);
            let truth = exact.probability(&mass(numbers, low, high));
            bounds.low <= truth && truth <= bounds.high
        })
    })
}

#[test]
fn sampled_tables_hold_the_exact_probabilities_as_often_as_promised() {
    for samples in [100, 2_000] {
        let rules = rules();
        let broken = rules.iter().zip(1..).filter(|(rule, seed)| {
            let request = Request::default().with_samples(samples).with_seed(*seed);
            !holds(&rolled(rule, &request).unwrap(), &exact(rule))
        });
        // With a confidence of 0.95, more than 12 of a hundred tables are wrong with probability 0.0015 (binomial).
        let broken = broken.count();
        assert!(broken <= 12, "{broken} of 100 with {samples} samples");
    }
}

#[test]
fn bounds_are_no_wider_than_they_must_be() {
    // For a face of a d6 in 10,000 rolls, the normal interval that holds for six faces together (Bonferroni) extends 0.0098 to
    // either side: z(1 - 0.05/12) = 2.64, and the standard deviation is 0.00373.
    let answer = rolled("d6", &Request::default().with_samples(10_000)).unwrap();
    let sampling = answer.sampling().unwrap();
    for interval in &sampling.intervals {
        let width = &interval.high - &interval.low;
        assert!(width < Fraction::new(3.into(), 100.into()), "{interval:?}");
    }
    // Massart's band for an error of 1/40: the square root of ln 80 / 20,000 is 0.014802.
    assert!(sampling.band < Fraction::new(14_803.into(), 1_000_000.into()));
    assert!(sampling.band > Fraction::new(14_801.into(), 1_000_000.into()));
}

/// For the k-th width, a block of probability p has the error 0.00625·p/k(k+1), so its interval extends about √(2t) standard
/// deviations to each side, with t = ln(2k(k+1)/0.00625p). For the blocks here, t is 8.8, 8.9 and 14.1: less than six standard
/// deviations.
#[test]
fn a_range_of_values_is_bounded_like_one_event() {
    let samples = 1_000_000_u64;
    let answer = rolled("d20", &Request::default().with_samples(1_000)).unwrap();
    let mut sampling = answer.sampling().unwrap().clone();
    sampling.samples = samples;
    for (low, high, count) in [(4, 5, 100_000_u64), (10, 19, 500_000), (0, 1, 500)] {
        let bounds = sampling.between(Some(&low.into()), Some(&high.into()), count);
        // Six standard deviations to each side: 144·p(1-p)/n is the square of the width.
        let p = Fraction::new(count.into(), samples.into());
        let width = &bounds.high - &bounds.low;
        let most = (Fraction::from_integer(1.into()) - &p)
            * &p
            * Fraction::new(144.into(), samples.into());
        assert!(&width * &width < most, "{low}..{high}: {bounds:?}");
        assert!(bounds.low < p && p < bounds.high);
    }
    // Half-lines: 6.5 standard deviations, since ln(4·1,000,001/0.00625) is 20.3, and the root of twice that is 6.4.
    let p = Fraction::new(1.into(), 1000.into());
    for [low, high] in [[Some(&19.into()), None], [None, Some(&2.into())]] {
        let bounds = sampling.between(low, high, 1_000);
        let width = &bounds.high - &bounds.low;
        let most = &p * Fraction::new(169.into(), samples.into());
        assert!(
            &width * &width < most * Fraction::new(11.into(), 10.into()),
            "{bounds:?}"
        );
        assert!(bounds.low < p && p < bounds.high);
    }
}

/// What the table leaves out is bounded by its last line, and JSON lists it.
#[test]
fn lists_without_a_row_have_no_more_than_the_table_says() {
    let rule = [
        "let x=5#d6 in let y=d3 in (y, ==y x, x)",
        "--max-states",
        "10",
        "--samples",
        "2000",
        "--seed",
        "3",
    ];
    let table = run(rule).stdout;
    let (_, most) = table
        .split_once("no list without a row has more than ")
        .unwrap();
    let most: f64 = most.split('%').next().unwrap().parse().unwrap();
    let json = run(rule.iter().chain(&["--format", "json"])).json();
    let outcomes = json["rules"][0]["outcomes"].as_array().unwrap();
    let mut left_out = 0;
    for outcome in outcomes {
        let members = outcome["value"].as_array().unwrap().iter();
        let label = members
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ");
        if !table
            .lines()
            .any(|line| line.starts_with(&format!("{label}  ")))
        {
            left_out += 1;
            assert!(
                outcome["high"].as_f64().unwrap() * 100.0 <= most,
                "{label}: {outcome}"
            );
        }
    }
    assert!(
        left_out > 0 && table.contains(&format!("{left_out} other lists")),
        "{left_out}"
    );
    let all = run(rule.iter().chain(&["--all"])).stdout;
    assert!(
        all.contains("no value that was never rolled has more than"),
        "{all}"
    );
}

#[test]
fn a_table_that_is_wrong_is_noticed() {
    // The tests above rely on this: bounds for another distribution do not hold.
    let request = Request::default().with_samples(2_000);
    assert!(!holds(&rolled("d6", &request).unwrap(), &exact("d7")));
    assert!(!holds(
        &rolled("sum(3#d6)", &request).unwrap(),
        &exact("sum(high 3 4#d6)")
    ));
}

#[test]
fn the_threads_do_not_matter() {
    let sampled = |threads: usize| {
        let request = Request::default().with_samples(3_001).with_seed(5);
        let request = request.with_threads(NonZeroUsize::new(threads).unwrap());
        rolled("let x=3#d6 in sum(x), count(>3 x)", &request).unwrap()
    };
    let one = sampled(1);
    assert_eq!(one.sampling().unwrap().samples, 3_001);
    for threads in [2, 3, 8] {
        assert_eq!(sampled(threads), one, "{threads} threads");
    }
    let other = rolled(
        "let x=3#d6 in sum(x), count(>3 x)",
        &Request::default().with_samples(3_001).with_seed(6),
    );
    assert_ne!(other.unwrap().outcomes(), one.outcomes(), "another seed");
}

#[test]
fn paths_that_are_too_long_are_counted() {
    // The rule never ends if the coin shows 2.
    let request = Request::default().with_samples(1_000).with_steps(200);
    let answer = rolled("let x=d2 in sum(while y=x do (>1 y))", &request).unwrap();
    let Outcomes::Numbers(numbers) = answer.outcomes() else {
        panic!("a number");
    };
    assert_eq!(numbers.mass() + answer.unresolved(), *answer.total());
    let sampling = answer.sampling().unwrap();
    let half = Fraction::new(1.into(), 2.into());
    assert!(sampling.overlong.low < half && half < sampling.overlong.high);
    // Unresolved rolls may have any value.
    let any = event(&answer, &Query::AtLeast(1_000_000.into())).unwrap();
    assert!(any.low().is_zero() && half < *any.high(), "{any:?}");
    // Without any value there is no estimate.
    let error = rolled("while x=1 do x", &request).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn an_error_of_some_samples_is_the_error_of_the_rule() {
    let error = rolled("6/(d6-1)", &Request::default().with_samples(1_000)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DivisionByZero);
    assert_eq!(error.probability(), None, "it is not known exactly");
}

#[test]
fn a_rule_is_sampled_only_where_the_exact_attempt_is_too_costly() {
    let request = Request::default().with_samples(500);
    let answered = |rule: &str, limits: &Limits| {
        let program = crate::rules::read(Dialect::Bones, rule).unwrap().sorted();
        analyze_or_estimate(&program, &request, generator(1), limits, &Unobserved)
    };
    let exact = answered("sum(3#d6)", &Limits::default()).unwrap();
    assert_eq!(exact.method, Method::Exact);
    let largest_sum = "let x=20#d10 in high 1 (foreach y in 1..10 do sum(==y x))";
    let sampled = answered(largest_sum, &Limits::default().with_states(50)).unwrap();
    assert_eq!(sampled.sampling().unwrap().samples, 500);
    assert_eq!(
        sampled.route,
        Route::Sampled(Some(LimitReached::States(50)))
    );
    // Rolling does not help against the memory limit.
    let error = answered(largest_sum, &Limits::default().with_memory(100)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

/// A rule that needs more states than its limit.
const COSTLY: [&str; 7] = [
    "let x=20#d10 in high 1 (foreach y in 1..10 do sum(==y x))",
    "--max-states",
    "50",
    "--samples",
    "2000",
    "--seed",
    "9",
];

#[test]
fn every_output_says_that_it_is_sampled() {
    let folder = tempfile::tempdir().unwrap();
    let with = |options: &[&str]| {
        let said = run(COSTLY.iter().chain(options));
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        said
    };
    let table = with(&[]);
    let note = "sampled with 2000 rolls (seed 9), not exact";
    assert!(table.stdout.contains(note), "{}", table.stdout);
    let why =
        "an estimate from random rolls, because the rule needs more states than the limit of 50";
    assert!(table.stderr.contains(why), "{}", table.stderr);
    assert!(table.stderr.contains("--max-states"), "{}", table.stderr);
    assert!(with(&["--format", "markdown"]).stdout.contains(note));

    let json = with(&["--format", "json"]).json();
    let rule = &json["rules"][0];
    assert_eq!(rule["method"], "sampled");
    assert_eq!(rule["sampling"]["samples"], 2000);
    assert_eq!(rule["sampling"]["seed"], 9);
    assert_eq!(rule["sampling"]["confidence"], 0.95);
    let outcome = &rule["outcomes"][0];
    assert!(outcome["probability"].is_null(), "no exact probability");
    assert!(outcome["low"].as_f64() <= outcome["decimal"].as_f64());
    assert!(outcome["high"].as_f64() >= outcome["decimal"].as_f64());
    assert!(
        json["warnings"][0]["message"]
            .as_str()
            .unwrap()
            .contains(why)
    );

    let csv = with(&["--format", "csv"]).stdout;
    let header = "name,value,probability,at_least,at_most,numerator,denominator,low,high";
    assert_eq!(csv.lines().next(), Some(header));

    let path = folder.path().join("out.svg");
    with(&["--svg", path.to_str().unwrap()]);
    let svg = std::fs::read_to_string(path).unwrap();
    assert!(svg.contains("sampled with 2,000 rolls"), "{svg}");
}

#[test]
fn exact_forbids_sampling_and_a_seed_repeats_it() {
    let said = run(COSTLY[..3].iter().chain(&["--exact"]));
    assert_eq!(said.code, Some(3), "{}", said.stdout);
    let said = run(COSTLY.iter().chain(&["--exact"]));
    assert_eq!(said.code, Some(2), "they contradict each other");
    assert_eq!(run(COSTLY).stdout, run(COSTLY).stdout);
    let without_seed = run(&COSTLY[..5]).stdout;
    assert!(without_seed.contains("(seed "), "{without_seed}");
}

#[test]
fn the_time_for_sampling_is_limited() {
    let rule = ["10000#d6", "--time-limit", "0.4", "--samples", "1000000000"];
    let started = std::time::Instant::now();
    let said = say(crate::command::dicedist(rule).arg("--ordered"));
    let time = started.elapsed();
    assert!(time.as_secs() < 10, "{time:?}");
    assert!(matches!(said.code, Some(0 | 3)), "{}", said.stderr);
}
