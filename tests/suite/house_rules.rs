//! The examples of house rules: each example is answered at once and has a current picture, and the figures of comparisons
//! follow closed forms.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use dicedist::compare::{Comparison, Dominance};
use dicedist::number::Fraction;
use dicedist::summary::Figure;
use dicedist::{Answer, Dialect, Limits};

use crate::command::{dicedist, package, run, say};

/// The time that the command of an example may take.
const AT_ONCE: Duration = Duration::from_millis(100);

/// The number of slow runs after which a command counts as slow; fewer may be caused by a busy machine.
const PATIENT_RUNS: usize = 20;

/// The names of the examples with the arguments of their commands, in order.
fn house_rules() -> Vec<(String, Vec<String>)> {
    let entries = fs::read_dir(package("examples/house_rules")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let rules = paths.into_iter().map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        let command = text.lines().next().unwrap_or_default();
        let arguments = command.strip_prefix("// dicedist ");
        let arguments = arguments.unwrap_or_else(|| panic!("{}", path.display()));
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let own = format!("-f examples/house_rules/{name}.bones");
        assert!(arguments.starts_with(&own), "{name}: {arguments}");
        let arguments = arguments.split_whitespace().map(str::to_owned).collect();
        (name, arguments)
    });
    rules.collect()
}

#[test]
fn each_house_rule_is_answered_at_once() {
    let rules = house_rules();
    assert!(rules.len() >= 12, "{} house rules", rules.len());
    for (name, arguments) in rules {
        let quickest = (0..PATIENT_RUNS).try_fold(Duration::MAX, |quickest, _| {
            let start = Instant::now();
            let said = say(dicedist(&arguments).current_dir(package("")));
            let took = start.elapsed().min(quickest);
            assert_eq!(said.code, Some(0), "{name}: {}", said.stderr);
            assert_eq!(said.stderr, "", "{name}");
            if took < AT_ONCE { Err(took) } else { Ok(took) }
        });
        if let Ok(took) = quickest {
            panic!("{name} takes {took:?}");
        }
    }
}

#[test]
fn each_house_rule_has_a_current_picture_in_the_gallery() {
    if !package("plots").exists() && !package(".ci").exists() {
        return; // The published package has no pictures.
    }
    let gallery = fs::read_to_string(package("docs/house_rules.md")).unwrap();
    for (name, arguments) in house_rules() {
        let path = format!("plots/{name}.svg");
        let drawn = say(
            dicedist(arguments.iter().map(String::as_str).chain(["--svg", "-"]))
                .current_dir(package("")),
        );
        assert_eq!(drawn.code, Some(0), "{name}: {}", drawn.stderr);
        let kept = fs::read_to_string(package(&path)).unwrap_or_default();
        assert!(
            drawn.stdout == kept,
            "{path} is out of date: `cargo run --example gallery` draws it again"
        );
        assert!(
            gallery.contains(&path),
            "{path} is not in docs/house_rules.md"
        );
    }
}

fn answer(rule: &str) -> Answer {
    crate::rules::analyze(Dialect::Bones, rule, &Limits::default()).unwrap()
}

fn compared(a: &str, b: &str) -> Comparison {
    Comparison::of(&answer(a), &answer(b)).unwrap()
}

fn fraction(numerator: i64, denominator: i64) -> Fraction {
    Fraction::new(numerator.into(), denominator.into())
}

fn exactly(numerator: i64, denominator: i64) -> Figure {
    Figure::Exact(fraction(numerator, denominator))
}

/// Asserts that the bounds of a figure contain a value, and are no further apart than tails of the default tolerance allow.
#[track_caller]
fn assert_holds(figure: &Figure, value: &Fraction) {
    assert!(
        figure.low() <= value && value <= figure.high(),
        "{figure:?}"
    );
    let open = figure.high() - figure.low();
    assert!(
        open < Fraction::new(1.into(), 10_i64.pow(11).into()),
        "{figure:?}"
    );
}

#[test]
fn advantage_against_one_die_follows_the_closed_forms() {
    // Source: P(max of two dn = k) = (2k-1)/n², so P(max > dn) = Σ(2k-1)(k-1)/n³ = (4n²-3n-1)/6n² and P(tie) = Σ(2k-1)/n³ = 1/n.
    // The cumulative curves differ by k/n - k²/n², most at k = n/2. The ratio of the probabilities grows with k, so the total
    // variation distance is the same.
    for n in [2_i64, 4, 6, 20, 100] {
        let comparison = compared(&format!("high 1 2#d{n}"), &format!("d{n}"));
        assert_eq!(
            comparison.a_wins,
            exactly(4 * n * n - 3 * n - 1, 6 * n * n),
            "d{n}"
        );
        assert_eq!(comparison.tie, exactly(1, n));
        assert_eq!(comparison.kolmogorov, exactly(1, 4));
        assert_eq!(comparison.total_variation, exactly(1, 4));
        assert_eq!(comparison.dominance, Dominance::A);
        assert_eq!(comparison.mean_difference, Some(fraction(n * n - 1, 6 * n)));
    }
}

#[test]
fn a_bonus_shifts_a_die_by_as_much() {
    // Source: d20 + b and d20 are uniform on 20 values, shifted by b, so b/20 of their mass is not shared. The first loses
    // (20-b)(19-b)/2 of the 400 pairs, in which the second die is more than b higher.
    for b in [0_i64, 1, 5, 19] {
        let comparison = compared(&format!("d20+{b}"), "d20");
        assert_eq!(comparison.total_variation, exactly(b, 20));
        assert_eq!(comparison.kolmogorov, exactly(b, 20));
        assert_eq!(comparison.b_wins, exactly((20 - b) * (19 - b) / 2, 400));
        assert_eq!(comparison.tie, exactly(20 - b, 400));
        let expected = if b == 0 {
            Dominance::Equal
        } else {
            Dominance::A
        };
        assert_eq!(comparison.dominance, expected);
    }
}

#[test]
fn one_more_die_in_a_pool_follows_the_closed_form() {
    // Source: with B(n) binomial, P(B(n) ≤ k) - P(B(n+1) ≤ k) = p·P(B(n) = k), so the cumulative curves differ by at most p times
    // the greatest probability of B(n). The ratio of the probabilities is monotone, so the total variation distance is the same.
    let choose = |n: i64, k: i64| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
    for n in 1..=11_i64 {
        let three_to = |k: i64| 3_i64.pow(u32::try_from(k).unwrap());
        let seven_to = |k: i64| 7_i64.pow(u32::try_from(k).unwrap());
        let most = (0..=n)
            .map(|k| choose(n, k) * three_to(k) * seven_to(n - k))
            .max();
        let apart = exactly(3 * most.unwrap(), 10_i64.pow(u32::try_from(n + 1).unwrap()));
        let comparison = compared(
            &format!("count >=8 {}#d10", n + 1),
            &format!("count >=8 {n}#d10"),
        );
        assert_eq!(comparison.kolmogorov, apart, "{n}");
        assert_eq!(comparison.total_variation, apart, "{n}");
        assert_eq!(comparison.dominance, Dominance::A);
        assert_eq!(comparison.mean_difference, Some(fraction(3, 10)));
    }
}

#[test]
fn usage_dice_that_never_shrink_follow_the_closed_forms() {
    // Source: rolls until the first 1 or 2 are geometric, p = 1/2 with d4 and r = 1/3 with d6. With q = 1-p, s = 1-r:
    // P(d6 lasts longer) = ps/(1-qs), P(both last equally long) = pr/(1-qs). The cumulative curves differ by sᵏ - qᵏ, most at
    // k = 2: 4/9 - 1/4.
    let rolls = |n: i64| format!("count(while x=d{n} do if >2 x then d{n} else ())");
    let comparison = compared(&rolls(6), &rolls(4));
    assert_holds(&comparison.a_wins, &fraction(1, 2));
    assert_holds(&comparison.tie, &fraction(1, 4));
    assert_holds(&comparison.b_wins, &fraction(1, 4));
    assert_holds(&comparison.kolmogorov, &fraction(7, 36));
    assert_holds(&comparison.total_variation, &fraction(7, 36));
    assert_eq!(comparison.mean_difference, Some(fraction(1, 1)));
}

#[test]
fn the_most_dice_decide_a_race_of_pools_as_vandermonde_says() {
    // Source: with m fair coins against n, P(the first pool has j more heads) = C(m+n, n+j)/2^(m+n): the heads of the first pool
    // and the tails of the second are one choice of n+j among all m+n coins.
    let (m, n) = (7_i64, 5_i64);
    let choose = |k: i64| (0..k).fold(1, |product, i| product * (m + n - i) / (i + 1));
    let comparison = compared("count >3 7#d6", "count >3 5#d6");
    let all = 1 << (m + n);
    assert_eq!(
        comparison.a_wins,
        exactly((n + 1..=m + n).map(choose).sum(), all)
    );
    assert_eq!(comparison.tie, exactly(choose(n), all));
    assert_eq!(comparison.b_wins, exactly((0..n).map(choose).sum(), all));
}

#[test]
fn a_sweep_of_loops_is_drawn_over_the_values_that_happen() {
    // Each series has its own tail, but less than 0.1% of each series lies beyond 10.
    let said = run([
        "hits: count >=8 (while x=n#d10 do ((count ==10 x)#d10))",
        "--set",
        "n=1..10",
        "--view",
        "at-least",
        "--svg",
        "-",
    ]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(said.stdout.matches(">≥").count(), 1, "one column of tails");
}
