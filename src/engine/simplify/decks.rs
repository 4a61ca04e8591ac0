//! Shuffled decks: known cards, in an order drawn uniformly from all orders.
//!
//! A shuffled list in order is [`Node::Dealt`]: some consecutive places of a deck. A selection by position splits the
//! places. A function that does not look at the order sees a pool of as many cards. So the first three cards and the
//! next two are two pools that draw from one deck.

use crate::engine::program::{DieId, Drawing, Members, Node, NodeId, Places, Pool, PoolId, Store};
use crate::engine::reason::Reason;
use crate::engine::simplify::forms::Forms as _;
use crate::engine::stop::{Attempt, Stop};
use crate::limits::LimitReached;
use num_traits::ToPrimitive as _;
use std::rc::Rc;

/// The most places that become numbers one by one.
const MOST_PLACES: u32 = 64;

/// A list of known cards in random order.
pub(in crate::engine) fn shuffled(
    store: &mut Store<'_>,
    members: &[(i64, u32)],
) -> Attempt<NodeId> {
    let [_, _, ..] = members[..] else {
        let cards = store.known(members)?;
        return store.chain(vec![cards]);
    };
    let die = store.pools.weighted(members, store.budget)?;
    let size: u64 = members.iter().map(|&(_, count)| u64::from(count)).sum();
    let of = u32::try_from(size).map_err(|_| LimitReached::List)?;
    let deck = store.pools.name();
    let places = Places { deck, from: 0, of };
    Ok(dealt(store, die, places, of))
}

fn dealt(store: &mut Store<'_>, die: DieId, places: Places, dice: u32) -> NodeId {
    let pool = store.pools.places(die, places, dice);
    store.nodes.intern(Node::Dealt(pool))
}

pub(in crate::engine) fn split_places(
    store: &mut Store<'_>,
    part: NodeId,
    n: i64,
) -> Attempt<Option<(NodeId, NodeId)>> {
    let Node::Dealt(pool) = *store.nodes.get(part) else {
        return Ok(None);
    };
    let Pool { die, dice, drawing } = *store.pools.get(pool);
    let (Drawing::Shuffled(places), Ok(n)) = (drawing, u32::try_from(n)) else {
        return Ok(None);
    };
    // Places of a deck can no longer be cut once the deck is being revealed.
    let is_open = store
        .context
        .hidden
        .iter()
        .any(|&(open, _)| store.pools.deck_of(open) == Some(places.deck));
    if is_open {
        return Err(Stop::Unsupported(Reason::DeckCutByCards));
    }
    let after = Places {
        from: places.from + n,
        ..places
    };
    let parts = (
        dealt(store, die, places, n),
        dealt(store, die, after, dice - n),
    );
    Ok(Some(parts))
}

pub(in crate::engine) fn cards(store: &mut Store<'_>, pool: PoolId) -> Attempt<NodeId> {
    let Pool { die, dice, drawing } = *store.pools.get(pool);
    Ok(match drawing {
        Drawing::Shuffled(places) if places.of == dice => {
            let cards = Rc::clone(&store.pools.die_of(die).faces);
            store.has_room_for::<(i64, u32)>(cards.len())?;
            let cards = cards.iter().map(|(card, copies)| {
                let copies = copies
                    .to_u64()
                    .and_then(|copies| u32::try_from(copies).ok());
                (
                    *card,
                    copies.expect("as many copies as the deck was made of"),
                )
            });
            let cards = cards.collect::<Members>();
            store.known(&cards)?
        }
        _ => store.nodes.intern(Node::Pool(pool)),
    })
}

/// The same list in order, with each place of a deck as one number.
pub(in crate::engine) fn place_by_place(store: &mut Store<'_>, list: NodeId) -> Attempt<NodeId> {
    let parts = match store.nodes.get(list) {
        Node::Chain(parts) => parts.to_vec(),
        Node::Dealt(_) => vec![list],
        _ => return Ok(list),
    };
    let mut places = Vec::with_capacity(parts.len());
    for part in parts {
        let mut rest = part;
        while let Node::Dealt(pool) = *store.nodes.get(rest) {
            let dice = store.pools.get(pool).dice;
            if dice > MOST_PLACES {
                return Err(Stop::Unsupported(Reason::LongListInOrder));
            }
            let (first, others) = match dice {
                1 => (rest, None),
                _ => match store.split_places(rest, 1)? {
                    Some((first, others)) => (first, Some(others)),
                    None => return Err(Stop::Unsupported(Reason::ShuffledInOrder)),
                },
            };
            let Node::Dealt(first) = *store.nodes.get(first) else {
                return Err(Stop::Unsupported(Reason::ShuffledInOrder));
            };
            let first = store.nodes.intern(Node::Pool(first));
            places.push(store.number(first)?);
            match others {
                Some(others) => rest = others,
                None => {
                    rest = store.empty();
                }
            }
        }
        places.push(rest);
    }
    store.chain(places)
}
