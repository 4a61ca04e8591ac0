//! Independent numbers combined: their sums, and any function of two of them.
//!
//! The listed part of the result combines the listed parts. All other weight is found from pairs of a piece of one law
//! and a piece of the other. The pieces of a law are its masses, and its listed part as a whole, from its least outcome
//! to its greatest. The ends of two pieces say where the weight of their pair lies.

use std::rc::Rc;

use super::Law;
use super::known::Known;
use super::parts::Mass;
use crate::algebra::{Numbers, Stop, Weight};
use crate::limits::Budget;
use crate::number::{Integer, Overflow};

/// The ends between which a combined pair of masses lies.
type PairEnds = (Option<Integer>, Option<Integer>);

/// A mass, and whether its outcomes are listed.
struct Piece {
    mass: Mass,
    is_listed: bool,
}

impl Law {
    /// The law of `X + by`.
    ///
    /// # Errors
    ///
    /// [`Stop::Overflow`] and [`Stop::Limit`].
    pub fn shifted(&self, by: &Integer, budget: &Budget<'_>) -> Result<Self, Stop> {
        budget.has_room_for(self.listed.weights().bytes())?;
        let masses = self.masses();
        let masses = masses
            .iter()
            .map(|mass| mass.with_ends(|end| Ok(end.add(by)?)));
        let known = self.known_of_incomplete();
        let law = Self::with_known(
            self.listed.shifted(by)?,
            masses.collect::<Result<_, _>>()?,
            self.never_ends(),
            known.map(|known| known.shifted(by)),
        );
        let source = self.unlisted.as_ref().and_then(|own| own.source.as_ref());
        Ok(law.coming_from(source.and_then(|source| source.shifted(by))))
    }

    /// The law of `X · by`.
    ///
    /// # Errors
    ///
    /// [`Stop::Overflow`] and [`Stop::Limit`].
    pub fn scaled(&self, by: &Integer, budget: &Budget<'_>) -> Result<Self, Stop> {
        budget.has_room_for(self.listed.weights().bytes().saturating_mul(2))?;
        let scaled = |mass: &Mass| {
            let scaled = mass.with_ends(|end| Ok(end.mul(by)?))?;
            Ok(if by.is_negative() {
                scaled.with_ends_exchanged()
            } else {
                scaled
            })
        };
        if *by == Integer::ZERO {
            return Ok(self.zero_if_it_ends());
        }
        let masses = self.masses();
        let masses = masses.iter().map(scaled).collect::<Result<_, Stop>>()?;
        let known = self.known_of_incomplete();
        let known = known.map(|known| known.scaled(by));
        let listed = self.listed.scaled(by)?;
        let law = Self::with_known(listed, masses, self.never_ends(), known);
        let source = self.unlisted.as_ref().and_then(|own| own.source.as_ref());
        Ok(law.coming_from(source.and_then(|source| source.line(by, &Integer::ZERO))))
    }

    /// The law of `X · 0`. Unresolved weight stays unresolved: it may never end.
    fn zero_if_it_ends(&self) -> Self {
        let unresolved = self.unresolved();
        let open = &unresolved + self.never_ends();
        let listed = Numbers::new([(Integer::ZERO, self.total() - open)], self.total().clone());
        let masses = vec![Mass::anywhere(unresolved)];
        Self::new(listed, masses, self.never_ends(), None)
    }

    /// What is known of the moments of a law that is not complete.
    fn known_of_incomplete(&self) -> Option<Known> {
        self.unlisted.as_ref()?.known()
    }

    /// The sum of independent numbers.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`], [`Stop::Overflow`].
    pub fn sum(parts: &[Rc<Self>], budget: &Budget<'_>) -> Result<Self, Stop> {
        let Some((first, others)) = parts
            .split_first()
            .filter(|_| parts.iter().any(|part| part.unlisted.is_some()))
        else {
            let listed = Numbers::sum(parts.iter().map(|part| &part.listed), budget)?;
            return Ok(listed.into());
        };
        let mut sum = (**first).clone();
        for part in others {
            sum = sum.add(part, budget)?;
        }
        Ok(sum)
    }

    /// The law of `X + Y` for independent numbers.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`], [`Stop::Overflow`].
    pub fn add(&self, other: &Self, budget: &Budget<'_>) -> Result<Self, Stop> {
        if self.unlisted.is_none() && other.unlisted.is_none() {
            return Ok(self.listed.add(&other.listed, budget)?.into());
        }
        let end = |a: &Option<Integer>, b: &Option<Integer>| match (a, b) {
            (Some(a), Some(b)) => a.add(b).map(Some),
            _ => Ok(None),
        };
        let known = self.known().zip(other.known());
        let known = known.and_then(|(a, b)| a.plus(&b));
        let sources = self.source().zip(other.source());
        let source = sources.and_then(|(a, b)| a.plus(&b));
        let opposed = self.has_tail_opposite_to(other) || other.has_tail_opposite_to(self);
        let sum = |a: Option<&Integer>, b: Option<&Integer>| a?.add(b?).ok()?.to_i64();
        if let Some(source) = source.as_ref().filter(|_| opposed)
            && let Some(low) = sum(self.listed.min(), other.listed.min())
            && let Some(high) = sum(self.listed.max().as_ref(), other.listed.max().as_ref())
            && let Some(law) = Self::two_sided(source, low..=high, known.clone(), budget)?
        {
            return Ok(law.coming_from(Some(source.clone())));
        }
        let listed = self.listed.add(&other.listed, budget)?;
        let masses = self.pairs(other, |a, b| {
            Ok::<_, Stop>((end(&a.low, &b.low)?, end(&a.high, &b.high)?))
        })?;
        let never_ends = self.either_never_ends(other);
        let law = Self::with_known(listed, masses, never_ends, known);
        Ok(law.coming_from(source))
    }

    /// The sum of a listed part and an independent number, over the product of the totals.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`], [`Stop::Overflow`].
    pub fn from_part(part: Numbers, law: &Self, budget: &Budget<'_>) -> Result<Self, Stop> {
        let is_zero = law.listed.only().is_some_and(Integer::is_zero);
        if law.unlisted.is_none() && is_zero && *law.total() == Weight::from(1_u32) {
            return Ok(part.into());
        }
        Self::from(part).add(law, budget)
    }

    /// The law of a function of two independent numbers. `value` gives its values, and `ends`, for two masses, the ends
    /// between which they lie. The moments are known only if all is listed.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`], [`Stop::Overflow`], and those of the function of ends.
    pub fn combined<E: From<Stop>>(
        &self,
        other: &Self,
        value: impl Fn(&Integer, &Integer) -> Result<Integer, Overflow>,
        ends: impl Fn(&Mass, &Mass) -> Result<PairEnds, E>,
        budget: &Budget<'_>,
    ) -> Result<Self, E> {
        let value = |a: &Integer, b: &Integer| Ok(Some(value(a, b)?));
        let listed = self.listed.combined(&other.listed, value, budget)?;
        if self.unlisted.is_none() && other.unlisted.is_none() {
            return Ok(listed.into());
        }
        let masses = self.pairs(other, ends)?;
        Ok(Self::new(
            listed,
            masses,
            self.either_never_ends(other),
            None,
        ))
    }

    /// The masses of all pairs of a piece of this law and a piece of the other, without the pairs in which both are
    /// listed.
    fn pairs<E>(
        &self,
        other: &Self,
        ends: impl Fn(&Mass, &Mass) -> Result<PairEnds, E>,
    ) -> Result<Vec<Mass>, E> {
        let opposed = self.has_tail_opposite_to(other) || other.has_tail_opposite_to(self);
        let (ours, theirs) = (self.pieces(opposed), other.pieces(opposed));
        let mut pairs = Vec::new();
        for a in &ours {
            for b in &theirs {
                if !a.is_listed || !b.is_listed {
                    let (low, high) = ends(&a.mass, &b.mass)?;
                    let weight = &a.mass.weight * &b.mass.weight;
                    pairs.push(Mass { low, high, weight });
                }
            }
        }
        Ok(pairs)
    }

    /// Whether this law has a tail above, and the other law a tail below.
    fn has_tail_opposite_to(&self, other: &Self) -> bool {
        let (Some(own), Some(other)) = (&self.unlisted, &other.unlisted) else {
            return false;
        };
        own.above.is_some() && other.below.is_some()
    }

    /// All weight that ends or may end, as pieces.
    ///
    /// If two laws have opposite tails, a tail of one begins among the outcomes of the result as soon as the other law is
    /// long, and would take them over. So tails that are `opposed` are masses anywhere, which leave all outcomes listed.
    fn pieces(&self, opposed: bool) -> Vec<Piece> {
        let masses = self.masses().into_iter().map(|mass| Piece {
            mass: if opposed {
                Mass::anywhere(mass.weight)
            } else {
                mass
            },
            is_listed: false,
        });
        let ends = self.listed.min().cloned().zip(self.listed.max());
        let listed = ends.map(|(low, high)| Piece {
            mass: Mass {
                low: Some(low),
                high: Some(high),
                weight: self.listed.mass(),
            },
            is_listed: true,
        });
        masses.chain(listed).collect()
    }

    /// The weight with which this law or an independent one never ends, over the product of the totals. It is found
    /// from the weights that are there, since a part of a sum of measures has less weight than its total.
    fn either_never_ends(&self, other: &Self) -> Weight {
        let (a, b) = (self.never_ends(), other.never_ends());
        if a == Weight::ZERO && b == Weight::ZERO {
            return Weight::ZERO;
        }
        let (ours, theirs) = (self.ending(), other.ending());
        (&ours + a) * (&theirs + b) - ours * theirs
    }

    /// The weight that ends or may end.
    fn ending(&self) -> Weight {
        let masses = self.masses().into_iter().map(|mass| mass.weight);
        self.listed.mass() + masses.sum::<Weight>()
    }
}
