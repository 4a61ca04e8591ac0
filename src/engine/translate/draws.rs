//! Values that are solved first and then drawn: dice with the distribution of a number or of a list.

use crate::algebra::{Numbers, Weight};
use crate::engine::failure::Failure;
use crate::engine::program::{
    Closure, ClosureId, Compare, DieId, Image, NodeId, Order, Store, complete, merged, narrow,
};
use crate::engine::reason::Reason;
use crate::engine::simplify::Forms as _;
use crate::engine::stop::{Attempt, Stop};
use crate::engine::translate::event::{Hazard, HazardKind};
use crate::engine::translate::possible::{possible_failures, zero_once_over};
use crate::engine::translate::translator::Translator;
use crate::ir::TermId;
use crate::number::Integer;
use std::rc::Rc;

/// Lists with more different values than this do not become faces of a die.
pub(in crate::engine) const MOST_LIST_FACES: usize = 20_000;

pub(in crate::engine) fn die_of(store: &mut Store<'_>, value: NodeId) -> Attempt<DieId> {
    let law = store.law(value)?;
    store.pools.die(law)
}

/// A die for the values of a multiset, with what each face stands for if it is no number.
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
    let marks = law.iter().map(|(list, weight)| (0, list, weight.clone()));
    let (die, rows) = die_of_pairs(store, marks.collect(), law.total().clone())?;
    let rows = rows.into_iter().enumerate();
    let rows = rows.map(|(mark, (_, image))| (as_face(mark), image));
    let table = store.nodes.closure(Closure::Table(rows.collect()));
    Ok((die, Some(table)))
}

/// `n` independent evaluations of a list, joined.
pub(in crate::engine) fn drawn_lists(
    store: &mut Store<'_>,
    n: NodeId,
    list: NodeId,
) -> Attempt<Option<NodeId>> {
    let (die, table) = match die_of_list(store, list) {
        Err(Stop::Unsupported(_)) => return Ok(None),
        found => found?,
    };
    let name = store.pools.name();
    let drawn = store.draws(n, die, name)?;
    match table {
        Some(table) => store.map(drawn, table).map(Some),
        None => Ok(Some(drawn)),
    }
}

/// A die with a face for each pair of a number and a list. Faces ascend with the number, then with the largest members
/// of the list, so that the largest that is still hidden shrinks as faces are passed.
pub(in crate::engine) fn die_of_pairs(
    store: &mut Store<'_>,
    mut marks: Vec<(i64, &Vec<i64>, Weight)>,
    total: Weight,
) -> Attempt<(DieId, Vec<(i64, Image)>)> {
    marks.sort_by(|a, b| {
        let numbers = a.0.cmp(&b.0);
        numbers.then_with(|| a.1.iter().rev().cmp(b.1.iter().rev()))
    });
    let mut rows = Vec::with_capacity(marks.len());
    let mut weighted = Vec::with_capacity(marks.len());
    for (mark, (number, list, weight)) in marks.into_iter().enumerate() {
        weighted.push((Integer::from(as_face(mark)), weight));
        let members = list.iter().map(|&member| (member, 1)).collect();
        rows.push((number, merged(members)?.into()));
    }
    let law = Numbers::new(weighted, total);
    Ok((store.pools.die(Rc::new(law.into()))?, rows))
}

/// A mark as the face of a die.
pub(in crate::engine) fn as_face(mark: usize) -> i64 {
    i64::try_from(mark).expect("fewer marks than faces")
}

impl Translator<'_, '_> {
    /// `n` independent numbers like this one, as draws of a die.
    ///
    /// Where the evaluation of one can fail, the die has a face of its own for each error, above all others.
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
        // The first error in the order of evaluation is the one that is shown.
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

    /// A term whose loops, if they lead to a number, are none of what is done with it.
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

    /// A value that was translated apart, here. A number that a loop leads to is one draw of a die, so that the rounds of that loop
    /// are none of what it stands in: if it shares nothing that is hidden with others.
    pub(in crate::engine) fn isolated(
        &mut self,
        value: NodeId,
        hidden: bool,
        hazards: &[Hazard],
        order: Order,
    ) -> Attempt<NodeId> {
        if !hidden && self.store.is_number(value) && self.store.has_loop(value) {
            let failures = possible_failures(self.store, hazards)?;
            let waiting = zero_once_over(self.store, hazards)?;
            let (one, value) = (
                self.store.constant(1),
                self.store.linear(0, &[(1, value), (1, waiting)])?,
            );
            return self.drawn(one, value, &failures, order);
        }
        self.add_hazards(hazards)?;
        Ok(value)
    }
}
