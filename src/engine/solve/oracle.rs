//! The one implementation of the [`Oracle`]: it answers the questions that low floors ask of high ones.

use std::rc::Rc;

use super::law;
use crate::algebra::Law;
use crate::engine::program::{
    Body, BodyImage, Bounds, Instance, LawOfLists, LoopImage, NodeId, Oracle, Order, Store,
};
use crate::engine::stop::Attempt;
use crate::engine::translate::{bodies, loops};

/// The floors above the program.
#[derive(Debug)]
pub(in crate::engine) struct Floors;

impl Oracle for Floors {
    fn law(&self, store: &mut Store<'_>, number: NodeId) -> Attempt<Rc<Law>> {
        law::of_number(store, number)
    }

    fn law_of_list(&self, store: &mut Store<'_>, list: NodeId) -> Attempt<Rc<LawOfLists>> {
        law::of_list(store, list).map(Rc::new)
    }

    fn value_for(&self, store: &mut Store<'_>, body: &Body, member: NodeId) -> Attempt<NodeId> {
        bodies::value_for(store, body, member)
    }

    fn fails(&self, store: &mut Store<'_>, body: &Body, member: NodeId) -> Attempt<NodeId> {
        bodies::fails(store, body, member)
    }

    fn image(&self, store: &mut Store<'_>, body: &Body, members: Bounds) -> Attempt<BodyImage> {
        bodies::image(store, body, members)
    }

    fn instance(&self, store: &mut Store<'_>, body: &Body, member: i64) -> Attempt<Instance> {
        bodies::instance(store, body, member)
    }

    fn loop_image(&self, store: &mut Store<'_>, body: &Body, order: Order) -> Attempt<LoopImage> {
        loops::image(store, body, order)
    }
}
