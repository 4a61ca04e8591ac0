//! DiceRoller scripts: their programs, their warnings and errors, and their answers.

use std::time::{Duration, Instant};

use dicedist::engine::{self, Answer, Route, enumerate::enumerate};
use dicedist::ir::Program;
use dicedist::limits::{Limits, Unobserved};
use dicedist::notation::{self, Reading, Settings};
use dicedist::number::{Fraction, Integer};
use dicedist::source::Source;
use dicedist::summary::Summary;
use dicedist::{Dialect, Error, ErrorKind};
use proptest::prelude::*;

use crate::command::{package, run};

fn results(text: &str) -> Result<Vec<Reading>, Error> {
    let source = Source::new("script", text);
    let settings = Settings::default();
    notation::parse(Dialect::Diceroller, &source, source.span())?.lower(&settings)
}

#[track_caller]
fn program(text: &str) -> Program {
    match results(text) {
        Ok(readings) => readings[0].program.clone(),
        Err(error) => panic!("{text}: {error}"),
    }
}

#[track_caller]
fn answer(text: &str) -> Answer {
    let answer = engine::analyze(&program(text), &Limits::default(), &Unobserved);
    answer.unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[track_caller]
fn error(text: &str) -> Error {
    match engine::analyze(&program(text), &Limits::default(), &Unobserved) {
        Ok(_) => panic!("{text} has no error"),
        Err(error) => error,
    }
}

/// The probability of a number.
#[track_caller]
fn chance(answer: &Answer, value: i64) -> Fraction {
    let numbers = answer.numbers().unwrap();
    let weight = numbers.weight_of(&Integer::from(value));
    Fraction::new(weight.into(), numbers.total().clone().into())
}

fn fraction(numerator: i64, denominator: i64) -> Fraction {
    Fraction::new(numerator.into(), denominator.into())
}

#[track_caller]
fn reads_as(text: &str, core: &str) {
    assert_eq!(program(text).to_string(), core, "{text}");
}

/// Asserts that two scripts have the same program.
#[track_caller]
fn are_one(text: &str, other: &str) {
    assert_eq!(
        program(text).to_string(),
        program(other).to_string(),
        "{text}"
    );
}

#[track_caller]
fn warnings(text: &str) -> Vec<String> {
    let warnings = results(text).unwrap().swap_remove(0).warnings;
    warnings.into_iter().map(|found| found.message).collect()
}

mod reading {
    use super::*;

    #[test]
    fn a_chain_of_instructions_is_one_expression() {
        reads_as("3D6 H2 S", "(sum (high 2 (repeat 3 (die 6))))");
        reads_as("3D6 5+", "(sort (filter >= 5 (repeat 3 (die 6))))");
        reads_as("1D6 +2 -1", "(sort (join (die 6) 2 (negate 1)))");
        reads_as("6{1D3+1 S}", "(sort (repeat 6 (sum (join (die 3) 1))))");
    }

    #[test]
    fn a_pool_that_is_looked_at_twice_is_rolled_once() {
        reads_as(
            "2D6 S C",
            "(let x0 (repeat 2 (die 6)) (join (sum x0) (count x0)))",
        );
        reads_as(
            "4D6 [L1]",
            "(sort (let x0 (repeat 4 (die 6)) (difference x0 (low 1 x0))))",
        );
        // `S` is the sum of the pool before the roll, the same for all dice.
        reads_as(
            "1D4 3DS",
            "(sort (let x0 (sum (die 4)) (repeat 3 (die x0))))",
        );
    }

    #[test]
    fn a_number_on_the_stack_makes_plus_and_minus_filters() {
        are_one("2D6 3+2", "2D6 3+ 2");
        are_one("2D6+3", "2D6 +3");
        reads_as("2D6+3 S", "(sum (join (repeat 2 (die 6)) 3))");
        reads_as("2D6 3+ S", "(sum (filter >= 3 (repeat 2 (die 6))))");
        reads_as("2D6 3- S", "(sum (filter <= 3 (repeat 2 (die 6))))");
        // Each pair of brackets begins with an empty stack.
        are_one("2D6 5 [+0] 3-", "2D6 5 [ +0 ] 3-");
        assert_eq!(
            chance(&answer("2D6 5{+3} S"), 5 * 2 + 5 * 3),
            fraction(1, 36)
        );
    }

    #[test]
    fn comments_stand_wherever_blanks_do() {
        are_one("2D6 H # two\n 1 S", "2D6H1S");
        are_one("2 # dice\nD # of\n6 // sides", "2D6");
        are_one("2D6 [6+] # sixes\n{*2} S", "2D6[6+]{*2}S");
    }

    #[test]
    fn printing_changes_nothing() {
        are_one("V2 2D6 P VS S", "2D6 S");
    }

    #[test]
    fn a_block_that_runs_less_than_once_leaves_nothing() {
        for text in ["2D4 0{1D6} C", "1D2 -2 S{1D6} C"] {
            assert_eq!(chance(&answer(text), 0), fraction(1, 1), "{text}");
        }
    }

    #[test]
    fn a_text_is_one_script() {
        let source = Source::new("file", "# note\nname: 2D6\nS # sum\n");
        let rules = notation::rules(Dialect::Diceroller, &source);
        let rule = rules.into_iter().next().unwrap().unwrap();
        assert_eq!(rule.name, "name");
        assert_eq!(source.slice(rule.span), "2D6\nS");
        assert!(notation::rules(Dialect::Diceroller, &Source::new("file", "# x\n"))[0].is_err());
    }

    #[test]
    fn deep_and_long_scripts_are_limits() {
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(|| {
            let nested = |levels: usize| "{".repeat(levels) + "1D6" + &"}".repeat(levels);
            assert_eq!(chance(&answer(&(nested(499) + " S")), 6), fraction(1, 6));
            for text in [
                nested(100_000),
                "[".repeat(100_000) + &"]".repeat(100_000),
                "2{".repeat(100_000) + &"}".repeat(100_000),
                "1D6 ".repeat(8_001),
            ] {
                let error = results(&text).unwrap_err();
                assert!(error.is_limit(), "{error}");
            }
            results(&("2{".repeat(499) + "1D6" + &"}".repeat(499))).unwrap();
            results(&("+1 ".repeat(8_000))).unwrap();
            let sum = answer(&("+1 ".repeat(4_000) + "S"));
            assert_eq!(chance(&sum, 4_000), fraction(1, 1));
        });
        thread.unwrap().join().unwrap();
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn printing_what_was_read_is_a_fixed_point(text in "[0-9SCDHLVGP+*{}\\[\\] \n-]{0,25}") {
            let Ok(readings) = results(&text) else { return Ok(()) };
            let print = |text: &str| {
                let source = Source::new("script", text);
                let rule = notation::parse(Dialect::Diceroller, &source, source.span());
                rule.unwrap().print()
            };
            let printed = print(&text);
            let again = results(&printed).unwrap();
            prop_assert_eq!(readings.len(), again.len());
            for (a, b) in readings.iter().zip(&again) {
                prop_assert_eq!(a.program.to_string(), b.program.to_string(), "{}", printed);
            }
            prop_assert_eq!(print(&printed), printed);
        }
    }
}

mod warned {
    use super::*;

    #[test]
    fn a_filter_for_a_sum_says_what_was_meant() {
        let found = results("2D6 S+3").unwrap().swap_remove(0).warnings;
        assert_eq!(
            found[0].message,
            "`S+` keeps what is at least the sum of the pool, and then `3` is a number of its own"
        );
        assert_eq!(
            found[0].help.as_deref(),
            Some("write `+3 S` to add to the sum")
        );
        assert_eq!(warnings("2D6 3+2").len(), 1);
        for text in ["2D6 3+ 2", "2D6 3+CD6", "2D6+3 S", "2D6 C+", "2D6 5+ S"] {
            assert!(warnings(text).is_empty(), "{text}: {:?}", warnings(text));
        }
    }

    #[test]
    fn what_has_no_effect_is_said() {
        assert_eq!(
            warnings("2{2D6 G}"),
            ["`G` shows nothing inside of brackets"]
        );
    }

    #[test]
    fn the_number_of_runs_before_a_graph_is_noted() {
        let found = results("1000{2D6 S} G").unwrap().swap_remove(0).warnings;
        assert!(found[0].is_note);
        assert!(warnings("{2D6 S} G").is_empty());
        let said = run(["-d", "diceroller", "1000{2D6 S} G"]);
        assert!(
            said.stderr.starts_with("Note: the shares"),
            "{}",
            said.stderr
        );
    }
}

mod shares {
    use super::*;

    #[test]
    fn a_graph_is_the_share_of_each_value() {
        // P(2d6 = 7) = 6/36 for any number of repetitions.
        for text in ["{2D6 S} G", "1000{2D6 S} G", "1000000{2D6 S} G"] {
            assert_eq!(chance(&answer(text), 7), fraction(6, 36), "{text}");
        }
        // A ratio of expectations: the pool is one 1 or four 2s, so 1/2 and 4/2 of 5/2 members are expected.
        let skewed = answer("1D2 {*S} [2+]{*2} G");
        assert_eq!(chance(&skewed, 1), fraction(1, 5));
        assert_eq!(chance(&skewed, 2), fraction(4, 5));
    }

    #[test]
    fn each_graph_is_a_result() {
        let said = run(["-d", "diceroller", "--format", "json", "dice: 3D6 G 5+ G"]);
        let json = said.json();
        assert_eq!(json["rules"][0]["name"], "dice #1");
        assert_eq!(json["rules"][1]["name"], "dice #2");
        assert_eq!(json["rules"][1]["outcomes"][0]["probability"], "1/2");
        assert_eq!(results("3D6 2{G}").unwrap().len(), 1);
    }

    #[test]
    fn shares_of_nothing_are_an_error() {
        let found = error("2D6 7+ G");
        assert_eq!(found.kind(), ErrorKind::Domain);
        assert_eq!(found.probability(), Some(&fraction(1, 1)));
        assert_eq!(found.diagnostics()[0].span, Some((7..8).into()));
    }

    #[test]
    fn errors_behind_a_graph_are_errors_of_the_script() {
        assert_eq!(error("2D6 G [+7]").kind(), ErrorKind::Domain);
        assert_eq!(error("2D6 G 2D0").kind(), ErrorKind::BadDie);
    }

    /// By hand: a 1 is rolled again, so the share of 1 is 1/36, and the share of each other face is 1/6 + 1/36.
    #[test]
    fn shares_of_very_many_dice_cost_what_those_of_one_do() {
        let dice = answer("100000D6 [1-]{CD6} G");
        assert_eq!(chance(&dice, 1), fraction(1, 36));
        assert_eq!(chance(&dice, 6), fraction(7, 36));
        // Each six adds one member, so a die has 1 + 1/6 expected members, of which 2/6 are sixes.
        let dice = answer("100000D6 [6+]{*2} G");
        assert_eq!(chance(&dice, 6), fraction(2, 7));
    }
}

mod answers {
    use super::*;

    #[test]
    fn a_pool_less_what_it_may_not_have_fails_as_often_as_it_should() {
        // A value that none of thirty dice shows.
        let found = error("30D6 [1D6]");
        assert_eq!(found.kind(), ErrorKind::Domain);
        let expected = num_traits::Pow::pow(fraction(5, 6), 30_u32);
        assert_eq!(found.probability(), Some(&expected));
        let said = run(["-d", "diceroller", "2D6 [+7]"]);
        assert_eq!(said.code, Some(1));
        assert!(
            said.stderr.contains("a value that is not in the pool"),
            "{}",
            said.stderr
        );
    }

    #[test]
    fn errors_of_numbers_that_depend_on_the_pool_are_found() {
        // A die without sides, where no die shows 5 or more.
        assert_eq!(error("2D6 5+ 1DC").kind(), ErrorKind::BadDie);
        assert_eq!(error("2D6 5+ 1DC").probability(), Some(&fraction(4, 9)));
        assert_eq!(error("1D6 -3 3DS").kind(), ErrorKind::BadDie);
        assert_eq!(error("1D6 -3 HS").kind(), ErrorKind::NegativeCount);
        assert_eq!(error("1D6 -3 HS").probability(), Some(&fraction(1, 3)));
        // A pool that is replaced can fail as well.
        assert_eq!(error("1D0 2D6").kind(), ErrorKind::BadDie);
        // Without dice the number of sides is not checked.
        assert_eq!(chance(&answer("0D0 C"), 0), fraction(1, 1));
    }

    /// Instructions run in the order of the script, so an error hides those after it. An empty pool has no 1 to take away.
    #[test]
    fn an_error_hides_the_errors_of_a_block_after_it() {
        for (text, start) in [
            ("[D1]{D0D1}", 0),
            ("2D6 [D7 +7]{D0D1}", 4),
            ("[D1]{D0D1} 2D6", 0),
            ("3{[D1]{D0D1}}", 2),
            ("[D1] D0 D1", 0),
            ("D0 [D1]{D0D1}", 0),
        ] {
            let found = error(text);
            let span = found.diagnostics()[0].span;
            assert_eq!(span.map(|span| span.start), Some(start), "{text}");
            assert_eq!(found.probability(), Some(&fraction(1, 1)), "{text}");
        }
        assert_eq!(error("[D1]{D0D1}").kind(), ErrorKind::Domain);
        // A block that does not run has no errors. One that runs if a coin shows 2 fails with probability 1/2.
        assert_eq!(chance(&answer("0{D0D1} C"), 0), fraction(1, 1));
        assert_eq!(
            error("D2 2- 2+ C{D0D1}").probability(),
            Some(&fraction(1, 2))
        );
    }

    /// Compares scripts with the same rules in dicelab.
    #[test]
    fn rerolls_are_what_they_are_in_other_notations() {
        for (script, rule) in [
            (
                "100D6 [1-]{CD6} H50 S",
                "sum(high 50 (foreach x in 100#d6 do if ==1 x then d6 else x))",
            ),
            (
                "40D6 [2-]{CD6} 5+ C",
                "count >=5 (foreach x in 40#d6 do if <=2 x then d6 else x)",
            ),
            ("30D6 [L3] S", "sum(drop low 3 30#d6)"),
            ("20D6 5+ CD6 5+ C", "count >=5 ((count >=5 20#d6)#d6)"),
        ] {
            let expected = crate::rules::analyze(Dialect::Bones, rule, &Limits::default()).unwrap();
            assert_eq!(answer(script).numbers(), expected.numbers(), "{script}");
        }
    }

    /// By hand: the mean of a die whose 1 is rolled again is 7/2 + (7/2 - 1)/6 = 47/12.
    #[test]
    fn means_of_hundreds_of_dice_are_exact() {
        let sum = answer("300D6 [1-]{CD6} S");
        assert_eq!(
            Summary::of(&sum).mean.finite(),
            Some(&(fraction(47, 12) * fraction(300, 1)))
        );
        let least = num_traits::Pow::pow(fraction(1, 36), 300_u32);
        assert_eq!(chance(&sum, 300), least);
    }

    #[test]
    fn long_attack_sequences_are_quick() {
        for (script, budget) in [
            (
                include_str!("../../examples/diceroller/hundred_dice.diceroller"),
                2_000,
            ),
            (
                include_str!("../../examples/diceroller/warhammer.diceroller"),
                200,
            ),
            (
                "60D6 [1-]{CD6} [6+]{*2} 3+ CD6 [[4+]]{CD6} 4+ [5-]{CD6 [3+]} CD3 SD6 [5+] C",
                2_000,
            ),
            ("100D6 [1-]{CD6} [2-]{CD6} [3-]{CD6} H10 S", 500),
            ("40D6 [1-]{CD6} [2-]{CD6} [3-]{CD6} [6+]{*2} H40 S", 500),
            ("100D6 [6+]{CD6 [6+]{CD6 [6+]{CD6}}} S", 500),
        ] {
            let source = Source::new("script", script);
            let rule = notation::rules(Dialect::Diceroller, &source)
                .swap_remove(0)
                .unwrap();
            let settings = Settings::default();
            let rule = notation::parse(rule.dialect, &source, rule.span).unwrap();
            let reading = rule.lower(&settings).unwrap().swap_remove(0);
            let started = Instant::now();
            let answer =
                engine::analyze(&reading.program, &Limits::default(), &Unobserved).unwrap();
            // The budget is for an idle machine, but other tests run at the same time.
            let took = started.elapsed();
            assert!(
                took < Duration::from_millis(4 * budget),
                "{script}: {took:?}"
            );
            assert_eq!(answer.route, Route::Residual, "{script}");
        }
    }

    #[test]
    fn the_number_of_states_grows_no_faster_than_the_number_of_dice_squared() {
        for form in [
            "nD6 [1-]{CD6} [6+]{*2} 3+ CD6 [[5+]]{CD6} 5+ [5-]{CD6 [3+]} C",
            "nD6 [L2]{CD6} H5 S",
            "nD6 SD2 S",
            "nD6 H5 G",
            "n{2D6 [L1] S} [7-]{CD6} S",
        ] {
            let states = |dice: u32| {
                let answer = answer(&form.replace('n', &dice.to_string()));
                assert_eq!(answer.route, Route::Residual, "{form}");
                answer.states + 16
            };
            let (few, many) = (states(10), states(40));
            assert!(many <= 16 * few, "{form}: {few} states, then {many}");
        }
    }

    /// Random scripts with every kind of instruction and few dice.
    fn scripts() -> impl Strategy<Value = String> {
        let value = prop_oneof![
            Just("S"),
            Just("C"),
            Just("0"),
            Just("1"),
            Just("2"),
            Just("3")
        ];
        let filter = prop_oneof![
            Just("2-"),
            Just("3+"),
            Just("H1"),
            Just("L2 H1"),
            Just("[2+]"),
            Just("C+"),
            Just("+2"),
            Just(""),
            Just("D3"),
        ];
        let instruction = prop_oneof![
            3 => value.clone().prop_map(|value| format!("{value}+")),
            3 => value.clone().prop_map(|value| format!("{value}-")),
            1 => value.clone().prop_map(|value| format!("+{value}")),
            1 => value.clone().prop_map(|value| format!("-{value}")),
            2 => value.clone().prop_map(|value| format!("H{value}")),
            2 => value.clone().prop_map(|value| format!("L{value}")),
            1 => value.clone().prop_map(|value| format!("*{value}")),
            2 => Just("CD3".to_owned()),
            1 => value.clone().prop_map(|value| format!("2D{value}")),
            1 => Just("G".to_owned()),
            3 => filter.clone().prop_map(|filter| format!("[{filter}]")),
            3 => filter.clone().prop_map(|filter| format!("[{filter}]{{CD3}}")),
            1 => (filter.clone(), value.clone()).prop_map(|(filter, value)| format!("{value}[{filter}]{{S}}")),
            1 => (filter, value).prop_map(|(filter, value)| format!("{value}{{{filter}}}")),
        ];
        (1..4, prop::collection::vec(instruction, 1..5))
            .prop_map(|(dice, parts)| format!("{dice}D3 {}", parts.join(" ")))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn both_evaluators_agree_on_every_result(text in scripts()) {
            let limits = Limits::default().with_states(100_000);
            for reading in results(&text).unwrap() {
                let program = reading.program.sorted();
                let Ok(fast) = engine::analyze(&program, &limits, &Unobserved) else {
                    let found = engine::analyze(&program, &limits, &Unobserved).unwrap_err();
                    let Err(slow) = enumerate(&program, &limits, &Unobserved) else {
                        prop_assert!(found.is_limit(), "{}: {}", text, found);
                        continue;
                    };
                    if !found.is_limit() && !slow.is_limit() {
                        prop_assert_eq!(found.probability(), slow.probability(), "{}", text);
                    }
                    continue;
                };
                match enumerate(&program, &limits, &Unobserved) {
                    Ok(slow) => {
                        let pairs = |answer: &Answer| -> Vec<(String, Fraction)> {
                            let outcomes = answer.outcomes().iter();
                            outcomes
                                .map(|(value, weight)| (value.exact(&answer.unit, &answer.shape), answer.probability(weight)))
                                .collect()
                        };
                        prop_assert_eq!(pairs(&fast), pairs(&slow), "{}", text);
                    }
                    Err(error) => prop_assert!(error.is_limit(), "{}: {}", text, error),
                }
            }
        }
    }
}

mod command {
    use super::*;

    #[test]
    fn a_trace_shows_the_pool_after_each_instruction() {
        let said = run(["-d", "diceroller", "--trace", "--fractions", "2D6 5+ C"]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let blocks: Vec<&str> = said.stdout.split("after ").collect();
        assert_eq!(blocks.len(), 3, "{}", said.stdout);
        assert!(blocks[1].starts_with("`2D6` (line 1)"), "{}", blocks[1]);
        assert!(blocks[2].contains("    5  0.3333  1/3"), "{}", blocks[2]);
        assert!(blocks[2].contains("  all  0.6667  2/3"), "{}", blocks[2]);
        // Two dice show 5 or 6 never or once with probability 4/9 each. The number appears in sizes, in a sum,
        // and in the answer after the trace.
        assert_eq!(blocks[2].matches("44.4444%").count(), 5, "{}", blocks[2]);
    }

    #[test]
    fn a_trace_is_for_scripts() {
        let said = run(["--trace", "d6"]);
        assert_eq!(said.code, Some(2));
        assert!(said.stderr.contains("has none"), "{}", said.stderr);
    }

    #[test]
    fn a_script_is_rolled_as_others_are() {
        let said = run([
            "-d",
            "diceroller",
            "--roll",
            "20",
            "--seed",
            "1",
            "4D6 [L1] S",
        ]);
        for line in said.stdout.lines() {
            let score: i32 = line.parse().unwrap();
            assert!((3..=18).contains(&score), "{line}");
        }
        assert_eq!(said.stdout.lines().count(), 20);
    }

    #[test]
    fn the_plot_of_the_readme_is_current() {
        let script = package("examples/diceroller/warhammer.diceroller");
        let plot = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("diceroller.svg");
        let (script, out) = (script.to_str().unwrap(), plot.to_str().unwrap());
        assert_eq!(run(["-f", script, "--svg", out]).code, Some(0));
        let [drawn, kept] = [plot, package("plots/diceroller.svg")]
            .map(|path| std::fs::read_to_string(path).unwrap());
        assert!(
            drawn == kept,
            "plots/diceroller.svg: see docs/notations.md for the command"
        );
    }
}
