//! Comparisons of a law with a number: 1 where the comparison holds, else 0. The result is complete if the bounds of
//! the tails decide the comparison.

use super::Law;
use super::parts::Mass;
use crate::algebra::Stop;
use crate::limits::Budget;
use crate::number::Integer;

impl Law {
    /// The law of 1 where the outcome is at least a threshold, else 0.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    pub fn at_least(&self, threshold: &Integer, budget: &Budget<'_>) -> Result<Self, Stop> {
        self.indicator(
            |outcome| outcome >= threshold,
            |mass| {
                if mass.low.as_ref().is_some_and(|low| low >= threshold) {
                    Some(true)
                } else {
                    let below = mass.high.as_ref().is_some_and(|high| high < threshold);
                    below.then_some(false)
                }
            },
            budget,
        )
    }

    /// The law of 1 where the outcome equals `number`, else 0.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`].
    pub fn equals(&self, number: &Integer, budget: &Budget<'_>) -> Result<Self, Stop> {
        self.indicator(
            |outcome| outcome == number,
            |mass| {
                let beyond = mass.low.as_ref().is_some_and(|low| low > number)
                    || mass.high.as_ref().is_some_and(|high| high < number);
                beyond.then_some(false)
            },
            budget,
        )
    }

    /// The law of 1 where a condition holds, else 0. For a mass, `decided` says whether the condition holds for all of
    /// its outcomes or for none; otherwise `None`.
    fn indicator(
        &self,
        mut holds: impl FnMut(&Integer) -> bool,
        decided: impl Fn(&Mass) -> Option<bool>,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        let one_if = |holds: bool| Integer::from(i32::from(holds));
        let listed = self
            .listed
            .map(|outcome| Ok(Some(one_if(holds(outcome)))), budget)?;
        let masses = self.masses().into_iter().map(|mass| {
            let holds = decided(&mass);
            Mass {
                low: Some(one_if(holds.unwrap_or(false))),
                high: Some(one_if(holds.unwrap_or(true))),
                weight: mass.weight,
            }
        });
        Self::collected(listed, masses.collect(), self.never_ends(), budget)
    }
}
