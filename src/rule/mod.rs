//! Rules as values of Rust: [`Rule`] and its [`Solver`].
//!
//! A [`Rule`] is read once, and can be solved or rolled several times. It comes from a text in any notation, or from the combinators of
//! [`dice`](crate::dice).
//!
//! ```
//! use dicedist::Rule;
//!
//! let rule = Rule::bones("sum(drop low 1 n#d6)")?;
//! for dice in 4..=6 {
//!     let dist = rule.clone().with("n", dice).solve()?;
//!     println!("{dice} dice: {} or more in {}", 15, dist.at_least(15));
//! }
//! assert_eq!(rule.with("n", 4).solve()?.at_least(18).to_string(), "7/432");
//! # Ok::<(), dicedist::Error>(())
//! ```

mod form;
#[cfg(feature = "notations")]
mod read;
#[cfg(feature = "sampling")]
mod roll;
mod solver;
#[cfg(feature = "notations")]
mod text;

pub use form::Rule;
pub use solver::Solver;
