//! Denominators as products of a few atoms.
//!
//! An *atom* is a prime below [`SMALL`], or what is left of a number without these. A denominator is the exponents of all atoms, and equal
//! ones are one: so numbers over the same denominator are added without a look at it, and a quotient of two is found once.

use std::rc::Rc;

use num_traits::{One, Zero};

use super::Weight;
use crate::map::{Map, ValueMap};

/// Primes below this are divided out of a denominator one by one.
const SMALL: u32 = 100;

/// The most atoms of all denominators. With more of them, the elimination of states is faster.
const MOST_ATOMS: usize = 256;

/// A denominator of [`Denominators`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct DenominatorId(u32);

impl DenominatorId {
    pub(super) const ONE: Self = Self(0);
}

/// The exponents of atoms. After the last of them all are 0.
type Exponents = Rc<[u32]>;

/// Denominators as exponents of atoms. Equal ones are one.
pub(super) struct Denominators {
    atoms: Vec<Weight>,
    all: Vec<Exponents>,
    index: ValueMap<Exponents, DenominatorId>,
    products: Map<(DenominatorId, DenominatorId), DenominatorId>,
    commons: Map<(DenominatorId, DenominatorId), DenominatorId>,
    quotients: Map<(DenominatorId, DenominatorId), Weight>,
    of_numbers: ValueMap<Weight, DenominatorId>,
}

impl Denominators {
    pub(super) fn new() -> Self {
        let mut new = Self {
            atoms: Vec::new(),
            all: Vec::new(),
            index: ValueMap::default(),
            products: Map::default(),
            commons: Map::default(),
            quotients: Map::default(),
            of_numbers: ValueMap::default(),
        };
        new.id([].into());
        new
    }

    fn id(&mut self, exponents: Exponents) -> DenominatorId {
        let all = &mut self.all;
        let id = self.index.entry(Rc::clone(&exponents)).or_insert_with(|| {
            all.push(exponents);
            DenominatorId(u32::try_from(all.len() - 1).expect("fewer than 2^32 denominators"))
        });
        *id
    }

    fn exponents(&self, id: DenominatorId) -> &Exponents {
        &self.all[id.0 as usize]
    }

    /// The exponents of all atoms in two denominators, side by side.
    fn pairs(&self, a: DenominatorId, b: DenominatorId) -> impl Iterator<Item = (u32, u32)> {
        let (a, b) = (self.exponents(a), self.exponents(b));
        let at = |exponents: &[u32], place: usize| exponents.get(place).copied().unwrap_or(0);
        (0..a.len().max(b.len())).map(move |place| (at(a, place), at(b, place)))
    }

    /// The denominator that is a number, unless it brings too many atoms.
    pub(super) fn of(&mut self, number: &Weight) -> Option<DenominatorId> {
        if let Some(&known) = self.of_numbers.get(number) {
            return Some(known);
        }
        let mut atoms = Vec::new();
        let mut rest = number.clone();
        let mut prime = 2_u32;
        while prime < SMALL && !rest.is_one() {
            // A composite number divides nothing any more.
            while (&rest % prime).is_zero() {
                rest /= prime;
                atoms.push(self.atom(&Weight::from(prime))?);
            }
            prime += 1;
        }
        if !rest.is_one() {
            atoms.push(self.atom(&rest)?);
        }
        let mut exponents = vec![0; atoms.iter().max().map_or(0, |last| last + 1)];
        for atom in atoms {
            exponents[atom] += 1;
        }
        let id = self.id(exponents.into());
        self.of_numbers.insert(number.clone(), id);
        Some(id)
    }

    fn atom(&mut self, atom: &Weight) -> Option<usize> {
        if let Some(place) = self.atoms.iter().position(|known| known == atom) {
            return Some(place);
        }
        if self.atoms.len() == MOST_ATOMS {
            return None;
        }
        self.atoms.push(atom.clone());
        Some(self.atoms.len() - 1)
    }

    pub(super) fn product(&mut self, a: DenominatorId, b: DenominatorId) -> DenominatorId {
        if let Some(&known) = self.products.get(&(a, b)) {
            return known;
        }
        let exponents = self.pairs(a, b).map(|(a, b)| a + b).collect();
        let product = self.id(exponents);
        self.products.insert((a, b), product);
        product
    }

    /// The least common multiple.
    pub(super) fn common(&mut self, a: DenominatorId, b: DenominatorId) -> DenominatorId {
        if a == b {
            return a;
        }
        if let Some(&known) = self.commons.get(&(a, b)) {
            return known;
        }
        let exponents = self.pairs(a, b).map(|(a, b)| a.max(b)).collect();
        let common = self.id(exponents);
        self.commons.insert((a, b), common);
        common
    }

    /// A denominator and a factor, without the atoms that they share.
    pub(super) fn reduced(&mut self, of: DenominatorId, factor: Weight) -> (DenominatorId, Weight) {
        let Some(factors) = self.of(&factor) else {
            return (of, factor);
        };
        let shared = self.power(self.pairs(of, factors).map(|(a, b)| a.min(b)));
        let rest: Vec<u32> = self.pairs(of, factors).map(|(a, b)| a - a.min(b)).collect();
        let length = rest.iter().rposition(|exponent| *exponent > 0);
        let rest = &rest[..length.map_or(0, |last| last + 1)];
        (self.id(rest.into()), factor / shared)
    }

    fn power(&self, exponents: impl Iterator<Item = u32>) -> Weight {
        let powers = self.atoms.iter().zip(exponents);
        powers.fold(Weight::one(), |product, (atom, exponent)| match exponent {
            0 => product,
            _ => product * atom.pow(exponent),
        })
    }

    pub(super) fn value(&self, id: DenominatorId) -> Weight {
        self.power(self.exponents(id).iter().copied())
    }

    /// A denominator divided by one that divides it.
    pub(super) fn quotient(&mut self, multiple: DenominatorId, of: DenominatorId) -> &Weight {
        let key = (multiple, of);
        if !self.quotients.contains_key(&key) {
            let quotient = self.power(self.pairs(multiple, of).map(|(a, b)| a - b));
            self.quotients.insert(key, quotient);
        }
        &self.quotients[&key]
    }
}
