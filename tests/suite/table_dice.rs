//! Dice as players type them, in rules of Bones that nobody named: `if d20 + 5 >= 15 then 2d6+3 else 0`.

use dicedist::ask::{Answers, Question};
use dicedist::limits::{Limits, Unobserved};
use dicedist::{Dialect, ErrorKind};

use crate::command::run;
use crate::rules::analyze;

fn answers(text: &str) -> Answers {
    let question = Question::of(text);
    question.answer(&Limits::default(), &Unobserved).unwrap()
}

/// Asserts that a rule has the same distribution as a rule of Bones, which the judge of the suite reads.
#[track_caller]
fn same(text: &str, bones: &str) {
    let csv = |dialect: &[&str], text: &str| {
        let (definitions, rule) = text.rsplit_once(';').unwrap_or(("", text));
        let rule = format!("{definitions};rule: {rule}");
        let said = run([&[&*rule, "--format", "csv"], dialect].concat());
        assert_eq!(said.code, Some(0), "{rule}: {}", said.stderr);
        said.stdout
    };
    assert_eq!(csv(&[], text), csv(&["-d", "bones"], bones), "{text}");
}

#[track_caller]
fn refused(text: &str, kind: ErrorKind) -> String {
    let answers = answers(text);
    let refused = answers.refused.first();
    let refused = refused.unwrap_or_else(|| panic!("{text} is answered"));
    assert_eq!(refused.error.kind(), kind, "{text}: {}", refused.error);
    refused.error.to_string()
}

#[test]
fn dice_are_totals_in_every_place_of_a_number() {
    for (text, bones) in [
        (
            "if d20 + 5 >= 15 then 2d6+3 else 0",
            "if d20 + 5 >= 15 then sum(2#d6)+3 else 0",
        ),
        ("let x = 3d6 in x - 2d4", "let x = sum 3#d6 in x - sum 2#d4"),
        (
            "case 2d6 {..6: 0, 7..9: 1, else: 2}",
            "case sum 2#d6 {..6: 0, 7..9: 1, else: 2}",
        ),
        ("count >=14 (6#3d6)", "count >=14 (6#sum 3#d6)"),
        ("3#2d6", "3#sum 2#d6"),
        (
            "repeat hp = 10 until hp <= 0 do hp - 2d4 then hp",
            "repeat hp = 10 until hp <= 0 do hp - sum 2#d4 then hp",
        ),
        (
            "{dmg: 2d6, hit: d20 >= 10}",
            "{dmg: sum 2#d6, hit: d20 >= 10}",
        ),
        (
            "sum(2d6) + d4 >= 8 and d6 > 1",
            "sum(2#d6) + d4 >= 8 and d6 > 1",
        ),
        ("let n = 2 in 2d6*n", "let n = 2 in (sum 2#d6)*n"),
        ("-1d4 + let x = 1 in x", "-d4 + 1"),
        ("max(2d4, 1d8) + d%", "max(sum 2#d4, d8) + d%"),
        ("(>=(2d4) 5#d8)", "(>=(sum 2#d4) 5#d8)"),
    ] {
        same(text, bones);
    }
}

#[test]
fn modifiers_change_the_dice_before_they_are_added() {
    for (dice, bones) in [
        ("4d6kh3", "sum high 3 4#d6"),
        ("4d6k3", "sum high 3 4#d6"),
        ("2d20kl", "low 1 2#d20"),
        ("5d6dl2", "sum drop low 2 5#d6"),
        ("5d6dh1", "sum drop high 1 5#d6"),
        ("3d6r1", "sum reroll 3#d6 on 1"),
        ("3d6r<3", "sum reroll 3#d6 on 1..2"),
        ("3d6ro1", "sum reroll 3#d6 once on 1"),
        ("2d6!", "sum explode 2#d6"),
        ("2d6!>=5", "sum explode 2#d6 on 5..6"),
        ("2d6min3", "sum (foreach x in 2#d6 do max(x, 3))"),
        ("2d6max3", "sum (foreach x in 2#d6 do min(x, 3))"),
        ("4dF", "sum 4#dF"),
        ("2d%", "sum 2#d%"),
        ("4d6r1kh3", "sum high 3 reroll 4#d6 on 1"),
    ] {
        same(
            &format!("if d2 == 1 then {dice} else 0"),
            &format!("if d2 == 1 then {bones} else 0"),
        );
    }
}

#[test]
fn a_target_belongs_to_the_rule_around_the_dice() {
    same(
        "if 2d6>=8 then d4 else 0",
        "if sum 2#d6 >= 8 then d4 else 0",
    );
    same(
        "if 2d6!=7 then d4 else 0",
        "if sum 2#d6 != 7 then d4 else 0",
    );
    same(
        "if 2d6==7 then d4 else 0",
        "if sum 2#d6 == 7 then d4 else 0",
    );
}

#[test]
fn definitions_can_hold_dice() {
    same(
        "def hit(n) = 2d6+n; if d20 > 10 then hit(3) else 0",
        "if d20 > 10 then sum(2#d6)+3 else 0",
    );
    let message = refused("def hit = count 2d6; hit", ErrorKind::Type);
    assert!(message.contains("`2d6` is a total"), "{message}");
}

#[test]
fn words_for_lists_need_dice_that_stay_apart() {
    for rule in [
        "count 4d6",
        "high 3 4d6",
        "count >=5 4d6",
        "max(2d20) + let n = 1 in n",
        "explode 4d6",
        "foreach x in 4d6 do x",
        "rank 2 4d6",
        "prod(4d6)",
    ] {
        let message = refused(rule, ErrorKind::Type);
        assert!(message.contains("is a total"), "{rule}: {message}");
    }
    let answers = answers("let x = 4d6 in count x");
    let warnings = &answers.answered[0].warnings;
    assert!(
        warnings[0].message.contains("`x` is one number"),
        "{warnings:?}"
    );
}

/// Totals are members of lists like other numbers, but for counting those that are there.
#[test]
fn totals_are_members_of_lists() {
    same(
        "let x = 3#d6 in count >=5 (x, 2d6)",
        "let x = 3#d6 in count >=5 (x, sum 2#d6)",
    );
    same("high 1 (2d6, 1d8)", "high 1 (sum 2#d6, d8)");
    same(
        "count (2d6 > 7, d20 > 10)",
        "count (sum 2#d6 > 7, d20 > 10)",
    );
    for rule in [
        "count(6, 5d6)",
        "count(5d6, 6)",
        "count(5d6 >= 5)",
        "count (2d6, 1d4)",
    ] {
        refused(rule, ErrorKind::Type);
    }
}

#[test]
fn dice_are_no_first_argument_of_a_filter_and_no_part_of_a_word() {
    for rule in [
        ">=2d6 5#d12",
        "high 2d4 5#d12",
        "d2d6 + let x = 1 in x",
        "x2d6 + let x = 1 in x",
        "let x = 2d6x in x",
    ] {
        refused(rule, ErrorKind::Parse);
    }
}

#[test]
fn a_named_notation_has_no_dice_of_another() {
    for (rule, dialect) in [
        ("if d6 > 1 then 2d6 else 0", Dialect::Bones),
        ("if (>1 d6) then 2d6 else 0", Dialect::Dicelab),
    ] {
        assert_eq!(
            analyze(dialect, rule, &Limits::default())
                .unwrap_err()
                .kind(),
            ErrorKind::Parse
        );
        refused(&format!("a [{}]: {rule}", dialect.name()), ErrorKind::Parse);
    }
}
