//! What a picture says about itself: notes, titles, and the words for what is asked.

use dicedist::report::{self, Answered, Query, Report, Style};
use dicedist::source::Shown;

use super::parts::{count, picture, words};
use crate::report::{int, sampled, with_parameter};

#[track_caller]
fn assert_says(picture: &str, part: &str) {
    let words = words(picture);
    assert!(words.iter().any(|text| text.contains(part)), "{words:?}");
}

#[test]
fn sampled_chances_of_a_sweep_have_intervals() {
    let rules: Vec<Answered> = (0..4)
        .map(|k| with_parameter("r", "k", k, sampled()))
        .collect();
    let mut style = Style::default();
    style.queries = vec![Query::AtMost(int(4))];
    let mut picture = Shown::on(Vec::new());
    report::svg::write(&Report::of(&rules), &style, &mut picture).unwrap();
    let picture = picture.to_string();
    assert_eq!(count(&picture, "path", "class=\"interval "), 4);
    assert_says(&picture, "the interval of each sampled chance");
}

#[test]
fn sampled_chances_without_intervals_are_estimates() {
    let sampling = ["--max-states", "1", "--seed", "1", "--samples", "1000"];
    let labels = "case sum(3#d6) {..8: \"low\", 9..: \"high\"}";
    let other = "case sum(4#d6) {..8: \"low\", 9..: \"high\"}";
    for rules in [&["3#d6"][..], &[labels], &[labels, other]] {
        let picture = picture(&[rules, &sampling].concat());
        assert_says(&picture, "sampled with 1,000 rolls, seed 1");
        let words = words(&picture);
        let estimates = words.iter().filter(|text| text.starts_with('≈'));
        assert!(estimates.count() > 1, "{words:?}");
        assert!(
            !words.iter().any(|text| text.contains("intervals")),
            "{words:?}"
        );
    }
}

#[test]
fn questions_without_an_answer_say_why() {
    let list = picture(&["2#d6", "--exactly", "7"]);
    assert_says(&list, "exactly 7 has no answer: a list is no single value");
    let record = "let x=4#d6 in {hits: count >=5 x, ones: count ==1 x}";
    assert_says(
        &picture(&[record, "--at-least", "2"]),
        "at least 2 has no answer: a record: ask about its parts",
    );
    let three = "let x=4#d6 in {hits: count >=5 x, ones: count ==1 x, sum: sum x}";
    assert_says(
        &picture(&[three, "--at-least", "2"]),
        "at least 2 has no answer: a record",
    );
}

/// The highest value on the axis is 134 of 180, the lowest 76.
#[test]
fn both_ends_that_are_left_out_are_named() {
    let picture_of = |view| picture(&["sum(30#d6)", "--view", view]);
    for view in ["at-least", "at-most"] {
        assert_says(
            &picture_of(view),
            "not shown: values below 76 and above 134",
        );
    }
}

#[test]
fn conditions_and_sweeps_have_the_signs_of_mathematics() {
    let condition = picture(&["sum(2#d6)-5", "--chance", "value >= -1 and value <= 4"]);
    assert_says(&condition, "value ≥ −1 and value ≤ 4");
    let sweep = picture(&["d6+n", "--set", "n=-3..3", "--at-least", "4"]);
    assert_says(&sweep, "from n=0 on");
    let low = picture(&["d6+n", "--set", "n=-6..0", "--at-least", "0"]);
    assert_says(&low, "n=−");
    assert!(!words(&low).iter().any(|text| text.contains("n=-")));
    assert!(!low.contains("n=-"), "titles have it, too");
}

/// Of 46,656 and more rolls of exploding dice.
#[test]
fn the_chances_of_a_question_have_one_number_of_decimals() {
    let picture = picture(&["3d6!", "4d6!", "--at-least", "45"]);
    let words = words(&picture);
    let line = words.iter().find(|text| text.starts_with("at least 45"));
    let decimals = |text: &str| {
        let (_, rest) = text.split_once('.').unwrap();
        rest.chars().take_while(char::is_ascii_digit).count()
    };
    let line = line.unwrap();
    let (first, second) = line.split_once(", ").unwrap();
    assert_eq!(decimals(first), decimals(second), "{line}");
}

#[test]
fn lists_that_are_equally_likely_are_not_called_the_most_likely() {
    let equal = picture(&["3#d4", "--ordered"]);
    assert_says(&equal, "the first 30 of 64 lists, all equally likely");
    assert_says(&picture(&["5#d6"]), "the 30 most likely of 252 lists");
}

#[test]
fn a_part_of_a_record_has_its_name() {
    let record = "let x = 5#d6 in {hits: count >=5 x, ones: count ==1 x}";
    let picture = picture(&[record, "--part", "hits", "--at-least", "2"]);
    let words = words(&picture);
    assert!(words.iter().any(|text| text == "hits"), "{words:?}");
    assert_says(&picture, "hits at least 2: 53.9%");
}

/// The sums of thirds and sevenths are parts of 21; those of halves and thirds are sixths.
#[test]
fn ticks_of_fractions_are_round_decimals_or_values() {
    let ticks = words(&picture(&["1d6/3 + 1d4/7"]));
    assert!(!ticks.iter().any(|text| text.contains("/21")), "{ticks:?}");
    let ticks = words(&picture(&["d6/2", "1d3/3"]));
    assert!(!ticks.iter().any(|text| text == "5/6"), "{ticks:?}");
}
