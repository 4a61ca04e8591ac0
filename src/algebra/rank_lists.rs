//! The highest of equal dice as sorted lists.
//!
//! A list of the k highest of n dice has a lowest face c, which it shows r times, and a = k - r higher members, among them
//! `m_f` that show the face f. So many dice show higher faces than c, and at least r of the others show c:
//!
//! ```text
//! weight = C(n, a) · (a! / Π m_f!) · Π w_f^m_f · Σ_{j≥r} C(n-a, j)·w_c^j·z^(n-a-j)
//! ```
//!
//! where `w_f` is the weight of a face, and z that of the faces below c. The sum depends on c and r alone. The lists are found in
//! their order, and each takes one product for each of its different faces.

use num_traits::ToPrimitive as _;

use super::{Distribution, Numbers, Stop, Weight, binomial, fewer_hits, power};
use crate::limits::{Budget, LimitReached, Reserved};
use crate::number::Integer;

/// The sorted lists of the k highest of n equal dice, over the total of all rolls. `None` if k is not from 1 to n, or if a face
/// does not fit an `i64`.
///
/// # Errors
///
/// [`LimitReached`]. Each list counts as a state.
pub(crate) fn lists_of_highest(
    die: &Numbers,
    n: u64,
    k: u64,
    budget: &Budget<'_>,
) -> Result<Option<Distribution<Vec<i64>>>, LimitReached> {
    let faces = die
        .iter()
        .map(|(face, weight)| Some((face.to_i64()?, weight)));
    let Some(faces) = faces.collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let Some(members) = usize::try_from(k).ok().filter(|_| (1..=n).contains(&k)) else {
        return Ok(None);
    };
    let total = power(die.total(), n, budget)?;
    // Lists with repetition, of any faces.
    let lists = binomial((faces.len() as u64).saturating_add(k) - 1, k, budget)?;
    let lists = lists.to_u64().unwrap_or(u64::MAX);
    // A turn that has no room for all lists begins with none.
    if lists > budget.states_left() {
        return Err(LimitReached::States(budget.limits().states));
    }
    budget.count_states(lists)?;
    let bytes = 2 * size_of::<Vec<i64>>() as u64 + 8 * k + total.bits() / 8 + 8;
    let _reserved = Reserved::new(budget, lists.saturating_mul(bytes))?;
    let mut found = Lists {
        faces: &faces,
        found: Vec::with_capacity(usize::try_from(lists).unwrap_or(0)),
        budget,
    };
    let mut below = Weight::ZERO;
    for (at, (face, weight)) in faces.iter().enumerate() {
        let at_most = &below + weight;
        // The highest face has no higher members beside it.
        let least = if at + 1 == faces.len() { members } else { 1 };
        for shown in (least..=members).rev() {
            let above = members - shown;
            let others = n - above as u64;
            let ways = power(&at_most, others, budget)?
                - fewer_hits(shown as u64, others, weight, &below, budget)?;
            if ways != Weight::ZERO {
                let ways = ways * binomial(n, above as u64, budget)?;
                found.continue_from(at + 1, above, &ways, &mut vec![*face; shown])?;
            }
        }
        below = at_most;
    }
    Ok(Some(Distribution::new(found.found, total)))
}

/// The lists that were found, in ascending order.
struct Lists<'a> {
    faces: &'a [(i64, Weight)],
    found: Vec<(Vec<i64>, Weight)>,
    budget: &'a Budget<'a>,
}

impl Lists<'_> {
    /// Adds all lists that begin as this one, with so many more members from a face on, in so many ways.
    fn continue_from(
        &mut self,
        from: usize,
        more: usize,
        ways: &Weight,
        list: &mut Vec<i64>,
    ) -> Result<(), LimitReached> {
        if more == 0 {
            self.budget.work(list.len() as u64 + 8)?;
            self.found.push((list.clone(), ways.clone()));
            return Ok(());
        }
        let begun = list.len();
        for at in from..self.faces.len() {
            let (face, weight) = &self.faces[at];
            let least = if at + 1 == self.faces.len() { more } else { 1 };
            // C(more, shown)·w^shown
            let mut factor = power(weight, more as u64, self.budget)?;
            for shown in (1..=more).rev() {
                if shown >= least {
                    list.resize(begun, 0);
                    list.resize(begun + shown, *face);
                    self.continue_from(at + 1, more - shown, &(ways * &factor), list)?;
                }
                factor = factor * shown / (weight * (more - shown + 1));
            }
        }
        list.truncate(begun);
        Ok(())
    }
}

/// The sorted lists of the k lowest of n equal dice, as [`lists_of_highest`].
///
/// # Errors
///
/// [`Stop`].
pub(crate) fn lists_of_lowest(
    die: &Numbers,
    n: u64,
    k: u64,
    budget: &Budget<'_>,
) -> Result<Option<Distribution<Vec<i64>>>, Stop> {
    // The lowest are the highest of the negative faces.
    let mirrored = die.scaled(&Integer::from(-1))?;
    let Some(lists) = lists_of_highest(&mirrored, n, k, budget)? else {
        return Ok(None);
    };
    let mirrored = lists.iter().map(|(list, weight)| {
        let list = list.iter().rev().map(|face| -face).collect();
        (list, weight.clone())
    });
    Ok(Some(Distribution::new(mirrored, lists.total().clone())))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::limits::{Limits, Unobserved};

    /// The lists of some ranks of n dice, by all rolls.
    fn by_all_rolls(
        faces: &[(i64, u32)],
        n: u32,
        ranks: std::ops::Range<usize>,
    ) -> BTreeMap<Vec<i64>, Weight> {
        let mut lists: BTreeMap<Vec<i64>, Weight> = BTreeMap::new();
        for roll in 0..faces.len().pow(n) {
            let places = (0..n).map(|die| roll / faces.len().pow(die) % faces.len());
            let (mut shown, weights): (Vec<i64>, Vec<u32>) =
                places.map(|place| faces[place]).unzip();
            shown.sort_unstable();
            *lists.entry(shown[ranks.clone()].to_vec()).or_default() +=
                weights.iter().product::<u32>();
        }
        lists
    }

    #[test]
    fn lists_of_ranks_have_the_weights_of_all_rolls() {
        let limits = Limits::default();
        let budget = Budget::start(&limits, &Unobserved);
        let dice: [&[(i64, u32)]; 4] = [
            &[(1, 1), (2, 1), (3, 1), (4, 1)],
            &[(-2, 3), (0, 1), (7, 2)],
            &[(0, 5), (1, 1)],
            &[(6, 2)],
        ];
        for faces in dice {
            let total: u32 = faces.iter().map(|(_, weight)| weight).sum();
            let weighted = faces
                .iter()
                .map(|&(face, weight)| (face.into(), weight.into()));
            let die = Numbers::new(weighted, total.into());
            for n in 1..=5_u32 {
                for k in 1..=n {
                    let (all, kept) = (n as usize, k as usize);
                    let highest = lists_of_highest(&die, n.into(), k.into(), &budget).unwrap();
                    let lowest = lists_of_lowest(&die, n.into(), k.into(), &budget).unwrap();
                    for (found, ranks) in [(highest, all - kept..all), (lowest, 0..kept)] {
                        let found = found.unwrap();
                        assert_eq!(*found.total(), Weight::from(total).pow(n));
                        let listed = found
                            .iter()
                            .map(|(list, weight)| (list.clone(), weight.clone()));
                        let expected = by_all_rolls(faces, n, ranks);
                        assert_eq!(
                            listed.collect::<BTreeMap<_, _>>(),
                            expected,
                            "{k} of {n} {faces:?}"
                        );
                    }
                }
            }
        }
    }
}
