//! Names of rules that are cut to a width, and what names have in common.

use std::collections::BTreeMap;

use super::text::{fitting, text_width};

/// The largest width of a name beside a curve.
pub(super) const LONGEST_BESIDE: f64 = 320.0;

/// The largest number of characters of a name after the part that is left out.
const MOST_AT_END: usize = 200;

/// The share that the beginning of a name gets of the room beside its distinguishing part.
const BEGINNING: f64 = 0.6;

/// Names cut to about this width. Names that would be cut to the same text keep the part in which they differ.
pub(super) fn fitting_names(names: &[String], size: f64, width: f64) -> Vec<String> {
    let cut = names.iter().map(|name| fitting_name(name, size, width));
    let mut shown: Vec<String> = cut.collect();
    let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, name) in shown.iter().enumerate() {
        alike.entry(name.clone()).or_default().push(index);
    }
    for group in alike.values().filter(|group| group.len() > 1) {
        let own: Vec<&str> = group.iter().map(|index| names[*index].as_str()).collect();
        if own.windows(2).all(|pair| pair[0] == pair[1]) {
            continue;
        }
        let common = Common::of(&own);
        for (index, name) in group.iter().zip(&own) {
            shown[*index] = common.around(name, size, width);
        }
    }
    shown
}

/// The beginning and the end that names have in common, as far as whole words and signs go.
pub(super) struct Common<'a> {
    pub(super) start: &'a str,
    pub(super) end: &'a str,
}

impl<'a> Common<'a> {
    pub(super) fn of(names: &[&'a str]) -> Self {
        let first = names.first().copied().unwrap_or_default();
        let all = |is: &dyn Fn(&str) -> bool| names.iter().all(|name| is(name));
        let places = || {
            first
                .char_indices()
                .map(|(place, _)| place)
                .chain([first.len()])
        };
        // Words are whole in all names.
        let parts = |name: &str, place: usize| {
            let sides = [
                name[..place].chars().next_back(),
                name[place..].chars().next(),
            ];
            !sides
                .iter()
                .all(|side| side.is_some_and(char::is_alphanumeric))
        };
        let is_start =
            |place: &usize| all(&|name| name.starts_with(&first[..*place]) && parts(name, *place));
        let start = places().rev().find(is_start).unwrap_or(0);
        // The beginning and the end of the shortest name do not overlap.
        let shortest = names.iter().map(|name| name.len()).min().unwrap_or(0);
        let is_end = |place: &usize| {
            let end = &first[*place..];
            let fits = end.len() <= shortest - start;
            fits && all(&|name| name.ends_with(end) && parts(name, name.len() - end.len()))
        };
        let end = places().find(is_end).unwrap_or(first.len());
        Self {
            start: &first[..start],
            end: &first[end..],
        }
    }

    /// The part in which a name differs from the others, with as many words around it as there is room for.
    fn around(&self, name: &str, size: f64, width: f64) -> String {
        let own = &name[self.start.len()..name.len() - self.end.len()];
        let room = width - 2.0 * text_width(" … ", size);
        let own = fitting_name(own.trim(), size, room);
        let room = room - text_width(&own, size);
        let words: Vec<&str> = self.start.split_inclusive(' ').collect();
        let fits = |text: &str, room: f64| text_width(text, size) <= room;
        let start = (0..=words.len()).rev().map(|count| words[..count].concat());
        let start = start
            .into_iter()
            .find(|start| fits(start, room * BEGINNING));
        let start = start.unwrap_or_default();
        let room = room - text_width(&start, size);
        let words: Vec<&str> = self.end.split(' ').collect();
        let end = (0..=words.len()).map(|count| words[count..].join(" "));
        let end = end
            .into_iter()
            .find(|end| fits(end, room))
            .unwrap_or_default();
        let gap = |is_whole: bool, text: &str| match (is_whole, text.contains(' ')) {
            (true, _) => "",
            (false, true) => " … ",
            (false, false) => "…",
        };
        let before = gap(start == self.start, self.start);
        let after = gap(end == self.end, self.end);
        let start = if before.is_empty() {
            &start
        } else {
            start.trim_end()
        };
        let after = if end == self.end.trim_start() && end != self.end {
            " "
        } else {
            after
        };
        format!("{start}{before}{own}{after}{end}")
            .trim()
            .to_owned()
    }
}

/// A name cut to about this width. The middle is left out, because names often differ at an end; of a name of several words,
/// whole words.
fn fitting_name(name: &str, size: f64, width: f64) -> String {
    if text_width(name, size) <= width + 1e-6 {
        return name.to_owned();
    }
    let ends = name
        .char_indices()
        .rev()
        .take(MOST_AT_END)
        .map(|(place, _)| &name[place..]);
    let end = ends
        .take_while(|end| text_width(end, size) <= width * 0.4)
        .last();
    let end = end.unwrap_or_default();
    if !name.contains(' ') {
        return fitting(name, size, width - text_width(end, size)) + end;
    }
    let is_whole = name[..name.len() - end.len()].ends_with(' ');
    let words = if is_whole {
        end
    } else {
        end.split_once(' ').map_or("", |(_, words)| words)
    };
    let space = if words.is_empty() { "" } else { " " };
    let start = fitting(
        name,
        size,
        width - text_width(words, size) - text_width(space, size),
    );
    match start.rsplit_once(' ') {
        Some((start, _)) => format!("{start} …{space}{words}"),
        None => format!("{start}{space}{words}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_cut_keep_both_ends() {
        assert_eq!(fitting_name("sum(20#d6)+1", 10.0, 68.5), "sum(2…6)+1");
        assert_eq!(fitting_name("sum(2#d6)", 10.0, 60.0), "sum(2#d6)");
        let name = |width| fitting_name("the first of many words at the end", 10.0, width);
        assert_eq!(name(144.0), "the first of … the end");
        assert_eq!(name(54.0), "the … end");
        assert_eq!(name(40.0), "the …");
    }

    #[test]
    fn names_that_differ_in_the_middle_keep_it() {
        let cut = |names: &[&str], width: f64| {
            let names: Vec<String> = names.iter().map(|&name| name.into()).collect();
            fitting_names(&names, 10.0, width)
        };
        assert_eq!(
            cut(
                &[
                    "the way of rolling it as a new player at the table",
                    "the way of rolling it as an old player at the table"
                ],
                160.0
            ),
            ["the way … a new … table", "the way … an old … table"]
        );
        assert_eq!(
            cut(&["if 1000 >= d20 then 8", "if 1000 >= d30 then 8"], 90.0),
            ["if … d20 … 8", "if … d30 … 8"]
        );
        assert_eq!(
            cut(
                &["1000000000+20+1000000000", "1000000000+21+1000000000"],
                90.0
            ),
            ["…20…", "…21…"]
        );
        let long = cut(
            &["one long name with a detail", "two long name with a detail"],
            120.0,
        );
        assert!(long.iter().all(|name| !name.contains("  ")), "{long:?}");
        assert_eq!(
            cut(&["equal name", "equal name"], 40.0)[0],
            cut(&["equal name", "equal name"], 40.0)[1]
        );
    }

    #[test]
    fn names_have_whole_words_in_common() {
        let common = |names: &[&'static str]| {
            let common = Common::of(names);
            (common.start, common.end)
        };
        assert_eq!(common(&["sum(50#d10)", "sum(110#d10)"]), ("sum(", "#d10)"));
        assert_eq!(common(&["r1", "r20"]), ("", ""));
        assert_eq!(common(&["a b c", "a c"]), ("a ", "c"));
    }
}
