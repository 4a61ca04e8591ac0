//! Shuffled decks: a list of known cards in an order drawn uniformly from all.
//!
//! A shuffled list in order is [`Node::Dealt`]: some places of a deck, one after the other. What is taken by position
//! splits the places; what does not look at the order sees a pool of as many cards. So the first three cards and the
//! next two are two pools that draw from one deck.
//!
//! To be revealed, places are cut where any use of the deck cuts them, and the places that nothing looks at are one
//! more pool. Face by face, the copies of a card are distributed over the pools: `k` of the `s` places of a pool in
//! `C(s, k)` ways, and the last pool of the deck gets the copies that are left.

use num_traits::ToPrimitive;

use super::Attempt;
use super::Stop;
use super::lists::Members;
use super::node::{Node, NodeId};
use super::pool::{DieId, Drawing, Places, Pool, PoolId};
use super::scope::Scope;
use crate::engine::reason::Reason;
use crate::limits::LimitReached;
use crate::map::Map;

/// No more places than this are told apart one by one.
const MOST_PLACES: u32 = 64;

impl Scope<'_> {
    /// A list of known cards in random order.
    pub(super) fn shuffled(&mut self, members: &Members) -> Attempt<NodeId> {
        let [_, _, ..] = members[..] else {
            let cards = self.known(members);
            return self.chain(vec![cards]);
        };
        let die = self.pools.weighted(members);
        let size: u64 = members.iter().map(|&(_, count)| u64::from(count)).sum();
        let of = u32::try_from(size).map_err(|_| LimitReached::List)?;
        let deck = self.pools.name();
        let places = Places { deck, from: 0, of };
        Ok(self.dealt(die, places, of))
    }

    fn dealt(&mut self, die: DieId, places: Places, dice: u32) -> NodeId {
        let pool = self.pools.places(die, places, dice);
        self.nodes.intern(Node::Dealt(pool))
    }

    /// The places of a deck before and after the first `n` of them, of a part of a list that has more.
    pub(super) fn split_places(
        &mut self,
        part: NodeId,
        n: i64,
    ) -> Attempt<Option<(NodeId, NodeId)>> {
        let Node::Dealt(pool) = *self.nodes.get(part) else {
            return Ok(None);
        };
        let Pool { die, dice, drawing } = *self.pools.get(pool);
        let (Drawing::Shuffled(places), Ok(n)) = (drawing, u32::try_from(n)) else {
            return Ok(None);
        };
        // Places of a deck that is being revealed can no longer be cut.
        let is_open = self
            .context
            .hidden
            .iter()
            .any(|&(open, _)| self.pools.deck_of(open) == Some(places.deck));
        if is_open {
            return Err(Stop::Unsupported(Reason::DeckCutByCards));
        }
        let after = Places {
            from: places.from + n,
            ..places
        };
        let parts = (self.dealt(die, places, n), self.dealt(die, after, dice - n));
        Ok(Some(parts))
    }

    /// Places of a deck as a multiset: all of them are known.
    pub(super) fn cards(&mut self, pool: PoolId) -> NodeId {
        let Pool { die, dice, drawing } = *self.pools.get(pool);
        match drawing {
            Drawing::Shuffled(places) if places.of == dice => {
                let cards = self.pools.die_of(die).faces.to_vec();
                let cards = cards.into_iter().map(|(card, copies)| {
                    let copies = copies
                        .to_u64()
                        .and_then(|copies| u32::try_from(copies).ok());
                    (
                        card,
                        copies.expect("as many copies as the deck was made of"),
                    )
                });
                let cards = cards.collect::<Members>();
                self.known(&cards)
            }
            _ => self.nodes.intern(Node::Pool(pool)),
        }
    }

    /// A list in order with every place of a deck as a number of its own.
    pub(super) fn place_by_place(&mut self, list: NodeId) -> Attempt<NodeId> {
        let parts = match self.nodes.get(list) {
            Node::Chain(parts) => parts.to_vec(),
            Node::Dealt(_) => vec![list],
            _ => return Ok(list),
        };
        let mut places = Vec::with_capacity(parts.len());
        for part in parts {
            let mut rest = part;
            while let Node::Dealt(pool) = *self.nodes.get(rest) {
                let dice = self.pools.get(pool).dice;
                if dice > MOST_PLACES {
                    return Err(Stop::Unsupported(Reason::LongListInOrder));
                }
                let (first, others) = match dice {
                    1 => (rest, None),
                    _ => match self.split_places(rest, 1)? {
                        Some((first, others)) => (first, Some(others)),
                        None => return Err(Stop::Unsupported(Reason::ShuffledInOrder)),
                    },
                };
                let Node::Dealt(first) = *self.nodes.get(first) else {
                    return Err(Stop::Unsupported(Reason::ShuffledInOrder));
                };
                let first = self.nodes.intern(Node::Pool(first));
                places.push(self.number(first)?);
                match others {
                    Some(others) => rest = others,
                    None => {
                        rest = self.empty();
                    }
                }
            }
            places.push(rest);
        }
        self.chain(places)
    }

    /// A program in which the places of a deck are cut wherever any of its parts cuts them; a deck of which only one
    /// part is used is drawn from without replacement.
    pub(super) fn dealt_apart(&mut self, root: NodeId) -> Attempt<Option<NodeId>> {
        let mut parts: Map<PoolId, Vec<(NodeId, PoolId, Places, u32)>> = Map::default();
        for id in self.descending(root) {
            match *self.nodes.get(id) {
                // How many are taken may be known once a die is.
                Node::Dealt(_) if self.first_control(root).is_some() => return Ok(None),
                Node::Dealt(_) => return Err(Stop::Unsupported(Reason::ShuffledInOrder)),
                Node::Pool(pool) => {
                    let known = self.pools.get(pool);
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
                let die = self.pools.get(pool).die;
                let pool = self.pools.pool(Pool {
                    die,
                    dice,
                    drawing: Drawing::WithoutReplacement,
                });
                let drawn = if dice == 1 {
                    Node::Draw(pool)
                } else {
                    Node::Pool(pool)
                };
                replaced.push((id, self.nodes.intern(drawn)));
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
                let die = self.pools.get(pool).die;
                let mut cut = Vec::with_capacity(inner.len());
                for ends in inner.windows(2) {
                    let places = Places {
                        from: ends[0],
                        ..places
                    };
                    let pool = self.pools.places(die, places, ends[1] - ends[0]);
                    cut.push(self.nodes.intern(Node::Pool(pool)));
                }
                replaced.push((id, self.join(&cut)?));
            }
        }
        if replaced.is_empty() {
            return Ok(None);
        }
        self.replaced(root, &replaced).map(Some)
    }

    /// Adds, for each deck that is revealed, the places that a program does not look at, as its last pool.
    pub(super) fn add_rests_of_decks(
        &mut self,
        root: NodeId,
        pools: &mut Vec<PoolId>,
    ) -> Attempt<()> {
        let mut seen: Map<PoolId, (DieId, Places, u32)> = Map::default();
        let mut cuts: Vec<(PoolId, u32, u32)> = Vec::new();
        for &pool in &*pools {
            let Pool { die, dice, drawing } = *self.pools.get(pool);
            if let Drawing::Shuffled(places) = drawing {
                seen.entry(places.deck).or_insert((die, places, 0)).2 += dice;
                cuts.push((places.deck, places.from, places.from + dice));
            }
        }
        if seen.is_empty() {
            return Ok(());
        }
        // Each place is in one pool, and all that are looked at are revealed.
        cuts.sort_unstable();
        let mut is_cut = cuts
            .windows(2)
            .all(|pair| pair[0].0 != pair[1].0 || pair[0].2 <= pair[1].1);
        for id in self.descending(root) {
            if let Node::Dealt(pool) | Node::Pool(pool) = *self.nodes.get(id)
                && let Some(deck) = self.pools.deck_of(pool)
                && seen.contains_key(&deck)
            {
                is_cut &= matches!(self.nodes.get(id), Node::Pool(_)) && pools.contains(&pool);
            }
        }
        if !is_cut {
            return Err(Stop::Unsupported(Reason::DeckPartlyRevealed));
        }
        let mut seen: Vec<_> = seen.into_iter().collect();
        seen.sort_unstable_by_key(|&(deck, _)| deck);
        for (deck, (die, places, dice)) in seen {
            let drawing = Drawing::Shuffled(Places { deck, ..places });
            // A pool of its own, even if it has no place: it takes what is left of every card.
            pools.push(self.pools.pool(Pool {
                die,
                dice: places.of - dice,
                drawing,
            }));
        }
        Ok(())
    }
}
