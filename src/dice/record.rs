//! Several numbers of one roll, with names.

use std::sync::Arc;

use super::expression::{Number, Record};
use super::term::Term;
use crate::ir::Part;

/// The record of these numbers. What they have in common is [shared](super::Pool::share) around it.
#[must_use]
pub fn record<const N: usize>(parts: [(impl Into<Arc<str>>, impl Into<Number>); N]) -> Record<N> {
    let mut terms = Vec::with_capacity(N);
    let parts = parts.map(|(name, number)| {
        terms.push(number.into().0);
        Part {
            name: name.into(),
            has_labels: false,
        }
    });
    let term = Term::of_all(terms.into(), |build, parts| build.core.join(parts));
    Record {
        term: term.with_length(Some(N)),
        parts,
    }
}
