//! More texts that players type, who have read no documentation: in words, in the words of games, and as rules of Bones with
//! dice of other notations. Each is answered as meant, or its correction is, which takes one step.

use dicedist::notation::{self, Settings};
use dicedist::source::Source;
use dicedist::{Dialect, Error};

use super::corpus::Typed::{self, Answered, Corrected};
use super::corpus::{corrections, distributions, judge};

/// The texts, each with what it is.
pub(super) const TEXTS: &[(&str, Typed)] = &[
    // Dice and coins.
    ("d00", Corrected("d100")),
    ("1d00+5", Corrected("d100+5")),
    ("coin", Corrected("d{0,1}")),
    ("flip a coin", Corrected("d{0,1}")),
    ("coin flip", Corrected("d{0,1}")),
    ("flip 3 coins", Corrected("sum(3#d{0,1})")),
    ("two d6", Corrected("sum(2#d6)")),
    ("three d6 plus two", Corrected("sum(3#d6)+2")),
    ("1d20 plus 3", Corrected("d20+3")),
    ("d20 minus 1", Corrected("d20-1")),
    ("3d6 times 10", Corrected("sum(3#d6)*10")),
    ("6 times 4d6k3", Corrected("6#sum(high 3 4#d6)")),
    ("3d6 x 6", Corrected("sum(3#d6)*6")),
    ("d6-d6", Answered("d6-d6")),
    ("2d6+1d4 fire", Corrected("sum(2#d6)+d4")),
    ("5k3", Corrected("sum(high 3 5#d10)")),
    ("5k3d10", Corrected("sum(high 3 5#d10)")),
    ("7k4+10", Corrected("sum(high 4 7#d10)+10")),
    ("3K4d6", Corrected("sum(high 3 4#d6)")),
    // Several rolls.
    ("1d6 & 1d8", Corrected("d6; d8")),
    ("1d6&1d8", Corrected("d6; d8")),
    ("2d6 and 1d8", Corrected("sum(2#d6); d8")),
    ("d6 and d8", Corrected("d6; d8")),
    ("d8 or d6", Corrected("d8; d6")),
    // Which dice stay.
    ("4d6 best 3", Corrected("sum(high 3 4#d6)")),
    ("4d6h3", Corrected("sum(high 3 4#d6)")),
    ("highest(4d6, 3)", Corrected("sum(high 3 4#d6)")),
    ("4d6 - lowest", Corrected("sum(drop low 1 4#d6)")),
    ("3d6 minus lowest", Corrected("sum(drop low 1 3#d6)")),
    ("roll 4d6, drop lowest", Corrected("sum(drop low 1 4#d6)")),
    (
        "3d20 drop highest and lowest",
        Corrected("sum(drop low 1 drop high 1 3#d20)"),
    ),
    ("max of d6 and d8", Corrected("max(d6,d8)")),
    ("higher of d8 and d6", Corrected("max(d8,d6)")),
    (
        "best of d8! and 1d6",
        Corrected("max(sum(while x=d8 do if ==8 x then d8 else ()), d6)"),
    ),
    ("4d6 pick 2", Corrected("sum(high 2 4#d6)")),
    ("4d6 choose highest 3", Corrected("sum(high 3 4#d6)")),
    ("lower of d20 and d20", Corrected("min(d20,d20)")),
    ("stats", Corrected("6#sum(drop low 1 4#d6)")),
    ("ability scores", Corrected("6#sum(drop low 1 4#d6)")),
    // Advantage.
    ("2d20adv", Corrected("high 1 2#d20")),
    ("d20adv", Corrected("high 1 2#d20")),
    ("d20dis", Corrected("low 1 2#d20")),
    ("d20 adv", Answered("high 1 2#d20")),
    ("d20+5 adv", Answered("(high 1 2#d20)+5")),
    ("adv d20+5", Corrected("(high 1 2#d20)+5")),
    ("roll with advantage", Corrected("high 1 2#d20")),
    ("2d6 advantage", Corrected("sum(high 2 3#d6)")),
    ("2d6 dis", Corrected("sum(low 2 3#d6)")),
    // Games.
    (
        "wod 6",
        Corrected("let x = 6#d10 in (count >=6 x) - (count ==1 x)"),
    ),
    (
        "wod 6 8",
        Corrected("let x = 6#d10 in (count >=8 x) - (count ==1 x)"),
    ),
    (
        "cod 5",
        Corrected("count >=8 5#(while x=d10 do if ==10 x then d10 else ())"),
    ),
    ("sr 12", Corrected("count >=5 12#d6")),
    ("yze 6", Corrected("count ==6 6#d6")),
    ("gurps 12", Corrected("sum(3#d6) <= 12")),
    ("pbta +1", Corrected("sum(2#d6)+1")),
    ("fate + 2", Corrected("sum(4#dF)+2")),
    ("fudge + 2", Corrected("sum(4#dF)+2")),
    ("attack +7", Corrected("d20+7")),
    ("save -1", Corrected("d20-1")),
    ("blades 3", Corrected("high 1 3#d6")),
    ("3d6 blades", Corrected("high 1 3#d6")),
    ("1d6+2 vs 2d10", Corrected("let a = d6+2 in count <a 2#d10")),
    (
        "d6+2 vs d10 and d10",
        Corrected("let a = d6+2 in count <a 2#d10"),
    ),
    (
        "d8! wild",
        Corrected(
            "max(sum(while x=d8 do if ==8 x then d8 else ()), sum(while x=d6 do if ==6 x then d6 else ()))",
        ),
    ),
    (
        "d6 ace",
        Corrected("sum(while x=d6 do if ==6 x then d6 else ())"),
    ),
    (
        "d10 + 3 exploding",
        Corrected("sum(while x=d10 do if ==10 x then d10 else ())+3"),
    ),
    (
        "d6!!",
        Answered("sum(while x=d6 do if ==6 x then d6 else ())"),
    ),
    (
        "2d6 gwf",
        Corrected("sum(foreach x in 2#d6 do if x <= 2 then d6 else x)"),
    ),
    (
        "3d6>=5f1",
        Answered("let x = 3#d6 in (count >=5 x) - (count ==1 x)"),
    ),
    (
        "10d10>=8!",
        Answered("count >=8 10#(while x=d10 do if ==10 x then d10 else ())"),
    ),
    // Numbers to reach.
    (
        "d20+5 to hit, 2d6+3 damage",
        Corrected("d20+5; sum(2#d6)+3"),
    ),
    ("1d20+7 to hit 1d8+4 damage", Corrected("d20+7; d8+4")),
    ("to hit 1d20+5", Corrected("d20+5")),
    ("10d10 tn 8", Corrected("count >=8 10#d10")),
    (
        "7d10t7f1",
        Corrected("let x = 7#d10 in (count >=7 x) - (count ==1 x)"),
    ),
    (
        "7d10 f1 t7",
        Corrected("let x = 7#d10 in (count >=7 x) - (count ==1 x)"),
    ),
    ("nat 20", Corrected("d20 == 20")),
    ("natural 20 on d20", Corrected("d20 == 20")),
    ("exactly 2 6s in 5d6", Corrected("count ==6 5#d6 == 2")),
    ("at least three 6s on 5d6", Corrected("count ==6 5#d6 >= 3")),
    ("d20 vs d20", Corrected("d20 > d20")),
    ("d20+5 vs d20+3", Corrected("d20+5 > d20+3")),
    ("2d6 vs 2d6", Corrected("sum(2#d6) > sum(2#d6)")),
    ("d20+5 vs DC15", Corrected("d20+5 >= 15")),
    ("dc 15 d20+5", Corrected("d20+5 >= 15")),
    ("d20 + 5 >= DC 15", Corrected("d20+5 >= 15")),
    ("1d100 vs 65", Corrected("d100 <= 65")),
    (
        "d20+7 vs ac 15 dmg 2d6+4",
        Corrected("(d20+7 >= 15)*(sum(2#d6)+4)"),
    ),
    (
        "12d6>=5 > 9d6>=5",
        Corrected("(count >=5 12#d6) > (count >=5 9#d6)"),
    ),
    ("5d6>=5 >= 3", Corrected("(count >=5 5#d6) >= 3")),
    ("4dF > 4dF", Answered("sum(4#dF) > sum(4#dF)")),
    ("1d20 > d20", Answered("d20 > d20")),
    ("1d20 >= floor(1d20/2)", Corrected("d20 >= d20 div 2")),
    ("8d10 >= 7 successes", Corrected("count >=7 8#d10")),
    (
        "how many successes in 8d10 at 7+",
        Corrected("count >=7 8#d10"),
    ),
    ("5d6 6s", Corrected("count ==6 5#d6")),
    ("6d6 sixes", Corrected("count ==6 6#d6")),
    ("number of 6s in 5d6", Corrected("count ==6 5#d6")),
    ("6d6 count 5s and 6s", Corrected("count >=5 6#d6")),
    ("4d6 1s and 2s", Corrected("count <=2 4#d6")),
    (
        "at least 2 successes on 5d6>=5",
        Corrected("count >=5 5#d6 >= 2"),
    ),
    ("chance of rolling 7 on 2d6", Corrected("sum(2#d6) == 7")),
    (
        "chance to roll 15 or higher on d20+5",
        Corrected("d20+5 >= 15"),
    ),
    ("probability of 10+ on 3d6", Corrected("sum(3#d6) >= 10")),
    ("expected value of 3d8", Corrected("sum(3#d8)")),
    ("average damage 2d6+5", Corrected("sum(2#d6)+5")),
    // Bones with dice of other notations.
    ("sum(drop lowest 1 4d6)", Corrected("sum(drop low 1 4#d6)")),
    ("sum(drop low 1 4d6)", Corrected("sum(drop low 1 4#d6)")),
    ("sum(drop low 4#d6)", Corrected("sum(drop low 1 4#d6)")),
    ("sum(drop lowest 4d6)", Corrected("sum(drop low 1 4#d6)")),
    // Of a die that is rolled until it shows no 1, the other faces are equally likely.
    ("sum(3#(d6 reroll 1))", Corrected("sum(3#(d5+1))")),
    ("sum(3#d6 reroll 1s)", Corrected("sum(3#(d5+1))")),
    ("sum(3#d6) reroll <3", Corrected("sum(3#(d4+2))")),
    ("sum(reroll 1 3#d6)", Corrected("sum(3#(d5+1))")),
    ("sum(reroll ones 3d6)", Corrected("sum(3#(d5+1))")),
    ("reroll d6 until >1", Corrected("d5+1")),
    (
        "sum(3#(reroll d6 until x >= 4)) + 1",
        Corrected("sum(3#(d3+3))+1"),
    ),
    ("sum(reroll 2#d6 until != 1)", Corrected("sum(2#(d5+1))")),
    (
        "(d10 reroll <= 2 once) + 3",
        Corrected("(let x = d10 in if x < 3 then d10 else x) + 3"),
    ),
    ("sum(high 3 4d6) + 2", Corrected("sum(high 3 4#d6)+2")),
    ("high 3 4d6", Corrected("sum(high 3 4#d6)")),
    ("let x = 2d6 in x + 1", Answered("sum(2#d6)+1")),
    ("let x = 2d20kh1 in x + 5", Answered("(high 1 2#d20)+5")),
    (
        "let x = 4d6 in count >=5 x",
        Answered("let x = sum 4#d6 in count >=5 x"),
    ),
    (
        "let x = 4d6 in (sum x) + (count ==6 x)",
        Answered("let x = sum 4#d6 in x + (count ==6 x)"),
    ),
    ("count(6, 5d6)", Corrected("count ==6 5#d6")),
    ("count(6, 5d6) + 1", Corrected("(count ==6 5#d6) + 1")),
    ("count 6 5#d6", Corrected("count ==6 5#d6")),
    ("count 6 in 5d6", Corrected("count ==6 5#d6")),
    ("count >=8 in 8d10", Corrected("count >=8 8#d10")),
    ("count 1..3 5#d6", Corrected("count <=3 5#d6")),
    (
        "count 2..3 5d6",
        Corrected("count ==1 (foreach x in 5#d6 do if x == 2 or x == 3 then 1 else 0)"),
    ),
    (
        "compare(d20+7, d20+3)",
        Corrected("compare (d20+7) (d20+3)"),
    ),
    ("rank(2, 3d6)", Corrected("rank 2 3#d6")),
    (
        "case d20 {1: 2, default: 3}",
        Corrected("case d20 {1: 2, else: 3}"),
    ),
    (
        "case sum(2#d6) {..6: miss, 7..: hit}",
        Corrected("case sum(2#d6) {..6: \"miss\", 7..: \"hit\"}"),
    ),
    ("count >= 5 6d6", Corrected("count >=5 6#d6")),
    ("count 4d6 >= 5", Corrected("count >=5 4#d6")),
    (
        "if d20 >= 15 then 2d6",
        Corrected("if d20 >= 15 then sum(2#d6) else 0"),
    ),
    (
        "if d20+5 >= 15 then 2d6+3 else 0",
        Answered("if d20+5 >= 15 then sum(2#d6)+3 else 0"),
    ),
    (
        "1d20+5 >= 15 ? 2d6+3 : 0",
        Corrected("if d20+5 >= 15 then sum(2#d6)+3 else 0"),
    ),
    ("let x = d6, y = d8 in x + y", Answered("d6+d8")),
    (
        "let x = d6! in x + 1",
        Corrected("sum(while x=d6 do if ==6 x then d6 else ())+1"),
    ),
    ("let x2 = d6 in x2 + 1", Answered("d6+1")),
    ("let x2 = 2d6 in x2 + 1", Answered("sum(2#d6)+1")),
    (
        "let roll1 = d6 in let roll2 = d6 in roll1 - roll2",
        Answered("d6-d6"),
    ),
    ("sum(2#d6) in 6..8", Corrected("abs(sum(2#d6)-7) <= 1")),
    (
        "let a = 3d6 in a in 9..12",
        Corrected("let a = sum(3#d6) in a > 8 and a < 13"),
    ),
    (
        "if d20 in 19..20 then 2 else 1",
        Corrected("1 + (d20 > 18)"),
    ),
];

/// Texts, a value of what they mean, and its probability, found by counting all rolls in a program of its own.
const NUMBERS: [(&str, &str, &str); 32] = [
    ("4d6 best 3", "18", "7/432"),
    ("4d6 - lowest", "3", "1/1296"),
    ("3d20 drop highest and lowest", "10", "299/4000"),
    ("d20+5 adv", "25", "39/400"),
    ("2d20adv", "20", "39/400"),
    ("2d6 advantage", "12", "2/27"),
    ("wod 6", "6", "1/64"),
    ("wod 5 8", "0", "5589/25000"),
    ("sr 6", "2", "80/243"),
    ("gurps 12", "1", "20/27"),
    ("1d6+2 vs 2d10", "2", "139/600"),
    ("2d6 gwf", "12", "4/81"),
    ("6d6 count 5s and 6s", "3", "160/729"),
    ("number of 6s in 5d6", "1", "3125/7776"),
    ("chance of rolling 7 on 2d6", "1", "1/6"),
    ("probability of 10+ on 3d6", "1", "5/8"),
    ("at least 2 successes on 5d6>=5", "1", "131/243"),
    ("d20+7 vs ac 15 dmg 2d6+4", "11", "13/120"),
    ("1d100 vs 65", "1", "13/20"),
    ("3d6>=5f1", "0", "7/24"),
    ("sum(drop lowest 1 4d6)", "14", "10/81"),
    ("let x = 2d6 in x + 1", "8", "1/6"),
    ("count >= 5 6d6", "4", "20/243"),
    ("let a = 3d6 in a in 9..12", "1", "13/27"),
    ("1d20+5 >= 15 ? 2d6+3 : 0", "10", "11/120"),
    ("if d20 in 19..20 then 2 else 1", "2", "1/10"),
    ("max of d6 and d8", "5", "3/16"),
    ("half 1d6", "2", "1/3"),
    ("flip 3 coins", "2", "3/8"),
    ("d00", "100", "1/100"),
    ("pbta +1", "8", "1/6"),
    ("fudge + 2", "2", "19/81"),
];

#[test]
fn what_newcomers_type_is_answered_or_corrected_in_one_step() {
    judge(TEXTS);
}

#[test]
fn what_newcomers_type_has_the_numbers_of_all_rolls_counted() {
    for (text, value, probability) in NUMBERS {
        let found = distributions(text).or_else(|error| distributions(&corrections(&error)[0]));
        let found = found.unwrap_or_else(|error| panic!("{text}: {error}"));
        let [distribution] = &found[..] else {
            panic!("{text} is several rules");
        };
        let listed = distribution.iter().find(|(listed, _)| listed == value);
        let listed = listed.map(|(_, probability)| probability.to_string());
        assert_eq!(listed.as_deref(), Some(probability), "{text}: {value}");
    }
}

#[test]
fn every_correction_of_a_text_is_a_whole_rule() {
    for (text, typed) in TEXTS {
        if matches!(typed, Corrected(_)) {
            let Err(error) = distributions(text) else {
                continue;
            };
            let correction = error.diagnostics()[0].correction();
            assert!(correction.is_some(), "{text}: {error}");
        }
    }
}

/// A rule of Bones with slips that hide nothing of what it means: dice without `#` where a list stands, and a name with a digit.
fn with_slips(rule: &str) -> Vec<String> {
    let mut slips = Vec::new();
    let list_places = [
        "sum ", "sum(", "count ", "sort ", "high 1 ", "high 2 ", "low 1 ", "rev ",
    ];
    for (place, _) in rule.match_indices("#d") {
        let before = rule[..place].trim_end_matches(|letter: char| letter.is_ascii_digit());
        let has_sides = rule[place + 2..].starts_with(|letter: char| letter.is_ascii_digit());
        if before.len() < place
            && has_sides
            && list_places.iter().any(|word| before.ends_with(word))
        {
            slips.push(format!("{}{}", &rule[..place], &rule[place + 1..]));
        }
    }
    for name in ["a", "n", "p", "x", "y"] {
        let binders = ["let", "foreach", "while"];
        if binders
            .iter()
            .all(|binder| !rule.contains(&format!("{binder} {name}")))
        {
            continue;
        }
        let mut slip = String::new();
        for (place, letter) in rule.char_indices() {
            slip.push(letter);
            let around = [
                rule[..place].chars().next_back(),
                rule[place + 1..].chars().next(),
            ];
            let is_alone = around
                .iter()
                .flatten()
                .all(|letter| !letter.is_ascii_alphanumeric());
            if name.starts_with(letter) && is_alone {
                slip.push('2');
            }
        }
        slips.push(slip);
    }
    slips
}

#[test]
fn every_correction_of_a_slip_in_bones_means_what_the_slip_hid() {
    let golden: Vec<serde_json::Value> = include_str!("../../golden/bones.json")
        .lines()
        .map(|line| line.trim_end_matches([',', '[', ']']))
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let read = |text: &str| {
        let source = Source::new("rule", text);
        let parsed = notation::parse(Dialect::Bones, &source, source.span())?;
        let readings = parsed.lower(&Settings::default())?;
        Ok::<_, Error>(readings[0].program.to_string())
    };
    let (mut wrong, mut corrected) = (Vec::new(), 0);
    for case in &golden {
        let Some(rule) = case["program"].as_str() else {
            continue;
        };
        let Ok(meant) = read(rule) else { continue };
        for text in with_slips(rule) {
            let Err(error) = read(&text) else { continue };
            let Some(correction) = error.diagnostics()[0].correction().map(str::to_owned) else {
                continue;
            };
            if read(&correction).ok().as_ref() != Some(&meant) {
                wrong.push(format!("{text}: {correction}"));
            }
            corrected += 1;
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(corrected > 25, "{corrected}");
}
