//! The lowest of dice that explode.
//!
//! A loop that rolls a die again while it shows one of some faces E ends with a face outside E. That face says nothing of the values
//! before it, which are all in E. So the values of the loop are, as a multiset, one die with the faces outside E, and, independent of
//! it, the values in E. Where all faces in E are above the others, the lowest values of `n` such loops are among their `n` last rolls.

use std::rc::Rc;

use crate::algebra::{Numbers, Weight};
use crate::engine::program::{Compare, Die, DieId, Drawing, Node, NodeId, Order};
use crate::engine::simplify::{Forms as _, MOST_UNROLLED};
use crate::engine::stop::Attempt;
use crate::engine::translate::translator::Translator;
use crate::ir::{Term, TermId};
use crate::number::Integer;

/// The most faces of a die that are followed one by one.
const MOST_FACES: usize = 1000;

/// A loop that rolls a die again while it shows a high face.
struct Exploding {
    /// The die that ends the loop.
    last: DieId,
    /// The least face after which the die is rolled again.
    least: i64,
}

impl Translator<'_, '_> {
    /// The multiset of values of a number of loops, each of which rolls a die again while it shows a high face: the last rolls, and
    /// the others. `None` for other terms.
    pub(super) fn last_rolls_apart(
        &mut self,
        id: TermId,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<Option<NodeId>> {
        // Where this is not for the term, its number is translated again, with dice and hazards of its own.
        let (loops, id, of_number) = match *self.store.arena.term(id) {
            Term::Repeat(n, id, _) => {
                let (n, hazards) = self.collecting_hazards(|translator| {
                    translator.translate(n, Order::Ignored, environment)
                })?;
                (self.store.as_constant(n), id, hazards)
            }
            _ => (Some(1), id, Vec::new()),
        };
        let (Some(loops @ 1..=MOST_UNROLLED), Term::While(first, body)) =
            (loops, self.store.arena.term(id).clone())
        else {
            return Ok(None);
        };
        let (exploding, hazards) =
            self.collecting_hazards(|translator| translator.exploding(first, body, environment))?;
        let Some(exploding) = exploding.filter(|_| hazards.is_empty()) else {
            return Ok(None);
        };
        self.add_hazards(&of_number)?;
        let (count, name) = (self.store.constant(loops), self.store.pools.name());
        let mut parts = vec![self.store.draws(count, exploding.last, name)?];
        let least = self.store.constant(exploding.least);
        for _ in 0..loops {
            let values = self.translate(id, Order::Ignored, environment)?;
            parts.push(self.store.filtered(Compare::AtLeast, least, values)?);
        }
        self.store.join(&parts).map(Some)
    }

    /// The loop with this first value and this body, if it rolls one die again while it shows a high face.
    fn exploding(
        &mut self,
        first: TermId,
        body: TermId,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<Option<Exploding>> {
        let first = self.translate(first, Order::Ignored, environment)?;
        let Some(id) = self.die_drawn(first) else {
            return Ok(None);
        };
        let Die { faces, beyond, .. } = self.store.pools.die_of(id);
        if !beyond.is_empty() || faces.len() > MOST_FACES {
            return Ok(None);
        }
        let faces = faces.clone();
        let (mut last, mut least): (Vec<(Integer, Weight)>, _) = (Vec::new(), None);
        for (face, weight) in faces.iter() {
            let value = self.store.constant(*face);
            let next = self.translate_with(body, value, Order::Ignored, environment)?;
            if self.store.is_empty_list(next) {
                // The faces ascend.
                if least.is_some() {
                    return Ok(None);
                }
                last.push((Integer::from(*face), weight.clone()));
            } else if self.die_drawn(next) == Some(id) {
                least = least.or(Some(*face));
            } else {
                return Ok(None);
            }
        }
        let Some(least) = least.filter(|_| !last.is_empty()) else {
            return Ok(None);
        };
        let total = last.iter().map(|(_, weight)| weight).sum();
        let law = Rc::new(Numbers::new(last, total).into());
        let last = self.store.pools.die(law, self.store.budget)?;
        Ok(Some(Exploding { last, least }))
    }

    /// The die of which a value is one new roll.
    fn die_drawn(&self, value: NodeId) -> Option<DieId> {
        let Node::Draw(pool) = *self.store.nodes.get(value) else {
            return None;
        };
        let pool = self.store.pools.get(pool);
        (pool.drawing == Drawing::Independent).then_some(pool.die)
    }
}
