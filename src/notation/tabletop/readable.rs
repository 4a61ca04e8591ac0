//! Whether a text is a roll. A suggestion is read before it is made.

use super::{check, grammar, lexer};
use crate::source::Source;

/// The longest text that a suggestion is made for.
pub(super) const MOST_QUOTED: usize = 100;

/// A short text, if it is a roll, or several with `;` between them.
pub(super) fn readable(text: String) -> Option<String> {
    let is_quotable = text.len() <= MOST_QUOTED && !text.contains(['\n', '`']);
    let is_readable =
        is_quotable && (is_roll(&text) || text.contains(';') && text.split(';').all(is_roll));
    is_readable.then_some(text)
}

fn is_roll(text: &str) -> bool {
    let source = Source::new("suggestion", text);
    let lexed = lexer::lex(text, source.span());
    grammar::parse(&source, &lexed).is_ok_and(|tree| check::mistakes(&tree).is_empty())
}
