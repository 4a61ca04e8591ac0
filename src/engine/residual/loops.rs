//! Loops, as they are translated: written out where nothing is rolled, else a node, with what is known of all its rounds.

use std::rc::Rc;

use super::bounds::Bounds;
use super::cycles::MARKS;
use super::hazards::{Hazard, What};
use super::law::Law;
use super::node::{Body, Closure, ClosureId, Node, NodeId, Part};
use super::pool::{Drawing, Pool};
use super::scope::Scope;
use super::translate::Order;
use super::{Attempt, Stop};
use crate::algebra::{Numbers, Weight};
use crate::ir::TermId;
use crate::map::Map;

/// What is known of the body of a loop: the bounds of its members, and whether it may fail.
#[derive(Debug)]
pub(super) struct LoopImage {
    pub(super) bounds: Bounds,
    can_fail: bool,
}

/// So many rounds of a loop in which nothing is rolled are written out.
const MOST_ROUNDS: usize = 4096;

impl Scope<'_> {
    /// The values of a loop: its first, and what comes after it.
    pub(super) fn translate_loop(
        &mut self,
        first: NodeId,
        body: TermId,
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        if let Some(values) = self.unrolled_loop(first, body, order, environment)? {
            return Ok(values);
        }
        let closed = self.closed(body, &[], environment)?;
        let id = self.nodes.closure(Closure::Body(closed.clone()));
        let name = self.pools.name();
        let after = self.looped(first, id, order, name)?;
        let over = self.over(after)?;
        let mut waits = What::Waits(over);
        if self.loop_can_fail(first, id, order)? {
            let marked = self.nodes.closure(Closure::Body(Body {
                part: Part::Marked,
                ..closed
            }));
            let name = self.pools.name();
            let marked = self.looped(first, marked, order, name)?;
            let marks = self.marks_in(marked)?;
            let any = self.at_least(marks, 1)?;
            let values = after;
            self.may_be(any, What::FailsInside { values, marked })?;
            // An error ends a loop as well.
            waits = What::Waits(self.over(marked)?);
        }
        self.may_be(over, waits)?;
        self.sequence(order, vec![first, after])
    }

    /// The values of a loop in which nothing is rolled, if it ends soon or fails.
    fn unrolled_loop(
        &mut self,
        first: NodeId,
        body: TermId,
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<Option<NodeId>> {
        let uses_hidden = self.uses_hidden(body, 1, environment);
        if self.nodes.mask(first) != 0 || uses_hidden || self.is_random(body) {
            return Ok(None);
        }
        let mut values = vec![first];
        let mut seen: Map<NodeId, ()> = Map::default();
        let mut value = first;
        while !self.is_empty_list(value) {
            self.budget.check()?;
            if seen.insert(value, ()).is_some() {
                return self.endless().map(Some);
            }
            if values.len() > MOST_ROUNDS {
                return Ok(None);
            }
            let (next, hazards) =
                self.apart(|scope| scope.translate_with(body, value, order, environment))?;
            if !hazards.is_empty() {
                self.may_happen(&hazards)?;
                break;
            }
            values.push(next);
            value = next;
        }
        self.sequence(order, values).map(Some)
    }

    /// The value of what never ends: a draw of a die that never shows anything.
    fn endless(&mut self) -> Attempt<NodeId> {
        let one = Weight::from(1_u32);
        let law = Law::new(Numbers::impossible(one.clone()), Vec::new(), one, None);
        let die = self.pools.die(Rc::new(law))?;
        let (one, name) = (self.constant(1), self.pools.name());
        let draw = self.draws(one, die, name)?;
        let over = self.over(draw)?;
        self.may_be(over, What::Waits(over))?;
        Ok(draw)
    }

    /// What is known of the body of a loop, whatever its last value is.
    pub(super) fn loop_image(&mut self, id: ClosureId, order: Order) -> Attempt<Rc<LoopImage>> {
        if let Some(known) = self.facts.loop_images.get(&id) {
            return Ok(Rc::clone(known));
        }
        let body = self.nodes.body_of(id).clone();
        let image = self.image_of(&body, (i64::MIN, i64::MAX), order);
        let mut image = match image {
            Ok((bounds, can_fail)) => LoopImage {
                bounds: Bounds {
                    least: 0,
                    most: if bounds.most == 0 { 0 } else { i64::MAX },
                    ..bounds
                },
                can_fail,
            },
            Err(Stop::Unsupported(_)) => LoopImage {
                bounds: Bounds::UNKNOWN,
                can_fail: true,
            },
            Err(stop) => return Err(stop),
        };
        if body.part == Part::Marked {
            let Bounds { low, high, .. } = image.bounds;
            image.bounds = Bounds {
                low: low.min(MARKS),
                high: high.max(MARKS + (1 << 32)),
                ..Bounds::UNKNOWN
            };
        }
        let image = Rc::new(image);
        self.facts.loop_images.insert(id, Rc::clone(&image));
        Ok(image)
    }

    /// The bounds of what a body makes of any list whose members lie between two numbers, and whether it may fail.
    fn image_of(
        &mut self,
        body: &Body,
        (low, high): (i64, i64),
        order: Order,
    ) -> Attempt<(Bounds, bool)> {
        let mut outside = std::mem::take(&mut self.context);
        let image = self.apart(|scope| {
            let (counts, members) = (
                scope.pools.between(0, i64::MAX),
                scope.pools.between(low, high),
            );
            let count = scope.pools.pool(Pool {
                die: counts,
                dice: 1,
                drawing: Drawing::Independent,
            });
            let count = scope.nodes.intern(Node::Draw(count));
            let name = scope.pools.name();
            let unknown = scope.nodes.intern(Node::Draws(count, members, name));
            let mut environment = body.environment.to_vec();
            let next = scope.translate_with(body.term, unknown, order, &mut environment)?;
            scope.bounds(next)
        });
        std::mem::swap(&mut self.context, &mut outside);
        let (bounds, hazards) = image?;
        let fails = |hazard: &Hazard| !matches!(hazard.what, What::Waits(_));
        Ok((bounds, hazards.iter().any(fails)))
    }

    /// Whether a round of a loop may fail. All its values lie between the members of the first and the bounds of what the
    /// body makes of any list.
    fn loop_can_fail(&mut self, first: NodeId, id: ClosureId, order: Order) -> Attempt<bool> {
        let image = self.loop_image(id, order)?;
        if !image.can_fail {
            return Ok(false);
        }
        let (first, later) = (self.bounds(first)?, image.bounds);
        let members = (first.low.min(later.low), first.high.max(later.high));
        if members == (i64::MIN, i64::MAX) {
            return Ok(true);
        }
        let body = self.nodes.body_of(id).clone();
        match self.image_of(&body, members, order) {
            Ok((_, can_fail)) => Ok(can_fail),
            Err(Stop::Unsupported(_)) => Ok(true),
            Err(stop) => Err(stop),
        }
    }
}
