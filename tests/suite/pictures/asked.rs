//! What is asked about values, as it is marked along the axis.

use super::parts::{attribute, count, elements, number, picture, points, texts, titles, words};

/// The horizontal places of the labels of two values.
fn places(picture: &str, values: [&str; 2]) -> [f64; 2] {
    let texts = texts(picture);
    values.map(|value| {
        let mut labels = texts.iter().filter(|text| text.words == value);
        let label = labels.next_back().unwrap();
        f64::midpoint(label.left, label.right)
    })
}

/// Ranges of five values begin at a multiple of five, and 5,602 is within one. The part of the area begins half way from 5,601 to it:
/// that follows from the scale that the labels of the axis have.
#[test]
fn a_target_cuts_the_range_in_which_it_lies() {
    for (target, edge) in [("5600", 5599.5), ("5602", 5601.5)] {
        let picture = picture(&["sum(1000#d10)", "--at-least", target]);
        assert!(picture.contains("in ranges of 5 values"));
        let tags = elements(&picture);
        let areas: Vec<&String> = tags
            .iter()
            .filter(|tag| attribute(tag, "class").is_some_and(|class| class.starts_with("area ")))
            .collect();
        let [whole, asked] = areas[..] else {
            panic!("{}", areas.len());
        };
        let [a, b] = places(&picture, ["5,300", "5,700"]);
        let expected = a + (b - a) * (edge - 5300.0) / 400.0;
        let left = points(asked)[0].0;
        assert!((left - expected).abs() < 0.2, "{left} {expected}");
        let last = |tag: &str| points(tag).last().unwrap().0;
        assert!((last(asked) - last(whole)).abs() < 0.01);
    }
}

#[test]
fn what_is_asked_of_two_rules_in_ranges_is_shaded() {
    let picture = picture(&["sum(1000#d10)", "sum(990#d10)", "--at-least", "5500"]);
    let tags = elements(&picture);
    let shade = tags.iter().find(|tag| tag.contains("class=\"asked "));
    let [a, b] = places(&picture, ["5,200", "5,700"]);
    let expected = a + (b - a) * 299.5 / 500.0;
    assert!((number(shade.unwrap(), "x") - expected).abs() < 0.2);
}

/// Of 216 rolls of three dice 81 add up to 12 or more.
#[test]
fn the_target_of_a_cumulative_view_is_marked() {
    for (view, halves) in [("at-least", 0.0), ("at-most", -0.5)] {
        let picture = picture(&["sum(3#d6)", "--view", view, "--at-least", "12"]);
        let chance = |text: &&String| *text == "at least 12: 37.5%";
        assert_eq!(words(&picture).iter().filter(chance).count(), 1);
        let tags = elements(&picture);
        // The bar whose chance is asked stands out. Where the picture counts from below, no bar has it.
        let bars = tags.iter().filter(|tag| tag.contains("class=\"bar "));
        let full = bars.filter(|tag| !tag.contains("opacity"));
        assert_eq!(full.count(), if view == "at-least" { 1 } else { 16 });
        let mark = tags.iter().find(|tag| tag.contains("class=\"asked "));
        let [a, b] = places(&picture, ["12", "13"]);
        let expected = a + (b - a) * halves;
        assert!(
            (number(mark.unwrap(), "cx") - expected).abs() < 0.2,
            "{view}"
        );
    }
}

/// What is asked stands in the lanes, so the line below the title has the mean, 21/2, and the deviation, the root of 35/4.
#[test]
fn chances_that_have_lanes_are_said_once() {
    let picture = picture(&["sum(3#d6)", "--at-least", "10", "--at-least", "15"]);
    let found = words(&picture);
    let about = |text: &&String| text.contains("at least 10");
    assert_eq!(found.iter().filter(about).count(), 1, "{found:?}");
    assert!(found.contains(&"mean 10.50, standard deviation 2.96".to_owned()));
}

/// Of 36 pairs of d6, 6 add up to 10 and more, 6 to 4 and less, and 6 to 7.
#[test]
fn each_question_about_many_rules_has_a_column() {
    let rules = ["sum(2#d6)", "d4", "d6", "d8", "d10", "d12"];
    let asked = ["--at-least", "10", "--at-most", "4", "--exactly", "7"];
    let found = words(&picture(&[&rules[..], &asked].concat()));
    let answers = found.iter().filter(|text| *text == "16.7%").count();
    // The highest chances have no decimals in cells.
    assert_eq!(answers, 3, "{found:?}");
    let more = [&asked[..], &["--at-least", "5"]].concat();
    let found = words(&picture(&[&rules[..], &more].concat()));
    let note = "one more question is answered in the table alone";
    assert!(found.contains(&note.to_owned()), "{found:?}");
}

#[test]
fn many_sampled_rules_say_that_they_are() {
    let sweep = ["sum(n#d6)", "--set", "n=4..10", "--max-states", "1"];
    let sampled = ["--samples", "1000", "--seed", "1"];
    for view in [&[][..], &["--view", "at-least"]] {
        let found = words(&picture(&[&sweep[..], &sampled, view].concat()));
        let note = "all sampled with 1,000 rolls, seed 1";
        assert!(found.contains(&note.to_owned()), "{found:?}");
        // The means are those of the rolls.
        assert!(found.contains(&"mean".to_owned()), "{found:?}");
        let estimates = found.iter().filter(|word| word.starts_with('≈'));
        assert!(estimates.count() >= 7, "{found:?}");
    }
}

/// Three d6 or more add up to 10 half of the time or more; nothing is said of two where the sweep leaves two out.
#[test]
fn values_that_a_sweep_leaves_out_are_not_spoken_of() {
    let said = |values| {
        let set = format!("n={values}");
        words(&picture(&["sum(n#d6)", "--set", &set, "--at-least", "10"]))
    };
    let found = said("1..5");
    let half = "at least 10: half of the time or more from n=3 on";
    assert!(found.contains(&half.to_owned()), "{found:?}");
    let found = said("1,4,9");
    let half = "at least 10: half of the time or more from n=4 on, but not at n=1";
    assert!(found.contains(&half.to_owned()), "{found:?}");
}

/// Each of three tails has a line of its own, which begins at its target and ends at the end of the axis.
#[test]
fn several_targets_are_told_apart() {
    for rules in [&["sum(5#d6)"][..], &["sum(5#d6)", "sum(4#d8)"]] {
        let asked = ["--at-least", "10", "--at-least", "15", "--at-least", "20"];
        let picture = picture(&[rules, &asked].concat());
        assert_eq!(count(&picture, "rect", "class=\"asked "), 0);
        let found = words(&picture);
        let texts = texts(&picture);
        let mut heights = Vec::new();
        for target in ["10", "15", "20"] {
            let text = format!("at least {target}");
            let label = texts.iter().rfind(|other| other.words.starts_with(&text));
            let label = label.unwrap_or_else(|| panic!("{text}: {found:?}"));
            heights.push(f64::midpoint(label.top, label.bottom));
        }
        assert!(heights.is_sorted_by(|a, b| a < b));
        let [a, b] = places(&picture, ["10", "20"]);
        let tags = elements(&picture);
        let lines = tags
            .iter()
            .filter(|tag| tag.starts_with("path") && tag.contains("class=\"asked "));
        let lines: Vec<Vec<(f64, f64)>> = lines.map(|tag| points(tag)).collect();
        for (height, edge) in heights.into_iter().zip([9.5, 14.5, 19.5]) {
            let expected = a + (b - a) * (edge - 10.0) / 10.0;
            let own = lines
                .iter()
                .flatten()
                .filter(|(_, y)| (y - height).abs() < 0.2);
            let left = own.map(|(x, _)| *x).fold(f64::INFINITY, f64::min);
            assert!((left - expected).abs() < 0.2, "{left} {expected}");
        }
    }
}

#[test]
fn a_target_that_is_not_shown_is_named_at_the_edge() {
    let asked = |rule: &str, query: &str, target: &str| {
        let picture = picture(&[rule, query, target]);
        let texts = texts(&picture);
        let mut named = texts
            .into_iter()
            .filter(|text| text.words.ends_with("(not shown)"));
        let text = named.next().unwrap();
        (text.words, text.left, text.right)
    };
    // No sum of three dice is 20, and that of a thousand dice of ten sides is hardly ever 7,000 or 4,000.
    let (words, _, right) = asked("sum(3#d6)", "--at-least", "20");
    assert_eq!(words, "at least 20: 0% (not shown)");
    assert!(right > 680.0);
    let (words, _, right) = asked("sum(1000#d10)", "--at-least", "7000");
    assert!(words.starts_with("at least 7,000: <"), "{words}");
    assert!(right > 680.0);
    let (words, left, _) = asked("sum(1000#d10)", "--at-most", "4000");
    assert!(words.starts_with("at most 4,000: <"), "{words}");
    assert!(left < 120.0);
    assert!(!picture(&["sum(3#d6)", "--at-least", "18"]).contains("(not shown)"));
}

/// Of 1,296 rolls of four dice, 300 have three that add up to 15 or more, 136 to 8 or less, and 651 to an even number.
#[test]
fn each_of_several_conditions_has_a_lane() {
    let asked = ["value >= 15", "value <= 8", "value mod 2 == 0"];
    let asked = asked.iter().flat_map(|condition| ["--chance", condition]);
    let arguments: Vec<&str> = ["sum(drop low 1 4#d6)"].into_iter().chain(asked).collect();
    let picture = picture(&arguments);
    let found = words(&picture);
    for lane in [
        "value ≥ 15: 23.1%",
        "value ≤ 8: 10.5%",
        "value mod 2 == 0: 50.2%",
    ] {
        assert!(found.contains(&lane.to_owned()), "{lane} {found:?}");
    }
    // Two halves for each of one, one and eight runs.
    assert_eq!(count(&picture, "path", "class=\"asked "), 2 * (1 + 1 + 8));
}

/// What is asked covers the column of a tail where it is about all of its values.
#[test]
fn a_tail_that_is_asked_about_stands_out() {
    let faded = |target: &str| {
        let picture = picture(&["3d6!", "--at-least", target]);
        let tags = elements(&picture);
        let tail = tags.iter().find(|tag| tag.contains("class=\"beside "));
        tail.unwrap().contains("opacity")
    };
    assert!(!faded("15"));
    assert!(faded("50"));
    let two = picture(&["3d6!", "2d10!", "--at-least", "15"]);
    let tags = elements(&two);
    let shade = tags.iter().find(|tag| tag.contains("class=\"asked "));
    let shade = shade.unwrap();
    let tail = texts(&two).into_iter().find(|text| text.words == "≥45");
    let right = number(shade, "x") + number(shade, "width");
    assert!(right > tail.unwrap().right - 3.0);
}

/// The even values of two dice are six runs of one value, and those from 10 to 14 are one run.
#[test]
fn the_values_of_several_rules_for_which_a_condition_holds_are_shaded() {
    let rules = ["sum(2#d6)", "d12", "--chance"];
    let shades = |condition: &str| {
        let picture = picture(&[&rules[..], &[condition]].concat());
        count(&picture, "rect", "class=\"asked ")
    };
    assert_eq!(shades("value mod 2 == 0"), 6);
    assert_eq!(shades("value >= 10"), 1);
    assert_eq!(shades("value > 12"), 0);
}

/// Each of the ranges of twenty values of a die of 4,000 sides has ten even ones: the part is half as high as the whole.
#[test]
fn a_condition_marks_its_part_of_ranges() {
    let picture = picture(&["d4000", "--chance", "value mod 2 == 0"]);
    let tags = elements(&picture);
    let heights = tags
        .iter()
        .filter(|tag| attribute(tag, "class").is_some_and(|class| class.starts_with("area ")));
    let heights: Vec<f64> = heights
        .map(|tag| {
            let heights: Vec<f64> = points(tag).into_iter().map(|(_, y)| y).collect();
            heights[0] - heights.into_iter().fold(f64::INFINITY, f64::min)
        })
        .collect();
    let [whole, part] = heights[..] else {
        panic!("{heights:?}");
    };
    assert!((part * 2.0 - whole).abs() < 0.3, "{heights:?}");
    assert!(picture.contains("the part of each range for which the condition holds"));
}

/// A die of 100 sides has fifty even values.
#[test]
fn a_condition_marks_each_of_a_hundred_values() {
    let picture = picture(&["d100", "--chance", "value mod 2 == 0"]);
    assert_eq!(count(&picture, "polygon", "class=\"area "), 1 + 50);
}

/// The bars are of two values each, the first of 2 and 3. So 30 begins a bar, and 31 is the second half of one, which the rules from
/// five dice (30 at most) to 25 dice (25 at least) have: 21 rules.
#[test]
fn the_question_about_many_rules_stands_out_in_each_row() {
    let rules: Vec<String> = (2..26).map(|dice| format!("sum({dice}#d6)")).collect();
    let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
    let asking = |asked: &[&str]| picture(&[&rules[..], asked].concat());
    for (target, cut) in [("30", 0), ("31", 21)] {
        let picture = asking(&["--at-least", target]);
        assert!(titles(&picture, "bar").contains(&"sum(6#d6), 30 to 31: 1.5175%".to_owned()));
        assert_eq!(count(&picture, "rect", "class=\"asked "), cut);
    }
    let one = asking(&["--at-least", "30"]);
    let tags = elements(&one);
    assert!(words(&one).contains(&"what is asked about".to_owned()));
    assert!(words(&one).contains(&"the mean of each rule".to_owned()));
    let faded = tags
        .iter()
        .filter(|tag| tag.contains("class=\"bar ") && tag.contains("fill-opacity"));
    assert!(faded.count() > 20);
    let two = asking(&["--at-least", "30", "--at-least", "50"]);
    assert!(words(&two).contains(&"at least 50".to_owned()));
}

#[test]
fn a_question_about_a_field_has_a_line_above_its_columns() {
    let picture = picture(&["d3", "d4", "d2", "--at-least", "2"]);
    let tags = elements(&picture);
    let dotted = tags.iter().find(|tag| tag.contains("dasharray=\"2 3\""));
    let [a, b] = places(&picture, ["1", "2"]);
    let x = points(dotted.unwrap())[0].0;
    assert!((x - f64::midpoint(a, b)).abs() < 0.2, "{x} {a} {b}");
    // In the subtitle, at the head of the column of chances, and on the line.
    let words = words(&picture);
    let named = words.iter().filter(|text| text.starts_with("at least 2"));
    assert_eq!(named.count(), 3, "{words:?}");
}

#[test]
fn the_numbers_of_rows_that_are_asked_about_stand_out() {
    let picture = picture(&["d{1,2,1000}", "--at-least", "2"]);
    assert_eq!(count(&picture, "rect", "class=\"bar "), 3);
    assert_eq!(count(&picture, "rect", "fill-opacity"), 1);
}

/// Of four dice with six faces 15 lists have four different faces, and all of them are among the thirty most likely.
#[test]
fn lists_for_which_no_condition_holds_are_faded() {
    let asked = ["4#d6", "--chance", "count distinct value == 4"];
    let bars = |picture: &str| -> [usize; 2] {
        let tags = elements(picture);
        let is_bar = |tag: &&String| tag.contains("class=\"bar ");
        let is_faded = |tag: &&String| tag.contains("fill-opacity");
        let bars = tags.iter().filter(is_bar);
        let faded = bars.clone().filter(is_faded).count();
        [bars.count() - faded, faded]
    };
    let one = picture(&asked);
    assert_eq!(bars(&one), [15, 15]);
    assert!(!words(&one).join(" ").contains("in full colour"));
    // 1 1 2 3 is shown, and its sum is 7.
    let two = picture(&[&asked[..], &["--chance", "sum value == 7"]].concat());
    assert_eq!(bars(&two), [16, 14]);
    let said = words(&two).join(" ");
    assert!(said.contains("in full colour where one of the conditions holds"));
}

#[test]
fn the_key_of_bars_of_labels_has_their_colours() {
    let rule = |bonus: u32| format!("d{bonus}: case d20+{bonus} {{..9: \"miss\", 10..: \"hit\"}}");
    let picture = picture(&[&rule(1), &rule(2), "--exactly", "hit"]);
    let tags = elements(&picture);
    let faded = tags.iter().filter(|tag| tag.contains("fill-opacity"));
    // Two bars and a sample of the key.
    assert_eq!(faded.count(), 3);
}

/// 575 of 1,296 rolls of four dice have a sum of 15 or more. Of the lists that are drawn, only six of four different faces do, with 24
/// rolls each; 431 rolls are left. All 60 lists of a pair and two other faces have 12 rolls each, and 15 of them are drawn.
#[test]
fn lists_that_are_left_out_are_spoken_of() {
    let picture = picture(&["4#d6", "--chance", "sum value >= 15"]);
    let note = "45 more are as likely as the last; asked about among the others: 33.3%";
    assert!(words(&picture).join(" ").contains(note));
}

/// In a picture of the chances of at least each value no place shows those of at most one.
#[test]
fn a_question_against_the_direction_has_no_mark() {
    let rules = ["3d6", "d20", "--view", "at-least"];
    let along = picture(&[&rules[..], &["--at-least", "12"]].concat());
    assert_eq!(count(&along, "circle", "class=\"asked "), 1);
    let against = picture(&[&rules[..], &["--at-most", "6"]].concat());
    assert_eq!(count(&against, "circle", "class=\"asked "), 0);
    assert!(against.contains("at most 6: 3d6 9.3%, d20 30.0%"));
}

/// Of 21 pairs of the highest and the lowest of two or three dice, six are equal.
#[test]
fn lists_of_several_rules_are_marked_by_a_condition() {
    let rule = |dice: u32| format!("d{dice}: let x = {dice}#d6 in {{hi: max(x), lo: min(x)}}");
    let picture = picture(&[&rule(2), &rule(3), "--chance", "hi == lo"]);
    let tags = elements(&picture);
    let bars = || tags.iter().filter(|tag| tag.contains("class=\"bar "));
    let faded = bars().filter(|tag| tag.contains("fill-opacity"));
    assert_eq!((bars().count(), faded.count()), (2 * 21, 2 * 15));
    let said = words(&picture).join(" ");
    assert!(said.contains("in full colour where the condition holds"));
}
