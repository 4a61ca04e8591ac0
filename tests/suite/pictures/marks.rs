//! The marks of a picture: bars, dots, curves, intervals, and the pointers of means.

use dicedist::algebra::{Distribution, Mass, Weight};
use dicedist::report::{Answered, View};

use super::parts::{
    attribute, count, elements, number, picture, points, raised, texts, titles, words,
};
use crate::report::{d, exact, int, named, sampled, sum_of_dice, svg, with_masses};

#[test]
fn each_mark_says_its_value_and_its_chance() {
    // Of 36 pairs, 1, 2, 3, 4, 5, 6, 5, ... have the sums from 2 on.
    let picture = svg(&[named("2d6", exact(sum_of_dice(2, 6)))], View::Exactly);
    let chances = [
        "2.7778", "5.5556", "8.3333", "11.1111", "13.8889", "16.6667", "13.8889", "11.1111",
        "8.3333", "5.5556", "2.7778",
    ];
    let expected: Vec<String> = (2..)
        .zip(chances)
        .map(|(sum, chance)| format!("{sum}: {chance}%"))
        .collect();
    assert_eq!(titles(&picture, "bar"), expected);
    // The description has the same.
    let data = expected.join("; ");
    assert!(picture.contains(&format!("{data}.</desc>")), "{picture}");
    // At least 11: 3 of 36.
    let picture = svg(&[named("2d6", exact(sum_of_dice(2, 6)))], View::AtLeast);
    assert!(titles(&picture, "bar").contains(&"at least 11: 8.3333%".to_owned()));
}

#[test]
fn marks_of_several_rules_say_which_rule() {
    let rules = [
        named("a", d(4)),
        named("b", d(20)),
        named("c", raised(&d(2), 30)),
    ];
    let picture = svg(&rules, View::Exactly);
    let dots = titles(&picture, "dot");
    assert_eq!(dots.len(), 4 + 20 + 2);
    assert_eq!(
        (dots[0].as_str(), dots[4].as_str()),
        ("a, 1: 25.0000%", "b, 1: 5.0000%")
    );
    assert_eq!(dots[25], "c, 32: 50.0000%");
    // Nothing joins 20 and 31, which have no values between them.
    assert_eq!(count(&picture, "path", "curve"), 3);
}

#[test]
fn curves_without_dots_have_strips_that_say_all_chances() {
    let rules = [
        named("a", exact(sum_of_dice(20, 6))),
        named("b", exact(sum_of_dice(10, 6))),
    ];
    let strips = titles(&svg(&rules, View::AtLeast), "strip");
    let begins = |strip: &String| strip.starts_with("a, at least 20: 100%\nb, at least 20: ");
    assert!(strips.iter().any(begins), "{strips:?}");
}

#[test]
fn bars_of_one_rule_alone_stand_on_their_value() {
    // 7 and 8 have no bar of the first rule.
    let picture = svg(&[named("d6", d(6)), named("d8", d(8))], View::Exactly);
    let tags = elements(&picture);
    let bars: Vec<&String> = tags
        .iter()
        .filter(|tag| tag.contains("class=\"bar "))
        .collect();
    assert_eq!(bars.len(), 14);
    let eight = bars[13];
    let label = texts(&picture)
        .into_iter()
        .find(|text| text.words == "8")
        .unwrap();
    let middle = number(eight, "x") + number(eight, "width") / 2.0;
    assert!((middle - f64::midpoint(label.left, label.right)).abs() < 0.2);
}

#[test]
fn sampled_curves_have_the_intervals_that_they_speak_of() {
    let rules = [named("one", sampled()), named("two", sampled())];
    let bands = |rules: &[Answered], view| count(&svg(rules, view), "polygon", "class=\"band ");
    assert_eq!(bands(&rules, View::AtLeast), 2);
    assert_eq!(
        bands(&[rules[0].clone(), named("exact", d(6))], View::AtMost),
        1
    );
    assert_eq!(
        bands(&[named("one", d(6)), named("two", d(6))], View::AtMost),
        0
    );
    // The bars of six faces have whiskers of three lines each, which are one path.
    let whiskers = |view| {
        let picture = svg(&rules[..1], view);
        let tags = elements(&picture);
        let paths = tags
            .iter()
            .filter(|tag| tag.contains("class=\"interval ") && tag.starts_with("path"));
        paths.map(|path| path.matches('M').count()).sum::<usize>()
    };
    assert_eq!(whiskers(View::AtLeast), 18);
    assert_eq!(whiskers(View::Exactly), 18);
    // A key says what they are.
    for view in [View::Exactly, View::AtLeast] {
        assert!(svg(&rules, view).contains("the interval of each sampled chance"));
    }
}

#[test]
fn equal_means_are_all_marked() {
    let rules = [
        named("d7", d(7)),
        named("2d3 and 0", exact(sum_of_dice(2, 3))),
        named("d7 too", d(7)),
    ];
    let picture = svg(&rules, View::Exactly);
    // All means are 4: three pointers have the same tip, and their bases lie side by side.
    let tags = elements(&picture);
    let pointers: Vec<_> = tags
        .iter()
        .filter(|tag| tag.starts_with("polygon"))
        .map(|tag| points(tag))
        .collect();
    assert_eq!(pointers.len(), 3);
    for pair in pointers.windows(2) {
        assert_eq!(pair[0][0], pair[1][0]);
        assert!(pair[0][2].0 <= pair[1][1].0, "{pair:?}");
    }
}

/// `sum(2#d6)` and 14 less it have the same chances, and so have their cumulative sweeps.
#[test]
fn equal_series_are_both_seen() {
    for drawn in [
        "sum(2#d6) 14-sum(2#d6) d12",
        "sum(n#d6) 7*n-sum(n#d6) --set n=1..4 --at-least 7",
    ] {
        let picture = picture(&drawn.split(' ').collect::<Vec<_>>());
        let tags = elements(&picture);
        let curves = tags.iter().filter(|tag| tag.contains("class=\"curve "));
        let curves: Vec<&String> = curves.collect();
        let is_over = |tag: &&&String| tag.contains("stroke-dasharray=\"9 9\"");
        assert_eq!(curves.iter().filter(is_over).count(), 1, "{curves:?}");
        assert!(is_over(&&curves[1]), "{curves:?}");
    }
}

#[test]
fn curves_run_on_at_certainty_to_the_end_of_the_axis() {
    // The values are 1 to 6 and 11 to 16 on an axis of 16 values.
    let rules = [named("low", d(6)), named("high", raised(&d(6), 10))];
    let dots = |rules: &[Answered], view| {
        let dots = titles(&svg(rules, view), "dot");
        dots.iter()
            .filter(|title| !title.starts_with("high"))
            .count()
    };
    assert_eq!(dots(&rules, View::AtLeast), 7, "from 100% at 1 to 0% at 7");
    assert_eq!(dots(&rules, View::AtMost), 16, "to 100% at 6, and on to 16");
    let faces = (1..=6).map(|face| (int(face), Weight::from(1u32)));
    let tail = Mass::at_or_above(int(7), 1u32.into());
    let open = with_masses(Distribution::new(faces, 7u32.into()), vec![tail], None);
    let rules = [named("open", open), rules[1].clone()];
    assert_eq!(dots(&rules, View::AtMost), 6, "unknown from 7 on");
}

#[test]
fn the_values_that_a_condition_holds_for_are_outlined() {
    let record = "let x=2#d6 in {hits: count >=5 x, ones: count ==1 x}";
    let border = |condition: &str| -> Vec<String> {
        let picture = picture(&[record, "--chance", condition]);
        let tags = elements(&picture);
        let mut lines = tags.iter().filter(|tag| tag.contains("class=\"asked "));
        let lines = attribute(lines.next().unwrap(), "d").unwrap();
        lines.split(' ').map(str::to_owned).collect()
    };
    // A line of two points along each side of a cell: four around one, eight around three in an angle.
    assert_eq!(border("hits == 2").len(), 2 * 4);
    assert_eq!(border("hits + ones <= 1").len(), 2 * 8);
    let outlines = |picture: &str| count(picture, "path", "asked");
    assert_eq!(outlines(&picture(&[record])), 0);
    let both = picture(&[record, "--chance", "hits == 2", "--chance", "ones >= 1"]);
    assert_eq!(outlines(&both), 2);
    for words in ["hits == 2", "ones ≥ 1"] {
        assert!(both.contains(&format!(">{words}<")), "{words}");
    }
}

/// The ends and the share were found from multinomial coefficients with Python's fractions.
#[test]
fn a_map_of_many_values_has_no_fields_for_unlikely_ends() {
    let rule = "let x = 30#d6 in {hits: count >4 x, ones: count ==1 x}";
    let picture = picture(&[rule]);
    let note = "not shown: hits below 3, hits above 18, ones above 12 (together 0.19%)";
    assert!(picture.contains(note));
    let labels = words(&picture);
    for value in 0..=12 {
        assert!(labels.contains(&value.to_string()), "{value}");
    }
    assert!(!labels.contains(&"19".into()));
}

#[test]
fn the_shades_of_a_map_without_numbers_have_a_key() {
    let highest = |rule: &str| {
        let picture = picture(&[rule]);
        let labels = words(&picture);
        let zero = labels.iter().position(|label| label == "0%");
        zero.map(|zero| labels[zero - 1].clone())
    };
    // 60 sums have no room for numbers; 21 have, without decimals.
    let many = "let x = 12#d6 in {total: sum x, ones: count ==1 x}";
    assert!(highest(many).is_some());
    let narrow = "let x = 4#d6 in {total: sum x, best: high 1 x}";
    assert_eq!(highest(narrow), None);
    // 90 of 1,296 rolls have a total of 16 and a best die of 6.
    assert!(
        texts(&picture(&[narrow]))
            .iter()
            .any(|text| text.words == "7%")
    );
}

#[test]
fn each_rule_of_a_sweep_has_a_line_of_its_own() {
    let rules = ["one: count ==1 n#d2", "two: count ==1 n#d4", "--set"];
    let asking = |asked: &[&str]| picture(&[&rules[..], &["n=1..4"], asked].concat());
    let single = asking(&["--at-least", "1"]);
    assert_eq!(count(&single, "path", "curve"), 2);
    // At least one of n coins: 1 - 1/2^n; of n d4: 1 - (3/4)^n, which is 37/64 for three.
    let dots = titles(&single, "dot");
    assert_eq!(dots.len(), 8);
    assert_eq!(dots[0], "n=1, one: 50.0000%");
    assert_eq!(dots[6], "n=3, two: 57.8125%");
    assert!(single.contains(">one and two</title>"));
    assert!(single.contains("two, at least 1: half of the time or more from n=3 on"));
    let both = asking(&["--at-least", "1", "--exactly", "0"]);
    assert_eq!(count(&both, "path", "curve"), 4);
    assert!(titles(&both, "dot").contains(&"n=1, two, exactly 0: 75.0000%".to_owned()));
    let many = asking(&["--at-least", "1", "--at-least", "2", "--at-least", "3"]);
    assert_eq!(titles(&many, "cell").len(), 24);
}

#[test]
fn places_where_one_half_is_crossed_are_marked() {
    // Two successes half of the time or more from 6 dice on: 0.42 at five dice in a row of ten.
    let rule = ["count >=8 n#d10", "--set", "n=1..10", "--at-least", "2"];
    let picture = picture(&rule);
    let tags = elements(&picture);
    let mut marked = tags.iter().filter(|tag| tag.contains("class=\"half "));
    let line = attribute(marked.next().unwrap(), "d").unwrap();
    assert!(marked.next().is_none());
    let mut dots = tags.iter().filter(|tag| tag.starts_with("circle"));
    let sixth = attribute(dots.nth(5).unwrap(), "cx").unwrap();
    assert!(line.starts_with(&format!("M{sixth},")), "{line}");
    // Where no note says it in words, the line has a key.
    let key = "the first or the last value with a chance of one half or more";
    assert!(!picture.contains(key));
    let two = [
        "sum(n#d6) + k",
        "--set",
        "n=1..4",
        "--set",
        "k=1,5",
        "--at-least",
        "10",
    ];
    assert!(self::picture(&two).contains(key));
}

/// Five of the eleven values of two dice are odd. Those of eight dice of fifty sides are an area.
#[test]
fn the_values_for_which_a_condition_holds_stand_out() {
    let even = picture(&["sum(2#d6)", "--chance", "value mod 2 == 0"]);
    assert_eq!(count(&even, "rect", "class=\"bar "), 11);
    assert_eq!(count(&even, "rect", "fill-opacity"), 5);
    let parts = |condition: &str| {
        let picture = picture(&["sum(8#d50)", "--chance", condition]);
        count(&picture, "", "class=\"area ")
    };
    // The whole area, and a part for each run of values.
    assert_eq!(parts("value >= 200 and value < 220"), 2);
    assert_eq!(parts("value > 250 or value < 150"), 3);
}

#[test]
fn the_label_that_is_asked_about_stands_out() {
    let blow = "case d20 {1: \"fumble\", 2..14: \"miss\", 15..19: \"hit\", 20: \"crit\"}";
    let picture = picture(&[blow, "--exactly", "hit"]);
    assert_eq!(count(&picture, "rect", "class=\"bar "), 4);
    assert_eq!(count(&picture, "rect", "fill-opacity"), 3);
}

/// The six values of a die keep their places beside a thousand.
#[test]
fn a_narrow_rule_beside_a_wide_one_is_drawn_value_by_value() {
    assert!(picture(&["d1000", "d900"]).contains("in ranges of"));
    assert!(!picture(&["d1000", "d6"]).contains("in ranges of"));
}

#[test]
fn a_value_that_is_certain_has_no_mark_of_its_mean() {
    let picture = svg(&[named("one", d(1))], View::Exactly);
    assert_eq!(count(&picture, "", "class=\"mean "), 0);
}

#[test]
fn ranges_of_sampled_values_have_bounds_of_their_own() {
    let rule = ["sum(low 50 (100#d1000))", "--max-states", "100"];
    let picture = picture(&[&rule[..], &["--samples", "3000", "--seed", "1"]].concat());
    let strips = titles(&picture, "strip");
    // A range from a multiple of its width on is bounded like one event; others are, together, as wide as the whole curve.
    assert!(
        strips
            .iter()
            .any(|strip| strip.starts_with("12,000 to 12,499: ")),
        "{strips:?}"
    );
}

/// The highest of three d6 is a 6 unless none is: `1 - (5/6)³ = 91/216`. That is also the chance of a 1 as the lowest.
#[test]
fn parts_of_a_long_record_stand_side_by_side() {
    let record = "let x=3#d6 in {low: min(x), middle: rank 2 x, high: max(x)}";
    let picture = picture(&[record]);
    for part in ["low", "middle", "high"] {
        assert!(
            texts(&picture).iter().any(|text| text.words == part),
            "{part}"
        );
    }
    let titles = titles(&picture, "dot");
    for expected in ["low, 1: 42.1296%", "high, 6: 42.1296%"] {
        assert!(titles.iter().any(|title| title == expected), "{titles:?}");
    }
}

/// A product of two dice has gaps, the sum has none. Products of two dice take 18 values of d6, 30 of d8 and 9 of d4.
#[test]
fn all_series_of_a_picture_are_drawn_in_one_way() {
    let bars = picture(&["prod(2#d6)", "prod(2#d8)"]);
    assert_eq!(count(&bars, "rect", "class=\"bar "), 18 + 30);
    assert_eq!(count(&bars, "path", "class=\"curve "), 0);
    let stems = picture(&["prod(2#d6)", "prod(2#d8)", "prod(2#d4)", "sum(2#d12)"]);
    let tags = elements(&stems);
    let curves = tags.iter().filter(|tag| tag.contains("class=\"curve "));
    let stems = curves.map(|tag| attribute(tag, "d").unwrap().matches('M').count());
    assert_eq!(stems.collect::<Vec<_>>(), [18, 30, 9, 23]);
    let curves = picture(&["sum(4#d6)", "if d6 == 1 then 0 else sum(3#d6) + 6"]);
    let tags = elements(&curves);
    let curves = tags.iter().filter(|tag| tag.contains("class=\"curve "));
    let curves = curves.map(|tag| attribute(tag, "d").unwrap().matches('M').count());
    assert_eq!(curves.collect::<Vec<_>>(), [1, 1]);
}

/// Of twenty faces five are a fumble, and with k more none: the bars of all rules are as long.
#[test]
fn labels_of_several_rules_are_segments() {
    let rule = "case d20 + k {..5: \"fumble\", 6..14: \"miss\", 15..: \"hit\"}";
    let picture = picture(&[rule, "--set", "k=0..7"]);
    assert_eq!(count(&picture, "circle", ""), 0);
    let titles = titles(&picture, "bar");
    assert_eq!(titles.len(), 5 * 3 + 3 * 2);
    assert_eq!(
        titles[..3],
        [
            "k=0, fumble: 25.0000%",
            "k=0, miss: 45.0000%",
            "k=0, hit: 30.0000%"
        ]
    );
    let bars: Vec<String> = elements(&picture)
        .into_iter()
        .filter(|tag| tag.contains("class=\"bar "))
        .collect();
    let ends = bars.chunk_by(|a, b| attribute(a, "y") == attribute(b, "y"));
    let ends: Vec<f64> = ends
        .map(|row| {
            let last = row.last().unwrap();
            number(last, "x") + number(last, "width")
        })
        .collect();
    assert_eq!(ends.len(), 8);
    assert!(
        ends.iter().all(|end| (end - ends[0]).abs() < 0.2),
        "{ends:?}"
    );
    for chance in ["25%", "45%", "30%"] {
        assert!(picture.contains(&format!(">{chance}<")), "{chance}");
    }
}

/// Of 216 sums of three dice 135 are 10 or more, and of 20 faces 10 are 11 or more.
#[test]
fn conditions_side_by_side_have_one_bar_each() {
    let picture = picture(&["a: sum(3#d6) >= 10", "b: d20 >= 11", "c: 1 = 1"]);
    assert_eq!(
        titles(&picture, "bar"),
        [
            "a, yes: 62.5000%",
            "a, no: 37.5000%",
            "b, yes: 50.0000%",
            "b, no: 50.0000%",
            "c, yes: 100%"
        ]
    );
    let all = elements(&picture);
    let bars = all.iter().filter(|tag| tag.contains("class=\"bar "));
    let faded: Vec<bool> = bars.map(|tag| tag.contains("opacity=")).collect();
    assert_eq!(faded, [false, true, false, true, false]);
    assert!(texts(&picture).iter().all(|text| text.words != "mean"));
}

/// Dice of nine and ten sides have 18 sums, the most likely ones 10.0%, which is wider than a slot. Of dice of ten and twelve sides
/// and of eight, 15.8% and 14.2% have room above their narrow bars, and eight times 12.5% has not. No cell that is as wide as
/// `8%` has its percentage, because `83%` is wider.
#[test]
fn high_bars_have_their_percentages_before_low_ones() {
    let percentages = |arguments: &[&str], size: &str| {
        let picture = picture(arguments);
        let texts = picture
            .split("<text ")
            .skip(1)
            .filter(|text| text.contains(&format!("font-size=\"{size}\"")));
        let texts =
            texts.filter_map(|text| Some(text.split_once('>')?.1.split_once('<')?.0.to_owned()));
        texts
            .filter(|text| text.ends_with('%'))
            .collect::<Vec<String>>()
    };
    assert_eq!(percentages(&["sum(d9,d10)"], "10.5").len(), 18);
    assert_eq!(percentages(&["sum(3#d6)"], "12").len(), 16);
    assert_eq!(
        percentages(&["max(d12,d10)", "d8"], "12"),
        ["15.8%", "14.2%"]
    );
    let sweep = ["sum(n#d6)", "--set", "n=1..30"];
    for size in ["12.5", "10.5"] {
        assert!(percentages(&sweep, size).is_empty());
    }
}

/// Two coins are equal half of the time, and two dice of three sides one of nine times 1 and 1.
#[test]
fn bars_of_four_rules_have_their_names_beside_them() {
    let rules = ["pair: 2#d2", "dice: 2#d3", "list: 1,d3", "both: d2,d3"];
    let four = picture(&rules);
    let two = picture(&rules[..2]);
    for (name, chance) in [("pair", "50.0%"), ("dice", "11.1%")] {
        let beside = format!("{chance} {name}");
        assert!(words(&four).contains(&beside), "{beside}");
        assert!(words(&two).contains(&chance.to_owned()), "{chance}");
    }
}
