//! What people call the values around a choice by the greatest mean.

use std::sync::Arc;

use super::term::Site;
use crate::number::Integer;

/// The place of a choice in the text, and the names that explain it.
#[derive(Clone, Debug)]
pub struct Choice<V = u32> {
    /// The whole expression; its operands are the list and the body.
    pub site: Site,
    /// The name of what is chosen.
    pub chosen: Arc<str>,
    /// The list as written.
    pub list: Arc<str>,
    /// The names of values that are known before any roll, with the values.
    pub known: Box<[(Arc<str>, Vec<Integer>)]>,
    /// The names of variables around it: in an arena the free variables of the term, by their distances.
    pub variables: Box<[(Arc<str>, V)]>,
}
