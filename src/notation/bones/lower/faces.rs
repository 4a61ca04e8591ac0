//! Dice with any faces, and decks.

use std::collections::BTreeMap;

use super::lowering::Lowering;
use super::values::{Members, Value};
use crate::error::{Diagnostic, ErrorKind};
use crate::ir::{Arrangement, Comparison, Expr, Name, Selection};
use crate::notation::bones::tree::Entry;
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;

impl Lowering<'_, '_> {
    /// `dF`
    pub(super) fn fate(&mut self) -> Value {
        let faces = [-1_i64, 0, 1].map(|face| (Integer::from(face), Integer::ONE));
        Value::number(self.build.pick(faces.into()))
    }

    /// `d{…}`: one of the faces. A die with a list of unknown length among its faces draws a card from a deck of them.
    pub(super) fn any_die(&mut self, id: NodeId, entries: &[Entry]) -> Value {
        let mut bound = Vec::new();
        let Some((entries, members)) = self.entries(entries, &mut bound) else {
            return Value::list(self.build.empty());
        };
        let die = self.die_of(id, entries, members);
        self.bound(bound, die)
    }

    fn die_of(
        &mut self,
        id: NodeId,
        mut entries: Vec<(Value, Integer)>,
        members: Members,
    ) -> Value {
        entries.retain(|(face, _)| !face.is_empty());
        let mut weights: BTreeMap<Integer, Integer> = BTreeMap::new();
        for (face, weight) in &entries {
            for member in face.known.as_deref().unwrap_or_default() {
                let sum = weights.entry(member.clone()).or_insert(Integer::ZERO);
                match sum.add(weight) {
                    Ok(larger) => *sum = larger,
                    Err(_) => return self.too_heavy(id),
                }
            }
        }
        let is_known = entries.iter().all(|(face, _)| face.known.is_some());
        if is_known && !weights.is_empty() {
            return Value::number(self.build.pick(weights.into_iter().collect())).of(members);
        }
        let site = self.site_at(id);
        // Without faces it is a deck without cards.
        let is_deck = entries.is_empty()
            || entries
                .iter()
                .any(|(face, _)| face.known.is_none() && face.length != Some(1));
        if is_deck {
            let faces: Vec<_> = entries.into_iter().map(|(face, _)| (face, id)).collect();
            let faces = self.join(&faces);
            let drawn = self.shared(&faces, |this, faces| {
                let deck = this.build.arrange(Arrangement::Shuffle, faces);
                let one = this.build.integer(1);
                let drawn = this.build.select(Selection::First, one, deck, site);
                let nothing = this.build.fail(ErrorKind::BadDie, site);
                Value::number(this.build.choose(faces, drawn, nothing))
            });
            return drawn.of(members);
        }
        // Faces that are rolled are numbers: the die shows the place of one of them.
        let places = (0..entries.len()).map(Integer::from);
        let weights = entries.iter().map(|(face, weight)| {
            let times = face.known.as_ref().map_or(1, |known| known.len());
            weight.mul(&Integer::from(times))
        });
        let Ok(weights) = weights.collect::<Result<Vec<_>, _>>() else {
            return self.too_heavy(id);
        };
        let place = self.build.pick(places.zip(weights).collect());
        let name = self.build.name();
        let shown = self.build.variable(name);
        let mut value = self.build.fail(ErrorKind::BadDie, site);
        for (index, (face, _)) in entries.iter().enumerate().rev() {
            let is_shown = self.members(Comparison::Equal, &Integer::from(index), shown, id);
            let face = match face.known.as_deref() {
                Some(known) if known.len() > 1 => {
                    let even = known.iter().map(|member| (member.clone(), Integer::ONE));
                    let mut weights: BTreeMap<Integer, Integer> = BTreeMap::new();
                    for (member, one) in even {
                        let sum = weights.entry(member).or_insert(Integer::ZERO);
                        *sum = sum.add(&one).unwrap_or(one);
                    }
                    self.build.pick(weights.into_iter().collect())
                }
                _ => face.expr,
            };
            value = self.build.choose(is_shown, face, value);
        }
        Value::number(self.build.bind(name, place, value)).of(members)
    }

    /// `draw n {…}`: the first cards of a shuffled deck.
    pub(super) fn draw(&mut self, id: NodeId, count: NodeId, entries: &[Entry]) -> Value {
        let site = self.site(id, count, id);
        let mut bound = Vec::new();
        let value = self.term(count);
        let value = self.variable(&mut bound, value);
        let number = self.number(&value, count);
        let Some((entries, members)) = self.entries(entries, &mut bound) else {
            return Value::list(self.build.empty());
        };
        let mut cards = Vec::new();
        for (face, weight) in entries {
            let cards_of = if weight == Integer::ONE {
                face
            } else {
                let length = super::known::times(Some(weight.clone()), face.length);
                let times = self.build.integer(weight);
                let list = self.build.repeat(times, face.expr, site);
                Value::list(list).with_length(length).of(members.clone())
            };
            cards.push((cards_of, id));
        }
        let deck = self.join(&cards);
        let length = super::known::selected(Selection::First, value.known_number(), deck.length);
        let deck = self.build.arrange(Arrangement::Shuffle, deck.expr);
        let drawn = self.build.select(Selection::First, number, deck, site);
        let drawn = Value::list(drawn).with_length(length).of(members);
        self.bound(bound, drawn)
    }

    /// The entries with their weights, which are known and at least 1, and what all faces are. A face with a weight is a single
    /// member or known. Faces and weights are evaluated in their order.
    fn entries(
        &mut self,
        entries: &[Entry],
        bound: &mut Vec<(Name, Expr)>,
    ) -> Option<(Vec<(Value, Integer)>, Members)> {
        let has_weights = entries.iter().any(|entry| entry.weight.is_some());
        let (mut faces, mut weights) = (Vec::new(), Vec::new());
        for entry in entries {
            let face = self.term(entry.face);
            let face = self.as_member(&face, entry.face);
            let is_one = face.known.is_some() || face.length == Some(1);
            let face = if has_weights && !is_one {
                Value::number(self.only(&face, entry.face)).of(face.members)
            } else {
                self.number_value(&face, entry.face)
            };
            let face = self.variable(bound, face);
            weights.push(match entry.weight {
                None => Integer::ONE,
                Some(weight) => self.weight(weight, bound)?,
            });
            faces.push((face, entry.face));
        }
        let faces = self.alike(&faces);
        let members = faces.iter().find(|face| !face.is_empty());
        let members = members.map_or(Members::Numbers, |face| face.members.clone());
        let entries = faces.into_iter().zip(weights).collect();
        self.failure.is_none().then_some((entries, members))
    }

    fn weight(&mut self, id: NodeId, bound: &mut Vec<(Name, Expr)>) -> Option<Integer> {
        let value = self.term(id);
        let value = self.variable(bound, value);
        if self.failure.is_some() {
            return None;
        }
        match value.known_number() {
            Some(weight) if weight >= Integer::ONE => return Some(weight),
            Some(_) => {
                let message = "a weight is at least 1";
                let finding = Diagnostic::new(self.span(id), message)
                    .with_help("leave out what is never to come up");
                self.refuse(ErrorKind::Domain, finding);
            }
            None => {
                let message = "a weight must be known before any roll";
                let finding = Diagnostic::new(self.span(id), message)
                    .with_help("write a number, or `d{x}` for a list that is rolled");
                self.unknown(ErrorKind::Domain, finding);
            }
        }
        None
    }

    fn too_heavy(&mut self, id: NodeId) -> Value {
        let message = "the weights of this die are too large";
        let finding = Diagnostic::new(self.span(id), message);
        self.refuse(ErrorKind::Overflow, finding)
    }
}
