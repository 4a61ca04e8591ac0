//! Loops: written out if they roll nothing, else a node, with what is known of all rounds.

use std::rc::Rc;

use crate::algebra::{Law, Numbers, Weight};
use crate::engine::program::{
    Body, BodyMode, Bounds, Closure, ClosureId, Compare, Drawing, LoopImage, LoopQuestion, MARKS,
    Node, NodeId, Order, Pool, Store,
};
use crate::engine::simplify::Forms as _;
use crate::engine::stop::{Attempt, if_supported};
use crate::engine::translate::event::{Hazard, HazardKind};
use crate::engine::translate::translator::Translator;
use crate::engine::translate::unused_variables::either;
use crate::ir::{Folding, TermId};
use crate::map::Map;

/// The most rounds that are written out of a loop that rolls nothing.
const MOST_ROUNDS: usize = 4096;

/// What is known of the body of a loop for every value of the loop.
pub(in crate::engine) fn image(
    store: &mut Store<'_>,
    body: &Body,
    order: Order,
) -> Attempt<LoopImage> {
    let image = Translator::new(store).image_of(body, Bounds::UNKNOWN, order);
    let mut image = if_supported(image)?.unwrap_or(LoopImage {
        bounds: Bounds::UNKNOWN,
        can_fail: true,
        is_dice: false,
    });
    image.is_dice &= body.asked == LoopQuestion::Members;
    if body.mode == BodyMode::Marked {
        let Bounds { low, high, .. } = image.bounds;
        image.bounds = Bounds {
            low: low.min(MARKS),
            high: high.max(MARKS + (1 << 32)),
            ..Bounds::UNKNOWN
        };
    }
    Ok(image)
}

/// The number of marks among the members of a list.
pub(in crate::engine) fn marks_in(store: &mut Store<'_>, list: NodeId) -> Attempt<NodeId> {
    let marks = store.constant(MARKS);
    let marked = store.filtered(Compare::AtLeast, marks, list)?;
    store.fold(Folding::Count, marked)
}

/// Whether a list is made of hidden dice alone.
fn is_dice(store: &Store<'_>, list: NodeId) -> bool {
    match store.nodes.get(list) {
        Node::Draw(_) | Node::Pool(_) | Node::Draws(..) | Node::Dealt(_) | Node::Die(..) => true,
        Node::Join(parts) | Node::Chain(parts) => parts.iter().all(|&part| is_dice(store, part)),
        _ => false,
    }
}

impl Translator<'_, '_> {
    /// The values of a loop: its first value, and all values after it.
    pub(in crate::engine) fn translate_loop(
        &mut self,
        first: NodeId,
        body: TermId,
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        if let Some(values) = self.unrolled_loop(first, body, order, environment)? {
            return Ok(values);
        }
        let closed = self.close_over(body, &[], environment)?;
        let id = self.store.nodes.closure(Closure::Body(closed.clone()));
        let name = self.store.pools.name();
        let after = self.store.looped(first, id, order, name)?;
        let over = self.store.over(after)?;
        let mut waits = HazardKind::NeverEnds(over);
        if self.loop_can_fail(first, id, order)? {
            let marked = self.store.nodes.closure(Closure::Body(Body {
                mode: BodyMode::Marked,
                ..closed
            }));
            let name = self.store.pools.name();
            let marked = self.store.looped(first, marked, order, name)?;
            let marks = marks_in(self.store, marked)?;
            let any = self.store.at_least(marks, 1)?;
            let values = after;
            self.add_hazard(any, HazardKind::FailsInLoop { values, marked })?;
            // An error ends the loop, too.
            waits = HazardKind::NeverEnds(self.store.over(marked)?);
        }
        self.add_hazard(over, waits)?;
        self.store.sequence(order, vec![first, after])
    }

    /// The values of a loop that rolls nothing, if it ends soon, fails, or never ends.
    pub(super) fn unrolled_loop(
        &mut self,
        first: NodeId,
        body: TermId,
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<Option<NodeId>> {
        let uses_hidden = self.store.uses_hidden(body, 1, environment);
        if self.store.nodes.mask(first) != 0 || uses_hidden || self.store.is_random(body) {
            return Ok(None);
        }
        let mut values = vec![first];
        let mut seen: Map<NodeId, ()> = Map::default();
        let mut value = first;
        while !self.store.is_empty_list(value) {
            self.store.budget.check()?;
            if seen.insert(value, ()).is_some() {
                return self.endless().map(Some);
            }
            if values.len() > MOST_ROUNDS {
                return Ok(None);
            }
            let (next, hazards) = self.collecting_hazards(|translator| {
                translator.translate_with(body, value, order, environment)
            })?;
            if !hazards.is_empty() {
                self.add_hazards(&hazards)?;
                break;
            }
            values.push(next);
            value = next;
        }
        self.store.sequence(order, values).map(Some)
    }

    /// The value of a loop that never ends: a draw of a die that never shows anything.
    pub(super) fn endless(&mut self) -> Attempt<NodeId> {
        let one = Weight::from(1_u32);
        let law = Law::new(Numbers::impossible(one.clone()), Vec::new(), one, None);
        let die = self.store.pools.die(Rc::new(law), self.store.budget)?;
        let (one, name) = (self.store.constant(1), self.store.pools.name());
        let draw = self.store.draws(one, die, name)?;
        let over = self.store.over(draw)?;
        self.add_hazard(over, HazardKind::NeverEnds(over))?;
        Ok(draw)
    }

    /// What is known of a body's value for any list within these bounds that has a member.
    fn image_of(&mut self, body: &Body, of_list: Bounds, order: Order) -> Attempt<LoopImage> {
        let unknown = match of_list {
            Bounds {
                low,
                high,
                least: 1,
                most: 1,
            } => self.number_between(low, high),
            of_list => self.unknown(of_list),
        };
        let image = self.of_unknown_value(body, unknown, order, |translator, next| {
            let bounds = translator.store.bounds(next)?;
            Ok((bounds, is_dice(translator.store, next)))
        });
        let ((bounds, is_dice), hazards) = image?;
        let fails = |hazard: &Hazard| !matches!(hazard.kind, HazardKind::NeverEnds(_));
        Ok(LoopImage {
            bounds,
            can_fail: hazards.iter().any(fails),
            is_dice,
        })
    }

    /// What is known of a body's value for any list within these bounds that has a member, if it has no lower member either. Then all
    /// values of a loop stay above that, if the first does.
    pub(super) fn image_that_stays(
        &mut self,
        body: &Body,
        of_list: Bounds,
        order: Order,
    ) -> Attempt<Option<LoopImage>> {
        let image = if_supported(self.image_of(body, of_list, order))?;
        Ok(image.filter(|image| image.bounds.low >= of_list.low))
    }

    /// A hidden list within these bounds that has a member.
    pub(super) fn unknown(&mut self, bounds: Bounds) -> NodeId {
        let count = self.number_between(bounds.least.max(1), bounds.most);
        let members = self.store.pools.between(bounds.low, bounds.high);
        let name = self.store.pools.name();
        self.store.nodes.intern(Node::Draws(count, members, name))
    }

    /// What `look` finds in a body's value for an unknown list, and the hazards of the body.
    pub(super) fn of_unknown_value<T>(
        &mut self,
        body: &Body,
        unknown: NodeId,
        order: Order,
        look: impl FnOnce(&mut Self, NodeId) -> Attempt<T>,
    ) -> Attempt<(T, Vec<Hazard>)> {
        let mut outside = std::mem::take(&mut self.store.context);
        let found = self.collecting_hazards(|translator| {
            let mut environment = body.environment.to_vec();
            let next = translator.translate_with(body.term, unknown, order, &mut environment)?;
            look(translator, next)
        });
        std::mem::swap(&mut self.store.context, &mut outside);
        found
    }

    /// A hidden number between two numbers.
    fn number_between(&mut self, least: i64, most: i64) -> NodeId {
        if least == most {
            return self.store.constant(least);
        }
        let die = self.store.pools.between(least, most);
        let pool = self.store.pools.pool(Pool {
            die,
            dice: 1,
            drawing: Drawing::Independent,
        });
        self.store.nodes.intern(Node::Draw(pool))
    }

    /// Whether a round of a loop may fail. Each of its values lies within the bounds of the first value or within those of the later
    /// values. Where these have no lower bound, they may have the one that follows from round to round.
    pub(super) fn loop_can_fail(
        &mut self,
        first: NodeId,
        id: ClosureId,
        order: Order,
    ) -> Attempt<bool> {
        if !self.store.loop_image(id, order)?.can_fail {
            return Ok(false);
        }
        let mut either = either(self.store, first, id, order)?;
        if either.low == Bounds::UNKNOWN.low {
            either.low = self.store.bounds(first)?.low.min(0);
        }
        let body = self.store.nodes.body_of(id).clone();
        let image = self.image_that_stays(&body, either, order)?;
        Ok(image.is_none_or(|image| image.can_fail))
    }
}
