//! Exact distributions; knows nothing of languages.
//!
//! What comes in are dice, what goes out are distributions of what is done with them. The representation:
//!
//! - [`Weights`]: a vector of non-negative integers of one width, wide enough for a bound known beforehand;
//! - [`Numbers`]: a measure on the integers, weights over one total; [`Joint`]: on vectors of integers;
//! - [`Pool`]: independent dice, looked at by rank;
//! - [`Quotient`]: what is rolled again and added, and the sum of many such; [`Survival`]: how probably it is at least a number;
//! - [`Chain`]: finitely many states with steps of exact weights, that goes on until it ends;
//! - [`Law`]: a distribution of which not all outcomes may be listed, with tails and moments;
//! - [`Distribution`]: a measure on anything ordered, as it is handed to those who read it.
//!
//! Probabilities are weights divided by the total, and never formed here. Sums of independent values
//! multiply totals, mixtures bring them to a common multiple; nothing is ever rounded, and fractions
//! are made only where someone reads them. Weights may sum to less than the total: the rest is mass that lies
//! elsewhere, and stays elsewhere.
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
//! The line of random sums is worth knowing: when the number of dice is itself the sum of k independent values, as many successes
//! of one roll become the dice of the next, each of the k starts a line of its own.
//!
//! # Cost
//!
//! With `L` possible sums and weights of `W` limbs of 64 bits, the answer itself has `L·W` limbs. A power
//! costs a small multiple of that ([`Numbers::power`]), the sum of the k highest of n equal dice with m faces
//! some `k·m²·W` steps, of unequal ones `n·k²·m²·W` ([`Pool`]).
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

mod binomial;
mod comparison;
mod convolution;
mod distribution;
mod elimination;
mod exploding;
mod factors;
mod gcd;
mod joint;
mod law;
mod limbs;
mod linear;
mod mixture;
mod numbers;
mod order_statistics;
mod polynomial;
mod pool;
mod power;
mod product;
mod quotient;
mod random_extreme;
mod ranked;
mod recurrence;
mod series;
mod stop;
mod survival;
mod transform;
mod walk;
pub mod weight;
mod weights;

pub use binomial::{binomial, fewer_hits};
pub use comparison::Compared;
pub use distribution::Distribution;
pub use joint::Joint;
pub use law::{Law, Listing, Mass, Mixing, Moments, Remainder, Tail, Unlisted};
pub use linear::{Chain, EndId, Ends, StateId, Target};
pub use numbers::Numbers;
pub use pool::Pool;
pub use quotient::{FirstSums, Quotient};
pub use series::Sums;
pub use stop::Stop;
pub use survival::{Survival, moments_of_rank};
pub use weight::Weight;
pub use weights::Weights;
