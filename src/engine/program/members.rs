//! Known members of a multiset, run-length encoded.

use crate::engine::program::integer::narrow;
use crate::engine::stop::Attempt;
use crate::limits::{Budget, LimitReached};

/// Known members in ascending order, each with its multiplicity.
pub(in crate::engine) type Members = Vec<(i64, u32)>;

/// The number of members.
pub(in crate::engine) fn size_of(members: &[(i64, u32)]) -> i64 {
    members.iter().map(|&(_, count)| i64::from(count)).sum()
}

/// The number of members that are sorted between two looks at the clock.
const AT_ONE_GO: usize = 1 << 16;

/// Members in ascending order, equal ones merged.
pub(in crate::engine) fn merged(mut members: Members, budget: &Budget<'_>) -> Attempt<Members> {
    if members.len() <= AT_ONE_GO {
        members.sort_unstable_by_key(|&(value, _)| value);
    } else {
        for run in members.chunks_mut(AT_ONE_GO) {
            budget.look_at_clock()?;
            run.sort_unstable_by_key(|&(value, _)| value);
        }
        // A stable sort merges the runs that it finds, with room for half of them.
        budget.has_room_for_members::<(i64, u32)>(members.len() / 2)?;
        members.sort_by_key(|&(value, _)| value);
    }
    let mut is_too_long = false;
    members.dedup_by(|next, last| {
        let is_equal = next.0 == last.0;
        if is_equal {
            let (sum, is_over) = last.1.overflowing_add(next.1);
            last.1 = sum;
            is_too_long |= is_over;
        }
        is_equal
    });
    if is_too_long {
        return Err(LimitReached::List.into());
    }
    let size: i64 = members.iter().map(|&(_, count)| i64::from(count)).sum();
    narrow(size.into())?;
    Ok(members)
}
