//! The remainders of the outcomes of a law, from its source.

use super::Law;
use super::listing::Mixing;
use super::source::Source;
use crate::algebra::Stop;
use crate::limits::Budget;
use crate::number::Integer;

/// The largest modulus for which remainders are found.
const MOST_RESIDUES: u64 = 1_000;

impl<L: Mixing> Law<L> {
    /// Where the outcomes come from, if that is known, or if all are listed and they are few.
    pub(super) fn source(&self) -> Option<Source> {
        match &self.unlisted {
            Some(unlisted) => unlisted.source.clone(),
            None => self.listed.source(),
        }
    }

    /// The same law with this source, unless it lists all.
    #[must_use]
    pub(crate) fn coming_from(mut self, source: Option<Source>) -> Self {
        if let Some(unlisted) = &mut self.unlisted {
            unlisted.source = source;
        }
        self
    }
}

impl Law {
    /// The law of the outcome modulo a positive number, if the source of a law that is not complete is known.
    ///
    /// # Errors
    ///
    /// [`Stop::Limit`], [`Stop::Overflow`].
    pub(crate) fn residues(
        &self,
        modulus: &Integer,
        budget: &Budget<'_>,
    ) -> Result<Option<Self>, Stop> {
        let source = self.unlisted.as_ref().and_then(|own| own.source.as_ref());
        let modulus = modulus
            .to_i64()
            .and_then(|modulus| u64::try_from(modulus).ok());
        let (Some(source), Some(modulus @ 1..=MOST_RESIDUES)) = (source, modulus) else {
            return Ok(None);
        };
        let residues = source.residues(modulus, budget)?;
        Ok(residues.map(|residues| Self::from(residues).missing_never_ends()))
    }
}
