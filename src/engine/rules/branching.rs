//! Loops in which every member starts its own copy: branching processes, recognised.
//!
//! In `count (while x = d3 do ((2*(count >=2 x))#d3))` each die of a value has 0 or 2 dice of the next value as
//! offspring, whatever the other dice show. The values have no bound, but the total of one die and all its
//! descendants has the same distribution for each die ([`Process`]). The rule applies if the program looks at one
//! loop through sums and counts alone, and all offspring are dice of one kind.

use crate::algebra::{Law, Quotient, Remainder, Weight};
use crate::engine::program::{
    BodyMode, Context, DieId, Drawing, LoopQuestion, Node, NodeId, Order, Pool, PoolId, Store,
};
use crate::engine::reveal::{Monoid as _, Steps, Sums, steps};
use crate::engine::rules::process::{Drawn, Face, FaceTail, Process};
use crate::engine::simplify::{Forms as _, is_additive, value_between, value_of};
use crate::engine::stop::Attempt;
use crate::engine::translate::Translator;
use crate::ir::Folding;
use std::rc::Rc;
use std::sync::Arc;

const NAME: &str = "a branching process, by its generating function";

/// The parts of a sum, with their coefficients.
type Atoms = Vec<(i64, NodeId)>;

/// The unlisted values of a die.
enum BeyondFaces {
    Nothing,
    /// Values with the same offspring that add the same: one more face.
    Face(Face),
    Tail(FaceTail),
    /// Values whose offspring or sums are not known.
    Unknown,
}

/// The distribution of a number that looks at one branching process through sums and counts. `None` for other
/// numbers.
pub(in crate::engine) fn law_of_branching(
    store: &mut Store<'_>,
    root: NodeId,
) -> Attempt<Option<Law>> {
    let root = with_draws_apart(store, root)?;
    let Some(process) = process(store, root)? else {
        return Ok(None);
    };
    let _part = store.budget.part(NAME);
    let one = if process.is_renewal() {
        match process.renewal(store)? {
            Some(law) => law,
            None => return Ok(None),
        }
    } else {
        process.law(store)?
    };
    if let Some((dice, constant)) = process.first {
        let law = one.power(dice, store.budget)?;
        return Ok(Some(law.shifted(&(-constant).into(), store.budget)?));
    }
    if process.drawn.is_some() {
        return Ok(None);
    }
    // The first value may have other dice. Each way it can turn out is followed by a number of independent copies of
    // the process.
    let Steps {
        total,
        never,
        transitions,
    } = steps(store, root, &Sums::PulledOut)?;
    let mut parts: Vec<(Weight, Rc<Law>)> = Vec::with_capacity(transitions.len());
    for (add, weight, node) in transitions {
        let (law, constant) = match loop_of(store, node) {
            None => ((*store.law(node)?).clone(), 0),
            Some((looped, value)) => {
                let copies = match process.copies(store, value) {
                    Some(copies) => one.power(copies, store.budget)?,
                    None => return Ok(None),
                };
                // The step has pulled out a constant for these dice.
                match pulled_out(store, node, looped, value)? {
                    Some(constant) => (copies, constant),
                    None => return Ok(None),
                }
            }
        };
        parts.push((
            weight,
            Rc::new(law.shifted(&(add - constant).into(), store.budget)?),
        ));
    }
    let remainder = Remainder {
        never_ends: never,
        ..Remainder::nothing(total)
    };
    Ok(Some(Law::mixture(&parts, remainder, store.budget)?))
}

/// The program with two sums of draws for one whose number looks at a loop, where nothing else looks at these draws: one
/// for what looks at the loop, and one for the rest of the number. So the draws that belong to the first value of a loop
/// are apart from those of its later values. They share a name, so they must not be revealed.
fn with_draws_apart(store: &mut Store<'_>, root: NodeId) -> Attempt<NodeId> {
    let Node::Linear(constant, ref atoms) = *store.nodes.get(root) else {
        return Ok(root);
    };
    let mut apart = Vec::with_capacity(atoms.len());
    for &(coefficient, atom) in &atoms.to_vec() {
        let Some((number, die, name)) = draws_of(store, atom) else {
            apart.push((coefficient, atom));
            continue;
        };
        let Node::Linear(always, ref parts) = *store.nodes.get(number) else {
            apart.push((coefficient, atom));
            continue;
        };
        let parts = Rc::clone(parts);
        let (later, first): (Atoms, Atoms) = parts
            .iter()
            .copied()
            .partition(|&(_, part)| store.has_loop(part));
        for (constant, parts) in [(always, first), (0, later)] {
            let number = store.linear(constant, &parts)?;
            let draws = store.draws(number, die, name)?;
            apart.push((coefficient, store.fold(Folding::Sum, draws)?));
        }
    }
    store.linear(constant, &apart)
}

/// The number, the die and the name of draws that an atom sums.
fn draws_of(store: &Store<'_>, atom: NodeId) -> Option<(NodeId, DieId, PoolId)> {
    match *store.nodes.get(atom) {
        Node::Fold(Folding::Sum, list) => match *store.nodes.get(list) {
            Node::Draws(number, die, name) => Some((number, die, name)),
            _ => None,
        },
        _ => None,
    }
}

/// The first loop of a program, with its value.
fn loop_of(store: &mut Store<'_>, id: NodeId) -> Option<(NodeId, NodeId)> {
    let mut nodes = store.descending(id).into_iter();
    nodes.find_map(|id| match *store.nodes.get(id) {
        Node::Loop(value, ..) => Some((id, value)),
        _ => None,
    })
}

/// The process of the only loop of a program, if there is one.
fn process(store: &mut Store<'_>, root: NodeId) -> Attempt<Option<Process>> {
    let mut found = None;
    for id in store.descending(root) {
        if let Node::Loop(value, closure, order, _) = *store.nodes.get(id) {
            if found.is_some() {
                return Ok(None);
            }
            found = Some((id, value, closure, order));
        }
    }
    let Some((looped, value, closure, Order::Ignored)) = found else {
        return Ok(None);
    };
    let body = store.nodes.body_of(closure).clone();
    let captured = body.environment.iter().any(|&id| store.nodes.mask(id) != 0);
    let (Node::Pool(first) | Node::Draw(first)) = *store.nodes.get(value) else {
        return Ok(None);
    };
    if captured
        || body.mode != BodyMode::Value
        || body.asked != LoopQuestion::Members
        || !is_sum_over_loop(store, root, looped)
    {
        return Ok(None);
    }
    let Pool {
        die: first,
        dice: first_dice,
        drawing,
    } = *store.pools.get(first);
    let mut environment = body.environment.into_vec();
    let Some((_, die)) = offspring_of(store, first, body.term, &mut environment)? else {
        return Ok(None);
    };
    let Some((offspring, again)) = offspring_of(store, die, body.term, &mut environment)? else {
        return Ok(None);
    };
    let law = Rc::clone(&store.pools.die_of(die).law);
    if again != die {
        return Ok(None);
    }
    let Some(draws) = draws_over_loop(store, root, looped) else {
        return Ok(None);
    };
    let drawn = match draws.first() {
        None => None,
        Some(&(_, die)) => match drawn(store, &draws, die) {
            Some(drawn) if law.unlisted.is_none() => Some(drawn),
            _ => return Ok(None),
        },
    };
    let mut faces = Vec::with_capacity(law.listed.len());
    for &(face, ref weight) in &*Rc::clone(&store.pools.die_of(die).faces) {
        let offspring =
            value_of(store, offspring, face).and_then(|offspring| u32::try_from(offspring).ok());
        let adds = added_by(store, root, looped, face);
        let adds = adds.and_then(|adds| usize::try_from(adds).ok());
        let draws = drawn_by(store, &draws, face);
        let (Some(offspring), Some(adds), Some(draws)) = (offspring, adds, draws) else {
            return Ok(None);
        };
        faces.push(Face {
            weight: weight.clone(),
            adds,
            draws,
            offspring,
        });
    }
    let tail = match beyond_faces(store, root, looped, offspring, die)? {
        BeyondFaces::Nothing => None,
        BeyondFaces::Face(face) => {
            faces.push(face);
            None
        }
        BeyondFaces::Tail(tail) => Some(tail),
        BeyondFaces::Unknown => return Ok(None),
    };
    // Nothing is added where only the end of the process matters.
    let is_listed = faces
        .iter()
        .all(|face| face.offspring == 0 || face.adds > 0)
        || faces.iter().all(|face| face.adds == 0);
    let is_same = are_alike(store, first, die) && drawing == Drawing::Independent;
    let first = if is_same {
        let constant = pulled_out(store, root, looped, value)?;
        constant.map(|constant| (first_dice, constant))
    } else {
        None
    };
    let process = Process {
        faces,
        total: law.total().clone(),
        tail,
        drawn,
        die,
        first,
    };
    let branches = process.faces.iter().any(|face| face.offspring > 1)
        && process.tail.is_none()
        && process.drawn.is_none();
    Ok((is_listed && branches || process.is_renewal()).then_some(process))
}

/// Whether two dice have the same law. One may be listed farther than the other.
fn are_alike(store: &Store<'_>, a: DieId, b: DieId) -> bool {
    let source = |die| {
        let unlisted = store.pools.die_of(die).law.unlisted.as_ref();
        unlisted.and_then(|unlisted| unlisted.quotient())
    };
    a == b || source(a).is_some_and(|of_a| source(b) == Some(of_a))
}

/// Splits a program that is a sum: the atoms that sum or count the loop, and all other atoms. Waiting for the loop is
/// in neither part.
fn looks_at(store: &Store<'_>, root: NodeId, looped: NodeId) -> (Atoms, Atoms) {
    let mut atoms = match store.nodes.get(root) {
        Node::Linear(_, atoms) => atoms.to_vec(),
        _ => vec![(1, root)],
    };
    let waits = |atom| matches!(*store.nodes.get(atom), Node::Over(list) if list == looped);
    atoms.retain(|&(_, atom)| !waits(atom));
    atoms.into_iter().partition(|&(_, atom)| {
        is_fold_over(store, atom, looped)
            || draws_of(store, atom).is_some_and(|(number, ..)| counts(store, number, looped))
    })
}

/// Whether an atom is a fold of a loop, or of a filter of it.
fn is_fold_over(store: &Store<'_>, atom: NodeId, looped: NodeId) -> bool {
    matches!(*store.nodes.get(atom), Node::Fold(_, list) if is_filter_of(store, list, looped))
}

/// Whether a number is a sum of folds of a loop.
fn counts(store: &Store<'_>, number: NodeId, looped: NodeId) -> bool {
    match store.nodes.get(number) {
        Node::Linear(0, atoms) => {
            let mut atoms = atoms.iter();
            atoms.all(|&(_, atom)| is_fold_over(store, atom, looped))
        }
        _ => is_fold_over(store, number, looped),
    }
}

/// The draws whose numbers a program counts in a loop: these numbers, and the kinds of dice. `None` if the program looks
/// at such draws otherwise, too.
fn draws_over_loop(
    store: &mut Store<'_>,
    root: NodeId,
    looped: NodeId,
) -> Option<Vec<(NodeId, DieId)>> {
    let (looks, others) = looks_at(store, root, looped);
    let mut draws = Vec::new();
    let mut names = Vec::new();
    for (coefficient, atom) in looks {
        if let Some((number, die, name)) = draws_of(store, atom) {
            if coefficient != 1 {
                return None;
            }
            draws.push((number, die));
            names.push(name);
        }
    }
    let mut others = others.into_iter();
    let are_alone = others.all(|(_, atom)| match draws_of(store, atom) {
        Some(_) => true,
        None => !store.pools_of(atom).iter().any(|pool| names.contains(pool)),
    });
    are_alone.then_some(draws)
}

/// The law of one of these draws, if they are all of this kind.
fn drawn(store: &Store<'_>, draws: &[(NodeId, DieId)], die: DieId) -> Option<Drawn> {
    let law = &store.pools.die_of(die).law;
    let moments = law.moments()?;
    let source = if let Some(unlisted) = &law.unlisted {
        unlisted.quotient()?
    } else {
        let values = law.listed.iter().map(|(value, weight)| {
            let value = u64::try_from(value.to_i64()?).ok()?;
            Some((value, weight.clone()))
        });
        let values = values.collect::<Option<Vec<_>>>()?;
        Arc::new(Quotient::renewal(values, [], law.total())?)
    };
    draws.iter().all(|&(_, other)| other == die).then_some(())?;
    Some(Drawn {
        source,
        variance: moments.variance()?,
        mean: moments.first?,
    })
}

/// How many draws a member of a loop adds.
fn drawn_by(store: &Store<'_>, draws: &[(NodeId, DieId)], face: i64) -> Option<u32> {
    let sum = draws.iter().try_fold(0_i64, |sum, &(number, _)| {
        sum.checked_add(value_of(store, number, face)?)
    });
    u32::try_from(sum?).ok()
}

/// The constant that every first value adds, if the program looks at the first value of the loop as it does at the
/// later ones.
fn pulled_out(
    store: &mut Store<'_>,
    root: NodeId,
    looped: NodeId,
    value: NodeId,
) -> Attempt<Option<i64>> {
    let (looks, others) = looks_at(store, root, looped);
    let looks = store.linear(0, &looks)?;
    let mut context = Context::replacing(&[(looped, value)], store.nodes.mask(looped));
    let first = store.under(&mut context, looks)?;
    let (constant, first) = Sums::PulledOut.strip(store, first)?;
    let others = store.linear(0, &others)?;
    Ok((first == others).then_some(constant))
}

/// The unlisted values of the die of a process.
fn beyond_faces(
    store: &Store<'_>,
    root: NodeId,
    looped: NodeId,
    offspring: NodeId,
    die: DieId,
) -> Attempt<BeyondFaces> {
    let die = store.pools.die_of(die);
    let Some(unlisted) = &die.law.unlisted else {
        return Ok(BeyondFaces::Nothing);
    };
    let [beyond] = &*die.beyond else {
        return Ok(BeyondFaces::Unknown);
    };
    let decided = |range: Option<(i64, i64)>| range.filter(|(low, high)| low == high);
    let offspring = decided(value_between(store, offspring, beyond)?);
    let Some(offspring) = offspring.and_then(|(offspring, _)| u32::try_from(offspring).ok()) else {
        return Ok(BeyondFaces::Unknown);
    };
    if unlisted.never_ends != Weight::ZERO {
        return Ok(BeyondFaces::Unknown);
    }
    let (looks, _) = looks_at(store, root, looped);
    let mut adds = Some(0);
    for &(coefficient, look) in &looks {
        let add = decided(value_between(store, look, beyond)?);
        let add = add.and_then(|(add, _)| add.checked_mul(coefficient));
        adds = adds
            .zip(add)
            .and_then(|(sum, add): (i64, i64)| sum.checked_add(add));
    }
    if let Some(adds) = adds.and_then(|adds| usize::try_from(adds).ok()) {
        let weight = beyond.weight.clone();
        return Ok(BeyondFaces::Face(Face {
            weight,
            adds,
            draws: 0,
            offspring,
        }));
    }
    let adds_itself = match looks[..] {
        [(1, look)] => {
            matches!(*store.nodes.get(look), Node::Fold(Folding::Sum, list) if list == looped)
        }
        _ => false,
    };
    let source = unlisted.quotient();
    let source = source.filter(|_| adds_itself && offspring <= 1);
    Ok(match source {
        None => BeyondFaces::Unknown,
        Some(source) => BeyondFaces::Tail(FaceTail {
            offspring,
            source,
            moments: unlisted.moments.clone(),
        }),
    })
}

/// The number of offspring of the dice of a value, as a sum over these dice, and the kind of the offspring.
fn offspring_of(
    store: &mut Store<'_>,
    die: DieId,
    body: crate::ir::TermId,
    environment: &mut Vec<NodeId>,
) -> Attempt<Option<(NodeId, DieId)>> {
    let pool = store.pools.pool(Pool {
        die,
        dice: 2,
        drawing: Drawing::Independent,
    });
    let value = store.nodes.intern(Node::Pool(pool));
    let (next, _) = Translator::new(store).collecting_hazards(|translator| {
        translator.translate_with(body, value, Order::Ignored, environment)
    })?;
    Ok(match *store.nodes.get(next) {
        Node::Draws(count, die, _) if is_additive(store, count, pool) => Some((count, die)),
        _ => None,
    })
}

/// Whether a program looks at a loop only through sums and counts of filters by known numbers.
fn is_sum_over_loop(store: &Store<'_>, root: NodeId, looped: NodeId) -> bool {
    let atoms = match store.nodes.get(root) {
        Node::Linear(_, atoms) => atoms.to_vec(),
        _ => vec![(1, root)],
    };
    let mut looks = 0;
    for &(_, atom) in &atoms {
        let looks_so = match *store.nodes.get(atom) {
            Node::Fold(Folding::Sum | Folding::Count, list) => match draws_of(store, atom) {
                Some((number, ..)) => counts(store, number, looped),
                None => is_filter_of(store, list, looped),
            },
            Node::Over(list) => list == looped,
            _ => false,
        };
        if looks_so {
            looks += 1;
        } else if store.descending(atom).contains(&looped) {
            return false;
        }
    }
    looks > 0
}

fn is_filter_of(store: &Store<'_>, list: NodeId, looped: NodeId) -> bool {
    match *store.nodes.get(list) {
        Node::Filter(_, number, inner) => {
            store.as_constant(number).is_some() && is_filter_of(store, inner, looped)
        }
        _ => list == looped,
    }
}

/// The number that a member of a loop adds to a program that is a sum.
fn added_by(store: &Store<'_>, root: NodeId, looped: NodeId, face: i64) -> Option<i64> {
    let atoms = match store.nodes.get(root) {
        Node::Linear(_, atoms) => atoms.to_vec(),
        _ => vec![(1, root)],
    };
    atoms.iter().try_fold(0_i64, |sum, &(coefficient, atom)| {
        let Node::Fold(_, list) = *store.nodes.get(atom) else {
            return Some(sum);
        };
        if !is_filter_of(store, list, looped) {
            return Some(sum);
        }
        sum.checked_add(coefficient.checked_mul(value_of(store, atom, face)?)?)
    })
}
