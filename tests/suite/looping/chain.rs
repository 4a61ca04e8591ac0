//! The states of a loop as a graph, and linear equations.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;
use std::rc::Rc;

use dicedist::number::Fraction;
use num_traits::Zero;

use super::judge::{Law, List};

/// The values of a loop from which some path ends it.
pub(super) fn values_that_may_end(values: &BTreeMap<List, Rc<Law>>) -> HashSet<List> {
    let mut ending: HashSet<List> = HashSet::new();
    loop {
        let more: Vec<List> = (values.iter())
            .filter(|(value, law)| {
                let mut next = law.values.keys();
                !ending.contains(*value) && (law.exits() || next.any(|next| ending.contains(next)))
            })
            .map(|(value, _)| value.clone())
            .collect();
        if more.is_empty() {
            return ending;
        }
        ending.extend(more);
    }
}

/// The last value of a loop, and what is asked for of all values so far.
pub(super) type State = (List, List);

/// Where a state leads, and how it ends.
pub(super) type Step = (BTreeMap<State, Fraction>, Law);

#[derive(Default)]
pub(super) struct Chain {
    pub(super) steps: BTreeMap<State, Step>,
}

impl Chain {
    /// The states in an order in which each leads to later ones only, if there is one.
    pub(super) fn order(&self) -> Option<Vec<State>> {
        let steps = self.steps.iter();
        ordered(steps.map(|(state, (edges, _))| (state, edges.keys().collect())))
    }
}

/// Whether some value of a loop may come back.
pub(super) fn come_back(values: &BTreeMap<List, Rc<Law>>) -> bool {
    let next = |law: &'_ Law| {
        law.values
            .keys()
            .filter(|value| !value.is_empty())
            .cloned()
            .collect()
    };
    let next: Vec<(&List, Vec<List>)> = values
        .iter()
        .map(|(value, law)| (value, next(law)))
        .collect();
    let steps = next
        .iter()
        .map(|(value, next)| (*value, next.iter().collect()));
    ordered(steps).is_none()
}

/// The nodes of a graph in an order in which each leads to later ones only, if there is one.
pub(super) fn ordered<'a, T: Clone + Eq + Hash + 'a>(
    steps: impl Iterator<Item = (&'a T, Vec<&'a T>)>,
) -> Option<Vec<T>> {
    let steps: Vec<(&T, Vec<&T>)> = steps.collect();
    let mut entries: HashMap<&T, usize> = HashMap::new();
    for next in steps.iter().flat_map(|(_, next)| next) {
        *entries.entry(next).or_default() += 1;
    }
    let places: HashMap<&T, usize> = steps.iter().map(|(node, _)| *node).zip(0..).collect();
    let mut ready: Vec<usize> = (0..steps.len()).collect();
    ready.retain(|&place| !entries.contains_key(steps[place].0));
    let mut order: Vec<T> = Vec::new();
    while let Some(place) = ready.pop() {
        let (node, next) = &steps[place];
        order.push((*node).clone());
        for next in next {
            let left = entries.get_mut(next).expect("each edge is counted");
            *left -= 1;
            if *left == 0 {
                ready.push(places[next]);
            }
        }
    }
    (order.len() == steps.len()).then_some(order)
}

/// The solution of linear equations.
pub(super) fn solved(mut matrix: Vec<Vec<Fraction>>, mut right: Vec<Fraction>) -> Vec<Fraction> {
    let size = right.len();
    for column in 0..size {
        let pivot = (column..size).find(|&row| !matrix[row][column].is_zero());
        let pivot = pivot.expect("the loop surely ends");
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let scale = matrix[column][column].recip();
        for entry in &mut matrix[column] {
            *entry *= &scale;
        }
        right[column] *= scale;
        for row in 0..size {
            let factor = matrix[row][column].clone();
            if row == column || factor.is_zero() {
                continue;
            }
            let pivot = matrix[column].clone();
            for (entry, of_pivot) in matrix[row].iter_mut().zip(pivot) {
                *entry -= of_pivot * &factor;
            }
            let change = &right[column] * &factor;
            right[row] -= change;
        }
    }
    right
}
