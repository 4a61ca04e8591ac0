//! Two rules whose values are labels or records, which have no order.

use crate::algebra::weight::{common_divisor, figure};
use crate::algebra::{Listing as _, Weight};
use crate::engine::{Answer, MemberRef, Outcomes, Value};
use crate::limits::{Budget, LimitReached, Limits, Unobserved};
use crate::map::Map;
use crate::number::{Fraction, Integer};
use crate::summary::Figure;

/// How two rules overlap as independent rolls: all that can be said of values without an order.
///
/// With weights `v`, `w` over totals `V`, `W`, a tie has the probability `Σ v(x) w(x) / (V W)`, and the total variation distance
/// is `1 - Σ min(v(x) / V, w(x) / W)`.
///
/// # Examples
///
/// ```
/// use dicedist::compare::Overlap;
/// use dicedist::Rule;
///
/// let coin = Rule::bones(r#"if d2 == 1 then "heads" else "tails""#)?.solver().answer()?;
/// let bent = Rule::bones(r#"if d3 == 1 then "heads" else "tails""#)?.solver().answer()?;
/// let overlap = Overlap::of(&coin, &bent).unwrap();
/// assert_eq!(overlap.tie.exact().unwrap().to_string(), "1/2");
/// assert_eq!(overlap.total_variation.exact().unwrap().to_string(), "1/6");
/// # Ok::<(), dicedist::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Overlap {
    /// `P(A = B)`.
    pub tie: Figure,
    /// The total variation distance: the largest difference of the probabilities of any event.
    pub total_variation: Figure,
}

/// A value as both answers have it: the order of labels does not matter.
type CommonValue<'a> = Vec<CommonMember<'a>>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum CommonMember<'a> {
    Label(&'a str),
    Number(&'a Integer),
}

impl Overlap {
    /// Compares two answers of which one has labels or records; `None` if neither has, or one is sampled. Linear in the number of
    /// outcomes, with a few products of long weights for each.
    #[must_use]
    pub fn of(a: &Answer, b: &Answer) -> Option<Self> {
        let limits = Limits::unbounded();
        let compared = Self::within([a, b], &Budget::start(&limits, &Unobserved));
        compared.ok().flatten()
    }

    /// As [`Overlap::of`].
    ///
    /// # Errors
    ///
    /// [`LimitReached`] of the budget.
    pub(crate) fn within(
        [a, b]: [&Answer; 2],
        budget: &Budget<'_>,
    ) -> Result<Option<Self>, LimitReached> {
        let has_members = |answer: &Answer| matches!(answer.outcomes(), Outcomes::Members(_));
        let is_sampled = |answer: &Answer| answer.sampling().is_some();
        if !(has_members(a) || has_members(b)) || is_sampled(a) || is_sampled(b) {
            return Ok(None);
        }
        budget.look_at_clock()?;
        let theirs: Map<CommonValue, &Weight> = b
            .outcomes()
            .iter()
            .map(|(value, weight)| (key(value), weight))
            .collect();
        let common = common_divisor(a.total(), b.total());
        let (scale_a, scale_b) = (b.total() / &common, a.total() / &common);
        let total = a.total() * &scale_a;
        let mut shared = (a.never_ends() * &scale_a).min(b.never_ends() * &scale_b);
        let mut equal = Weight::ZERO;
        let limbs = |answer: &Answer| answer.total().bits() / 64 + 1;
        let work = 3 * limbs(a) * limbs(b);
        for (value, mine) in a.outcomes().iter() {
            budget.work(work)?;
            if let Some(&theirs) = theirs.get(&key(value)) {
                equal += mine * theirs;
                shared += (mine * &scale_a).min(theirs * &scale_b);
            }
        }
        let [open_a, open_b] = [a, b].map(open);
        let product = a.total() * b.total();
        // An open weight may lie on any value of the other rule.
        let open_equal = &open_a * b.total() + &open_b * a.total();
        let most_equal = (&equal + open_equal).min(product.clone());
        let most_shared = (&shared + open_a * &scale_a + open_b * &scale_b).min(total.clone());
        let share = |weight: Weight, total: &Weight| figure(&weight.into(), total);
        let distance = |shared: &Weight| -> Fraction { share(&total - shared, &total) };
        Ok(Some(Self {
            tie: Figure::between(share(equal, &product), share(most_equal, &product)),
            total_variation: Figure::between(distance(&most_shared), distance(&shared)),
        }))
    }
}

fn key(value: Value<'_>) -> CommonValue<'_> {
    let part = |member| match member {
        MemberRef::Label(label) => CommonMember::Label(&label.text),
        MemberRef::Number(number) => CommonMember::Number(number),
    };
    value.members().map(part).collect()
}

/// The weight that is neither listed nor never ends.
fn open(answer: &Answer) -> Weight {
    answer.total() - (answer.outcomes().mass() + answer.never_ends())
}
