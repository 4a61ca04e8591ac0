//! Dice of another notation are totals: the errors and warnings about words for lists over them.

use super::misreadings::value_of;
use super::tree::{Binder, Function, Node, Pair, Tree, Word};
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::notation::reader::quote::shortened;
use crate::notation::reader::tree::NodeId;

/// The error about a word for lists directly over dice, of which only the total is known. `count(6, 5d6)` and `count(5d6 >= 5)` are about
/// dice, too, because they count members that are not known.
pub(super) fn as_list(tree: &Tree) -> Option<Error> {
    let dice = tree.ids().find_map(|id| {
        let list = tree.ungrouped(list_of(tree, id)?);
        let is_counted = matches!(tree.node(id), Node::Word(Word::Count, _));
        let parts = match *tree.node(list) {
            Node::Compare(_, a, b) if is_counted => vec![a, b],
            Node::Join(ref members) if is_counted => members.to_vec(),
            _ => vec![list],
        };
        parts.into_iter().find(|&part| is_dice(tree, part))
    })?;
    let dice = tree.ungrouped(dice);
    let (message, help) = about(tree, dice);
    let finding = Diagnostic::new(tree.span(dice), message).with_help(help);
    Some(Error::new(ErrorKind::Type, finding))
}

/// Whether `of` asks for a part of dice, as in `best of 2d20`, which is no Bones.
pub(super) fn are_records(tree: &Tree) -> bool {
    tree.ids().any(|id| match *tree.node(id) {
        Node::Part(_, records) => is_dice(tree, records),
        _ => false,
    })
}

fn is_dice(tree: &Tree, id: NodeId) -> bool {
    matches!(tree.node(tree.ungrouped(id)), Node::Dice(_))
}

/// The warnings about dice: those of their notation, and those about words for lists over names of dice.
pub(super) fn warnings(tree: &Tree) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if !tree.ids().any(|id| is_dice(tree, id)) {
        return found;
    }
    for id in tree.ids() {
        if let Node::Dice(dice) = tree.node(id) {
            found.extend(dice.warnings());
        }
        let Some(list) = list_of(tree, id).map(|list| tree.ungrouped(list)) else {
            continue;
        };
        let is_name = matches!(tree.node(list), Node::Name);
        let value = is_name.then(|| value_of(tree, tree.words(list))).flatten();
        if let Some(dice) = value.filter(|&value| is_dice(tree, value)) {
            let name = shortened(tree.words(list));
            let (total, help) = about(tree, dice);
            let message = format!("`{name}` is one number: {total}");
            found.push(
                Diagnostic::new(tree.span(list), message)
                    .with_code("total")
                    .with_help(help),
            );
        }
    }
    found
}

/// The message about dice, and the help that shows a list of them.
fn about(tree: &Tree, dice: NodeId) -> (String, String) {
    let words = tree.words(dice);
    let message = format!("`{}` is a total", shortened(words));
    let help = match apart(words) {
        Some(list) => format!("the dice are `{}`", shortened(&list)),
        None => "dice are written with `#`: the highest of four are `high 1 4#d6`".to_owned(),
    };
    (message, help)
}

/// Dice without modifiers as a list.
fn apart(dice: &str) -> Option<String> {
    let list = dice.replacen(['d', 'D'], "#d", 1);
    let letters = list
        .bytes()
        .filter(|letter| b"dr!kmx".contains(&letter.to_ascii_lowercase()));
    (letters.count() == 1).then_some(list)
}

/// The operand of a word for lists. The sum of a total is the total.
fn list_of(tree: &Tree, id: NodeId) -> Option<NodeId> {
    match *tree.node(id) {
        Node::Word(Word::Sum, _) => None,
        Node::Word(_, list)
        | Node::Filter(_, _, list)
        | Node::Pair(Pair::At | Pair::Draw | Pair::Rank, _, list) => Some(list),
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
