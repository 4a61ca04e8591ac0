//! Pools: named multisets of hidden dice.
//!
//! A pool has a die, a number of dice, and a way of drawing them. Its name makes two uses of a variable see the same
//! dice. A die has listed faces with weights. A die that stands for the result of a loop may have unlisted values,
//! too.

use crate::algebra::{Law, Numbers, Weight};
use crate::engine::program::integer::is_infinite;
use crate::engine::reason::Reason;
use crate::engine::stop::{Attempt, Stop};
use crate::limits::Budget;
use crate::map::{Map, ValueMap};
use crate::number::Integer;
use std::hash::Hash;
use std::rc::Rc;

/// The id of a pool in a [`Pools`] table: a name for hidden dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::engine) struct PoolId(u32);

/// The id of a kind of die in a [`Pools`] table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::engine) struct DieId(u32);

impl PoolId {
    /// The bit of this pool in a mask.
    pub(in crate::engine) fn mask(self) -> u64 {
        1 << (self.0 % 64)
    }
}

/// The hidden dice of a pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Pool {
    /// The distribution of each hidden die. For a deck, the cards with their multiplicities.
    pub(in crate::engine) die: DieId,
    /// The number of hidden dice.
    pub(in crate::engine) dice: u32,
    /// How the dice are drawn.
    pub(in crate::engine) drawing: Drawing,
}

/// How the dice of a pool depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::engine) enum Drawing {
    /// Independently.
    Independent,
    /// Without replacement. The weights of the die are the multiplicities of the cards.
    WithoutReplacement,
    /// As some places of a shuffled deck. The weights of the die are the multiplicities of the cards.
    Shuffled(Places),
}

/// Consecutive places of a shuffled deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::engine) struct Places {
    /// The name of the deck.
    pub(in crate::engine) deck: PoolId,
    /// The first place, counted from 0.
    pub(in crate::engine) from: u32,
    /// The number of cards of the deck.
    pub(in crate::engine) of: u32,
}

/// The distribution of a die.
#[derive(Debug)]
pub(in crate::engine) struct Die {
    /// The whole distribution.
    pub(in crate::engine) law: Rc<Law>,
    /// The listed faces in ascending order, with their weights.
    pub(in crate::engine) faces: Rc<[(i64, Weight)]>,
    /// The masses of unlisted values.
    pub(in crate::engine) beyond: Rc<[Beyond]>,
}

/// Weight of a die on unlisted values between two ends. An infinite end is `i64::MIN` or `i64::MAX`.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Beyond {
    pub(in crate::engine) low: i64,
    pub(in crate::engine) high: i64,
    pub(in crate::engine) weight: Weight,
}

// A die that may never show anything is no known number, even if it has only one value. Its bounds must not be equal,
// so `high` is one more.
impl Die {
    /// Whether the die may never show anything: it stands for a loop that may never end.
    pub(in crate::engine) fn may_never_show(&self) -> bool {
        self.law.never_ends() != Weight::ZERO
    }

    pub(in crate::engine) fn low(&self) -> i64 {
        let beyond = self.beyond.iter().map(|beyond| beyond.low);
        let faces = self.faces.first().map(|&(face, _)| face);
        beyond.chain(faces).min().unwrap_or(i64::MIN)
    }

    pub(in crate::engine) fn high(&self) -> i64 {
        let beyond = self.beyond.iter().map(|beyond| beyond.high);
        let faces = self.faces.last().map(|&(face, _)| face);
        let high = beyond.chain(faces).max().unwrap_or(i64::MAX);
        if high == self.low() && self.may_never_show() {
            return high.saturating_add(1);
        }
        high
    }
}

/// What makes two pools alike.
type PoolKind = (DieId, u32, Drawing);

/// All pools and dice of one analysis.
#[derive(Debug, Default)]
pub(in crate::engine) struct Pools {
    table: Vec<Option<Pool>>,
    dice: Vec<Die>,
    /// Whether some die may never show anything.
    has_endless: bool,
    dice_index: ValueMap<Rc<Law>, DieId>,
    named: Map<(PoolId, DieId, u32), PoolId>,
    derived: Map<(PoolId, u32, usize), PoolId>,
    places: Map<(Places, u32), PoolId>,
    decks: Map<(usize, DieId, u32), PoolId>,
    canonical: Map<(usize, Option<PoolKind>), PoolId>,
}

impl Pools {
    /// The id of a die with this distribution.
    pub(in crate::engine) fn die(&mut self, law: Rc<Law>, budget: &Budget<'_>) -> Attempt<DieId> {
        if let Some(&id) = self.dice_index.get(&law) {
            return Ok(id);
        }
        // Each face, and its weight twice.
        let weights = law.listed.weights().bytes().saturating_mul(2);
        budget.has_room_for((law.listed.len() as u64 * 64).saturating_add(weights))?;
        let face = |face: Integer| {
            face.to_i64()
                .filter(|&face| !is_infinite(face))
                .ok_or(Stop::Unsupported(Reason::LongIntegers))
        };
        let faces = law
            .listed
            .iter()
            .map(|(value, weight)| Ok((face(value)?, weight)))
            .collect::<Attempt<_>>()?;
        let end = |end: Option<Integer>, none: i64| end.map_or(Ok(none), face);
        let beyond = law
            .masses()
            .into_iter()
            .map(|part| {
                Ok(Beyond {
                    low: end(part.low, i64::MIN)?,
                    high: end(part.high, i64::MAX)?,
                    weight: part.weight,
                })
            })
            .collect::<Attempt<_>>()?;
        let id = DieId(u32::try_from(self.dice.len()).expect("fewer than 2^32 dice"));
        let die = Die {
            law: Rc::clone(&law),
            faces,
            beyond,
        };
        self.has_endless |= die.may_never_show();
        self.dice.push(die);
        self.dice_index.insert(law, id);
        Ok(id)
    }

    /// A fair die with faces 1 to `sides`.
    pub(in crate::engine) fn fair(&mut self, sides: i64, budget: &Budget<'_>) -> Attempt<DieId> {
        let law = Numbers::uniform(&Integer::ONE, sides.unsigned_abs(), budget)?;
        self.die(Rc::new(law.into()), budget)
    }

    /// A die with known members as faces, weighted by their multiplicities.
    pub(in crate::engine) fn weighted(
        &mut self,
        members: &[(i64, u32)],
        budget: &Budget<'_>,
    ) -> Attempt<DieId> {
        // Each takes room once while it is collected, and once in the law.
        budget.has_room_for_members::<[u64; 12]>(members.len())?;
        let total: u64 = members.iter().map(|&(_, count)| u64::from(count)).sum();
        let faces = members
            .iter()
            .map(|&(face, count)| (Integer::from(face), Weight::from(count)));
        let law = Numbers::new(faces, Weight::from(total));
        self.die(Rc::new(law.into()), budget)
    }

    /// A die of which only its bounds are known.
    pub(in crate::engine) fn between(&mut self, low: i64, high: i64) -> DieId {
        let id = DieId(u32::try_from(self.dice.len()).expect("fewer than 2^32 dice"));
        let beyond = Beyond {
            low,
            high,
            weight: Weight::from(1_u32),
        };
        let law = Numbers::impossible(Weight::from(1_u32));
        self.dice.push(Die {
            law: Rc::new(law.into()),
            faces: Rc::default(),
            beyond: [beyond].into(),
        });
        id
    }

    /// Whether some die may never show anything. Mostly there is none, and then no node needs to be searched for one.
    pub(in crate::engine) fn has_endless(&self) -> bool {
        self.has_endless
    }

    pub(in crate::engine) fn die_of(&self, die: DieId) -> &Die {
        &self.dice[die.0 as usize]
    }

    /// A new pool.
    pub(in crate::engine) fn pool(&mut self, pool: Pool) -> PoolId {
        self.push(Some(pool))
    }

    /// A name for a pool whose dice are not known yet.
    pub(in crate::engine) fn name(&mut self) -> PoolId {
        self.push(None)
    }

    /// Whether there are more pools than bits of a mask.
    pub(in crate::engine) fn share_bits(&self) -> bool {
        self.table.len() > u64::BITS as usize
    }

    /// The pools of the bits of a mask, ascending.
    pub(in crate::engine) fn of_mask(&self, mask: u64) -> Vec<PoolId> {
        let ids = (0_u32..).map(PoolId).take(self.table.len());
        ids.filter(|pool| pool.mask() & mask != 0).collect()
    }

    fn push(&mut self, pool: Option<Pool>) -> PoolId {
        let id = PoolId(u32::try_from(self.table.len()).expect("fewer than 2^32 pools"));
        self.table.push(pool);
        id
    }

    /// The pool of a name, once its die and its number of dice are known. The same three arguments give the same
    /// pool.
    pub(in crate::engine) fn named(&mut self, name: PoolId, die: DieId, dice: u32) -> PoolId {
        if let Some(&pool) = self.named.get(&(name, die, dice)) {
            return pool;
        }
        let pool = self.pool(Pool {
            die,
            dice,
            drawing: Drawing::Independent,
        });
        self.named.insert((name, die, dice), pool);
        pool
    }

    /// The pool of `dice` places of a deck with these cards. The same places give the same pool.
    pub(in crate::engine) fn places(&mut self, die: DieId, places: Places, dice: u32) -> PoolId {
        if let Some(&pool) = self.places.get(&(places, dice)) {
            return pool;
        }
        let drawing = Drawing::Shuffled(places);
        let pool = self.pool(Pool { die, dice, drawing });
        self.places.insert((places, dice), pool);
        pool
    }

    /// The deck that a pool is a part of.
    pub(in crate::engine) fn deck_of(&self, id: PoolId) -> Option<PoolId> {
        match self.known(id)?.drawing {
            Drawing::Shuffled(places) => Some(places.deck),
            _ => None,
        }
    }

    /// A name derived from another name and two numbers. The same three arguments give the same name.
    pub(in crate::engine) fn derived(&mut self, name: PoolId, part: u32, index: usize) -> PoolId {
        if let Some(&derived) = self.derived.get(&(name, part, index)) {
            return derived;
        }
        let derived = self.name();
        self.derived.insert((name, part, index), derived);
        derived
    }

    /// The common name of all decks of these cards whose first occurrence is at this place of a program.
    pub(in crate::engine) fn canonical_deck(
        &mut self,
        place: usize,
        die: DieId,
        of: u32,
    ) -> PoolId {
        if let Some(&name) = self.decks.get(&(place, die, of)) {
            return name;
        }
        let name = self.name();
        self.decks.insert((place, die, of), name);
        name
    }

    /// The common name of all pools like this one that occur at this place of a program.
    pub(in crate::engine) fn canonical(&mut self, place: usize, pool: PoolId) -> PoolId {
        let known = self.known(pool).cloned();
        let key = known
            .as_ref()
            .map(|pool| (pool.die, pool.dice, pool.drawing));
        if let Some(&name) = self.canonical.get(&(place, key)) {
            return name;
        }
        let name = self.push(known);
        self.canonical.insert((place, key), name);
        name
    }

    /// The pool of an id, unless it is a bare name.
    pub(in crate::engine) fn known(&self, id: PoolId) -> Option<&Pool> {
        self.table[id.0 as usize].as_ref()
    }

    /// The pool of an id, which is no bare name.
    pub(in crate::engine) fn get(&self, id: PoolId) -> &Pool {
        self.table[id.0 as usize]
            .as_ref()
            .expect("only pools with dice stand in draws and pools")
    }
}
