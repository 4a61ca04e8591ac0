//! The names of the values around a choice, for explanations.

use std::sync::Arc;

use super::shape::Shape;
use super::term::Site;
use crate::number::Integer;

/// The name of a value, and what its members stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// The name, or the text of an expression.
    pub name: Arc<str>,
    /// What the members stand for.
    pub shape: Shape,
}

/// The place of a choice in the text, and the names that explain it.
#[derive(Clone, Debug)]
pub struct Choice<V = u32> {
    /// The whole expression; its operands are the list and the body.
    pub site: Site,
    /// What is chosen.
    pub chosen: Called,
    /// The list as written.
    pub list: Called,
    /// The place of the member of the body's value whose mean is maximised; `None` if the value is one number.
    pub aim: Option<usize>,
    /// Values that are known before any roll.
    pub known: Box<[(Called, Vec<Integer>)]>,
    /// Variables around it: in an arena the free variables of the term, by their distances.
    pub variables: Box<[(Called, V)]>,
}

impl<V> Choice<V> {
    /// The member of the body's value whose mean counts, if the value has it.
    pub(crate) fn aimed_at<'v, T>(&self, value: &'v [T]) -> Option<&'v T> {
        match (self.aim, value) {
            (Some(place), value) => value.get(place),
            (None, [number]) => Some(number),
            (None, _) => None,
        }
    }
}
