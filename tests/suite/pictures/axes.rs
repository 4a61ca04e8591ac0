//! The axes of pictures: ticks, breaks, names, titles.

use std::collections::BTreeSet;

use super::parts::{attribute, count, elements, picture, titles, words};

/// The numbers along the axis of values: whole ones, without percent signs.
fn ticks(picture: &str) -> Vec<i64> {
    let words = words(picture).into_iter();
    let numbers = words.filter_map(|text| text.replace(',', "").parse().ok());
    numbers.collect()
}

/// Sums of two dice are 2 to 12, those of twenty 20 to 120, those of a thousand 1,000 to 6,000.
#[test]
fn ticks_stand_at_values_that_exist() {
    for (rule, factor, sums) in [
        ("sum(2#d6)*100000+1", 100_000, 2..=12),
        ("sum(20#d6)*3+1", 3, 20..=120),
        ("sum(1000#d6)*7+1", 7, 1000..=6000),
        ("sum(1000#d6)*100000+1", 100_000, 1000..=6000),
        ("sum(20#d6)*25", 25, 20..=120),
    ] {
        let picture = picture(&[rule]);
        let ticks = ticks(&picture);
        assert!(ticks.len() >= 3, "{rule}: {ticks:?}");
        let rest = i64::from(rule.ends_with("+1"));
        for tick in &ticks {
            let sum = (tick - rest) / factor;
            assert_eq!(sum * factor + rest, *tick, "{rule}: {ticks:?}");
            assert!(sums.contains(&sum), "{rule}: {ticks:?}");
        }
        let apart: Vec<i64> = ticks.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(apart.windows(2).all(|pair| pair[0] == pair[1]), "{ticks:?}");
    }
    // Of multiples of five, the multiples of ten have ticks.
    assert!(
        ticks(&picture(&["sum(20#d6)*5"]))
            .iter()
            .all(|tick| tick % 10 == 0)
    );
}

/// A line for each label, whose chances are those of one, two or three coins: 1/2, 1/4 and 1/8 for heads alone.
#[test]
fn labels_of_transposed_rules_have_a_line_each() {
    let rule = "if count ==1 n#d2 == n then \"all\" else \"some\"";
    let picture = picture(&[rule, "--set", "n=1..8", "--view", "transposed"]);
    assert_eq!(count(&picture, "path", "class=\"curve "), 2);
    let dots = titles(&picture, "dot");
    assert_eq!(dots.len(), 16);
    for dot in [
        "n=1, all: 50.0000%",
        "n=3, all: 12.5000%",
        "n=3, some: 87.5000%",
    ] {
        assert!(dots.iter().any(|title| title == dot), "{dots:?}");
    }
}

/// Of 216 rolls of three dice 81 add up to 12 or more, of 100 rolls of two dice of ten sides 45, and of twenty sides nine.
#[test]
fn questions_about_transposed_rules_are_answered() {
    let rules = ["sum(3#d6)", "sum(2#d10)", "d20", "--view", "transposed"];
    let picture = picture(&[&rules[..], &["--at-least", "12"]].concat());
    assert_eq!(count(&picture, "circle", "class=\"dot "), 3);
    let words = words(&picture);
    let said = "chance of at least 12";
    for text in [said, "37.5%", "45.0%", "sum(3#d6)", "d20"] {
        assert!(words.iter().any(|word| word == text), "{text}: {words:?}");
    }
}

#[test]
fn names_of_many_rules_are_not_alike() {
    let rules: Vec<String> = (2..62)
        .map(|dice| format!("if sum({dice}#d6) > 50 then 1 else 0"))
        .collect();
    let mut arguments: Vec<&str> = rules.iter().map(String::as_str).collect();
    arguments.extend(["--view", "transposed"]);
    let names: Vec<String> = words(&picture(&arguments))
        .into_iter()
        .filter(|text| text.contains("sum(") || text.starts_with("if"))
        .collect();
    let mut different = names.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), names.len(), "{names:?}");
}

#[test]
fn no_word_stands_alone_below_a_title() {
    let title =
        "What is the chance that somebody who rolls four dice and drops the lowest has fifteen";
    let picture = picture(&["d6", "--title", title]);
    let first = words(&picture);
    assert_eq!(first[..2].join(" "), title);
    assert!(first[1].split(' ').count() > 3, "{first:?}");
}

/// The last of five colours is the lightest, and its lines are dashed.
#[test]
fn the_lightest_of_five_lines_is_dashed() {
    let rules = ["sum(3#d6)", "sum(2#d10)", "d20", "sum(2#d8)", "sum(3#d8)"];
    let dashed = |rules: &[&str]| {
        let picture = picture(rules);
        let tags = elements(&picture);
        let curves = tags.iter().filter(|tag| tag.contains("class=\"curve "));
        curves.filter(|tag| tag.contains("dasharray")).count()
    };
    assert_eq!(dashed(&rules), 1);
    assert_eq!(dashed(&rules[..4]), 1);
    assert_eq!(dashed(&rules[..3]), 0);
}

/// One of five hundred is more than the 0.1% of ends that are cut off. The mean lies in the break.
#[test]
fn a_value_far_beyond_the_rest_stands_after_a_break() {
    for view in ["exactly", "at-most"] {
        let rule = "if d500 == 1 then 1000000 else d6";
        let one = picture(&[rule, "--view", view]);
        assert_eq!(titles(&one, "bar").len(), 7);
        assert_eq!(count(&one, "path", "class=\"break "), 1);
    }
    // The shape of the rest is seen, although the other value has a twentieth.
    let dense = picture(&["if d20 == 1 then 1000000 else sum(20#d6)"]);
    assert!(titles(&dense, "strip").contains(&"1,000,000: 5.0000%".to_owned()));
    assert!(titles(&dense, "strip").len() > 40);
    let two = picture(&["if d500 == 1 then 1000000 else d6", "d6"]);
    assert_eq!(count(&two, "path", "class=\"break "), 1);
}

#[test]
fn the_variable_with_the_most_values_lies_along_the_axis() {
    for sets in [["n=1..10", "k=1..3"], ["k=1..3", "n=1..10"]] {
        let [first, second] = sets;
        let sweep = [
            "sum(n#d6) + k",
            "--set",
            first,
            "--set",
            second,
            "--at-least",
            "20",
        ];
        let picture = picture(&sweep);
        let tags = elements(&picture);
        let curves = tags.iter().filter_map(|tag| attribute(tag, "class"));
        let curves = curves.filter(|class| class.starts_with("curve "));
        assert_eq!(curves.collect::<BTreeSet<_>>().len(), 3);
        for name in ["k=1", "k=2", "k=3", "n", "10"] {
            assert!(words(&picture).contains(&name.to_owned()), "{name}");
        }
        // The sums of five dice lie evenly around 17.5.
        assert!(titles(&picture, "dot").contains(&"n=5, k=2: 50.0000%".to_owned()));
    }
}

/// Of 24 dice 111 or more have less than one part in a thousand.
#[test]
fn a_sweep_leaves_out_ends_where_nothing_is_seen() {
    let picture = picture(&["sum(n#d6)", "--set", "n=1..24"]);
    assert!(
        picture.contains(">not shown: values above 110 (together at most 0.063% of each rule)<")
    );
    assert!(words(&picture).contains(&"highest bar".to_owned()));
}

/// Dice after a gap of a hundred thousand: the axis of each histogram has a break there, and so has that of cells.
#[test]
fn rows_have_a_break_where_values_are_far_apart() {
    let dice = [20, 30, 40, 50, 60, 80];
    let rules = dice.map(|die| format!("if d{die} == 1 then 1000000 else sum(3#d6)"));
    let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
    let breaks = |picture: &str| count(picture, "path", "class=\"break ");
    assert_eq!(breaks(&picture(&rules)), 6);
    let cells = picture(&[&rules[..], &["--view", "at-least"]].concat());
    assert_eq!(breaks(&cells), 1);
    assert_eq!(count(&cells, "rect", "class=\"cell "), 17 * 6);
}

#[test]
fn labels_of_cells_are_evenly_spaced() {
    let sweep = ["sum(n#d6)", "--set", "n=1..30", "--view", "at-least"];
    let numbers = ticks(&picture(&sweep));
    assert!(numbers.len() > 5, "{numbers:?}");
    let step = numbers[1] - numbers[0];
    assert!(
        numbers.windows(2).all(|pair| pair[1] - pair[0] == step),
        "{numbers:?}"
    );
}
