//! What is known of the pools while nodes are simplified: a context.
//!
//! A context belongs to one step: some dice show a face, so many dice are still hidden, and they can show these faces. What
//! is simplified under a context is right only together with it. Contexts of one level of a graph have much in common, and say
//! so ([`Knowledge`]): memos hold for all of them where the difference cannot be seen.

use crate::engine::program::interval::Hidden;
use crate::engine::program::memo::Epoch;
use crate::engine::program::node::NodeId;
use crate::engine::program::pool::PoolId;

/// What is known of the pools while nodes are simplified, beside what the pools say, and when memos hold.
#[derive(Debug, Default)]
pub(in crate::engine) struct Context {
    /// Pools of which some dice have been revealed, with what is still hidden.
    pub(in crate::engine) hidden: Vec<(PoolId, Hidden)>,
    /// What is revealed of pools by this very step.
    pub(in crate::engine) shown: Vec<Shown>,
    /// Pools that are called otherwise from now on.
    pub(in crate::engine) renamed: Vec<(PoolId, PoolId)>,
    /// The pools above, as a mask.
    pub(in crate::engine) mask: u64,
    /// Nodes that are replaced by others, ascending.
    pub(in crate::engine) replaced: Vec<(NodeId, NodeId)>,
    /// When memos hold under exactly this knowledge.
    pub(in crate::engine) epoch: Epoch,
    pub(in crate::engine) knowledge: Knowledge,
}

/// What a context has in common with others.
#[derive(Debug, Default)]
pub(in crate::engine) enum Knowledge {
    /// Nothing.
    #[default]
    Alone,
    /// What is hidden, with any number of dice that show one face: bounds, and what does not see that face.
    Hidden { level: Epoch, shown: Shown },
    /// The faces that are hidden, with any numbers of dice, and for each pool their number, whatever the others'.
    Sizes { level: Epoch, facets: Vec<Facet> },
}

/// What is known of one pool.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Facet {
    /// The pool, as a mask.
    pub(in crate::engine) mask: u64,
    /// When memos hold of nodes that mention this pool only.
    pub(in crate::engine) epoch: Epoch,
    /// The number of hidden dice, if they can show different faces.
    pub(in crate::engine) dice: Option<i64>,
}

/// So many dice of a pool show a value.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Shown {
    pub(in crate::engine) pool: PoolId,
    pub(in crate::engine) value: i64,
    pub(in crate::engine) dice: u32,
}

impl Context {
    /// A context in which nodes are replaced by others: each by a number of the same distribution.
    pub(in crate::engine) fn replacing(replaced: &[(NodeId, NodeId)], mask: u64) -> Self {
        let mut replaced = replaced.to_vec();
        replaced.sort_unstable();
        Self {
            mask,
            replaced,
            ..Self::default()
        }
    }

    pub(in crate::engine) fn new(hidden: Vec<(PoolId, Hidden)>, shown: Vec<Shown>) -> Self {
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

    /// A step that shows a face, one of several of a level that differ only in how many dice show it.
    pub(in crate::engine) fn showing(
        hidden: Vec<(PoolId, Hidden)>,
        shown: Shown,
        level: Epoch,
    ) -> Self {
        Self {
            knowledge: Knowledge::Hidden { level, shown },
            ..Self::new(hidden, vec![shown])
        }
    }

    /// Known numbers of hidden dice, with an epoch for that of each pool: contexts of a level differ only in them.
    pub(in crate::engine) fn sized(
        hidden: Vec<(PoolId, Hidden)>,
        epochs: impl IntoIterator<Item = Epoch>,
        level: Epoch,
    ) -> Self {
        let facet = |((pool, hidden), epoch): (&(PoolId, Hidden), Epoch)| Facet {
            mask: pool.mask(),
            epoch,
            dice: (hidden.low < hidden.high).then_some(hidden.least),
        };
        let mut facets: Vec<Facet> = hidden.iter().zip(epochs).map(facet).collect();
        let context = Self::new(hidden, Vec::new());
        // Pools that share a bit of the mask cannot be told apart by it.
        if context.mask.count_ones() as usize != facets.len() {
            facets.clear();
        }
        Self {
            knowledge: Knowledge::Sizes { level, facets },
            ..context
        }
    }

    /// When memos hold that are common to the contexts of a level.
    pub(in crate::engine) fn level(&self) -> Epoch {
        match self.knowledge {
            Knowledge::Alone => self.epoch,
            Knowledge::Hidden { level, .. } | Knowledge::Sizes { level, .. } => level,
        }
    }

    /// What is known of the pool of a mask, if that is one of several.
    pub(in crate::engine) fn facet(&self, mask: u64) -> Option<&Facet> {
        match &self.knowledge {
            Knowledge::Sizes { facets, .. } => facets.iter().find(|facet| facet.mask == mask),
            _ => None,
        }
    }

    /// A context in which pools are called otherwise.
    pub(in crate::engine) fn renaming(renamed: Vec<(PoolId, PoolId)>) -> Self {
        let mask = renamed.iter().fold(0, |mask, (pool, _)| mask | pool.mask());
        Self {
            renamed,
            mask,
            ..Self::default()
        }
    }

    /// Whether pools of which some dice have been revealed are among those of a mask.
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
