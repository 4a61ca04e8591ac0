//! Whether the order of a list matters.

use std::hash::Hash;

/// Whether anything looks at the order of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::engine) enum Order {
    /// The list is a multiset.
    Ignored,
    /// The members have an order.
    Kept,
}
