//! Texts that players type, in the words of forums and of the documents of virtual tables. Nobody names a notation. Each is
//! answered as meant, or its correction is, which takes one step.

use dicedist::engine::analyze;
use dicedist::limits::Unobserved;
use dicedist::notation::{self, Environment, Parsed, Settings};
use dicedist::number::Fraction;
use dicedist::source::Source;
use dicedist::{Dialect, Error, Limits};

/// What a text is.
pub(super) enum Typed {
    /// A rule that is answered as this one.
    Answered(&'static str),
    /// No rule: the correction, which is answered as this one in tabletop.
    Corrected(&'static str),
}

use Typed::{Answered, Corrected};

/// The texts, each with what it is.
pub(super) const TEXTS: &[(&str, Typed)] = &[
    // Rolls that every table knows.
    ("2d6+3", Answered("sum(2#d6)+3")),
    ("1d20+5", Answered("d20+5")),
    ("d20", Answered("d20")),
    ("D20+7", Answered("d20+7")),
    ("3D6", Answered("sum(3#d6)")),
    ("4d6kh3", Answered("sum(high 3 4#d6)")),
    ("4d6k3", Answered("sum(high 3 4#d6)")),
    ("4d6dl1", Answered("sum(drop low 1 4#d6)")),
    ("4d6d1", Answered("sum(drop low 1 4#d6)")),
    ("4d6-L", Answered("sum(drop low 1 4#d6)")),
    ("2d20kh1", Answered("high 1 2#d20")),
    ("2d20kl1+5", Answered("(low 1 2#d20)+5")),
    ("2d20kh", Answered("high 1 2#d20")),
    ("2d20k1", Answered("high 1 2#d20")),
    ("2d20dl1", Answered("high 1 2#d20")),
    ("1d20+5 adv", Answered("(high 1 2#d20)+5")),
    ("1d20+5 disadvantage", Answered("(low 1 2#d20)+5")),
    ("1d20 advantage", Answered("high 1 2#d20")),
    ("1d8+1d6+3", Answered("d8+d6+3")),
    ("8d6", Answered("sum(8#d6)")),
    ("d100", Answered("d100")),
    ("1d%", Answered("d100")),
    ("d%", Answered("d100")),
    ("4dF", Answered("sum(4#(d3-2))")),
    ("4dF+2", Answered("sum(4#(d3-2))+2")),
    ("1dc", Answered("d2-1")),
    ("6#4d6kh3", Answered("6#sum(high 3 4#d6)")),
    ("1d4 + 1d6 + 2", Answered("d4+d6+2")),
    ("2d6*2", Answered("sum(2#d6)*2")),
    ("2d6 × 2", Answered("sum(2#d6)*2")),
    ("1d6−1", Answered("d6-1")),
    ("(2d6+3)*2", Answered("(sum(2#d6)+3)*2")),
    // Success counting.
    ("8d10>=8", Answered("count >=8 8#d10")),
    ("8d6>=5", Answered("count >=5 8#d6")),
    ("5d10>7", Answered("count >7 5#d10")),
    ("10d6=6", Answered("count ==6 10#d6")),
    ("3d6<3", Answered("count <3 3#d6")),
    ("5d10 >= 7", Answered("count >=7 5#d10")),
    ("5d6even", Answered("count ==0 foreach x in 5#d6 do x%2")),
    (
        "3d10>=8f1",
        Answered("let x=3#d10 in (count >=8 x)-(count ==1 x)"),
    ),
    // Checks against a number.
    ("1d20+5 >= 15", Answered("count >=10 d20")),
    ("d20+5 >= 15", Answered("count >=10 d20")),
    ("1d20+5>=15", Answered("count >=10 d20")),
    ("(2d6)>=8", Answered("count >=8 sum(2#d6)")),
    ("2d6+0>=8", Answered("count >=8 sum(2#d6)")),
    ("1d20>=11", Answered("count >=11 d20")),
    ("(1d20+5>=15)*(1d8+3)", Answered("(count >=10 d20)*(d8+3)")),
    // Rerolls and limits.
    (
        "2d6ro1",
        Answered("sum(foreach x in 2#d6 do if ==1 x then d6 else x)"),
    ),
    (
        "2d6ro<3+4",
        Answered("sum(foreach x in 2#d6 do if <3 x then d6 else x)+4"),
    ),
    ("3d6r1", Answered("sum(3#(d5+1))")),
    ("2d6rr<3", Answered("sum(2#(d4+2))")),
    ("1d20min10", Answered("high 1 (d20,10)")),
    ("1d20mi10+7", Answered("(high 1 (d20,10))+7")),
    ("{1d20,10}kh1", Answered("high 1 (d20,10)")),
    ("max(1d20,10)", Answered("high 1 (d20,10)")),
    // Explosions.
    (
        "3d6!",
        Answered("sum(3#(while x=d6 do if ==6 x then d6 else ()))"),
    ),
    (
        "1d6!",
        Answered("sum(while x=d6 do if ==6 x then d6 else ())"),
    ),
    (
        "2d6x6",
        Answered("sum(2#(while x=d6 do if ==6 x then d6 else ()))"),
    ),
    (
        "5d10>=8!",
        Answered("count >=8 (5#(while x=d10 do if ==10 x then d10 else ()))"),
    ),
    (
        "1d8!!",
        Answered("sum(while x=d8 do if ==8 x then d8 else ())"),
    ),
    (
        "2d6!o",
        Answered("sum(2#(let x=d6 in if ==6 x then x+d6 else x))"),
    ),
    // Macros as they are pasted.
    ("/roll 2d6+3", Answered("sum(2#d6)+3")),
    ("/r 1d20+5 # to hit", Answered("d20+5")),
    ("!roll 3d6", Answered("sum(3#d6)")),
    ("[[1d20+5]]", Answered("d20+5")),
    ("[[1d4]]d6", Answered("sum(d4#d6)")),
    ("1d20+@{str}+@prof", Answered("d20+5")),
    ("1d20+?{Modifier|2}", Answered("d20+2")),
    ("2d6[fire]+1d8[cold]", Answered("sum(2#d6)+d8")),
    ("1d20 + 5 // attack", Answered("d20+5")),
    ("{2d6,1d12}kh1", Answered("high 1 (sum(2#d6),d12)")),
    ("{4d6+2d8}kh3", Answered("sum(high 3 (4#d6,2#d8))")),
    ("floor(1d6/2)", Answered("d6/2")),
    ("ceil(2d6/2)", Answered("(sum(2#d6)+1)/2")),
    ("1d6//2", Answered("d6")),
    ("abs(1d6-1d6)", Answered("let x=d6-d6 in high 1 (x,-x)")),
    ("(1d4)d6", Answered("sum(d4#d6)")),
    ("1d(4+2)", Answered("d6")),
    ("3d6ms>=10", Answered("sum(3#d6)-10")),
    ("3d12u", Answered("sum(first 3 perm(1..12))")),
    // Mistakes.
    ("4d6 kh3", Corrected("4d6kh3")),
    ("4d6 kh 3", Corrected("4d6kh3")),
    ("2 d6", Corrected("2d6")),
    ("4d6 drop lowest", Corrected("4d6dl1")),
    ("4d6 drop the lowest", Corrected("4d6dl1")),
    ("4d6-drop-lowest", Corrected("4d6dl1")),
    ("2d20-keep-highest", Corrected("2d20kh1")),
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
    ("1d20+str+prof", Corrected("1d20+@str+@prof")),
    // Words of players.
    ("2d20kh1 + 7 vs AC 18", Corrected("(2d20kh1+7)>=18")),
    ("1d20+5 with advantage vs 15", Corrected("(2d20kh1+5)>=15")),
    ("d20 advantage +5", Corrected("2d20kh1+5")),
    ("adv", Corrected("2d20kh1")),
    ("disadvantage", Corrected("2d20kl1")),
    ("coin", Corrected("1dc")),
    ("fudge", Corrected("4dF")),
    ("roll a d20", Corrected("1d20")),
    ("average of 3d6", Corrected("3d6")),
    ("avg(3#d6)", Corrected("3d6")),
    ("sum(4d6)", Answered("4d6")),
    ("count(5d6>=5)", Corrected("5d6>=5")),
    ("highest(2d20)", Corrected("2d20kh1")),
    ("highest 3 4d6", Corrected("4d6kh3")),
    ("high 1 2d20", Corrected("2d20kh1")),
    ("3d6 drop high", Corrected("3d6dh1")),
    ("middle of 3d6", Corrected("3d6dh1dl1")),
    ("4d6 reroll 1s drop lowest", Corrected("4d6r1dl1")),
    ("2d6 reroll <3", Corrected("2d6r<3")),
    ("3d6 explode", Corrected("3d6!")),
    ("savage d8", Corrected("{1d8!!,1d6!!}kh1")),
    ("1d6/2 round up", Corrected("ceil(1d6/2)")),
    ("half 1d6", Corrected("floor(1d6/2)")),
    ("8d6 half", Corrected("floor(8d6/2)")),
    // How often.
    ("4d6dl1 x6", Corrected("6#4d6dl1")),
    ("6x 4d6 drop lowest", Corrected("6#4d6dl1")),
    ("4d6 drop lowest, 6 times", Corrected("6#4d6dl1")),
    ("3d6 in order", Corrected("6#3d6")),
    ("2d6 x 10", Corrected("2d6*10")),
    ("4d6k3 * 6", Answered("sum(high 3 4#d6)*6")),
    ("2d6, 1d8", Answered("sum(2#d6), d8")),
    ("1d20 + 5, 1d20", Answered("d20+5, d20")),
    ("1d6 or 1d8", Corrected("1d6; 1d8")),
    // Numbers to reach.
    ("d100 <= 45", Answered("count <=45 d100")),
    ("d%<=45", Answered("count <=45 d100")),
    ("5d6 hits on 5+", Corrected("5d6>=5")),
    ("10d10 difficulty 7", Corrected("10d10>=7")),
    ("10d6t5", Corrected("10d6>=5")),
    ("8d10s8", Corrected("8d10>=8")),
    ("2d6 7+", Corrected("(2d6)>=7")),
    ("2d6+2 7-9", Corrected("abs(2d6+2-8)<=1")),
    ("3d6 under 12", Corrected("(3d6)<12")),
    ("d20 11 or higher", Corrected("1d20>=11")),
    ("3d6 total >= 10", Corrected("(3d6)>=10")),
    ("at least one 6 on 4d6", Corrected("(4d6=6)>=1")),
    ("P(2d6>=7)", Corrected("(2d6)>=7")),
    ("2d6 == 7", Answered("count ==7 sum(2#d6)")),
    // Text around a roll.
    ("d20+5 to hit", Corrected("1d20+5")),
    ("1d8+3 slashing", Corrected("1d8+3")),
    ("d20+d4 (bless)", Corrected("1d20+1d4")),
    ("1d20 + 1d4 [bless]", Answered("d20+d4")),
    ("\"2d6+3", Corrected("2d6+3")),
    ("a 8", Corrected("1d8")),
];

/// Texts whose meaning nobody can know for sure: no correction is printed, rather than a wrong one.
const UNCLEAR: [&str; 8] = [
    "3d6 foo 2",
    "6d10 again 10",
    "chance of 6 on 2d6",
    "4d6 each",
    "2d6 d8 vs 15",
    "2d6 doubled",
    "6d6 push",
    "1d20 lucky",
];

/// The distribution of a rule: its values with their probabilities.
pub(super) type Distribution = Vec<(String, Fraction)>;

/// The distributions of the rules of a text, recognised.
pub(super) fn distributions(text: &str) -> Result<Vec<Distribution>, Error> {
    let source = Source::new("rule", text);
    let mut distributions = Vec::new();
    for rule in notation::rules(Dialect::Bones, &source) {
        let found = notation::recognise(&source, rule?, &Environment::default());
        for found in found.map_err(Error::from)? {
            let parsed = match found.parsed {
                Some(parsed) => parsed,
                None => notation::parse(found.rule.dialect, &source, found.rule.span)?,
            };
            distributions.push(distribution(&parsed)?);
        }
    }
    Ok(distributions)
}

fn distribution(parsed: &Parsed) -> Result<Distribution, Error> {
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

/// The corrections that an error prints, the first one first: the whole rule, or what the help and the notes quote.
pub(super) fn corrections(error: &Error) -> Vec<String> {
    let finding = &error.diagnostics()[0];
    if let Some(whole) = finding.correction() {
        return vec![whole.to_owned()];
    }
    let texts = finding.help.iter().chain(&finding.notes);
    texts
        .filter_map(|text| text.split('`').nth(1))
        .map(Into::into)
        .collect()
}

#[track_caller]
fn meant(text: &str, typed: &Typed) {
    let expected =
        |rule: &str| distributions(rule).unwrap_or_else(|error| panic!("{rule}: {error}"));
    match typed {
        Answered(rule) => {
            let found = distributions(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(found, expected(rule), "{text}");
        }
        Corrected(rule) => {
            let error = match distributions(text) {
                Err(error) => error,
                // Nothing needs to be corrected.
                Ok(found) => return assert_eq!(found, expected(rule), "{text}"),
            };
            let corrections = corrections(&error);
            assert!(!corrections.is_empty(), "{text}: {error:?}");
            for correction in corrections {
                let found = distributions(&correction);
                let found = found.unwrap_or_else(|error| panic!("{text}: {correction}: {error}"));
                assert_eq!(found, expected(rule), "{text}: {correction}");
            }
        }
    }
}

#[test]
fn what_players_type_is_answered_or_corrected_in_one_step() {
    assert!(TEXTS.len() >= 140, "{}", TEXTS.len());
    judge(TEXTS);
}

/// Checks all texts, and says of all that fail why.
pub(super) fn judge(texts: &[(&str, Typed)]) {
    let mut failures = Vec::new();
    for (text, typed) in texts {
        let judged = std::panic::catch_unwind(|| meant(text, typed));
        if let Err(panic) = judged {
            let message = panic.downcast::<String>();
            failures.push(message.map_or_else(|_| (*text).to_owned(), |message| *message));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn a_wrong_correction_is_found() {
    let judged = std::panic::catch_unwind(|| meant("4d6 keep 3", &Corrected("4d6kl3")));
    assert!(judged.is_err());
}

#[test]
fn what_may_mean_several_things_is_not_corrected() {
    for text in UNCLEAR {
        let error = distributions(text).err();
        let error = error.unwrap_or_else(|| panic!("{text} is answered"));
        let correction = error.diagnostics()[0].correction();
        assert_eq!(correction, None, "{text}");
    }
}
