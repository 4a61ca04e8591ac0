//! Dice with any faces, and decks.

use std::collections::BTreeMap;

use super::lowering::Lowering;
use super::values::{Members, TypedTerm};
use crate::error::{Diagnostic, ErrorKind};
use crate::ir::{Arithmetic, Arrangement, Comparison, Expr, Name, Selection};
use crate::notation::bones::tree::WeightedFace;
use crate::notation::reader::tree::NodeId;
use crate::number::Integer;

impl Lowering<'_, '_> {
    /// `dF`
    pub(super) fn fate(&mut self) -> TypedTerm {
        let faces = [-1_i64, 0, 1].map(|face| (Integer::from(face), Integer::ONE));
        TypedTerm::number(self.build.pick(faces.into()))
    }

    /// `d{…}`: one of the faces. A die with a list of unknown length among its faces draws a card from a deck of them.
    pub(super) fn any_die(&mut self, id: NodeId, entries: &[WeightedFace]) -> TypedTerm {
        let mut bound = Vec::new();
        let Some((entries, members)) = self.entries(entries, &mut bound) else {
            return TypedTerm::list(self.build.empty());
        };
        let known = entries.iter().map(|(face, weight)| {
            let weight = weight.known_number()?;
            Some((face.clone(), weight))
        });
        let die = match known.collect() {
            Some(known) => self.die_of(id, known, members),
            None => self.die_of_blocks(id, entries, members),
        };
        self.bound(bound, die)
    }

    /// A die with weights that are rolled: of as many sides as the weights add up to. Each face has a block of them.
    fn die_of_blocks(
        &mut self,
        id: NodeId,
        mut entries: Vec<(TypedTerm, TypedTerm)>,
        members: Members,
    ) -> TypedTerm {
        entries.retain(|(face, _)| !face.is_empty());
        let site = self.site_at(id);
        let mut ends: Vec<Expr> = Vec::with_capacity(entries.len());
        for (face, weight) in &entries {
            let mut end = weight.expr;
            if let Some(faces) = face.known.as_deref().map(<[_]>::len).filter(|&len| len > 1) {
                let faces = self.build.integer(Integer::from(faces));
                end = self
                    .build
                    .arithmetic(Arithmetic::Multiply, end, faces, site);
            }
            if let Some(&before) = ends.last() {
                end = self.build.arithmetic(Arithmetic::Add, before, end, site);
            }
            ends.push(end);
        }
        let sides = ends.pop().unwrap_or_else(|| self.build.integer(0));
        let side = TypedTerm::number(self.build.die(sides, site));
        let shown = self.shared(&side, |this, side| {
            let mut faces = entries.iter().rev().map(|(face, _)| face);
            let last = faces.next().map(|face| this.any_of(face));
            let mut shown = last.unwrap_or_else(|| this.build.empty());
            for (face, &end) in faces.zip(ends.iter().rev()) {
                let face = this.any_of(face);
                let is_here = this.build.filter(Comparison::LessOrEqual, end, side, site);
                shown = this.build.choose(is_here, face, shown);
            }
            TypedTerm::number(shown)
        });
        shown.of(members)
    }

    /// One of the faces of an entry, each as likely as the others: one number, or known ones.
    fn any_of(&mut self, face: &TypedTerm) -> Expr {
        match face.known.as_deref() {
            Some(known) if known.len() > 1 => {
                let mut weights: BTreeMap<Integer, Integer> = BTreeMap::new();
                for member in known {
                    let sum = weights.entry(member.clone()).or_default();
                    *sum = sum.add(&Integer::ONE).unwrap_or(Integer::ONE);
                }
                self.build.pick(weights.into_iter().collect())
            }
            _ => face.expr,
        }
    }

    /// A die with known weights.
    fn die_of(
        &mut self,
        id: NodeId,
        mut entries: Vec<(TypedTerm, Integer)>,
        members: Members,
    ) -> TypedTerm {
        entries.retain(|(face, weight)| !face.is_empty() && !weight.is_zero());
        let mut weights: BTreeMap<Integer, Integer> = BTreeMap::new();
        for (face, weight) in &entries {
            for member in face.known.as_deref().unwrap_or_default() {
                let sum = weights.entry(member.clone()).or_default();
                match sum.add(weight) {
                    Ok(larger) => *sum = larger,
                    Err(_) => return self.too_heavy(id),
                }
            }
        }
        let is_known = entries.iter().all(|(face, _)| face.known.is_some());
        if is_known && !weights.is_empty() {
            return TypedTerm::number(self.build.pick(weights.into_iter().collect())).of(members);
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
                TypedTerm::number(this.build.choose(faces, drawn, nothing))
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
            let face = self.any_of(face);
            value = self.build.choose(is_shown, face, value);
        }
        TypedTerm::number(self.build.bind(name, place, value)).of(members)
    }

    /// `draw n {…}`: the first cards of a shuffled deck.
    pub(super) fn draw(
        &mut self,
        id: NodeId,
        count: NodeId,
        entries: &[WeightedFace],
    ) -> TypedTerm {
        let site = self.site(id, count, id);
        let mut bound = Vec::new();
        let value = self.term(count);
        let value = self.variable(&mut bound, value);
        let number = self.number(&value, count);
        let Some((entries, members)) = self.entries(entries, &mut bound) else {
            return TypedTerm::list(self.build.empty());
        };
        let mut cards = Vec::new();
        for (face, weight) in entries {
            let times = weight.known_number();
            let cards_of = if times == Some(Integer::ONE) {
                face
            } else {
                let length = super::known::times(times, face.length);
                let list = self.build.repeat(weight.expr, face.expr, site);
                TypedTerm::list(list)
                    .with_length(length)
                    .of(members.clone())
            };
            cards.push((cards_of, id));
        }
        let deck = self.join(&cards);
        let length = super::known::selected(Selection::First, value.known_number(), deck.length);
        let deck = self.build.arrange(Arrangement::Shuffle, deck.expr);
        let drawn = self.build.select(Selection::First, number, deck, site);
        let drawn = TypedTerm::list(drawn).with_length(length).of(members);
        self.bound(bound, drawn)
    }

    /// The entries with their weights, which are never negative, and what all faces are. A face with a weight is a single member or
    /// known. Faces and weights are evaluated in their order.
    fn entries(
        &mut self,
        entries: &[WeightedFace],
        bound: &mut Vec<(Name, Expr)>,
    ) -> Option<(Vec<(TypedTerm, TypedTerm)>, Members)> {
        let has_weights = entries.iter().any(|entry| entry.weight.is_some());
        let (mut faces, mut weights) = (Vec::new(), Vec::new());
        for entry in entries {
            let face = self.term(entry.face);
            let face = self.as_member(&face, entry.face);
            let is_one = face.known.is_some() || face.length == Some(1);
            let face = if has_weights && !is_one {
                TypedTerm::number(self.only(&face, entry.face)).of(face.members)
            } else {
                self.number_value(&face, entry.face)
            };
            let face = self.variable(bound, face);
            weights.push(match entry.weight {
                None => self.constant(&[Integer::ONE], &Members::Numbers),
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

    fn weight(&mut self, id: NodeId, bound: &mut Vec<(Name, Expr)>) -> Option<TypedTerm> {
        let value = self.term(id);
        let number = self.numbers(&value, id);
        let number = TypedTerm::number(self.only(&number, id)).with_number(number.known_number());
        let number = self.variable(bound, number);
        match number.known_number() {
            Some(weight) if weight.is_negative() => {
                let finding = Diagnostic::new(self.span(id), "a weight is 0 or more")
                    .with_help("write 0 for what is never to come up");
                self.refuse(ErrorKind::Domain, finding);
            }
            Some(_) => {}
            None => {
                let site = self.site_at(id);
                let is_negative = self.members(Comparison::Less, &Integer::ZERO, number.expr, id);
                let fails = self.build.fail(ErrorKind::Domain, site);
                let weight = self.build.choose(is_negative, fails, number.expr);
                return Some(self.variable(bound, TypedTerm::number(weight)));
            }
        }
        self.failure.is_none().then_some(number)
    }

    fn too_heavy(&mut self, id: NodeId) -> TypedTerm {
        let message = "the weights of this die are too large";
        let finding = Diagnostic::new(self.span(id), message);
        self.refuse(ErrorKind::Overflow, finding)
    }
}
