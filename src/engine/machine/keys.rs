//! What identifies a state: the values of the largest expressions that can be computed from it.
//!
//! At a point some slots are set. Of the code that is left, the largest expressions over these slots alone are the *keys* of the point: two
//! states with the same keys have the same future. If `a - x - y` is to be computed, states with the same difference `a - x` are one state.
//! Values that are not used again are no part of a state.
//!
//! The *region* of a point is what is left of a round from there. The *inner* keys are the expressions that the region needs before its
//! ends. If they say less than the state, as in `min(3, a)#d6`, the region is solved once for each of their values. The *outputs* of an end
//! are its largest expressions over the dice of the region. So a region has few different ends, and each state adds its other slots to
//! them.

use std::rc::Rc;

use super::code::{Code, Expr, ExprId, Flow, FlowId, Slot};
use super::words::Word;
use crate::algebra::Spread;
use crate::map::{Map, ValueMap};
use crate::stack;

/// The longest region, in rolls that follow each other.
pub(super) const MOST_ROLLS: usize = 6;

/// What is known at a point.
pub(super) struct KnownSlots<'k> {
    /// Slots that are not known, although they are set.
    pub(super) hidden: &'k [Slot],
    /// Expressions that are known in any case.
    pub(super) given: &'k [ExprId],
}

impl KnownSlots<'_> {
    /// All that is set is known.
    pub(super) const ALL: KnownSlots<'static> = KnownSlots {
        hidden: &[],
        given: &[],
    };
}

/// The keys of a flow among some slots that are set.
struct Search<'k> {
    known: &'k KnownSlots<'k>,
    set: &'k [Slot],
    found: Vec<ExprId>,
    seen: Map<ExprId, bool>,
    flows: Map<FlowId, ()>,
    /// Whether the ends count.
    ends: bool,
}

impl Search<'_> {
    fn expr(&mut self, code: &mut Code, id: ExprId) {
        if self.look(code, id) {
            self.add(code, id);
        }
    }

    fn add(&mut self, code: &Code, id: ExprId) {
        if !code.reads(id).is_empty() && !self.found.contains(&id) {
            self.found.push(id);
        }
    }

    /// Whether an expression can be computed. If not, its largest parts that can be are keys.
    fn look(&mut self, code: &mut Code, id: ExprId) -> bool {
        if let Some(&known) = self.seen.get(&id) {
            return known;
        }
        let known = self.look_anew(code, id);
        self.seen.insert(id, known);
        known
    }

    fn look_anew(&mut self, code: &mut Code, id: ExprId) -> bool {
        if self.known.given.contains(&id) {
            return true;
        }
        if code.reads(id).iter().all(|&slot| self.is_known(slot)) {
            return true;
        }
        let mut operands = Vec::new();
        code.expr(id)
            .for_operands(|operand, _| operands.push(operand));
        if operands.is_empty() {
            return false;
        }
        let known: Vec<bool> = operands
            .iter()
            .map(|&operand| stack::level(|| self.look(code, operand)))
            .collect();
        if known.iter().all(|&known| known) {
            return true;
        }
        if let Expr::Linear(_, atoms) = code.expr(id) {
            let atoms = atoms.iter().zip(&known).filter(|(_, known)| **known);
            let atoms: Vec<(i64, ExprId)> = atoms.map(|(&atom, _)| atom).collect();
            match code.linear(0, &atoms) {
                Some(part) if !atoms.is_empty() => {
                    self.add(code, part);
                    return false;
                }
                _ => {}
            }
        }
        for (operand, known) in operands.into_iter().zip(known) {
            if known {
                self.add(code, operand);
            }
        }
        false
    }

    fn is_known(&self, slot: Slot) -> bool {
        self.set.binary_search(&slot).is_ok() && !self.known.hidden.contains(&slot)
    }

    fn flow(&mut self, code: &mut Code, id: FlowId) {
        let is_read = |slot: &Slot| self.set.binary_search(slot).is_ok();
        if !code.live(id).iter().any(is_read) || self.flows.insert(id, ()).is_some() {
            return;
        }
        match code.flow(id).clone() {
            Flow::End(value) | Flow::Stop(value) => {
                if self.ends {
                    self.expr(code, value);
                }
            }
            Flow::If(condition, yes, no) => {
                self.expr(code, condition);
                self.flow(code, yes);
                self.flow(code, no);
            }
            Flow::Bind(..) | Flow::Choose(..) if !self.ends => {}
            Flow::Bind(_, value, after)
            | Flow::Choose(_, _, value, _, after)
            | Flow::Let(_, value, after) => {
                self.expr(code, value);
                stack::level(|| self.flow(code, after));
            }
            Flow::Roll(_, _, arguments, after) => {
                for &argument in arguments.iter() {
                    self.expr(code, argument);
                }
                stack::level(|| self.flow(code, after));
            }
        }
    }
}

/// The largest expressions of a flow that can be computed; `set` are the slots that are set before it, ascending.
pub(super) fn keys(
    code: &mut Code,
    flow: FlowId,
    known: &KnownSlots<'_>,
    set: &[Slot],
    ends: bool,
) -> Vec<ExprId> {
    let mut search = Search {
        known,
        set,
        found: Vec::new(),
        seen: Map::default(),
        flows: Map::default(),
        ends,
    };
    search.flow(code, flow);
    search.found
}

/// What a state at a point holds.
#[derive(Debug)]
pub(super) struct PointKeys {
    /// The slots that are set and read again.
    pub(super) slots: Rc<[Slot]>,
    /// The keys; `None` if they are the slots themselves.
    pub(super) keys: Option<Box<[ExprId]>>,
}

impl PointKeys {
    pub(super) fn of(code: &mut Code, flow: FlowId, known: &KnownSlots<'_>) -> Self {
        let slots = Rc::clone(code.live(flow));
        let keys = keys(code, flow, known, &slots, true);
        let are_slots = keys.len() == slots.len()
            && keys
                .iter()
                .all(|&key| matches!(code.expr(key), Expr::Slot(_)));
        Self {
            slots,
            keys: (!are_slots).then(|| keys.into()),
        }
    }
}

/// The region of a point.
#[derive(Debug)]
pub(super) struct Region {
    /// The expressions over the state that the region looks at.
    pub(super) inner: Rc<[ExprId]>,
    /// The slots of the state.
    pub(super) hidden: Rc<[Slot]>,
}

impl Region {
    /// The region of a point, if it looks at less than the state.
    pub(super) fn of(code: &mut Code, flow: FlowId) -> Option<Self> {
        if code.rolls(flow) > MOST_ROLLS {
            return None;
        }
        let hidden = Rc::clone(code.live(flow));
        let inner = keys(code, flow, &KnownSlots::ALL, &hidden, false);
        let all = keys(code, flow, &KnownSlots::ALL, &hidden, true);
        (!all.iter().all(|key| inner.contains(key))).then(|| Self {
            inner: inner.into(),
            hidden,
        })
    }

    pub(super) fn known(&self) -> KnownSlots<'_> {
        KnownSlots {
            hidden: &self.hidden,
            given: &self.inner,
        }
    }
}

/// An end of a region, and the slots that it reads of what was rolled.
pub(super) type Outcome = (FlowId, Box<[(Slot, Word)]>);

/// What a region comes to.
#[derive(Debug)]
pub(super) struct Outcomes {
    pub(super) ends: Vec<Outcome>,
    pub(super) spread: Rc<Spread>,
}

/// The region of a point, with what was found for it.
pub(super) struct RegionTables {
    pub(super) region: Region,
    /// What the states at its points hold.
    pub(super) points: Map<FlowId, Rc<PointKeys>>,
    /// The outputs of its ends.
    pub(super) outputs: Map<FlowId, Rc<[ExprId]>>,
    pub(super) tables: ValueMap<Box<[Word]>, Rc<Outcomes>>,
    /// Whether the region has too many outcomes.
    pub(super) is_large: bool,
}
