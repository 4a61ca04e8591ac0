//! Gaps, which are the blanks and comments between tokens, and words, which are the runs of characters between gaps. A text
//! is split into rules by its words, before it is split into tokens.

use super::quote::quoted;
use crate::source::Span;

/// The comments of a notation, which may stand between tokens as blanks may.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gaps {
    /// The signs that begin a comment anywhere. A comment ends with its line.
    pub(crate) comments: &'static [&'static str],
    /// The signs that begin a comment only at the beginning of a line.
    pub(crate) line_comments: &'static [&'static str],
}

/// Gaps without comments.
pub(crate) const BLANKS: Gaps = Gaps {
    comments: &[],
    line_comments: &[],
};

/// Whether a character is whitespace or a byte order mark.
pub(crate) fn is_blank(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

impl Gaps {
    /// The end of the gap that begins at `start`; `start` itself if no gap begins there. `begins_line` says whether a line
    /// comment may begin at `start`, or after blanks.
    pub(crate) fn end(self, text: &str, start: usize, begins_line: bool) -> usize {
        let mut at = start;
        let mut may_begin_line = begins_line;
        let mut after_line_end = false;
        while let Some(next) = text[at..].chars().next() {
            if is_blank(next) {
                after_line_end = next == '\n';
                at += next.len_utf8();
            } else if self.is_comment(&text[at..], may_begin_line || after_line_end) {
                at += text[at..].find('\n').unwrap_or(text.len() - at);
                may_begin_line = false;
                after_line_end = false;
            } else {
                break;
            }
        }
        at
    }

    /// Whether a place is the first of a line, or has only blanks before it in the whole text.
    pub(super) fn begins_line(text: &str, at: usize) -> bool {
        let before = &text[..at];
        before.ends_with('\n') || before.chars().rev().all(is_blank)
    }

    fn is_comment(self, rest: &str, begins_line: bool) -> bool {
        let begins = |signs: &[&str]| signs.iter().any(|sign| rest.starts_with(sign));
        begins(self.comments) || begins_line && begins(self.line_comments)
    }

    /// The words of each rule of a text. A separator ends a rule; a rule without words is left out.
    pub(crate) fn words(self, text: &str, separator: Option<char>) -> Vec<Vec<Span>> {
        let mut rules = vec![Vec::new()];
        let mut at = self.end(text, 0, true);
        while at < text.len() {
            let start = at;
            let ends = |rest: &str, letter| {
                is_blank(letter) || Some(letter) == separator || self.is_comment(rest, false)
            };
            let mut end = None;
            while let Some(letter) = text[at..].chars().next() {
                if let Some(length) = quoted(&text[at..]) {
                    at += length;
                } else if ends(&text[at..], letter) {
                    end = Some(letter);
                    break;
                } else {
                    at += letter.len_utf8();
                }
            }
            if at > start {
                rules
                    .last_mut()
                    .expect("there is one")
                    .push(Span::new(start, at));
            }
            if let Some(letter) = end
                && Some(letter) == separator
            {
                rules.push(Vec::new());
                at += letter.len_utf8();
            }
            at = self.end(text, at, false);
        }
        rules.retain(|words| !words.is_empty());
        rules
    }
}

/// The words of each line, for notations with one rule in each line. A line that begins with `//` is a comment.
pub(crate) fn lines(text: &str) -> Vec<Vec<Span>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let is_comment = line.trim_start_matches(is_blank).starts_with("//");
        if !is_comment {
            for words in BLANKS.words(line, None) {
                let places = words.into_iter();
                let places = places.map(|word| Span::new(start + word.start, start + word.end));
                lines.push(places.collect());
            }
        }
        start += line.len();
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_words(gaps: Gaps, text: &str, rules: &[&[&str]]) {
        let found = gaps.words(text, Some(';'));
        let slice = |word: &Span| &text[word.start..word.end];
        let found: Vec<Vec<&str>> = found
            .iter()
            .map(|words| words.iter().map(slice).collect())
            .collect();
        assert_eq!(found, rules);
    }

    #[test]
    fn comments_separate_words_and_end_with_their_line() {
        let slashes = Gaps {
            comments: &["//"],
            line_comments: &[],
        };
        assert_words(slashes, "6//2\n/2 // end", &[&["6", "/2"]]);
        assert_words(slashes, "\"a; //b\" c", &[&["\"a; //b\"", "c"]]);
        assert_words(slashes, "a; b c;;// d;\n e", &[&["a"], &["b", "c"], &["e"]]);
    }

    #[test]
    fn some_comments_begin_where_a_line_does() {
        let hashes = Gaps {
            comments: &["//"],
            line_comments: &["#"],
        };
        assert_words(hashes, "\n  # note\n#more\n3\n #4", &[&["3", "#4"]]);
        assert_words(hashes, "// x\n #3", &[&["#3"]]);
    }

    #[test]
    fn each_line_but_a_comment_is_a_rule() {
        let text = "// one\n2d6\n\n  // two\n 1?2:3 \n6//3";
        let lines = lines(text);
        assert_eq!(lines.len(), 3);
        assert_eq!(&text[lines[1][0].start..lines[1][0].end], "1?2:3");
    }
}
