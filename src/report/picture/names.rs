//! Names of rules that are cut to a width, and what names have in common.

use std::collections::BTreeMap;

use super::text::{fitting, text_width};

/// The largest width of a name beside a curve.
pub(super) const LONGEST_BESIDE: f64 = 320.0;

/// The largest number of characters of a name after the part that is left out.
const MOST_AT_END: usize = 200;

/// The part of the room beside what tells a name apart that its beginning has.
const BEGINNING: f64 = 0.6;

/// Names cut to about this width. Those that would be alike have what tells them apart, and less of what they have in common.
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
        let Some((first, others)) = names.split_first() else {
            return Self { start: "", end: "" };
        };
        let mut start = others.iter().fold(first.len(), |length, other| {
            let alike = first[..length].chars().zip(other.chars());
            let alike = alike.take_while(|(a, b)| a == b);
            alike.map(|(character, _)| character.len_utf8()).sum()
        });
        while start > 0 && names.iter().any(|name| is_within_word(name, start)) {
            start -= 1;
        }
        // The beginning and the end of the shortest name do not overlap.
        let shortest = names.iter().map(|name| name.len()).min().unwrap_or(0);
        let end = others.iter().fold(first.len(), |length, other| {
            let alike = first[first.len() - length..]
                .chars()
                .rev()
                .zip(other.chars().rev());
            let alike = alike.take_while(|(a, b)| a == b);
            alike.map(|(character, _)| character.len_utf8()).sum()
        });
        let mut end = end.min(shortest - start);
        while end > 0
            && names
                .iter()
                .any(|name| is_within_word(name, name.len() - end))
        {
            end -= 1;
        }
        Self {
            start: &first[..start],
            end: &first[first.len() - end..],
        }
    }

    /// What tells a name apart, with as much around it as there is room.
    fn around(&self, name: &str, size: f64, width: f64) -> String {
        let own = &name[self.start.len()..name.len() - self.end.len()];
        let mark = |text: &str| match text {
            "" => "",
            _ if text.contains(' ') => " … ",
            _ => "…",
        };
        let marks = [self.start, self.end].map(mark);
        let room = width - marks.map(|mark| text_width(mark, size)).iter().sum::<f64>();
        let own = fitting_name(own.trim(), size, room);
        let room = room - text_width(&own, size);
        let mut start = String::new();
        for word in self.start.split_inclusive(' ') {
            if text_width(&start, size) + text_width(word, size) > room * BEGINNING {
                break;
            }
            start.push_str(word);
        }
        let room = room - text_width(&start, size);
        let mut end = String::new();
        for word in self.end.trim_start().rsplit(' ') {
            let longer = if end.is_empty() {
                word.to_owned()
            } else {
                format!("{word} {end}")
            };
            if text_width(&longer, size) > room {
                break;
            }
            end = longer;
        }
        let before = if start.len() == self.start.len() {
            ""
        } else {
            marks[0]
        };
        let after = if end.len() == self.end.trim_start().len() {
            &self.end[..self.end.len() - self.end.trim_start().len()]
        } else {
            marks[1]
        };
        let start = if before.is_empty() {
            start.as_str()
        } else {
            start.trim_end()
        };
        format!("{start}{before}{own}{after}{end}")
            .trim()
            .to_owned()
    }
}

/// Whether the characters on both sides of a place in a text are letters or digits, or whether the place is within a character.
fn is_within_word(text: &str, place: usize) -> bool {
    if !text.is_char_boundary(place) {
        return true;
    }
    let (before, after) = text.split_at(place);
    let sides = [before.chars().next_back(), after.chars().next()];
    sides
        .iter()
        .all(|side| side.is_some_and(char::is_alphanumeric))
}

/// A name cut to about this width. The middle is left out, because names often differ at an end; of a name of several words,
/// whole words.
fn fitting_name(name: &str, size: f64, width: f64) -> String {
    if text_width(name, size) <= width + 1e-6 {
        return name.to_owned();
    }
    let mut room = width * 0.4;
    let last = name.chars().rev().take(MOST_AT_END).take_while(|last| {
        room -= text_width(last.encode_utf8(&mut [0; 4]), size);
        room >= 0.0
    });
    let last: Vec<char> = last.collect();
    let end: String = last.into_iter().rev().collect();
    if !name.contains(' ') {
        return fitting(name, size, width - text_width(&end, size)) + &end;
    }
    let before = &name[..name.len() - end.len()];
    let words = if before.ends_with(' ') {
        &end
    } else {
        end.split_once(' ').map_or("", |(_, words)| words)
    };
    let end = if words.is_empty() {
        String::new()
    } else {
        format!(" {words}")
    };
    let start = fitting(name, size, width - text_width(&end, size));
    match start.rsplit_once(' ') {
        Some((words, _)) => format!("{words} …{end}"),
        None => start + &end,
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
