//! Labels, records and `given`. The expected numbers are counted by hand or come from the sources that are named.

use dicedist::engine::{self, Answer};
use dicedist::limits::Unobserved;
use dicedist::notation::{self, Environment, Settings};
use dicedist::source::Source;
use dicedist::{Dialect, Error, ErrorKind, Limits};

use crate::command::run;

/// The answer of the last rule of a text, and that of the slow evaluator.
fn answers(text: &str) -> Result<[Answer; 2], Error> {
    let source = Source::new("rule", text);
    let mut environment = Environment::default();
    let mut program = None;
    for piece in notation::rules(Dialect::Bones, &source) {
        let piece = piece?;
        if piece.is_definition {
            notation::define(Dialect::Bones, &source, piece.span, &mut environment)?;
        } else {
            let rule = notation::parse_in(Dialect::Bones, &source, piece.span, &environment)?;
            program = Some(
                rule.lower(&Settings::default())?
                    .swap_remove(0)
                    .program
                    .sorted(),
            );
        }
    }
    let program = program.expect("the text has a rule");
    let limits = Limits::default();
    let fast = engine::analyze(&program, &limits, &Unobserved)?;
    let slow = engine::enumerate::enumerate(&program, &limits, &Unobserved)?;
    Ok([fast, slow])
}

/// Both evaluators give these outcomes, as `value: probability`.
#[track_caller]
fn gives(text: &str, expected: &str) {
    let found = answers(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let is_complete = |answer: &Answer| answer.is_complete();
    assert!(is_complete(&found[0]), "{text}");
    // The slow evaluator cuts loops.
    for answer in found.iter().filter(|answer| is_complete(answer)) {
        let outcomes = answer.outcomes().iter().map(|(value, weight)| {
            let value = value.exact(&answer.unit, &answer.shape);
            format!("{value} = {}", answer.probability(weight))
        });
        assert_eq!(outcomes.collect::<Vec<_>>().join("; "), expected, "{text}");
    }
}

#[track_caller]
fn refused(text: &str, kind: ErrorKind, message: &str) {
    let error = answers(text).expect_err(text);
    assert_eq!(error.kind(), kind, "{text}: {error}");
    assert!(error.to_string().contains(message), "{text}: {error}");
}

mod labels {
    use super::*;

    #[test]
    fn the_arms_of_a_case_are_labels_numbers_and_ranges() {
        gives(r#"case d{"a", "b"} {"a": 1, "b": 2}"#, "1 = 1/2; 2 = 1/2");
        gives(
            r#"case d{"a": 3, 1: 1} {1: 5, else: 6}"#,
            "5 = 1/4; 6 = 3/4",
        );
        gives(
            r#"case d{"a": 3, -1: 1, 2: 1, 7: 5} {..3: "low", "a" or 7: "other"}"#,
            "low = 1/5; other = 4/5",
        );
        gives(
            r#"case d6 {"a": 1, 2 or 3: 2, else: 3}"#,
            "2 = 1/3; 3 = 2/3",
        );
        gives(
            "def worth(x) = case x {\"a\": 1, 0..9: 2}\nworth(\"a\") + worth(5)",
            "3 = 1",
        );
        refused(
            r#"case d{"a", "b"} {"a".."b": 1}"#,
            ErrorKind::Type,
            "from number to number",
        );
        refused(
            "case {a: d6} {1: 5, else: 6}",
            ErrorKind::Type,
            "a record stands",
        );
        refused(r#"case d{"a", "b"} {"a": 1}"#, ErrorKind::Domain, "");
    }

    #[test]
    fn labels_are_shown_after_numbers_in_the_order_of_the_text() {
        gives(
            "case d6 {1: \"z\", 2: \"a\", else: d2}",
            "1 = 1/3; 2 = 1/3; z = 1/6; a = 1/6",
        );
        gives("(\"b\", 3, \"a\")", "3 \"b\" \"a\" = 1");
        gives(
            "2#d{\"x\", 5}",
            "5 5 = 1/4; 5 \"x\" = 1/2; \"x\" \"x\" = 1/4",
        );
    }

    #[test]
    fn labels_are_counted_compared_and_chosen_by_position() {
        // The binomial distribution with n = 3 and p = 1/3.
        gives(
            "count ==\"skull\" 3#d{\"skull\": 2, \"blank\": 4}",
            "0 = 8/27; 1 = 4/9; 2 = 2/9; 3 = 1/27",
        );
        gives("first 1 (\"a\", 3)", "\"a\" = 1");
        gives("d{\"a\", \"b\"} == \"a\"", "0 = 1/2; 1 = 1/2");
        gives("d{\"a\", \"b\"} != d{\"a\", \"b\"}", "0 = 1/2; 1 = 1/2");
        gives("let x = \"a\" in if x == \"a\" then 1 else 2", "1 = 1");
    }

    #[test]
    fn a_number_never_equals_a_label() {
        gives("d2 == \"a\"", "0 = 1");
        gives("count ==1 (1, \"a\", \"b\", 1)", "2 = 1");
        gives("count !=\"a\" (1, 2, \"a\", \"b\")", "3 = 1");
        gives("count ==0 (0, \"a\")", "1 = 1");
    }

    #[test]
    fn labels_are_no_numbers() {
        refused(
            "sum \"a\"",
            ErrorKind::Type,
            "a label stands where a number is needed",
        );
        refused(
            "sort (\"a\", \"b\")",
            ErrorKind::Type,
            "labels have no order",
        );
        refused(
            "high 1 2#d{\"a\", \"b\"}",
            ErrorKind::Type,
            "labels have no order",
        );
        refused("\"a\" < \"b\"", ErrorKind::Type, "a label stands");
        refused("d\"a\"", ErrorKind::Type, "a label stands");
    }

    #[test]
    fn a_label_among_numbers_fails_only_where_it_comes_up() {
        gives(
            "if d2 == 1 then 7 else (let x = d{\"a\", 4} in 0)",
            "0 = 1/2; 7 = 1/2",
        );
        let error = answers("d{3, \"a\", 5} + 1").expect_err("a label");
        assert_eq!(error.kind(), ErrorKind::Type);
        assert_eq!(
            error.probability().map(ToString::to_string),
            Some("1/3".into())
        );
        gives("sum !=\"a\" (d{3, \"a\"}, 4)", "4 = 1/2; 7 = 1/2");
    }

    #[test]
    fn labels_are_states_of_loops() {
        // A fair coin ends in either way with the same chance.
        gives(
            "repeat s = \"go\" while s == \"go\" do case d3 {1: \"go\", 2: \"won\", 3: \"lost\"}",
            "won = 1/2; lost = 1/2",
        );
        gives(
            "first 2 (while x = \"a\" do if x == \"a\" then 1 else ())",
            "1 \"a\" = 1",
        );
    }

    #[test]
    fn several_rules_share_one_order_of_labels() {
        let csv = run(["--format", "csv", "\"b\"", "d{\"a\", \"b\"}"]).stdout;
        let values: Vec<&str> = csv
            .lines()
            .skip(1)
            .filter_map(|line| line.split(',').rev().nth(5))
            .collect();
        assert_eq!(values, ["b", "b", "a"], "{csv}");
    }
}

mod parts {
    use super::*;

    #[test]
    fn parts_have_names_and_are_asked_for() {
        gives(
            "let x = 2#d2 in {ones: count ==1 x, best: max(x)}",
            "ones: 0, best: 2 = 1/4; ones: 1, best: 2 = 1/2; ones: 2, best: 1 = 1/4",
        );
        gives(
            "let r = {a: d2, b: 3} in a of r + b of r",
            "4 = 1/2; 5 = 1/2",
        );
        gives(
            "high of {high: 3, sum: 4} + sum of {high: 3, sum: 4}",
            "7 = 1",
        );
        gives(
            "{a: d2 > 1, b: \"x\"}",
            "a: 0, b: x = 1/2; a: 1, b: x = 1/2",
        );
    }

    #[test]
    fn records_are_added_part_by_part() {
        gives(
            "{a: 1, b: 2} + {a: 10, b: 20} * 2 - {a: 1, b: 1}",
            "a: 20, b: 41 = 1",
        );
        gives("0 + {a: 1, b: -2} - 0", "a: 1, b: -2 = 1");
        gives(
            "sum(2#d{{a: 1, b: 0}, {a: 0, b: -1}})",
            "a: 0, b: -2 = 1/4; a: 1, b: -1 = 1/2; a: 2, b: 0 = 1/4",
        );
        gives("sum(first 0 2#{a: d2, b: d2})", "a: 0, b: 0 = 1");
    }

    #[test]
    fn records_are_ordered_part_by_part() {
        gives(
            "high 1 ({a: 1, b: 9}, {a: 2, b: -5}, {a: 2, b: -6})",
            "{a: 2, b: -5} = 1",
        );
        gives(
            "b of sort ({a: 2, b: 3}, {a: 1, b: 4}, {a: 2, b: -1})",
            "-1 3 4 = 1",
        );
        gives("count distinct 2#{a: d2, b: 1}", "1 = 1/2; 2 = 1/2");
        gives("a of first 1 (=={a: 2, b: 1} 3#{a: 2, b: 1})", "2 = 1");
    }

    #[test]
    fn records_are_equal_if_all_parts_are() {
        gives("{a: d2, b: 1} == {a: d2, b: 1}", "0 = 1/2; 1 = 1/2");
        gives("{a: 1, b: \"x\"} == {a: 1, b: \"y\"}", "0 = 1");
        gives("{a: 1, b: \"x\"} != {a: 1, b: \"y\"}", "1 = 1");
    }

    #[test]
    fn a_loop_without_then_is_a_record_of_its_variables() {
        gives(
            "repeat a = 0, b = 2 while b > 0 do a + 1, b - 1",
            "a: 2, b: 0 = 1",
        );
        gives(
            "repeat s = {n: 0, m: 0} for i in 1..3 do s + {n: 1, m: i}",
            "n: 3, m: 6 = 1",
        );
    }

    #[test]
    fn mistakes_about_records_say_what_to_do() {
        refused(
            "{a: 1} + 1",
            ErrorKind::Type,
            "records are added to records",
        );
        refused("a of 3", ErrorKind::Type, "needs a record");
        // The inner choice is refused, and the outer one takes no member of it for a record.
        let endless = "(repeat p = 1, q = 0 until q > 0 do p - 1, d2 - 1)";
        let die = "d{{p: 1, q: 2}, {p: 0, q: 0}: 2}";
        refused(
            &format!("if d2 == 1 then {endless} else (if d2 == 1 then {endless} else {die})"),
            ErrorKind::Domain,
            "needs bounds that are known before any roll",
        );
        refused("c of {a: 1, b: 2}", ErrorKind::Unbound, "has no part `c`");
        refused("{a: 1, a: 2}", ErrorKind::Type, "two parts");
        refused("({a: 1}, {b: \"x\"})", ErrorKind::Type, "label elsewhere");
        refused("({a: 1}, 3)", ErrorKind::Type, "no record");
        refused("sum {a: \"x\"} + 1", ErrorKind::Type, "labels");
        refused(
            "2#{a: sum(while x = d6 do ==6 d6)}",
            ErrorKind::Domain,
            "bounds",
        );
        refused(
            "{a: (1, 2)}",
            ErrorKind::Type,
            "a list where one number is needed",
        );
    }

    #[track_caller]
    fn same(short: &str, long: &str) {
        let [short_law, long_law] = [short, long].map(crate::judge::product::canonical);
        assert!(
            short_law.is_some() && short_law == long_law,
            "{short}: {short_law:?}, {long}: {long_law:?}"
        );
    }

    /// The expected numbers are those of the same rules with all parts written out.
    #[test]
    fn a_part_that_is_left_out_is_zero_where_records_meet() {
        for (short, long) in [
            ("{a: 1} + {b: d2}", "{a: 1, b: d2}"),
            (
                "sum(2#d{{s: 1}, {a: 1}})",
                "sum(2#d{{s: 1, a: 0}, {s: 0, a: 1}})",
            ),
            (
                "2#d{{s: 1}: 2, 0, {a: 2, s: 1}}",
                "2#d{{s: 1, a: 0}: 2, {s: 0, a: 0}, {s: 1, a: 2}}",
            ),
            ("{b: 1, a: 2} - {a: d3}", "{b: 1, a: 2 - d3}"),
            (
                "if d2 == 1 then {a: d2} else {b: 3}",
                "if d2 == 1 then {a: d2, b: 0} else {a: 0, b: 3}",
            ),
            ("{a: 1} == {a: 1, b: d2 - 1}", "d2 == 1"),
            (
                "repeat s = {a: 0} while b of s < 2 do s + {b: d2}",
                "repeat s = {a: 0, b: 0} while b of s < 2 do s + {a: 0, b: d2}",
            ),
            (
                "let r = {a: d2} in {a: a of r + b of r, b: 1}",
                "let r = {a: d2, b: 0} in {a: a of r, b: 1}",
            ),
            (
                "repeat r = {a: 0} until a of r > 1 do {b: 1, a: a of r + d2} then r",
                "repeat r = {a: 0, b: 0} until a of r > 1 do {a: a of r + d2, b: 1} then r",
            ),
            (
                "let x = 2#{u: d2} in (x, {v: 1})",
                "let x = 2#{u: d2, v: 0} in (x, {u: 0, v: 1})",
            ),
        ] {
            same(short, long);
        }
    }

    /// Each text on the left stands for the one on the right.
    #[test]
    fn what_is_rolled_again_is_compared_with_members_of_its_own_kind() {
        for (short, long) in [
            (
                "count ==\"skull\" reroll 3#d{\"skull\": 1, 0: 2, 1: 3} on 1",
                "count ==\"skull\" 3#d{\"skull\": 1, 0: 2}",
            ),
            ("reroll d{\"a\", 1, 2} on (1, 2)", "\"a\""),
            (
                "reroll d{\"a\", 1, 2} once on 1",
                "case d3 {1: d{\"a\", 1, 2}, 2: 2, else: \"a\"}",
            ),
            (
                "reroll d{{a: 5}, {a: 2}, {a: 7}} on ({a: 5}, {a: 7})",
                "{a: 2}",
            ),
            (
                "({l: \"x\", n: 1}, {l: 2, n: 0})",
                "({l: \"x\", n: 1}, {l: 2})",
            ),
            ("d{sum3: 2, 5}", "d{3: 2, 5}"),
            ("reroll d3 on ()", "d3"),
            (
                "case (case {d2 == 1: 1, else: 2}) {1: 5, else: 6}",
                "d{5, 6}",
            ),
            (
                "case case case {d2 == 1: 1, else: 2} {1: 5, else: 6} {5: 7, else: 8}",
                "d{7, 8}",
            ),
            ("draw d{1, 2} from (1, 2, 3)", "draw d2 from (1, 2, 3)"),
            (
                "draw case {2 == 1: 1, else: 2} from (1, 2, 3)",
                "draw 2 from (1, 2, 3)",
            ),
            (
                "draw case {a: 1} == {a: 1} {1: 2, else: 1} from (1, 2, 3)",
                "draw 2 from (1, 2, 3)",
            ),
            (
                "case case v of {v: d2} {1: {a: 2}, else: {a: 3}} == {a: 2} {1: 5, else: 6}",
                "d{5, 6}",
            ),
            (
                "case {u: 1, v: d2} == {u: 1, v: 2} {1: 3, else: 4}",
                "d{3, 4}",
            ),
            (
                "select y in (1, 2, 3) where case y {2: d2 == 1, else: y == 3}",
                "if d2 == 1 then (2, 3) else 3",
            ),
            ("straight (1..5000)", "5000"),
            ("straight (10^30, 1 + 10^30)", "2"),
        ] {
            same(short, long);
        }
        refused(
            "reroll d{{a: 1}, {a: 2}} on 1",
            ErrorKind::Type,
            "no record",
        );
        refused("explode d{\"a\", \"b\"}", ErrorKind::Type, "on what");
        let many = "explode d{select y in 1..6 where y < 4}";
        refused(many, ErrorKind::Type, "on what");
        let known = "def die = 3\nreroll die on 3";
        refused(known, ErrorKind::Type, "rolled already");
    }

    #[test]
    fn a_part_can_be_asked_for_by_itself() {
        let rule = "let x = 2#d6 in {best: max(x), worst: min(x)}";
        // P(the better of two dice is at least 5) = 1 - (4/6)².
        let csv = run(["--part", "best", "--at-least", "5", "--format", "csv", rule]).stdout;
        assert!(csv.trim_end().ends_with(",5,9"), "{csv}");
        let said = run(["--part", "sum", rule]);
        assert_eq!(said.code, Some(1));
        assert!(said.stderr.contains("best, worst"), "{}", said.stderr);
    }

    #[test]
    fn every_format_has_the_parts() {
        let rule = "let x = 2#d2 in {ones: count ==1 x, best: max(x)}";
        let csv = run(["--format", "csv", rule]).stdout;
        assert!(
            csv.starts_with("name,value,ones,best,probability,"),
            "{csv}"
        );
        let json = run(["--format", "json", rule]).stdout;
        assert!(json.contains("\"kind\": \"record\""), "{json}");
        assert!(json.contains("\"parts\": [\"ones\", \"best\"]"), "{json}");
        assert!(
            json.contains("{\"value\": {\"ones\": 0, \"best\": 2}"),
            "{json}"
        );
        let markdown = run(["--format", "markdown", rule]).stdout;
        assert!(
            markdown.contains("| ones | best | probability |"),
            "{markdown}"
        );
        let table = run([rule]).stdout;
        // Both parts depend on the same dice: the covariance is -1/4, and the variances are 1/2 and 3/16.
        assert!(
            table.contains("correlation of ones and best is -0.8165"),
            "{table}"
        );
    }
}

mod given {
    use super::*;

    /// The bowl problem with dice of A. Downey's *Think Bayes*, chapter 3.
    #[test]
    fn a_die_is_told_by_what_it_shows() {
        gives(
            "let size = d{4, 6, 8, 12, 20} in size given d size == 6",
            "6 = 20/51; 8 = 5/17; 12 = 10/51; 20 = 2/17",
        );
    }

    #[test]
    fn the_condition_divides_what_is_left() {
        gives("let x = 2#d6 in sum x given count ==6 x == 2", "12 = 1");
        gives("let x = 2#d2 in x given ==2 x", "1 2 = 2/3; 2 2 = 1/3");
        gives(
            "let x = d6 in if x > 4 then x else x + 10 given x > 2",
            "5 = 1/4; 6 = 1/4; 13 = 1/4; 14 = 1/4",
        );
        gives("d2 > 1 given d3 > 1", "0 = 1/2; 1 = 1/2");
        gives(
            "let x = d4 in {a: x, b: \"s\"} given x > 2",
            "a: 3, b: s = 1/2; a: 4, b: s = 1/2",
        );
        gives("let x = d4 in () given x > 2", " = 1");
        // Both branches have a condition of their own: 1/4 and 1/6 are kept.
        gives(
            "if d2 == 1 then (1 given d2 == 1) else (2 given d3 == 1)",
            "1 = 3/5; 2 = 2/5",
        );
        // A branch without a condition is kept: 1/2, and 1/4 of the other.
        gives(
            "if d2 == 1 then 1 else (2 given d2 == 1)",
            "1 = 2/3; 2 = 1/3",
        );
    }

    #[test]
    fn a_condition_stands_at_the_end_of_definitions_and_loops() {
        gives("def f(x) = x given x > 2\nf(d4)", "3 = 1/2; 4 = 1/2");
        gives(
            "repeat s = 0 for i in 1..2 do s + d2 then s given s > 2",
            "3 = 2/3; 4 = 1/3",
        );
        refused(
            "1 + (2 given d2 == 1)",
            ErrorKind::Domain,
            "only at the end",
        );
        refused(
            "def f = d4 given d2 == 1\nf + f",
            ErrorKind::Domain,
            "only at the end",
        );
    }

    #[test]
    fn a_condition_that_never_holds_is_an_error() {
        refused(
            "d6 given d6 > 6",
            ErrorKind::Domain,
            "the condition never holds",
        );
    }

    #[test]
    fn what_stands_before_the_condition_fails_whether_it_holds_or_not() {
        let error = answers("let x = 1 / (d2 - 1) in x given d2 == 3").expect_err("it fails");
        assert_eq!(error.kind(), ErrorKind::DivisionByZero);
        assert_eq!(
            error.probability().map(ToString::to_string),
            Some("1/2".into())
        );
        gives("let x = d2 in 1 / (x - 1) given x == 2", "1 = 1");
    }

    #[test]
    fn tails_and_loops_without_end_are_divided_as_well() {
        // Given that an exploding die goes beyond 6, it is a 6 and another such die.
        let rule = "let x = sum(while y = d6 do (count ==6 y)#d6) in x given x > 6";
        let [fast, _] = answers(rule).unwrap();
        let seven = fast.numbers().unwrap().weight_of(&7.into());
        assert_eq!(fast.probability(&seven).to_string(), "1/6");
        assert!(fast.above().is_some());
        let summary = dicedist::summary::Summary::of(&fast);
        // The mean of an exploding d6 is 21/5.
        assert_eq!(summary.mean.finite().unwrap().to_string(), "51/5");
        let rule = "let x = d4 in (if x == 4 then (while y = 1 do 1) else x) given x > 2";
        let [fast, _] = answers(rule).unwrap();
        assert_eq!(fast.probability(&fast.never_ends()).to_string(), "1/2");
        assert_eq!(fast.given.unwrap()[1].to_string(), "1/2");
    }

    #[test]
    fn rolls_are_those_that_are_kept() {
        let rolled = run(["--roll", "20", "--seed", "3", "let x = d6 in x given x > 4"]).stdout;
        assert!(
            rolled.lines().all(|line| line == "5" || line == "6"),
            "{rolled}"
        );
        let json = run(["--format", "json", "let x = d6 in x given x > 4"]).stdout;
        assert!(json.contains("\"given\": \"1/3\""), "{json}");
    }
}

/// The options `--chance` and `--exactly` with a label.
mod questions {
    use super::*;

    /// The lines of standard output.
    #[track_caller]
    fn lines(args: &[&str]) -> Vec<String> {
        let output = run(args);
        assert_eq!(output.code, Some(0), "{args:?}: {}", output.stderr);
        output.stdout.lines().map(str::to_owned).collect()
    }

    const POOL: &str = "let x = 7#d10 in {hits: count >=8 x, ones: count ==1 x}";

    #[test]
    fn parts_of_a_record_are_names_in_a_condition() {
        // Of 10^7 rolls, Σ C(7, k) 3^k 6^(7-k) for k of 3 to 7 have so many hits and no one: 2053593, by hand.
        let found = lines(&[POOL, "--chance", "hits >= 3 and ones == 0"]);
        assert_eq!(
            found,
            ["hits >= 3 and ones == 0  20.5359%  0.205359  2053593/10000000"]
        );
    }

    #[test]
    fn parts_of_a_packed_record_are_names_too() {
        // A sum of three records, each with a hit or an op: two hits or three of 2^3.
        let rule = "sum(3#d{{hits: 1, op: 2}, {hits: 0, op: 1}})";
        let found = lines(&[rule, "--chance", "hits >= 2", "--chance", "op - hits == 3"]);
        assert!(
            found[0].ends_with("  1/2") && found[1].ends_with("100%  1.000000  1"),
            "{found:?}"
        );
    }

    #[test]
    fn the_value_of_any_notation_is_asked() {
        let rules = [
            ("bones", "sum(2#d6)"),
            ("dicebag", "2d6"),
            ("anydice", "output 2d6"),
        ];
        for (dialect, rule) in rules {
            let found = lines(&["-d", dialect, rule, "--chance", "value >= 5"]);
            assert!(found[0].ends_with("  5/6"), "{rule}: {found:?}");
        }
    }

    #[test]
    fn what_was_rolled_is_left_out_before_the_condition() {
        // Given a 6, the size is over 6 with (1/8 + 1/12 + 1/20) of (1/6 + 1/8 + 1/12 + 1/20).
        let rule = "let size = d{4, 6, 8, 12, 20} in size given d size == 6";
        let found = lines(&[rule, "--chance", "value > 6"]);
        assert!(found[0].ends_with("  31/51"), "{found:?}");
    }

    #[test]
    fn an_endless_loop_has_an_exact_chance() {
        // An exploding die reaches 10 with a six and then 4 or more.
        let rule = "sum(while x=d6 do ((count ==6 x)#d6))";
        let found = lines(&[rule, "--chance", "value >= 10"]);
        assert!(found[0].ends_with("  1/12"), "{found:?}");
    }

    #[test]
    fn a_swept_name_may_stand_in_the_condition_alone() {
        let found = lines(&["d6", "--chance", "value >= n", "--set", "n=5,6"]);
        let ends = ["  1/3", "  1/6"];
        for (line, end) in found[3..].iter().zip(ends) {
            assert!(line.ends_with(end), "{found:?}");
        }
    }

    #[test]
    fn a_condition_in_other_words_is_corrected() {
        let cases = [
            (">= 15", "value >= 15"),
            ("15", "value == 15"),
            ("7-9", "value >= 7 and value <= 9"),
            ("7 to 9", "value >= 7 and value <= 9"),
            ("between 7 and 9", "value >= 7 and value <= 9"),
            ("value == 7..9", "value >= 7 and value <= 9"),
            (
                "value in 7..9 or value == 2",
                "value >= 7 and value <= 9 or value == 2",
            ),
            ("10+", "value >= 10"),
            ("6 or more", "value >= 6"),
            ("> 10 and < 15", "value > 10 and value < 15"),
            ("total = 7", "value == 7"),
            ("odd or 12", "value mod 2 == 1 or value == 12"),
        ];
        for (text, meant) in cases {
            let said = run(["sum(2#d6)", "--chance", text]);
            let help = format!("write `{meant}`");
            assert!(said.stderr.contains(&help), "{text}: {}", said.stderr);
            let read = run(["sum(2#d6)", "--chance", meant]);
            assert_eq!(read.code, Some(0), "{meant}: {}", read.stderr);
        }
    }

    #[test]
    fn a_condition_is_corrected_only_if_all_of_it_is_understood() {
        let unclear = [
            "7, 9",
            "value 7",
            "and and",
            "n >= 10",
            ">= 10 or lucky",
            "(7)..9",
            "9..7",
        ];
        for text in unclear {
            let said = run(["sum(2#d6)", "--chance", text]);
            assert_eq!(said.code, Some(1), "{text}: {}", said.stdout);
            assert!(
                !said.stderr.contains("write `value"),
                "{text}: {}",
                said.stderr
            );
        }
        // The parts of a record have names of their own.
        let said = run([POOL, "--chance", ">= 2"]);
        assert!(!said.stderr.contains("write `value"), "{}", said.stderr);
        // A name with a value is no other name of the value.
        let said = run(["d6", "--chance", "x >= 2", "--set", "x=3"]);
        assert!(said.stderr.contains("use `value`"), "{}", said.stderr);
    }

    #[test]
    fn labels_are_asked_for_by_their_text() {
        let rule = r#"case d20 {1: "fumble", 20: 7, else: "ok"}"#;
        let found = lines(&[rule, "--exactly", "ok", "--exactly", "7", "--at-least", "2"]);
        assert_eq!(
            found,
            [
                "exactly ok  90.0000%  0.900000  9/10",
                "exactly 7    5.0000%  0.050000  1/20",
                "at least 2         -         -  labels have no order",
            ]
        );
        let chance = lines(&[rule, "--chance", r#"value == 7 or value == "fumble""#]);
        assert!(chance[0].ends_with("  1/10"), "{chance:?}");
    }

    #[test]
    fn a_list_is_asked_whether_it_has_a_member() {
        // No four among three dice: 125 of 216.
        let chance = lines(&["3#d6", "--chance", "==4 value"]);
        assert!(chance[0].ends_with("  91/216"), "{chance:?}");
    }

    #[test]
    fn a_condition_that_cannot_be_asked_is_shown_in_its_own_text() {
        let cases = [
            ("value", "this is no condition"),
            ("vlue >= 3", "write `value >= 3`"),
            ("value >=", "expected dice, a number or a list"),
            ("hits >= 1", "`hits` has no value"),
            ("1/(value-3) >= 0", "the rule fails with probability 1/6"),
            ("2 > 1", "this says nothing about the value"),
        ];
        for (condition, message) in cases {
            let output = run(["d6", "--chance", condition]);
            let text = output.stderr;
            assert_eq!(output.code, Some(1), "{condition}");
            assert!(text.contains("--chance:1"), "{condition}: {text}");
            assert!(text.contains(message), "{condition}: {text}");
        }
        let output = run(["d6", "--exactly", "miss"]);
        assert_eq!(output.code, Some(2));
    }

    #[test]
    fn a_sampled_chance_is_labelled() {
        let rule = "count(distinct 40#d365)";
        let args = [
            rule,
            "--chance",
            "value >= 36",
            "--max-states",
            "50",
            "--samples",
            "2000",
            "--seed",
            "1",
        ];
        let found = lines(&args);
        assert!(found[0].contains("sampled"), "{found:?}");
    }

    #[test]
    fn rules_with_labels_are_compared_by_how_they_overlap() {
        let rules = [
            r#"if d2 == 1 then "heads" else "tails""#,
            r#"if d3 == 1 then "heads" else "tails""#,
        ];
        let output = run([rules[0], rules[1], "--format", "json"]);
        let json: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
        let compared = &json["comparisons"][0];
        // 1/2 * 1/3 + 1/2 * 2/3, and 1/2 - 1/3.
        assert_eq!(compared["tie"], "1/2");
        assert_eq!(compared["total_variation"], "1/6");
        assert!(compared["a_wins"].is_null() && compared["dominates"].is_null());
        let found = lines(&rules);
        assert!(found.iter().any(|line| line.contains("both are equal")));
        assert!(!found.iter().any(|line| line.contains("is higher")));
    }
}
