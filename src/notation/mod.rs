//! Text to core programs: one folder a notation, each a room of its own.
//!
//! A text is split into rules ([`rules()`]); each is read once ([`parse`]), and what was read ([`Parsed`]) is lowered to
//! [`crate::ir`] as often as there are values to lower it with. A notation parses to its own small tree with spans.
//! Notation-specific words never leave its folder, and no notation imports another.
//!
//! # To add a notation
//!
//! - Write a folder with a type that is a `syntax::Notation` (dicebag is the smallest to start from; `reader` has what all
//!   of them read with), and name it among the modules below.
//! - In `table`: a variant of [`Dialect`], and its row.
//! - Beside it, the suite asks for `tests/golden/NAME.json`, for examples in `examples/NAME`, and for its name in the message about
//!   unknown dialects; `fuzz` and `tests/suite/replay.rs` have a list of targets.

mod bones;
mod dicebag;
mod diceroller;
mod onedice;
mod parsed;
mod reader;
mod rules;
mod settings;
mod syntax;
mod table;

pub use parsed::{Parsed, parse};
pub use rules::{Rule, WrongRule, rules};
pub use settings::{Settings, Wanted};
pub use syntax::{Reading, Step};
pub use table::{Dialect, UnknownDialect};
