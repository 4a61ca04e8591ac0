//! Products of two positive values, in ascending order.
//!
//! The products of a value of many outcomes lie far apart, so a table of them is read at another place for each pair. Here
//! the pairs are taken by windows of ascending products. A window is a table if its products are near each other, and else a list,
//! short enough to be sorted while it is at hand.

use super::{Numbers, Stop, Weights};
use crate::limits::{Budget, Reserved};
use crate::number::Integer;

/// About as many pairs make a window.
const WINDOW: usize = 1 << 13;

/// A window whose products lie in a range of no more than this has a table.
const WIDEST: u64 = 1 << 20;

/// An outcome and its weight.
type Weighted = (u64, u64);

/// The distribution of the product of two independent values. `None` if an outcome is not positive, or if a product or
/// a weight is longer than an `i64`.
///
/// Takes time in proportion to the number of pairs, times the logarithm of [`WINDOW`].
pub(super) fn product(
    a: &Numbers,
    b: &Numbers,
    budget: &Budget<'_>,
) -> Result<Option<Numbers>, Stop> {
    let total = &a.total * &b.total;
    if total.bits() > 63 {
        return Ok(None);
    }
    // Each value once more as pairs, and how much of the longer one each member of the shorter one has taken.
    let each = (size_of::<Weighted>() + size_of::<usize>()) as u64;
    let _values = Reserved::new(budget, (a.len() + b.len()) as u64 * each)?;
    let most = i64::MAX.unsigned_abs();
    let (Some(a), Some(b)) = (positive(a), positive(b)) else {
        return Ok(None);
    };
    let (Some(&(last, _)), Some(&(other, _))) = (a.last(), b.last()) else {
        return Ok(None);
    };
    if last.checked_mul(other).is_none_or(|product| product > most) {
        return Ok(None);
    }
    let widest = last * other;
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let stride = (WINDOW / short.len()).max(1);
    let _window = Reserved::new(
        budget,
        Table::size(widest) + (stride * short.len() * 3 * size_of::<Weighted>()) as u64,
    )?;
    let mut sums = Reserved::none(budget);
    let (mut outcomes, mut weights) = (Vec::new(), Vec::new());
    let mut keep = |product, weight| {
        let outcome = i64::try_from(product).expect("no product is above the last one");
        outcomes.push(Integer::from(outcome));
        weights.push(weight);
        outcomes.len()
    };
    let mut pairs = Pairs::of(&long, &short);
    let mut table = Table::of(widest);
    let mut window: Vec<Weighted> = Vec::new();
    let mut buckets = Buckets::default();
    while let Some(start) = pairs.least(0) {
        // No member takes part in more than a stride of pairs below this product.
        let end = pairs.least(stride).unwrap_or(widest + 1);
        let mut kept = 0;
        let taken = if end - start <= WIDEST {
            let taken = pairs.take(end, |product, weight| table.add(product - start, weight));
            table.take(end - start, |offset, weight| {
                kept = keep(start + offset, weight);
            });
            taken
        } else {
            window.clear();
            let taken = pairs.take(end, |product, weight| window.push((product, weight)));
            buckets.sort(&mut window);
            for group in window.chunk_by(|(a, _), (b, _)| a == b) {
                kept = keep(group[0].0, group.iter().map(|(_, weight)| weight).sum());
            }
            taken
        };
        budget.work(16 * taken as u64)?;
        // Each sum with its outcome, and as much again for the empty room of growing lists.
        let each = size_of::<Integer>() + size_of::<u64>();
        sums.grow_to((kept * each * 2) as u64)?;
    }
    let weights = Weights::from_u64s(weights);
    Ok(Some(Numbers::from_points(outcomes, weights, total)))
}

/// The pairs of two values that are not yet multiplied.
struct Pairs<'a> {
    long: &'a [Weighted],
    short: &'a [Weighted],
    /// For each member of the short value how many of the long one have been multiplied by it.
    taken: Vec<usize>,
}

impl<'a> Pairs<'a> {
    fn of(long: &'a [Weighted], short: &'a [Weighted]) -> Self {
        let taken = vec![0; short.len()];
        Self { long, short, taken }
    }

    /// The least of the products that come so many after the next of each member.
    fn least(&self, ahead: usize) -> Option<u64> {
        let members = self.short.iter().zip(&self.taken);
        let products = members.filter_map(|(&(factor, _), &taken)| {
            let (outcome, _) = self.long.get(taken + ahead)?;
            Some(outcome * factor)
        });
        products.min()
    }

    /// Gives each product below `end` with its weight, and returns how many there are.
    fn take(&mut self, end: u64, mut each: impl FnMut(u64, u64)) -> usize {
        let mut count = 0;
        for (&(factor, weight), taken) in self.short.iter().zip(&mut self.taken) {
            let mut own = 0;
            for &(outcome, other) in &self.long[*taken..] {
                let product = outcome * factor;
                if product >= end {
                    break;
                }
                each(product, other * weight);
                own += 1;
            }
            *taken += own;
            count += own;
        }
        count
    }
}

/// The sums of the weights of products that are near each other.
struct Table {
    /// The sum for each offset from the first product.
    sums: Vec<u64>,
    /// A bit for each offset that there is.
    seen: Vec<u64>,
}

impl Table {
    /// A table for windows of products that are no more than this.
    fn of(most: u64) -> Self {
        let range = usize::try_from(Self::range(most)).expect("a short range");
        Self {
            sums: vec![0; range],
            seen: vec![0; range / 64],
        }
    }

    /// The bytes of such a table.
    fn size(most: u64) -> u64 {
        Self::range(most) * 9
    }

    fn range(most: u64) -> u64 {
        WIDEST.min(most.saturating_add(1).next_multiple_of(64))
    }

    #[inline]
    fn add(&mut self, offset: u64, weight: u64) {
        #[allow(clippy::cast_possible_truncation)] // no offset is above WIDEST
        let place = offset as usize;
        self.sums[place] += weight;
        self.seen[place / 64] |= 1 << (place % 64);
    }

    /// Gives each offset below `end` with its sum, in order, and empties the table.
    fn take(&mut self, end: u64, mut each: impl FnMut(u64, u64)) {
        let words = usize::try_from(end.div_ceil(64)).expect("a short range");
        for (index, seen) in self.seen[..words].iter_mut().enumerate() {
            let mut bits = std::mem::take(seen);
            while bits != 0 {
                let place = index * 64 + bits.trailing_zeros() as usize;
                each(place as u64, std::mem::take(&mut self.sums[place]));
                bits &= bits - 1;
            }
        }
    }
}

/// Sorts pairs by their products. Those of a window lie almost evenly, so each goes straight to about its place.
#[derive(Default)]
struct Buckets {
    /// For each bucket where the next pair of it goes.
    places: Vec<usize>,
    sorted: Vec<Weighted>,
}

impl Buckets {
    fn sort(&mut self, pairs: &mut Vec<Weighted>) {
        let products = pairs.iter().map(|&(product, _)| product);
        let (Some(least), Some(most)) = (products.clone().min(), products.max()) else {
            return;
        };
        // Buckets have a power of two as their width, and are no more than the pairs.
        let range = most - least;
        let width = (range / pairs.len() as u64).checked_ilog2();
        let shift = width.map_or(0, |bits| bits + 1);
        let bucket = |offset: u64| usize::try_from(offset >> shift).expect("less than the pairs");
        self.places.clear();
        self.places.resize(bucket(range) + 2, 0);
        for &(product, _) in &*pairs {
            self.places[bucket(product - least) + 1] += 1;
        }
        let mut before = 0;
        for place in &mut self.places {
            before += *place;
            *place = before;
        }
        self.sorted.clear();
        self.sorted.resize(pairs.len(), (0, 0));
        for &(product, weight) in &*pairs {
            let place = &mut self.places[bucket(product - least)];
            self.sorted[*place] = (product, weight);
            *place += 1;
        }
        // By now each place is the end of its bucket.
        let mut start = 0;
        for &end in &self.places {
            self.sorted[start..end].sort_unstable_by_key(|&(product, _)| product);
            start = end;
        }
        std::mem::swap(pairs, &mut self.sorted);
    }
}

/// The outcomes with their weights, if all outcomes are positive and all numbers short.
fn positive(value: &Numbers) -> Option<Vec<Weighted>> {
    let pairs = value.iter().map(|(outcome, weight)| {
        let outcome = outcome.to_i64().filter(|&outcome| outcome > 0)?;
        Some((outcome.unsigned_abs(), u64::try_from(weight).ok()?))
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::algebra::Weight;
    use crate::limits::{Limits, Unobserved};

    fn value() -> impl Strategy<Value = Numbers> {
        let face = prop_oneof![1_i64..200, 1_000_000_i64..1_000_200];
        let weighted = prop::collection::vec((face, 1_u32..9), 1..60);
        weighted.prop_map(|faces| {
            let total: Weight = faces.iter().map(|&(_, weight)| weight).sum::<u32>().into();
            let faces = faces.into_iter();
            Numbers::new(
                faces.map(|(face, weight)| (face.into(), weight.into())),
                total,
            )
        })
    }

    proptest! {
        /// As the sort of the library does, also where nearly all products are in one bucket.
        #[test]
        fn buckets_sort(products in prop::collection::vec(prop_oneof![0..9_u64, 0..900_u64, any::<u64>()], 0..99)) {
            let mut pairs: Vec<Weighted> = products.into_iter().map(|product| (product, product / 3)).collect();
            let mut expected = pairs.clone();
            expected.sort_unstable();
            Buckets::default().sort(&mut pairs);
            prop_assert_eq!(pairs, expected);
        }

        /// All pairs, one by one.
        #[test]
        fn windows_hold_each_pair_once(a in value(), b in value(), c in value()) {
            let limits = Limits::default();
            let budget = Budget::start(&limits, &Unobserved);
            let by_pairs = |a: &Numbers, b: &Numbers| {
                a.combined(b, |x, y| Ok(Some(x.mul(y)?)), &budget).unwrap()
            };
            let two = product(&a, &b, &budget).unwrap().unwrap();
            prop_assert_eq!(&two, &by_pairs(&a, &b));
            let three = product(&c, &two, &budget).unwrap().unwrap();
            prop_assert_eq!(three, by_pairs(&two, &c));
        }
    }
}
