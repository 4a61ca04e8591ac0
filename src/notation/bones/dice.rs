//! Dice of another notation in a rule, each a number: `if d20 + 5 >= 15 then 2d6+3 else 0`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::lexer::{Lexed, Names, Token};
use super::traps::value_of;
use super::tree::{Binder, Function, Node, Pair, Tree, Word};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::notation::reader::quote::shortened;
use crate::notation::reader::tree::NodeId;
use crate::notation::syntax::Dice;
use crate::source::Source;

/// Dice by the byte at which they begin.
pub(super) type Found = BTreeMap<usize, Arc<dyn Dice>>;

/// The dice among some tokens. Dice directly behind a word or a number, and dice that their notation does not read, become unknown
/// signs.
pub(super) fn found(source: &Source, lexed: &mut Lexed, names: Names<'_>) -> Found {
    let mut found = Found::new();
    let Some(notation) = names.dice else {
        return found;
    };
    let Lexed { tokens, spans } = lexed;
    for (token, &span) in tokens.iter_mut().zip(&*spans) {
        if *token != Token::Dice {
            continue;
        }
        let before = source.text()[..span.start].chars().next_back();
        let is_glued = before.is_some_and(|before| before.is_alphanumeric() || before == '_');
        match notation.dice(source, span).filter(|_| !is_glued) {
            Some(dice) => drop(found.insert(span.start, dice)),
            None => *token = Token::Unknown,
        }
    }
    found
}

/// The error about a word for lists directly over dice, of which only the total is known.
pub(super) fn as_list(tree: &Tree) -> Option<Error> {
    let dice = tree.ids().find_map(|id| {
        let list = tree.ungrouped(list_of(tree, id)?);
        matches!(tree.node(list), Node::Dice(_)).then_some(list)
    })?;
    let (message, help) = about(tree, dice);
    let finding = Diagnostic::new(tree.span(dice), message).with_help(help);
    Some(Error::new(ErrorKind::Type, finding))
}

/// The warnings about dice: those of their notation, and those about words for lists over names of dice.
pub(super) fn warnings(tree: &Tree) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for id in tree.ids() {
        if let Node::Dice(dice) = tree.node(id) {
            found.extend(dice.warnings());
        }
        let Some(list) = list_of(tree, id).map(|list| tree.ungrouped(list)) else {
            continue;
        };
        let is_name = matches!(tree.node(list), Node::Name);
        let value = is_name.then(|| value_of(tree, tree.words(list))).flatten();
        if let Some(dice) = value.filter(|&value| matches!(tree.node(value), Node::Dice(_))) {
            let name = shortened(tree.words(list));
            let (total, help) = about(tree, dice);
            let message = format!("`{name}` is one number: {total}");
            found.push(Diagnostic::new(tree.span(list), message).with_help(help));
        }
    }
    found
}

/// What dice are, and how a list of them is written.
fn about(tree: &Tree, dice: NodeId) -> (String, String) {
    let words = tree.words(dice);
    let message = format!("`{}` is a total", shortened(words));
    let list = words.replacen(['d', 'D'], "#d", 1);
    let is_plain = list.bytes().filter(u8::is_ascii_alphabetic).count() == 1;
    let help = if is_plain {
        format!("the dice are `{}`", shortened(&list))
    } else {
        "dice are written with `#`: the highest of four are `high 1 4#d6`".to_owned()
    };
    (message, help)
}

/// The operand of a word for lists. The sum of a total is the total.
fn list_of(tree: &Tree, id: NodeId) -> Option<NodeId> {
    match *tree.node(id) {
        Node::Word(Word::Sum, _) => None,
        Node::Word(_, list)
        | Node::Filter(_, _, list)
        | Node::Pair(Pair::At | Pair::Rank, _, list) => Some(list),
        Node::Again(_, dice) => match *tree.node(dice) {
            Node::On(dice, ..) => Some(dice),
            _ => Some(dice),
        },
        Node::Bind(Binder::Foreach | Binder::Select, binding) => Some(binding.value),
        Node::Function(Function::Max | Function::Min, ref arguments) => match arguments[..] {
            [only] => Some(only),
            _ => None,
        },
        _ => None,
    }
}
