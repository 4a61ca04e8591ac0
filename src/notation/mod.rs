//! Text to core programs, with one folder for each notation.
//!
//! [`rules()`] splits a text into rules. [`parse`] reads a rule once. The result ([`Parsed`]) is lowered to [`crate::ir`] once
//! for each choice of parameter values. A notation parses to its own small tree with spans. The words of a notation never
//! leave its folder, and no notation imports another.
//!
//! # To add a notation
//!
//! - Write a folder with a type that implements `syntax::Notation`, and declare the module below. dicebag is the smallest
//!   example; `reader` has the parsers that all notations share.
//! - Add a variant of [`Dialect`] and its row in `table`.
//! - Add what the suite asks for: `tests/golden/NAME.json`, examples in `examples/NAME`, and the name in the message about
//!   unknown dialects. Add the notation to the lists of targets in `fuzz` and `tests/suite/replay.rs`.

mod anydice;
mod bones;
mod condition;
mod dice;
mod dicebag;
mod diceroller;
mod environment;
mod extreme;
mod mend;
mod mended;
mod onedice;
mod parsed;
mod reader;
mod recognise;
mod rules;
mod settings;
mod syntax;
mod table;
mod tabletop;

pub(crate) use bones::is_word;
pub use condition::condition;
pub use environment::Environment;
pub use parsed::{Parsed, define, parse, parse_in};
pub(crate) use reader::spelling::nearest as nearest_word;
pub use recognise::{Recognised, Unrecognised, program, recognise, recognise_definition};
pub use rules::{Rule, WrongRule, rules};
pub use settings::{Settings, Wanted};
pub use syntax::{Kind, Outcome, Reading, Step, Title};
pub use table::{Dialect, UnknownDialect};
