//! Decks that are to be revealed.
//!
//! The places of a deck are cut wherever a part of the deck begins or ends, so that each place is in one pool. Places
//! that nothing looks at are one more pool. Face by face, the copies of a card are distributed over the pools: `k` of
//! the `s` places of a pool in `C(s, k)` ways. The last pool of the deck gets the copies that are left.

use crate::engine::program::{DieId, Drawing, Node, NodeId, Places, Pool, PoolId, Store};
use crate::engine::reason::Reason;
use crate::engine::simplify::Forms as _;
use crate::engine::stop::{Attempt, Stop};
use crate::map::Map;

/// The program with the places of each deck cut wherever a part of the deck begins or ends. If only one part of a
/// deck is used, that part is drawn without replacement. `None` if nothing changes.
pub(in crate::engine) fn with_decks_cut(
    store: &mut Store<'_>,
    root: NodeId,
) -> Attempt<Option<NodeId>> {
    let mut parts: Map<PoolId, Vec<(NodeId, PoolId, Places, u32)>> = Map::default();
    for id in store.descending(root) {
        match *store.nodes.get(id) {
            // A die may decide how many places are taken.
            Node::Dealt(_) if store.first_die_to_reveal(root).is_some() => return Ok(None),
            Node::Dealt(_) => return Err(Stop::Unsupported(Reason::ShuffledInOrder)),
            Node::Pool(pool) => {
                let known = store.pools.get(pool);
                if let Drawing::Shuffled(places) = known.drawing {
                    let part = (id, pool, places, known.dice);
                    parts.entry(places.deck).or_default().push(part);
                }
            }
            _ => {}
        }
    }
    let mut decks: Vec<_> = parts.into_iter().collect();
    decks.sort_unstable_by_key(|&(deck, _)| deck);
    let mut replaced = Vec::new();
    for (_, parts) in decks {
        if let [(id, pool, _, dice)] = parts[..] {
            let die = store.pools.get(pool).die;
            let pool = store.pools.pool(Pool {
                die,
                dice,
                drawing: Drawing::WithoutReplacement,
            });
            let drawn = if dice == 1 {
                Node::Draw(pool)
            } else {
                Node::Pool(pool)
            };
            replaced.push((id, store.nodes.intern(drawn)));
            continue;
        }
        let mut cuts: Vec<u32> = parts
            .iter()
            .flat_map(|&(_, _, places, dice)| [places.from, places.from + dice])
            .collect();
        cuts.sort_unstable();
        cuts.dedup();
        for (id, pool, places, dice) in parts {
            let (from, to) = (places.from, places.from + dice);
            let inner: Vec<u32> = cuts
                .iter()
                .copied()
                .filter(|cut| (from..=to).contains(cut))
                .collect();
            if inner.len() == 2 {
                continue;
            }
            let die = store.pools.get(pool).die;
            let mut cut = Vec::with_capacity(inner.len());
            for ends in inner.windows(2) {
                let places = Places {
                    from: ends[0],
                    ..places
                };
                let pool = store.pools.places(die, places, ends[1] - ends[0]);
                cut.push(store.nodes.intern(Node::Pool(pool)));
            }
            replaced.push((id, store.join(&cut)?));
        }
    }
    if replaced.is_empty() {
        return Ok(None);
    }
    store.replaced(root, &replaced).map(Some)
}

/// Adds one last pool for each deck that is revealed: the places that the program does not look at.
pub(in crate::engine) fn add_unseen_places(
    store: &mut Store<'_>,
    root: NodeId,
    pools: &mut Vec<PoolId>,
) -> Attempt<()> {
    let mut seen: Map<PoolId, (DieId, Places, u32)> = Map::default();
    let mut cuts: Vec<(PoolId, u32, u32)> = Vec::new();
    for &pool in &*pools {
        let Pool { die, dice, drawing } = *store.pools.get(pool);
        if let Drawing::Shuffled(places) = drawing {
            seen.entry(places.deck).or_insert((die, places, 0)).2 += dice;
            cuts.push((places.deck, places.from, places.from + dice));
        }
    }
    if seen.is_empty() {
        return Ok(());
    }
    // Each place must be in one pool, and every pool that the program looks at must be revealed.
    cuts.sort_unstable();
    let mut is_cut = cuts
        .windows(2)
        .all(|pair| pair[0].0 != pair[1].0 || pair[0].2 <= pair[1].1);
    for id in store.descending(root) {
        if let Node::Dealt(pool) | Node::Pool(pool) = *store.nodes.get(id)
            && let Some(deck) = store.pools.deck_of(pool)
            && seen.contains_key(&deck)
        {
            is_cut &= matches!(store.nodes.get(id), Node::Pool(_)) && pools.contains(&pool);
        }
    }
    if !is_cut {
        return Err(Stop::Unsupported(Reason::DeckPartlyRevealed));
    }
    let mut seen: Vec<_> = seen.into_iter().collect();
    seen.sort_unstable_by_key(|&(deck, _)| deck);
    for (deck, (die, places, dice)) in seen {
        let drawing = Drawing::Shuffled(Places { deck, ..places });
        // The pool is added even if it has no place: as the last one it takes the copies that are left of every card.
        pools.push(store.pools.pool(Pool {
            die,
            dice: places.of - dice,
            drawing,
        }));
    }
    Ok(())
}
