//! The distribution of one part of a record, and how two parts go together.

use num_traits::Zero as _;

use super::answer::{Answer, Method};
use super::outcomes::{MemberRef, Outcomes};
use crate::algebra::{Distribution, Law, Weight};
use crate::ir::{Labels, Member, Shape};
use crate::map::ValueMap;
use crate::number::{Fraction, Integer};

impl Answer {
    /// The names of the parts, if the value is always one record.
    pub fn part_names(&self) -> impl Iterator<Item = &str> {
        let parts = self.shape.parts().filter(|_| self.shape.is_single());
        parts
            .into_iter()
            .flat_map(|parts| parts.iter())
            .map(|part| &*part.name)
    }

    /// The distribution of one part of a record: numbers, if the part has no labels. Where some records are not resolved, more may be
    /// known of a part alone: its tail, and its mean. `None` unless the value is always one record
    /// with such a part, and the answer is exact.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::{Dist, Rule};
    ///
    /// let answer = Rule::bones("let x=2#d6 in {best: max(x), total: sum x}")?.solver().answer()?;
    /// let best: Dist = answer.part("best").unwrap().try_into()?;
    /// assert_eq!(best.probability_of(6).to_string(), "11/36");
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn part(&self, name: &str) -> Option<Self> {
        let place = self.part_names().position(|part| part == name)?;
        if matches!(self.method, Method::Sampled(_)) {
            return None;
        }
        if let Some(Some(margin)) = self.margins.get(place) {
            return Some(margin.clone());
        }
        let mut weights: ValueMap<Member, Weight> = ValueMap::default();
        for (value, weight) in self.outcomes().iter() {
            let member = match value.members().nth(place)? {
                MemberRef::Label(label) => Member::Label(label.clone()),
                MemberRef::Number(number) => Member::Number(number.clone()),
            };
            *weights.entry(member).or_default() += weight;
        }
        let has_labels = weights.keys().any(|member| member.number().is_none());
        let total = self.total().clone();
        let outcomes = if has_labels {
            let members = weights.into_iter();
            let members = members.map(|(member, weight)| (vec![member], weight));
            Outcomes::Members(Distribution::new(members, total))
        } else {
            let numbers = weights
                .into_iter()
                .filter_map(|(member, weight)| Some((member.number()?.clone(), weight)));
            Outcomes::Numbers(Distribution::new(numbers, total))
        };
        let shape = if has_labels {
            Shape::Labels {
                labels: Labels::default(),
                is_single: true,
            }
        } else {
            Shape::Numbers
        };
        let law = Law::else_unresolved(outcomes, self.never_ends());
        Some(Self {
            shape,
            route: self.route,
            may_fail: self.may_fail.clone(),
            plays_within: self.plays_within,
            given: self.given.clone(),
            ..Self::new(law, self.states)
        })
    }

    /// The square of the correlation of two parts of a record, with the sign of the correlation. `None` unless both are numbers
    /// that vary, and all of the distribution is listed.
    #[must_use]
    pub fn signed_square_of_correlation(&self, one: &str, other: &str) -> Option<Fraction> {
        let place = |name: &str| self.part_names().position(|part| part == name);
        let places = [place(one)?, place(other)?];
        if !self.is_complete() || matches!(self.method, Method::Sampled(_)) {
            return None;
        }
        // The expectations of x, y, xx, yy and xy, times the total.
        let mut sums: [num_bigint::BigInt; 5] = Default::default();
        for (value, weight) in self.outcomes().iter() {
            let number = |place: usize| match value.members().nth(place)? {
                MemberRef::Label(_) => None,
                MemberRef::Number(number) => Some(Integer::to_big(number)),
            };
            let [x, y] = [number(places[0])?, number(places[1])?];
            let weight = num_bigint::BigInt::from(weight.clone());
            sums[2] += &x * &x * &weight;
            sums[3] += &y * &y * &weight;
            sums[4] += &x * &y * &weight;
            sums[0] += x * &weight;
            sums[1] += y * &weight;
        }
        let total = num_bigint::BigInt::from(self.total().clone());
        let [x, y, xx, yy, xy] = sums;
        let covariance = &xy * &total - &x * &y;
        let variances = (&xx * &total - &x * &x) * (&yy * &total - &y * &y);
        if variances.is_zero() {
            return None;
        }
        let size = if covariance < num_bigint::BigInt::zero() {
            -(&covariance * &covariance)
        } else {
            &covariance * &covariance
        };
        Some(Fraction::new(size, variances))
    }
}
