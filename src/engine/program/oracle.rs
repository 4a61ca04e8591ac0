//! Questions to higher floors, each asked once: the store keeps the answers of the [`Oracle`](super::store::Oracle).
//!
//! A distribution is that of a program with all pools hidden, so it is found outside of the current context. The
//! value of a body for a member depends on the member alone, if the body captures no value that the context knows
//! more about.

use super::bodies::{BodyImage, Instance, LoopImage};
use super::context::Context;
use super::interval::Bounds;
use super::laws::{LawOfLists, bytes_of_list};
use super::node::{Body, Closure, ClosureId, NodeId};
use super::order::Order;
use super::store::Store;
use crate::algebra::Law;
use crate::engine::stop::Attempt;
use crate::stack;
use std::rc::Rc;

impl Store<'_> {
    /// The distribution of a number, all pools hidden.
    pub(in crate::engine) fn law(&mut self, id: NodeId) -> Attempt<Rc<Law>> {
        if let Some(known) = self.answers.laws.get(&id) {
            return Ok(Rc::clone(known));
        }
        let mut outside = std::mem::take(&mut self.context);
        let law = stack::level(|| self.oracle.law(self, id));
        std::mem::swap(&mut self.context, &mut outside);
        let law = law?;
        self.answers.laws.insert(id, Rc::clone(&law));
        Ok(law)
    }

    /// The distribution of a list, all pools hidden: sorted, or in the order of a chain.
    pub(in crate::engine) fn law_of_list(&mut self, id: NodeId) -> Attempt<Rc<LawOfLists>> {
        if let Some(known) = self.answers.laws_of_lists.get(&id) {
            return Ok(Rc::clone(known));
        }
        let mut outside = std::mem::take(&mut self.context);
        let law = stack::level(|| self.oracle.law_of_list(self, id));
        std::mem::swap(&mut self.context, &mut outside);
        let law = law?;
        let bytes = law.listed.iter().map(|(list, _)| bytes_of_list(list));
        self.kept.take(bytes.sum())?;
        self.answers.laws_of_lists.insert(id, Rc::clone(&law));
        Ok(law)
    }

    /// Forgets all distributions, so that the caller owns the last one alone.
    pub(in crate::engine) fn forget_laws(&mut self) {
        self.answers.laws.clear();
        self.answers.laws_of_lists.clear();
    }

    /// The value of a body for one member.
    pub(in crate::engine) fn value_for(&mut self, body: &Body, member: NodeId) -> Attempt<NodeId> {
        self.oracle.value_for(self, body, member)
    }

    /// 1 if a body fails for one member with the failure that its mode names, else 0.
    pub(in crate::engine) fn fails(&mut self, body: &Body, member: NodeId) -> Attempt<NodeId> {
        self.oracle.fails(self, body, member)
    }

    /// The draw that stands for a body that rolls, evaluated for one member.
    pub(in crate::engine) fn instance(
        &mut self,
        closure: ClosureId,
        member: i64,
    ) -> Attempt<Instance> {
        if let Some(&known) = self.answers.instances.get(&(closure, member)) {
            return Ok(known);
        }
        let body = self.nodes.body_of(closure).clone();
        // A closed body mentions no pool of this context, and the answer is used in other contexts.
        let instance = self.within(&mut Context::default(), |store| {
            store.oracle.instance(store, &body, member)
        })?;
        self.answers.instances.insert((closure, member), instance);
        Ok(instance)
    }

    /// The bounds of every later value of a loop, and whether a round can fail.
    pub(in crate::engine) fn loop_image(
        &mut self,
        closure: ClosureId,
        order: Order,
    ) -> Attempt<Rc<LoopImage>> {
        if let Some(known) = self.answers.loop_images.get(&closure) {
            return Ok(Rc::clone(known));
        }
        let body = self.nodes.body_of(closure).clone();
        let image = Rc::new(self.oracle.loop_image(self, &body, order)?);
        self.answers.loop_images.insert(closure, Rc::clone(&image));
        Ok(image)
    }

    /// The bounds and failures of a closure for members within bounds.
    pub(in crate::engine) fn image(
        &mut self,
        closure: ClosureId,
        list: Bounds,
    ) -> Attempt<Rc<BodyImage>> {
        // Captured values that were simplified under this context are right only together with it.
        if let Closure::Body(body) = self.nodes.closure_of(closure).clone()
            && body
                .environment
                .iter()
                .any(|&value| self.context.knows(self.nodes.mask(value)))
        {
            return self.oracle.image(self, &body, list).map(Rc::new);
        }
        let key = (closure, list.low, list.high);
        if let Some(known) = self.answers.images.get(&key) {
            return Ok(Rc::clone(known));
        }
        let image = match self.nodes.closure_of(closure).clone() {
            Closure::Table(rows) => BodyImage {
                bounds: Bounds::of_images(
                    rows.iter()
                        .filter(|(member, _)| (list.low..=list.high).contains(member))
                        .map(|(_, image)| &image[..]),
                ),
                failures: Vec::new(),
            },
            Closure::Body(body) => self.within(&mut Context::default(), |store| {
                store.oracle.image(store, &body, list)
            })?,
        };
        let image = Rc::new(image);
        self.answers.images.insert(key, Rc::clone(&image));
        Ok(image)
    }
}
