//! Known members of a multiset, run-length encoded.

use crate::engine::program::integer::narrow;
use crate::engine::stop::Attempt;
use crate::limits::LimitReached;

/// Known members in ascending order, each with its multiplicity.
pub(in crate::engine) type Members = Vec<(i64, u32)>;

/// The number of members.
pub(in crate::engine) fn size_of(members: &[(i64, u32)]) -> i64 {
    members.iter().map(|&(_, count)| i64::from(count)).sum()
}

/// Members in ascending order, equal ones merged.
pub(in crate::engine) fn merged(mut members: Members) -> Attempt<Members> {
    members.sort_unstable_by_key(|&(value, _)| value);
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
