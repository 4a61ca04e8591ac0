//! Matches the pattern of a row against tokens, with backtracking.

use std::ops::Range;

use super::holes::{Bound, Held};
use super::line::TokenLine;
use super::pattern::{Element, Hole, Item};
use super::rewrite;
use super::table::{Row, Table};
use super::token::{Token, TokenKind};

/// What a pattern matches.
#[derive(Debug)]
pub(super) struct Match {
    /// The place in the text.
    pub(super) place: Range<usize>,
    /// The token behind it.
    pub(super) end: usize,
    pub(super) bound: Vec<Bound>,
}

/// The rest of the match after some elements. It is given a place and the contents of the holes so far.
type Then<'t> = &'t mut dyn FnMut(usize, &[Bound]) -> bool;

/// The texts that a row makes of a text, each with the first place that it changes.
pub(super) fn applied(
    table: &Table,
    row: &Row,
    text: &str,
    tokens: &[Token],
) -> Vec<(Match, String)> {
    let has = |word: &String| tokens.iter().any(|token| token.text == *word);
    if !row.needed.iter().all(|any| any.iter().any(has)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut start = 0;
    while start < tokens.len() {
        let matched = matched(table, row, text, tokens, start);
        start += 1;
        let Some(matched) = matched else { continue };
        let Some(rewritten) = rewrite::rewritten(row.rewrite, &matched.bound) else {
            continue;
        };
        let before = &text[..matched.place.start];
        if !is_apart(before, &rewritten) || !is_apart(&rewritten, &text[matched.place.end..]) {
            continue;
        }
        if row.is_for_all {
            start = matched.end;
        }
        found.push((matched, rewritten));
    }
    let replaced = |text: &mut String, (matched, rewritten): &(Match, String)| {
        replace(text, matched.place.clone(), rewritten);
    };
    if row.is_for_all {
        // From the end on, so that the places before stay where they are.
        let mut whole = text.to_owned();
        found.iter().rev().for_each(|one| replaced(&mut whole, one));
        found.truncate(1);
        for one in &mut found {
            one.1.clone_from(&whole);
        }
        return found;
    }
    for one in &mut found {
        let mut whole = text.to_owned();
        replaced(&mut whole, one);
        one.1 = whole;
    }
    found
}

/// Puts a text in the place of another. A comment in it goes to the end of the whole, because it would hide what follows.
fn replace(text: &mut String, place: Range<usize>, by: &str) {
    let follows = !text[place.end..].trim().is_empty();
    if let Some((by, comment)) = by.split_once("//").filter(|_| follows) {
        let sign = if text.contains("//") { " " } else { " //" };
        text.replace_range(place, by.trim_end());
        text.push_str(sign);
        text.push_str(comment);
        return;
    }
    // One blank stands between words, not two.
    let is_blank = text[place.end..].starts_with(' ');
    text.replace_range(place, if is_blank { by.trim_end() } else { by });
}

/// Whether two texts can stand side by side without forming a longer number or word.
fn is_apart(before: &str, behind: &str) -> bool {
    let sides = (before.chars().next_back(), behind.chars().next());
    let (Some(before), Some(behind)) = sides else {
        return true;
    };
    let is = |is_so: fn(char) -> bool| is_so(before) && is_so(behind);
    !is(|letter| letter.is_ascii_digit()) && !is(char::is_alphabetic)
}

/// The match of a row that begins at a token.
fn matched(table: &Table, row: &Row, text: &str, tokens: &[Token], start: usize) -> Option<Match> {
    let line = TokenLine {
        table,
        text,
        tokens,
    };
    let mut found = None;
    let mut then = |at: usize, bound: &[Bound]| {
        let is_meant = at > start && rewrite::holds(row.guards, bound);
        found = is_meant.then(|| (at, bound.to_vec()));
        is_meant
    };
    Matcher { line, start }.all(&row.pattern, start, &[], &mut then);
    let (end, bound) = found?;
    Some(Match {
        place: tokens[start].place.start..tokens[end - 1].place.end,
        end,
        bound,
    })
}

/// The signs that an operand may begin with.
const OPERAND_SIGNS: [&str; 12] = [
    "(", "{", "[", "[[", "-", "!", "<", ">", "=", ">=", "<=", "==",
];

struct Matcher<'a> {
    line: TokenLine<'a>,
    start: usize,
}

impl Matcher<'_> {
    /// Whether the elements match from a token on, and then what follows.
    fn all(&self, elements: &[Element], at: usize, bound: &[Bound], then: Then) -> bool {
        match elements.split_first() {
            None => then(at, bound),
            Some((first, rest)) => self.repeated(first, 0, rest, at, bound, then),
        }
    }

    /// Whether an element matches once more, or else the elements behind it.
    fn repeated(
        &self,
        element: &Element,
        times: usize,
        rest: &[Element],
        at: usize,
        bound: &[Bound],
        then: Then,
    ) -> bool {
        let token = self.line.token(at);
        let fits = |glue| token.is_some_and(|token| token.is_glued == glue);
        let may_match = times < element.most && element.glue.is_none_or(fits);
        let once_more = may_match
            && self.item(&element.item, rest, at, bound, &mut |next, bound| {
                if element.most == 1 {
                    self.all(rest, next, bound, then)
                } else {
                    next > at && self.repeated(element, times + 1, rest, next, bound, then)
                }
            });
        once_more || times >= element.least && self.all(rest, at, bound, then)
    }

    fn item(&self, item: &Item, rest: &[Element], at: usize, bound: &[Bound], then: Then) -> bool {
        let line = self.line;
        match item {
            Item::Begin { is_whole } => {
                (line.is_first(at) || !is_whole && line.begins(at)) && then(at, bound)
            }
            Item::End { is_whole } => {
                (line.is_over(at) || !is_whole && line.ends(at)) && then(at, bound)
            }
            Item::Word(word) => line.is(at, word) && then(at + 1, bound),
            Item::AnyOf(several) => several.iter().any(|one| self.all(one, at, bound, then)),
            Item::Hole(
                name,
                Hole::Run {
                    dice: needed,
                    has_bounds,
                },
            ) => {
                let mut ends = self
                    .runs((*needed, *has_bounds), rest.is_empty(), at)
                    .into_iter();
                ends.any(|end| {
                    let dice = line.dice(at).filter(|dice| dice.0 == end);
                    let (_, held) = line.part(at, end, dice.map(|(_, dice)| dice));
                    then(end, &with(bound, name, held))
                })
            }
            Item::Hole(name, hole) => {
                let held = line.held(name, *hole, rest, at);
                held.is_some_and(|(end, held)| then(end, &with(bound, name, held)))
            }
        }
    }

    /// The ends of the runs of tokens with matching brackets that begin here, the shortest first. The last run of a pattern goes to
    /// the end of its segment, and the first one begins with its segment.
    fn runs(
        &self,
        (needed, has_bounds): (Option<bool>, bool),
        is_last: bool,
        at: usize,
    ) -> Vec<usize> {
        let line = self.line;
        let mut ends = Vec::new();
        // A number before `#` or `+` is not the beginning of the operand behind the sign.
        let is_operand = !line.is_kind(at, TokenKind::Sign) || line.is_any(at, &OPERAND_SIGNS);
        if !is_operand || at == self.start && !line.begins(at) {
            return ends;
        }
        let (mut depth, mut dice) = (0, false);
        for next in at..line.tokens.len() {
            if depth == 0 && line.ends(next) && !(has_bounds && line.is_bound(next)) {
                break;
            }
            let Some(behind) = line.depth(depth, next) else {
                break;
            };
            depth = behind;
            dice |= line.is_die(next);
            if depth == 0
                && needed.is_none_or(|needed| needed == dice)
                && (!is_last || line.ends(next + 1))
            {
                ends.push(next + 1);
            }
        }
        ends
    }
}

/// What holes hold, with one more.
fn with(bound: &[Bound], name: &str, held: Held) -> Vec<Bound> {
    let mut bound = bound.to_vec();
    bound.push((name.into(), held));
    bound
}
