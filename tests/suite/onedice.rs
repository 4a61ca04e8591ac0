//! `OneDice`: how texts are read, and their answers. The expected numbers are counted by hand, or are those of an equivalent rule
//! in Bones, which has golden vectors of its own.

use dicedist::engine::enumerate;
use dicedist::limits::{Limits, Unobserved};
use dicedist::notation::{self, Parsed, Reading, Settings, Wanted};
use dicedist::source::Source;
use dicedist::{Dialect, Error, ErrorKind, engine};
use proptest::prelude::*;

use crate::command::{dicedist, run, say};

fn parse(dialect: Dialect, text: &str) -> Result<Parsed, Error> {
    let source = Source::new("rule", text);
    notation::parse(dialect, &source, source.span())
}

fn read_with(text: &str, settings: &Settings) -> Result<Reading, Error> {
    let mut results = parse(Dialect::Onedice, text)?.lower(settings)?;
    Ok(results.swap_remove(0))
}

fn read(text: &str) -> Result<Reading, Error> {
    read_with(text, &Settings::default())
}

#[track_caller]
fn core(text: &str) -> String {
    match read(text) {
        Ok(reading) => reading.program.to_string(),
        Err(error) => panic!("{text} is refused: {error}"),
    }
}

/// Asserts that a text is read as the same text with explicit parentheses and operands.
#[track_caller]
fn reads_as(text: &str, explicit: &str) {
    assert_eq!(core(text), core(explicit), "{text}");
}

#[track_caller]
fn refused(text: &str, kind: ErrorKind) {
    match read(text) {
        Ok(reading) => panic!("{text} is read as {}", reading.program),
        Err(error) => assert_eq!(error.kind(), kind, "{text}: {error}"),
    }
}

/// The outcomes of a rule, each with its probability.
#[track_caller]
fn outcomes(dialect: Dialect, text: &str, settings: &Settings) -> Vec<(String, String)> {
    let results = parse(dialect, text).and_then(|rule| rule.lower(settings));
    let program = results
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .swap_remove(0)
        .program;
    let answer = engine::analyze(&program, &Limits::default(), &Unobserved);
    let answer = answer.unwrap_or_else(|error| panic!("{text}: {error}"));
    assert!(answer.above().or(answer.below()).is_none(), "{text}");
    let outcomes = answer.outcomes().iter();
    outcomes
        .map(|(value, weight)| {
            let members: Vec<_> = value
                .numbers()
                .unwrap()
                .iter()
                .map(ToString::to_string)
                .collect();
            (members.join(" "), answer.probability(weight).to_string())
        })
        .collect()
}

/// Asserts that a rule has the distribution of a rule in Bones.
#[track_caller]
fn is_like(text: &str, bones: &str) {
    let settings = Settings::default();
    assert_eq!(
        outcomes(Dialect::Onedice, text, &settings),
        outcomes(Dialect::Bones, bones, &settings),
        "{text}"
    );
}

/// Asserts that the tuple of a rule has the distribution of a rule in Bones, with the members in order.
#[track_caller]
fn tuple_is_like(text: &str, bones: &str) {
    let pool = Settings::default().with_wanted(Wanted::Pool);
    assert_eq!(
        outcomes(Dialect::Onedice, text, &pool),
        outcomes(Dialect::Bones, bones, &Settings::default()),
        "{text}"
    );
}

/// Asserts that a rule fails with this kind of error and this probability.
#[track_caller]
fn fails(text: &str, kind: ErrorKind, probability: &str) {
    let program = read(text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .program;
    let error = engine::analyze(&program, &Limits::default(), &Unobserved);
    let error = error.expect_err(text);
    assert_eq!(error.kind(), kind, "{text}");
    let found = error.probability().map(ToString::to_string);
    assert_eq!(found.as_deref(), Some(probability), "{text}");
}

#[track_caller]
fn warnings(text: &str) -> Vec<String> {
    let warnings = read(text).unwrap().warnings;
    let message = |warning: dicedist::Diagnostic| {
        let help = warning.help.unwrap_or_default();
        format!("{}; {help}", warning.message)
    };
    warnings.into_iter().map(message).collect()
}

#[test]
fn every_operator_has_its_level_and_associates_to_the_left() {
    for (text, explicit) in [
        ("1<2>3", "(1<2)>3"),
        ("1&2<3|4", "(1&2)<(3|4)"),
        ("1|2&3", "(1|2)&3"),
        ("1+2&3-4", "(1+2)&(3-4)"),
        ("1*2+3x4", "(1*2)+(3*4)"),
        ("6/2*3", "(6/2)*3"),
        ("2^3*4", "(2^3)*4"),
        ("2^3^2", "(2^3)^2"),
        ("3d6kh2^2", "((3d6)kh2)^2"),
        ("4d6kh3kl2min2", "(((4d6)kh3)kl2)min2"),
        ("4d6khd2", "(4d6)kh(1d2)"),
        ("2d3d4", "(2d3)d4"),
        ("1d2?3:4", "1d(2?3:4)"),
        ("1?$t1:$t2=3", "1?($t1):($t2=3)"),
        ("$t1=2d6", "($t1=2)d6"),
        ("1d6?2:3k1", "(1d(6?2:3)k1)"),
        ("2d6tpsp1", "((2d6)tp)sp1"),
    ] {
        reads_as(text, explicit);
    }
}

#[test]
fn missing_operands_are_those_of_their_neighbours() {
    for (text, explicit) in [
        ("d", "1d100"),
        ("2d", "2d100"),
        ("dd6", "(1d100)d6"),
        ("d6d", "(1d6)d100"),
        ("2d6khd4", "2d6kh(1d4)"),
        ("-d6", "0-1d6"),
        ("2d6tpd6", "(2d6tp)d6"),
        ("2d6kh*2", "(2d6kh1)*2"),
        ("df-1", "(4f3)-1"),
        ("[d,f,b,p]", "[1d100,4f3,1b1,1p1]"),
        ("3?*2", "(3?)*2"),
        ("d?", "1d(100?)"),
        ("4dk3", "4d100k3"),
        ("d6b+1", "(1d6b1)+1"),
        ("2d6+f", "2d6+4f3"),
        ("d$t1", "1d($t1)"),
    ] {
        reads_as(text, explicit);
    }
    for text in [
        "", "kh", "+2", "*2", "c8", "a8", "1a", "1c", "3*-2", "2d6+", "1^", "sp1", "(", "()", "[]",
        "[1,]", "2min", "1?2:", "1<", "--1", "1d6+kh", "lp[1]", "$t", "$t=1",
    ] {
        refused(text, ErrorKind::Parse);
    }
}

#[test]
fn case_width_and_blanks_mean_nothing() {
    reads_as("4D6KH3", "4d6kh3");
    reads_as(" 4 d 6 kh 3 ", "4d6kh3");
    reads_as("３ｄ６＋（２×【１，２】）", "3d6+(2*[1,2])");
    reads_as("（１ｄ６＞３）？１０：２０", "(1d6>3)?10:20");
    reads_as("￥ｔ１＝５", "$t1=5");
    reads_as("2\u{3000}d\u{3000}6", "2d6");
    reads_as("[1、2]", "[1,2]");
}

#[test]
fn parameters_belong_to_the_operator_directly_before() {
    reads_as("5d6a4", "(5d6a4)");
    assert_ne!(core("5d6a4"), core("(5d6)a4"));
    is_like("5d6a4", "count >=4 5#d6");
    is_like("(2d2)a11k6", "count >=6 (sum 2#d2)#d10");
    is_like("4d6k3k2", "sum high 2 4#d6");
    for text in [
        "(4d6)k3",
        "4d6k1q1",
        "4d6b1p1",
        "4d6k1b1",
        "4d6bq1",
        "5fk2",
        "4d6m3",
        "1c8k3",
        "5d6a[4]",
        "4d6k",
        "4d6k[1]",
        "2d6kh1k1",
        "$t1=[1,2]",
    ] {
        refused(text, ErrorKind::Parse);
    }
}

#[test]
fn parameters_are_digits_names_or_parentheses() {
    let settings = Settings::default().with_parameter("n", 2);
    let program = read_with("4d6k{n}", &settings).unwrap().program;
    assert_eq!(program.to_string(), core("4d6k2"));
    is_like("2lp[3d6ki]sp2", "sum high 2 3#d6");
    is_like("4d6k(1+1)", "sum high 2 4#d6");
}

#[test]
fn a_choice_has_two_branches() {
    for text in ["1?2", "3?0", "1d6?2", "1?d6:2", "1?2:3:4", "1:2"] {
        refused(text, ErrorKind::Parse);
    }
    is_like("(1d2-1)?(2d4):(1d8)", "if ==2 d2 then sum 2#d4 else d8");
    // The branch that is not taken cannot fail.
    is_like("0?(1/0):3", "3");
    fails("(1d3-1)?(1/0):3", ErrorKind::DivisionByZero, "2/3");
}

#[test]
fn a_choice_without_branches_is_a_sum_of_steps() {
    is_like("5?", "15");
    is_like("(1d4)?", "let a = d4 in a*(a+1)/2");
    fails("(1d4-2)?", ErrorKind::Domain, "1/4");
}

#[test]
fn signs_of_other_notations_are_refused() {
    for text in [
        "2(3)", "1 2", "[1(,]2)", "1d6!", "sum(3d6)", "3#d6", "{}", "$x", "1;2", "d%",
    ] {
        refused(text, ErrorKind::Parse);
    }
}

#[test]
fn names_and_rounds_outside_of_loops_have_no_value() {
    refused("{strength}", ErrorKind::Unbound);
    refused("i", ErrorKind::Unbound);
    refused("ilp[i]", ErrorKind::Unbound);
    let rule = parse(Dialect::Onedice, "{ b }d6+{力量}").unwrap();
    let names = rule.free_names();
    assert!(names.iter().eq(["b", "力量"]));
    let said = run([
        "-d",
        "onedice",
        "d100<{力量}",
        "--set",
        "力量=51",
        "--exactly",
        "1",
    ]);
    assert!(said.stdout.contains("1/2"), "{}", said.stdout);
}

#[test]
fn sides_that_are_not_written_are_a_setting() {
    let settings = Settings::default().with_default_sides(20);
    let program = read_with("d", &settings).unwrap().program;
    assert_eq!(program.to_string(), core("1d20"));
    let said = run([
        "-d",
        "onedice",
        "2d",
        "--default-sides",
        "1",
        "--exactly",
        "2",
    ]);
    assert!(said.stdout.contains("100%"), "{}", said.stdout);
    for wrong in ["0", "x", "10001"] {
        let said = run(["-d", "onedice", "d", "--default-sides", wrong]);
        assert_eq!(said.code, Some(2), "{}", said.stdout);
    }
}

#[test]
fn dice_have_limits() {
    fails("(1d6-3)d6", ErrorKind::BadDie, "1/2");
    fails("10001d1", ErrorKind::BadDie, "1");
    fails("1d0", ErrorKind::BadDie, "1");
    fails("4d6k5", ErrorKind::Domain, "1");
    fails("(1d4)d6k3", ErrorKind::Domain, "1/2");
    is_like("4d6k0", "0");
    fails("1a1", ErrorKind::Domain, "1");
    fails("1000a8", ErrorKind::Domain, "1");
    fails("1a8k0", ErrorKind::Domain, "1");
    fails("3a(1d3)", ErrorKind::Domain, "1/3");
    fails("1c(1d2)", ErrorKind::Domain, "1/2");
    fails("d100b0", ErrorKind::Domain, "1");
    fails("0^0", ErrorKind::Domain, "1");
    fails("(1d2-1)^(1d2-1)", ErrorKind::Domain, "1/4");
    fails("2d6max0", ErrorKind::Domain, "1");
    fails("2d6kh(1d2-1)", ErrorKind::Domain, "1/2");
    let error = crate::rules::analyze(Dialect::Onedice, "10001d6", &Limits::default()).unwrap_err();
    let message = "dice and sides out of the range 1 to 10000 can occur here";
    assert!(error.to_string().starts_with(message), "{error}");
}

#[test]
fn fate_dice_show_minus_one_zero_and_one() {
    is_like("3f", "sum(3#(d3-2))");
    is_like("df", "sum(4#(d3-2))");
    tuple_is_like("2f", "2#(d3-2)");
    is_like("0f", "0");
}

#[test]
fn bonus_and_penalty_dice_choose_among_tens() {
    // The candidates are compared as numbers from 1 to 100, as in the rules of Call of Cthulhu.
    let candidates = |keep: &str| {
        format!(
            "let u = d10-1 in {keep} (foreach t in 3#(d10-1) do \
             if ==0 (10*t+u) then 100 else 10*t+u)"
        )
    };
    is_like("b2", &candidates("low 1"));
    is_like("1d6p2", &candidates("high 1"));
    is_like("b0", "d100");
}

#[test]
fn pools_count_all_dice_of_all_rounds() {
    // No die adds another, so the pool is a plain count.
    is_like("3a11k6", "count >=6 3#d10");
    is_like(
        "3a9k5q5m6",
        "sum(foreach x in 3#d6 do (count >=5 x)+(count <=5 x))",
    );
    // One die is no success with 1/2. After k tens there are k successes, and one more or none.
    let said = run(["-d", "onedice", "1a10k6", "--format", "json"]);
    let json = said.json();
    let outcomes = &json["rules"][0]["outcomes"];
    assert_eq!(outcomes[0]["probability"], "1/2");
    assert_eq!(outcomes[1]["probability"], "9/20");
    assert_eq!(outcomes[2]["probability"], "9/200");
}

#[test]
fn double_cross_scores_rounds_and_the_last_highest_die() {
    is_like("2c7m6", "high 1 2#d6");
    let said = run(["-d", "onedice", "1c9", "--format", "json"]);
    let json = said.json();
    let outcomes = json["rules"][0]["outcomes"].as_array().unwrap();
    // One die: 8 of 10 faces end the first round; the other 2 score 10 and begin another round.
    let of = |value: i64| {
        let found = outcomes.iter().find(|outcome| outcome["value"] == value);
        found.map(|outcome| outcome["probability"].as_str().unwrap().to_owned())
    };
    assert_eq!(of(8).as_deref(), Some("1/10"));
    assert_eq!(of(9), None);
    assert_eq!(of(11).as_deref(), Some("1/50"));
    assert_eq!(of(28).as_deref(), Some("1/250"));
    assert_eq!(json["rules"][0]["mean"]["exact"], "7");
}

#[test]
fn numbers_and_tuples_are_of_the_same_roll() {
    is_like("(2d6+3)kh", "high 1 2#d6 + 3");
    is_like("(10-2d6)kl", "10 - high 1 2#d6");
    is_like("(2d4+1d4)kh", "let a = 2#d4 in let b = d4 in high 1 a + b");
    is_like("(2d4+2d4)kh", "sum(4#d4)");
    is_like("[2,3]d4", "sum(3#d4)");
    is_like("[1d4,1d6]", "d6");
    is_like("[2d4,1]kh2", "sum(2#d4)+1");
    is_like(
        "((1d2)d2+1)kh9",
        "let a = (d2)#d2 in if >1 (count a) then (sum a)+2 else (sum a)+1",
    );
    tuple_is_like("3d4k2", "rev sort high 2 3#d4");
    tuple_is_like("3d4q2", "sort low 2 3#d4");
    tuple_is_like("3d4kh2", "rev sort high 2 3#d4");
    tuple_is_like("2d4*2", "foreach x in 2#d4 do x*2");
    tuple_is_like("2d4min3", "foreach x in 2#d4 do if <3 x then 3 else x");
    // The number is evaluated, too, because it can fail: the sum of the dice can be 7, and no single die can.
    fails("(12/(2d6-7))kh", ErrorKind::DivisionByZero, "1/6");
}

#[test]
fn dropping_drops() {
    is_like("4d6dl1", "sum high 3 4#d6");
    is_like("4d6dh1", "sum low 3 4#d6");
    is_like("4d6dl9", "0");
    tuple_is_like("3d4dh", "rev sort low 2 3#d4");
    fails("(2d6dl2)tp", ErrorKind::Domain, "1");
}

#[test]
fn slices_are_cut_to_the_tuple() {
    is_like("[1,2,3,4]sp2", "2");
    is_like("[1,2,3,4]sp[2,9]kh9", "9");
    is_like("[1,2,3,4,5]sp[1,2,4]kh9", "4");
    is_like("3d4sp[2,3]kh", "high 1 2#d4");
    is_like("[5,6,7]sp(1d3)", "d3+4");
    is_like("[1,2,3]sp[1d2,3]", "3");
    tuple_is_like("[1,2,3]sp[1d2,3]", "let x = d2 in x..3");
    tuple_is_like("(1d3)d1sp[1,2]", "first 2 ((d3)#1)");
    for text in [
        "[1,2]sp0",
        "[1,2]sp3",
        "[1,2]sp[3,4]",
        "[1,2]sp[1,0,2]",
        "[1,2]sp[1,1,1,1]",
    ] {
        fails(text, ErrorKind::Domain, "1");
    }
    fails("[1,2,3]sp(1d4)", ErrorKind::Domain, "1/4");
}

#[test]
fn loops_repeat_their_body_afresh() {
    is_like("3lp[1d4]kh3", "sum(3#d4)");
    is_like("[2,4]lp[id2]kh9", "sum(2#d2)+sum(3#d2)+sum(4#d2)");
    is_like("[1,2,5]lp[i]kh9", "9");
    is_like("(1d3)lp[i]kh9", "let n = d3 in sum(1..n)");
    is_like("2lp[2lp[i]kh+i]kh9", "7");
    tuple_is_like("2lp[1d2,i]", "(d2),1,(d2),2");
    for text in [
        "0lp[1]",
        "2lp3",
        "[1,0,3]lp[1]",
        "[2,1]lp[1]",
        "[1,1,1,1]lp[1]",
    ] {
        fails(text, ErrorKind::Domain, "1");
    }
    fails("(1d3-1)lp[1]", ErrorKind::Domain, "1/3");
}

#[test]
fn variables_live_for_the_whole_rule() {
    is_like("$t1", "0");
    is_like("[$t1=(1d4),$t1*$t1]", "let x = d4 in x*x");
    is_like("($t1=5)+$t1", "10");
    is_like("$t1+($t1=5)", "5");
    is_like("1d4+($t1=(1d4))*$t1", "let a = d4 in let x = d4 in a+x*x");
    is_like("3lp[$t1=($t1+i)]sp3", "6");
    is_like("[$t1=2,(1d2-1)?($t1=5):0,$t1]", "if ==2 d2 then 5 else 2");
    is_like(
        "[(1d2-1)?($t1=(1d3)):($t2=4),$t1+10*$t2]",
        "if ==2 d2 then d3 else 40",
    );
    is_like("[(1d3)lp[$t1=($t1*2+1)],$t1]", "let n = d3 in 2^n-1");
    is_like("[200lp[$t1=($t1+1)],$t1]", "200");
    tuple_is_like("(1d2)lp[$t1=($t1+i)]", "if ==2 d2 then 1,3 else 1");
    // The number of the variable is rolled.
    is_like(
        "[$t1=3,$t2=5,$t(1d3)]",
        "let n = d3 in if ==1 n then 3 else if ==2 n then 5 else 0",
    );
    is_like("[$t1=3,$t(1d2)=7,$t1]", "if ==1 d2 then 7 else 3");
    is_like(
        "[$t1=3,(1d2-1)?($t(1d2)=7):0,$t1]",
        "if ==2 d2 then (if ==1 d2 then 7 else 3) else 3",
    );
}

#[test]
fn parts_of_onedice_are_evaluated_once_from_left_to_right() {
    is_like("[$t1=1,($t1=2)d($t1)]", "sum(2#d2)");
    is_like("(1d2)d(1d2)", "let n = d2 in let m = d2 in sum(n#d m)");
    is_like("($t1=(1d2))>$t1", "0");
    fails("[1/0,2]", ErrorKind::DivisionByZero, "1");
    fails("4f(1/0)", ErrorKind::DivisionByZero, "1");
    fails("2d6k(1/0)k1", ErrorKind::DivisionByZero, "1");
    fails("(1/0)$t1", ErrorKind::DivisionByZero, "1");
}

/// `[4]sp(1d2)` fails if the die shows 2, and `[3,3]sp(1d3)` if it shows 3. What fails once for all dice fails with the
/// probability of one die.
#[test]
fn an_operand_that_has_one_value_but_may_fail_is_evaluated_once() {
    let domain = ErrorKind::Domain;
    fails("2d([4]sp(1d2))", domain, "1/2");
    fails("2d([3,3]sp(1d3))", domain, "1/3");
    fails("2d(([4]sp(1d2))+1)", domain, "1/2");
    fails("2d(([4]sp(1d2))?3:3)", domain, "1/2");
    fails("2d4k([1]sp(1d2))", domain, "1/2");
    fails("2d6a([3]sp(1d2))", domain, "1/2");
    fails("2d100b([1]sp(1d2))", domain, "1/2");
    fails("2d100p([1]sp(1d2))", domain, "1/2");
    fails("2d([4]sp(1d2))b", domain, "1/2");
    fails("2f([4]sp(1d2))", domain, "1/2");
    fails("(2d6)max([3]sp(1d2))", domain, "1/2");
    fails("(2d6)kh([1]sp(1d2))", domain, "1/2");
    fails("[((2d6)+([4]sp(1d2))),1]", domain, "1/2");
    // Two operands that fail: 1 - 1/2 · 1/2. A loop of three rounds: 1 - (1/2)^3.
    fails("([2]sp(1d2))d([4]sp(1d2))", domain, "3/4");
    fails("3lp[2d([4]sp(1d2))]", domain, "7/8");
    // What cannot fail stays at each die.
    assert_eq!(core("2d(1+3)"), "(sum (repeat 2 (die (add 1 3))))");
}

#[test]
fn an_error_in_a_left_operand_hides_the_errors_to_its_right() {
    for (text, start) in [
        ("(0d6)kh(1d0)", 1),
        ("(0d6)kh([1]sp2)", 1),
        ("([2]sp2)d6k([1]sp2)", 1),
    ] {
        let error = engine::analyze(
            &read(text).unwrap().program,
            &Limits::default(),
            &Unobserved,
        );
        let span = error.unwrap_err().diagnostics()[0].span;
        assert_eq!(span.map(|span| span.start), Some(start), "{text}");
    }
    fails("(0d6)max0", ErrorKind::BadDie, "1");
}

#[test]
fn bits_are_those_of_the_two_s_complement() {
    is_like("6&3", "2");
    is_like("6|3", "7");
    is_like("(0-1)&6", "6");
    is_like("(0-8)|3", "-5");
}

#[test]
fn onedice_is_exact() {
    is_like("9007199254740993/1", "9007199254740993");
    is_like("(-7)/2", "-3");
    is_like("2^(0-1)", "0");
    is_like("(-2)^3", "-8");
}

#[test]
fn onedice_reads_a_rule_a_line() {
    let text = "// a comment\nfirst: d6 \n\n  // another\n1?2:3\nlast [bones]: 2#d6\n";
    let source = Source::new("rules", text);
    let rules: Vec<_> = notation::rules(Dialect::Onedice, &source)
        .into_iter()
        .map(Result::unwrap)
        .map(|rule| (rule.name, rule.dialect, source.slice(rule.span)))
        .collect();
    assert_eq!(
        rules,
        [
            ("first".into(), Dialect::Onedice, "d6"),
            ("1?2:3".into(), Dialect::Onedice, "1?2:3"),
            ("last".into(), Dialect::Bones, "2#d6"),
        ]
    );
    let mut command = dicedist(["-d", "onedice", "--exactly", "2"]);
    let said = say(command.write_stdin("1?2:3\n//x\nd4"));
    // Headings, and a line for each rule.
    assert_eq!(said.stdout.lines().count(), 3, "{}", said.stdout);
}

#[test]
fn written_forms_that_surprise_are_warned_of() {
    assert_eq!(
        warnings("1d6>3?10:20"),
        [
            "`?` binds tighter than `>`, so this means `1d6>(3?10:20)`; \
          write `(1d6>3)?10:20` to choose by all that stands before"
        ]
    );
    assert_eq!(
        warnings("$t1=2d6"),
        ["`=` takes one operand alone, so this means `($t1=2)d6`; \
          write `$t1=(2d6)` to set the variable to all of it"]
    );
    assert_eq!(
        warnings("4d6dl1"),
        ["`dl` drops the lowest, as in D&D; write `4d6kh3` to leave no doubt"]
    );
    assert_eq!(warnings("d6b").len(), 1);
    for text in [
        "(1d6>3)?10:20",
        "1?2:3",
        "3?*2",
        "2+3?",
        "[$t1=5,$t1*2]",
        "($t1=5)+$t1",
        "d100b",
    ] {
        assert_eq!(warnings(text), [""; 0], "{text}");
    }
}

#[test]
fn the_tree_of_a_pool_is_core_terms_alone() {
    assert_eq!(
        core("5a8"),
        "(count\n  (filter >=\n    8\n    (repeat 5 \
         (while x0 (die 10) (if (filter >= 8 x0) (die 10) ())))))"
    );
    let said = run(["-d", "onedice", "--print-tree", "d6k1"]);
    assert_eq!(
        said.stdout,
        "d\n  1 (not written)\n  6\n  k\n    1\n\ncore:\n(sum (high 1 (repeat 1 (die 6))))\n"
    );
}

#[test]
fn infinite_pools_are_answered_at_once() {
    for rule in [
        "100a8k6m10",
        "50c8",
        "d100b2",
        "10d100k5",
        "20lp[1d6]kh10",
        "999a10",
    ] {
        let said = run(["-d", "onedice", "--time-limit", "5", rule]);
        assert_eq!(said.code, Some(0), "{rule}: {}", said.stderr);
    }
}

#[test]
fn deep_and_long_rules_of_onedice_are_limits_and_no_crash() {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(|| {
        let many = 100_000;
        for (open, middle, close) in [
            ("(", "1", ")"),
            ("[", "1", "]"),
            ("1+(", "1", ")"),
            ("1d(", "1", ")"),
            ("1?(", "1", "):1"),
            ("2lp[", "1", "]"),
            ("$t1=(", "1", ")"),
        ] {
            let text = open.repeat(many) + middle + &close.repeat(many);
            assert!(read(&text).unwrap_err().is_limit(), "{open}");
            let text = open.repeat(200) + middle + &close.repeat(200);
            read(&text).unwrap();
        }
        for part in ["1+", "1d1d", "2^", "1kh", "1?2:3?"] {
            refused(&(part.repeat(20_000) + "1"), ErrorKind::Limit);
        }
        read(&("1d6+".repeat(5_000) + "1")).unwrap();
        read(&("[".to_owned() + &"1d6,".repeat(100_000) + "1]")).unwrap();
        read(&("1".to_owned() + &"tp".repeat(7_000))).unwrap();
    });
    thread.unwrap().join().unwrap();
}

/// Random rules with every construct.
fn texts() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (0..4_i32).prop_map(|number| number.to_string()),
        prop::sample::select(vec!["i", "$t1", "1d2", "d3", "2d2"]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(4, 20, 3, |part| {
        let pair = (part.clone(), part.clone());
        let infix = prop_oneof![
            "[-+*/^<>&|]",
            Just("d".into()),
            Just("f".into()),
            Just("kh".into()),
            Just("dl".into()),
            Just("max".into()),
            Just("min".into()),
            Just("sp".into()),
            Just("?".into()),
        ];
        prop_oneof![
            4 => (pair.clone(), infix).prop_map(|((a, b), sign)| format!("{a}{sign}{b}")),
            2 => part.clone().prop_map(|a| format!("({a})")),
            2 => pair.clone().prop_map(|(a, b)| format!("[{a},{b}]")),
            1 => pair.clone().prop_map(|(a, b)| format!("({a})d3k({b})")),
            1 => pair.clone().prop_map(|(a, b)| format!("2lp[{a},{b}]")),
            1 => pair.clone().prop_map(|(a, b)| format!("$t({a})=({b})")),
            1 => part.clone().prop_map(|a| format!("$t1=({a})")),
            1 => part.clone().prop_map(|a| format!("({a})tp")),
            1 => part.clone().prop_map(|a| format!("{a}b")),
            1 => (pair, part).prop_map(|((a, b), c)| format!("({a})?({b}):({c})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_onedice_is_a_fixed_point(text in texts()) {
        let text = format!("2lp[{text}]");
        if let Ok(reading) = read(&text) {
            let printed = parse(Dialect::Onedice, &text).unwrap().print();
            prop_assert_eq!(core(&printed), reading.program.to_string(), "{}", &printed);
            let again = parse(Dialect::Onedice, &printed).unwrap().print();
            prop_assert_eq!(again, printed);
        }
    }

    #[test]
    fn no_text_is_too_strange_for_onedice(text in "([0-9a-z()\\[\\]{}$=:?,.<>&|*+/^ -]|lp|sp|kh|dl|\\$t|min|６|（|【){0,30}") {
        let _ = read(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_evaluators_agree_on_onedice(text in texts(), is_pool in any::<bool>()) {
        let wanted = if is_pool { Wanted::Pool } else { Wanted::Number };
        let text = format!("2lp[{text}]");
        if let Ok(reading) = read_with(&text, &Settings::default().with_wanted(wanted)) {
            let limits = Limits::default().with_states(20_000);
            let slow = enumerate::enumerate(&reading.program, &limits, &Unobserved);
            let fast = engine::analyze(&reading.program, &limits, &Unobserved);
            match (slow, fast) {
                (Ok(slow), Ok(fast)) => {
                    let [slow, fast] = [slow, fast].map(|answer| {
                        let outcomes = answer.outcomes().iter();
                        let share = |weight| answer.probability(weight);
                        outcomes.map(|(value, weight)| (value.numbers().unwrap().to_vec(), share(weight))).collect::<Vec<_>>()
                    });
                    prop_assert_eq!(slow, fast, "{}", text);
                }
                (Err(slow), Err(fast)) if !slow.is_limit() => {
                    prop_assert_eq!(slow.kind(), fast.kind(), "{}", text);
                }
                (Err(slow), _) if slow.is_limit() => {}
                (slow, fast) => prop_assert!(false, "{}: {:?} {:?}", text, slow.err(), fast.err()),
            }
        }
    }
}
