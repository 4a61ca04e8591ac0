//! Exact probability distributions of dice rules.
//!
//! A [`Rule`] is read from a text, or built from [`dice`] without one. Solving it gives a [`Dist`]: every outcome with its exact
//! probability.
//!
//! ```
//! use dicedist::dice::d;
//! use dicedist::{Dist, Rule};
//!
//! let ability = Rule::bones("sum(drop low 1 4#d6)")?.solve()?;
//! assert_eq!(ability.probability_of(18).to_string(), "7/432"); // three sixes or more, 21/1296
//! assert_eq!(ability.mean().to_string(), "15869/1296");
//! assert_eq!(ability.at_least(15).to_f64(), 0.23148148148148148);
//!
//! let built = d(6).times(4).drop_lowest(1).sum().solve()?;
//! assert_eq!(built, ability);
//!
//! let straight: Dist = Dist::uniform(1..=6).times(3);
//! let comparison = ability.versus(&straight).unwrap();
//! println!("higher in {:.1} %", 100.0 * comparison.a_wins.to_f64());
//! # Ok::<(), dicedist::Error>(())
//! ```
//!
//! The [tour] shows the rest, and its [cookbook](tour::cookbook) answers twenty-six usual questions. The language of texts is on a page
//! of its own, [Bones](tour::bones).
//!
//! # The rooms
//!
//! Four rooms are for everyday use:
//!
//! - [`rule`]: rules as values, read in any notation, solved within limits of your own, or rolled;
//! - [`dice`]: rules built from values of Rust;
//! - [`dist`]: distributions as values, with their questions and operators;
//! - [`report`]: answers as a table, Markdown, CSV, JSON or SVG. Of one distribution, [`Dist::to_csv`] and its like are enough.
//!
//! Below them the crate reads like a pipeline, and each room has a page that says what comes in and what goes out:
//!
//! 1. [`notation`]: a [`source::Source`] to a program, or to everything that is wrong with it ([`error`]);
//! 2. [`ir`]: the core language, whose page defines the meaning of every rule;
//! 3. [`engine`]: a program to an [`Answer`], over the exact distributions of [`algebra`] and within [`limits`];
//!    [`engine::enumerate`] is the slow evaluator that the others are compared with, and [`engine::sample`] rolls;
//! 4. [`summary`] and [`compare`]: an answer, or two, in a few figures;
//! 5. [`ask`]: a whole question about several rules, as the command asks it.
//!
//! [`number`] has the numbers that all rooms use.
//!
//! # What exact means
//!
//! Every probability is an integer *weight* over one *total* for the whole answer. Nothing is sampled and no
//! float takes part; decimals appear in reports alone, correctly rounded to the digits shown. The weights of
//! an answer add up to its total, always, but not all of them need lie on a listed outcome:
//!
//! - The tails, [`Answer::below`] and [`Answer::above`], lie beyond the listed outcomes: a loop without bound is listed until the rest is
//!   improbable. A tail is exact in weight, and so are the moments beside it ([`Answer::moments`]).
//! - [`Answer::unresolved`] belongs to rolls that were not followed to their end. Such a roll may have any value, or never end;
//!   [`Limits::tolerance`] bounds the weight.
//! - [`Answer::never_ends`] belongs to rolls that go on for ever, such as `while x=1 do 1`. Figures of a [`summary`] are then conditional
//!   on the roll ending.
//!
//! Outcomes are integers in a unit, [`Answer::unit`]: in rules whose results are fractions, such as `1d6/2` in tabletop, they count parts
//! of 1, such as halves ([`number::Unit`]).
//!
//! No figure is computed from the listed part alone: a figure that mass elsewhere leaves open is an interval, or unknown.
//!
//! ```
//! use dicedist::number::Fraction;
//! use dicedist::summary::{Moment, Summary};
//! use dicedist::Rule;
//!
//! // A die that is rolled again on a six, and added: it can become as large as you like.
//! let exploding = "sum(while x=d6 do ((count ==6 x)#d6))";
//! let answer = Rule::bones(exploding)?.solver().answer()?;
//! let numbers = answer.numbers().unwrap();
//! let seven = answer.probability(&numbers.weight_of(&7.into()));
//! assert_eq!(seven.to_string(), "1/36"); // a six, then a one
//!
//! let beyond = answer.above().unwrap(); // all that is not listed is larger
//! assert_eq!(numbers.mass() + &beyond.weight, *answer.total());
//! let mean = Fraction::new(21.into(), 5.into()); // m = 7/2 + m/6
//! assert_eq!(Summary::of(&answer).mean, Moment::Finite(mean));
//! # Ok::<(), dicedist::Error>(())
//! ```
//!
//! # Limits and errors
//!
//! [`Limits`] bound the time, the states and the memory of an analysis; the length and the depth of a text, of lists and of integers have
//! fixed limits ([`limits`], [`number::MAX_BITS`]). Reaching one is an ordinary [`Error`] of kind [`ErrorKind::Limit`]. A rule that can
//! fail, such as `6/(d6-1)`, is an error with the exact probability of failure. A [`limits::Observer`] sees the progress of an analysis,
//! and may stop it.
//!
//! A [`Solver`] uses one budget for everything after reading: running an AnyDice program and unfolding definitions take from the same
//! limits as the analysis, and ask the same observer. The following have no limits by themselves:
//!
//! - the operators of a [`Dist`], [`Dist::times`] and [`Dist::versus`]: [`Dist::within`] and [`Dist::versus_within`] compute within a
//!   budget;
//! - a report, unless it is [within](report::Report::within) a budget;
//! - parsing ([`Rule::read`]), whose time is proportional to the length of a text, which [`limits::MAX_TEXT`] bounds.
//!
//! A service that answers texts of strangers asks an [`ask::Question`], which reads, solves and compares the rules of a text as the command
//! does: `examples/service.rs` is one. [`report::json::write_errors`] writes what is wrong with a text, with its places.
//!
//! A thread that reads or solves needs 512 KiB of stack; the 2 MiB of a usual thread are plenty. For deep rules the crate allocates more
//! stack by itself. On a thread with 256 KiB or less the process may be aborted. The process is also aborted if the system refuses memory
//! for a small allocation.
//!
//! # What strangers write
//!
//! Names and labels may come from anybody. All formats of text are written to a [`source::Shown`], which replaces control characters and
//! invisible characters. Markdown also escapes every sign with a meaning in Markdown. JSON writes such characters as codes, so nothing is
//! lost. An outcome as a value, such as the `String` of a label, is unchanged.
//!
//! # Features
//!
//! Without any feature the crate has [`dice`], [`Dist`], the engine, and reports as tables and Markdown. All features except `png` are on
//! by default:
//!
//! - `notations` reads rules from texts: [`notation`], `Rule::bones` and its like;
//! - `sampling` rolls: `Rule::roll`, `Solver::sample_if_needed`;
//! - `csv`, `json`, `svg`, `png` each add a report of that name;
//! - `serde` writes a [`Dist`] with any serializer of serde;
//! - `cli` builds the command `dicedist`, and turns on all features except `png`.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::print_stderr, clippy::print_stdout))]
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod algebra;
#[cfg(all(feature = "notations", feature = "sampling"))]
pub mod ask;
pub mod compare;
pub mod dice;
pub mod dist;
pub mod engine;
pub mod error;
#[cfg(feature = "notations")]
pub mod games;
pub mod ir;
pub mod limits;
mod map;
#[cfg(feature = "notations")]
pub mod notation;
pub mod number;
pub mod report;
pub mod rule;
pub mod source;
mod stack;
pub mod summary;
#[cfg(feature = "notations")]
pub mod tour;

pub use dist::Dist;
pub use engine::Answer;
pub use error::{Diagnostic, Error, ErrorKind};
pub use limits::Limits;
#[cfg(feature = "notations")]
pub use notation::Dialect;
pub use rule::{Rule, Solver};

/// The Rust blocks of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;
