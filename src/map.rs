//! The one hash map of the crate.
//!
//! Nothing that is printed may depend on its iteration order: sort before anything leaves a room.

use rustc_hash::FxBuildHasher;

/// The hash map used everywhere.
pub(crate) type Map<K, V> = hashbrown::HashMap<K, V, FxBuildHasher>;
