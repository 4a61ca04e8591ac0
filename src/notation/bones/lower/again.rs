//! Dice that explode or are rolled again.

use std::collections::BTreeSet;

use super::lowering::Lowering;
use super::values::{Members, TypedTerm};
use crate::error::{Diagnostic, ErrorKind};
use crate::ir::{Comparison, Selection};
use crate::notation::bones::tree::{Again, Node};
use crate::notation::reader::quote::shortened;
use crate::notation::reader::tree::{Node as _, NodeId};
use crate::number::Integer;

/// The faces on which dice are rolled once more.
#[derive(Clone, Copy)]
struct On<'v> {
    again: Again,
    /// `None` for the greatest face.
    faces: Option<(&'v TypedTerm, NodeId)>,
    once: bool,
    /// The node of the whole.
    whole: NodeId,
}

impl Lowering<'_, '_> {
    /// `explode E`, `explode E on L`, `reroll E on L`, `reroll E once on L`
    pub(super) fn again(&mut self, whole: NodeId, again: Again, dice: NodeId) -> TypedTerm {
        let (dice, once, list) = match *self.tree.node(dice) {
            Node::On(dice, once, list) => (dice, once, Some(list)),
            _ => (dice, false, None),
        };
        let refused = match (again, list) {
            (Again::Reroll, None) => Some((
                "`reroll` lacks `on` directly behind its dice",
                "write `reroll d6 on 1`; a total is rolled again by `reroll x = … until …`",
            )),
            (Again::Explode, Some(_)) if once => Some((
                "`once` belongs to `reroll`",
                "leave it out, as in `explode d6 on 6`",
            )),
            _ => None,
        };
        if let Some((message, help)) = refused {
            let finding = Diagnostic::new(self.span(whole), message).with_help(help);
            return self.refuse(ErrorKind::Parse, finding);
        }
        let mut bound = Vec::new();
        let faces = list.map(|list| {
            let faces = self.term(list);
            let faces = self.as_member(&faces, list);
            self.variable(&mut bound, faces)
        });
        let on = On {
            again,
            faces: faces.as_ref().zip(list),
            once,
            whole,
        };
        let value = self.each_again(dice, on);
        self.bound(bound, value)
    }

    /// Each die of an expression by itself.
    fn each_again(&mut self, dice: NodeId, on: On<'_>) -> TypedTerm {
        match *self.tree.node(dice) {
            Node::Group(Some(inner)) => self.each_again(inner, on),
            Node::Join(ref members) => {
                let members = members.iter();
                let members: Vec<_> = members
                    .map(|&member| (self.each_again(member, on), member))
                    .collect();
                self.join(&members)
            }
            Node::Repeat(count, body) => {
                self.times(dice, count, body, |this| this.each_again(body, on))
            }
            _ => self.one_again(dice, on),
        }
    }

    /// One die.
    fn one_again(&mut self, dice: NodeId, on: On<'_>) -> TypedTerm {
        let word = on.again.word();
        let text = shortened(self.tree.words(dice));
        if !self.rolls(dice) {
            let message = format!("`{text}` is rolled already");
            let finding = Diagnostic::new(self.span(dice), message)
                .with_help(format!("roll it here: write `let x = {word} 3#d6 on 1`"));
            return self.refuse(ErrorKind::Type, finding);
        }
        let mut bound = Vec::new();
        let (mut die, greatest) = if let Node::Die(sides) = *self.tree.node(dice) {
            // Sides that are rolled are rolled once.
            let site = self.site(dice, sides, sides);
            let value = self.term(sides);
            let known = value.known_number();
            let sides = TypedTerm::number(self.number(&value, sides)).with_number(known);
            let sides = self.variable(&mut bound, sides);
            (
                TypedTerm::number(self.build.die(sides.expr, site)),
                Some(sides),
            )
        } else {
            let value = self.term(dice);
            let die = self.as_member(&value, dice);
            let greatest = match self.tree.node(dice) {
                Node::Percentile => Some(Integer::from(100)),
                // Labels and records have no greatest one.
                _ if die.members != Members::Numbers => None,
                _ => self
                    .build
                    .faces(die.expr)
                    .and_then(|faces| faces.last().cloned()),
            };
            let greatest = greatest.map(|face| {
                TypedTerm::number(self.build.integer(face.clone())).with_number(Some(face))
            });
            (die, greatest)
        };
        // Compared values must have members of one form.
        let faces = match on.faces {
            Some((faces, list)) => {
                let both = [(die.clone(), dice), (faces.clone(), list)];
                match <[TypedTerm; 2]>::try_from(self.alike(&both)) {
                    Ok([like, faces]) => {
                        die = like;
                        Some(faces)
                    }
                    Err(_) => None,
                }
            }
            None => greatest,
        };
        let members = die.members.clone();
        let die = self.only(&die, dice);
        let Some(faces) = faces else {
            let message = format!("on what does `{text}` explode?");
            let finding = Diagnostic::new(self.span(dice), message)
                .with_help(format!("write `explode {text} on 6`"));
            return self.refuse(ErrorKind::Type, finding);
        };
        if self.failure.is_some() {
            return TypedTerm::list(self.build.empty());
        }
        let site = self.site_at(on.whole);
        let name = self.build.name_of(die);
        let shown = self.build.variable(name);
        // The faces that are equal to what is shown.
        let test = self
            .build
            .filter(Comparison::Equal, shown, faces.expr, site);
        if on.once {
            let other = self.build.choose(test, die, shown);
            let value = self.build.bind(name, die, other);
            return self.bound(bound, TypedTerm::number(value).of(members));
        }
        let nothing = self.build.empty();
        let next = self.build.choose(test, die, nothing);
        let rolls = self.build.repeat_while(name, die, next);
        let value = match on.again {
            Again::Explode => TypedTerm::list(rolls),
            Again::Reroll => {
                let one = self.build.integer(1);
                TypedTerm::number(self.build.select(Selection::Last, one, rolls, site))
            }
        };
        self.bound(bound, value.of(members))
    }

    /// Whether an expression rolls anything, as far as its text shows it.
    fn rolls(&self, id: NodeId) -> bool {
        let mut open = vec![(self.tree, id)];
        let mut seen = BTreeSet::new();
        while let Some((tree, id)) = open.pop() {
            let node = tree.node(id);
            let name = match node {
                node if node.rolls() => return true,
                // The arguments are rolled before.
                Node::Call(name, _) => Some(tree.slice(*name)),
                Node::Name => Some(tree.words(id)),
                _ => None,
            };
            let Some(name) = name else {
                node.each_operand(|operand| open.push((tree, operand)));
                continue;
            };
            let is_bound = self.scope.iter().any(|bound| bound.name == name);
            if let Some(&place) = self.places.get(name)
                && !is_bound
                && seen.insert(place)
            {
                let body = &self.definitions[place].tree;
                open.push((body, body.root));
            }
        }
        false
    }
}
