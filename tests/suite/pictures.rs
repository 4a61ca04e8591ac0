//! Pictures: their marks, their texts, and what they say to those who cannot see them.

use std::collections::BTreeSet;

use dicedist::algebra::{Distribution, Mass, Weight};
use dicedist::engine::Answer;
use dicedist::number::Fraction;
use dicedist::report::{self, Answered, View};

use crate::command::run;
use crate::report::{
    binomial, d, endless, exact, exploding, fraction, heroic, int, named, sampled, sum_of_dice,
    svg, sweep, three_dice, with_masses,
};

/// The tags of a picture, checked as XML: every tag is closed, and there is no stray markup.
fn elements(svg: &str) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    let mut all = Vec::new();
    for piece in svg.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').unwrap();
        assert!(!text.contains('>'), "{text}");
        for reference in text.split('&').skip(1) {
            let (name, _) = reference.split_once(';').unwrap();
            assert!(
                ["amp", "lt", "gt", "quot", "apos"].contains(&name),
                "{name}"
            );
        }
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(closed));
        } else if !tag.ends_with('/') {
            let name = tag.split_whitespace().next().unwrap();
            open.push(name.to_owned());
        }
        all.push(tag.to_owned());
    }
    assert!(open.is_empty(), "{open:?}");
    all
}

/// The value of an attribute of a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    Some(rest.split_once('"')?.0)
}

/// Asserts that all places in a picture are within its size.
fn assert_within(svg: &str) {
    let tags = elements(svg);
    let view = attribute(&tags[0], "viewBox").unwrap();
    let size: Vec<f64> = view
        .split(' ')
        .skip(2)
        .map(|side| side.parse().unwrap())
        .collect();
    for tag in &tags[1..] {
        for (name, limit) in [
            ("x", size[0]),
            ("y", size[1]),
            ("cx", size[0]),
            ("cy", size[1]),
        ] {
            if let Some(place) = attribute(tag, name) {
                let place: f64 = place.parse().unwrap();
                assert!((0.0..=limit).contains(&place), "{tag}");
            }
        }
        let points = attribute(tag, "points").or_else(|| attribute(tag, "d"));
        if let Some(points) = points.map(|points| points.replace('M', " ")) {
            for point in points.split_whitespace() {
                let (x, y) = point.split_once(',').unwrap();
                assert!((0.0..=size[0]).contains(&x.parse().unwrap()), "{tag}");
                assert!((0.0..=size[1]).contains(&y.parse().unwrap()), "{tag}");
            }
        }
    }
}

/// The number of tags of a picture with this name that contain this text.
fn count(picture: &str, tag: &str, part: &str) -> usize {
    let tags = elements(picture);
    let counted = tags
        .iter()
        .filter(|text| text.starts_with(tag) && text.contains(part));
    counted.count()
}

/// The answer with a constant added to each number.
fn raised(answer: &Answer, by: i64) -> Answer {
    let numbers = answer.numbers().unwrap();
    exact(
        numbers
            .clone()
            .relabelled(|value| value.add(&int(by)).unwrap()),
    )
}

/// A text of a picture, with its box as the pictures estimate it: six tenths of the size for each character.
struct Text {
    words: String,
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

/// The texts of a picture.
fn texts(svg: &str) -> Vec<Text> {
    let pieces = svg.split("<text ").skip(1);
    pieces
        .map(|piece| {
            let (tag, rest) = piece.split_once('>').unwrap();
            let tag = format!("text {tag}");
            let (text, _) = rest.split_once("</text>").unwrap();
            // The whole of a text that is cut stands before it.
            let (_, text) = text.split_once("</title>").unwrap_or(("", text));
            let text = text
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&");
            let number = |name: &str| -> f64 { attribute(&tag, name).unwrap().parse().unwrap() };
            let size = number("font-size");
            let count = u32::try_from(text.chars().count()).unwrap();
            let width = f64::from(count) * size * 0.6;
            let left = match attribute(&tag, "text-anchor") {
                None => number("x"),
                Some("middle") => number("x") - width / 2.0,
                Some("end") => number("x") - width,
                Some(other) => panic!("{other}"),
            };
            let middle = number("y") - size * 0.35;
            Text {
                words: text,
                left,
                top: middle - size / 2.0,
                right: left + width,
                bottom: middle + size / 2.0,
            }
        })
        .collect()
}

/// Asserts that no text of a picture covers another, and that none leaves the picture.
#[track_caller]
fn assert_texts_are_apart(svg: &str) {
    let tags = elements(svg);
    let [width, height] = ["width", "height"]
        .map(|side| -> f64 { attribute(&tags[0], side).unwrap().parse().unwrap() });
    let texts = texts(svg);
    // Places are rounded to a tenth.
    let near = 0.2;
    for (index, a) in texts.iter().enumerate() {
        let is_within = a.left >= -near
            && a.top >= -near
            && a.right <= width + near
            && a.bottom <= height + near;
        assert!(is_within, "{:?} leaves the picture", a.words);
        for b in &texts[..index] {
            let covers = a.left + near < b.right
                && b.left + near < a.right
                && a.top + near < b.bottom
                && b.top + near < a.bottom;
            assert!(!covers, "{:?} covers {:?}", a.words, b.words);
        }
    }
}

/// The picture of a command line.
fn picture(arguments: &[&str]) -> String {
    let said = run(arguments.iter().copied().chain(["--svg", "-"]));
    assert_eq!(said.code, Some(0), "{arguments:?}: {}", said.stderr);
    said.stdout
}

#[test]
fn every_kind_of_picture_is_well_formed_and_the_same_each_time() {
    let heroic_and_normal = vec![
        named("heroic", heroic()),
        named("normal", exact(sum_of_dice(3, 6))),
    ];
    let nothing = with_masses(Distribution::new([], 1u32.into()), Vec::new(), None);
    let huge = Distribution::new(
        [
            (
                "1267650600228229401496703205376".parse().unwrap(),
                Weight::from(1u32),
            ),
            (int(1), Weight::from(1u32)),
        ],
        2u32.into(),
    );
    let below = with_masses(
        Distribution::new(
            (-5..0).map(|value| (int(value), Weight::from(1u32))),
            6u32.into(),
        ),
        vec![Mass::at_or_below(int(-6), 1u32.into())],
        None,
    );
    let pictures: Vec<Vec<Answered>> = vec![
        vec![named("one value", d(1))],
        vec![named("d2", d(2))],
        vec![named("fifty", exact(sum_of_dice(6, 9)))],
        vec![named("thousands", exact(sum_of_dice(1000, 6)))],
        vec![named("99", exact(binomial(1, 1, 100)))],
        vec![named("negative", below)],
        vec![named("tail", exploding(3))],
        vec![named("long tail", exploding(30))],
        vec![named("lists", three_dice(6))],
        vec![named("mixed", three_dice(3)), named("d3", d(3))],
        vec![named("endless", endless())],
        vec![named("nothing", nothing)],
        vec![named("sampled", sampled())],
        vec![named("huge", exact(huge))],
        vec![
            named("two long", exact(sum_of_dice(100, 6))),
            named("another", exact(sum_of_dice(35, 20))),
        ],
        heroic_and_normal,
        sweep(),
        Vec::new(),
    ];
    for rules in &pictures {
        for view in [View::Exactly, View::AtLeast, View::AtMost] {
            let picture = svg(rules, view);
            assert_within(&picture);
            assert_eq!(picture, svg(rules, view));
            assert_texts_are_apart(&picture);
            assert!(picture.len() < 100_000, "{}", picture.len());
        }
    }
}

/// Command lines of forty pictures, of all kinds.
const FORTY: [&[&str]; 40] = [
    &["d6"],
    &["5"],
    &["d2"],
    &["d100"],
    &["d2000"],
    &["sum(3#d6)"],
    &["sum(100#d20)"],
    &["sum(3#d6)", "--view", "at-least"],
    &["sum(3#d6)", "--view", "at-most"],
    &["sum(3#d6)", "--at-least", "12"],
    &[
        "sum(3#d6)",
        "--at-least",
        "12",
        "--exactly",
        "3",
        "--at-most",
        "5",
    ],
    &["10*d6"],
    &["10*d6", "d6"],
    &["1000000000*(d3-2)"],
    &["1000000000*d6"],
    &["10000000000000000000000000*d6"],
    &["(0-1000)*d20"],
    &["if d1000==1 then 1 else 0"],
    &["d6 >= 4"],
    &["sum(2#d6)", "d12"],
    &["sum(3#d6)", "d20", "sum(2#d10)"],
    &["sum(3#d6)", "d20", "sum(2#d10)", "d4"],
    &[
        "d4",
        "d6",
        "d8",
        "d10",
        "d12",
        "d20",
        "sum(2#d6)",
        "sum(3#d6)",
    ],
    &[
        "d4",
        "d6",
        "d8",
        "d10",
        "d12",
        "d20",
        "sum(2#d6)",
        "--view",
        "at-most",
    ],
    &["sum(n#d6)", "--set", "n=1..4"],
    &["sum(n#d6)", "--set", "n=1..20"],
    &["sum(n#d6)", "--set", "n=1..40"],
    &["count >=5 n#d6", "--set", "n=1..9", "--view", "at-least"],
    &["count >=5 n#d6", "--set", "n=1..9", "--at-least", "2"],
    &[
        "count >=5 n#d6",
        "--set",
        "n=1,5,20,100",
        "--at-least",
        "2",
        "--at-least",
        "9",
        "--exactly",
        "3",
    ],
    &[
        "sum(n#d m)",
        "--set",
        "n=1..3",
        "--set",
        "m=4,6",
        "--at-least",
        "5",
    ],
    &["count >=5 n#d6", "--set", "n=1..9", "--view", "transposed"],
    &["d2", "d3", "--view", "transposed"],
    &["2#d6"],
    &["4#d6", "3#d4"],
    &["let x=4#d6 in {hits: count >=5 x, ones: count ==1 x}"],
    &["let x=20#d6 in {hits: count >=5 x, ones: count ==1 x}"],
    &["case d6 {..3: \"miss\", 6: \"crit\", else: \"hit\"}"],
    &[
        "sum(while x=d6 do ((count ==6 x)#d6))",
        "d12",
        "a name that is much too long to stand beside its curve: d20",
    ],
    &[
        "sum(20#d6)",
        "sum(19#d7)",
        "--title",
        "A title that is so long that it does not fit into the picture, unless it is broken into several lines, of which there are at most three, so that the rest of the title has to be cut off somewhere in the middle of a word",
    ],
];

#[test]
fn no_text_covers_another_in_forty_pictures() {
    for arguments in FORTY {
        let picture = picture(arguments);
        assert_within(&picture);
        println!("{arguments:?}");
        assert_texts_are_apart(&picture);
    }
}

/// The titles of the marks of a picture with this class.
fn titles(svg: &str, class: &str) -> Vec<String> {
    let marks = svg.split('<').zip(svg.split('<').skip(1));
    let of_class = |tag: &str| {
        let classes = attribute(tag, "class").unwrap_or_default();
        classes.split(' ').any(|own| own == class)
    };
    marks
        .filter(|(mark, _)| of_class(mark))
        .filter_map(|(_, title)| Some(title.strip_prefix("title>")?.to_owned()))
        .collect()
}

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
    assert!(titles(&picture, "bar").contains(&"11 or more: 8.3333%".to_owned()));
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
    assert!(
        strips.contains(&"a, 20 or more: 100%\nb, 20 or more: 99.9985%".to_owned())
            || strips
                .iter()
                .any(|strip| strip.starts_with("a, 20 or more: 100%\nb, 20 or more: ")),
        "{strips:?}"
    );
}

#[test]
fn every_mark_of_data_has_a_title() {
    for arguments in FORTY {
        let picture = picture(arguments);
        for class in ["bar", "dot", "strip", "cell", "beside"] {
            let marks = elements(&picture);
            let marks = marks.iter().filter(|tag| {
                let classes = attribute(tag, "class").unwrap_or_default();
                classes.split(' ').any(|own| own == class)
            });
            // The dots of curves with strips have none.
            if class != "dot" || titles(&picture, "strip").is_empty() {
                assert_eq!(
                    marks.count(),
                    titles(&picture, class).len(),
                    "{arguments:?} {class}"
                );
            }
        }
        let (_, description) = picture.split_once("<desc id=").unwrap();
        let (description, _) = description.split_once("</desc>").unwrap();
        assert!(description.chars().count() < 4_000, "{arguments:?}");
    }
}

#[test]
fn ids_differ_within_a_picture_and_between_pictures() {
    let ids = |svg: &str| -> Vec<String> {
        let tags = elements(svg);
        tags.iter()
            .filter_map(|tag| attribute(tag, "id").map(str::to_owned))
            .collect()
    };
    let mut seen = BTreeSet::new();
    for arguments in FORTY {
        let picture = picture(arguments);
        let own = ids(&picture);
        let labels = attribute(&elements(&picture)[0], "aria-labelledby")
            .unwrap()
            .to_owned();
        assert_eq!(own.join(" "), labels);
        for id in own {
            assert!(seen.insert(id.clone()), "{id}");
        }
    }
}

#[test]
fn hostile_names_do_not_break_the_document() {
    for name in [
        "</title><script>alert(1)</script>",
        "]]>&\"'",
        "a\u{0}\u{8}\u{fffe}\u{202e}b",
        "&#0;",
        "<!--",
        "",
    ] {
        let rules = [
            named(name, d(6)),
            named("other", d(20)),
            named(name, three_dice(2)),
        ];
        for rules in [&rules[..1], &rules[..2], &rules[2..], &rules[..]] {
            let picture = svg(rules, View::Exactly);
            elements(&picture);
            assert!(!picture.contains("<script"), "{picture}");
            let is_forbidden = |character: char| {
                character.is_control() && character != '\n' || character == '\u{fffe}'
            };
            assert!(!picture.contains(is_forbidden), "{name:?}");
        }
    }
}

#[test]
fn dark_pages_have_colours_of_their_own() {
    let picture = svg(&sweep(), View::Exactly);
    let (_, style) = picture.split_once("<style>").unwrap();
    let (style, body) = style.split_once("</style>").unwrap();
    let (light, rest) = style
        .split_once("@media (prefers-color-scheme:dark){")
        .unwrap();
    let (dark, rules) = rest.split_once("}}").unwrap();
    let properties = |block: &str| -> Vec<(String, String)> {
        let (_, block) = block.split_once('{').unwrap();
        let pairs = block.trim_end().trim_end_matches('}').split(';');
        let pairs = pairs.map(|pair| pair.split_once(':').unwrap());
        pairs
            .map(|(name, color)| (name.to_owned(), color.to_owned()))
            .collect()
    };
    let (light, dark) = (properties(light), properties(dark));
    assert_eq!(light.len(), dark.len());
    for ((name, light), (same, dark)) in light.iter().zip(&dark) {
        assert_eq!(name, same);
        assert_ne!(light, dark, "{name}");
    }
    for tag in elements(body.strip_suffix("</svg>\n").unwrap()) {
        let classes = attribute(&tag, "class").unwrap_or_default();
        for class in classes.split(' ').filter(|class| class.contains('-')) {
            let (paint, name) = class.split_once('-').unwrap();
            let rule = format!(".dicedist .{class}{{{paint}:var(--{name})}}");
            assert!(rules.contains(&rule), "{rule}");
            // Viewers that know no custom properties have the light colour.
            let (_, color) = light
                .iter()
                .find(|(own, _)| *own == format!("--{name}"))
                .unwrap();
            assert_eq!(attribute(&tag, paint), Some(color.as_str()), "{tag}");
        }
    }
}

#[test]
fn the_data_takes_seven_tenths_of_the_height() {
    for arguments in [
        &["sum(3#d6)", "--at-least", "12"][..],
        &["d4", "d20", "sum(2#d10)"],
        &[
            "sum(while x=d6 do ((count ==6 x)#d6))",
            "d12",
            "--view",
            "at-least",
        ],
        &["count >=5 n#d6", "--set", "n=1..9", "--at-least", "2"],
    ] {
        let picture = picture(arguments);
        let tags = elements(&picture);
        let height: f64 = attribute(&tags[0], "height").unwrap().parse().unwrap();
        let lines = tags
            .iter()
            .filter(|tag| tag.starts_with("path") && tag.contains("stroke-axis"));
        let bottom = |tag: &String| -> f64 {
            let (_, y) = attribute(tag, "d").unwrap().rsplit_once(',').unwrap();
            y.parse().unwrap()
        };
        let grid = tags.iter().filter(|tag| tag.contains("stroke-grid"));
        let top = grid.map(bottom).fold(height, f64::min);
        let axis = lines.map(bottom).fold(0.0, f64::max);
        assert!(
            axis - top >= height * 0.63,
            "{arguments:?}: {top} to {axis} of {height}"
        );
    }
}

#[test]
fn bars_of_one_rule_alone_stand_on_their_value() {
    // 7 and 8 have no bar of the first rule.
    let picture = svg(&[named("d6", d(6)), named("d8", d(8))], View::Exactly);
    let tags = elements(&picture);
    let place =
        |tag: &String, name: &str| -> f64 { attribute(tag, name).unwrap().parse().unwrap() };
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
    let middle = place(eight, "x") + place(eight, "width") / 2.0;
    assert!((middle - f64::midpoint(label.left, label.right)).abs() < 0.2);
}

#[test]
fn numbers_have_a_real_minus_and_commas() {
    let picture = picture(&["1000000000*(d3-2)"]);
    let texts: Vec<String> = texts(&picture).into_iter().map(|text| text.words).collect();
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
fn ticks_of_seventeen_percent_are_fives() {
    let picture = svg(&[named("d6", d(6))], View::Exactly);
    for (tick, is_there) in [
        (">0%<", true),
        (">5%<", true),
        (">20%<", true),
        ("2.5%", false),
    ] {
        assert_eq!(picture.contains(tick), is_there, "{tick}");
    }
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
fn lists_have_bars_for_the_rules_that_they_are_possible_with() {
    // The first rule has four lists of three members, the second three numbers: no row is possible in both rules.
    let rules = [named("coins", three_dice(2)), named("d3", d(3))];
    let picture = svg(&rules, View::Exactly);
    let tags = elements(&picture);
    let bars: Vec<&String> = tags.iter().filter(|tag| tag.starts_with("rect")).collect();
    let place = |tag: &str, name: &str| -> f64 {
        let (_, rest) = tag.split_once(&format!(" {name}=\"")).unwrap();
        rest.split_once('"').unwrap().0.parse().unwrap()
    };
    // The background, two samples in the legend, and a bar for each of the seven rows.
    assert_eq!(bars.len(), 1 + 2 + 7);
    for pair in bars[3..].windows(2) {
        let height = place(pair[0], "height");
        assert!(place(pair[1], "y") >= place(pair[0], "y") + height * 1.5);
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
    let points = |tag: &String| -> Vec<(f64, f64)> {
        let (_, rest) = tag.split_once("points=\"").unwrap();
        let pairs = rest.split_once('"').unwrap().0.split_whitespace();
        let pairs = pairs.map(|pair| pair.split_once(',').unwrap());
        pairs
            .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
            .collect()
    };
    let pointers: Vec<_> = tags
        .iter()
        .filter(|tag| tag.starts_with("polygon"))
        .map(points)
        .collect();
    assert_eq!(pointers.len(), 3);
    for pair in pointers.windows(2) {
        assert_eq!(pair[0][0], pair[1][0]);
        assert!(pair[0][2].0 <= pair[1][1].0, "{pair:?}");
    }
}

#[test]
fn the_mean_does_not_cross_the_percentage_of_its_bar() {
    let seven = exact(Distribution::new([(int(7), 1u32.into())], 1u32.into()));
    let picture = svg(&[named("seven", seven)], View::Exactly);
    // The ground below the percentage is drawn after the line of the mean.
    let line = picture.find("class=\"mean ").unwrap();
    let backing = picture.rfind("\" class=\"fill-ground\"").unwrap();
    assert!(line < backing);
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
fn many_rules_have_their_means() {
    let picture = svg(&sweep(), View::Exactly);
    assert!(picture.contains(">mean<"));
    for successes in 1..=10 {
        let mean = format!(">{}.{}0<", successes * 3 / 10, successes * 3 % 10);
        assert!(picture.contains(&mean), "{mean}");
    }
}

#[test]
fn a_few_values_far_apart_are_shown_one_by_one() {
    let rules = [named("near", d(2)), named("far", raised(&d(2), 1000))];
    let picture = svg(&rules, View::Exactly);
    for value in ["1", "2", "1,001", "1,002"] {
        assert!(picture.contains(&format!(">{value}<")), "{value}");
    }
    assert!(!picture.contains("in ranges"));
    // The background, two samples in the legend, and two bars of each series.
    assert_eq!(count(&picture, "rect", ""), 1 + 2 + 4);
}

#[test]
fn many_rules_have_the_chance_that_is_asked() {
    // 10 or more: 3/12 of a d12 and 11/20 of a d20.
    let rules = ["d4", "d6", "d8", "d10", "d12", "d20"];
    let picture = picture(&[&rules[..], &["--at-least", "10"]].concat());
    let texts: Vec<String> = texts(&picture).into_iter().map(|text| text.words).collect();
    for words in ["10 or more", "25.0%", "55.0%"] {
        assert!(texts.iter().any(|text| text == words), "{words}: {texts:?}");
    }
}
