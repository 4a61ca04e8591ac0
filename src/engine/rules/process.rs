//! Branching processes: the total of the numbers that one die and all its descendants add.
//!
//! With `p_f` the probability of face f, `v_f` the number that it adds and `g_f` the number of its offspring, the
//! generating function F of the total satisfies
//!
//! ```text
//! F(z) = Σ_f p_f · z^(v_f) · F(z)^(g_f)
//! ```
//!
//! (T. E. Harris, The Theory of Branching Processes, 1963, chapter I.13). If each face with offspring adds something,
//! this equation gives the coefficients one after the other. The process ends with the least probability q in [0, 1]
//! that satisfies `q = Σ_f p_f·q^(g_f)` (ibid., I.6). Given that it ends, it is the branching process with the
//! probabilities `p_f·q^(g_f - 1)`, which has finite moments unless its mean number of offspring is 1.
//!
//! If no face has more than one offspring, the total is that of a renewal, and F a [`Quotient`]: the total can be
//! listed as far as it matters, and so can the total of any number of dice. In this case the die may have a tail,
//! such as that of another loop. Cost: each of the first n coefficients takes as many multiplications as there are
//! smaller ones. A renewal has a recurrence.

use crate::algebra::weight::{lcm, probability};
use crate::algebra::{Law, Mass, Moments, Numbers, Quotient, Weight, Weights, power};
use crate::engine::program::{DieId, Drawing, Node, NodeId, Store};
use crate::engine::reason::Reason;
use crate::engine::stop::{Attempt, Stop};
use crate::limits::Budget;
use crate::number::{Fraction, Integer};
use num_integer::Integer as _;
use num_traits::{One as _, Zero as _};
use std::sync::Arc;

/// The most sums that are listed. Each takes as many multiplications as there are smaller ones.
const MOST_SUMS: usize = 400;

/// An irrational probability is known to within `2^-BITS`.
const BITS: u64 = 128;

/// One face of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Face {
    pub(super) weight: Weight,
    pub(super) adds: usize,
    /// How many independent values of [`Process::drawn`] it adds, too.
    pub(super) draws: u32,
    pub(super) offspring: u32,
}

/// A branching process of equal dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Process {
    pub(super) faces: Vec<Face>,
    pub(super) total: Weight,
    /// The unlisted values of the die, if it has any.
    pub(super) tail: Option<FaceTail>,
    /// The law of the values that faces draw, if any face does.
    pub(super) drawn: Option<Drawn>,
    /// The die of every value but perhaps the first.
    pub(super) die: DieId,
    /// The number of dice of the first value, and the constant that has been pulled out for them, if these dice are
    /// of the same kind.
    pub(super) first: Option<(u32, i64)>,
}

/// A law of which faces draw values that are added: its generating function and its moments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Drawn {
    pub(super) source: Arc<Quotient>,
    pub(super) mean: Fraction,
    pub(super) variance: Fraction,
}

/// Unlisted values that add themselves, all with the same number of offspring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct FaceTail {
    pub(super) offspring: u32,
    /// The generating function of the whole die. Its listed faces add themselves, too.
    pub(super) source: Arc<Quotient>,
    pub(super) moments: Option<Moments>,
}

/// Bounds of the probability that a process ends. They are equal if it is rational.
struct Ending {
    pub(super) low: Fraction,
    pub(super) high: Fraction,
}

impl Ending {
    /// The law of the total of a process that adds nothing: 0 if it ends.
    pub(super) fn law(&self) -> Law {
        let denominators = [&self.low, &self.high].map(|end| end.denom().magnitude());
        let total = crate::algebra::weight::lcm(denominators[0], denominators[1]);
        let weight_of =
            |share: &Fraction| share.numer().magnitude() * (&total / share.denom().magnitude());
        let (low, high) = (weight_of(&self.low), weight_of(&self.high));
        let listed = Numbers::new([(Integer::ZERO, low.clone())], total.clone());
        let unresolved = Mass::anywhere(&high - low);
        Law::new(listed, vec![unresolved], total - high, None)
    }
}

impl Process {
    /// The number of dice in a value of the loop, if they are the independent dice of the process.
    pub(super) fn copies(&self, store: &Store<'_>, value: NodeId) -> Option<u32> {
        let (Node::Pool(pool) | Node::Draw(pool)) = *store.nodes.get(value) else {
            return None;
        };
        let pool = store.pools.get(pool);
        (pool.die == self.die && pool.drawing == Drawing::Independent).then_some(pool.dice)
    }

    /// Whether each face has at most one offspring, each face with offspring adds something, and some face has none.
    pub(super) fn is_renewal(&self) -> bool {
        let mut faces = self.faces.iter();
        faces.all(|face| face.offspring == 0 || face.offspring == 1 && face.adds > 0)
            && self.faces.iter().any(|face| face.offspring == 0)
    }

    /// The weights of the numbers that faces with this many offspring add, and their total, both divided by their
    /// common divisor.
    fn added_with_offspring(&self, offspring: u32) -> (Vec<(u64, Weight)>, Weight) {
        let faces = self.faces.iter().filter(|face| face.offspring == offspring);
        let common = faces
            .clone()
            .fold(self.total.clone(), |common, face| common.gcd(&face.weight));
        let weights = faces.map(|face| (face.adds as u64, &face.weight / &common));
        (weights.collect(), &self.total / &common)
    }

    /// The law of a renewal's total. `None` if it has no quotient.
    pub(super) fn renewal(&self, store: &Store<'_>) -> Attempt<Option<Law>> {
        let ((ends, ends_total), (goes_on, goes_on_total)) =
            (self.added_with_offspring(0), self.added_with_offspring(1));
        let quotient = match (&self.tail, &self.drawn) {
            (None, Some(drawn)) => {
                let steps = |offspring: u32| -> Vec<(u64, u32, Weight)> {
                    let faces = self.faces.iter();
                    let faces = faces.filter(|face| face.offspring == offspring);
                    faces
                        .map(|face| (face.adds as u64, face.draws, face.weight.clone()))
                        .collect()
                };
                Quotient::renewal_with(&steps(0), &steps(1), &self.total, &drawn.source)
            }
            (None, None) => {
                let total = lcm(&ends_total, &goes_on_total);
                let over = |weights: Vec<(u64, Weight)>, own: &Weight| {
                    let factor = &total / own;
                    weights
                        .into_iter()
                        .map(move |(adds, weight)| (adds, weight * &factor))
                };
                Quotient::renewal(
                    over(ends, &ends_total),
                    over(goes_on, &goes_on_total),
                    &total,
                )
            }
            (Some(tail), _) if tail.offspring == 1 => tail.source.until(&ends, &ends_total),
            (Some(tail), _) => tail.source.while_among(&goes_on, &goes_on_total),
        };
        let Some(quotient) = quotient else {
            return Ok(None);
        };
        let moments = match &self.tail {
            None => Some(self.moments(&Fraction::one())),
            Some(tail) => self.moments_with(tail),
        };
        store.note_cut();
        let tolerance = store.tolerance();
        Ok(Law::of_quotient(
            quotient,
            moments,
            &tolerance,
            store.budget,
        )?)
    }

    /// The moments of a renewal whose die has a tail, as in [`Process::moments`], where v is the number that a face
    /// adds, and g is 1 if it has offspring, else 0.
    fn moments_with(&self, tail: &FaceTail) -> Option<Moments> {
        let whole = |number: usize| Fraction::from_integer(number.into());
        let share = |offspring: u32, of: fn(usize) -> usize| -> Fraction {
            let faces = self.faces.iter().filter(|face| face.offspring == offspring);
            let sum: Weight = faces.map(|face| &face.weight * of(face.adds)).sum();
            probability(&sum, &self.total)
        };
        let known = tail.moments.as_ref()?;
        let (value, square) = (known.first.as_ref()?, known.second.as_ref()?);
        let (mean_offspring, both) = match tail.offspring {
            1 => (whole(1) - share(0, |_| 1), value - share(0, |adds| adds)),
            _ => (share(1, |_| 1), share(1, |adds| adds)),
        };
        let left = whole(1) - &mean_offspring;
        let mean = value / &left;
        let squares = square + whole(2) * &mean * both + &mean * &mean * mean_offspring;
        let variance = (squares - &mean * &mean) / left;
        Some(Moments {
            ends: whole(1),
            second: Some(variance + &mean * &mean),
            first: Some(mean),
        })
    }

    /// The law of the total of one die and all its descendants.
    pub(super) fn law(&self, store: &Store<'_>) -> Attempt<Law> {
        let budget = store.budget;
        let most = self
            .faces
            .iter()
            .map(|face| face.offspring)
            .max()
            .unwrap_or(0);
        let ending = self.ending();
        if self.faces.iter().all(|face| face.adds == 0) {
            return Ok(ending.law());
        }
        let tolerance = store.tolerance();
        store.note_cut();
        // The coefficient of z^m is an integer over T^(1 + G·m), with T the total and G the most offspring: a tree
        // that adds m has at most m faces with offspring. powers[g][m] is the coefficient of F^(g+1), over T^(g + 1 +
        // G·m).
        let growth = power(&self.total, most.into(), budget)?;
        let mut powers: Vec<Vec<Weight>> = vec![Vec::new(); most as usize];
        let (mut listed, mut scale) = (Fraction::zero(), self.total.clone());
        let scaled: Vec<Weight> = self
            .faces
            .iter()
            .map(|face| {
                let exponent = u64::from(most).checked_mul(face.adds as u64);
                let exponent = exponent.and_then(|most| most.checked_sub(face.offspring.into()));
                let exponent = exponent.and_then(|exponent| u32::try_from(exponent).ok());
                let exponent = exponent.ok_or(Stop::Unsupported(Reason::LargeSteps))?;
                Ok(&face.weight * power(&self.total, exponent.into(), budget)?)
            })
            .collect::<Attempt<_>>()?;
        while powers[0].len() < MOST_SUMS {
            if !listed.is_zero() && &ending.low - &listed <= tolerance {
                break;
            }
            let sum = powers[0].len();
            let mut coefficient = Weight::ZERO;
            for (face, weight) in self.faces.iter().zip(&scaled) {
                let Some(rest) = sum.checked_sub(face.adds) else {
                    continue;
                };
                if face.offspring > 0 {
                    coefficient += weight * &powers[face.offspring as usize - 1][rest];
                } else if rest == 0 {
                    coefficient += weight;
                }
            }
            listed += probability(&coefficient, &scale);
            scale *= &growth;
            powers[0].push(coefficient);
            for place in 1..powers.len() {
                budget.look_at_clock()?;
                let product = (0..=sum)
                    .map(|index| &powers[place - 1][index] * &powers[0][sum - index])
                    .sum();
                powers[place].push(product);
            }
        }
        self.finished(&powers[0], &ending, budget)
    }

    /// The law with these listed sums. The weight of sum m is over `T^(1 + G·m)`.
    fn finished(&self, sums: &[Weight], ending: &Ending, budget: &Budget<'_>) -> Attempt<Law> {
        let most = self
            .faces
            .iter()
            .map(|face| face.offspring)
            .max()
            .unwrap_or(0);
        let growth = power(&self.total, most.into(), budget)?;
        let base = &self.total * power(&growth, sums.len() as u64 - 1, budget)?;
        let denominators = [&ending.low, &ending.high].map(|end| end.denom().magnitude().clone());
        let total = denominators
            .iter()
            .fold(base.clone(), |total, denominator| {
                crate::algebra::weight::lcm(&total, denominator)
            });
        let mut factor = &total / &base;
        let mut weights = Weights::zeros(sums.len(), total.bits());
        for (index, sum) in sums.iter().enumerate().rev() {
            weights.set(index, &(sum * &factor));
            factor *= &growth;
        }
        let listed = Numbers::from_weights(0, weights, total.clone());
        let weight_of =
            |share: &Fraction| share.numer().magnitude() * (&total / share.denom().magnitude());
        let (low, high) = (weight_of(&ending.low), weight_of(&ending.high));
        let tail = Mass::at_or_above(Integer::from(sums.len()), &low - listed.mass());
        let masses = vec![tail, Mass::anywhere(&high - &low)];
        let never = &total - high;
        let moments = (ending.low == ending.high).then(|| self.moments(&ending.low));
        Ok(Law::new(listed, masses, never, moments).reduced(budget)?)
    }

    /// The moments of the total, from the process given that it ends. For its total S with the mean m, and with `w =
    /// v + g·m`: `m = E[v] / (1 - E[g])` and `Var[S] = Var[w] / (1 - E[g])`.
    fn moments(&self, ends: &Fraction) -> Moments {
        let total = Fraction::from_integer(self.total.clone().into());
        let (drawn_mean, drawn_variance) = match &self.drawn {
            Some(drawn) => (drawn.mean.clone(), drawn.variance.clone()),
            None => (Fraction::zero(), Fraction::zero()),
        };
        let mut drawn_squares = Fraction::zero();
        let faces: Vec<(Fraction, Fraction, Fraction)> = self
            .faces
            .iter()
            .map(|face| {
                let weight = Fraction::from_integer(face.weight.clone().into());
                let share =
                    num_traits::Pow::pow(ends.clone(), face.offspring) * weight / (&total * ends);
                let draws = Fraction::from_integer(face.draws.into());
                let adds = Fraction::from_integer(face.adds.into()) + &drawn_mean * &draws;
                drawn_squares += &share * draws * &drawn_variance;
                (share, adds, Fraction::from_integer(face.offspring.into()))
            })
            .collect();
        let mean_offspring: Fraction = faces
            .iter()
            .map(|(share, _, offspring)| share * offspring)
            .sum();
        let left = Fraction::one() - mean_offspring;
        if left.is_zero() {
            return Moments {
                ends: ends.clone(),
                first: None,
                second: None,
            };
        }
        let added: Fraction = faces.iter().map(|(share, adds, _)| share * adds).sum();
        let mean = added / &left;
        let squares: Fraction = faces
            .iter()
            .map(|(share, adds, offspring)| {
                let whole = adds + offspring * &mean;
                share * &whole * &whole
            })
            .sum::<Fraction>()
            + drawn_squares;
        let variance = (squares - &mean * &mean) / left;
        Moments {
            ends: ends.clone(),
            second: Some((variance + &mean * &mean) * ends),
            first: Some(mean * ends),
        }
    }

    /// The probability that the process of one die ends.
    fn ending(&self) -> Ending {
        let one = Fraction::one();
        let weighted_offspring: Weight = self
            .faces
            .iter()
            .map(|face| &face.weight * face.offspring)
            .sum();
        if weighted_offspring <= self.total {
            return Ending {
                low: one.clone(),
                high: one,
            };
        }
        // Below the least fixed point the image of a number is greater than the number. Between that point and 1 it
        // is less.
        let (mut low, mut high) = (Fraction::zero(), one.clone());
        let half = Fraction::new(1.into(), 2.into());
        for _ in 0..BITS {
            let middle = (&low + &high) * &half;
            let image = self.image(&middle);
            if image == middle {
                return Ending {
                    low: middle.clone(),
                    high: middle,
                };
            }
            if image > middle {
                low = middle;
            } else {
                high = middle;
            }
            if let Some(simple) = simplest(&low, &high, &self.total)
                // 1 is always a fixed point, and never the least one of a process that may go on for ever.
                && simple != one
                && self.image(&simple) == simple
            {
                return Ending {
                    low: simple.clone(),
                    high: simple,
                };
            }
        }
        Ending { low, high }
    }

    /// `Σ_f p_f·q^(g_f)`
    fn image(&self, q: &Fraction) -> Fraction {
        let sum: Fraction = self
            .faces
            .iter()
            .map(|face| {
                num_traits::Pow::pow(q.clone(), face.offspring)
                    * Fraction::from_integer(face.weight.clone().into())
            })
            .sum();
        sum / Fraction::from_integer(self.total.clone().into())
    }
}

/// The fraction of least denominator between two numbers, if that denominator is at most `largest`. A rational root
/// of a polynomial with integer coefficients has a denominator that divides the first coefficient.
fn simplest(low: &Fraction, high: &Fraction, largest: &Weight) -> Option<Fraction> {
    // Down the Stern-Brocot tree, many steps to one side at once.
    let floor = low.floor();
    let next = &floor + Fraction::one();
    let found = if low.is_integer() {
        floor
    } else if next <= *high {
        next
    } else {
        let inner = simplest(&(high - &floor).recip(), &(low - &floor).recip(), largest)?;
        floor + inner.recip()
    };
    (found.denom().magnitude() <= largest).then_some(found)
}
