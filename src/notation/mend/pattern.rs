//! Patterns over tokens, with holes: `{M} drop the? {end}`.
//!
//! A pattern is a row of elements with blanks between them:
//!
//! | element | is |
//! |---|---|
//! | `drop` `>=` `(` | this word or sign |
//! | `(vs\|dc)`, `(at least\|from)` | one of several words, or of several runs of words |
//! | `{n}`, any name of one small letter | a number in digits or as a word; `6s` is one, too |
//! | `{face}` | a number of which there are several: `6s`, `sixes` |
//! | `{arms}` | a table of results: `1-2 nothing, 3-5 goblins, 6+ a dragon` |
//! | `{values}` | values of a set, as a condition on `t`: `7, 11 or 12` |
//! | `{at}` | a name from outside, without its `@` |
//! | `{D}` | plain dice: `4d6`, `d%`, `4dF` |
//! | `{M}` | dice, or a pair of brackets, with all that is glued to them: `4d6kh3!` |
//! | `{L}` | dice beside each other, or with commas or words between them; they are written as a sum |
//! | `{faces}` | what stands between square brackets or braces |
//! | `{label}` | one to four words before dice, the first of them no word of games |
//! | `{R}` | a run with dice in it, as short as the pattern allows; brackets in it match |
//! | `{X}` | the same with or without dice |
//! | `{A}` | the same over the bounds of segments |
//! | `{P}` | the same, but without dice |
//! | `{W}` | a word that is no word of games, or a name with digits: `x2` |
//! | `{id}` | any word, where a name is given or used |
//! | `{bonus}` | numbers and names that are added: `+5-@str` |
//! | `{comment}` | one to four words at the end of the text, none of them a word of games |
//! | `{end}`, any other name | a word of a class, which stands for another one |
//! | `{text}` | a text between quotes |
//! | `^` `$` | the beginning and the end of a segment, which is what stands between brackets, commas and such |
//! | `^^` `$$` | the beginning and the end of the whole text |
//!
//! Before an element, `_` says that it is glued to the token before, and `~` that it is not. Behind it, `?` says that it may be
//! missing, `*` that it may also be there several times, and `+` that it is there once or more. Several holes of a kind have
//! further letters: `{R}` and `{R2}`.

use std::collections::{BTreeMap, BTreeSet};

/// The classes of a table: each maps words to words.
pub(super) type Classes = BTreeMap<String, BTreeMap<String, String>>;

/// An element of a pattern.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) item: Item,
    pub(super) glue: Option<bool>,
    pub(super) least: usize,
    pub(super) most: usize,
}

/// What an element matches.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Word(String),
    AnyOf(Vec<Vec<Element>>),
    Hole(String, Hole),
    /// Where a segment begins, or the whole text.
    Begin {
        is_whole: bool,
    },
    /// Where a segment ends, or the whole text.
    End {
        is_whole: bool,
    },
}

/// The kinds of holes. A run may have to have dice, or to have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hole {
    Arms,
    Bonus,
    Class,
    Comment,
    Dice,
    Face,
    Faces,
    Label,
    Modified,
    Outside,
    Number,
    Run {
        dice: Option<bool>,
        has_bounds: bool,
    },
    Several,
    Text,
    Values,
    Word {
        is_plain: bool,
    },
}

impl Hole {
    fn of(name: &str, classes: &Classes) -> Option<Self> {
        let plain = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
        Some(match plain {
            "arms" => Self::Arms,
            "at" => Self::Outside,
            "bonus" => Self::Bonus,
            "face" => Self::Face,
            "faces" => Self::Faces,
            "label" => Self::Label,
            "comment" => Self::Comment,
            "text" => Self::Text,
            "values" => Self::Values,
            "D" => Self::Dice,
            "L" => Self::Several,
            "M" => Self::Modified,
            "A" => Self::Run {
                dice: None,
                has_bounds: true,
            },
            "P" => Self::Run {
                dice: Some(false),
                has_bounds: true,
            },
            "R" => Self::Run {
                dice: Some(true),
                has_bounds: false,
            },
            "X" => Self::Run {
                dice: None,
                has_bounds: false,
            },
            "W" => Self::Word { is_plain: true },
            "id" => Self::Word { is_plain: false },
            _ if plain.len() == 1 && plain.starts_with(|name: char| name.is_ascii_lowercase()) => {
                Self::Number
            }
            _ if classes.contains_key(plain) => Self::Class,
            _ => return None,
        })
    }
}

/// The elements of a pattern. `None` if it is none.
pub(super) fn pattern(text: &str, classes: &Classes) -> Option<Vec<Element>> {
    let mut elements = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let length = length(rest)?;
        elements.push(element(&rest[..length], classes)?);
        rest = rest[length..].trim_start();
    }
    Some(elements)
}

/// The length of the element at the beginning of a text. Blanks in parentheses belong to it.
fn length(text: &str) -> Option<usize> {
    let begins = text.trim_start_matches(['_', '~']);
    let group = begins.starts_with('(') && begins.len() > 1 && !begins[1..].starts_with(' ');
    let from = if group { text.find(')')? } else { 0 };
    Some(text[from..].find(' ').map_or(text.len(), |end| from + end))
}

fn element(text: &str, classes: &Classes) -> Option<Element> {
    let (glue, text) = match text.split_at_checked(1) {
        Some(("_", rest)) if !rest.is_empty() => (Some(true), rest),
        Some(("~", rest)) if !rest.is_empty() => (Some(false), rest),
        _ => (None, text),
    };
    let (text, least, most) = match text.char_indices().next_back() {
        Some((0, _)) | None => (text, 1, 1),
        Some((at, '?')) => (&text[..at], 0, 1),
        Some((at, '*')) if text != "**" => (&text[..at], 0, usize::MAX),
        Some((at, '+')) => (&text[..at], 1, usize::MAX),
        Some(_) => (text, 1, 1),
    };
    let inner = |open: char, close: char| text.strip_prefix(open)?.strip_suffix(close);
    let item = if let Some(name) = inner('{', '}') {
        Item::Hole(name.into(), Hole::of(name, classes)?)
    } else if let Some(several) = inner('(', ')') {
        let several = several.split('|').map(|one| pattern(one, classes));
        Item::AnyOf(several.collect::<Option<_>>()?)
    } else {
        match text {
            "^" | "^^" => Item::Begin {
                is_whole: text.len() > 1,
            },
            "$" | "$$" => Item::End {
                is_whole: text.len() > 1,
            },
            word => Item::Word(word.into()),
        }
    };
    Some(Element {
        item,
        glue,
        least,
        most,
    })
}

/// Visits all words of a pattern, also those of alternatives.
pub(super) fn words<'p>(elements: &'p [Element], visit: &mut impl FnMut(&'p str)) {
    for element in elements {
        match &element.item {
            Item::Word(word) => visit(word),
            Item::AnyOf(several) => several.iter().for_each(|one| words(one, visit)),
            _ => {}
        }
    }
}

/// Visits all words of a pattern but those of alternatives of several words.
pub(super) fn single_words<'p>(elements: &'p [Element], visit: &mut impl FnMut(&'p str)) {
    for element in elements {
        match &element.item {
            Item::Word(word) => visit(word),
            Item::AnyOf(several) => {
                let single = several.iter().filter(|one| one.len() == 1);
                single.for_each(|one| words(one, visit));
            }
            _ => {}
        }
    }
}

/// For each element that must be there, the words that it can be; none for those that can be any.
pub(super) fn needed(elements: &[Element], classes: &Classes) -> Vec<BTreeSet<String>> {
    let needed = elements.iter().filter(|element| element.least > 0);
    let needed = needed.filter_map(|element| match &element.item {
        Item::Word(word) => Some(BTreeSet::from([word.clone()])),
        Item::AnyOf(several) => several.iter().try_fold(BTreeSet::new(), |mut all, one| {
            let first = needed_first(one, classes)?;
            all.extend(first);
            Some(all)
        }),
        Item::Hole(name, Hole::Class) => {
            let plain = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
            Some(classes.get(plain)?.keys().cloned().collect())
        }
        _ => None,
    });
    needed.collect()
}

/// The words that the first element can be that must be there.
fn needed_first(elements: &[Element], classes: &Classes) -> Option<BTreeSet<String>> {
    needed(elements, classes).into_iter().next()
}
