//! What a picture holds: its tags, its texts with their places, and the titles of its marks.

use dicedist::engine::Answer;

use crate::command::run;
use crate::report::{exact, int};

/// The tags of a picture, checked as XML: every tag is closed, and there is no stray markup.
pub(super) fn elements(svg: &str) -> Vec<String> {
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
pub(super) fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    Some(rest.split_once('"')?.0)
}

/// The places of the points of a polygon or a path.
pub(super) fn points(tag: &str) -> Vec<(f64, f64)> {
    let points = attribute(tag, "points").or_else(|| attribute(tag, "d"));
    let points = points.unwrap().replace('M', " ");
    let pairs = points
        .split_whitespace()
        .map(|pair| pair.split_once(',').unwrap());
    pairs
        .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
        .collect()
}

/// A number of a tag.
pub(super) fn number(tag: &str, name: &str) -> f64 {
    attribute(tag, name).unwrap().parse().unwrap()
}

/// The words of all texts.
pub(super) fn words(picture: &str) -> Vec<String> {
    texts(picture).into_iter().map(|text| text.words).collect()
}

/// Asserts that all places in a picture are within its size.
pub(super) fn assert_within(svg: &str) {
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
        if tag.contains(" points=") || tag.contains(" d=") {
            for (x, y) in points(tag) {
                assert!((0.0..=size[0]).contains(&x), "{tag}");
                assert!((0.0..=size[1]).contains(&y), "{tag}");
            }
        }
    }
}

/// The number of tags of a picture with this name that contain this text.
pub(super) fn count(picture: &str, tag: &str, part: &str) -> usize {
    let tags = elements(picture);
    let counted = tags
        .iter()
        .filter(|text| text.starts_with(tag) && text.contains(part));
    counted.count()
}

/// The answer with a constant added to each number.
pub(super) fn raised(answer: &Answer, by: i64) -> Answer {
    let numbers = answer.numbers().unwrap();
    exact(
        numbers
            .clone()
            .relabelled(|value| value.add(&int(by)).unwrap()),
    )
}

/// A text of a picture, with its box in a wide font: DejaVu Sans has figures of 0.636 of the size, a percent sign of 0.95, signs of
/// comparison of 0.838; other characters take six tenths on average.
pub(super) struct Text {
    pub(super) words: String,
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// The texts of a picture.
pub(super) fn texts(svg: &str) -> Vec<Text> {
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
            let widths = text.chars().map(|character| match character {
                '0'..='9' => 0.636,
                '%' => 0.95,
                '<' | '>' | '≥' | '≤' | '=' | '+' | '−' | '±' | '≈' => 0.838,
                '.' | ',' => 0.32,
                _ => 0.6,
            });
            let width = widths.sum::<f64>() * size;
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
pub(super) fn assert_texts_are_apart(svg: &str) {
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

/// The lines of a path, each with its points.
fn lines(tag: &str) -> Vec<Vec<(f64, f64)>> {
    let path = attribute(tag, "d").unwrap_or_default();
    let lines = path.split('M').filter(|line| !line.is_empty());
    let points = |line: &str| {
        let points = line.split_whitespace();
        let points = points.map(|point| point.split_once(',').unwrap());
        points
            .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
            .collect()
    };
    lines.map(points).collect()
}

/// Points two pixels apart along the curves, the intervals and the dashed lines of a picture, and its dots.
fn drawn(svg: &str) -> Vec<(f64, f64)> {
    let mut drawn = Vec::new();
    for tag in elements(svg) {
        let class = attribute(&tag, "class").unwrap_or_default();
        if class.starts_with("dot ") {
            let [x, y] = ["cx", "cy"].map(|name| attribute(&tag, name).unwrap().parse().unwrap());
            drawn.push((x, y));
        }
        let is_line = ["curve ", "interval "]
            .iter()
            .any(|own| class.starts_with(own));
        // The words of a question have a ground before their line.
        if !is_line && (!tag.contains("dasharray") || class.starts_with("asked ")) {
            continue;
        }
        for pair in lines(&tag).iter().flat_map(|line| line.windows(2)) {
            let [(x, y), (to_x, to_y)] = [pair[0], pair[1]];
            let steps = ((to_x - x).hypot(to_y - y) / 2.0).ceil().max(1.0);
            let at = |step: u32| f64::from(step) / steps;
            let parts = (0..).map(at).take_while(|part| *part <= 1.0);
            drawn.extend(parts.map(|part| (x + (to_x - x) * part, y + (to_y - y) * part)));
        }
    }
    drawn
}

/// Asserts that no text covers a curve, an interval, a dashed line or a dot.
#[track_caller]
pub(super) fn assert_texts_are_uncrossed(svg: &str) {
    let texts = texts(svg);
    for (x, y) in drawn(svg) {
        let crossed = texts.iter().find(|text| {
            text.left < x && x < text.right && text.top + 2.0 < y && y < text.bottom - 2.0
        });
        if let Some(text) = crossed {
            panic!("{:?} is crossed at {x}, {y}", text.words);
        }
    }
}

/// Asserts that each percentage of the sizes that stand at marks is in a mark or close to one.
#[track_caller]
pub(super) fn assert_percentages_are_near(svg: &str) {
    let tags = elements(svg);
    let number = |tag: &String, name: &str| attribute(tag, name)?.parse::<f64>().ok();
    let marks = tags.iter().filter_map(|tag| match tag.split(' ').next()? {
        "rect" => {
            let [x, y] = ["x", "y"].map(|name| number(tag, name));
            Some([
                x?,
                y?,
                x? + number(tag, "width")?,
                y? + number(tag, "height")?,
            ])
        }
        "circle" => {
            let [x, y] = ["cx", "cy"].map(|name| number(tag, name));
            Some([x?, y?, x?, y?])
        }
        _ => None,
    });
    let marks: Vec<[f64; 4]> = marks.collect();
    for text in texts(svg) {
        let is_small = text.bottom - text.top < 12.6;
        if !is_small || !text.words.ends_with('%') {
            continue;
        }
        let distance = marks.iter().map(|[left, top, right, bottom]| {
            let across = (left - text.right).max(text.left - right).max(0.0);
            let down = (top - text.bottom).max(text.top - bottom).max(0.0);
            across.hypot(down)
        });
        let least = distance.fold(f64::INFINITY, f64::min);
        assert!(least < 10.0, "{:?} is {least} from its mark", text.words);
    }
}

/// The picture of a command line.
pub(super) fn picture(arguments: &[&str]) -> String {
    let said = run(arguments.iter().copied().chain(["--svg", "-"]));
    assert_eq!(said.code, Some(0), "{arguments:?}: {}", said.stderr);
    said.stdout
}

/// The titles of the marks of a picture with this class.
pub(super) fn titles(svg: &str, class: &str) -> Vec<String> {
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
