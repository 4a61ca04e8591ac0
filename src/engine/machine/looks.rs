//! The parts of a rolled value that the code after the roll looks at.

use super::code::{Code, Expr, ExprId, Flow, FlowId, Slot};
use super::keys::{KnownSlots, keys};
use crate::ir::{Arrangement, Folding, Selection};
use crate::stack;

/// The parts of a rolled value that the code after the roll looks at.
#[derive(Debug)]
pub(super) struct Looks {
    pub(super) slot: Slot,
    pub(super) all: Box<[ExprId]>,
    /// Parts from which all of these can be computed, if each part of two joined pools follows from the parts of either.
    pub(super) of_pools: Option<Box<[ExprId]>>,
}

impl Looks {
    /// The parts of the value that is rolled at a point which the code after it looks at; `None` for the whole value.
    pub(super) fn after(code: &mut Code, point: FlowId) -> Option<Self> {
        let Flow::Roll(slot, _, ref arguments, after) = *code.flow(point) else {
            return None;
        };
        let most = arguments.first().and_then(|&count| code.as_number(count));
        // A value that is the next state is looked at by the next round. A round without a state ends the loop.
        let next_round = match *code.flow(after) {
            Flow::End(next) if *code.expr(next) == Expr::Slot(slot) => code.next_round(after),
            _ => None,
        };
        let (slot, all) = if let Some(start) = next_round {
            let mut all = keys(code, start, &KnownSlots::ALL, &[0], true);
            let state = code.add(Expr::Slot(0));
            all.push(code.add(Expr::Fold(Folding::Count, state)));
            (0, all)
        } else {
            let all = keys(code, after, &KnownSlots::ALL, &[slot], true);
            (slot, all)
        };
        let is_all = |look: &ExprId| *code.expr(*look) == Expr::Slot(slot);
        if all.iter().any(is_all) {
            return None;
        }
        let mut parts = Vec::new();
        let pool = Rolled { slot, most };
        let are_of_pools = all
            .iter()
            .all(|&look| parts_of_pools(code, look, &pool, &mut parts));
        parts.sort_unstable();
        parts.dedup();
        Some(Self {
            slot,
            all: all.into(),
            of_pools: are_of_pools.then(|| parts.into()),
        })
    }
}

/// A pool that is rolled.
struct Rolled {
    slot: Slot,
    /// How many members it has, if that is known.
    most: Option<i64>,
}

/// Whether an expression over a pool can be computed from parts that, for two joined pools, follow from the parts of either. Adds the
/// parts.
fn parts_of_pools(code: &Code, id: ExprId, pool: &Rolled, parts: &mut Vec<ExprId>) -> bool {
    if code.reads(id).is_empty() {
        return true;
    }
    let is_known = |number: ExprId| code.as_number(number).is_some();
    let is_part = match *code.expr(id) {
        Expr::Slot(_) | Expr::Foreach(..) | Expr::Let(..) | Expr::While(..) => return false,
        Expr::Fold(Folding::Count | Folding::Sum, list)
        | Expr::Test(list)
        | Expr::Arrange(Arrangement::Distinct, list) => is_filtered(code, list, pool),
        Expr::Select(Selection::High | Selection::Low, count, list) => {
            is_known(count) && is_filtered(code, list, pool)
        }
        // A pool that is not whole yet has one member, but perhaps no more.
        Expr::SelectSurely(Selection::High | Selection::Low, count, list) => {
            code.as_number(count) == Some(1) && is_filtered(code, list, pool)
        }
        _ => false,
    };
    if is_part {
        parts.push(id);
        return true;
    }
    let mut operands = Vec::new();
    code.expr(id)
        .for_operands(|operand, _| operands.push(operand));
    operands
        .into_iter()
        .all(|operand| stack::level(|| parts_of_pools(code, operand, pool, parts)))
}

/// Whether a list has those members of a pool for which comparisons with known numbers hold, or what is made of each of them.
fn is_filtered(code: &Code, list: ExprId, pool: &Rolled) -> bool {
    match *code.expr(list) {
        Expr::Filter(_, number, inner) => {
            code.as_number(number).is_some() && is_filtered(code, inner, pool)
        }
        Expr::Foreach(member, inner, body) => {
            code.reads(body).iter().all(|&slot| slot == member) && is_filtered(code, inner, pool)
        }
        // All members.
        Expr::Select(Selection::First | Selection::Last, count, inner) => {
            let count = code.as_number(count);
            count.is_some()
                && pool.most.is_some()
                && count >= pool.most
                && *code.expr(inner) == Expr::Slot(pool.slot)
        }
        Expr::Slot(other) => other == pool.slot,
        _ => false,
    }
}
