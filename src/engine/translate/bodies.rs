//! The body of a `foreach`, evaluated: for a member, for any member within bounds, or only to see whether it fails.
//!
//! The failures of a body are found once, when it is first met. A body that rolls must not be able to fail for hidden
//! members.

use crate::engine::failure::Failure;
use crate::engine::program::{
    Body, BodyImage, BodyMode, Bounds, Drawing, Instance, Node, NodeId, Order, Pool, Store,
};
use crate::engine::reason::Reason;
use crate::engine::simplify::{Forms as _, MOST_VALUES};
use crate::engine::stop::{Attempt, Stop};
use crate::engine::translate::draws::die_of_list;
use crate::engine::translate::event::HazardKind;
use crate::engine::translate::possible::{any_of, possible_failures, zero_once_over};
use crate::engine::translate::translator::Translator;

/// The value of a body for a member. Its hazards were found when the body was first met.
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

/// 1 if a body fails for a member with the failure of its mode, else 0.
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

/// The draw that stands for a body that rolls, evaluated for one member.
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

/// The bounds of a body's values for members within bounds, and the ways in which the body can fail.
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
    // Failures are in the order of evaluation: the first one ends the evaluation.
    let mut failures = Vec::with_capacity(hazards.len());
    for hazard in hazards {
        match hazard.kind {
            HazardKind::Fails(failure) if failures.contains(&failure) => {}
            HazardKind::Fails(failure) => failures.push(failure),
            HazardKind::FailsInLoop { .. } | HazardKind::NeverEnds(_) => {
                return image_by_value(store, body, list);
            }
        }
    }
    Ok(BodyImage { bounds, failures })
}

/// The bounds of the values of a body with loops, which surely end for each member within bounds.
fn image_by_value(store: &mut Store<'_>, body: &Body, list: Bounds) -> Attempt<BodyImage> {
    let unsupported = Stop::Unsupported(Reason::HiddenLoop);
    let span = usize::try_from(list.high.saturating_sub(list.low));
    if span.is_ok_and(|span| span >= MOST_VALUES) {
        return Err(unsupported);
    }
    let mut bounds = None;
    for member in list.low..=list.high {
        let mut environment = body.environment.to_vec();
        environment.push(store.constant(member));
        let (image, hazards) = Translator::new(store).collecting_hazards(|translator| {
            translator.translate_and_reduce(
                body.term,
                &body.reductions,
                Order::Ignored,
                &mut environment,
            )
        })?;
        let waiting = zero_once_over(store, &hazards)?;
        let may_fail = !possible_failures(store, &hazards)?.events.is_empty();
        if may_fail || store.as_constant(waiting) != Some(0) {
            return Err(unsupported);
        }
        let image = store.bounds(image)?;
        bounds = Some(bounds.map_or(image, |others: Bounds| others.either(image)));
    }
    Ok(BodyImage {
        bounds: bounds.unwrap_or(Bounds::EMPTY),
        failures: Vec::new(),
    })
}
