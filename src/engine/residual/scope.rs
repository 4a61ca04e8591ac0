use std::cell::Cell;

use super::bounds::{Bounds, Hidden};
use super::hazards::Hazards;
use super::memo::{Epoch, Memo};
use super::node::{Closure, ClosureId, Compare, Node, NodeId, Nodes};
use super::numbers::LinearScratch;
use super::pool::{PoolId, Pools};
use super::rival::Rival;
use super::solve::Laws;
use super::translate::Facts;
use super::{Attempt, Stop};
use crate::engine::failure::Failure;
use crate::engine::reason::Reason;
use crate::ir::{Arena, Arithmetic, Program};
use crate::limits::{Budget, LimitReached};
use crate::map::Map;
use crate::number::Fraction;
use crate::stack;

/// Everything that one analysis shares: the program, its nodes and pools, and the context in which nodes are
/// simplified now.
pub(super) struct Scope<'a> {
    pub(super) program: &'a Program,
    pub(super) arena: &'a Arena,
    pub(super) budget: &'a Budget<'a>,
    pub(super) rival: Rival,
    pub(super) nodes: Nodes,
    pub(super) pools: Pools,
    pub(super) facts: Facts,
    pub(super) context: Context,
    pub(super) laws: Laws,
    pub(super) bounds: Memo<Bounds>,
    simplified: Memo<NodeId>,
    /// Whether a node sees the face of a level.
    pub(super) seen: Memo<bool>,
    pub(super) enough: Memo<i64>,
    /// From how many dice on a node stays as it is at a level.
    stays: Memo<i64>,
    /// What was simplified under what is known of one pool of several: contexts that differ in the others share it.
    facets: Map<(Epoch, NodeId), NodeId>,
    /// The last epoch that a context was entered in for the first time.
    epoch: Epoch,
    pub(super) hazards: Hazards,
    pub(super) scratch: LinearScratch,
    /// The failures that marks stand for.
    pub(super) marks: Vec<Failure>,
    /// The memory that has been taken from the budget for nodes.
    charged: u64,
    /// How much of the tolerance may lie beyond what is listed of a loop.
    pub(super) depth: Fraction,
    /// Whether some loop was listed no further because of that.
    pub(super) is_cut: Cell<bool>,
}

/// What is known of the pools while nodes are simplified, beside what [`Pools`] says, and when memos hold.
#[derive(Debug, Default)]
pub(super) struct Context {
    /// Pools of which some dice have been revealed, with what is still hidden.
    pub(super) hidden: Vec<(PoolId, Hidden)>,
    /// What is revealed of pools by this very step.
    pub(super) shown: Vec<Shown>,
    /// Pools that are called otherwise from now on.
    renamed: Vec<(PoolId, PoolId)>,
    /// The pools above, as a mask.
    mask: u64,
    /// Nodes that are replaced by others, ascending.
    replaced: Vec<(NodeId, NodeId)>,
    /// When memos hold under exactly this knowledge.
    epoch: Epoch,
    knowledge: Knowledge,
}

/// What a context has in common with others.
#[derive(Debug, Default)]
enum Knowledge {
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
pub(super) struct Facet {
    /// The pool, as a mask.
    mask: u64,
    /// When memos hold of nodes that mention this pool only.
    epoch: Epoch,
    /// The number of hidden dice, if they can show different faces.
    dice: Option<i64>,
}

/// So many dice of a pool show a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    pub(super) pool: PoolId,
    pub(super) value: i64,
    pub(super) dice: u32,
}

impl Context {
    /// A context in which nodes are replaced by others: each by a number of the same distribution.
    pub(super) fn replacing(replaced: &[(NodeId, NodeId)], mask: u64) -> Self {
        let mut replaced = replaced.to_vec();
        replaced.sort_unstable();
        Self {
            mask,
            replaced,
            ..Self::default()
        }
    }

    pub(super) fn new(hidden: Vec<(PoolId, Hidden)>, shown: Vec<Shown>) -> Self {
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
    pub(super) fn showing(hidden: Vec<(PoolId, Hidden)>, shown: Shown, level: Epoch) -> Self {
        Self {
            knowledge: Knowledge::Hidden { level, shown },
            ..Self::new(hidden, vec![shown])
        }
    }

    /// Known numbers of hidden dice, with an epoch for that of each pool: contexts of a level differ only in them.
    pub(super) fn sized(
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
    pub(super) fn level(&self) -> Epoch {
        match self.knowledge {
            Knowledge::Alone => self.epoch,
            Knowledge::Hidden { level, .. } | Knowledge::Sizes { level, .. } => level,
        }
    }

    /// What is known of the pool of a mask, if that is one of several.
    fn facet(&self, mask: u64) -> Option<&Facet> {
        match &self.knowledge {
            Knowledge::Sizes { facets, .. } => facets.iter().find(|facet| facet.mask == mask),
            _ => None,
        }
    }

    /// A context in which pools are called otherwise.
    pub(super) fn renaming(renamed: Vec<(PoolId, PoolId)>) -> Self {
        let mask = renamed.iter().fold(0, |mask, (pool, _)| mask | pool.mask());
        Self {
            renamed,
            mask,
            ..Self::default()
        }
    }

    /// Whether pools of which some dice have been revealed are among those of a mask.
    pub(super) fn knows(&self, mask: u64) -> bool {
        !self.hidden.is_empty() && self.mask & mask != 0
    }

    fn name_of(&self, pool: PoolId) -> PoolId {
        self.renamed
            .iter()
            .find(|(old, _)| *old == pool)
            .map_or(pool, |&(_, new)| new)
    }
}

/// As much memory as nodes may take before the budget is told.
const CHARGE: u64 = 1 << 16;

impl Drop for Scope<'_> {
    fn drop(&mut self) {
        self.budget.give_memory(self.charged);
    }
}

impl<'a> Scope<'a> {
    pub(super) fn new(program: &'a Program, depth: Fraction, budget: &'a Budget<'a>) -> Self {
        Self {
            program,
            arena: program.arena(),
            budget,
            rival: Rival::after(budget.states()),
            nodes: Nodes::default(),
            pools: Pools::default(),
            facts: Facts::default(),
            context: Context::default(),
            laws: Laws::default(),
            bounds: Memo::default(),
            simplified: Memo::default(),
            seen: Memo::default(),
            enough: Memo::default(),
            stays: Memo::default(),
            facets: Map::default(),
            epoch: Epoch::default(),
            hazards: Hazards::default(),
            scratch: LinearScratch::default(),
            marks: Vec::new(),
            charged: 0,
            depth,
            is_cut: Cell::new(false),
        }
    }

    /// The node as it is under a context: with what is shown in place, and simplified by what is known.
    pub(super) fn under(&mut self, context: &mut Context, id: NodeId) -> Attempt<NodeId> {
        self.within(context, |scope| scope.simplified(id))
    }

    /// Anything made of nodes under a context. What a context knows must not leave it: a node that was simplified
    /// under one is only right together with it.
    pub(super) fn within<T>(
        &mut self,
        context: &mut Context,
        make: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if context.epoch == Epoch::default() {
            context.epoch = self.new_epoch();
        }
        std::mem::swap(&mut self.context, context);
        let result = make(self);
        std::mem::swap(&mut self.context, context);
        result
    }

    pub(super) fn simplified(&mut self, id: NodeId) -> Attempt<NodeId> {
        if self.nodes.mask(id) & self.context.mask == 0 {
            return Ok(id);
        }
        if self.surely_stays(id) {
            return Ok(id);
        }
        let (epoch, is_shared) = self.epoch_of_simplified(id);
        let known = if is_shared {
            self.facets.get(&(epoch, id)).copied()
        } else {
            self.simplified.get(epoch, id)
        };
        if let Some(known) = known {
            return Ok(known);
        }
        let replaced = &self.context.replaced;
        let result = match replaced.binary_search_by_key(&id, |&(id, _)| id) {
            Ok(place) => replaced[place].1,
            Err(_) => stack::level(|| self.rebuild(id))?,
        };
        if is_shared {
            self.facets.insert((epoch, id), result);
        } else {
            self.simplified.set(epoch, id, result);
        }
        if result == id {
            self.note_that_it_stays(id)?;
        }
        self.charge_nodes()?;
        self.budget.check()?;
        Ok(result)
    }

    /// Takes the memory of nodes from the budget, now and then.
    fn charge_nodes(&mut self) -> Result<(), LimitReached> {
        let bytes = self.nodes.bytes();
        if bytes - self.charged > CHARGE {
            self.budget.take_memory(bytes - self.charged)?;
            self.charged = bytes;
        }
        Ok(())
    }

    /// An epoch in which nothing is known yet.
    pub(super) fn new_epoch(&mut self) -> Epoch {
        self.epoch = self.epoch.next();
        self.epoch
    }

    /// Forgets what contexts share of single pools.
    pub(super) fn forget_facets(&mut self) {
        self.facets.clear();
    }

    /// When what is known of a node holds: from the beginning if the context says nothing of its pools, and with what
    /// is known of one pool if it mentions no other.
    pub(super) fn epoch_of_bounds(&self, id: NodeId) -> Epoch {
        let mask = self.nodes.mask(id) & self.context.mask;
        match (&self.context.knowledge, self.context.facet(mask)) {
            _ if mask == 0 => Epoch::default(),
            (Knowledge::Hidden { level, .. }, _) => *level,
            (_, Some(facet)) => facet.epoch,
            _ => self.context.epoch,
        }
    }

    /// When it holds what a node becomes, and whether that is shared by contexts that are not entered one after
    /// the other.
    fn epoch_of_simplified(&mut self, id: NodeId) -> (Epoch, bool) {
        let mask = self.nodes.mask(id) & self.context.mask;
        if let Knowledge::Hidden { level, shown } = self.context.knowledge {
            let sees = self.sees(id, shown);
            return (if sees { self.context.epoch } else { level }, false);
        }
        match &self.context.knowledge {
            Knowledge::Sizes { facets, .. } if facets.len() > 1 => {
                let facet = facets.iter().find(|facet| facet.mask == mask);
                facet.map_or((self.context.epoch, false), |facet| (facet.epoch, true))
            }
            _ => (self.context.epoch, false),
        }
    }

    /// Whether a node stays as it is for the number of dice that its only pool hides, because it did for fewer.
    fn surely_stays(&self, id: NodeId) -> bool {
        let mask = self.nodes.mask(id) & self.context.mask;
        let dice = self.context.facet(mask).and_then(|facet| facet.dice);
        dice.is_some_and(|dice| {
            let enough = self.stays.get(self.context.level(), id);
            enough.is_some_and(|enough| dice >= enough)
        })
    }

    /// Notes that a node stays as it is, if it does so for more dice as well.
    fn note_that_it_stays(&mut self, id: NodeId) -> Attempt<()> {
        let mask = self.nodes.mask(id) & self.context.mask;
        if let Some(&Facet {
            dice: Some(dice), ..
        }) = self.context.facet(mask)
        {
            let enough = self.enough(id)?;
            if dice >= enough {
                self.stays.set(self.context.level(), id, enough);
            }
        }
        Ok(())
    }

    /// The node made again by its constructor from its simplified children.
    ///
    /// A node whose children stay as they are is in normal form but for what their bounds now decide, and only that
    /// is looked at: it costs no constructor as long as they decide nothing.
    #[expect(clippy::too_many_lines, reason = "one arm a kind of node")]
    fn rebuild(&mut self, id: NodeId) -> Attempt<NodeId> {
        match self.nodes.get(id).clone() {
            Node::Constant(_) | Node::Known(_) => Ok(id),
            Node::Dealt(pool) => {
                let pool = self.context.name_of(pool);
                Ok(self.nodes.intern(Node::Dealt(pool)))
            }
            Node::Draw(pool) => self.draw(pool),
            Node::Pool(pool) => self.hidden_pool(pool),
            Node::Linear(constant, atoms) => {
                let mut stay = 0;
                let changed = loop {
                    let Some(&(coefficient, atom)) = atoms.get(stay) else {
                        return Ok(id);
                    };
                    let part = self.simplified(atom)?;
                    if part != atom || !self.is_open(part)? {
                        break (coefficient, part);
                    }
                    stay += 1;
                };
                if let [_] = *atoms {
                    return self.linear(constant, &[changed]);
                }
                let mut parts = Vec::with_capacity(atoms.len());
                parts.extend_from_slice(&atoms[..stay]);
                parts.push(changed);
                for &(coefficient, atom) in &atoms[stay + 1..] {
                    parts.push((coefficient, self.simplified(atom)?));
                }
                self.linear(constant, &parts)
            }
            Node::AtLeast(old, number) => {
                let form = self.simplified(old)?;
                let bounds = self.bounds(form)?;
                let is_open = bounds.low < number && number <= bounds.high;
                if form == old && is_open && (bounds.low, bounds.high) != (0, 1) {
                    return Ok(id);
                }
                self.at_least(form, number)
            }
            Node::Equals(old, number) => {
                let form = self.simplified(old)?;
                let bounds = self.bounds(form)?;
                if form == old && bounds.low < number && number < bounds.high {
                    return Ok(id);
                }
                self.equals(form, number)
            }
            Node::Arithmetic(operator, old_a, old_b) => {
                let (a, b) = (self.simplified(old_a)?, self.simplified(old_b)?);
                if (a, b) == (old_a, old_b) && self.is_open(id)? {
                    let (left, right) = (self.bounds(a)?, self.bounds(b)?);
                    let is_condition = |bounds: Bounds| bounds.low == 0 && bounds.high == 1;
                    let chooses = is_condition(left) || is_condition(right);
                    if operator != Arithmetic::Multiply || !chooses {
                        return Ok(id);
                    }
                }
                self.arithmetic(operator, a, b)
            }
            Node::Fold(folding, old) => {
                let list = self.simplified(old)?;
                if list == old && self.is_open(id)? {
                    return Ok(id);
                }
                self.fold(folding, list)
            }
            Node::If(old, a, b) => {
                let condition = self.simplified(old)?;
                match *self.nodes.get(condition) {
                    Node::Constant(0) => self.simplified(b),
                    Node::Constant(_) => self.simplified(a),
                    _ => {
                        let parts = (condition, self.simplified(a)?, self.simplified(b)?);
                        if parts == (old, a, b) && self.is_open(condition)? {
                            return Ok(id);
                        }
                        self.choose(condition, parts.1, parts.2)
                    }
                }
            }
            Node::Join(old) => {
                let parts = self.all_simplified(&old)?;
                if parts == *old {
                    return Ok(id);
                }
                self.join(&parts)
            }
            Node::Chain(old) => {
                let parts = self.all_simplified(&old)?;
                if parts == *old {
                    return Ok(id);
                }
                self.chain(parts)
            }
            Node::Copies(old_count, old) => {
                let (count, list) = (self.simplified(old_count)?, self.simplified(old)?);
                if (count, list) == (old_count, old) {
                    return Ok(id);
                }
                self.copies(count, list)
            }
            Node::Filter(compare, old_number, old) => {
                let (number, list) = (self.simplified(old_number)?, self.simplified(old)?);
                if (number, list) == (old_number, old) {
                    let (members, than) = (self.bounds(list)?, self.bounds(number)?);
                    let is_known = compare == Compare::Equal && than.low == than.high;
                    if members.most > 0 && !is_known && members.decides(compare, than).is_none() {
                        return Ok(id);
                    }
                }
                self.filtered(compare, number, list)
            }
            Node::Select(selection, old_n, old) => {
                let (n, list) = (self.simplified(old_n)?, self.simplified(old)?);
                if (n, list) == (old_n, old) && self.is_lone(list) {
                    let (wanted, members) = (self.bounds(n)?, self.bounds(list)?);
                    if wanted.low == wanted.high && wanted.high < members.most {
                        return Ok(id);
                    }
                }
                self.select(selection, n, list)
            }
            Node::Range(a, b) => {
                let (a, b) = (self.simplified(a)?, self.simplified(b)?);
                self.range(a, b)
            }
            Node::Draws(count, die, name) => {
                let count = self.simplified(count)?;
                self.draws(count, die, self.context.name_of(name))
            }
            Node::Die(sides, name) => {
                let sides = self.simplified(sides)?;
                self.die(sides, self.context.name_of(name))
            }
            Node::Map(list, closure) => {
                let list = self.simplified(list)?;
                let closure = self.closure_simplified(closure)?;
                self.map(list, closure)
            }
            Node::Loop(value, closure, order, name) => {
                let value = self.simplified(value)?;
                let closure = self.closure_simplified(closure)?;
                let name = self.context.name_of(name);
                self.looped(value, closure, order, name)
            }
            Node::Over(list) => {
                let list = self.simplified(list)?;
                self.over(list)
            }
        }
    }

    /// Whether a list is known members only.
    pub(super) fn is_known(&self, list: NodeId) -> bool {
        matches!(self.nodes.get(list), Node::Constant(_) | Node::Known(_))
    }

    /// Whether the bounds of a number leave more than one value.
    fn is_open(&mut self, id: NodeId) -> Attempt<bool> {
        let bounds = self.bounds(id)?;
        Ok(bounds.low != bounds.high)
    }

    /// Whether a list is one hidden part, so that a selection from it has nothing to compare: only how many members
    /// it can have decides anything.
    fn is_lone(&self, list: NodeId) -> bool {
        matches!(
            self.nodes.get(list),
            Node::Pool(_) | Node::Filter(..) | Node::Select(..) | Node::Draws(..)
        )
    }

    fn closure_simplified(&mut self, closure: ClosureId) -> Attempt<ClosureId> {
        let Closure::Body(mut body) = self.nodes.closure_of(closure).clone() else {
            return Ok(closure);
        };
        for value in &mut body.environment {
            *value = self.simplified(*value)?;
        }
        body.name = body.name.map(|name| self.context.name_of(name));
        Ok(self.nodes.closure(Closure::Body(body)))
    }

    fn all_simplified(&mut self, parts: &[NodeId]) -> Attempt<Vec<NodeId>> {
        parts.iter().map(|&part| self.simplified(part)).collect()
    }

    /// The only die of a pool, or what it shows.
    fn draw(&mut self, pool: PoolId) -> Attempt<NodeId> {
        let pool = self.context.name_of(pool);
        let shown = self
            .context
            .shown
            .iter()
            .find(|shown| shown.pool == pool && shown.dice > 0);
        Ok(if let Some(shown) = shown {
            self.constant(shown.value)
        } else {
            let id = self.nodes.intern(Node::Draw(pool));
            let bounds = self.bounds(id)?;
            if bounds.low == bounds.high {
                self.constant(bounds.low)
            } else {
                id
            }
        })
    }

    /// The dice of a pool: those that show a value, and those that are hidden.
    fn hidden_pool(&mut self, pool: PoolId) -> Attempt<NodeId> {
        let pool = self.context.name_of(pool);
        let shown = self
            .context
            .shown
            .iter()
            .find(|shown| shown.pool == pool)
            .copied();
        let hidden = self.nodes.intern(Node::Pool(pool));
        let bounds = self.bounds(hidden)?;
        let rest = if bounds.most == 0 {
            self.known(&[])
        } else if bounds.low == bounds.high && bounds.least == bounds.most {
            let dice =
                u32::try_from(bounds.most).map_err(|_| Stop::Unsupported(Reason::TooManyDice))?;
            self.known(&[(bounds.low, dice)])
        } else {
            hidden
        };
        match shown {
            Some(shown) if shown.dice > 0 => {
                let known = self.known(&[(shown.value, shown.dice)]);
                self.join(&[known, rest])
            }
            _ => Ok(rest),
        }
    }
}
