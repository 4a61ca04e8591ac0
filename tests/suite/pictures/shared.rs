//! Lines and dots of several rules at the same places.

use std::collections::BTreeSet;

use super::parts::{attribute, elements, picture};

/// The dashes of the curves of a picture, in their order.
fn dashes(picture: &str) -> Vec<String> {
    let tags = elements(picture);
    let curves = tags.iter().filter(|tag| tag.contains("class=\"curve "));
    curves
        .map(|tag| {
            attribute(tag, "stroke-dasharray")
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

/// Every face has one chance in twenty, so that the lines share all faces that both rules have.
#[test]
fn curves_that_coincide_in_part_are_all_seen() {
    let two = picture(&["plain: d20", "bonus: d20+5", "--at-least", "15"]);
    let dashed: Vec<String> = dashes(&two);
    assert_eq!(dashed.iter().filter(|dash| *dash == "9 9").count(), 1);
    let three = dashes(&picture(&["plain: d20", "bless: d20+2", "expert: d20+5"]));
    for dash in ["9 9", "18 9", "9 18"] {
        assert!(three.iter().any(|own| own == dash), "{dash}: {three:?}");
    }
}

#[test]
fn dots_at_one_place_are_seen_around_each_other() {
    let picture = picture(&["d6", "d6 + 1", "d6 + 2", "d6 + 3", "d6 + 4"]);
    let tags = elements(&picture);
    let dots = tags.iter().filter(|tag| tag.contains("class=\"dot "));
    let dots = dots.map(|tag| {
        let of = |name| attribute(tag, name).unwrap().to_owned();
        (of("cx"), of("cy"), of("r"))
    });
    let dots: Vec<(String, String, String)> = dots.collect();
    let places: BTreeSet<&(String, String, String)> = dots.iter().collect();
    assert_eq!(places.len(), 30, "{dots:?}");
}

#[test]
fn lines_across_values_that_were_not_asked_for_are_dotted() {
    let sweep = |values: &str| {
        let set = format!("n={values}");
        picture(&["count >=8 n#d10", "--set", &set, "--at-least", "5"])
    };
    let apart = sweep("1,5,20,100");
    assert_eq!(dashes(&apart), ["1.5 4"]);
    assert_eq!(dashes(&sweep("1,2,3,10")), ["", "1.5 4"]);
    assert!(apart.contains("lines lead across values that were not asked for"));
    assert_eq!(dashes(&sweep("1..9")), [""]);
    assert_eq!(dashes(&sweep("2..12..2")), [""]);
}
