//! Reports: their numbers against oracles, their look against snapshots.

use std::time::Duration;

use dicedist::Rule;
use dicedist::algebra::weight::probability;
use dicedist::algebra::{Distribution, Law, Mass, Moments, Numbers, Weight};
use dicedist::compare::{Comparison, Dominance};
use dicedist::engine::estimate::Request;
use dicedist::engine::{Answer, Interval, List, Method, Outcomes};
use dicedist::error::{Diagnostic, Error, ErrorKind};
use dicedist::limits::{Budget, LimitReached, Limits, Unobserved};
use dicedist::number::{Fraction, Integer};
use dicedist::report::{self, Answered, Layout, Query, Refused, Report, Style, View};
use dicedist::source::{Shown, Source, Span};
use dicedist::summary::{Figure, Moment, Summary, event, quantile};

/// The usual style with other fields.
macro_rules! style {
    ($($field:ident: $value:expr),* $(,)?) => {{
        let mut style = Style::default();
        $(style.$field = $value;)*
        style
    }};
}

/// The sum of dice, by convolution with a running window.
pub(super) fn sum_of_dice(count: usize, sides: usize) -> Distribution<Integer> {
    let mut weights = vec![Weight::from(1u32)];
    for _ in 0..count {
        let mut next = Vec::with_capacity(weights.len() + sides);
        let mut window = Weight::ZERO;
        for index in 0..weights.len() + sides - 1 {
            if let Some(entering) = weights.get(index) {
                window += entering;
            }
            if index >= sides {
                window -= &weights[index - sides];
            }
            next.push(window.clone());
        }
        weights = next;
    }
    let total = Weight::from(sides).pow(u32::try_from(count).unwrap());
    Distribution::new(
        weights
            .into_iter()
            .enumerate()
            .map(|(index, weight)| (Integer::from(index + count), weight)),
        total,
    )
}

pub(super) fn exact(numbers: Distribution<Integer>) -> Answer {
    Answer::exact(Outcomes::Numbers(numbers), 1)
}

/// An answer of listed numbers and masses in intervals. The missing mass never ends.
pub(super) fn with_masses(
    numbers: Distribution<Integer>,
    masses: Vec<Mass>,
    moments: Option<Moments>,
) -> Answer {
    let located: Weight = masses.iter().map(|mass| &mass.weight).sum();
    let never_ends = numbers.total() - numbers.mass() - located;
    let law = Law::new(Numbers::from(numbers), masses, never_ends, moments);
    Answer::new(law, 1)
}

/// The moments of a rule that always ends, from its mean and its variance.
fn moments(mean: Fraction, variance: Option<Fraction>) -> Moments {
    Moments {
        ends: fraction(1, 1),
        second: variance.map(|variance| variance + &mean * &mean),
        first: Some(mean),
    }
}

/// The answer with unknown moments.
fn without_moments(mut answer: Answer) -> Answer {
    answer.law.unlisted.as_mut().unwrap().moments = None;
    answer
}

/// The distribution of a function of some dice, by enumeration of all ordered rolls.
fn enumerated<T: Ord>(dice: &[i64], value: impl Fn(&[i64]) -> T) -> Distribution<T> {
    let count = usize::try_from(dice.iter().product::<i64>()).unwrap();
    let rolls = (0..i64::try_from(count).unwrap()).map(|mut index| {
        let faces: Vec<i64> = dice
            .iter()
            .map(|sides| {
                let face = index % sides + 1;
                index /= sides;
                face
            })
            .collect();
        (value(&faces), Weight::from(1u32))
    });
    Distribution::new(rolls, Weight::from(count))
}

/// `sum(drop low 1 4#d6)`.
pub(super) fn heroic() -> Answer {
    exact(enumerated(&[6; 4], |faces| {
        let sum: i64 = faces.iter().sum();
        Integer::from(sum - faces.iter().min().unwrap())
    }))
}

/// The sum of a d6 that is rolled again after a six, listed up to a bound: `P(6k + r) = 6^-(k+1)`.
pub(super) fn exploding(rolls: u32) -> Answer {
    let total = Weight::from(6u32).pow(rolls);
    let faces = (0..rolls).flat_map(|again| {
        (1..=5i64).map(move |face| {
            let value = Integer::from(i64::from(again) * 6 + face);
            (value, Weight::from(6u32).pow(rolls - again - 1))
        })
    });
    let numbers = Distribution::new(faces, total);
    let bound = Integer::from(i64::from(rolls) * 6 + 1);
    let tail = Mass::at_or_above(bound, Weight::from(1u32));
    let moments = moments(fraction(21, 5), Some(fraction(266, 25)));
    with_masses(numbers, vec![tail], Some(moments))
}

/// The three dice of `3#d6` as a sorted list.
pub(super) fn three_dice(sides: i64) -> Answer {
    let lists = enumerated(&[sides; 3], |faces| {
        let mut list: List = faces.iter().map(|face| Integer::from(*face)).collect();
        list.sort();
        list
    });
    Answer::exact(Outcomes::Lists(lists), 1)
}

pub(super) fn fraction(numerator: i64, denominator: i64) -> Fraction {
    Fraction::new(numerator.into(), denominator.into())
}

pub(super) fn int(value: i64) -> Integer {
    Integer::from(value)
}

pub(super) fn named(name: &str, answer: Answer) -> Answered {
    Answered::new(name, answer)
}

fn table(rules: &[Answered], style: &Style) -> String {
    written(|out| report::table::write(&Report::of(rules), style, out))
}

/// The number of dice that show one of `hits` faces among `sides`: binomial.
pub(super) fn binomial(count: usize, hits: u32, sides: u32) -> Distribution<Integer> {
    let mut weights = vec![Weight::from(1u32)];
    for _ in 0..count {
        let mut next = vec![Weight::ZERO; weights.len() + 1];
        for (index, weight) in weights.iter().enumerate() {
            next[index] += weight * (sides - hits);
            next[index + 1] += weight * hits;
        }
        weights = next;
    }
    let total = Weight::from(sides).pow(u32::try_from(count).unwrap());
    let weighted = weights.into_iter().enumerate();
    Distribution::new(
        weighted.map(|(index, weight)| (Integer::from(index), weight)),
        total,
    )
}

/// A d6 rolled a thousand times, with made-up intervals.
pub(super) fn sampled() -> Answer {
    let counts = [160u32, 171, 175, 158, 169, 167];
    let numbers = Distribution::new(
        counts
            .iter()
            .enumerate()
            .map(|(index, count)| (Integer::from(index + 1), Weight::from(*count))),
        1000u32.into(),
    );
    let interval = |count: &u32| Interval {
        low: fraction(i64::from(*count) - 30, 1000),
        high: fraction(i64::from(*count) + 30, 1000),
    };
    // All figures of a few real rolls are replaced.
    let rolls = Request::default().with_samples(10).with_seed(42);
    let rolled =
        Rule::bones("count(while x = 6#d6 do foreach y in x do if d6 > 1 then y else ())").unwrap();
    let rolled = rolled.solver().states(1).sample_by(rolls).answer().unwrap();
    let mut sampling = rolled.sampling().unwrap().clone();
    sampling.samples = 1000;
    sampling.steps = 100;
    sampling.confidence = fraction(95, 100);
    sampling.intervals = counts.iter().map(interval).collect();
    sampling.overlong = Interval {
        low: fraction(0, 1),
        high: fraction(1, 100),
    };
    sampling.stopped = None;
    sampling.unseen = fraction(1, 100);
    sampling.band = fraction(1, 10);
    let mut answer = exact(numbers);
    answer.method = Method::Sampled(Box::new(sampling));
    answer
}

pub(super) fn d(sides: usize) -> Answer {
    exact(sum_of_dice(1, sides))
}

pub(super) fn with_parameter(
    name: &str,
    parameter: &str,
    value: usize,
    answer: Answer,
) -> Answered {
    let parameters = vec![(parameter.to_owned(), Integer::from(value))];
    let mut answered = named(name, answer);
    answered.parameters = parameters;
    answered
}

/// The number of successes of n dice, for several n.
pub(super) fn sweep() -> Vec<Answered> {
    (1..=10)
        .map(|n| with_parameter("count >=8 n#d10", "n", n, exact(binomial(n, 3, 10))))
        .collect()
}

/// Six faces with a tenth each; the rest never ends.
pub(super) fn endless() -> Answer {
    let faces = (1..=6).map(|face| (int(face), Weight::from(1u32)));
    with_masses(Distribution::new(faces, 10u32.into()), Vec::new(), None)
}

pub(super) fn written(write: impl FnOnce(&mut Shown<Vec<u8>>) -> std::io::Result<()>) -> String {
    let mut out = Shown::on(Vec::new());
    write(&mut out).unwrap();
    out.to_string()
}

fn csv(rules: &[Answered]) -> Vec<Vec<String>> {
    let text = written(|out| report::csv::write(&Report::of(rules), &Style::default(), out));
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes());
    reader
        .records()
        .map(|record| record.unwrap().iter().map(ToOwned::to_owned).collect())
        .collect()
}

fn json(rules: &[Answered], refused: &[Refused], style: &Style) -> serde_json::Value {
    let text =
        written(|out| report::json::write(&Report::of(rules).with_refused(refused), style, out));
    serde_json::from_str(&text).unwrap()
}

pub(super) fn svg(rules: &[Answered], view: View) -> String {
    let style = style!(view: view);
    written(|out| report::svg::write(&Report::of(rules), &style, out))
}

// Summaries.

#[test]
fn four_dice_drop_lowest_has_its_known_moments() {
    // Source: enumeration of 6^4 rolls; 15869/1296 is the published mean.
    let summary = Summary::of(&heroic());
    assert_eq!(summary.mean, Moment::Finite(fraction(15869, 1296)));
    assert_eq!(
        summary.variance,
        Moment::Finite(fraction(13_612_487, 1_679_616))
    );
    assert_eq!(summary.mode, Some(vec![10])); // 13, the eleventh from 3 on
    assert_eq!(
        (summary.min, summary.median, summary.max),
        (Some(int(3)), Some(int(12)), Some(int(18)))
    );
}

#[test]
fn shape_of_sums_of_dice_follows_the_closed_form() {
    // Source: the excess kurtosis of a sum of n dice with s sides is -6(s^2+1) / (5n(s^2-1)).
    for (count, sides) in [(1, 6), (3, 6), (7, 20), (100, 6)] {
        let summary = Summary::of(&exact(sum_of_dice(count, sides)));
        let (n, s) = (i64::try_from(count).unwrap(), i64::try_from(sides).unwrap());
        let expected = fraction(-6 * (s * s + 1), 5 * n * (s * s - 1));
        assert_eq!(summary.excess_kurtosis, Moment::Finite(expected), "{n}d{s}");
        assert_eq!(
            summary.variance,
            Moment::Finite(fraction(n * (s * s - 1), 12))
        );
        let skewness = summary.skewness.finite().unwrap();
        assert_eq!(skewness.square, fraction(0, 1));
    }
}

#[test]
fn shape_of_one_success_follows_the_closed_form() {
    // Source: Bernoulli, skewness (1-2p)/sqrt(pq), excess kurtosis (1-6pq)/(pq); here p = 1/100.
    let summary = Summary::of(&exact(binomial(1, 1, 100)));
    let skewness = summary.skewness.finite().unwrap();
    assert_eq!(skewness.square, fraction(98 * 98, 99));
    assert_eq!(skewness.sign, num_bigint::Sign::Plus);
    assert_eq!(
        summary.excess_kurtosis,
        Moment::Finite(fraction(10_000 - 594, 99))
    );
}

#[test]
fn a_certain_value_has_no_shape() {
    let summary = Summary::of(&exact(Distribution::new(
        [(int(7), Weight::from(3u32))],
        3u32.into(),
    )));
    assert_eq!(summary.variance, Moment::Finite(fraction(0, 1)));
    assert_eq!(summary.skewness, Moment::Undefined);
    assert_eq!(summary.excess_kurtosis, Moment::Undefined);
}

#[test]
fn moments_do_not_depend_on_where_the_values_are() {
    let far = "1267650600228229401496703205376"
        .parse::<Integer>()
        .unwrap();
    let moved = sum_of_dice(3, 6).relabelled(|value| value.add(&far).unwrap());
    let (near, moved) = (
        Summary::of(&exact(sum_of_dice(3, 6))),
        Summary::of(&exact(moved)),
    );
    assert_eq!(near.variance, moved.variance);
    assert_eq!(near.excess_kurtosis, moved.excess_kurtosis);
    assert_eq!(moved.median, Some(near.median.unwrap().add(&far).unwrap()));
}

#[test]
fn what_a_tail_leaves_open_is_not_known() {
    let open = exploding(2); // 1 to 5, 7 to 11, and 1/36 at 13 or above
    let summary = Summary::of(&open);
    assert_eq!(summary.mean, Moment::Finite(fraction(21, 5)));
    assert_eq!((summary.min, summary.max), (Some(int(1)), None));
    assert_eq!(summary.median, Some(int(3)));
    assert_eq!(summary.mode, Some((0..5).collect())); // 1 to 5
    assert_eq!(summary.excess_kurtosis, Moment::Unknown);
    assert_eq!(quantile(&open, &fraction(35, 36)), Some(int(11)));
    assert_eq!(quantile(&open, &fraction(99, 100)), None);
    let unknown = without_moments(open);
    assert_eq!(Summary::of(&unknown).mean, Moment::Unknown);
}

#[test]
fn unresolved_mass_leaves_the_quantiles_it_could_move_open() {
    let faces = (1..=6).map(|face| (int(face), Weight::from(10u32)));
    let unresolved = Mass::anywhere(3u32.into());
    let answer = with_masses(
        Distribution::new(faces, 63u32.into()),
        vec![unresolved],
        None,
    );
    // Each face has 10/63, and 3/63 are unresolved. Half is 31.5/63: up to a three there are 30 to 33, up to a four 40 or more.
    assert_eq!(quantile(&answer, &fraction(1, 2)), None);
    assert_eq!(quantile(&answer, &fraction(35, 63)), Some(int(4)));
    let summary = Summary::of(&answer);
    assert_eq!((summary.min, summary.max, summary.mode), (None, None, None));
    assert_eq!(
        event(&answer, &Query::AtLeast(int(5))),
        Some(Figure::between(fraction(20, 63), fraction(23, 63)))
    );
}

#[test]
fn unresolved_mass_leaves_the_curves_open_wherever_they_are_shown() {
    let faces = (1..=2).map(|face| (int(face), Weight::from(40u32)));
    let unresolved = Mass::anywhere(20u32.into());
    let answer = with_masses(
        Distribution::new(faces, 100u32.into()),
        vec![unresolved],
        None,
    );
    let rules = [named("open", answer)];
    let rows = csv(&rules);
    assert_eq!(rows[1][1..6], ["1", "", "0.40000000000000000", "", ""]);
    assert_eq!(
        rows[3][1..6],
        ["", "unresolved", "0.20000000000000000", "", ""]
    );
    let style = style!(view: View::AtLeast,
        fractions: true);
    let text = table(&rules, &style);
    assert!(
        text.contains("≈90.0000% ± 10.0000%") && text.contains("4/5 to 1\n"),
        "{text}"
    );
    assert!(
        text.contains("\nunresolved              20.0000%"),
        "{text}"
    );
    let picture = written(|out| report::svg::write(&Report::of(&rules), &style, out));
    assert!(
        picture.contains("chance of at least this value (or more)"),
        "{picture}"
    );
}

#[test]
fn ranges_of_values_do_not_begin_below_the_least() {
    let text = table(&[named("d50", d(50))], &Style::default());
    assert!(text.contains("\n  1..2  4.0000%"), "{text}");
    assert!(text.contains("\n49..50  4.0000%"), "{text}");
    let text = table(&[named("d55", d(55))], &Style::default());
    assert!(text.contains("\n    55  1.8182%"), "{text}");
    let note = "\n(55 values in ranges of 2, the last one narrower)\n";
    assert!(text.contains(note), "{text}");
    // 1000 values, with 99.95% of the mass below 501.
    let weights = (1..=1000).map(|value| {
        (
            int(value),
            Weight::from(if value <= 500 { 20_000 } else { 1u32 }),
        )
    });
    let skewed = exact(Distribution::new(weights, 10_000_500u32.into()));
    let text = table(&[named("skewed", skewed)], &Style::default());
    let first = text.lines().nth(3).unwrap();
    assert!(first.trim_start().starts_with("1.."), "{text}");
}

#[test]
fn lists_are_shown_one_by_one_in_every_view() {
    let lists = [(vec![int(1), int(2)], Weight::from(1u32))];
    let answer = Answer::exact(Outcomes::Lists(Distribution::new(lists, 1u32.into())), 1);
    let style = style!(view: View::AtLeast);
    let text = table(&[named("list", answer)], &style);
    assert!(
        text.contains("probability") && !text.contains("at least"),
        "{text}"
    );
}

#[test]
fn figures_are_given_that_the_roll_ends_but_events_are_not() {
    let summary = Summary::of(&endless());
    assert!(summary.conditional);
    assert_eq!(summary.mean, Moment::Finite(fraction(7, 2)));
    assert_eq!(summary.median, Some(int(3)));
    assert_eq!(
        event(&endless(), &Query::AtLeast(int(4))),
        Some(Figure::Exact(fraction(3, 10)))
    );
    let never = with_masses(Distribution::new([], 1u32.into()), Vec::new(), None);
    let summary = Summary::of(&never);
    assert_eq!(
        (summary.mean, summary.median, summary.mode),
        (Moment::Undefined, None, None)
    );
    assert_eq!(Summary::of(&three_dice(6)).mean, Moment::Undefined);
}

#[test]
fn events_meet_tails_as_intervals() {
    let open = exploding(2);
    let share = |query| event(&open, &query).unwrap();
    assert_eq!(
        share(Query::AtLeast(int(13))),
        Figure::Exact(fraction(1, 36))
    );
    assert_eq!(
        share(Query::AtLeast(int(9))),
        Figure::Exact(fraction(4, 36))
    );
    assert_eq!(
        share(Query::AtLeast(int(14))),
        Figure::between(fraction(0, 1), fraction(1, 36))
    );
    assert_eq!(
        share(Query::AtMost(int(12))),
        Figure::Exact(fraction(35, 36))
    );
    assert_eq!(
        share(Query::AtMost(int(13))),
        Figure::between(fraction(35, 36), fraction(1, 1))
    );
    assert_eq!(
        share(Query::Exactly(int(13))),
        Figure::between(fraction(0, 1), fraction(1, 36))
    );
    assert_eq!(
        share(Query::Exactly(int(12))),
        Figure::Exact(fraction(0, 1))
    );
    assert_eq!(event(&three_dice(2), &Query::AtLeast(int(1))), None);
}

// Comparisons.

#[test]
fn heroic_against_normal_agrees_with_every_roll_of_seven_dice() {
    // Source: all 6^7 rolls, the first four for one side and the last three for the other.
    let outcome = enumerated(&[6; 7], |faces| {
        let heroic = faces[..4].iter().sum::<i64>() - faces[..4].iter().min().unwrap();
        heroic.cmp(&faces[4..].iter().sum())
    });
    let comparison = Comparison::of(&heroic(), &exact(sum_of_dice(3, 6))).unwrap();
    let figures = [&comparison.b_wins, &comparison.tie, &comparison.a_wins];
    for (weight, figure) in outcome.weights().iter().zip(figures) {
        let share = probability(weight, outcome.total());
        assert_eq!(figure.exact(), Some(&share));
    }
    assert_eq!(
        comparison.mean_difference,
        Some(fraction(15869, 1296) - fraction(21, 2))
    );
    assert_eq!(comparison.dominance, Dominance::A);
}

#[test]
fn one_die_against_another_follows_the_closed_forms() {
    // Source: for n >= m, P(dn > dm) = 1 - (m+1)/2n and P(dn = dm) = 1/n. The cumulative curves differ most at m, by 1 - m/n,
    // which is also the total variation distance.
    for (n, m) in [(6, 6), (8, 6), (20, 6), (100, 7), (12, 1)] {
        let (large, small) = (d(n), d(m));
        let (n, m) = (i64::try_from(n).unwrap(), i64::try_from(m).unwrap());
        let comparison = Comparison::of(&large, &small).unwrap();
        assert_eq!(
            comparison.a_wins,
            Figure::Exact(fraction(2 * n - m - 1, 2 * n)),
            "d{n} d{m}"
        );
        assert_eq!(comparison.tie, Figure::Exact(fraction(1, n)));
        assert_eq!(comparison.kolmogorov, Figure::Exact(fraction(n - m, n)));
        assert_eq!(
            comparison.total_variation,
            Figure::Exact(fraction(n - m, n))
        );
        let expected = if n == m {
            Dominance::Equal
        } else {
            Dominance::A
        };
        assert_eq!(comparison.dominance, expected);
        let mirrored = Comparison::of(&small, &large).unwrap();
        assert_eq!(mirrored.b_wins, comparison.a_wins);
        assert_eq!(mirrored.kolmogorov, comparison.kolmogorov);
    }
}

#[test]
fn one_twenty_sided_die_and_two_of_ten_are_each_better_somewhere() {
    let comparison = Comparison::of(&d(20), &exact(sum_of_dice(2, 10))).unwrap();
    assert_eq!(comparison.dominance, Dominance::Neither);
}

#[test]
fn rules_with_no_common_value_are_as_far_apart_as_can_be() {
    let high = exact(sum_of_dice(1, 6).relabelled(|value| value.add(&int(100)).unwrap()));
    let comparison = Comparison::of(&high, &d(6)).unwrap();
    assert_eq!(comparison.a_wins, Figure::Exact(fraction(1, 1)));
    assert_eq!(comparison.total_variation, Figure::Exact(fraction(1, 1)));
    assert_eq!(comparison.kolmogorov, Figure::Exact(fraction(1, 1)));
}

#[test]
fn a_tail_that_decides_nothing_leaves_nothing_open() {
    // The whole tail is at least 7 and beats a d6, so further rerolls change nothing.
    for rolls in [1, 2, 30] {
        let comparison = Comparison::of(&exploding(rolls), &d(6)).unwrap();
        // A six is rolled again and beats every face: 6 wins. The other five faces have 10 wins and 5 ties, of 36.
        assert_eq!(
            comparison.a_wins,
            Figure::Exact(fraction(16, 36)),
            "{rolls}"
        );
        assert_eq!(comparison.tie, Figure::Exact(fraction(5, 36)));
        assert_eq!(comparison.dominance, Dominance::A);
        assert_eq!(comparison.mean_difference, Some(fraction(7, 10)));
    }
}

#[test]
fn bounds_of_open_figures_hold_the_figures_of_a_longer_listing() {
    let opponents = [d(20), exact(sum_of_dice(3, 6)), exploding(3)];
    for opponent in &opponents {
        let sharp = Comparison::of(&exploding(40), opponent).unwrap();
        for rolls in 1..6 {
            let rough = Comparison::of(&exploding(rolls), opponent).unwrap();
            let figures = [
                (&rough.a_wins, &sharp.a_wins),
                (&rough.tie, &sharp.tie),
                (&rough.b_wins, &sharp.b_wins),
                (&rough.total_variation, &sharp.total_variation),
                (&rough.kolmogorov, &sharp.kolmogorov),
            ];
            for (rough, sharp) in figures {
                assert!(rough.low() <= sharp.low(), "{rough:?} {sharp:?}");
                assert!(sharp.high() <= rough.high(), "{rough:?} {sharp:?}");
            }
        }
    }
}

#[test]
fn what_never_ends_neither_wins_nor_ties() {
    let comparison = Comparison::of(&endless(), &d(6)).unwrap();
    assert_eq!(comparison.a_wins, Figure::Exact(fraction(15, 60)));
    assert_eq!(comparison.tie, Figure::Exact(fraction(6, 60)));
    assert_eq!(comparison.b_wins, Figure::Exact(fraction(15, 60)));
    assert_eq!(comparison.total_variation, Figure::Exact(fraction(4, 10)));
    assert_eq!(comparison.kolmogorov, Figure::Exact(fraction(4, 10)));
    assert_eq!(comparison.dominance, Dominance::B);
}

#[test]
fn lists_and_samples_are_not_compared() {
    assert_eq!(Comparison::of(&three_dice(6), &d(6)), None);
    assert_eq!(Comparison::of(&d(6), &sampled()), None);
}

// CSV.

#[test]
fn csv_has_exact_fractions_and_seventeen_digits() {
    let rows = csv(&[named("sum(drop low 1 4#d6)", heroic())]);
    let header = "name,value,probability,at_least,at_most,numerator,denominator";
    assert_eq!(rows[0].join(","), header);
    assert_eq!(rows.len(), 17);
    assert_eq!(
        rows[1],
        [
            "sum(drop low 1 4#d6)",
            "3",
            "0.00077160493827160494",
            "1.0000000000000000",
            "0.00077160493827160494",
            "1",
            "1296"
        ]
    );
    assert_eq!(rows[16][3], "0.016203703703703704"); // 7/432 = 0.0162037037037037037…
}

#[test]
fn csv_of_a_long_rule_is_exact_and_quick() {
    let rules = [named("sum(1000#d6)", exact(sum_of_dice(1000, 6)))];
    let start = std::time::Instant::now();
    let rows = csv(&rules);
    let elapsed = start.elapsed();
    assert!(elapsed.as_secs() < 3, "{elapsed:?}"); // some 40 ms where nothing else runs
    assert_eq!(rows.len(), 5002);
    let sum: Fraction = rows[1..]
        .iter()
        .map(|row| Fraction::new_raw(row[5].parse().unwrap(), row[6].parse().unwrap()))
        .fold(fraction(0, 1), |sum, next| {
            // The common total makes the test quick.
            let total = num_bigint::BigInt::from(6u32).pow(1000);
            let scaled = next.numer() * (&total / next.denom());
            Fraction::new_raw(sum.numer() + scaled, total)
        });
    assert_eq!(sum.numer(), &num_bigint::BigInt::from(6u32).pow(1000));
    // Source: 6^-1000 = 10^(-1000 log10 6).
    assert!(rows[1][2].ends_with("e-779"), "{}", rows[1][2]);
}

#[test]
fn csv_of_a_parameter_named_like_a_column_has_no_column_twice() {
    let rule = with_parameter("value+low", "value", 3, d(2));
    let rows = csv(&[rule, with_parameter("low", "low", 7, d(2))]);
    assert_eq!(
        rows[0].join(","),
        "name,set:value,low,value,probability,at_least,at_most,numerator,denominator"
    );
    assert_eq!(rows[1][..4], ["value+low", "3", "", "1"]);
    assert_eq!(rows[3][..4], ["low", "", "7", "1"]);
    let rows = csv(&[with_parameter("low", "low", 7, sampled())]);
    assert_eq!(
        rows[0][1], "set:low",
        "the bounds of a sample are columns, too"
    );
}

#[test]
fn csv_of_queries_is_just_these() {
    let style = style!(queries: vec![Query::AtLeast(int(5)), Query::Exactly(int(9))]);
    let text =
        |rules: &[Answered]| written(|out| report::csv::write(&Report::of(rules), &style, out));
    assert_eq!(
        text(&[
            with_parameter("nd6", "query", 1, d(6)),
            named("3d6", three_dice(6))
        ]),
        "name,set:query,query,value,probability,numerator,denominator\r\n\
         nd6,1,at-least,5,0.33333333333333333,1,3\r\n\
         nd6,1,exactly,9,0,0,1\r\n\
         3d6,,at-least,5,,,\r\n\
         3d6,,exactly,9,,,\r\n"
    );
    // 1 to 5 and 7 to 11 are listed, and 1/36 is at 13 or above. The whole tail is at least 13, and 14 may be in it.
    let style = style!(queries: vec![Query::AtLeast(int(13)), Query::Exactly(int(14))]);
    let text =
        written(|out| report::csv::write(&Report::of(&[named("x", exploding(2))]), &style, out));
    assert_eq!(
        text,
        "name,query,value,probability,numerator,denominator,low,high\r\n\
         x,at-least,13,0.027777777777777778,1,36,,\r\n\
         x,exactly,14,,,,0,0.027777777777777776\r\n"
    );
}

#[test]
fn markdown_of_queries_is_just_these() {
    let style = style!(queries: vec![Query::AtLeast(int(5))]);
    let text = |rules: &[Answered]| {
        written(|out| report::markdown::write(&Report::of(rules), &style, out))
    };
    assert_eq!(
        text(&[named("d6", d(6))]),
        "| event | probability | decimal | fraction |\n\
         | :--- | ---: | ---: | :--- |\n\
         | at least 5 | 33.3333% | 0.333333 | 1/3 |\n"
    );
    assert_eq!(
        text(&[named("d6", d(6)), named("d*", d(4))]),
        "|  | at least 5 | fraction |\n\
         | :--- | ---: | :--- |\n\
         | d6 | 33.3333% | 1/3 |\n\
         | d\\* | 0% | 0 |\n"
    );
}

#[test]
fn what_does_not_exist_is_no_unknown() {
    let seven = exact(Distribution::new([(int(7), 1u32.into())], 1u32.into()));
    let rules = [
        named("list", three_dice(2)),
        named("seven", seven),
        named("die", d(6)),
        named("open", without_moments(exploding(2))),
    ];
    let mut style = Style::default();
    style.layout = Layout::Summary;
    let text = table(&rules, &style);
    let cells = |label: &str| -> Vec<String> {
        let line = text.lines().find(|line| line.starts_with(label)).unwrap();
        let cells = line[label.len()..].split_whitespace();
        cells.map(ToOwned::to_owned).collect()
    };
    assert_eq!(cells("mean"), ["-", "7.0000", "3.5000", "unknown"]);
    assert_eq!(cells("skewness"), ["-", "-", "0.0000", "unknown"]);
    assert_eq!(cells("median"), ["-", "7", "3", "3"]);
}

#[test]
fn csv_disarms_formulas_whatever_their_sign_is_written_with() {
    // Source: OWASP, "CSV Injection": the signs that begin formulas, with their fullwidth forms.
    for sign in ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"] {
        let rule = Answered::new(format!("{sign}1+1"), exact(sum_of_dice(1, 2)));
        let text = written(|out| report::csv::write(&Report::of(&[rule]), &Style::default(), out));
        let row = text.split_once("\r\n").unwrap().1.trim_start_matches('"');
        let expected = Shown::from(format!("'{sign}1+1")).to_string();
        assert!(row.starts_with(&expected), "{text:?}");
    }
}

#[test]
fn csv_quotes_names_and_disarms_formulas() {
    let rules = [
        named("a, \"b\"", d(2)),
        named("=1+1", d(1)),
        named("-d6", d(1)),
        with_parameter("@sum", "n", 5, d(1)),
    ];
    let text = written(|out| report::csv::write(&Report::of(&rules), &Style::default(), out));
    assert!(text.starts_with("name,n,value,"));
    assert!(text.contains("\"a, \"\"b\"\"\",,1,"));
    assert!(text.contains("'=1+1,,1,"));
    assert!(text.contains("'-d6,,1,"));
    assert!(text.contains("'@sum,5,1,"));
}

#[test]
fn csv_shows_tails_and_mass_without_a_value() {
    let answer = exploding(1);
    let numbers = answer.numbers().unwrap();
    let weighted = numbers.iter();
    let weighted = weighted.map(|(value, weight)| (value.clone(), weight.clone()));
    let tail = answer.above().unwrap();
    let tail = Mass::at_or_above(tail.bound.clone(), tail.weight.clone());
    // A further weight of 2 never ends.
    let numbers = Distribution::new(weighted, numbers.total() + 2u32);
    let answer = with_masses(numbers, vec![tail], None);
    let rows = csv(&[named("exploding", answer)]);
    let last: Vec<&[String]> = rows[rows.len() - 2..].iter().map(|row| &row[1..]).collect();
    assert_eq!(
        last[0],
        [
            "",
            ">=7",
            "0.12500000000000000",
            "0.12500000000000000",
            "",
            "1",
            "8"
        ]
    );
    assert_eq!(
        last[1],
        ["", "never ends", "0.25000000000000000", "", "", "1", "4"]
    );
    assert_eq!(rows[1][4], "0.75000000000000000"); // at least 1, when it ends
}

#[test]
fn csv_of_lists_has_no_curves() {
    let list = |members: &[i64]| members.iter().map(|member| int(*member)).collect::<List>();
    let lists = Distribution::new(
        [(list(&[]), 1u32.into()), (list(&[1, 1, 6]), 3u32.into())],
        4u32.into(),
    );
    let rows = csv(&[named("dice", Answer::exact(Outcomes::Lists(lists), 1))]);
    assert_eq!(rows[1][1..], ["", "0.25000000000000000", "", "", "1", "4"]);
    assert_eq!(
        rows[2][1..],
        ["1 1 6", "0.75000000000000000", "", "", "3", "4"]
    );
}

#[test]
fn csv_of_a_sample_has_bounds_instead_of_fractions() {
    let rows = csv(&[named("sampled", sampled())]);
    assert_eq!(rows[0][5..], ["numerator", "denominator", "low", "high"]);
    assert_eq!(rows[1][5..], ["", "", "0.13", "0.19"]);
}

// JSON.

#[test]
fn json_has_the_keys_of_the_contract_in_order() {
    let json = json(&[named("heroic", heroic())], &[], &Style::default());
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        ["version", "rules", "comparisons", "warnings", "errors"]
    );
    let rule = &json["rules"][0];
    let keys: Vec<&str> = rule
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let expected = "rule name expression dialect parameters method kind outcomes tail unresolved never_ends mean \
        variance moments standard_deviation skewness excess_kurtosis median mode min max queries sampling";
    assert_eq!(keys, expected.split_whitespace().collect::<Vec<_>>());
    assert_eq!(rule["method"], "exact");
    assert_eq!(rule["kind"], "number");
    assert_eq!(rule["outcomes"][0]["probability"], "1/1296");
    assert_eq!(
        rule["outcomes"][0]["decimal"].to_string(),
        "0.0007716049382716049"
    );
    assert_eq!(rule["mean"]["exact"], "15869/1296");
    assert_eq!(rule["moments"], "unconditional");
    assert_eq!(rule["mode"][0], 13);
    // Source: the square root of 13612487/1679616 to 50 digits, 2.8468444453115006…
    assert_eq!(
        rule["standard_deviation"].as_f64().unwrap().to_string(),
        "2.8468444453115005"
    );
}

#[test]
fn json_integers_have_any_length() {
    let long = "-340282366920938463463374607431768211456";
    let numbers = Distribution::new([(long.parse().unwrap(), Weight::from(1u32))], 1u32.into());
    let text = written(|out| {
        let rules = [named("long", exact(numbers))];
        report::json::write(&Report::of(&rules), &Style::default(), out)
    });
    assert!(text.contains(&format!(
        "{{\"value\": {long}, \"probability\": \"1\", \"decimal\": 1.0}}"
    )));
    assert!(text.contains(&format!("\"median\": {long},")));
    assert!(text.contains(&format!("\"mode\": [{long}],")));
}

#[test]
fn json_says_exact_only_if_nothing_is_unresolved() {
    let half_known = with_masses(
        Distribution::new([(int(1), Weight::from(1u32))], 2u32.into()),
        vec![Mass::anywhere(1u32.into())],
        None,
    );
    let document = json(&[named("x", half_known)], &[], &Style::default());
    let rule = &document["rules"][0];
    assert_eq!(rule["method"], "exact-with-unresolved");
    assert_eq!(rule["unresolved"]["probability"], "1/2");
}

#[test]
fn json_tails_are_an_object_or_two() {
    let one = json(&[named("x", exploding(2))], &[], &Style::default());
    let rule = &one["rules"][0];
    assert_eq!(rule["method"], "exact-with-tail");
    assert_eq!(
        rule["tail"].to_string(),
        r#"{"at_least":13,"probability":"1/36","decimal":0.027777777777777776}"#
    );
    assert_eq!(rule["max"], serde_json::Value::Null);
    let two = with_masses(
        Distribution::new([(int(1), Weight::from(2u32))], 4u32.into()),
        vec![
            Mass::at_or_below(int(-1), 1u32.into()),
            Mass::at_or_above(int(3), 1u32.into()),
        ],
        Some(moments(fraction(1, 1), None)),
    );
    let two = json(&[named("x", two)], &[], &Style::default());
    let rule = &two["rules"][0];
    assert_eq!(rule["tail"][0]["at_most"], -1);
    assert_eq!(rule["tail"][1]["probability"], "1/4");
    assert_eq!(
        rule["variance"].to_string(),
        r#"{"exact":"infinite","decimal":null}"#
    );
    assert_eq!(rule["standard_deviation"], serde_json::Value::Null);
}

#[test]
fn json_of_lists_samples_and_rules_that_never_end() {
    let rules = [
        named("lists", three_dice(2)),
        named("sampled", sampled()),
        named("endless", endless()),
    ];
    let style = style!(queries: vec![Query::AtMost(int(2))]);
    let json = json(&rules, &[], &style);
    let [lists, sampled, endless] = [0, 1, 2].map(|index| &json["rules"][index]);
    assert_eq!(lists["kind"], "multiset");
    assert_eq!(
        lists["outcomes"][1].to_string(),
        r#"{"value":[1,1,2],"probability":"3/8","decimal":0.375}"#
    );
    assert_eq!(lists["mean"], serde_json::Value::Null);
    assert_eq!(lists["mode"].to_string(), "[[1,1,2],[1,2,2]]");
    assert_eq!(lists["queries"][0]["probability"], serde_json::Value::Null);
    assert_eq!(sampled["method"], "sampled");
    for (key, value) in [("samples", "1000"), ("seed", "42"), ("confidence", "0.95")] {
        assert_eq!(sampled["sampling"][key].to_string(), value, "{key}");
    }
    assert_eq!(
        sampled["outcomes"][0].to_string(),
        r#"{"value":1,"decimal":0.16,"low":0.13,"high":0.19}"#
    );
    assert_eq!(sampled["mean"], serde_json::Value::Null);
    assert_eq!(sampled["queries"][0]["decimal"].to_string(), "0.331");
    assert_eq!(endless["moments"], "conditional");
    assert_eq!(endless["never_ends"]["probability"], "2/5");
    assert_eq!(endless["queries"][0]["probability"], "1/5");
    assert_eq!(json["comparisons"][0]["a_wins"], serde_json::Value::Null);
}

#[test]
fn json_comparisons_are_exact_or_bounded() {
    let rules = [
        named("d8", d(8)),
        named("d6", d(6)),
        named("exploding", exploding(1)),
    ];
    let json = json(&rules, &[], &Style::default());
    assert_eq!(
        json["comparisons"][0].to_string(),
        "{\"a\":\"d8\",\"b\":\"d6\",\"a_wins\":\"9/16\",\"tie\":\"1/8\",\"b_wins\":\"5/16\",\
         \"mean_difference\":\"1\",\"total_variation\":\"1/4\",\"kolmogorov\":\"1/4\",\"dominates\":\"a\"}"
    );
    assert_eq!(
        json["comparisons"][1]["tie"].to_string(),
        r#"{"low":"5/48","high":"1/8"}"#
    );
    assert_eq!(json["comparisons"].as_array().unwrap().len(), 3);
    let many: Vec<Answered> = (2..8)
        .map(|sides| named(&format!("d{sides}"), d(sides)))
        .collect();
    let json = self::json(&many, &[], &Style::default());
    let first: Vec<&serde_json::Value> = json["comparisons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["a"])
        .collect();
    assert_eq!(first, ["d2"; 5]);
}

#[test]
fn json_errors_have_their_place_and_probability() {
    let source = Source::new("rule", "1;\nd6/0");
    let error = Error::new(
        ErrorKind::DivisionByZero,
        Diagnostic::new(Span::new(3, 7), "a division by zero can happen here"),
    );
    let mut refused = Refused::new("d6/0", source, error.with_probability(fraction(1, 6)));
    refused.rule = 1;
    refused.warnings = vec![Diagnostic::new(Span::new(5, 6), "hardly")];
    let text = written(|out| report::json::write_errors(std::slice::from_ref(&refused), out));
    assert_eq!(
        text,
        "{\"errors\": [{\"rule\": 1, \"name\": \"d6/0\", \"kind\": \"division_by_zero\", \
         \"code\": \"division_by_zero\", \"message\": \"a division by zero can happen here\", \"start\": 3, \
         \"end\": 7, \"line\": 2, \"column\": 1, \"probability\": \"1/6\", \"help\": null, \"notes\": [], \"corrections\": []}]}\n"
    );
    let mut warned = named("d6", d(6));
    warned
        .warnings
        .push(Diagnostic::new(Span::new(0, 2), "surely not"));
    let another = warned.clone();
    let json = json(&[warned, another], &[refused], &Style::default());
    assert_eq!(json["errors"][0]["rule"], 1);
    // Each warning is listed once, also for refused rules, and has the index of its rule in the call.
    let warnings = json["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 2);
    assert_eq!(warnings[0]["message"], "surely not");
    assert_eq!(
        (&warnings[0]["rule"], &warnings[0]["end"]),
        (&0.into(), &2.into())
    );
    assert_eq!(
        (&warnings[1]["rule"], &warnings[1]["message"]),
        (&1.into(), &"hardly".into())
    );
}

#[test]
fn probabilities_in_json_add_up_to_exactly_one() {
    for answer in [heroic(), exploding(5), endless(), three_dice(4)] {
        let json = json(&[named("rule", answer)], &[], &Style::default());
        let rule = &json["rules"][0];
        let probability = |value: &serde_json::Value| -> Fraction {
            value["probability"]
                .as_str()
                .map_or_else(|| fraction(0, 1), |text| text.parse().unwrap())
        };
        let listed: Fraction = rule["outcomes"]
            .as_array()
            .unwrap()
            .iter()
            .map(probability)
            .sum();
        let beside: Fraction = ["tail", "unresolved", "never_ends"]
            .map(|key| probability(&rule[key]))
            .iter()
            .sum();
        assert_eq!(listed + beside, fraction(1, 1));
    }
}

// The look of tables, Markdown and queries.

#[test]
fn table_of_one_rule() {
    insta::assert_snapshot!(table(
        &[named("sum(drop low 1 4#d6)", heroic())],
        &Style::default()
    ));
}

#[test]
fn table_with_fractions_of_a_cumulative_view() {
    let style = style!(fractions: true,
        view: View::AtLeast,
        digits: 2);
    insta::assert_snapshot!(table(&[named("sum(drop low 1 4#d6)", heroic())], &style));
}

#[test]
fn table_of_several_rules() {
    let rules = [
        named("sum(drop low 1 4#d6)", heroic()),
        named("sum(3#d6)", exact(sum_of_dice(3, 6))),
        named("exploding", exploding(2)),
    ];
    insta::assert_snapshot!(table(&rules, &Style::default()));
}

#[test]
fn table_of_thousands_of_values_is_in_ranges() {
    let rules = [named("sum(1000#d6)", exact(sum_of_dice(1000, 6)))];
    insta::assert_snapshot!(table(&rules, &Style::default()));
    let all = style!(all: true);
    assert_eq!(
        table(&rules, &all)
            .lines()
            .filter(|line| line.contains('%'))
            .count(),
        5001
    );
}

#[test]
fn a_table_that_is_cut_says_what_the_caller_says_about_it() {
    let style = style!(way_to_all: Some("turn the page".into()));
    let rules = [named("sum(1000#d6)", exact(sum_of_dice(1000, 6)))];
    assert!(table(&rules, &style).contains("; turn the page)\n"));
}

#[test]
fn table_of_lists() {
    let list = |members: &[i64]| members.iter().map(|member| int(*member)).collect::<List>();
    let few = Distribution::new(
        [(list(&[]), 1u32.into()), (list(&[1, 1, 6]), 3u32.into())],
        4u32.into(),
    );
    let few = named("few", Answer::exact(Outcomes::Lists(few), 1));
    insta::assert_snapshot!("table_of_few_lists", table(&[few], &Style::default()));
    insta::assert_snapshot!(table(&[named("3#d6", three_dice(6))], &Style::default()));
}

#[test]
fn table_of_a_sweep_has_panels() {
    insta::assert_snapshot!(table(
        &sweep(),
        &style!(digits: 2,
            view: View::AtLeast)
    ));
}

#[test]
fn table_says_what_is_not_exact_or_has_no_value() {
    let style = style!(width: 60);
    insta::assert_snapshot!(table(
        &[named("sampled", sampled()), named("endless", endless())],
        &style
    ));
}

#[test]
fn every_column_of_a_table_adds_up_to_one() {
    // In ranges with gathered ends, too. All digits are shown, so the percentages are exact.
    let rules = [
        named("exploding", exploding(12)),
        named("sum(20#d2)", exact(sum_of_dice(20, 2))),
    ];
    let style = style!(digits: 30,
        width: 0);
    for rule in &rules {
        let text = table(std::slice::from_ref(rule), &style);
        let sum: Fraction = text
            .lines()
            .filter_map(|line| line.split_whitespace().nth(1)?.strip_suffix('%'))
            .map(|percent| {
                let (mantissa, power) = percent.split_once('e').unwrap_or((percent, "0"));
                let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
                let units: num_bigint::BigInt = format!("{whole}{decimals}").parse().unwrap();
                let power = u32::try_from(decimals.len()).unwrap()
                    + power.trim_start_matches('-').parse::<u32>().unwrap();
                Fraction::new(units, num_bigint::BigInt::from(10u32).pow(power))
            })
            .sum();
        let error = sum - fraction(100, 1);
        let tolerance = Fraction::new(1.into(), num_bigint::BigInt::from(10u32).pow(25));
        assert!(error < tolerance && error > -tolerance, "{}", rule.name);
    }
}

/// The rows of a Markdown listing with fractions: a label, and the fraction of each rule.
fn fraction_rows(rules: &[Answered], view: View, all: bool) -> Vec<(String, Vec<String>)> {
    let style = style!(fractions: true,
        all: all,
        view: view);
    let text = written(|out| report::markdown::write(&Report::of(rules), &style, out));
    let listing = text.lines().skip_while(|line| !line.starts_with("| ---:"));
    listing
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<String> = line
                .split(" | ")
                .map(|cell| cell.replace('\\', ""))
                .collect();
            let fractions = cells.iter().skip(2).step_by(2).take(rules.len());
            let trimmed = |cell: &String| cell.trim_matches([' ', '|']).to_owned();
            (trimmed(&cells[0]), fractions.map(trimmed).collect())
        })
        .collect()
}

/// `P(X >= value)` for the sum of a d6 that is rolled again after a six: `P(X >= 6k + r) = (7 - r) / 6^(k+1)` for r from 1 to 6.
fn exploding_at_least(value: i64) -> Fraction {
    let (again, face) = ((value - 1) / 6, (value - 1) % 6 + 1);
    let power = u32::try_from(again + 1).unwrap();
    Fraction::new((7 - face).into(), num_bigint::BigInt::from(6u32).pow(power))
}

#[test]
fn tails_at_different_places_leave_open_what_lies_beyond_each() {
    let rolls = [3u32, 5];
    let rules = [
        named("three", exploding(3)), // a tail of 6^-3 from 19 on
        named("five", exploding(5)),  // a tail of 6^-5 from 31 on
        named("die", d(40)),
    ];
    let tail = |rolls: u32| fraction(1, 6i64.pow(rolls));
    let rows = fraction_rows(&rules, View::AtLeast, true);
    let labels: Vec<String> = (1..=40).map(|value: i64| value.to_string()).collect();
    assert_eq!(
        rows.iter().map(|(label, _)| label).collect::<Vec<_>>(),
        labels.iter().collect::<Vec<_>>()
    );
    for (value, (_, cells)) in (1i64..).zip(&rows) {
        for (cell, rolls) in cells.iter().zip(rolls) {
            let expected = if value <= i64::from(rolls) * 6 + 1 {
                exploding_at_least(value).to_string()
            } else {
                format!("0 to {}", tail(rolls))
            };
            assert_eq!(*cell, expected, "at least {value} of {rolls}");
        }
        assert_eq!(cells[2], fraction(41 - value, 40).to_string());
    }
    let rows = fraction_rows(&rules, View::Exactly, true);
    for (value, (label, cells)) in (1i64..).zip(&rows[..40]) {
        assert_eq!(*label, value.to_string());
        for (cell, rolls) in cells.iter().zip(rolls) {
            let expected = if value <= i64::from(rolls) * 6 {
                (exploding_at_least(value) - exploding_at_least(value + 1)).to_string()
            } else {
                format!("0 to {}", tail(rolls))
            };
            assert_eq!(*cell, expected, "{value} of {rolls}");
        }
    }
    let beside =
        |label: &str, cells: [&str; 3]| (label.to_owned(), cells.map(ToOwned::to_owned).to_vec());
    assert_eq!(
        rows[40..],
        [
            beside(">=19", ["1/216", "", ""]),
            beside(">=31", ["", "1/7776", ""])
        ]
    );
}

#[test]
fn what_lies_beyond_the_innermost_tail_is_one_row_if_it_is_hardly_anything() {
    let rules = [named("six", exploding(6)), named("eight", exploding(8))];
    for all in [false, true] {
        let rows = fraction_rows(&rules, View::Exactly, all);
        let gathering: Vec<_> = rows
            .iter()
            .filter(|(label, _)| label.starts_with(">="))
            .collect();
        if all {
            // One tail is 6^-6 from 37 on, the other 6^-8 from 49 on.
            assert_eq!(gathering.len(), 2);
            continue;
        }
        let [(label, cells)] = gathering[..] else {
            panic!("{rows:?}");
        };
        let from: i64 = label[2..].parse().unwrap();
        assert!(from <= 37, "{label}");
        assert_eq!(*cells, vec![exploding_at_least(from).to_string(); 2]);
        assert_eq!(rows.last().unwrap().0, *label);
    }
}

#[test]
fn ranges_end_where_the_tail_begins() {
    let faces = (1..=93).map(|face| (int(face), Weight::from(1u32)));
    let tail = Mass::at_or_above(int(94), 7u32.into());
    let answer = with_masses(Distribution::new(faces, 100u32.into()), vec![tail], None);
    let rules = [named("cut off", answer)];
    let rows = fraction_rows(&rules, View::Exactly, false);
    let row = |label: &str, share: &str| (label.to_owned(), vec![share.to_owned()]);
    assert_eq!(
        rows[rows.len() - 3..],
        [
            row("86..90", "1/20"),
            row("91..93", "3/100"),
            row(">=94", "7/100")
        ]
    );
    let rows = fraction_rows(&rules, View::AtLeast, false);
    assert_eq!(
        rows[rows.len() - 2..],
        [row("91", "1/10"), row("94", "7/100")]
    );
    let style = style!(view: View::AtLeast);
    let text = table(&rules, &style);
    assert!(text.contains("\n(93 values in steps of 5)\n"), "{text}");
}

#[test]
fn nothing_is_called_gathered_where_thresholds_are_shown() {
    for (view, words) in [
        (
            View::Exactly,
            "the rest gathered in the first and the last row",
        ),
        (View::AtLeast, "the far ends left out"),
    ] {
        let style = style!(view: view);
        let text = table(&[named("many", exact(sum_of_dice(1000, 6)))], &style);
        let note = text.lines().find(|line| line.starts_with('(')).unwrap();
        assert!(note.ends_with(&format!(", {words})")), "{note}");
    }
}

#[test]
fn coloured_tables_say_the_same() {
    let rules = [named("heroic", heroic()), named("d20", d(20))];
    let colored = style!(color: true);
    let colored = table(&rules, &colored);
    assert!(colored.contains("\x1b[36m█"));
    let mut plain = String::new();
    for (index, piece) in colored.split('\x1b').enumerate() {
        plain += if index == 0 {
            piece
        } else {
            piece.split_once('m').unwrap().1
        };
    }
    assert_eq!(plain, table(&rules, &Style::default()));
}

#[test]
fn markdown_of_one_and_of_two_rules() {
    let rules = [
        named("sum(drop low 1 4#d6)", heroic()),
        named("a|b *c*", exploding(1)),
    ];
    let style = style!(digits: 2);
    insta::assert_snapshot!(
        "markdown_of_one_rule",
        written(|out| report::markdown::write(&Report::of(&rules[..1]), &style, out))
    );
    insta::assert_snapshot!(written(|out| report::markdown::write(
        &Report::of(&rules),
        &style,
        out
    )));
}

#[test]
fn queries_of_a_sweep() {
    let style = style!(queries: vec![Query::AtLeast(int(2)), Query::Exactly(int(0))]);
    insta::assert_snapshot!(written(|out| report::queries::write(
        &Report::of(&sweep()),
        &style,
        out
    )));
}

#[test]
fn queries_that_are_open_have_bounds() {
    let style = style!(queries: vec![Query::AtLeast(int(14)), Query::AtLeast(int(2))]);
    let rules = [
        named("exploding", exploding(2)),
        named("lists", three_dice(2)),
        named("sampled", sampled()),
    ];
    insta::assert_snapshot!(written(|out| report::queries::write(
        &Report::of(&rules),
        &style,
        out
    )));
}

// Rounding, ranges, budgets.

#[test]
fn halves_are_rounded_away_from_zero() {
    // Each face has 1/8, and the mean is 9/2.
    let style = style!(digits: 0);
    let text = table(&[named("d8", d(8))], &style);
    assert_eq!(text.matches(" 13%").count(), 8, "{text}");
    assert!(
        text.contains("\nmean                         5\n"),
        "{text}"
    );
    // None and all of four coins have 1/16 = 6.25% each.
    let picture = svg(&[named("coins", exact(binomial(4, 1, 2)))], View::Exactly);
    assert_eq!(picture.matches(">6.3%<").count(), 2);
}

#[test]
fn what_is_hardly_possible_is_no_zero_as_a_decimal() {
    let style = style!(queries: vec![Query::AtLeast(int(2000)), Query::AtLeast(int(2001))]);
    let rules = [named("sum(20#d100)", exact(sum_of_dice(20, 100)))];
    let text = written(|out| report::queries::write(&Report::of(&rules), &style, out));
    let cells: Vec<&str> = text.lines().flat_map(str::split_whitespace).collect();
    assert!(cells[3..5] == ["<0.0001%", "1.0e-40"], "{text}");
    assert!(text.contains("0.000000  0\n"), "{text}");
}

/// A range holds values that were never rolled, too. So its bounds are not those of the only value in it that was.
#[test]
fn a_range_with_one_sampled_value_has_bounds_of_its_own() {
    let values = (0..60_i64).map(|index| (Integer::from(3 + 7 * index), Weight::from(10u32)));
    let Method::Sampled(mut sampling) = sampled().method else {
        panic!("it is sampled");
    };
    sampling.samples = 600;
    sampling.intervals = vec![
        Interval {
            low: fraction(1, 2),
            high: fraction(1, 2),
        };
        60
    ];
    let mut answer = exact(Distribution::new(values, 600u32.into()));
    answer.method = Method::Sampled(sampling);
    let table = table(&[named("sparse", answer)], &Style::default());
    // The ranges begin at multiples of their width, and the last is a whole range: its values may occur, too.
    assert!(table.contains("\n   0..19 "), "{table}");
    assert!(table.contains("\n400..419 "), "{table}");
    assert!(!table.contains("50.0000%"), "{table}");
}

#[test]
fn pairs_that_a_budget_has_no_time_to_compare_are_named() {
    let rules = [named("one", d(6)), named("two", d(8))];
    let limits = Limits::default().with_time(Some(Duration::ZERO));
    let budget = Budget::start(&limits, &Unobserved);
    let report = Report::of(&rules).within(&budget);
    let table = report::table::write(&report, &Style::default(), &mut Shown::on(Vec::new()));
    assert!(table.is_err_and(|error| error.to_string().contains("needs more time")));
    let json = written(|out| report::json::write(&report, &Style::default(), out));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["comparisons"][0]["b"], "two");
    assert!(json["comparisons"][0]["a_wins"].is_null());
    let remark = "not compared, because the limit of time is reached: one v. two";
    assert_eq!(json["warnings"][0]["message"], remark);
    assert!(matches!(report.limit(), Some(LimitReached::Time(_))));
    assert!(json["warnings"][0]["rule"].is_null());
}

/// Source: the specification of CommonMark (links, images, entities, HTML, code) and of GitHub's tables.
#[test]
fn markdown_says_nothing_but_the_text_of_names_and_labels() {
    let name = "![a](http://b) [c]: d & <i> `e` *f* _g_ ~~h~~ | i\nj www.k.l $m$ \u{1b}[2J\u{202e}";
    let markdown = written(|out| {
        report::markdown::write(&Report::of(&[named(name, d(2))]), &Style::default(), out)
    });
    let title = markdown.lines().next().unwrap();
    let expected = "**\\!\\[a\\](http\\://b) \\[c\\]: d \\& \\<i\\> \\`e\\` \\*f\\* \\_g\\_ \\~\\~h\\~\\~ \\| i j www\\.k.l \\$m\\$ \
                    \u{fffd}\\[2J\u{fffd}**";
    assert_eq!(title, expected);
}

#[test]
fn a_long_name_is_cut_in_the_rows_of_csv() {
    let rules = [named(&"x".repeat(100_000), d(100))];
    let csv = csv(&rules);
    assert_eq!(csv[100][0].chars().count(), 501);
}
