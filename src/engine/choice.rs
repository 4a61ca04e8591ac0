//! The candidates of a choice, and the best of them.

use super::outcomes::List;
use crate::ir::{Candidates, TermId};
use crate::limits::{Budget, LimitReached};
use crate::number::Fraction;

/// The best candidate in a situation.
pub(super) struct Optimum<V = List> {
    /// The choice.
    pub(super) choice: TermId,
    /// Its list, and the values of the other free variables of its body, the innermost first.
    pub(super) known: Vec<V>,
    /// The candidate with the greatest mean, the first of these.
    pub(super) candidate: V,
    /// Its mean.
    pub(super) mean: Fraction,
}

/// About how many bytes a candidate takes beside its members.
const BYTES_OF_CANDIDATE: u64 = 192;

/// The candidates in their order, the members of a list or its parts. The members of a list whose parts are asked for are sorted.
/// `bytes` is what the members of the list take.
pub(super) fn candidates_of<T: Clone + Ord>(
    candidates: Candidates,
    list: &[T],
    bytes: u64,
    budget: &Budget<'_>,
) -> Result<Vec<Vec<T>>, LimitReached> {
    match candidates {
        Candidates::Members => {
            budget.count_states(list.len() as u64)?;
            budget.has_room_for_members::<[u64; 8]>(list.len())?;
            Ok(list.iter().map(|member| vec![member.clone()]).collect())
        }
        Candidates::Parts => parts(list, bytes, budget),
    }
}

/// The parts of a sorted list as a multiset: the longest first, and among those of equal length the one that sorts first.
fn parts<T: Clone + Ord>(
    list: &[T],
    bytes: u64,
    budget: &Budget<'_>,
) -> Result<Vec<Vec<T>>, LimitReached> {
    let groups = || list.chunk_by(|a, b| a == b);
    let count = groups().fold(1_u64, |count, group| {
        count.saturating_mul(group.len() as u64 + 1)
    });
    budget.count_states(count)?;
    budget.has_room_for(count.saturating_mul(bytes + BYTES_OF_CANDIDATE))?;
    let mut parts = vec![Vec::new()];
    for group in groups() {
        let shorter = std::mem::take(&mut parts);
        for part in shorter {
            for taken in 0..=group.len() {
                budget.check()?;
                parts.push([&part, &group[..taken]].concat());
            }
        }
    }
    parts.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    Ok(parts)
}
