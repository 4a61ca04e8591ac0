//! The one hash map of the crate.
//!
//! No output may depend on its iteration order: sort before a result leaves a module.

use rustc_hash::FxBuildHasher;

/// The hash map used everywhere.
pub(crate) type Map<K, V> = hashbrown::HashMap<K, V, FxBuildHasher>;
