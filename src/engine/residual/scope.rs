use super::bounds::{Bounds, Hidden};
use super::hazards::Hazards;
use super::node::{Closure, ClosureId, Node, NodeId, Nodes};
use super::pool::{PoolId, Pools};
use super::solve::Laws;
use super::translate::Facts;
use super::{Attempt, Stop};
use crate::engine::failure::Failure;
use crate::ir::Arena;
use crate::limits::Budget;
use crate::map::Map;
use crate::number::Fraction;
use crate::stack;

/// Everything that one analysis shares: the program, its nodes and pools, and the context in which nodes are
/// simplified now.
pub(super) struct Scope<'a> {
    pub(super) arena: &'a Arena,
    pub(super) budget: &'a Budget<'a>,
    pub(super) nodes: Nodes,
    pub(super) pools: Pools,
    pub(super) facts: Facts,
    pub(super) context: Context,
    pub(super) laws: Laws,
    pub(super) hazards: Hazards,
    /// The failures that marks stand for.
    pub(super) marks: Vec<Failure>,
    /// How much of the tolerance may lie beyond what is listed of a loop.
    pub(super) depth: Fraction,
}

/// What is known of the pools while nodes are simplified, beside what [`Pools`] says, with memos that hold
/// under exactly that knowledge.
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
    pub(super) bounds: Map<NodeId, Bounds>,
    simplified: Map<NodeId, NodeId>,
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
        Self {
            mask,
            simplified: replaced.iter().copied().collect(),
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

impl<'a> Scope<'a> {
    pub(super) fn new(arena: &'a Arena, depth: Fraction, budget: &'a Budget<'a>) -> Self {
        Self {
            arena,
            budget,
            nodes: Nodes::default(),
            pools: Pools::default(),
            facts: Facts::default(),
            context: Context::default(),
            laws: Laws::default(),
            hazards: Hazards::default(),
            marks: Vec::new(),
            depth,
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
        std::mem::swap(&mut self.context, context);
        let result = make(self);
        std::mem::swap(&mut self.context, context);
        result
    }

    pub(super) fn simplified(&mut self, id: NodeId) -> Attempt<NodeId> {
        if self.nodes.mask(id) & self.context.mask == 0 {
            return Ok(id);
        }
        if let Some(&known) = self.context.simplified.get(&id) {
            return Ok(known);
        }
        let result = stack::level(|| self.rebuild(id))?;
        self.context.simplified.insert(id, result);
        self.budget.check()?;
        Ok(result)
    }

    /// The node made again by its constructor from its simplified children.
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
                let mut parts = Vec::with_capacity(atoms.len());
                for &(coefficient, atom) in atoms.iter() {
                    parts.push((coefficient, self.simplified(atom)?));
                }
                self.linear(constant, &parts)
            }
            Node::AtLeast(form, number) => {
                let form = self.simplified(form)?;
                self.at_least(form, number)
            }
            Node::Equals(form, number) => {
                let form = self.simplified(form)?;
                self.equals(form, number)
            }
            Node::Arithmetic(operator, a, b) => {
                let (a, b) = (self.simplified(a)?, self.simplified(b)?);
                self.arithmetic(operator, a, b)
            }
            Node::Fold(folding, list) => {
                let list = self.simplified(list)?;
                self.fold(folding, list)
            }
            Node::If(condition, a, b) => {
                let condition = self.simplified(condition)?;
                match *self.nodes.get(condition) {
                    Node::Constant(0) => self.simplified(b),
                    Node::Constant(_) => self.simplified(a),
                    _ => {
                        let (a, b) = (self.simplified(a)?, self.simplified(b)?);
                        self.choose(condition, a, b)
                    }
                }
            }
            Node::Join(parts) => {
                let parts = self.all_simplified(&parts)?;
                self.join(&parts)
            }
            Node::Chain(parts) => {
                let parts = self.all_simplified(&parts)?;
                self.chain(parts)
            }
            Node::Copies(count, list) => {
                let (count, list) = (self.simplified(count)?, self.simplified(list)?);
                self.copies(count, list)
            }
            Node::Filter(compare, number, list) => {
                let (number, list) = (self.simplified(number)?, self.simplified(list)?);
                self.filtered(compare, number, list)
            }
            Node::Select(selection, n, list) => {
                let (n, list) = (self.simplified(n)?, self.simplified(list)?);
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
            self.known(Vec::new())
        } else if bounds.low == bounds.high && bounds.least == bounds.most {
            let dice =
                u32::try_from(bounds.most).map_err(|_| Stop::Unsupported("too many dice"))?;
            self.known(vec![(bounds.low, dice)])
        } else {
            hidden
        };
        match shown {
            Some(shown) if shown.dice > 0 => {
                let known = self.known(vec![(shown.value, shown.dice)]);
                self.join(&[known, rest])
            }
            _ => Ok(rest),
        }
    }
}
