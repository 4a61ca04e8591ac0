//! The words and numbers of a picture.

use std::collections::BTreeSet;

use dicedist::number::Fraction;
use dicedist::report::{self, Answered, View};

use super::parts::{picture, texts, words};
use crate::report::{exact, fraction, heroic, int, named, sum_of_dice, svg, sweep};

#[test]
fn long_round_numbers_are_multiples_of_powers_of_ten() {
    let picture = picture(&["10^30*d6"]);
    for label in ["1×10³⁰", "6×10³⁰"] {
        assert!(picture.contains(&format!(">{label}<")), "{label}");
    }
    // The variance of a die is 35/12.
    assert!(picture.contains("mean 3.5×10³⁰, standard deviation 1.708×10³⁰"));
}

#[test]
fn numbers_have_a_real_minus_and_commas() {
    let picture = picture(&["1000000000*(d3-2)"]);
    let texts = words(&picture);
    for label in ["−1,000,000,000", "0", "1,000,000,000", "33.3%"] {
        assert!(texts.iter().any(|text| text == label), "{label}: {texts:?}");
    }
}

#[test]
fn percentages_of_one_picture_have_one_number_of_decimals() {
    // The chances of d8 are 12.5%, those of d10 are whole; those of the sum of two dice are 1/36 and more.
    for (rule, decimals) in [("d8", 1), ("d10", 0), ("sum(2#d6)", 1)] {
        let labels = texts(&picture(&[rule]));
        let above = labels
            .iter()
            .filter(|text| text.bottom - text.top < 12.5 && text.words.ends_with('%'));
        let digits: BTreeSet<usize> = above
            .map(|text| {
                text.words
                    .split_once('.')
                    .map_or(0, |(_, rest)| rest.len() - 1)
            })
            .collect();
        assert_eq!(digits, BTreeSet::from([decimals]), "{rule}");
    }
}

#[test]
fn a_picture_speaks_to_those_who_cannot_see_it() {
    let picture = svg(
        &[named("<high> & \"low\"\n\u{1b}4#d6", heroic())],
        View::AtLeast,
    );
    assert!(picture.contains("role=\"img\" aria-labelledby=\"title-"));
    assert!(picture.contains(">&lt;high&gt; &amp; \"low\" \u{fffd}4#d6</title>"));
    assert!(picture.contains("mean 12.24, standard deviation 2.85"));
    assert!(!picture.contains('\u{1b}'));
}

#[test]
fn values_that_are_not_shown_are_counted_together() {
    let rules = [
        named("one", exact(sum_of_dice(100, 6))),
        named("two", exact(sum_of_dice(101, 6))),
    ];
    let picture = svg(&rules, View::Exactly);
    let mut texts = texts(&picture).into_iter().map(|text| text.words);
    let note = texts.rfind(|text| text.contains("not shown: values"));
    let note = note.unwrap();
    assert!(
        note.starts_with("not shown: values below 297 and above 406 (together at most 0."),
        "{note}"
    );
    let of = |rule: &Answered| -> Fraction {
        let numbers = rule.answer.numbers().unwrap();
        let hidden = numbers
            .iter()
            .filter(|(value, _)| **value < int(297) || **value > int(406));
        rule.answer
            .probability(&hidden.map(|(_, weight)| weight).sum())
    };
    let most = report::decimal::fixed(&(rules.iter().map(of).max().unwrap() * fraction(100, 1)), 2);
    assert!(
        note.contains(&format!(" {most}% of each rule)")),
        "{note} {most}"
    );
}

#[test]
fn many_rules_have_their_means() {
    let picture = svg(&sweep(), View::Exactly);
    assert!(picture.contains(">mean<"));
    for successes in 1..=10 {
        let mean = format!(">{}.{}0<", successes * 3 / 10, successes * 3 % 10);
        assert!(picture.contains(&mean), "{mean}");
    }
}

/// Of 1,296 rolls of four dice, 328 have two hits or more and no one: with h hits and the others from 2 to 4, C(4,h)·2^h·3^(4-h) for
/// h from 2 to 4, 216 + 96 + 16.
#[test]
fn a_condition_on_a_record_of_three_parts_is_answered_below_the_title() {
    let record = "let x = 4#d6 in {hits: count >=5 x, ones: count ==1 x, total: sum x}";
    let picture = picture(&[record, "--chance", "hits >= 2 and ones == 0"]);
    assert!(picture.contains(">hits ≥ 2 and ones == 0: 25.3%<"));
}

#[test]
fn conditions_say_how_likely_they_are() {
    let picture = picture(&["d20 + 5 >= 15"]); // 11 of 20 faces
    assert!(picture.contains(">yes: 55%<"));
}

#[test]
fn many_rules_have_the_chance_that_is_asked() {
    // 10 or more: 3/12 of a d12 and 11/20 of a d20.
    let rules = ["d4", "d6", "d8", "d10", "d12", "d20"];
    let picture = picture(&[&rules[..], &["--at-least", "10"]].concat());
    let texts = words(&picture);
    for words in ["at least 10", "25.0%", "55.0%"] {
        assert!(texts.iter().any(|text| text == words), "{words}: {texts:?}");
    }
}

#[test]
fn long_names_lose_whole_words_and_have_them_in_their_titles() {
    let names = [
        "the way of rolling scores that everybody takes when they are new",
        "the way of rolling scores with the lowest of four dice left out",
        "two dice and six, which nobody has ever taken seriously at all",
    ];
    let dice = ["sum(3#d6)", "sum(drop low 1 4#d6)", "sum(2#d6)+6"];
    let rules: Vec<String> = names
        .iter()
        .zip(dice)
        .map(|(a, b)| format!("{a}: {b}"))
        .collect();
    let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
    let picture = picture(&rules);
    for name in names {
        let (_, rest) = picture
            .split_once(&format!("<title>{name}</title>"))
            .unwrap();
        let (shown, _) = rest.split_once("</text>").unwrap();
        let words: Vec<&str> = name.split(' ').collect();
        assert!(shown.contains(" … "), "{shown}");
        assert!(
            shown
                .split(' ')
                .all(|word| word == "…" || words.contains(&word)),
            "{shown}"
        );
    }
}

#[test]
fn labels_of_a_long_sweep_are_evenly_spaced() {
    let picture = picture(&["sum(n#d6)", "--set", "n=1..30", "--at-least", "20"]);
    let texts = texts(&picture).into_iter().map(|text| text.words);
    let numbers: Vec<i64> = texts.filter_map(|text| text.parse().ok()).collect();
    let even: Vec<i64> = (1..=15).map(|half| 2 * half).collect();
    assert_eq!(numbers, even);
}

#[test]
fn long_names_that_differ_in_the_middle_stay_apart() {
    let names = ["new", "old"].map(|who| {
        format!("the way of rolling scores that everybody takes when {who} at the table of the first group, at home: sum(3#d6)")
    });
    let picture = picture(&[&names[0], &names[1]]);
    let texts = texts(&picture).into_iter();
    let shown: Vec<String> = texts
        .map(|text| text.words)
        .filter(|words| words.starts_with("the way"))
        .collect();
    for who in [" new ", " old "] {
        // Beside the curve, and in the line of means.
        assert!(shown.iter().any(|name| name.contains(who)), "{shown:?}");
    }
    assert!(picture.contains(">2 rules: the way of rolling scores that everybody<"));
}

/// A list of names that has no room is no title.
#[test]
fn the_title_over_many_rules_says_what_is_asked_or_what_they_have_in_common() {
    let title = |rules: &[String], asked: &[&str]| {
        let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
        let picture = picture(&[&rules[..], asked].concat());
        let (_, title) = picture.split_once("<title id=").unwrap();
        let (_, title) = title.split_once('>').unwrap();
        title.split_once('<').unwrap().0.to_owned()
    };
    let named: Vec<String> = (1..=20)
        .map(|index| format!("r{index}: d{}", index + 4))
        .collect();
    let sums: Vec<String> = (5..=11).map(|dice| format!("sum({dice}0#d10)")).collect();
    assert_eq!(
        title(&named, &["--at-least", "15"]),
        "20 rules: chance of at least 15"
    );
    assert_eq!(
        title(&named, &["--at-least", "15", "--at-most", "3"]),
        "20 rules: chances of at least 15 and at most 3"
    );
    assert_eq!(title(&named, &[]), "20 rules: chance of each value");
    assert_eq!(
        title(&named, &["--view", "at-least"]),
        "20 rules: chance of each value or more"
    );
    assert_eq!(title(&sums, &[]), "7 rules: sum(…#d10)");
    assert_eq!(title(&named[..2], &["--at-least", "5"]), "r1 and r2");
}
