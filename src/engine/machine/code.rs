//! The code of the machine: expressions that roll nothing, and flows of rolls.
//!
//! A *routine* is a term of the core program with its free variables as arguments. It has a frame of slots, which hold [`Word`]s. A *flow*
//! is the rest of a routine from some place on. A *point* is a flow that begins with a roll. Only at points the machine has states.

use std::rc::Rc;

use super::words::Word;
use crate::engine::program::Order;
use crate::ir::{Arithmetic, Arrangement, Comparison, Folding, Selection, TermId};
use crate::map::{Map, ValueMap};

/// A place in the frame of a routine.
pub(super) type Slot = u32;

/// An expression of a [`Code`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ExprId(u32);

/// An expression that rolls nothing. Its value follows from some slots.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Expr {
    Arithmetic(Arithmetic, ExprId, ExprId),
    Arrange(Arrangement, ExprId),
    Compare(ExprId, ExprId),
    /// So many copies of a list, joined.
    Copies(ExprId, ExprId),
    Difference(ExprId, ExprId),
    /// An error.
    Fail,
    Filter(Comparison, ExprId, ExprId),
    Fold(Folding, ExprId),
    /// The slot holds one member after the other.
    Foreach(Slot, ExprId, ExprId),
    /// The condition is a [`Expr::Test`] or another number that is 1 or 0.
    If(ExprId, ExprId, ExprId),
    Join(Box<[ExprId]>),
    Let(Slot, ExprId, ExprId),
    /// A constant and multiples of numbers.
    Linear(i64, Box<[(i64, ExprId)]>),
    Range(ExprId, ExprId),
    Select(Selection, ExprId, ExprId),
    /// The same for a list that surely has as many members.
    SelectSurely(Selection, ExprId, ExprId),
    Slot(Slot),
    /// 1 if a list has a member, else 0.
    Test(ExprId),
    /// The first value and the following ones, each computed from the one before, until one is empty. All are joined.
    While(Slot, ExprId, ExprId),
    Without(ExprId, ExprId),
    Word(Word),
}

impl Expr {
    /// Calls `visit` with each operand, and with the slot that the expression binds in it.
    pub(super) fn for_operands(&self, mut visit: impl FnMut(ExprId, Option<Slot>)) {
        match self {
            Self::Fail | Self::Slot(_) | Self::Word(_) => {}
            Self::Arrange(_, a) | Self::Fold(_, a) | Self::Test(a) => visit(*a, None),
            Self::Arithmetic(_, a, b)
            | Self::Compare(a, b)
            | Self::Copies(a, b)
            | Self::Difference(a, b)
            | Self::Filter(_, a, b)
            | Self::Range(a, b)
            | Self::Select(_, a, b)
            | Self::SelectSurely(_, a, b)
            | Self::Without(a, b) => {
                visit(*a, None);
                visit(*b, None);
            }
            Self::Foreach(slot, a, b) | Self::Let(slot, a, b) | Self::While(slot, a, b) => {
                visit(*a, None);
                visit(*b, Some(*slot));
            }
            Self::If(c, a, b) => {
                visit(*c, None);
                visit(*a, None);
                visit(*b, None);
            }
            Self::Join(parts) => parts.iter().for_each(|&part| visit(part, None)),
            Self::Linear(_, atoms) => atoms.iter().for_each(|&(_, atom)| visit(atom, None)),
        }
    }
}

/// A flow of a [`Code`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct FlowId(u32);

/// The rest of a routine from some place on.
#[derive(Clone, Debug)]
pub(super) enum Flow {
    /// Puts the value of a part of the routine into a slot for the flow that follows. Regions end here.
    Bind(Slot, ExprId, FlowId),
    /// Puts the best candidate of a list into a slot: the choice, the list, the other free variables of its body, and the flow that
    /// follows. Regions end here.
    Choose(Slot, TermId, ExprId, Rc<[ExprId]>, FlowId),
    /// The value of the routine; in the body of a loop, the next state.
    End(ExprId),
    /// A condition that is 1 or 0, and the flow for either case.
    If(ExprId, FlowId, FlowId),
    Let(Slot, ExprId, FlowId),
    /// A roll of the source, for the values of some expressions.
    Roll(Slot, SourceId, Rc<[ExprId]>, FlowId),
    /// The value of a loop whose body this is.
    Stop(ExprId),
}

/// A source of a [`Code`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SourceId(u32);

/// A kind of roll, which takes the values of its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    /// The best candidate of the first argument, for a choice and a source whose first argument is the candidate.
    Best(TermId, SourceId),
    /// A routine.
    Call(RoutineId),
    /// A die with so many sides.
    Die,
    /// So many members of the second argument without replacement, one after the other or in no order.
    Draw(Order),
    /// A routine for each member of the first argument, which is the routine's first argument in turn.
    Each(RoutineId, Gather),
    /// A loop. Its arguments are the first state (or a place for it, if the body computes the first state), and the further arguments of
    /// the body.
    Loop(RoutineId),
    /// A die with its own faces.
    Pick(TermId),
    /// The value of the best play of a loop. Its arguments are a place for the state, and the further arguments of the body.
    Play(RoutineId),
    /// The sum of what all states of a loop add, for as many loops as the first argument says. The other arguments are those of the body
    /// after the state.
    Sum(RoutineId),
    /// A routine that is evaluated as often as the first argument says.
    Times(RoutineId, Gather),
}

/// How the values of several rolls are combined.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Gather {
    /// Members for which all comparisons with the last arguments hold are kept, and reduced to a number.
    Fold(Folding, Box<[Comparison]>),
    /// They are joined, in order.
    Join,
    /// They are joined, and the order is ignored.
    Sorted,
}

/// A routine of a [`Code`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RoutineId(u32);

/// A term with its arguments in the first slots of a frame.
#[derive(Clone, Debug)]
pub(super) struct Routine {
    /// The free variables of the term that the arguments stand for, the bound one of a body first.
    pub(super) variables: Box<[u32]>,
    pub(super) slots: usize,
    /// For the body of a loop that is summed up, what a state adds.
    pub(super) adds: Option<ExprId>,
    /// For the body of a loop, how many members each state must have.
    pub(super) kept: usize,
    /// For the body of a loop, the flow that computes the first state, unless the state is the first argument.
    pub(super) first: Option<FlowId>,
    pub(super) start: FlowId,
}

/// All code of a machine. Equal expressions are one.
#[derive(Debug, Default)]
pub(super) struct Code {
    exprs: Vec<Expr>,
    index: ValueMap<Expr, ExprId>,
    /// The slots that each expression reads, ascending.
    reads: Vec<Rc<[Slot]>>,
    flows: Vec<Flow>,
    /// The slots that each flow reads before it sets them, ascending.
    live: Vec<Rc<[Slot]>>,
    /// The most rolls in a row of each flow, to the end of its region.
    rolls: Vec<usize>,
    /// The most rolls in a row of each flow.
    chains: Vec<usize>,
    sources: Vec<Source>,
    /// Whether the code does what residual programs do not, or not as fast: rounds are written out, or members are drawn in an order that
    /// is looked at, or from a list that is not known before the run. Members that are drawn at once from a known list are left to residual
    /// programs, which reveal them face by face.
    pub(super) only_here: bool,
    source_index: ValueMap<Source, SourceId>,
    routines: Vec<Routine>,
    /// For each end of a round, the start of the next one.
    rounds: Map<FlowId, FlowId>,
}

/// An id of the next entry of a table.
fn next(length: usize) -> u32 {
    u32::try_from(length).expect("fewer than 2^32 entries")
}

impl Code {
    pub(super) fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    pub(super) fn add(&mut self, expr: Expr) -> ExprId {
        let expr = self.known(&expr).map_or(expr, Expr::Word);
        if let Some(&known) = self.index.get(&expr) {
            return known;
        }
        let mut reads = match expr {
            Expr::Slot(slot) => vec![slot],
            _ => Vec::new(),
        };
        expr.for_operands(|operand, bound| {
            let of = self.reads[operand.0 as usize].iter();
            reads.extend(of.filter(|&&slot| Some(slot) != bound));
        });
        reads.sort_unstable();
        reads.dedup();
        let id = ExprId(next(self.exprs.len()));
        self.exprs.push(expr.clone());
        self.reads.push(reads.into());
        self.index.insert(expr, id);
        id
    }

    /// The value of an operator on two known numbers that cannot fail.
    fn known(&self, expr: &Expr) -> Option<Word> {
        let [a, b] = match *expr {
            Expr::Arithmetic(Arithmetic::Max | Arithmetic::Min, a, b) | Expr::Filter(_, a, b) => {
                [self.as_number(a)?, self.as_number(b)?]
            }
            _ => return None,
        };
        match expr {
            Expr::Arithmetic(Arithmetic::Max, ..) => Word::number(a.max(b)),
            Expr::Arithmetic(..) => Word::number(a.min(b)),
            Expr::Filter(comparison, ..) if !comparison.holds(&b, &a) => Some(Word::NOTHING),
            _ => Word::number(b),
        }
    }

    /// The slots that an expression reads.
    pub(super) fn reads(&self, id: ExprId) -> &[Slot] {
        &self.reads[id.0 as usize]
    }

    pub(super) fn number(&mut self, number: i64) -> Option<ExprId> {
        Some(self.add(Expr::Word(Word::number(number)?)))
    }

    /// The number that an expression always is.
    pub(super) fn as_number(&self, id: ExprId) -> Option<i64> {
        match self.expr(id) {
            Expr::Word(word) => word.as_number(),
            _ => None,
        }
    }

    /// Whether an expression has exactly one member, if it has a value.
    pub(super) fn is_number(&self, id: ExprId) -> bool {
        match self.expr(id) {
            Expr::Arithmetic(..)
            | Expr::Compare(..)
            | Expr::Fail
            | Expr::Fold(..)
            | Expr::Linear(..)
            | Expr::Test(_) => true,
            Expr::Word(word) => word.as_number().is_some(),
            Expr::If(_, a, b) => self.is_number(*a) && self.is_number(*b),
            _ => false,
        }
    }

    /// One of two numbers. Terms that both sums have are taken out and added to the choice between the rests.
    pub(super) fn choice(&mut self, condition: ExprId, yes: ExprId, no: ExprId) -> Option<ExprId> {
        let [(a, yeses), (b, noes)] = [yes, no].map(|value| self.added(value));
        // Both are in the order of their numbers.
        let has = |atoms: &[(i64, ExprId)], (factor, atom): &(i64, ExprId)| {
            let place = atoms.binary_search_by_key(atom, |(_, atom)| *atom);
            place.is_ok_and(|place| atoms[place].0 == *factor)
        };
        let (mut common, yeses): (Vec<_>, Vec<_>) =
            yeses.into_iter().partition(|atom| has(&noes, atom));
        if common.is_empty() {
            return Some(self.add(Expr::If(condition, yes, no)));
        }
        let noes = noes.into_iter().filter(|atom| !has(&common, atom));
        let noes: Vec<_> = noes.collect();
        let (yes, no) = (self.linear(a, &yeses)?, self.linear(b, &noes)?);
        common.push((1, self.add(Expr::If(condition, yes, no))));
        self.linear(0, &common)
    }

    /// A number as a constant and multiples of other numbers, in their order.
    fn added(&self, id: ExprId) -> (i64, Vec<(i64, ExprId)>) {
        match self.expr(id) {
            Expr::Linear(constant, atoms) => (*constant, atoms.to_vec()),
            _ => match self.as_number(id) {
                Some(number) => (number, Vec::new()),
                None => (0, vec![(1, id)]),
            },
        }
    }

    /// The product of two numbers: a multiple, if one of them is known and not 0, which would hide an error of the other.
    pub(super) fn product(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        match (self.as_number(a), self.as_number(b)) {
            (Some(factor), None) if factor != 0 => self.linear(0, &[(factor, b)]),
            (None, Some(factor)) if factor != 0 => self.linear(0, &[(factor, a)]),
            _ => Some(self.add(Expr::Arithmetic(Arithmetic::Multiply, a, b))),
        }
    }

    /// A sum of a constant and multiples of numbers. Sums among these numbers are expanded.
    pub(super) fn linear(&mut self, constant: i64, atoms: &[(i64, ExprId)]) -> Option<ExprId> {
        let mut constant = constant;
        let mut flat: Vec<(i64, ExprId)> = Vec::with_capacity(atoms.len());
        for &(factor, atom) in atoms {
            if let Some(number) = self.as_number(atom) {
                constant = constant.checked_add(factor.checked_mul(number)?)?;
            } else if let Expr::Linear(inner, parts) = self.expr(atom) {
                constant = constant.checked_add(factor.checked_mul(*inner)?)?;
                for &(of, part) in parts {
                    flat.push((factor.checked_mul(of)?, part));
                }
            } else {
                flat.push((factor, atom));
            }
        }
        flat.sort_unstable_by_key(|&(_, atom)| atom);
        let mut sum: Vec<(i64, ExprId)> = Vec::with_capacity(flat.len());
        for (factor, atom) in flat {
            match sum.last_mut() {
                Some((known, last)) if *last == atom => *known = known.checked_add(factor)?,
                _ => sum.push((factor, atom)),
            }
        }
        match sum[..] {
            [] => self.number(constant),
            [(1, atom)] if constant == 0 && self.is_number(atom) => Some(atom),
            _ => Some(self.add(Expr::Linear(constant, sum.into()))),
        }
    }

    /// Notes where the rounds of a loop without choices end, and that the next one begins there.
    pub(super) fn note_rounds(&mut self, first: Option<FlowId>, start: FlowId) {
        let mut all = self.ids_from(start);
        all.extend(first.into_iter().flat_map(|first| self.ids_from(first)));
        // A plan shows the states in which something is chosen.
        if all
            .iter()
            .any(|&id| matches!(self.flow(id), Flow::Choose(..)))
        {
            return;
        }
        all.retain(|&id| matches!(self.flow(id), Flow::End(_)));
        self.rounds.extend(all.into_iter().map(|end| (end, start)));
    }

    /// The start of the next round, for the end of a round that was noted.
    pub(super) fn next_round(&self, end: FlowId) -> Option<FlowId> {
        self.rounds.get(&end).copied()
    }

    /// All flows that a flow may come to, and itself.
    pub(super) fn flows_from(&self, start: FlowId) -> Vec<&Flow> {
        let ids = self.ids_from(start).into_iter();
        ids.map(|id| self.flow(id)).collect()
    }

    fn ids_from(&self, start: FlowId) -> Vec<FlowId> {
        let mut seen = vec![false; self.flows.len()];
        let mut open = vec![start];
        let mut found = Vec::new();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut seen[id.0 as usize], true) {
                continue;
            }
            found.push(id);
            match *self.flow(id) {
                Flow::End(_) | Flow::Stop(_) => {}
                Flow::If(_, yes, no) => open.extend([yes, no]),
                Flow::Bind(_, _, after)
                | Flow::Choose(.., after)
                | Flow::Let(_, _, after)
                | Flow::Roll(_, _, _, after) => open.push(after),
            }
        }
        found
    }

    pub(super) fn routines(&self) -> impl Iterator<Item = &Routine> {
        self.routines.iter()
    }

    pub(super) fn flow(&self, id: FlowId) -> &Flow {
        &self.flows[id.0 as usize]
    }

    pub(super) fn add_flow(&mut self, flow: Flow) -> FlowId {
        let mut live: Vec<Slot> = Vec::new();
        let mut read = |code: &Self, expr: ExprId| live.extend_from_slice(code.reads(expr));
        let (after, set): (Vec<FlowId>, Option<Slot>) = match &flow {
            Flow::End(value) | Flow::Stop(value) => {
                read(self, *value);
                (Vec::new(), None)
            }
            Flow::If(condition, yes, no) => {
                read(self, *condition);
                (vec![*yes, *no], None)
            }
            Flow::Bind(slot, value, after)
            | Flow::Choose(slot, _, value, _, after)
            | Flow::Let(slot, value, after) => {
                read(self, *value);
                (vec![*after], Some(*slot))
            }
            Flow::Roll(slot, _, arguments, after) => {
                arguments.iter().for_each(|&argument| read(self, argument));
                (vec![*after], Some(*slot))
            }
        };
        let (mut rolls, mut chain) = (0, 0);
        for after in after {
            let of = self.live[after.0 as usize].iter();
            live.extend(of.filter(|&&slot| Some(slot) != set));
            rolls = rolls.max(self.rolls[after.0 as usize]);
            chain = chain.max(self.chains[after.0 as usize]);
        }
        live.sort_unstable();
        live.dedup();
        let id = FlowId(next(self.flows.len()));
        let own = usize::from(matches!(flow, Flow::Roll(..)));
        self.chains.push(chain + own);
        self.rolls.push(match flow {
            Flow::Bind(..) | Flow::Choose(..) => 0,
            _ => rolls + own,
        });
        self.live.push(live.into());
        self.flows.push(flow);
        id
    }

    /// The slots that a flow reads before it sets them.
    pub(super) fn live(&self, id: FlowId) -> &Rc<[Slot]> {
        &self.live[id.0 as usize]
    }

    /// The most rolls in a row of any flow.
    pub(super) fn longest_chain(&self) -> usize {
        self.chains.iter().copied().max().unwrap_or(0)
    }

    /// Whether a loop begins with a state that is known.
    pub(super) fn begins_known(&self, body: RoutineId) -> bool {
        let first = self.routine(body).first;
        first.is_some_and(|first| self.chains[first.0 as usize] == 0)
    }

    /// The most rolls in a row of a flow, to the end of its region.
    pub(super) fn rolls(&self, id: FlowId) -> usize {
        self.rolls[id.0 as usize]
    }

    /// The number of loops.
    pub(super) fn loops(&self) -> usize {
        let sources = self.sources.iter();
        sources
            .filter(|source| matches!(source, Source::Loop(..)))
            .count()
    }

    /// Whether something loops, or something is chosen.
    pub(super) fn has_loop_or_choice(&self) -> bool {
        let mut sources = self.sources.iter();
        sources.any(|source| {
            matches!(
                source,
                Source::Best(..) | Source::Loop(..) | Source::Play(_)
            )
        })
    }

    /// Whether the states of a loop are summed up.
    pub(super) fn has_sum(&self) -> bool {
        let mut sources = self.sources.iter();
        sources.any(|source| matches!(source, Source::Sum(_)))
    }

    pub(super) fn source(&self, id: SourceId) -> &Source {
        &self.sources[id.0 as usize]
    }

    pub(super) fn add_source(&mut self, source: Source) -> SourceId {
        if let Some(&known) = self.source_index.get(&source) {
            return known;
        }
        let id = SourceId(next(self.sources.len()));
        self.sources.push(source.clone());
        self.source_index.insert(source, id);
        id
    }

    pub(super) fn routine(&self, id: RoutineId) -> &Routine {
        &self.routines[id.0 as usize]
    }

    pub(super) fn add_routine(&mut self, routine: Routine) -> RoutineId {
        self.routines.push(routine);
        RoutineId(next(self.routines.len() - 1))
    }
}
