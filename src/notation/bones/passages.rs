//! Splits a text into rules and definitions.

use super::lexer;
use super::table::Table;
use crate::notation::reader::gaps::{Gaps, is_blank};
use crate::notation::reader::head::head;
use crate::notation::reader::lexed::run;
use crate::notation::reader::quote::quoted;
use crate::notation::syntax::Passage;
use crate::source::Span;

/// A passage with more words than this ends with its `;`.
const MOST_WORDS: usize = 64;

/// The rules and definitions of a text. `;` ends each of them. A line outside brackets that begins with a definition, or with a
/// name, a colon and a blank, begins another one. A definition also ends before each other line outside brackets, unless the line
/// begins with a blank. A `;` in place of the `in` of a `let` ends nothing, so that the mistake is seen whole.
pub(super) fn passages(text: &str) -> Vec<Passage> {
    let mut reader = Reader {
        text,
        gaps: Table::Bones.gaps(),
        passages: Vec::new(),
        words: Vec::new(),
        defines: None,
        open: 0,
    };
    reader.read();
    reader.passages
}

struct Reader<'s> {
    text: &'s str,
    gaps: Gaps,
    passages: Vec<Passage>,
    /// The words of the passage that is being read.
    words: Vec<Span>,
    /// The name that the passage defines.
    defines: Option<Span>,
    /// How many brackets are open.
    open: usize,
}

impl Reader<'_> {
    fn read(&mut self) {
        let text = self.text;
        let mut at = self.gaps.end(text, 0, true);
        let mut end_of_last = 0;
        while at < text.len() {
            if self.begins_passage(end_of_last, at) {
                self.end_passage();
            }
            if self.words.is_empty() {
                self.defines = defined(text, self.gaps, at);
            }
            at = self.word(at);
            end_of_last = at;
            at = self.gaps.end(text, at, false);
        }
        self.end_passage();
    }

    /// Whether the word at a place begins another passage although no `;` stands before it.
    fn begins_passage(&self, end_of_last: usize, at: usize) -> bool {
        let gap = &self.text[end_of_last..at];
        if self.words.is_empty() || self.open > 0 || !gap.contains('\n') {
            return false;
        }
        let is_indented = !gap.ends_with('\n');
        if self.defines.is_some() {
            return !is_indented;
        }
        let rest = &self.text[at..];
        head(rest, true).is_some() || defined(self.text, self.gaps, at).is_some()
    }

    /// Reads the word or the `;` at a place, and returns the place after it.
    fn word(&mut self, start: usize) -> usize {
        let text = self.text;
        let mut at = start;
        while let Some(next) = text[at..].chars().next() {
            if let Some(length) = quoted(&text[at..]) {
                at += length;
                continue;
            }
            if is_blank(next) || text[at..].starts_with("//") {
                break;
            }
            if next == ';' {
                if at > start {
                    break;
                }
                if self.lacks_in(at) {
                    self.words.push(Span::new(at, at + 1));
                } else {
                    self.end_passage();
                }
                return at + 1;
            }
            match next {
                '(' | '{' => self.open += 1,
                ')' | '}' => self.open = self.open.saturating_sub(1),
                _ => {}
            }
            at += next.len_utf8();
        }
        self.words.push(Span::new(start, at));
        at
    }

    /// Whether the passage before a `;` gives names to what stands behind it: `let x = d6` without an `in`, or `x = d6` where `x` comes
    /// again.
    fn lacks_in(&self, at: usize) -> bool {
        if self.words.len() > MOST_WORDS {
            return false;
        }
        let word = |place: usize| {
            self.words
                .get(place)
                .map(|word| &self.text[word.start..word.end])
        };
        let count = |words: &[&str]| {
            let all = self
                .words
                .iter()
                .map(|word| &self.text[word.start..word.end]);
            all.filter(|word| words.contains(word)).count()
        };
        match (word(0), word(1)) {
            (Some("let"), _) => count(&["let", "for", "foreach"]) > count(&["in"]),
            (Some(name), Some("=")) => {
                let is_name = lexer::is_name(Table::Bones, name);
                let line = self.text[at..].lines().next().unwrap_or_default();
                let is_in_name = |letter: char| letter.is_alphanumeric() || "_'".contains(letter);
                let mut behind = line.split(|letter| !is_in_name(letter));
                is_name && behind.any(|word| word == name)
            }
            _ => false,
        }
    }

    fn end_passage(&mut self) {
        let words = std::mem::take(&mut self.words);
        let defines = self.defines.take();
        self.open = 0;
        if !words.is_empty() {
            self.passages.push(Passage { words, defines });
        }
    }
}

/// The name that a definition at a place defines: `def NAME =` or `def NAME(`.
fn defined(text: &str, gaps: Gaps, at: usize) -> Option<Span> {
    let rest = text[at..].strip_prefix("def")?;
    let name = gaps.end(text, at + 3, false);
    let length = run(&text[name..], |letter| {
        letter.is_alphanumeric() || letter == '_'
    });
    if name == at + 3 || length == 0 || rest.starts_with(char::is_alphabetic) {
        return None;
    }
    let end = name + length;
    let after = &text[gaps.end(text, end, false)..];
    let begins = after.starts_with('(') || after.starts_with('=') && !after.starts_with("==");
    (begins && lexer::is_name(Table::Bones, &text[name..end])).then_some(Span::new(name, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<(bool, String)> {
        let slice = |span: &Span| text[span.start..span.end].to_owned();
        let passages = passages(text).into_iter().map(|passage| {
            let words: Vec<String> = passage.words.iter().map(slice).collect();
            (passage.defines.is_some(), words.join(" "))
        });
        passages.collect()
    }

    #[track_caller]
    fn assert_split(text: &str, expected: &[(bool, &str)]) {
        let expected = expected.iter().map(|(is, text)| (*is, (*text).to_owned()));
        assert_eq!(split(text), expected.collect::<Vec<_>>());
    }

    #[test]
    fn a_definition_ends_with_its_line_and_goes_on_in_indented_ones_and_brackets() {
        assert_split("def a = 1\na", &[(true, "def a = 1"), (false, "a")]);
        assert_split("def a =\n  1\n+ 2", &[(true, "def a = 1"), (false, "+ 2")]);
        assert_split(
            "def a = (1,\n2) + 3; a",
            &[(true, "def a = (1, 2) + 3"), (false, "a")],
        );
        assert_split(
            "def a(x) = x // one; two\n\na(1)",
            &[(true, "def a(x) = x"), (false, "a(1)")],
        );
    }

    #[test]
    fn a_rule_ends_before_a_line_with_a_name_or_a_definition() {
        assert_split("a: 1\nb: 2\n+ 3", &[(false, "a: 1"), (false, "b: 2 + 3")]);
        assert_split(
            "1 +\n2\ndef x = 3",
            &[(false, "1 + 2"), (true, "def x = 3")],
        );
        assert_split("d{1: 2,\n3: 4}", &[(false, "d{1: 2, 3: 4}")]);
        assert_split("\"a;b\": 1;2", &[(false, "\"a;b\": 1"), (false, "2")]);
        assert_split("def = 1", &[(false, "def = 1")]);
        assert_split("def x == 1", &[(false, "def x == 1")]);
    }
}
