//! Contexts: what is known of the pools while nodes are simplified.
//!
//! A context belongs to one step: some dice show a face, a known number of dice are still hidden, and the faces that
//! those can show are known. A node that was simplified under a context is right only together with it. The contexts
//! of one level of a graph have much in common, and say so ([`Knowledge`]): where their difference does not matter, a
//! memo holds for all of them.

use crate::engine::program::interval::Hidden;
use crate::engine::program::memo::Epoch;
use crate::engine::program::node::NodeId;
use crate::engine::program::pool::PoolId;

/// What is known of the pools beyond their own data, and when memos hold.
#[derive(Debug, Default)]
pub(in crate::engine) struct Context {
    /// Pools of which some dice have been revealed, with their hidden dice.
    pub(in crate::engine) hidden: Vec<(PoolId, Hidden)>,
    /// The dice that this step reveals.
    pub(in crate::engine) shown: Vec<ShownDice>,
    /// Old and new names of pools.
    pub(in crate::engine) renamed: Vec<(PoolId, PoolId)>,
    /// The mask of all pools in the fields above, or of the nodes that are replaced.
    pub(in crate::engine) mask: u64,
    /// Nodes and their replacements, ascending.
    pub(in crate::engine) replaced: Vec<(NodeId, NodeId)>,
    /// The epoch of memos that hold under exactly this knowledge.
    pub(in crate::engine) epoch: Epoch,
    /// How this context relates to others of its level.
    pub(in crate::engine) knowledge: Knowledge,
}

/// What a context has in common with the others of its level.
#[derive(Debug, Default)]
pub(in crate::engine) enum Knowledge {
    /// Nothing.
    #[default]
    Alone,
    /// The hidden dice. The contexts of the level differ in how many dice show one face. Bounds hold for all of them,
    /// and so does everything that does not depend on that number. The epoch of the context in which no die shows the face is
    /// the first, and each further die has the next epoch.
    Hidden {
        level: Epoch,
        shown: ShownDice,
        first: Epoch,
    },
    /// The faces that hidden dice can show. The contexts of the level differ in the number of hidden dice of each
    /// pool. What depends on one pool only is shared by all contexts in which that pool hides as many dice.
    Sizes { level: Epoch, facets: Vec<Facet> },
}

/// What is known of one pool at a level of known sizes.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Facet {
    /// The mask of the pool.
    pub(in crate::engine) mask: u64,
    /// The epoch of memos of nodes that mention no other pool of the context.
    pub(in crate::engine) epoch: Epoch,
    /// The number of hidden dice, if they can show different faces.
    pub(in crate::engine) dice: Option<i64>,
}

/// The dice of a pool that show a value, and their number.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct ShownDice {
    pub(in crate::engine) pool: PoolId,
    pub(in crate::engine) value: i64,
    pub(in crate::engine) dice: u32,
}

impl Context {
    /// A context in which each of these nodes is replaced by another.
    pub(in crate::engine) fn replacing(replaced: &[(NodeId, NodeId)], mask: u64) -> Self {
        let mut replaced = replaced.to_vec();
        replaced.sort_unstable();
        Self {
            mask,
            replaced,
            ..Self::default()
        }
    }

    pub(in crate::engine) fn new(hidden: Vec<(PoolId, Hidden)>, shown: Vec<ShownDice>) -> Self {
        let pools = hidden
            .iter()
            .map(|(pool, _)| pool)
            .chain(shown.iter().map(|shown| &shown.pool));
        let mask = pools.fold(0, |mask, pool| mask | pool.mask());
        Self {
            hidden,
            shown,
            mask,
            ..Self::default()
        }
    }

    /// The contexts of the steps of one level, which show a face. The steps differ only in how many dice show it, and have epochs one
    /// after the other: the first for no die, with which it begins.
    pub(in crate::engine) fn showing(
        hidden: Vec<(PoolId, Hidden)>,
        shown: ShownDice,
        level: Epoch,
        first: Epoch,
    ) -> Self {
        Self {
            epoch: first.after(shown.dice),
            knowledge: Knowledge::Hidden {
                level,
                shown,
                first,
            },
            ..Self::new(hidden, vec![shown])
        }
    }

    /// So many dice show the face of the level.
    pub(in crate::engine) fn show(&mut self, dice: u32) {
        let Knowledge::Hidden { shown, first, .. } = &mut self.knowledge else {
            unreachable!("only a level that shows a face does");
        };
        shown.dice = dice;
        self.shown[0].dice = dice;
        self.epoch = first.after(dice);
    }

    /// The contexts of one level with known numbers of hidden dice, which are open until [`Self::hide`].
    pub(in crate::engine) fn sized(hidden: Vec<(PoolId, Hidden)>, level: Epoch) -> Self {
        let facet = |(pool, _): &(PoolId, Hidden)| Facet {
            mask: pool.mask(),
            epoch: Epoch::default(),
            dice: None,
        };
        let mut facets: Vec<Facet> = hidden.iter().map(facet).collect();
        let context = Self::new(hidden, Vec::new());
        // Two pools may share a bit of the mask, which then cannot tell them apart.
        if context.mask.count_ones() as usize != facets.len() {
            facets.clear();
        }
        Self {
            knowledge: Knowledge::Sizes { level, facets },
            ..context
        }
    }

    /// Each pool hides so many dice, and has an epoch of its own for its number.
    pub(in crate::engine) fn hide(&mut self, pools: impl IntoIterator<Item = (u32, Epoch)>) {
        let Knowledge::Sizes { facets, .. } = &mut self.knowledge else {
            unreachable!("only a level of known sizes does");
        };
        self.epoch = Epoch::default();
        let mut pools = pools.into_iter();
        for (place, (_, hidden)) in self.hidden.iter_mut().enumerate() {
            let (dice, epoch) = pools.next().expect("a number for each pool");
            hidden.least = dice.into();
            hidden.most = dice.into();
            if let Some(facet) = facets.get_mut(place) {
                facet.epoch = epoch;
                facet.dice = (hidden.low < hidden.high).then_some(hidden.least);
            }
        }
    }

    /// The epoch of memos that hold in all contexts of the level.
    pub(in crate::engine) fn level(&self) -> Epoch {
        match self.knowledge {
            Knowledge::Alone => self.epoch,
            Knowledge::Hidden { level, .. } | Knowledge::Sizes { level, .. } => level,
        }
    }

    /// What the only pool of this mask hides. `None` if the mask is not that of one pool.
    pub(in crate::engine) fn hidden_of(&self, mask: u64) -> Option<&Hidden> {
        let mut of_mask = self.hidden.iter().filter(|(pool, _)| pool.mask() == mask);
        let (_, hidden) = of_mask.next()?;
        of_mask.next().is_none().then_some(hidden)
    }

    /// What is known of the pool with this mask, if the mask is that of one pool.
    pub(in crate::engine) fn facet(&self, mask: u64) -> Option<&Facet> {
        match &self.knowledge {
            Knowledge::Sizes { facets, .. } => facets.iter().find(|facet| facet.mask == mask),
            _ => None,
        }
    }

    /// A context in which pools have new names.
    pub(in crate::engine) fn renaming(renamed: Vec<(PoolId, PoolId)>) -> Self {
        let mask = renamed.iter().fold(0, |mask, (pool, _)| mask | pool.mask());
        Self {
            renamed,
            mask,
            ..Self::default()
        }
    }

    /// Whether a mask has a pool of which some dice have been revealed.
    pub(in crate::engine) fn knows(&self, mask: u64) -> bool {
        !self.hidden.is_empty() && self.mask & mask != 0
    }

    pub(in crate::engine) fn name_of(&self, pool: PoolId) -> PoolId {
        self.renamed
            .iter()
            .find(|(old, _)| *old == pool)
            .map_or(pool, |&(_, new)| new)
    }
}
