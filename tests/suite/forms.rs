//! The forms that Bones has and dicelab has not: definitions, conditions, dice with any faces, choices and loops with a state.
//! Random programs with all of them agree with the slow evaluator, and print as texts that mean the same.

use dicedist::notation::{self, Environment, Kind, Settings};
use dicedist::source::Source;
use dicedist::{Dialect, Error, ErrorKind, Limits, engine};

use crate::command::run;
use crate::judge::generate::{Forms, text};
use crate::replay::bodies;
use crate::seeds::seed;

#[test]
fn random_programs_agree_with_the_slow_evaluator() {
    let forms = Forms::new();
    for number in 0..600 {
        let text = text(&forms, seed(), number);
        let source = Source::new("rule", text.as_str());
        let checked = std::panic::catch_unwind(|| {
            bodies::answer(Dialect::Bones, &source, number % 4 == 0);
        });
        assert!(checked.is_ok(), "{text}");
    }
}

#[test]
fn random_programs_print_as_texts_that_mean_the_same() {
    let mut count = 0;
    let forms = Forms::new();
    for number in 0..2_000 {
        let text = text(&forms, seed(), number);
        let read = std::panic::catch_unwind(|| bodies::parse(Dialect::Bones, &text));
        assert!(read.is_ok(), "{text}");
        count += usize::from(read_all(&text).is_ok());
    }
    assert!(count > 1_800, "only {count} programs are read");
}

/// Without its parentheses, a face `1 - 2` is taken for a range.
#[test]
fn differences_among_faces_print_as_texts_that_mean_the_same() {
    for text in [
        "d{1: 3, (1 - 2)}",
        "d{((1 - 2)): 2, 5: (3 - 2)}",
        "d{(1 - 2)..(7 - 3), (2 - 3) * 2}",
        "(==d{(1 - 2), -1} 2#d2)",
    ] {
        assert!(read_all(text).is_ok(), "{text}");
        bodies::parse(Dialect::Bones, text);
    }
}

/// The results of the last rule of a text.
pub(crate) fn read_all(text: &str) -> Result<notation::Reading, Error> {
    let source = Source::new("rule", text);
    let mut environment = Environment::default();
    let mut last = None;
    for piece in notation::rules(Dialect::Bones, &source) {
        let piece = piece?;
        if piece.is_definition {
            notation::define(Dialect::Bones, &source, piece.span, &mut environment)?;
        } else {
            let rule = notation::parse_in(Dialect::Bones, &source, piece.span, &environment)?;
            last = Some(rule.lower(&Settings::default())?.swap_remove(0));
        }
    }
    Ok(last.expect("the text has a rule"))
}

/// All outcomes of the last rule of a text, as `value: probability`.
#[track_caller]
fn outcomes(text: &str) -> String {
    let program = read_all(text).unwrap().program.sorted();
    let answer = engine::analyze(&program, &Limits::default(), &dicedist::limits::Unobserved);
    let answer = answer.unwrap_or_else(|error| panic!("{text}: {error}"));
    let outcomes = answer.outcomes().iter();
    let outcomes = outcomes.map(|(value, weight)| {
        format!(
            "{}: {}",
            value.exact(&answer.unit, &answer.shape),
            answer.probability(weight)
        )
    });
    outcomes.collect::<Vec<_>>().join(", ")
}

/// Both texts have the same core program.
#[track_caller]
fn same(text: &str, explicit: &str) {
    let core = |text: &str| read_all(text).unwrap().program.to_string();
    assert_eq!(core(text), core(explicit), "{text}");
}

#[track_caller]
fn refused(text: &str, kind: ErrorKind, message: &str) {
    let error = read_all(text).and_then(|reading| {
        engine::analyze(
            &reading.program,
            &Limits::default(),
            &dicedist::limits::Unobserved,
        )
    });
    let error = error.expect_err(text);
    assert_eq!(error.kind(), kind, "{text}: {error}");
    assert!(error.to_string().contains(message), "{text}: {error}");
}

/// The precedence is that of section 2 of the specification of the forms.
mod conditions {
    use super::*;

    #[test]
    fn comparisons_are_looser_than_filters_and_tighter_than_not_and_or() {
        same("count >=2 3#d3 >= 2", "(count >=2 3#d3) >= 2");
        same(
            "not 1 == d2 and 2 == d2 or 3 == d2",
            "((not (1 == d2)) and (2 == d2)) or (3 == d2)",
        );
        same("1 + 2 == d6, 3 < d2", "((1 + 2) == d6), (3 < d2)");
        same(
            "let x = 3#d6 in high 1 >3 x",
            "let x = 3#d6 in high 1 (>3 x)",
        );
        same(
            "let x = 3#d6 in high 1 x > 3",
            "let x = 3#d6 in (high 1 x) > 3",
        );
        same("1 < d2..3", "(1 < d2)..3");
    }

    #[test]
    fn a_condition_is_a_list_in_lists_and_a_number_in_arithmetic() {
        // By hand: a d6 is at least 5 with 1/3.
        assert_eq!(outcomes("d6 >= 5"), "0: 2/3, 1: 1/3");
        assert_eq!(outcomes("(d6 >= 5) * 10"), "0: 2/3, 10: 1/3");
        assert_eq!(
            outcomes("count (d6 >= 5, d6 >= 5)"),
            "0: 4/9, 1: 4/9, 2: 1/9"
        );
        assert_eq!(
            outcomes("let c = d6 >= 5 in if c then c + 1 else c"),
            "0: 2/3, 2: 1/3"
        );
        assert_eq!(outcomes("def c = d6 >= 5\nc"), "0: 2/3, 1: 1/3");
        assert_eq!(
            outcomes("if d2 == 1 then d6 >= 5 else 7"),
            "0: 1/3, 1: 1/6, 7: 1/2"
        );
        let kind = |text| read_all(text).unwrap().kind;
        assert_eq!(
            kind("if d2 == 1 then d6 >= 5 else d6 == 1"),
            Kind::Condition
        );
        assert_eq!(kind("if d2 == 1 then d6 >= 5 else ()"), Kind::Condition);
        assert_eq!(kind("if d2 == 1 then d6 >= 5 else 7"), Kind::Plain);
        assert_eq!(kind(">=5 d6"), Kind::Plain);
    }

    #[test]
    fn the_right_side_is_evaluated_only_where_the_left_does_not_decide() {
        assert_eq!(outcomes("let x = d2 - 1 in x == 0 or 1/x == 1"), "1: 1");
        assert_eq!(
            outcomes("let x = d2 - 1 in x != 0 and 1/x == 1"),
            "0: 1/2, 1: 1/2"
        );
        refused(
            "let x = d2 - 1 in x == 1 or 1/x == 1",
            ErrorKind::DivisionByZero,
            "zero",
        );
    }

    #[test]
    fn numbers_and_lists_are_no_conditions_and_no_sides() {
        refused(
            "let x = d6 in x == 3 or 4",
            ErrorKind::Type,
            "write `x == 4`",
        );
        refused("not 4", ErrorKind::Type, "always one number");
        refused("2#d6 > 3", ErrorKind::Type, "list");
        refused("1 < 2 < 3", ErrorKind::Parse, "write `1 < 2 and 2 < 3`");
        refused("1 + not d2 > 1", ErrorKind::Parse, "1 + (not d2 > 1)");
    }
}

mod definitions {
    use super::*;

    #[test]
    fn arguments_are_evaluated_once_and_named_rolls_at_each_use() {
        assert_eq!(
            outcomes("def twice(x) = x + x\ntwice(d2)"),
            "2: 1/2, 4: 1/2"
        );
        assert_eq!(
            outcomes("def coin = d2\ncoin + coin"),
            "2: 1/4, 3: 1/2, 4: 1/4"
        );
        assert_eq!(outcomes("def f(x) = x; let f = 3 in f"), "3: 1");
        assert_eq!(
            outcomes("def f(a, b) = a - b\nf(if 1 == 1 then 7 else 8, 5)"),
            "2: 1"
        );
        assert_eq!(outcomes("def f(a) = a\ndef g(a) = f(a) + 1\ng(1)"), "2: 1");
    }

    #[test]
    fn recursion_ends_by_what_is_known() {
        // The sum of n coins, each 0 or 1: binomial.
        let coins = "def coins(n) = if n == 0 then 0 else d2 - 1 + coins(n - 1)\n";
        assert_eq!(
            outcomes(&format!("{coins}coins(2)")),
            "0: 1/4, 1: 1/2, 2: 1/4"
        );
        let fib = "def fib(n) = case n {..1: n, 2..: fib(n - 1) + fib(n - 2)}\n";
        assert_eq!(outcomes(&format!("{fib}fib(60)")), "1548008755920: 1");
        let loops = "def f(n) = if n == 0 then 1 else sum(foreach i in 1..n do f(i - 1))\n";
        assert_eq!(outcomes(&format!("{loops}f(10)")), "512: 1"); // 2^(n-1)
        refused("def f(n) = f(n + 1)\nf(1)", ErrorKind::Domain, "repeat");
        refused(
            "def f = if d6 == 6 then f else 1\nf",
            ErrorKind::Domain,
            "repeat",
        );
        refused(
            "def f(n) = if n == 0 then 0 else f(n - 1)\nf(5000)",
            ErrorKind::Limit,
            "repeat",
        );
        let tree = "def f(n) = if n == 0 then d2 else f(n - 1) + f(n - 1) + d n\n";
        refused(&format!("{tree}f(200)"), ErrorKind::Limit, "parts");
        refused(
            "def f(n, k) = if n == 0 then d2 else f(n - 1, d2) + f(n - 1, d3)\nf(100, 1)",
            ErrorKind::Limit,
            "parts",
        );
    }

    #[test]
    fn mistakes_about_definitions_show_them() {
        refused("def f(x) = x\nf(1, 2)", ErrorKind::Type, "needs 1 argument");
        refused("def f(x) = x\nf", ErrorKind::Type, "write `f(x)`");
        refused("def f = 1\nf(2)", ErrorKind::Type, "no arguments");
        refused("def f = 1\ndef f = 2\nf", ErrorKind::Parse, "second time");
        refused(
            "def f(not) = 1\nf(1)",
            ErrorKind::Parse,
            "word of the language",
        );
        refused("def f(x, x) = 1\nf(1)", ErrorKind::Parse, "two parameters");
        refused("def f =\nf", ErrorKind::Parse, "stops before");
        refused("def f(x = 2\nf", ErrorKind::Parse, "never closed");
        refused(
            "def f = y\nf",
            ErrorKind::Unbound,
            "in the definition of `f`",
        );
        refused("f(3)", ErrorKind::Parse, "def f(x)");
    }

    #[test]
    fn definitions_reach_over_arguments_and_settings_reach_definitions() {
        let said = run([
            "def hit = d20 + b >= 15",
            "hit",
            "--set",
            "b=0,5",
            "--exactly",
            "1",
        ]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        assert!(
            said.stdout.contains("3/10") && said.stdout.contains("11/20"),
            "{}",
            said.stdout
        );
        let said = run(["def f = 1/(d2-1)", "f"]);
        assert!(said.stderr.contains("[ rule 2:1:1 ]"), "{}", said.stderr);
        let said = run(["def f = 1"]);
        assert_eq!(said.code, Some(1), "{}", said.stderr);
    }
}

mod dice {
    use super::*;

    #[test]
    fn dice_may_have_any_faces_and_weights() {
        assert_eq!(outcomes("d{1, 1, 2}"), "1: 2/3, 2: 1/3");
        assert_eq!(
            outcomes("d{0: 4, 1..6}"),
            "0: 2/5, 1: 1/10, 2: 1/10, 3: 1/10, 4: 1/10, 5: 1/10, 6: 1/10"
        );
        assert_eq!(outcomes("let x = 2#d2 in d{x}"), "1: 1/2, 2: 1/2");
        // By hand, value by value of what is rolled first: w / (w + 3), and 2w / (2w + 1) for the two faces of the range.
        assert_eq!(outcomes("let g = d3 in d{1: g, 2: 0}"), "1: 1");
        assert_eq!(outcomes("d{1: 0, 2: 3}"), "2: 1");
        assert_eq!(
            outcomes("let w = d2 in d{0: w, 1: 3}"),
            "0: 13/40, 1: 27/40"
        );
        assert_eq!(outcomes("d{1..2: d2, 3}"), "1: 11/30, 2: 11/30, 3: 4/15");
        assert_eq!(outcomes("d{1: d2 * 100, 2: 100}"), "1: 7/12, 2: 5/12");
        assert_eq!(
            outcomes("let x = d2 in d{x: 3, 9}"),
            "1: 3/8, 2: 3/8, 9: 1/4"
        );
        assert_eq!(outcomes("dF"), "-1: 1/3, 0: 1/3, 1: 1/3");
        same("d%", "d100");
        refused("d{}", ErrorKind::BadDie, "die");
        refused("d{1: 0}", ErrorKind::BadDie, "");
        refused("d{1: 0 - 1}", ErrorKind::Domain, "0 or more");
        refused("d{1: d2 - 2, 2: 5}", ErrorKind::Domain, "");
        refused("draw 1 {1: d2 - 2, 2: 5}", ErrorKind::Domain, "");
        refused("let g = d2 - 1 in d{1: g, 2: 0}", ErrorKind::BadDie, "");
        refused("d{1: 2#d2}", ErrorKind::Type, "list");
        let said = run(["let g = d2 - 1 in d{1: g, 2: 0}"]);
        assert!(said.stderr.contains("weights are all 0"), "{}", said.stderr);
        let said = run(["d{1: d2 - 2, 2: 5}"]);
        assert!(
            said.stderr.contains("a weight is 0 or more"),
            "{}",
            said.stderr
        );
        refused("d{1: 2", ErrorKind::Parse, "never closed");
    }

    #[test]
    fn members_of_a_bag_are_drawn_without_replacement() {
        let bag = |rest: &str| format!("let bag = (5#1, 3#2) in {rest}");
        // Hypergeometric: 5·4·3 / 8·7·6 and so on.
        assert_eq!(
            outcomes(&bag("count ==2 draw 3 from bag")),
            "0: 5/28, 1: 15/28, 2: 15/56, 3: 1/56"
        );
        assert_eq!(outcomes(&bag("count draw 9 from bag")), "8: 1");
        assert_eq!(outcomes(&bag("count draw 0 from bag")), "0: 1");
        assert_eq!(outcomes("at 1 draw 2 from (1, 1, 7)"), "1: 2/3, 7: 1/3");
        // What is left is a bag as well: four of eight are drawn in two draws.
        assert_eq!(
            outcomes(&bag(
                "let x = draw 2 from bag in count ==2 (x, draw 2 from without x bag)"
            )),
            "0: 1/14, 1: 3/7, 2: 3/7, 3: 1/14"
        );
        // How many are in the bag is rolled: 1/2 · 1/3 + 1/2 · 2/4.
        assert_eq!(
            outcomes("let n = d2 in sum draw 1 from (n#1, 2#0)"),
            "0: 7/12, 1: 5/12"
        );
        assert_eq!(
            outcomes("sum a of draw 2 from ({a: 1, b: 2}, {a: 3, b: 4})"),
            "4: 1"
        );
        // A bag of thirty tokens until one of them shows: each place is as likely. The state is the counts.
        assert_eq!(
            outcomes(
                "repeat a = 10, b = 10, c = 9, n = 0, x = 0 until x == 9 do let x = d{1: a, 2: b, 3: c, 9: 1} in \
                 a - (x == 1), b - (x == 2), c - (x == 3), n + 1, x then n <= 3"
            ),
            "0: 9/10, 1: 1/10"
        );
        // Found by a recursion over the counts in another language.
        assert_eq!(
            outcomes(
                "repeat g = 6, y = 4, r = 3, n = 0, shots = 0 until n == 3 or shots > 2 do \
                 let x = draw 3 from (g#1, y#2, r#3) in g - count ==1 x, y - count ==2 x, r - count ==3 x, n + 1, \
                 shots + sum(foreach die in x do d6 <= die) then shots >= 3"
            ),
            "0: 340917793/720555264, 1: 379637471/720555264"
        );
        // A bag of 30 tokens of which some are rolled.
        assert_eq!(
            outcomes("let n = d6 in count ==2 draw 10 from (20#1, n#2, 5#3) == 0"),
            "0: 694583/946647, 1: 252064/946647"
        );
        refused("draw 0 - 1 from 1..3", ErrorKind::NegativeCount, "");
        refused("draw 2 from", ErrorKind::Parse, "");
        same(
            "let from = 2 in draw 2 from from",
            "let y = 2 in draw 2 from y",
        );
        same(
            "draw (2) from draw 3 from (7, 8, 9)",
            "draw 2 from (draw 3 from (7, 8, 9))",
        );
    }

    #[test]
    fn decks_are_drawn_without_replacement() {
        // Hypergeometric: 2 of 4 cards, one of them a 1.
        assert_eq!(outcomes("count ==1 draw 2 {0: 3, 1}"), "0: 1/2, 1: 1/2");
        assert_eq!(outcomes("count draw 9 {1..3}"), "3: 1");
        refused("draw (0-1) {1}", ErrorKind::NegativeCount, "negative");
    }

    #[test]
    fn a_choice_by_value_takes_the_first_arm_that_fits() {
        assert_eq!(
            outcomes("case d6 {6: 2, 1 or 3: -1, 1..: 0}"),
            "-1: 1/3, 0: 1/2, 2: 1/6"
        );
        assert_eq!(
            outcomes("count case d2 {1: (1, 2), else: ()}"),
            "0: 1/2, 2: 1/2"
        );
        refused("case d6 {6: 2}", ErrorKind::Domain, "");
        refused("case d6 {d2: 2}", ErrorKind::Type, "known before any roll");
        refused("case d6 {6 2}", ErrorKind::Parse, "expected `:`");
    }
}

mod loops {
    use super::*;

    #[test]
    fn a_state_has_any_number_of_parts() {
        assert_eq!(
            outcomes("repeat a = 0, b = 5 while a < 3 do a + 1, b - a then b"),
            "2: 1"
        );
        assert_eq!(
            outcomes(
                "repeat a = 0, b = 1 until a == 3 do let c = a + 1 in if c > 1 then c, b * 2 else c, b then b"
            ),
            "4: 1"
        );
        assert_eq!(
            outcomes("repeat x = () for i in 1..4 do i, x"),
            "4 3 2 1: 1".replace("4 3 2 1", "1 2 3 4")
        );
        assert_eq!(
            outcomes("repeat x = (), n = 0 while n < 3 do (x, n), n + 1 then sum x"),
            "3: 1"
        );
        assert_eq!(
            outcomes("repeat c = 1 == 2, n = 0 until n == 2 do not c, n + 1 then c"),
            "0: 1"
        );
        assert_eq!(
            outcomes("repeat s = 0 for y in (5, 1, 3) do 10 * s + y"),
            "513: 1"
        );
        assert_eq!(
            outcomes("repeat s = 0 for y in 1..300 do s + y"),
            "45150: 1"
        );
        // A `let` that hides the variable: nothing is added to what it was.
        assert_eq!(
            outcomes("repeat n = 0, x = 1 while x == 1 do let n = 5 in n + 1, d2 then n"),
            "6: 1"
        );
        // A counter whose new value is chosen or bound: what that does is not left out, and the d2 shows 1 half of the time.
        for added in [
            "if 1/(d2-1) > 0 then n + 1 else n + 1",
            "let u = 1/(d2-1) in n + 1",
        ] {
            refused(
                &format!("repeat n = 0, x = 1 while x > 0 do ({added}), x - 1 then n"),
                ErrorKind::DivisionByZero,
                "division by zero",
            );
        }
        // Four dice, each a hit with 1/3: binomial.
        assert_eq!(
            outcomes(
                "repeat hits = 0, left = 4 while left > 0 do \
                 (if d6 >= 5 then hits + 1 else hits), max(left - 1, 0) then hits"
            ),
            "0: 16/81, 1: 32/81, 2: 8/27, 3: 8/81, 4: 1/81"
        );
        assert_eq!(outcomes("reroll x = d6 until x > 4"), "5: 1/2, 6: 1/2");
        assert_eq!(outcomes("let x = 3 in reroll x = d x until x == 2"), "2: 1");
        refused(
            "repeat a = 1, b = 2 while a < 3 do a + 1 then a",
            ErrorKind::Type,
            "2 variables",
        );
        assert_eq!(
            outcomes("repeat a = 1, b = 2 while a < 3 do a + 1, b"),
            "a: 3, b: 2: 1"
        );
        refused(
            "repeat a = 1, a = 2 while a < 3 do a + 1, 1 then a",
            ErrorKind::Type,
            "two variables",
        );
    }

    #[test]
    fn a_duel_is_a_race() {
        // The first to throw heads wins: 2/3 for the one who begins.
        let duel = "repeat a = 1, b = 1 while a > 0 and b > 0 do \
            let q = b - (d2 - 1) in (if q > 0 then a - (d2 - 1) else a), q then a > 0";
        assert_eq!(outcomes(duel), "0: 1/3, 1: 2/3");
    }
}

mod words {
    use super::*;

    #[test]
    fn words_for_lists_and_numbers_follow_their_definitions() {
        for (text, expected) in [
            ("rank 2 (5, 9, 7)", "7"),
            ("rank (0-1) (5, 9, 7)", "5"),
            ("count rank 4 (5, 9, 7)", "0"),
            ("let i = 3 in rank i (5, 9, 7)", "5"),
            ("sum distinct (2, 1, 2)", "3"),
            ("sum (first 1 distinct (2, 1, 2))", "2"),
            ("sum without (6, 6) (6, 5, 6, 6)", "11"),
            ("compare (1, 3) (3, 1, 1)", "-1"),
            ("compare (2, 3) (3, 1, 1)", "1"),
            ("compare () ()", "0"),
            ("max(1, (7, 2), 3)", "7"),
            ("min(4)", "4"),
            ("abs(0-4)", "4"),
            ("(0-7) div 2", "-4"),
            ("(0-7) mod 2", "1"),
            ("7 mod (0-2)", "-1"),
            ("7 div (0-2)", "-4"),
        ] {
            assert_eq!(outcomes(text), format!("{expected}: 1"), "{text}");
        }
        refused("max()", ErrorKind::Domain, "");
        refused("max(>9 d6)", ErrorKind::Domain, "");
        refused("7 div (d2-1)", ErrorKind::DivisionByZero, "zero");
        refused("abs(1, 2)", ErrorKind::Type, "one number");
        refused("max 1", ErrorKind::Parse, "max(1)");
        // The number of different faces of five dice, by Stirling numbers of the second kind.
        assert_eq!(
            outcomes("count distinct 5#d6"),
            "1: 1/1296, 2: 25/432, 3: 125/324, 4: 25/54, 5: 5/54, 6: 0".replace(", 6: 0", "")
        );
        // Two d6 against two d6: by symmetry, with the chance of a tie (6/36)² · 6/6 … by enumeration.
        assert_eq!(outcomes("compare d6 d6"), "-1: 5/12, 0: 1/6, 1: 5/12");
    }

    #[test]
    fn new_words_are_names_where_they_are_bound_and_warn() {
        let reading = read_all("let not = 3 in not").unwrap();
        assert!(reading.warnings[0].message.contains("`not` is a name"));
        assert!(read_all("let min = 3 in min").unwrap().warnings.is_empty());
        assert!(
            read_all("let x = 3 in max(x, 2)")
                .unwrap()
                .warnings
                .is_empty()
        );
        let said = run(["not + 1", "--set", "not=3"]);
        assert_eq!(said.code, Some(0));
        assert!(
            said.stderr.contains("is a name in this rule"),
            "{}",
            said.stderr
        );
        let said = run(["max 3#d6", "-d", "dicelab"]);
        let expected = "`max` is a word of Bones, and none of dicelab";
        assert!(said.stderr.contains(expected), "{}", said.stderr);
    }

    #[test]
    fn traps_are_named_with_the_text_that_was_meant() {
        let help = |text: &str| {
            let warnings = read_all(text).unwrap().warnings;
            warnings
                .iter()
                .find_map(|warning| warning.help.clone())
                .unwrap_or_default()
        };
        assert!(help("if d6 == 1 then 1 else 2, 3").contains("(if d6 == 1 then 1 else 2), 3"));
        assert!(help("first 5 perm 1..52").contains("first 5 perm (1..52)"));
        assert!(help("(d20 - 10)/2").contains("(d20 - 10) div 2"));
        let said = run(["let c = 5#d10 in count >=7 c + count ==10 c"]);
        assert!(
            said.stderr.contains("(count >=7 c) + count ==10 c"),
            "{}",
            said.stderr
        );
    }
}

/// Texts that are answered otherwise than they look, with a warning that has the text that was meant.
mod traps {
    use super::*;

    #[track_caller]
    fn warnings(text: &str) -> Vec<String> {
        let source = Source::new("rule", text);
        let rule = notation::parse(Dialect::Bones, &source, source.span()).unwrap();
        let settings = Settings::default().with_parameter("n", 1);
        let readings = rule.lower(&settings).unwrap();
        let warnings = readings[0].warnings.iter();
        warnings
            .map(|warning| {
                format!(
                    "{}: {}",
                    warning.message,
                    warning.help.clone().unwrap_or_default()
                )
            })
            .collect()
    }

    #[track_caller]
    fn warns(text: &str, parts: [&str; 2]) {
        let found = warnings(text);
        let has = |warning: &String| parts.iter().all(|part| warning.contains(part));
        assert!(found.iter().any(has), "{text}: {found:?}");
    }

    #[test]
    fn a_number_as_a_condition_always_holds() {
        let message = "always holds as a condition";
        for text in [
            "if n then 1 else 2",
            "repeat x = 0 for i in (0, 1, 0) do if i then x + 1 else x",
            "repeat a = 3, turn = d2 > d2 while a > 0 do if turn then a - d2, 0 else a, 1 then a",
            "let x = d6 in x given x - 1",
            "repeat a = 3 while a do a - 1",
        ] {
            let word = if text.contains(" if ") {
                "== 1`"
            } else {
                "> 0`"
            };
            warns(text, [message, word]);
        }
        for text in [
            "if d6 > 3 then 1 else 2",
            "if >3 2#d6 then 1 else 2",
            "repeat t = 0, go = d2 == 1 while go do t + 1, d2 == 1 then t",
        ] {
            assert_eq!(warnings(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_number_that_is_counted_is_hardly_meant() {
        warns(
            "count 5+ n#d6",
            ["`count 5` is 1", "write `count >=5 n#d6`"],
        );
        assert_eq!(warnings("count 5#d6 + 1"), [""; 0]);
    }

    #[test]
    fn the_number_of_all_dice_is_compared() {
        warns(
            "count 4#d6 >= 5",
            ["is the number of all dice: 4", "`count >=5 4#d6`"],
        );
        warns(
            "let x = 3#d{1, 2} in count x == 2",
            ["all dice: 3", "`count ==2 x`"],
        );
        warns(
            "let f = sum(8#d6) in count 4#(if d20 > 9 then f/2 else f) >= 27",
            ["all dice: 4", "`count >=27 4#(if d20 > 9 then f/2 else f)`"],
        );
        assert_eq!(warnings("count n#d6 >= 5"), [""; 0]);
        assert_eq!(warnings("let x = 4#d6 in count (>3 x) >= 2"), [""; 0]);
    }

    #[test]
    fn a_condition_about_other_dice_is_named() {
        warns(
            "d6 given d6 > 3",
            ["rolls dice of its own", "`let x = d6 in x given x > 3`"],
        );
        assert_eq!(warnings("let x = d6 in x given x > 3"), [""; 0]);
    }
}

/// Mistakes of people who know other languages, each with the word that leads on.
mod mistakes {
    use super::*;

    /// The whole rule that is suggested for a rule that is no rule.
    fn corrected(text: &str) -> Option<String> {
        let source = Source::new("rule", text);
        let error = notation::parse(Dialect::Bones, &source, source.span()).unwrap_err();
        error.diagnostics()[0].correction().map(str::to_owned)
    }

    #[test]
    fn the_values_of_an_arm_are_read_as_they_are_printed() {
        let cases = [
            (
                "case d6 {6: \"full\", 4-5: \"partial\", 1-3: \"bad\"}",
                "case d6 {6: \"full\", 4..5: \"partial\", 1..3: \"bad\"}",
            ),
            (
                "case sum(2#d6) {10+: 2, 7-9: 1, 6-: 0}",
                "case sum(2#d6) {10..: 2, 7..9: 1, ..6: 0}",
            ),
            (
                "case sum(2#d6) {>=10: 2, > 6: 1, <= 3: 0, <7: 0}",
                "case sum(2#d6) {10..: 2, 7..: 1, ..3: 0, ..6: 0}",
            ),
            (
                "case d6 {4, 5 to 6: 2, =3: 1, else: case d4 {1, 2, 3: 0, else: (1, 2)}}",
                "case d6 {4 or 5..6: 2, 3: 1, else: case d4 {1 or 2 or 3: 0, else: (1, 2)}}",
            ),
        ];
        for (text, meant) in cases {
            assert_eq!(corrected(text).as_deref(), Some(meant), "{text}");
        }
        let cases = [
            ("{1-3 or 6: 1, else: 2}", "{1..3 or 6: 1, else: 2}"),
            ("{1 to 3 or 6: 1, else: 2}", "{1..3 or 6: 1, else: 2}"),
            ("{1-2 or 4-5: 1, 3+: 2}", "{1..2 or 4..5: 1, 3..: 2}"),
            ("{-2--1: 1, 0: 2, 1-3: 3}", "{-2..-1: 1, 0: 2, 1..3: 3}"),
            ("{-2-0: 1, 1+: 2}", "{-2..0: 1, 1..: 2}"),
            ("{1..3, 4: 1}", "{1..3 or 4: 1}"),
            ("{>3 or 1: 1, else: 2}", "{4.. or 1: 1, else: 2}"),
            ("{-1+: 1, -2-: 2}", "{-1..: 1, ..-2: 2}"),
            ("{>=-1: 1, <-1: 2}", "{-1..: 1, ..-2: 2}"),
            ("{4: 2, 1..2, 3: 1}", "{4: 2, 1..2 or 3: 1}"),
        ];
        for (arms, meant) in cases {
            let found = corrected(&format!("case d6-3 {arms}"));
            assert_eq!(found, Some(format!("case d6-3 {meant}")), "{arms}");
        }
        let named = "let n = 4 in case d6 {>=n: 1, < n: 2}";
        let meant = "let n = 4 in case d6 {n..: 1, ..n - 1: 2}";
        assert_eq!(corrected(named).as_deref(), Some(meant));
        // Each of these is a rule as it stands.
        for text in [
            "case d6 {6-4: 1, else: 0}",
            "case d6-3 {(1-3): 1, else: 0}",
            "let n = 1 in case d6 {n-3: 1, 1 or n: 2, else: 0}",
            "case d6-3 {-2..-1: 1, 3 or 0: 2, else: 0}",
            "case d{(1-2): 3, 4, (5-1): 2} {4: 1, else: 0}",
            "let case = 1 in case + 4-5",
        ] {
            let source = Source::new("rule", text);
            let read = notation::parse(Dialect::Bones, &source, source.span());
            assert!(read.is_ok(), "{text}: {read:?}");
        }
    }

    #[test]
    fn each_count_of_a_sum_gets_parentheses() {
        let cases = [
            (
                "let x = 3#d6 in count ==6 x + count ==5 x + count ==4 x",
                "(count ==6 x) + (count ==5 x) + count ==4 x`",
            ),
            (
                "let x = 3#d6 in count ==6 x + (count ==5 x) + 1",
                "(count ==6 x) + (count ==5 x) + 1`",
            ),
            (
                "let x = 3#d{\"s\", \"ss\"} in count ==\"s\" x + 2 * count ==\"ss\" x",
                "(count ==\"s\" x) + 2 * count ==\"ss\" x`",
            ),
        ];
        for (text, meant) in cases {
            let said = run([text]);
            assert!(said.stderr.contains(meant), "{text}: {}", said.stderr);
        }
    }

    #[test]
    fn a_range_behind_a_comparison_is_named() {
        let said = run(["let v = sum(2#d6) in if v == 7..9 then 1 else 0"]);
        let help = "write `v >= 7 and v <= 9`";
        assert!(said.stderr.contains(help), "{}", said.stderr);
        let said = run(["let v = d6 in (v >= 2)..3"]);
        assert!(!said.stderr.contains("looser"), "{}", said.stderr);
    }

    #[test]
    fn a_total_has_no_members_to_count() {
        for rule in ["4d6", "sum(3#d6)", "d6"] {
            let said = run([rule, "--chance", "count ==6 value >= 1"]);
            let message = "the value is one number";
            assert!(said.stderr.contains(message), "{rule}: {}", said.stderr);
        }
        // A label is no total.
        let label = "case d6 {6: \"hit\", else: \"miss\"}";
        let said = run([label, "--chance", "count ==\"hit\" value >= 1"]);
        assert!(said.stdout.contains("1/6"), "{}", said.stderr);
        // Of 6^4 rolls, 5^4 have no 6.
        let said = run(["4#d6", "--chance", "count ==6 value >= 1", "--fractions"]);
        assert!(said.stdout.contains("671/1296"), "{}", said.stdout);
    }

    /// A comparison of totals is a condition in each notation that has one: d20 is 10 or more in 11 of 20 rolls.
    #[test]
    fn a_comparison_of_totals_answers_yes_or_no() {
        for rule in ["1d20+5 >= 15", "(1d20+5 >= 15)", "d20+5 >= 15"] {
            let said = run([rule, "--exactly", "yes", "--fractions"]);
            assert!(said.stdout.contains("11/20"), "{rule}: {}", said.stdout);
            assert!(run([rule]).stdout.contains("yes "), "{rule}");
        }
        assert!(!run(["1d20>=15"]).stdout.contains("yes"));
    }

    #[test]
    fn a_label_that_no_rule_can_have_does_not_hide_the_mistake() {
        let said = run(["for i in 1..3 do \"botch\"", "--exactly", "botch"]);
        let meant = "write `foreach i in";
        assert!(said.stderr.contains(meant), "{}", said.stderr);
    }

    #[test]
    fn the_help_has_what_was_meant() {
        let cases = [
            (
                "case d20 {1: 'fumble', else: 2}",
                "{1: \"fumble\", else: 2}",
            ),
            (
                "if d6 > 3 then 1 elif d6 > 2 then 2 else 3",
                "then 1 else if d6 > 2",
            ),
            ("highest 3 4#d6", "write `high 3 4#d6`"),
            ("let f = sum(8#d6) in floor(f / 2)", "in f div 2`"),
            ("reroll x = d6 while x < 3", "until x >= 3"),
            ("for i in 1..3 do d6", "write `foreach i in 1..3 do d6`"),
        ];
        for (text, help) in cases {
            let source = Source::new("rule", text);
            let error = notation::parse(Dialect::Bones, &source, source.span()).unwrap_err();
            let finding = &error.diagnostics()[0];
            assert_eq!(error.diagnostics().len(), 1, "{text}: {error}");
            let found = finding.help.clone().unwrap_or_default();
            assert!(found.contains(help), "{text}: {found}");
        }
        let said = run(["def f(x) = x + 1; f (3)"]);
        assert!(said.stderr.contains("write `f(3)`"), "{}", said.stderr);
        let said = run(["d(1,2,3)"]);
        assert!(said.stderr.contains("write `d{1,2,3}`"), "{}", said.stderr);
    }
}

/// What a loop leaves open of the value is open of the rolls that are kept, too.
#[test]
fn what_is_open_of_a_value_stays_open_under_a_condition() {
    let text = "let z = sum(2#d2) * (reroll y = d3 until y > 1) in z given z > 1";
    let program = crate::rules::read(Dialect::Bones, text).unwrap().sorted();
    for tolerance in ["1/2", "1/10", "1/1000"] {
        let limits = Limits::default().with_tolerance(tolerance.parse().unwrap());
        let answer =
            engine::enumerate::enumerate(&program, &limits, &dicedist::limits::Unobserved).unwrap();
        let listed: dicedist::algebra::Weight =
            answer.outcomes().iter().map(|(_, weight)| weight).sum();
        let others = answer.tail_weight() + answer.unresolved() + answer.never_ends();
        assert_eq!(&(listed + others), answer.total(), "{tolerance}");
    }
}
