//! Texts that players type, in the words of forums and of the documents of virtual tables. Nobody names a notation. Each is
//! answered as meant, or its correction is, which takes one step.

use dicedist::engine::analyze;
use dicedist::limits::Unobserved;
use dicedist::notation::{self, Environment, Settings};
use dicedist::number::Fraction;
use dicedist::source::Source;
use dicedist::{Dialect, Limits};

/// What a text is.
enum Typed {
    /// A rule that is answered as this one.
    Rule(&'static str),
    /// No rule: the correction, which is answered as this one in tabletop.
    Corrected(&'static str),
}

use Typed::{Corrected, Rule};

/// The texts, each with what it is.
const TEXTS: &[(&str, Typed)] = &[
    // Rolls that every table knows.
    ("2d6+3", Rule("sum(2#d6)+3")),
    ("1d20+5", Rule("d20+5")),
    ("d20", Rule("d20")),
    ("D20+7", Rule("d20+7")),
    ("3D6", Rule("sum(3#d6)")),
    ("4d6kh3", Rule("sum(high 3 4#d6)")),
    ("4d6k3", Rule("sum(high 3 4#d6)")),
    ("4d6dl1", Rule("sum(drop low 1 4#d6)")),
    ("4d6d1", Rule("sum(drop low 1 4#d6)")),
    ("4d6-L", Rule("sum(drop low 1 4#d6)")),
    ("2d20kh1", Rule("high 1 2#d20")),
    ("2d20kl1+5", Rule("(low 1 2#d20)+5")),
    ("2d20kh", Rule("high 1 2#d20")),
    ("2d20k1", Rule("high 1 2#d20")),
    ("2d20dl1", Rule("high 1 2#d20")),
    ("1d20+5 adv", Rule("(high 1 2#d20)+5")),
    ("1d20+5 disadvantage", Rule("(low 1 2#d20)+5")),
    ("1d20 advantage", Rule("high 1 2#d20")),
    ("1d8+1d6+3", Rule("d8+d6+3")),
    ("8d6", Rule("sum(8#d6)")),
    ("d100", Rule("d100")),
    ("1d%", Rule("d100")),
    ("d%", Rule("d100")),
    ("4dF", Rule("sum(4#(d3-2))")),
    ("4dF+2", Rule("sum(4#(d3-2))+2")),
    ("1dc", Rule("d2-1")),
    ("6#4d6kh3", Rule("6#sum(high 3 4#d6)")),
    ("1d4 + 1d6 + 2", Rule("d4+d6+2")),
    ("2d6*2", Rule("sum(2#d6)*2")),
    ("2d6 × 2", Rule("sum(2#d6)*2")),
    ("1d6−1", Rule("d6-1")),
    ("(2d6+3)*2", Rule("(sum(2#d6)+3)*2")),
    // Success counting.
    ("8d10>=8", Rule("count >=8 8#d10")),
    ("8d6>=5", Rule("count >=5 8#d6")),
    ("5d10>7", Rule("count >7 5#d10")),
    ("10d6=6", Rule("count ==6 10#d6")),
    ("3d6<3", Rule("count <3 3#d6")),
    ("5d10 >= 7", Rule("count >=7 5#d10")),
    ("5d6even", Rule("count ==0 foreach x in 5#d6 do x%2")),
    (
        "3d10>=8f1",
        Rule("let x=3#d10 in (count >=8 x)-(count ==1 x)"),
    ),
    // Checks against a number.
    ("1d20+5 >= 15", Rule("count >=10 d20")),
    ("d20+5 >= 15", Rule("count >=10 d20")),
    ("1d20+5>=15", Rule("count >=10 d20")),
    ("(2d6)>=8", Rule("count >=8 sum(2#d6)")),
    ("2d6+0>=8", Rule("count >=8 sum(2#d6)")),
    ("1d20>=11", Rule("count >=11 d20")),
    ("(1d20+5>=15)*(1d8+3)", Rule("(count >=10 d20)*(d8+3)")),
    // Rerolls and limits.
    (
        "2d6ro1",
        Rule("sum(foreach x in 2#d6 do if ==1 x then d6 else x)"),
    ),
    (
        "2d6ro<3+4",
        Rule("sum(foreach x in 2#d6 do if <3 x then d6 else x)+4"),
    ),
    ("3d6r1", Rule("sum(3#(d5+1))")),
    ("2d6rr<3", Rule("sum(2#(d4+2))")),
    ("1d20min10", Rule("high 1 (d20,10)")),
    ("1d20mi10+7", Rule("(high 1 (d20,10))+7")),
    ("{1d20,10}kh1", Rule("high 1 (d20,10)")),
    ("max(1d20,10)", Rule("high 1 (d20,10)")),
    // Explosions.
    (
        "3d6!",
        Rule("sum(3#(while x=d6 do if ==6 x then d6 else ()))"),
    ),
    ("1d6!", Rule("sum(while x=d6 do if ==6 x then d6 else ())")),
    (
        "2d6x6",
        Rule("sum(2#(while x=d6 do if ==6 x then d6 else ()))"),
    ),
    (
        "5d10>=8!",
        Rule("count >=8 (5#(while x=d10 do if ==10 x then d10 else ()))"),
    ),
    ("1d8!!", Rule("sum(while x=d8 do if ==8 x then d8 else ())")),
    (
        "2d6!o",
        Rule("sum(2#(let x=d6 in if ==6 x then x+d6 else x))"),
    ),
    // Macros as they are pasted.
    ("/roll 2d6+3", Rule("sum(2#d6)+3")),
    ("/r 1d20+5 # to hit", Rule("d20+5")),
    ("!roll 3d6", Rule("sum(3#d6)")),
    ("[[1d20+5]]", Rule("d20+5")),
    ("[[1d4]]d6", Rule("sum(d4#d6)")),
    ("1d20+@{str}+@prof", Rule("d20+5")),
    ("1d20+?{Modifier|2}", Rule("d20+2")),
    ("2d6[fire]+1d8[cold]", Rule("sum(2#d6)+d8")),
    ("1d20 + 5 // attack", Rule("d20+5")),
    ("{2d6,1d12}kh1", Rule("high 1 (sum(2#d6),d12)")),
    ("{4d6+2d8}kh3", Rule("sum(high 3 (4#d6,2#d8))")),
    ("floor(1d6/2)", Rule("d6/2")),
    ("ceil(2d6/2)", Rule("(sum(2#d6)+1)/2")),
    ("1d6//2", Rule("d6")),
    ("abs(1d6-1d6)", Rule("let x=d6-d6 in high 1 (x,-x)")),
    ("(1d4)d6", Rule("sum(d4#d6)")),
    ("1d(4+2)", Rule("d6")),
    ("3d6ms>=10", Rule("sum(3#d6)-10")),
    ("3d12u", Rule("sum(first 3 perm(1..12))")),
    // Mistakes.
    ("4d6 kh3", Corrected("4d6kh3")),
    ("2 d6", Corrected("2d6")),
    ("4d6 drop lowest", Corrected("4d6dl1")),
    ("4d6 drop the lowest", Corrected("4d6dl1")),
    ("4d6 drop lowest 1", Corrected("4d6dl1")),
    ("4d6 keep 3", Corrected("4d6kh3")),
    ("4d6 keep highest 3", Corrected("4d6kh3")),
    ("2d20 keep lowest", Corrected("2d20kl1")),
    ("highest 3 of 4d6", Corrected("4d6kh3")),
    ("[highest 3 of 4d6]", Corrected("4d6kh3")),
    ("best of 2d20", Corrected("2d20kh1")),
    ("3K4d6", Corrected("4d6kh3")),
    ("output 3d6", Corrected("3d6")),
    ("roll 2d6", Corrected("2d6")),
    ("d20+5 vs 15", Corrected("(1d20+5)>=15")),
    ("1d20+5 vs AC 16", Corrected("(1d20+5)>=16")),
    ("d20 with advantage", Corrected("2d20kh1")),
    ("d20 19-20", Corrected("1d20>=19")),
    ("5d10 t7", Corrected("5d10>=7")),
    ("d6 reroll 1", Corrected("1d6r1")),
    ("2d6 reroll ones", Corrected("2d6r1")),
    ("2d6 reroll 1 once", Corrected("2d6ro1")),
    ("d6 exploding", Corrected("1d6!")),
    ("3d6 !", Corrected("3d6!")),
    ("1d20+5 to hit", Corrected("1d20+5")),
    ("2d6 fire damage", Corrected("2d6")),
    ("2(1d6+3)", Corrected("2*(1d6+3)")),
    ("1d6 x 2", Corrected("1d6*2")),
    ("1d20+5 => 15", Corrected("1d20+5>=15")),
    ("2d6 d8", Corrected("2d6+1d8")),
    ("roundup(1d6/2)", Corrected("ceil(1d6/2)")),
    ("1d20+str", Corrected("1d20+@str")),
];

/// The distribution of a rule, recognised.
fn distribution(text: &str) -> Result<Vec<(String, Fraction)>, dicedist::Error> {
    let source = Source::new("rule", text);
    let rule = notation::rules(Dialect::Bones, &source).swap_remove(0)?;
    let found = notation::recognise(&source, rule, &Environment::default());
    let rule = found.map_err(|wrong| wrong.error)?.swap_remove(0).rule;
    let parsed = notation::parse(rule.dialect, &source, rule.span)?;
    let settings = Settings::default()
        .with_parameter("str", 3)
        .with_parameter("prof", 2);
    let program = parsed.lower(&settings)?.swap_remove(0).program.sorted();
    let answer = analyze(&program, &Limits::default(), &Unobserved)?;
    let outcomes = answer.outcomes().iter();
    let listed = outcomes.map(|(value, weight)| {
        (
            value.exact(&answer.unit, &answer.shape),
            answer.probability(weight),
        )
    });
    Ok(listed.collect())
}

#[track_caller]
fn meant(text: &str, typed: &Typed) {
    let expected =
        |rule: &str| distribution(rule).unwrap_or_else(|error| panic!("{rule}: {error}"));
    match typed {
        Rule(rule) => {
            let found = distribution(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(found, expected(rule), "{text}");
        }
        Corrected(rule) => {
            let error = distribution(text)
                .err()
                .unwrap_or_else(|| panic!("{text} is answered"));
            let finding = &error.diagnostics()[0];
            let help = finding.help.iter().chain(&finding.notes);
            let corrections = help.filter_map(|help| help.split('`').nth(1));
            let correct = corrections.filter(|correction| {
                let source = Source::new("rule", *correction);
                let whole = source.span();
                notation::parse(Dialect::Tabletop, &source, whole).is_ok()
                    || notation::parse(Dialect::Bones, &source, whole).is_ok()
            });
            let correct: Vec<&str> = correct.collect();
            let is_meant = correct.iter().any(|correction| {
                distribution(correction).is_ok_and(|found| found == expected(rule))
            });
            assert!(is_meant, "{text}: {finding:?}");
        }
    }
}

#[test]
fn what_players_type_is_answered_or_corrected_in_one_step() {
    assert!(TEXTS.len() >= 100, "{}", TEXTS.len());
    let mut failures = Vec::new();
    for (text, typed) in TEXTS {
        let judged = std::panic::catch_unwind(|| meant(text, typed));
        if let Err(panic) = judged {
            let message = panic.downcast::<String>();
            failures.push(message.map_or_else(|_| (*text).to_owned(), |message| *message));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
