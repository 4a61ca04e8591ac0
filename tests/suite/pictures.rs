//! Pictures as documents: they are well-formed and of one look, and no text covers another.

mod asked;
mod axes;
mod marks;
mod parts;
mod said;
mod shared;
mod words;

use std::collections::BTreeSet;

use dicedist::algebra::{Distribution, Mass, Weight};
use dicedist::report::{Answered, View};

use crate::command::run;
use crate::report::{
    binomial, d, endless, exact, exploding, heroic, int, named, sampled, sum_of_dice, svg, sweep,
    three_dice, with_masses,
};
use parts::{
    assert_percentages_are_near, assert_texts_are_apart, assert_texts_are_uncrossed, assert_within,
    attribute, elements, picture, titles,
};

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

/// Command lines of pictures of all kinds, their arguments apart.
const COMMANDS: &str = r#"
d6
5
d2
d100
d2000
sum(3#d6)
sum(100#d20)
sum(3#d6)|--view|at-least
sum(3#d6)|--view|at-most
sum(3#d6)|--at-least|12
sum(3#d6)|--at-least|12|--exactly|3|--at-most|5
10*d6
10*d6|d6
1000000000*(d3-2)
1000000000*d6
10000000000000000000000000*d6
(0-1000)*d20
if d1000==1 then 1 else 0
d6 >= 4
sum(2#d6)|d12
sum(3#d6)|d20|sum(2#d10)
sum(3#d6)|d20|sum(2#d10)|d4
d4|d6|d8|d10|d12|d20|sum(3#d6)
d2|d3|d4|d5|d6|d7|--view|at-most
sum(n#d6)|--set|n=1..4
sum(n#d6)|--set|n=1..20
sum(n#d6)|--set|n=1..40
count >=5 n#d6|--set|n=1..9|--view|at-least
count >=5 n#d6|--set|n=1..9|--at-least|2
count >=5 n#d6|--set|n=1,5,20,100|--at-least|2|--at-least|9|--exactly|3
sum(n#d m)|--set|n=1..3|--set|m=4,6|--at-least|5
count >=5 n#d6|--set|n=1..9|--view|transposed
d2|d3|--view|transposed
2#d6
4#d6|3#d4
let x=4#d6 in {hits: count >=5 x, ones: count ==1 x}
let x=20#d6 in {hits: count >=5 x, ones: count ==1 x}
case d6 {..3: "miss", 6: "crit", else: "hit"}
sum(while x=d6 do ((count ==6 x)#d6))|d12|a name that is much too long to stand beside its curve: d20
sum(drop low 1 4#d6)|--chance|value >= 15|--chance|value <= 8|--chance|value mod 2 == 0
if d1000 == 1 then 1000000 else d6
if d1000 == 1 then 1000000 else d6|d6
if d20 == 1 then 0-1000000 else if d20==2 then 200000+d20 else sum(20#d6)|--at-most|70
if d20 == 1 then 1000000 else sum(20#d6)|sum(20#d6)|--at-least|70
3d6!|--at-least|15
3d6!|2d10!|--at-least|15
prod(2#d6)|prod(2#d8)
prod(2#d6)|prod(2#d8)|prod(2#d4)|sum(2#d12)
sum(n#d6) + k|--set|n=1..10|--set|k=1..3|--at-least|20
case d20 {..5: "fumble", 6..14: "miss", 15..19: "hit", 20..: "crit"}|case d20+4 {..5: "fumble", 6..14: "miss", 15..19: "hit", 20..: "crit"}|--exactly|crit
case d20+k {..5: "fumble", 6..14: "miss", 15..: "hit"}|--set|k=0..7
the way of rolling scores that everybody takes when new at the table of the first group, at home: sum(3#d6)|the way of rolling scores that everybody takes when old at the table of the first group, at home: sum(4#d6)
r1: d4|r2: d6|r3: d8|r4: d10|r5: d12|r6: d20|--at-least|7|--at-most|3
sum(d9,d10)
max(d12,d10)|d8
sum(n#d6)|--set|n=1..30
if d2 == 1 then d6 else 100000 + d6|if d3 == 1 then d6 else 100000 + d6|if d4 == 1 then d6 else 100000 + d6|if d5 == 1 then d6 else 100000 + d6|if d6 == 1 then d6 else 100000 + d6|if d8 == 1 then d6 else 100000 + d6
if d2 == 1 then d6 else 100000 + d6|if d3 == 1 then d6 else 100000 + d6|if d4 == 1 then d6 else 100000 + d6|if d5 == 1 then d6 else 100000 + d6|if d6 == 1 then d6 else 100000 + d6|if d8 == 1 then d6 else 100000 + d6|--view|at-least
2#d2|2#d3|1,d3|d2,d3|a name that is too long for the end of a bar: 2#d2
if d20==1 then 1000000 else sum(20#d6)|3d6!|sum(20#d6)|--at-least|60|--at-most|50
sum(200#d10)|if d6==1 then 2000000000000000000 else d6
plain: d20|bonus: d20+5|--at-least|15
d6|d6 + 1|d6 + 2|d6 + 3|d6 + 4
2#d6|--exactly|7
sum(30#d6)|--view|at-most
flat: d20+5|advantage: max(2#d20)|--at-least|11|--at-least|18
a: d{1..6, 200}|b: d{1..6, 300}
d2 - 100|d2 + 100
1d6/3 + 1d4/7
d6/2|1d3/3
max(n#d20)|--set|n=1..40
3#d4|--ordered
sum(20#d6)|sum(19#d7)|--title|A title that is so long that it does not fit into the picture, unless it is broken into several lines, of which there are at most three, so that the rest of the title has to be cut off somewhere in the middle of a word
0-2^63
-d|tabletop|0*1d6/1d800
sum(n#d6)|--set|n=1..9|--at-least|20|--size|400x300|--x-label|how many dice|--call|n=dice
sum(3#d6)|--size|1200x500
count <5 (count >=4 (count >=3 20#d6)#d6)#d6|sum(2#d6)|--view|at-least
"#;

fn commands() -> impl Iterator<Item = Vec<&'static str>> {
    COMMANDS
        .trim()
        .lines()
        .map(|line| line.split('|').collect())
}

/// The laws of every picture: it is well-formed, its numbers are finite, all is in the frame, no text covers another, a curve, an
/// interval, a dashed line or a dot, each mark says what it is, percentages stand at their marks, and its ids are its own.
#[test]
fn pictures_keep_the_laws() {
    let mut seen = BTreeSet::new();
    for arguments in commands() {
        println!("{arguments:?}");
        let picture = picture(&arguments);
        assert_keeps_the_laws(&picture);
        let tags = elements(&picture);
        let ids: Vec<&str> = tags.iter().filter_map(|tag| attribute(tag, "id")).collect();
        assert_eq!(
            ids.join(" "),
            attribute(&tags[0], "aria-labelledby").unwrap()
        );
        for id in ids {
            assert!(seen.insert(id.to_owned()), "{id}");
        }
    }
}

/// The laws of one picture by itself.
#[track_caller]
pub(crate) fn assert_keeps_the_laws(picture: &str) {
    assert!(!picture.contains("NaN") && !picture.contains("inf\""));
    assert_within(picture);
    assert_texts_are_apart(picture);
    assert_texts_are_uncrossed(picture);
    assert_percentages_are_near(picture);
    for class in ["bar", "dot", "strip", "cell", "beside"] {
        let marks = elements(picture);
        let marks = marks.iter().filter(|tag| {
            let classes = attribute(tag, "class").unwrap_or_default();
            classes.split(' ').any(|own| own == class)
        });
        // The dots of curves with strips have none.
        if class != "dot" || titles(picture, "strip").is_empty() {
            assert_eq!(marks.count(), titles(picture, class).len(), "{class}");
        }
    }
    let (_, description) = picture.split_once("<desc id=").unwrap();
    let (description, _) = description.split_once("</desc>").unwrap();
    assert!(description.chars().count() < 4_000);
}

/// A PNG begins with its signature, and its width stands at the seventeenth byte: 760 pixels, three times.
#[test]
fn a_bitmap_has_the_scale_that_is_asked_for_or_the_way_to_get_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("d6.png");
    let file = file.to_str().unwrap();
    let said = run(["d6", "--png", file, "--scale", "3", "--quiet"]);
    if cfg!(feature = "png") {
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let png = std::fs::read(file).unwrap();
        assert!(png.starts_with(b"\x89PNG"));
        assert_eq!(png[16..20], (3 * 760_u32).to_be_bytes());
    } else {
        assert_eq!(said.code, Some(2));
        assert!(said.stderr.contains("--features png"), "{}", said.stderr);
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
