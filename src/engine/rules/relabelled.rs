//! Dice that a program sees through tables alone. They get faces only for what the tables tell apart: fewer faces, or
//! faces that need no table.

use crate::algebra::{Numbers, Weight};
use crate::engine::program::{Closure, DieId, Drawing, Members, Node, NodeId, Pool, Store};
use crate::engine::simplify::{Forms as _, mapped};
use crate::engine::stop::Attempt;
use crate::engine::translate::as_face;
use crate::map::{Map, ValueMap};
use crate::number::Integer;
use std::rc::Rc;

/// The program with new faces for all dice that it sees through tables alone. `None` if there are none.
pub(in crate::engine) fn relabelled(
    store: &mut Store<'_>,
    root: NodeId,
) -> Attempt<Option<NodeId>> {
    let order = store.descending(root);
    // How each node is seen: only through these tables, or directly (`None`).
    let mut seen: Map<NodeId, Option<Vec<NodeId>>> = Map::default();
    for &id in order.iter().chain([&root]) {
        let node = store.nodes.get(id);
        let table = match node {
            Node::Map(list, closure) if store.rows_of(*closure).is_some() => Some(*list),
            _ => None,
        };
        store.nodes.for_children(node, |child| {
            let uses = seen.entry(child).or_insert_with(|| Some(Vec::new()));
            match uses {
                Some(uses) if table == Some(child) => uses.push(id),
                uses => *uses = None,
            }
        });
    }
    // A number of draws may depend on other dice. They come first, so that the draws have a number of new dice.
    let mut replaced = Vec::new();
    for &id in order.iter().rev() {
        let Some(Some(uses)) = seen.get_mut(&id) else {
            continue;
        };
        uses.sort_unstable();
        uses.dedup();
        let uses = std::mem::take(uses);
        let die = match *store.nodes.get(id) {
            Node::Pool(pool) => match store.pools.get(pool).drawing {
                Drawing::Independent | Drawing::WithoutReplacement => store.pools.get(pool).die,
                Drawing::Shuffled(_) => continue,
            },
            Node::Draws(_, die, _) => die,
            _ => continue,
        };
        if !uses.is_empty() && store.shows_faces(die) {
            relabel(store, id, die, &uses, &mut replaced)?;
        }
    }
    if replaced.is_empty() {
        return Ok(None);
    }
    store.replaced(root, &replaced).map(Some)
}

/// Replaces these tables by dice with new faces, or by tables of dice with fewer faces.
fn relabel(
    store: &mut Store<'_>,
    source: NodeId,
    die: DieId,
    uses: &[NodeId],
    replaced: &mut Vec<(NodeId, NodeId)>,
) -> Attempt<()> {
    let total = store.pools.die_of(die).law.total().clone();
    let faces = Rc::clone(&store.pools.die_of(die).faces);
    let images = |store: &Store<'_>, face: i64| -> Attempt<Vec<Members>> {
        let uses = uses.iter();
        uses.map(|&id| match *store.nodes.get(id) {
            Node::Map(_, closure) => {
                mapped(store.nodes.closure_of(closure), &[(face, 1)], store.budget)
            }
            _ => Ok(Vec::new()),
        })
        .collect()
    };
    let mut class_of: ValueMap<Vec<Members>, usize> = ValueMap::default();
    let mut classes: Vec<Vec<Members>> = Vec::new();
    let mut weights: Vec<Weight> = Vec::new();
    for &(face, ref weight) in &*faces {
        let key = images(store, face)?;
        let class = *class_of.entry(key.clone()).or_insert_with(|| {
            classes.push(key);
            weights.push(Weight::ZERO);
            classes.len() - 1
        });
        weights[class] += weight;
    }
    let numbers: Option<Vec<i64>> = match uses {
        [_] => classes
            .iter()
            .map(|key| match key[0][..] {
                [(value, 1)] => Some(value),
                _ => None,
            })
            .collect(),
        _ => None,
    };
    if numbers.is_none() && classes.len() == faces.len() {
        return Ok(());
    }
    // New faces are in the order of their images.
    let mut ordered: Vec<usize> = (0..classes.len()).collect();
    ordered.sort_by(|&a, &b| {
        let key = |class: usize| classes[class].iter().map(|image| image.iter().rev());
        key(a)
            .zip(key(b))
            .fold(std::cmp::Ordering::Equal, |order, (a, b)| {
                order.then_with(|| a.cmp(b))
            })
    });
    let faces = ordered.iter().enumerate().map(|(place, &class)| {
        let face = numbers
            .as_ref()
            .map_or(as_face(place), |numbers| numbers[class]);
        (Integer::from(face), weights[class].clone())
    });
    let new = Numbers::new(faces.collect::<Vec<_>>(), total);
    let new = store.pools.die(Rc::new(new.into()), store.budget)?;
    let drawn = match *store.nodes.get(source) {
        Node::Pool(pool) => {
            let known = store.pools.get(pool).clone();
            if known.drawing == Drawing::Independent {
                let count = store.constant(known.dice.into());
                let name = store.pools.name();
                store.draws(count, new, name)?
            } else {
                // Cards that are alike count together.
                let pool = store.pools.pool(Pool { die: new, ..known });
                store.nodes.intern(Node::Pool(pool))
            }
        }
        Node::Draws(count, ..) => {
            let (count, name) = (store.replaced(count, replaced)?, store.pools.name());
            store.draws(count, new, name)?
        }
        _ => return Ok(()),
    };
    for (index, &id) in uses.iter().enumerate() {
        let image = if numbers.is_some() {
            drawn
        } else {
            let rows = ordered.iter().enumerate();
            let rows = rows
                .map(|(place, &class)| (as_face(place), classes[class][index].clone().into()))
                .collect();
            let table = store.nodes.closure(Closure::Table(rows));
            store.map(drawn, table)?
        };
        replaced.push((id, image));
    }
    Ok(())
}
