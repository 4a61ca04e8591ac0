//! The name of a rule, and perhaps a dialect, in front of the rule.

use super::gaps::is_blank;
use super::quote::quoted;

/// The name of a rule, and perhaps a dialect, in front of the rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head<'s> {
    pub(crate) name: &'s str,
    /// The dialect in brackets, with the place of its first byte.
    pub(crate) dialect: Option<(usize, &'s str)>,
    /// The number of bytes before the rule, with the colon.
    pub(crate) length: usize,
}

/// The head at the beginning of a text: a name, perhaps a dialect in brackets, then a colon and a blank.
///
/// A name is any text between double quotes; or a letter, then letters, digits, blanks and `_ ' / -`, without two slashes in a
/// row, because they begin a comment; or, if free names are allowed, any text before the first colon with a blank after it, in
/// one line and without `;`, `{`, `"`, `?`, `=` and comments, which does not begin as a
/// loop or a choice does, and closes what it opens.
pub(crate) fn head(text: &str, is_free: bool) -> Option<Head<'_>> {
    if let Some(length) = quoted(text) {
        return after_name(text, &text[1..length - 1], length);
    }
    plain(text).or_else(|| free(text).filter(|_| is_free))
}

fn plain(text: &str) -> Option<Head<'_>> {
    if !text.starts_with(char::is_alphabetic) {
        return None;
    }
    let is_in_name = |letter: char| letter.is_alphanumeric() || " \t_'/-".contains(letter);
    let end = text.find(|letter| !is_in_name(letter))?;
    if text[..end].contains("//") {
        return None;
    }
    after_name(text, text[..end].trim_end(), end)
}

/// The head after a name that ends at a byte.
fn after_name<'s>(text: &'s str, name: &'s str, end: usize) -> Option<Head<'s>> {
    let blanks = |text: &'s str| text.trim_start_matches([' ', '\t']);
    let mut rest = blanks(&text[end..]);
    let mut dialect = None;
    if let Some(bracket) = rest.strip_prefix('[') {
        let (inner, after) = bracket.split_once(']')?;
        // A name does not go on in another line.
        if inner.contains('\n') {
            return None;
        }
        let start = text.len() - bracket.len() + (inner.len() - inner.trim_start().len());
        dialect = Some((start, inner.trim()));
        rest = blanks(after);
    }
    let rest = rest.strip_prefix(':')?;
    (rest.is_empty() || rest.starts_with(is_blank)).then(|| Head {
        name,
        dialect,
        length: text.len() - rest.len(),
    })
}

/// The beginnings of loops and choices, with which no free name begins.
const KEYWORDS: [&str; 5] = ["for ", "foreach ", "if ", "repeat ", "while "];

fn free(text: &str) -> Option<Head<'_>> {
    let line = text.find([';', '{', '"', '?', '=', '\n']);
    let line = &text[..line.unwrap_or(text.len())];
    let line = line.find("//").map_or(line, |comment| &line[..comment]);
    let mut colons = line.match_indices(':').map(|(colon, _)| colon);
    let colon = colons.find(|colon| {
        let rest = &text[colon + 1..];
        rest.is_empty() || rest.starts_with(is_blank)
    })?;
    let before = line[..colon].trim_end();
    let (name, dialect) = match before
        .strip_suffix(']')
        .and_then(|name| name.rsplit_once('['))
    {
        Some((name, inner)) => {
            let start = name.len() + 1 + (inner.len() - inner.trim_start().len());
            (name.trim_end(), Some((start, inner.trim())))
        }
        None => (before, None),
    };
    let is_whole = name.matches('(').count() == name.matches(')').count();
    let is_name = is_whole
        && !KEYWORDS
            .iter()
            .any(|word| name.to_lowercase().starts_with(word));
    (is_name && !name.is_empty()).then_some(Head {
        name,
        dialect,
        length: colon + 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_head(text: &str, is_free: bool, name: &str, dialect: Option<&str>, rule: &str) {
        let head = head(text, is_free).unwrap();
        assert_eq!(head.name, name);
        assert_eq!(head.dialect.map(|(_, dialect)| dialect), dialect);
        if let Some((start, dialect)) = head.dialect {
            assert_eq!(&text[start..start + dialect.len()], dialect);
        }
        assert_eq!(&text[head.length..], rule);
    }

    #[test]
    fn a_name_begins_with_a_letter_and_ends_before_a_colon_and_a_blank() {
        assert_head("heroic: d6", false, "heroic", None, " d6");
        assert_head(
            "Baldur's 3d6/re-roll_1 : d6",
            false,
            "Baldur's 3d6/re-roll_1",
            None,
            " d6",
        );
        assert_head("würfeln: d6", false, "würfeln", None, " d6");
        assert_head("a:\nd6", false, "a", None, "\nd6");
        assert_head(
            "best [ dicelab ]: d6",
            false,
            "best",
            Some("dicelab"),
            " d6",
        );
        for text in [
            "d6",
            "4d6: 1",
            "1?2:3",
            "a:d6",
            "(a): 1",
            "d6 // note: 1",
            "a\nb: 1",
            "a [x\n]: 1",
        ] {
            assert!(head(text, false).is_none(), "{text}");
        }
    }

    #[test]
    fn quotes_and_bones_allow_any_signs_in_a_name() {
        assert_head("\"4d6; {x}\": d6", false, "4d6; {x}", None, " d6");
        assert_head("\"a\" [onedice]: d6", false, "a", Some("onedice"), " d6");
        assert_head("4d6 drop lowest: d6", true, "4d6 drop lowest", None, " d6");
        assert_head("d20+5 (adv.): d6", true, "d20+5 (adv.)", None, " d6");
        assert_head("1:2 [dicelab]: d6", true, "1:2", Some("dicelab"), " d6");
        for text in [
            "d{1: 2}",
            "x = 1: 2",
            "1?2: 3",
            ": 1",
            "\"\": 1",
            "d6 // a: 1",
        ] {
            assert!(head(text, true).is_none(), "{text}");
        }
    }
}
