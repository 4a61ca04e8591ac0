//! Bodies of `foreach`, applied: to a member, to any member within bounds, to a member in order to see whether it fails.
//!
//! How a body can fail is found once, when it is first met. A body that rolls must not fail for members that are hidden.

use crate::engine::failure::Failure;
use crate::engine::program::{
    Body, BodyImage, BodyMode, Bounds, Drawing, Instance, Node, NodeId, Order, Pool, Store,
};
use crate::engine::reason::Reason;
use crate::engine::simplify::Forms as _;
use crate::engine::stop::{Attempt, Stop};
use crate::engine::translate::draws::die_of_list;
use crate::engine::translate::event::HazardKind;
use crate::engine::translate::possible::any_of;
use crate::engine::translate::translator::Translator;

/// The value of a body for a member; its events were found when it was first met.
pub(in crate::engine) fn value_for(
    store: &mut Store<'_>,
    body: &Body,
    member: NodeId,
) -> Attempt<NodeId> {
    let mut environment = body.environment.to_vec();
    environment.push(member);
    let (value, _) = Translator::new(store).collecting_hazards(|translator| {
        translator.translate_and_reduce(
            body.term,
            &body.reductions,
            Order::Ignored,
            &mut environment,
        )
    })?;
    Ok(value)
}

/// 1 if the body of a closure fails so for a member, else 0.
pub(in crate::engine) fn fails(
    store: &mut Store<'_>,
    body: &Body,
    member: NodeId,
) -> Attempt<NodeId> {
    let mut environment = body.environment.to_vec();
    let (_, hazards) = Translator::new(store).collecting_hazards(|translator| {
        translator.translate_with(body.term, member, Order::Ignored, &mut environment)
    })?;
    let events: Vec<(NodeId, Failure)> = hazards
        .iter()
        .filter_map(|hazard| match hazard.kind {
            HazardKind::Fails(failure) if body.mode == BodyMode::Failing(failure) => {
                Some((hazard.when, failure))
            }
            _ => None,
        })
        .collect();
    any_of(store, &events)
}

/// What a body that rolls draws for one member.
pub(in crate::engine) fn instance(
    store: &mut Store<'_>,
    body: &Body,
    member: i64,
) -> Attempt<Instance> {
    let member = store.constant(member);
    let image = value_for(store, body, member)?;
    let (die, table) = die_of_list(store, image)?;
    Ok(Instance {
        die,
        table,
        name: store.pools.name(),
    })
}

/// The bounds of the value of a body for members within bounds, and how it can fail.
pub(in crate::engine) fn image(
    store: &mut Store<'_>,
    body: &Body,
    list: Bounds,
) -> Attempt<BodyImage> {
    let die = store.pools.between(list.low, list.high);
    let pool = store.pools.pool(Pool {
        die,
        dice: 1,
        drawing: Drawing::Independent,
    });
    let member = store.nodes.intern(Node::Draw(pool));
    let mut environment = body.environment.to_vec();
    environment.push(member);
    let (bounds, hazards) = Translator::new(store).collecting_hazards(|translator| {
        let image = translator.translate_and_reduce(
            body.term,
            &body.reductions,
            Order::Ignored,
            &mut environment,
        )?;
        translator.store.bounds(image)
    })?;
    // In the order of evaluation: the first is the one that ends it.
    let mut failures = Vec::with_capacity(hazards.len());
    for hazard in hazards {
        match hazard.kind {
            HazardKind::Fails(failure) if failures.contains(&failure) => {}
            HazardKind::Fails(failure) => failures.push(failure),
            HazardKind::FailsInLoop { .. } | HazardKind::NeverEnds(_) => {
                return Err(Stop::Unsupported(Reason::HiddenLoop));
            }
        }
    }
    Ok(BodyImage { bounds, failures })
}
