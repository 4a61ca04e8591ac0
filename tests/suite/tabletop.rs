//! The notation tabletop: its readings, its warnings, its corrections, and its values against an independent evaluator.

mod corpus;
mod judge;
mod typed;

use std::fs;

use dicedist::engine::{analyze, enumerate::enumerate};
use dicedist::limits::Unobserved;
use dicedist::notation::{self, Parsed, Reading, Settings};
use dicedist::number::Fraction;
use dicedist::source::Source;
use dicedist::{Dialect, Error, ErrorKind, Limits};

use crate::command::package;

fn parse(text: &str) -> Result<Parsed, Error> {
    let source = Source::new("rule", text);
    let rule = notation::rules(Dialect::Tabletop, &source).swap_remove(0)?;
    notation::parse(Dialect::Tabletop, &source, rule.span)
}

fn read(text: &str) -> Result<Reading, Error> {
    let settings = Settings::default().with_parameter("x", 3);
    Ok(parse(text)?.lower(&settings)?.swap_remove(0))
}

#[track_caller]
fn core(text: &str) -> String {
    match read(text) {
        Ok(reading) => format!("{} {:?}", reading.program, reading.program.unit()),
        Err(error) => panic!("{text} is refused: {error}"),
    }
}

/// Asserts that two texts are read alike.
#[track_caller]
fn same(text: &str, other: &str) {
    assert_eq!(core(text), core(other), "{text}");
}

/// The distribution of a roll, values in lowest terms.
#[track_caller]
fn distribution(text: &str) -> Vec<(String, Fraction)> {
    let program = read(text).unwrap().program.sorted();
    let answer = analyze(&program, &Limits::default(), &Unobserved).unwrap();
    let outcomes = answer.outcomes().iter();
    outcomes
        .map(|(value, weight)| {
            (
                value.exact(&answer.unit, &answer.shape),
                answer.probability(weight),
            )
        })
        .collect()
}

#[track_caller]
fn refused(text: &str) -> ErrorKind {
    match read(text) {
        Ok(_) => panic!("{text} is read"),
        Err(error) => error.kind(),
    }
}

/// The programs of the golden vectors that can be read.
fn programs() -> Vec<String> {
    let text = fs::read_to_string(package("tests/golden/tabletop.json")).unwrap();
    let vectors: serde_json::Value = serde_json::from_str(&text).unwrap();
    let vectors = vectors.as_array().unwrap().iter();
    let programs = vectors.map(|vector| vector["program"].as_str().unwrap().to_owned());
    programs.filter(|program| parse(program).is_ok()).collect()
}

#[test]
fn printing_a_roll_is_a_fixed_point() {
    let more = [
        "--3",
        "2--3",
        "-2^2",
        "(-2)^-(1+1)",
        "(5+1d20)>=15",
        "(1d6)!=3",
        "(4d6)kh3",
        "((1+2))d(2*3)",
        "d@x",
        "@{x}d6",
        "3dF.1!",
        "4d6-Lkh(1+1)",
        "2d6r==1!!p>=5",
        "(1d6,2d8,)dl1",
        "{2d6,{1d8,3}kh1}>=3f<1",
        "1d20+5 dis",
        "6#4d6kh3",
        "((1>2)>3)==0",
        "7<=(2d6<=9)",
        "7<=(1+2d6<=9)",
        "7>=({2d6,1d8}>=5)",
        "5<=10d10>=8",
        "?{a b|-2}+1",
        "max(1,2,3)/min(4)",
        "7 // 2 // done",
    ];
    let programs = programs();
    for text in more.into_iter().chain(programs.iter().map(String::as_str)) {
        let printed = parse(text).unwrap().print();
        let again = parse(&printed).unwrap_or_else(|error| panic!("{text}: {printed}: {error}"));
        assert_eq!(again.print(), printed, "{text}");
        if !text.contains("@prof") {
            let settings = Settings::default().with_parameter("x", 3);
            let program = |parsed: &Parsed| {
                let reading = parsed.lower(&settings).unwrap().swap_remove(0);
                reading.program.to_string()
            };
            assert_eq!(program(&parse(text).unwrap()), program(&again), "{text}");
        }
    }
}

#[test]
fn letters_blanks_labels_and_comments_change_nothing() {
    for (text, other) in [
        ("4D6KH3", "4d6kh3"),
        ("4df+DC", "4dF+dc"),
        (" 2d6\t+ 3 ", "2d6+3"),
        ("2d6 /* two */ + /* three */ 3", "2d6+3"),
        ("2d6[fire][hot]+1d8 [cold]", "2d6+1d8"),
        ("4d6 // Fire damage", "4d6"),
        ("4d6dl2 // Drop the lowest", "4d6dl2"),
        ("5 # five", "5"),
        ("2d6#x", "2d6"),
        ("/roll 2d6", "2d6"),
        ("/GMROLL d20", "d20"),
        ("!r 1d6", "1d6"),
        ("[[ [[1d4]]d6 ]]+1", "((1d4)d6)+1"),
        ("2d6×2−1", "2d6*2-1"),
        ("(1d20)≥15", "(1d20)>=15"),
        ("8d10≠3", "8d10<>3"),
        ("1d20 >= 15", "1d20>=15"),
        ("2**3", "2^3"),
        ("+1d6", "1d6"),
        ("4d6x6", "4d6!6"),
        ("4d6mi2", "4d6min2"),
        ("4d6d1", "4d6dl1"),
        ("4d6-L", "4d6dl1"),
        ("4d6k", "4d6kh1"),
        ("2d6rr1", "2d6r=1"),
        ("1d20 advantage", "2d20kh1"),
    ] {
        let distributions = [distribution(text), distribution(other)];
        assert_eq!(distributions[0], distributions[1], "{text}");
    }
}

#[test]
fn signs_behind_dice_are_targets_and_others_compare_totals() {
    same("2d6=7", "2d6 = 7");
    for (text, values) in [
        ("2d6>=5", vec!["0", "1", "2"]),
        ("(2d6)>=5", vec!["0", "1"]),
        ("2d6==7", vec!["0", "1"]),
        ("1d6+1d6>=5", vec!["1", "2", "3", "4", "5", "6", "7"]),
        ("1d20>=15+2", vec!["2", "3"]),
        ("{1d6,1d6}!=3", vec!["0", "1", "2"]),
    ] {
        let found = distribution(text);
        let found: Vec<&str> = found.iter().map(|(value, _)| value.as_str()).collect();
        assert_eq!(found, values, "{text}");
    }
}

#[test]
fn outcomes_are_exact_fractions() {
    let half = |text: &str| {
        let found = distribution(text).into_iter();
        found.map(|(value, _)| value).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(half("1d4/2"), "1/2 1 3/2 2");
    assert_eq!(half("6/1d3"), "2 3 6");
    assert_eq!(half("1/1d3"), "1/3 1/2 1");
    assert_eq!(half("(1d3-2)/3*3"), "-1 0 1");
    assert_eq!(half("2^(1d3-2)"), "1/2 1 2");
    assert_eq!(half("(1d2/2)^2"), "1/4 1");
    assert_eq!(half("4^(1d2/2)"), "2 4");
    assert_eq!(half("sqrt((1d2*2)^2/4)"), "1 2");
    assert_eq!(half("1d3%0.75"), "0 1/4 1/2");
    assert_eq!(half("1d4min2.5"), "5/2 3 4");
    assert_eq!(half("2d2/2>=1.25"), "0 1");
    assert_eq!(half("{1d2/2,0.7}kh1"), "7/10 1");
    assert_eq!(half("max(1d2/2,3/4)"), "3/4 1");
    assert_eq!(half("2#1d2/2"), "1/2 1/2 1/2 1 1 1");
    assert_eq!(half("floor(1d4/3)+ceil(-1d2/2)"), "-1 0 1");
    assert_eq!(half("round(-0.5)"), "0");
    assert_eq!(half("round(1d2/2)"), "1");
    assert_eq!(half("floor(7/1d6!)>=0"), "1");
}

#[test]
fn what_has_no_unit_is_refused_with_a_way_out() {
    let error = read("1/1d6!").err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.to_string().contains("floor(a/b)"), "{error}");
    assert!(read("floor(1/1d6!)").is_ok());
    assert!(read("7//1d6!").is_ok());
}

#[test]
fn texts_that_are_no_rolls_are_refused() {
    for text in [
        "",
        "d",
        "2d",
        "2dd6",
        "2(3)",
        "(2)(3)",
        "1.5d6",
        "d1.5",
        ".5",
        "2d6)",
        "(2d6",
        "{4d6",
        "2d6[fire",
        "4d6 kh3",
        "2 d6",
        "2d6 d8",
        "1d20+5 to hit",
        "4d6f1",
        "10d10!>8f1",
        "8d10>=8>=9",
        "8d10>=8f1f2",
        "{2d6,1d8}r1",
        "{3d6*2}kh1",
        "(2d6+3)kh1",
        "4d6df",
        "2d20kh1 adv",
        "1t6",
        "4d6#2d6",
        "d2#d6",
        "sin(1)",
        "abs(1,2)",
        "pow(2)",
        "max()",
        "4d6p",
        "4d6min",
        "2d6ra",
        "2d6roh",
        "3d6ms<>3",
        "4d6even>2",
        "1d20+@{}",
        "{1d6,}",
        "1d6!!!!!p!o$",
        "4d6kh3 r1",
        "/* 2d6",
        "2d6 + @",
    ] {
        assert_eq!(refused(text), ErrorKind::Parse, "{text}");
    }
}

#[test]
fn values_from_outside_are_named() {
    let parsed = parse("1d20+@x+@{str mod}+?{Bonus|2}+@a.b").unwrap();
    let names: Vec<String> = parsed.free_names().into_iter().collect();
    assert_eq!(names, ["Bonus", "a.b", "str mod", "x"]);
    assert_eq!(refused("1d20+@y"), ErrorKind::Unbound);
    assert_eq!(refused("?{Kind|A,1|B,2}"), ErrorKind::Unbound);
    same("1d20+?{Bonus|-2}", "1d20+-2");
}

#[test]
fn lines_and_semicolons_separate_rolls() {
    let text = "// macros\na: 2d6 # x; y\n1d6[a;b]; b: 7//2;; 4d6 // c; d\n";
    let source = Source::new("rules", text);
    let rules = notation::rules(Dialect::Tabletop, &source).into_iter();
    let rules: Vec<(String, String)> = rules
        .map(|rule| rule.unwrap())
        .map(|rule| (rule.name, source.slice(rule.span).into()))
        .collect();
    let texts: Vec<(&str, &str)> = rules
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    assert_eq!(
        texts,
        [
            ("a", "2d6 # x; y"),
            ("1d6[a;b]", "1d6[a;b]"),
            ("b", "7//2"),
            ("4d6 // c; d", "4d6 // c; d"),
        ]
    );
}

/// The messages of the warnings about a roll.
fn warnings(text: &str) -> Vec<String> {
    let warnings = read(text).unwrap().warnings.into_iter();
    warnings.map(|warning| warning.message).collect()
}

#[test]
fn warnings_say_what_other_programs_read() {
    for (text, words) in [
        (
            "8d10>8",
            "`>8` is 9 and more here, as in Foundry and Avrae; Roll20 includes 8",
        ),
        (
            "4d6p<3",
            "`<3` is 2 and less here, as in Foundry and Avrae; Roll20 includes 3",
        ),
        (
            "2d6r1",
            "`r` rerolls until it fails, as in Roll20; in Foundry it rerolls once",
        ),
        (
            "10d10cs>=8",
            "`cs` only marks dice, as in Roll20; Foundry counts them",
        ),
        ("8d10!>=8", "this explodes on >=8, and adds up"),
        (
            "4d6kh3!",
            "`!` applies before the dice are chosen; Foundry and Avrae choose first",
        ),
        (
            "5d6kh3dl1",
            "each choice sees what the one before it left; in rpg-dice-roller each looks at all dice",
        ),
        (
            "4d6kh1kl1",
            "this keeps the dice at both ends; in rpg-dice-roller each choice looks at all dice",
        ),
        ("1d4d6", "this drops every die, so it is always 0"),
        ("2d6kl1dh1", "this drops every die, so it is always 0"),
        (
            "4d6dh9223372036854775807dl9223372036854775807",
            "this drops every die, so it is always 0",
        ),
        ("5+1d20>=15", "this comparison is about the last dice alone"),
        (
            "4d6 >= 5",
            "this counts dice, and does not compare the total",
        ),
        (
            "2d6>=8",
            "this counts dice, and none can show 8 or more: it is always 0",
        ),
        (
            "1d20 >= 1d20",
            "`1d20` is no second roll here: its `d20` drops every die",
        ),
        (
            "3d6 > 1d2",
            "`1d2` is no second roll here: its `d2` drops dice",
        ),
        (
            "1d100 <= 65+10",
            "this compares with 65 alone, and counts dice",
        ),
        (
            "1d20 >= 8 - 1d6",
            "this compares with 8 alone, and counts dice",
        ),
        ("3d6<=10+2", "this counts dice, and each shows 10 or less"),
        (
            "4dF >= 2",
            "this counts dice, and none can show 2 or more: it is always 0",
        ),
        (
            "6d10!dl3",
            "each die that this adds is dropped or kept on its own",
        ),
        (
            "{3d20+5}>=21",
            "each die is compared, as in Roll20; rpg-dice-roller and Foundry compare the total",
        ),
        (
            "8 // 2",
            "`//` divides here, because a number or dice follow",
        ),
        (
            "1d6!>=1",
            "this never ends, because each roll makes one more",
        ),
        ("5d4u", "this never ends, because each roll makes one more"),
        (
            "1d20ro1min10!",
            "these modifiers apply from left to right; rpg-dice-roller always takes min, max, explode, \
          reroll, unique in this order",
        ),
    ] {
        let found = warnings(text);
        assert!(
            found.iter().any(|found| found == words),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn rolls_that_all_programs_read_alike_have_no_warnings() {
    for text in [
        "4d6kh3",
        "2d20kh1+5",
        "8d10>=8!",
        "3d6>=8!!",
        "6d10!!dl3",
        "1d6!>=5",
        "1d20cs>=19+5",
        "2d6rr1",
        "d%",
        "7//2",
        "1d20 >= 15",
        "4d6>=5+1d6>=5",
        "5d6>=5+2",
        "6#4d6dl1",
    ] {
        assert_eq!(warnings(text), Vec::<String>::new(), "{text}");
    }
    let remarks = parse("4d6k3+d%").unwrap().remarks();
    assert_eq!(remarks.len(), 2);
}

#[test]
fn one_warning_about_a_comparison_says_how_the_total_is_compared() {
    for (text, total) in [
        ("1d20 >= 1d20", "(1d20)>=1d20"),
        ("3d6 > 2d8", "(3d6)>2d8"),
        ("2d20kh1 > 1d20 + 5", "(2d20kh1)>1d20+5"),
        ("1d100 <= 65+10", "(1d100)<=65+10"),
        ("1d20 >= 8 + 1d6", "(1d20)>=8+1d6"),
        ("3d6<=12", "(3d6)<=12"),
        ("1d100 <= 65 - 20", "(1d100)<=65-20"),
        ("1d20+5+1d4 >= 15", "(1d20+5+1d4)>=15"),
        ("5+1d20>=15+2", "(5+1d20)>=15+2"),
        ("2d6>=7", "(2d6)>=7"),
    ] {
        let found = read(text).unwrap().warnings;
        let [warning] = &found[..] else {
            panic!("{text}: {found:?}");
        };
        let help = warning.help.as_deref().unwrap_or_default();
        assert!(
            help.starts_with(&format!("write `{total}` to ")),
            "{text}: {help}"
        );
        let left = read(total).unwrap().warnings;
        assert!(left.is_empty(), "{total}: {left:?}");
    }
}

#[test]
fn the_engine_agrees_with_the_slow_evaluator_on_the_golden_programs() {
    let limits = Limits::default().with_states(300_000);
    let mut compared = 0;
    for text in programs() {
        let Ok(reading) = read(&text) else { continue };
        let program = reading.program.sorted();
        let Ok(slow) = enumerate(&program, &limits, &Unobserved) else {
            continue;
        };
        let is_whole = slow.probability(&slow.unresolved()) == Fraction::from_integer(0.into());
        if !is_whole {
            continue;
        }
        let fast = analyze(&program, &limits, &Unobserved).unwrap();
        assert_eq!(fast.unit, slow.unit);
        for (value, weight) in slow.outcomes().iter() {
            let listed = fast.outcomes().iter().find(|(other, _)| *other == value);
            let found = listed.map(|(_, weight)| fast.probability(weight));
            assert_eq!(found, Some(slow.probability(weight)), "{text}: {value:?}");
        }
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

/// All texts that players type, of the other tests.
pub(super) fn texts() -> impl Iterator<Item = &'static str> {
    let all = corpus::TEXTS.iter().chain(typed::TEXTS);
    all.map(|(text, _)| *text)
}

/// The whole roll that the error about a text suggests.
fn correction(text: &str) -> Option<String> {
    let error = parse(text).err()?;
    error.diagnostics()[0].correction().map(str::to_owned)
}

#[test]
fn every_correction_can_be_read() {
    let mut corrected = 0;
    for program in programs().into_iter().step_by(5) {
        let places: Vec<usize> = program.char_indices().map(|(place, _)| place).collect();
        let mut wrong = Vec::new();
        for &place in &places {
            let (before, after) = program.split_at(place);
            for text in [
                " ", "(", ")", "d", "k", "!", ">", "x ", "=>", " to ", "[", "2", ".", ",", " or ",
                " drop ", " vs ", " half",
            ] {
                wrong.push(format!("{before}{text}{after}"));
            }
            wrong.push(format!(
                "{before}{}",
                after.chars().skip(1).collect::<String>()
            ));
        }
        for text in wrong {
            let Some(correction) = correction(&text) else {
                continue;
            };
            for roll in correction.split(';') {
                assert!(parse(roll).is_ok(), "{text}: {correction}");
            }
            corrected += 1;
        }
    }
    assert!(corrected > 300, "{corrected}");
}

/// Texts with a mistake that hides nothing of what a roll means.
fn with_mistakes(roll: &str) -> Vec<String> {
    let digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
    let blanks = roll.char_indices().skip(1).filter_map(|(place, next)| {
        let (before, after) = roll.split_at(place);
        // A blank within a number makes two of it. `d` may begin a die, and `x6` repeats a roll.
        let is_in_number = digit(before.chars().next_back()) && digit(Some(next));
        let may_begin = matches!(next, 'd' | 'D' | 'x');
        (!is_in_number && !may_begin).then(|| format!("{before} {after}"))
    });
    let mut wrong: Vec<String> = blanks.collect();
    wrong.push(roll.replace(">=", "=>"));
    wrong.push(roll.replace("<=", "=<"));
    for (before, behind) in [
        ("roll ", ""),
        ("what is ", ""),
        ("[", "]"),
        ("\"", "\""),
        ("", " damage"),
        ("", " (fire)"),
        ("", " to hit"),
    ] {
        wrong.push(format!("{before}{roll}{behind}"));
    }
    wrong
}

#[test]
fn a_correction_means_what_the_mistake_hid() {
    let mut corrected = 0;
    let mut wrong = Vec::new();
    for program in programs().into_iter().step_by(3) {
        let Ok(reading) = read(&program) else {
            continue;
        };
        // `1d6x7` never explodes: its correction is the product.
        if reading
            .warnings
            .iter()
            .any(|warning| warning.code == "no-face")
        {
            continue;
        }
        let meant = reading.program.to_string();
        for text in with_mistakes(&program) {
            let Some(correction) = correction(&text) else {
                continue;
            };
            let found = |text: &str| read(text).ok().map(|found| found.program.to_string());
            // A blank may be the slip, or the habit of a chat bot, and then both readings are offered.
            let all = parse(&text)
                .err()
                .map(|error| error.diagnostics()[0].corrections.clone());
            let is_meant = all
                .iter()
                .flatten()
                .any(|one| found(&one.text).as_ref() == Some(&meant));
            if !is_meant {
                wrong.push(format!("{text}: {correction}"));
            }
            corrected += 1;
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(corrected > 200, "{corrected}");
}
