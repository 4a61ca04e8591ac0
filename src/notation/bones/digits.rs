//! Names with digits, as other languages have them, in letters.

use super::lexer::KEYWORDS;
use crate::notation::reader::quote::is_short;

/// The most digits of a name that are written as letters.
const MOST_DIGITS: usize = 3;

/// A name of letters for a name with digits at its end: `xb` for `x2`. `None` for what is rather a die, as in `dd6`.
pub(super) fn spelt(letters: &str, digits: &str) -> Option<String> {
    if letters.ends_with(['d', 'D']) || digits.len() > MOST_DIGITS || !is_short(letters) {
        return None;
    }
    let letter = |digit: u8| match digit {
        b'0' => 'o',
        digit => char::from(b'a' + (digit - b'1')),
    };
    let mut name = letters.to_owned();
    name.extend(digits.bytes().map(letter));
    if KEYWORDS.iter().any(|(keyword, _)| *keyword == name) {
        name.push('x');
    }
    Some(name)
}
