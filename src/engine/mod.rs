//! From a core program to its answer.
//!
//! # The idea
//!
//! A dice rule is a program over lists of integers. **Reveal its randomness a little at a time, and simplify the rest of the program after
//! each reveal.** This rest, the *residual program*, with the number of dice still hidden, is a state: two histories that leave the same
//! residual program have the same future, so they are merged and solved once.
//!
//! # An example, reveal by reveal
//!
//! How many of three dice show the highest number that any of them shows? `let x=3#d6 in count(==(high 1 x) x)`.
//!
//! `translate` turns the three dice into a pool P, named because it is used twice. The program is one number, with all dice
//! hidden:
//!
//! ```text
//! R = count(filter (== best(P)) P)            P hides 3 dice with faces 1 to 6
//! ```
//!
//! `reveal` now shows the highest face, 6. Each number k of dice can show it, in `C(3, k)` ways:
//!
//! - `k = 0`: P hides three dice with faces 1 to 5. The program is R as before: the same node, fewer faces.
//! - `k = 1`: P is `6, P'` with two dice in P'. `simplify` knows that no die of P' exceeds 5: `best(6, P') = 6`, the
//!   filter keeps the 6 and rejects all of P', and the count is 1. The program no longer mentions P', so its two dice
//!   are *summed out*: their `5² = 25` results all lead to the same program.
//! - `k = 2` and `k = 3` give 2 and 3 in the same way, with 5 ways and with 1 way for the other dice.
//!
//! So the steps from R at face 6 are: to 1 with weight `3·25`, to 2 with `3·5`, to 3 with `1·1`, and to R at face 5 with weight 1. Each
//! result is a constant, which is *pulled out* to the edge, so all three lead to one state, 0. At face 5 the same happens with
//! `4²` and 4 ways for the others, and so on down to face 1, which all three dice must show. The graph has a state for R at each
//! face and one at the end; weights add up along it, and their total is `6³`:
//!
//! ```text
//! 1:  3·25 + 3·16 + 3·9 + 3·4 + 3·1       = 165
//! 2:  3·5  + 3·4  + 3·3 + 3·2 + 3·1       =  45
//! 3:  1    + 1    + 1   + 1   + 1    + 1  =   6
//! ```
//!
//! ```
//! use dicedist::Rule;
//!
//! let answer = Rule::bones("let x=3#d6 in count(==(high 1 x) x)")?.solver().answer()?;
//! let shares = [1, 2, 3].map(|n| answer.numbers().unwrap().weight_of(&n.into()));
//! assert_eq!(shares.map(|weight| answer.probability(&weight).to_string()), ["55/72", "5/24", "1/36"]);
//! # Ok::<(), dicedist::Error>(())
//! ```
//!
//! With 300 dice of 20 faces there are 20 levels in place of 6, and the work for each grows with the number of dice alone. Nobody wrote
//! an evaluator for this question.
//!
//! # The floors
//!
//! Imports run down only, and within a floor in one direction, too:
//!
//! | floor | what it is |
//! |---|---|
//! | `solve` | the answer: law by law, loops, errors |
//! | `rules` | closed forms, and rewrites before revealing |
//! | `reveal` | one step and the graph of all; weights through it |
//! | `translate` | core program to residual program, with its hazards |
//! | `simplify` | normal forms: the laws by which residual programs are made |
//! | `machine` | loops and long chains of rolls, compiled and run in machine words |
//! | `program` | residual programs, pools and memos: data only |
//!
//! A few calls of a partial evaluator point up: a law of simplification applies the body of a `foreach` to a member,
//! and a repetition needs the distribution of its body. These calls go through one oracle (`program::store::Oracle`),
//! declared at the bottom and implemented once at the top. Where files of one floor need each other, a trait at the
//! foot of the floor names what may be called (`simplify::forms::Forms`).
//!
//! # Loops
//!
//! A residual program is a state that takes long to make, and a loop has many states. So a term that loops, or rolls many times in a row,
//! goes to the `machine` first. The machine compiles the term once, and a state is then the few integers that the rest of the term looks
//! at. A term that the machine refuses, such as a loop with infinitely many states, an error, or a value that may never come, becomes a
//! residual program.
//!
//! # What this cannot do
//!
//! The slow evaluator, [`enumerate`](mod@enumerate), lists every path. It takes over for very long integers, for a
//! few uses of order, and for rules with fewer paths than residual programs; it is also the judge of the other
//! evaluator. The answer says which evaluator found it ([`Route`]). Where neither comes to an end, a caller can have
//! the program rolled many times ([`estimate`](mod@estimate)): the result is never exact, and [`Method::Sampled`]
//! says so.

mod analyze;
mod answer;
mod choice;
#[cfg_attr(
    not(feature = "sampling"),
    allow(dead_code, reason = "only estimates make intervals")
)]
mod confidence;
mod evaluate;
mod failure;
#[cfg(feature = "sampling")]
mod fallback;
mod given;
#[cfg(feature = "laws")]
#[doc(hidden)]
pub mod laws;
mod machine;
mod marginal;
mod one_number;
pub(crate) mod operate;
mod outcomes;
mod play;
mod program;
mod reason;
mod reveal;
#[cfg(feature = "sampling")]
mod rolled;
mod rules;
mod simplify;
mod solve;
mod stop;
mod translate;

pub use analyze::analyze;
pub use answer::{Answer, Method, Route, Sampling};
pub use confidence::Interval;
pub use evaluate::enumerate;
pub use evaluate::strategy::{Plan, Situation};
#[cfg(feature = "sampling")]
pub use evaluate::{estimate, sample};
#[cfg(feature = "sampling")]
pub use fallback::analyze_or_estimate;
pub use one_number::analyze_around;
pub use outcomes::{List, MemberRef, Outcomes, Value};
pub use play::strategy;
pub use reason::Reason;
#[cfg(feature = "sampling")]
pub use rolled::{MAX_STEPS, certain, rolls};
