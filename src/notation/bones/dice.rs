//! Dice of another notation in a rule, each a number: `if d20 + 5 >= 15 then 2d6+3 else 0`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::lexer::{Lexed, Names, Token};
use crate::notation::dice::Dice;
use crate::source::Source;

/// Dice by the byte at which they begin.
pub(super) type DiceByPlace = BTreeMap<usize, Arc<dyn Dice>>;

/// The dice among some tokens. Dice directly behind a word or a number, and dice that their notation does not read, become unknown
/// signs.
pub(super) fn found(source: &Source, lexed: &mut Lexed, names: Names<'_>) -> DiceByPlace {
    let mut found = DiceByPlace::new();
    let Some(reader) = names.dice else {
        return found;
    };
    let Lexed { tokens, spans } = lexed;
    for (token, &span) in tokens.iter_mut().zip(&*spans) {
        if *token != Token::Dice {
            continue;
        }
        let before = source.text()[..span.start].chars().next_back();
        let is_glued = before.is_some_and(|before| before.is_alphanumeric() || before == '_');
        match reader.read(source, span).filter(|_| !is_glued) {
            Some(dice) => drop(found.insert(span.start, dice)),
            None => *token = Token::Unknown,
        }
    }
    found
}
