//! Exact distributions. This room knows nothing of notations and programs.
//!
//! In: dice. Out: the distributions of their sums, ranks, mixtures and repetitions. The types:
//!
//! - [`Weights`]: a vector of non-negative integers of one width, wide enough for a bound known beforehand;
//! - [`Numbers`]: a measure on the integers, weights over one total; [`Joint`]: on vectors of integers;
//! - [`Pool`]: independent dice, ordered by rank;
//! - [`Quotient`]: a renewal (a die that is rolled again and added) or the sum of several, by its generating function;
//! - [`Survival`]: a die by its survival function `P(X ≥ t)`;
//! - [`Chain`]: an absorbing chain with finitely many states and steps of exact weights;
//! - [`Law`]: a distribution that may list only part of its outcomes, with tails and moments;
//! - [`Distribution`]: a measure on outcomes of any ordered type, the form that reports read.
//!
//! A probability is a weight over the total. The sum of independent values multiplies totals, and a mixture brings them
//! to a common multiple. Nothing is ever rounded, and a fraction is made only where somebody reads it. The weights of a
//! measure may sum to less than its total: the rest is *mass elsewhere*, which every operation carries along.
//!
//! # Laws
//!
//! Write `A, B, C` for measures, `|A|` for the mass, `t(A)` for the total, `A ∗ B` for [`Numbers::add`], `Aⁿ` for
//! [`Numbers::power`], `1` for the certain 0.
//!
//! ```text
//! (A ∗ B)(s) = Σ_x A(x)·B(s-x)         |A ∗ B| = |A|·|B|         t(A ∗ B) = t(A)·t(B)
//! A ∗ B = B ∗ A                        (A ∗ B) ∗ C = A ∗ (B ∗ C)        A ∗ 1 = A
//! A⁰ = 1        A¹ = A                 Aᵐ ∗ Aⁿ = Aᵐ⁺ⁿ                   (Aᵐ)ⁿ = Aᵐⁿ
//! E(A ∗ B) = E(A) + E(B)               Var(A ∗ B) = Var(A) + Var(B)
//!
//! P(max(A, B) ≤ x) = P(A ≤ x)·P(B ≤ x)            max(A, B) = -min(-A, -B)
//! mixture(p·A + q·B)(x) = p·A(x) + q·B(x)         mixture(p·A + q·B) ∗ C = mixture(p·(A∗C) + q·(B∗C))
//!
//! highest k of n dice + lowest n-k of the same dice = their sum, so that their means add up
//! highest k of D = -(lowest k of -D)
//!
//! random_sum(N, V) = Σ_n P(N = n)·Vⁿ              random_sum(Nᵏ, V) = random_sum(N, V)ᵏ
//!
//! chain: F_s(x) = Σ_steps w/t(s)·x^add·F_next(x), with F = 1 at an end
//!        P(ends) + P(never ends) + P(elsewhere) = 1          moments: the derivatives of F at 1
//! ```
//!
//! The law of random sums covers branching. If the number of dice is itself the sum of k independent values, as when
//! the successes of one roll become the dice of the next, then each of the k starts an independent line.
//!
//! # Cost
//!
//! With `L` possible sums and weights of `W` limbs of 64 bits, the answer itself has `L·W` limbs. A power costs a small
//! multiple of that ([`Numbers::power`]). The sum of the k highest of n equal dice with m faces costs some `k·m²·W`
//! steps, and of unequal dice `n·k²·m²·W` ([`Pool`]).
//!
//! # Examples
//!
//! ```
//! use dicedist::algebra::{Numbers, Pool};
//! use dicedist::limits::{Budget, Limits, Unobserved};
//!
//! let limits = Limits::default();
//! let budget = Budget::start(&limits, &Unobserved);
//! // The best of six ability scores, each 4d6 without the lowest.
//! let score = Pool::new([(Numbers::die(6), 4)]).highest(3, &budget)?;
//! let best = Pool::new([(score, 6)]).highest(1, &budget)?.into_distribution();
//! let last = best.len() - 1;
//! assert_eq!(best.outcomes()[last], 18.into());
//! assert_eq!(best.weight(last), (1296_u128.pow(6) - 1275_u128.pow(6)).into());
//! # Ok::<(), dicedist::algebra::Stop>(())
//! ```

mod abacus;
mod abacus_sums;
mod accumulator;
mod acyclic;
mod binomial;
mod chain_law;
mod chain_moments;
mod consecutive;
mod convolution;
mod denominators;
mod distribution;
mod elimination;
mod exploding;
mod factors;
mod field;
mod gcd;
mod idle;
mod joint;
mod law;
mod limbs;
mod linear;
mod mixture;
mod network;
mod numbers;
mod order_statistics;
mod plan;
mod polynomial;
mod pool;
mod power;
mod product;
mod progression;
mod quotient;
mod ranked;
mod rational;
mod recurrence;
mod remainders;
mod series;
mod stop;
mod sums_by_end;
mod sums_in_order;
mod survival;
mod transform;
mod walk;
pub mod weight;
mod weights;
mod windows;

pub use binomial::{binomial, fewer_hits};
pub use distribution::Distribution;
pub use joint::Joint;
pub use law::{
    Known, Law, Listing, Mass, MeanBetween, Mixing, Moments, Remainder, Source, Tail, Unlisted,
};
pub use linear::{Chain, EndId, Ends, StateId, Target};
pub use network::{Network, Place, Spread, SpreadId};
pub use numbers::Numbers;
pub use plan::{Game, Plan, Played};
pub use pool::Pool;
pub(crate) use pool::are_sparse;
pub use quotient::{FirstSums, Quotient};
pub use series::Sums;
pub use stop::Stop;
pub use survival::{Survival, moments_of_rank};
pub use weight::Weight;
pub use weights::Weights;

pub(crate) use chain_law::{ChainLaw, LineOfChain};
pub(crate) use product::power;
pub(crate) use sums_by_end::{Line, SumsByEnd};
