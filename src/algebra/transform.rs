//! Functions of one value: plus or times a constant, any function, and conditions.

use num_integer::Integer as _;

use super::numbers::Support;
use super::progression::{last, pick};
use super::{Numbers, Stop, Weight, Weights, limbs};
use crate::limits::{Budget, Reserved};
use crate::number::{Integer, Overflow};

impl Numbers {
    /// The value plus a constant.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if an outcome would be too long.
    pub fn shifted(&self, by: &Integer) -> Result<Self, Overflow> {
        let support = match &self.support {
            Support::Progression { first, step } => {
                let first = first.add(by)?;
                last(&first, step, self.weights.len())?;
                Support::Progression {
                    first,
                    step: step.clone(),
                }
            }
            Support::Points(points) => Support::Points(
                points
                    .iter()
                    .map(|point| point.add(by))
                    .collect::<Result<_, _>>()?,
            ),
        };
        Ok(Self {
            support,
            weights: self.weights.clone(),
            total: self.total.clone(),
        })
    }

    /// The value times a constant.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if an outcome would be too long.
    pub fn scaled(&self, by: &Integer) -> Result<Self, Overflow> {
        if self.is_empty() {
            return Ok(self.clone());
        }
        if by.is_zero() {
            return Ok(Self::from_lattice(
                &Integer::ZERO,
                &Integer::ONE,
                std::iter::once(self.mass()).collect(),
                self.total.clone(),
            ));
        }
        let mut weights = self.weights.clone();
        if by.is_negative() {
            weights.reverse();
        }
        let support = match &self.support {
            Support::Progression { first, step } => {
                let ends = [
                    first.mul(by)?,
                    last(first, step, self.weights.len())?.mul(by)?,
                ];
                let step = if self.weights.len() == 1 {
                    Integer::ONE
                } else if by.is_negative() {
                    step.mul(by)?.neg()?
                } else {
                    step.mul(by)?
                };
                let [first, last] = ends;
                Support::Progression {
                    first: first.min(last),
                    step,
                }
            }
            Support::Points(points) => {
                let mut points = points
                    .iter()
                    .map(|point| point.mul(by))
                    .collect::<Result<Vec<_>, _>>()?;
                if by.is_negative() {
                    points.reverse();
                }
                Support::Points(points)
            }
        };
        Ok(Self {
            support,
            weights,
            total: self.total.clone(),
        })
    }

    /// The opposite of the value.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "never: integers are symmetric")]
    pub fn negated(&self) -> Self {
        self.scaled(&Integer::from(-1))
            .expect("the range of integers is symmetric")
    }

    /// The distribution of a function of the value. The mass of outcomes for which the function gives `None` lies
    /// elsewhere afterwards.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`], and the function's own.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::algebra::Numbers;
    /// use dicedist::limits::{Budget, Limits, Unobserved};
    ///
    /// let limits = Limits::default();
    /// let budget = Budget::start(&limits, &Unobserved);
    /// let parity = Numbers::die(5).map(|face| Ok(face.rem(&2.into())), &budget)?;
    /// assert_eq!(parity.weight_of(&1.into()), 3_u32.into());
    /// # Ok::<(), dicedist::algebra::Stop>(())
    /// ```
    pub fn map(
        &self,
        mut function: impl FnMut(&Integer) -> Result<Option<Integer>, Stop>,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        let _reserved = Reserved::new(budget, self.bytes().saturating_mul(3))?;
        let mut short: Vec<(i64, usize)> = Vec::with_capacity(self.weights.len());
        let mut long: Vec<(Integer, usize)> = Vec::new();
        for index in 0..self.weights.len() {
            budget.check()?;
            if !self.weights.is_zero_at(index)
                && let Some(image) = function(&self.outcome_at(index))?
            {
                match image.to_i64() {
                    Some(image) => short.push((image, index)),
                    None => long.push((image, index)),
                }
            }
        }
        short.sort_unstable();
        long.sort_unstable();
        let length = short.len() + long.len();
        // An image that fits no machine word is below or above all that do.
        let above = long.split_off(long.partition_point(|(image, _)| image.is_negative()));
        let short = short.into_iter();
        let short = short.map(|(image, index)| (Integer::from(image), index));
        let mut points: Vec<Integer> = Vec::with_capacity(length);
        let mut weights = Weights::zeros(length, self.total.bits());
        for (image, index) in long.into_iter().chain(short).chain(above) {
            if points.last() != Some(&image) {
                points.push(image);
            }
            let over = limbs::add(
                weights.at_mut(points.len() - 1),
                limbs::trimmed(self.weights.at(index)),
            );
            debug_assert_eq!(over, 0, "weights within the total");
        }
        let weights = weights.slice(0..points.len());
        Ok(Self::from_points(points, weights, self.total.clone()))
    }

    /// The measure on the outcomes that satisfy a condition, over the same total: the mass of the others lies
    /// elsewhere.
    #[must_use]
    pub fn filtered(&self, mut condition: impl FnMut(&Integer) -> bool) -> Self {
        let kept: Vec<usize> = (0..self.weights.len())
            .filter(|&index| !self.weights.is_zero_at(index) && condition(&self.outcome_at(index)))
            .collect();
        let points = kept.iter().map(|&index| self.outcome_at(index)).collect();
        Self::from_points(
            points,
            pick(&self.weights, kept.into_iter()),
            self.total.clone(),
        )
    }

    /// The measure conditioned on having an outcome at all: the mass becomes the total.
    ///
    /// After [`Numbers::filtered`], this is the distribution conditioned on the filter. `None` if no outcome is
    /// possible.
    #[must_use]
    pub fn conditioned(mut self) -> Option<Self> {
        self.total = self.mass();
        (!self.is_empty()).then_some(self)
    }

    /// The same probabilities over a multiple of the total.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    ///
    /// # Panics
    ///
    /// If the new total is no multiple of the total.
    pub fn over(&self, total: &Weight, budget: &Budget<'_>) -> Result<Self, Stop> {
        if *total == self.total {
            return Ok(self.clone());
        }
        let (factor, rest) = total.div_rem(&self.total);
        assert_eq!(rest, Weight::ZERO, "a multiple of the total");
        self.weighted(&factor, total.clone(), budget)
    }

    /// All weights times a factor, over another total.
    pub(super) fn weighted(
        &self,
        factor: &Weight,
        total: Weight,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        let length = self.weights.len();
        let _reserved = Reserved::new(budget, Weights::bytes_for(length as u64, total.bits()))?;
        let mut weights = Weights::zeros(length, total.bits());
        weights.add_product(&self.weights, factor, 0);
        Ok(Self {
            support: self.support.clone(),
            weights,
            total,
        })
    }
}
