//! Values that are solved first and then drawn: dice with the distribution of a number or of a list.

use crate::algebra::{Numbers, Weight};
use crate::engine::failure::Failure;
use crate::engine::program::{
    Closure, ClosureId, Compare, DieId, Image, Node, NodeId, Order, Store, complete, is_infinite,
    merged, narrow,
};
use crate::engine::reason::Reason;
use crate::engine::simplify::Forms as _;
use crate::engine::stop::{Attempt, Stop, if_supported};
use crate::engine::translate::event::{Hazard, HazardKind};
use crate::engine::translate::possible::{PossibleFailures, possible_failures, zero_once_over};
use crate::engine::translate::translator::Translator;
use crate::ir::TermId;
use crate::number::Integer;
use std::rc::Rc;

/// The most different lists that become faces of a die.
pub(in crate::engine) const MOST_LIST_FACES: usize = 20_000;

pub(in crate::engine) fn die_of(store: &mut Store<'_>, value: NodeId) -> Attempt<DieId> {
    let law = store.law(value)?;
    store.pools.die(law, store.budget)
}

/// A die for the values of a multiset. If the multiset is no number, a table gives the list that each face stands
/// for.
pub(in crate::engine) fn die_of_list(
    store: &mut Store<'_>,
    list: NodeId,
) -> Attempt<(DieId, Option<ClosureId>)> {
    let bounds = store.bounds(list)?;
    if bounds.least == 1 && bounds.most == 1 {
        let number = store.number(list)?;
        return Ok((die_of(store, number)?, None));
    }
    let law = store.law_of_list(list)?;
    let law = complete(&law)?;
    if law.len() > MOST_LIST_FACES {
        return Err(Stop::Unsupported(Reason::ManyValues));
    }
    let pairs = law.iter().map(|(list, weight)| (0, list, weight.clone()));
    let (die, rows) = die_of_pairs(store, pairs.collect(), law.total().clone())?;
    let rows = rows.into_iter().enumerate();
    let rows = rows.map(|(index, (_, image))| (as_face(index), image));
    let table = store.nodes.closure(Closure::Table(rows.collect()));
    Ok((die, Some(table)))
}

/// `n` independent evaluations of a list, joined. `None` if the list has no die.
pub(in crate::engine) fn drawn_lists(
    store: &mut Store<'_>,
    n: NodeId,
    list: NodeId,
) -> Attempt<Option<NodeId>> {
    let Some((die, table)) = if_supported(die_of_list(store, list))? else {
        return Ok(None);
    };
    let name = store.pools.name();
    let drawn = store.draws(n, die, name)?;
    match table {
        Some(table) => store.map(drawn, table).map(Some),
        None => Ok(Some(drawn)),
    }
}

/// A die with a face for each pair of a number and a list. Faces ascend with the number, then with the largest
/// members of the list, so that the largest member that is still hidden shrinks as faces are passed.
pub(in crate::engine) fn die_of_pairs(
    store: &mut Store<'_>,
    mut pairs: Vec<(i64, &Vec<i64>, Weight)>,
    total: Weight,
) -> Attempt<(DieId, Vec<(i64, Image)>)> {
    pairs.sort_by(|a, b| {
        let numbers = a.0.cmp(&b.0);
        numbers.then_with(|| a.1.iter().rev().cmp(b.1.iter().rev()))
    });
    let mut rows = Vec::with_capacity(pairs.len());
    let mut weighted = Vec::with_capacity(pairs.len());
    for (index, (number, list, weight)) in pairs.into_iter().enumerate() {
        weighted.push((Integer::from(as_face(index)), weight));
        let members = list.iter().map(|&member| (member, 1)).collect();
        rows.push((number, merged(members, store.budget)?.into()));
    }
    let law = Numbers::new(weighted, total);
    Ok((store.pools.die(Rc::new(law.into()), store.budget)?, rows))
}

/// The index of a pair as the face of a die.
pub(in crate::engine) fn as_face(index: usize) -> i64 {
    i64::try_from(index).expect("fewer pairs than faces")
}

impl Translator<'_, '_> {
    /// `n` independent numbers with the distribution of this one, as draws of a die.
    ///
    /// If the evaluation of a number can fail, the die has one more face for each failure, above all others.
    pub(in crate::engine) fn drawn(
        &mut self,
        n: NodeId,
        number: NodeId,
        failures: &[(NodeId, Failure)],
        order: Order,
    ) -> Attempt<NodeId> {
        let above = self.store.bounds(number)?.high;
        let mut faces = Vec::with_capacity(failures.len());
        let mut marked = number;
        // The die shows the first error in the order of evaluation.
        for (&(when, failure), face) in failures.iter().rev().zip(i128::from(above) + 1..) {
            let face = self.store.constant(narrow(face)?);
            marked = self.store.choose(when, face, marked)?;
            faces.push((failure, face));
        }
        let die = die_of(self.store, marked)?;
        let list = match order {
            Order::Ignored => {
                let name = self.store.pools.name();
                self.store.draws(n, die, name)?
            }
            Order::Kept => self.unrolled(n, order, |translator| {
                let (one, name) = (translator.store.constant(1), translator.store.pools.name());
                translator.store.draws(one, die, name)
            })?,
        };
        let over = self.store.over(list)?;
        self.add_hazard(over, HazardKind::NeverEnds(over))?;
        for (failure, face) in faces {
            let marks = self.store.filtered(Compare::Equal, face, list)?;
            let any = self.store.is_not_empty(marks)?;
            let none = self.store.complement(any)?;
            self.must_hold_or(none, failure)?;
        }
        Ok(list)
    }

    /// Translates a term and isolates its loops (see [`Translator::isolated`]).
    pub(in crate::engine) fn translate_isolated(
        &mut self,
        id: TermId,
        order: Order,
        environment: &mut Vec<NodeId>,
    ) -> Attempt<NodeId> {
        let (value, hazards) =
            self.collecting_hazards(|translator| translator.translate(id, order, environment))?;
        let hidden = self.store.uses_hidden(id, 0, environment);
        self.isolated(value, hidden, &hazards, order)
    }

    /// Adds the hazards of a value and returns the value. A number that a loop leads to becomes one draw of a die, if
    /// the value shares nothing hidden with the rest of the program. So the rounds of that loop are no part of the
    /// program around it.
    pub(in crate::engine) fn isolated(
        &mut self,
        value: NodeId,
        hidden: bool,
        hazards: &[Hazard],
        order: Order,
    ) -> Attempt<NodeId> {
        if !hidden && self.is_looped_number(value) {
            let failures = possible_failures(self.store, hazards)?;
            // The face of a failure lies above all values.
            let has_faces = !is_infinite(self.store.bounds(value)?.high);
            if has_faces || failures.events.is_empty() {
                return self.drawn_alone(value, &failures, hazards, order);
            }
        }
        self.add_hazards(hazards)?;
        Ok(value)
    }

    /// Whether a value is a number that a loop leads to.
    pub(super) fn is_looped_number(&mut self, value: NodeId) -> bool {
        self.store.is_number(value) && self.store.has_loop(value)
    }

    /// A number of loops as one draw of a die.
    fn drawn_alone(
        &mut self,
        value: NodeId,
        failures: &PossibleFailures,
        hazards: &[Hazard],
        order: Order,
    ) -> Attempt<NodeId> {
        let value = failures.beside_events(self.store, value)?;
        let waiting = zero_once_over(self.store, hazards)?;
        // A constant stays outside, so that the die is that of the loop alone.
        let (constant, value) = match *self.store.nodes.get(value) {
            Node::Linear(constant, ref atoms) => {
                let atoms = atoms.to_vec();
                (constant, self.store.linear(0, &atoms)?)
            }
            _ => (0, value),
        };
        let (one, value) = (
            self.store.constant(1),
            self.store.linear(0, &[(1, value), (1, waiting)])?,
        );
        let drawn = self.drawn(one, value, &failures.events, order)?;
        if constant == 0 {
            return Ok(drawn);
        }
        self.store.linear(constant, &[(1, drawn)])
    }
}
