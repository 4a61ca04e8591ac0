//! Finds out what was meant by a text that a notation does not read.
//!
//! In: a text, the reader of a notation as a function, and the notation's [`Table`] of patterns. Out: texts that the notation reads,
//! and the row that explains the mistake. One kind of [`token`] serves all notations. A row of a table is a [`pattern`] with holes
//! and a [`rewrite`] of it; [`matching`] finds its places, and [`search`] applies rows, least cost first.
//!
//! Nothing of a text is lost: a row writes what its holes hold, and its own words are what it explains. Only the hole for comments
//! takes words that say nothing, and none of them is a word of a row.
//!
//! A mistake that no row explains is told by [`explain`]: what was expected, and what stands there. [`glossary`] adds rules that say
//! what its words mean at a table.

mod arms;
pub(crate) mod explain;
pub(crate) mod glossary;
mod holes;
mod line;
mod matching;
mod pattern;
mod rewrite;
mod search;
mod table;
mod token;

pub(crate) use search::{LONGEST, Meant, Reader, meant};
pub(crate) use table::Table;

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::pattern::{Element, Item};
    use super::table::Row;
    use super::*;

    /// A table of its own, so that its tests need no notation.
    const TABLE: &str = "
        class end = h: highest best; l: lowest
        filler the of
        [keep] `{end}` is written `k{end}`
        2 :: {M} keep the? {end} {n}? :: {M}k{end}{n|1} :: M.n>n
        2 :: ^ {R} (vs|against) {n} $ :: ({R})>={n}
        1 all :: {n} w _{s} :: {n}d{s}
        [comment]
        3 :: ~{comment} :: // {comment}";

    /// The tables of all notations, and the one of conditions.
    const TABLES: [(&str, &str); 7] = [
        ("anydice", include_str!("../anydice/meant.txt")),
        ("bones", include_str!("../bones/meant.txt")),
        ("conditions", include_str!("../bones/condition.txt")),
        ("dicebag", include_str!("../dicebag/meant.txt")),
        ("diceroller", include_str!("../diceroller/meant.txt")),
        ("onedice", include_str!("../onedice/meant.txt")),
        ("tabletop", include_str!("../tabletop/meant.txt")),
    ];

    fn corrected(text: &str, reads: &dyn Fn(&str) -> bool) -> Vec<String> {
        let table = Table::of(TABLE);
        let reader = Reader {
            table: &table,
            reads: &|text| reads(text).then(|| text.to_owned()),
            words: &["against"],
        };
        let whole = (0..text.len()).into();
        meant(text, whole, &reader).map_or_else(Vec::new, |meant| meant.texts)
    }

    #[test]
    fn rows_are_applied_one_after_another_until_the_text_is_read() {
        let is = |expected: &'static str| move |text: &str| text == expected;
        assert_eq!(
            corrected("4d6 keep the best three", &is("4d6kh3")),
            ["4d6kh3"]
        );
        let both = "(4d6kl1)>=15";
        assert_eq!(corrected("4d6 keep lowest aganst 15", &is(both)), [both]);
        assert_eq!(corrected("2w6 + 3w8", &is("2d6 + 3d8")), ["2d6 + 3d8"]);
        assert_eq!(corrected("2d6 – 1", &is("2d6 - 1")), ["2d6 - 1"]);
        assert_eq!(corrected("2d6 fire", &is("2d6 // fire")), ["2d6 // fire"]);
    }

    #[test]
    fn a_guard_or_a_word_of_games_ends_it() {
        let none: [String; 0] = [];
        assert_eq!(corrected("2d6 keep best 3", &|text| text == "2d6kh3"), none);
        assert_eq!(corrected("2d6 lucky", &|text| text.contains("//")), none);
        assert_eq!(corrected("2d6 fire 3", &|text| text.contains("//")), none);
        // A word that is spelt nearly like one of them is no comment.
        assert_eq!(corrected("2d6 higest", &|text| text.contains("//")), none);
    }

    /// The names of the holes of a pattern that hold a part of the text.
    fn holes<'r>(elements: &'r [Element], names: &mut Vec<&'r str>) {
        for element in elements {
            match &element.item {
                Item::Hole(name, hole) if *hole != pattern::Hole::Class => names.push(name),
                Item::AnyOf(several) => several.iter().for_each(|one| holes(one, names)),
                _ => {}
            }
        }
    }

    /// What a row loses of a text: a number of its own, or what a hole holds.
    fn lost(row: &Row) -> Option<String> {
        let has = |name: &str| {
            let mut terms = row.rewrite.split(|sign: char| !sign.is_alphanumeric());
            terms.any(|term| term == name)
        };
        let mut own = Vec::new();
        pattern::words(&row.pattern, &mut |word| own.push(word));
        let number = |word: &&str| word.bytes().all(|digit| digit.is_ascii_digit()) && *word != "1";
        let mut numbers = own.into_iter().filter(number);
        let mut names = Vec::new();
        holes(&row.pattern, &mut names);
        let number = numbers.find(|number| !row.rewrite.contains(number));
        let hole = names
            .into_iter()
            .find(|name| !has(name) && !row.guards.contains(name));
        number
            .or(hole)
            .map(|lost| format!("{lost} in {}", row.rewrite))
    }

    /// The texts of a notation in the corpus of what was meant.
    fn corpus(notation: &str) -> Vec<&'static str> {
        let corpus = include_str!("../../../tests/suite/meant.txt");
        let named = [
            "anydice",
            "bones",
            "dicebag",
            "diceroller",
            "onedice",
            "tabletop",
        ];
        let typed = corpus.lines().filter_map(|line| line.split_once('\t'));
        let of_notation = typed.filter_map(|(text, _)| match text.split_once(": ") {
            Some((name, text)) if named.contains(&name) => (name == notation).then_some(text),
            _ => ["bones", "tabletop"].contains(&notation).then_some(text),
        });
        of_notation.collect()
    }

    /// The places of the rows that fit a text, or what other rows make of it.
    fn fitting(table: &Table, text: &str) -> BTreeSet<usize> {
        let mut fitting = BTreeSet::new();
        let mut texts = vec![text.to_owned()];
        let mut at = 0;
        while at < texts.len().min(30) {
            let tokens = token::tokens(&texts[at]);
            for (place, row) in table.rows.iter().enumerate() {
                for (_, made) in matching::applied(table, row, &texts[at], &tokens) {
                    fitting.insert(place);
                    if !texts.contains(&made) {
                        texts.push(made);
                    }
                }
            }
            at += 1;
        }
        fitting
    }

    #[test]
    fn each_line_fits_two_texts_of_the_corpus() {
        let mut rare = Vec::new();
        for (name, text) in TABLES.into_iter().filter(|(name, _)| *name != "conditions") {
            let table = Table::of(text);
            // The rows of one line share their rewrite.
            let line = |row: &Row| (row.rewrite.as_ptr(), row.rewrite);
            let mut times: BTreeMap<_, _> = table.rows.iter().map(|row| (line(row), 0)).collect();
            for text in corpus(name) {
                let fitting = fitting(&table, text).into_iter();
                let lines: BTreeSet<_> = fitting.map(|place| line(&table.rows[place])).collect();
                for line in lines {
                    *times.entry(line).or_default() += 1;
                }
            }
            let lines = times.into_iter().filter(|(_, times)| *times < 2);
            rare.extend(lines.map(|((_, line), times)| format!("{name}: {times}: {line}")));
        }
        assert!(rare.is_empty(), "{}", rare.join("\n"));
    }

    #[test]
    fn no_row_loses_a_part_of_the_text() {
        // OneDice has no comments, so its table leaves them out.
        for (_, table) in TABLES.into_iter().filter(|(name, _)| *name != "onedice") {
            let table = Table::of(table);
            let lost: Vec<String> = table.rows.iter().filter_map(lost).collect();
            assert_eq!(lost, Vec::<String>::new());
        }
    }
}
