//! Lowers a tree to a core program.
//!
//! The use of a part decides how it is lowered: to its total, to the values of its pool, or to a [`Pool`] with the laws of its
//! dice. Only the operators that roll dice again need the laws.

use super::change::{Change, Reroll};
use super::pool::Pool;
use super::terms::Terms as _;
use super::tree::{Binary, Node, Tree};
use crate::error::ErrorKind;
use crate::ir::{Arithmetic, Builder, Comparison, Expr, Name, Program, Site, SiteId};
use crate::notation::extreme::Extreme;
use crate::notation::reader::tree::{Node as _, NodeId};
use crate::notation::settings::Wanted;
use crate::number::Integer;
use crate::stack;

/// A program has at most this number of terms, plus [`TERMS_PER_CHARACTER`] for each character of its rule. A law is written out
/// at each place that rolls it, so that each `K` between two `E` doubles the number of terms.
const MOST_TERMS: u64 = 100_000;

/// See [`MOST_TERMS`].
const TERMS_PER_CHARACTER: u64 = 8;

/// A repeated pool with laws is written out as copies if the copies have at most this number of groups together.
const MOST_GROUPS: usize = 16;

/// The largest number of copies of pools that are written out in one rule.
const MOST_COPIES: usize = 64;

/// The program of a tree; `None` if it would be too long.
pub(super) fn lower(tree: &Tree, wanted: Wanted) -> Option<Program> {
    let mut lowering = Lowering {
        tree,
        terms: Builder::new(),
        copies: 0,
    };
    let root = match wanted {
        Wanted::Number => lowering.total(tree.root),
        Wanted::Pool => lowering.values(tree.root),
    };
    let length = u64::try_from(tree.words(tree.root).len()).unwrap_or(u64::MAX);
    let most = MOST_TERMS.saturating_add(length.saturating_mul(TERMS_PER_CHARACTER));
    (lowering.terms.size(root) <= most).then(|| lowering.terms.program(root))
}

/// Which properties of a pool are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    /// The values of the dice.
    Values,
    /// The values and the laws of the dice.
    Laws,
}

struct Lowering<'t> {
    tree: &'t Tree,
    terms: Builder,
    /// The number of copies of pools that were written out.
    copies: usize,
}

impl Lowering<'_> {
    /// The sum of the pool of a part, evaluated afresh.
    fn total(&mut self, id: NodeId) -> Expr {
        stack::level(|| self.total_of_node(id))
    }

    fn total_of_node(&mut self, id: NodeId) -> Expr {
        let site = self.site(id);
        let (operator, a, b) = match *self.tree.node(id) {
            Node::Group(inner) => return self.total(inner),
            Node::Integer => return self.integer(id),
            Node::Negate(operand) => {
                let number = self.total(operand);
                return self.terms.opposite(number, site);
            }
            Node::Die(_) => return self.total_of_pool(id, site),
            Node::Binary(operator, a, b) => (operator, a, b),
        };
        match operator {
            Binary::Add => self.arithmetic(Arithmetic::Add, a, b, site),
            Binary::Subtract => self.arithmetic(Arithmetic::Subtract, a, b, site),
            Binary::Multiply => {
                let (a, b) = (self.total(a), self.total(b));
                self.terms.product(a, b, site)
            }
            Binary::Divide => self.arithmetic(Arithmetic::FloorDivide, a, b, site),
            Binary::Keep(_) => {
                let kept = self.values(id);
                self.terms.sum(kept, site)
            }
            Binary::Repeat => {
                let count = self.count(b);
                let total = self.total(a);
                if self.terms.is_one(count) {
                    return total;
                }
                let totals = self.terms.times(count, total, site);
                self.terms.sum(totals, site)
            }
            Binary::Test(end) => {
                let (cutoff, values) = (self.total(a), self.values(b));
                let successes = self.terms.filter(reaching(end), cutoff, values, site);
                self.terms.count(successes, site)
            }
            Binary::Again(end) | Binary::Explode(end) => {
                // `A` makes one die of each roll, and `E` one die of the sum of the rolls: the totals are equal.
                let (drawn, limit) = self.drawn(a);
                let pool = self.pool(b, Need::Laws);
                let reroll = Reroll {
                    comparison: reaching(end),
                    limit,
                    site,
                };
                let total = pool.total_of_rolls(&mut self.terms, reroll);
                match drawn {
                    None => total,
                    Some((name, limit)) => self.terms.bind(name, limit, total),
                }
            }
            Binary::BonusAdd | Binary::BonusSubtract | Binary::Dice => self.total_of_pool(id, site),
        }
    }

    fn total_of_pool(&mut self, id: NodeId, site: SiteId) -> Expr {
        let pool = self.pool(id, Need::Values);
        pool.total(&mut self.terms, site)
    }

    /// The values of the dice of a pool.
    fn values(&mut self, id: NodeId) -> Expr {
        let site = self.site(id);
        let pool = self.pool(id, Need::Values);
        pool.values(&mut self.terms, site)
    }

    fn pool(&mut self, id: NodeId, need: Need) -> Pool {
        stack::level(|| self.pool_of_node(id, need))
    }

    fn pool_of_node(&mut self, id: NodeId, need: Need) -> Pool {
        let site = self.site(id);
        let (operator, a, b) = match *self.tree.node(id) {
            Node::Group(inner) => return self.pool(inner, need),
            Node::Integer => {
                let value = self.integer(id);
                return Pool::die(&mut self.terms, value);
            }
            Node::Negate(operand) => {
                let pool = self.pool(operand, need);
                return pool.each(&mut self.terms, site, &Opposite { site });
            }
            Node::Die(sides) => return self.dice(None, sides, need, site),
            Node::Binary(operator, a, b) => (operator, a, b),
        };
        match operator {
            Binary::Add | Binary::Subtract => {
                let first = self.pool(a, need);
                let mut second = self.pool(b, need);
                if operator == Binary::Subtract {
                    second = second.each(&mut self.terms, site, &Opposite { site });
                }
                first.then(second)
            }
            Binary::Divide | Binary::Multiply => {
                let value = self.total_of_node(id);
                Pool::die(&mut self.terms, value)
            }
            Binary::BonusAdd | Binary::BonusSubtract => {
                let pool = self.pool(a, need);
                let bonus = self.total(b);
                let operator = match operator {
                    Binary::BonusAdd => Arithmetic::Add,
                    _ => Arithmetic::Subtract,
                };
                let change = Bonus {
                    operator,
                    added: bonus,
                    site,
                };
                pool.each(&mut self.terms, site, &change)
            }
            Binary::Dice => self.dice(Some(a), b, need, site),
            Binary::Again(end) | Binary::Explode(end) => {
                let (drawn, limit) = self.drawn(a);
                let pool = self.pool(b, Need::Laws);
                let reroll = Reroll {
                    comparison: reaching(end),
                    limit,
                    site,
                };
                let pool = match operator {
                    Binary::Explode(_) => pool.each(&mut self.terms, site, &reroll),
                    _ if need == Need::Laws => pool.reroll(&mut self.terms, reroll),
                    _ => {
                        let rolls = pool.all_rolls(&mut self.terms, reroll);
                        Pool::showing(&mut self.terms, rolls)
                    }
                };
                with(drawn, pool)
            }
            Binary::Keep(end) => {
                let count = self.count(a);
                if need == Need::Laws {
                    let pool = self.pool(b, need);
                    return pool.keep(&mut self.terms, end, count, site);
                }
                let values = self.values(b);
                let kept = self.terms.select(end.selection(), count, values, site);
                Pool::showing(&mut self.terms, kept)
            }
            Binary::Repeat => self.repeated(a, b, need, site),
            Binary::Test(end) => {
                let (drawn, cutoff) = self.drawn(a);
                let change = Tested {
                    comparison: reaching(end),
                    cutoff,
                    site,
                };
                let pool = self.pool(b, need);
                with(drawn, pool.each(&mut self.terms, site, &change))
            }
        }
    }

    /// `DdE`, or `dE` without a count.
    fn dice(&mut self, count: Option<NodeId>, sides: NodeId, need: Need, site: SiteId) -> Pool {
        let count = match count {
            Some(count) => self.count(count),
            None => self.terms.integer(1),
        };
        if need == Need::Values && self.terms.is_one(count) {
            let sides = self.total(sides);
            let roll = self.terms.die(sides, site);
            return Pool::Fresh { count, roll };
        }
        let (drawn, sides) = self.drawn(sides);
        let roll = self.terms.die(sides, site);
        if drawn.is_none() || self.terms.constant(count).is_some() {
            return with(drawn, Pool::Fresh { count, roll });
        }
        // The number of dice is drawn first.
        let name = self.terms.name();
        let dice = Pool::Fresh {
            count: self.terms.variable(name),
            roll,
        };
        with(Some((name, count)), with(drawn, dice))
    }

    /// `D x E`
    fn repeated(&mut self, body: NodeId, times: NodeId, need: Need, site: SiteId) -> Pool {
        let count = self.count(times);
        let pool = self.pool(body, need);
        let known = |terms: &Builder, count| terms.constant(count).and_then(Integer::to_usize);
        if let Pool::Fresh { count: dice, roll } = pool
            && self.terms.constant(dice).is_some()
        {
            let count = if self.terms.is_one(dice) {
                count
            } else {
                self.terms.product(count, dice, site)
            };
            return Pool::Fresh { count, roll };
        }
        let copies = known(&self.terms, count).filter(|&copies| {
            need == Need::Laws
                && copies > 0
                && copies <= MOST_GROUPS
                && copies * pool.size() <= MOST_GROUPS
                && self.copies + copies <= MOST_COPIES
        });
        let Some(copies) = copies else {
            return Pool::Times(count, Box::new(pool));
        };
        self.copies += copies;
        // Lowers the body again for each copy, so that each copy has its own names.
        (1..copies).fold(pool, |pool, _| {
            let copy = self.pool(body, need);
            pool.then(copy)
        })
    }

    /// A number that is drawn when a pool is built: a constant, or a variable with its binding.
    fn drawn(&mut self, id: NodeId) -> (Option<(Name, Expr)>, Expr) {
        let number = self.total(id);
        if self.terms.constant(number).is_some() {
            return (None, number);
        }
        let name = self.terms.name();
        (Some((name, number)), self.terms.variable(name))
    }

    /// A count; a negative count means 0.
    fn count(&mut self, id: NodeId) -> Expr {
        let count = self.total(id);
        if self.terms.never_negative(count, 8) {
            return count;
        }
        let none = self.terms.integer(0);
        if self.terms.constant(count).is_some() {
            return none;
        }
        let site = self.site(id);
        self.terms.arithmetic(Arithmetic::Max, none, count, site)
    }

    fn arithmetic(&mut self, operator: Arithmetic, a: NodeId, b: NodeId, site: SiteId) -> Expr {
        let (a, b) = (self.total(a), self.total(b));
        self.terms.arithmetic(operator, a, b, site)
    }

    fn integer(&mut self, id: NodeId) -> Expr {
        if let Ok(value) = self.tree.words(id).parse::<Integer>() {
            return self.terms.integer(value);
        }
        let site = self.site(id);
        self.terms.fail(ErrorKind::Overflow, site)
    }

    fn site(&mut self, id: NodeId) -> SiteId {
        let whole = self.tree.span(id);
        let mut operands = [whole; 2];
        let mut place = 0;
        self.tree.node(id).each_operand(|operand| {
            operands[place] = self.tree.span(operand);
            place += 1;
        });
        self.terms.site(Site { whole, operands })
    }
}

/// A pool within the binding of a drawn number, if there is one.
fn with(drawn: Option<(Name, Expr)>, pool: Pool) -> Pool {
    match drawn {
        None => pool,
        Some((name, number)) => Pool::With(name, number, Box::new(pool)),
    }
}

/// The comparison that holds for a value that reaches a limit.
fn reaching(end: Extreme) -> Comparison {
    match end {
        Extreme::High => Comparison::GreaterOrEqual,
        Extreme::Low => Comparison::LessOrEqual,
    }
}

/// `-D`: the opposite of each value.
struct Opposite {
    site: SiteId,
}

impl Change for Opposite {
    fn roll(&self, terms: &mut Builder, law: Expr) -> Expr {
        terms.opposite(law, self.site)
    }

    fn first(&self, terms: &mut Builder, first: Expr, _: Option<Expr>) -> Expr {
        terms.opposite(first, self.site)
    }
}

/// `D+E` and `D-E`: a bonus that is evaluated afresh for each roll of each die.
struct Bonus {
    operator: Arithmetic,
    added: Expr,
    site: SiteId,
}

impl Change for Bonus {
    fn roll(&self, terms: &mut Builder, law: Expr) -> Expr {
        terms.arithmetic(self.operator, law, self.added, self.site)
    }

    fn first(&self, terms: &mut Builder, first: Expr, _: Option<Expr>) -> Expr {
        terms.arithmetic(self.operator, first, self.added, self.site)
    }
}

/// `T` and `t`: 1 for a value that reaches the cutoff, else 0.
struct Tested {
    comparison: Comparison,
    /// A constant or a variable.
    cutoff: Expr,
    site: SiteId,
}

impl Change for Tested {
    fn roll(&self, terms: &mut Builder, law: Expr) -> Expr {
        let successes = terms.filter(self.comparison, self.cutoff, law, self.site);
        terms.count(successes, self.site)
    }

    fn first(&self, terms: &mut Builder, first: Expr, _: Option<Expr>) -> Expr {
        self.roll(terms, first)
    }
}
