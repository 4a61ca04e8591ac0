//! Products of independent values, by the exponents of their factors.
//!
//! The outcomes `2, 3, 4, 5, 6` are products of powers of 2, 3 and 5, so the product of n of them is known by three
//! sums of exponents: a power of a [`Joint`] distribution. Any pairwise coprime base will do, so no outcome has to be
//! factored into primes. A common divisor of two outcomes splits both (Bach, Driscoll and Shallit, *Factor refinement*,
//! 1993).

use num_integer::Integer as _;

use super::{Joint, Numbers, Stop, Weight, product};
use crate::limits::Budget;
use crate::number::Integer;

/// The most vectors of exponents for which exponents are added. With more, outcomes are multiplied.
const MOST_EXPONENTS: u64 = 1 << 22;

/// The product of n independent values. `None` if an outcome does not fit an `i64`, the base has too many members, or
/// there are too many vectors of exponents.
pub(super) fn product_power(
    value: &Numbers,
    n: u64,
    budget: &Budget<'_>,
) -> Result<Option<Numbers>, Stop> {
    let mut base: Vec<u64> = Vec::new();
    let mut outcomes: Vec<(i64, Weight)> = Vec::new();
    let mut zero_weight = Weight::ZERO;
    for (outcome, weight) in value.iter() {
        budget.check()?;
        match outcome.to_i64() {
            Some(0) => zero_weight = weight,
            Some(small) => {
                refine(&mut base, small.unsigned_abs());
                outcomes.push((small, weight));
            }
            None => return Ok(None),
        }
        if base.len() > 16 {
            return Ok(None);
        }
    }
    base.sort_unstable();
    // The exponents, then 1 for a negative outcome and 0 for a positive one.
    let vectors: Vec<(Vec<i64>, Weight)> = outcomes
        .into_iter()
        .map(|(outcome, weight)| {
            let mut vector = exponents(outcome.unsigned_abs(), &base);
            vector.push(i64::from(outcome < 0));
            (vector, weight)
        })
        .collect();
    let mut size = 1_u64;
    for dimension in 0..=base.len() {
        let most = vectors
            .iter()
            .map(|(vector, _)| vector[dimension])
            .max()
            .unwrap_or(0);
        let length = most.unsigned_abs().saturating_mul(n).saturating_add(1);
        size = size.saturating_mul(length);
    }
    if size > MOST_EXPONENTS {
        return Ok(None);
    }
    let total = product::power(value.total(), n, budget)?;
    let powers = Joint::new(base.len() + 1, vectors, value.total().clone())?.power(n, budget)?;
    let mut tables: Vec<Vec<Integer>> = Vec::with_capacity(base.len());
    for &factor in &base {
        tables.push(vec![Integer::ONE, Integer::from_big(factor.into())?]);
    }
    let product = powers.map(
        |vector| {
            let mut product = Integer::from(if vector[base.len()] % 2 == 0 { 1 } else { -1 });
            for (table, exponent) in tables.iter_mut().zip(vector) {
                let exponent = usize::try_from(*exponent).map_err(|_| Stop::Overflow)?;
                while table.len() <= exponent {
                    let next = table[table.len() - 1].mul(&table[1])?;
                    table.push(next);
                }
                product = product.mul(&table[exponent])?;
            }
            Ok(Some(product))
        },
        budget,
    )?;
    if zero_weight == Weight::ZERO {
        return Ok(Some(product));
    }
    let weight = product::power(&value.mass(), n, budget)? - product.mass();
    let zero_outcome = Numbers::certain(Integer::ZERO);
    let parts = [(Weight::from(1_u32), &product), (weight, &zero_outcome)];
    Ok(Some(Numbers::measure_sum(&parts, total, budget)?))
}

/// Extends a pairwise coprime base until a number is a product of powers of its members. Members are split where
/// necessary.
fn refine(base: &mut Vec<u64>, number: u64) {
    let mut open = vec![number];
    while let Some(number) = open.pop() {
        if number == 1 {
            continue;
        }
        match base.iter().position(|member| member.gcd(&number) > 1) {
            None => base.push(number),
            Some(place) => {
                let member = base.swap_remove(place);
                let common = member.gcd(&number);
                if common == member {
                    base.push(member);
                } else {
                    open.extend([member / common, common]);
                }
                open.push(number / common);
            }
        }
    }
}

/// The exponents of a number that is a product of powers of the base.
fn exponents(mut number: u64, base: &[u64]) -> Vec<i64> {
    base.iter()
        .map(|member| {
            let mut exponent = 0;
            while number.is_multiple_of(*member) {
                number /= member;
                exponent += 1;
            }
            exponent
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_is_coprime_and_makes_up_each_number() {
        for numbers in [
            &[2, 3, 4, 5, 6][..],
            &[4, 6, 9],
            &[12, 18],
            &[1],
            &[35, 77, 55],
            &[64, 32],
            &[1_000_003 * 999_983, 1_000_003],
        ] {
            let mut base = Vec::new();
            for &number in numbers {
                refine(&mut base, number);
            }
            for (index, a) in base.iter().enumerate() {
                assert!(base[index + 1..].iter().all(|b| a.gcd(b) == 1), "{base:?}");
            }
            for &number in numbers {
                let product: u64 = exponents(number, &base)
                    .iter()
                    .zip(&base)
                    .map(|(&exponent, member)| member.pow(u32::try_from(exponent).unwrap()))
                    .product();
                assert_eq!(product, number, "{base:?}");
            }
        }
    }
}
