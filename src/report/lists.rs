//! The lists of several rules in one order, or the most likely lists if there are too many.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::share::Share;
use crate::algebra::{Listing as _, Weight};
use crate::engine::{Answer, Value};
use crate::ir::Shape;
use crate::map::ValueMap;
use crate::number::{Fraction, Unit};

/// The index of an outcome in a rule, and its weight there; `None` if the rule does not list the outcome.
pub(crate) type ListedOutcome<'a> = Option<(usize, &'a Weight)>;

/// The lists that are shown, and the number and weight of the lists that are left out.
pub(crate) struct Lists<'a> {
    /// Each list with its place in each rule: ascending, or the most likely first if some lists are left out.
    pub(crate) shown: Vec<(Value<'a>, Vec<ListedOutcome<'a>>)>,
    /// The number of lists that are left out.
    pub(crate) left_out: usize,
    /// The weight of the lists that are left out, in each rule.
    pub(crate) rest: Vec<Weight>,
}

impl<'a> Lists<'a> {
    /// The lists of all answers, at most `most`.
    pub(crate) fn of(answers: &[&'a Answer], most: usize) -> Self {
        let left_out = count(answers).saturating_sub(most);
        let lists = if left_out > 0 {
            most_likely(answers, most)
        } else {
            let lists = answers.iter().flat_map(|answer| answer.outcomes().iter());
            let mut lists: Vec<Value<'a>> = lists.map(|(list, _)| list).collect();
            // Those of each answer ascend, so that sorting merges them.
            lists.sort();
            lists.dedup();
            lists
        };
        let shown = lists.into_iter().map(|list| (list, places(answers, list)));
        let shown: Vec<(Value, Vec<ListedOutcome>)> = shown.collect();
        let rest = answers.iter().enumerate().map(|(rule, answer)| {
            let places = shown.iter().filter_map(|(_, places)| places[rule]);
            answer.outcomes().mass() - places.map(|(_, weight)| weight).sum::<Weight>()
        });
        Self {
            left_out,
            rest: rest.collect(),
            shown,
        }
    }
}

/// The number of different lists.
fn count(answers: &[&Answer]) -> usize {
    let lists = || {
        let answers = answers.iter().enumerate();
        answers
            .flat_map(|(rule, answer)| answer.outcomes().iter().map(move |(list, _)| (rule, list)))
    };
    // Lists of a length that one rule alone has are different. The others are compared.
    let mut last_of_length: BTreeMap<usize, (usize, bool)> = BTreeMap::new();
    for (rule, list) in lists() {
        let (last, is_shared) = last_of_length.entry(list.len()).or_insert((rule, false));
        *is_shared |= *last != rule;
    }
    let (mut alone, mut compared) = (0, ValueMap::default());
    for (_, list) in lists() {
        if last_of_length[&list.len()].1 {
            compared.insert(list, ());
        } else {
            alone += 1;
        }
    }
    alone + compared.len()
}

/// The `most` lists with the greatest probability in any rule, the most likely first; lists with equal probabilities ascend.
fn most_likely<'a>(answers: &[&'a Answer], most: usize) -> Vec<Value<'a>> {
    // A list that is among the most likely of all rules is among the most likely of some rule.
    let mut shares: BTreeMap<Value<'_>, Fraction> = BTreeMap::new();
    for answer in answers {
        let mut own: Vec<_> = answer.outcomes().iter().collect();
        if own.len() > most {
            own.select_nth_unstable_by(most, |(a, weight), (b, other)| {
                other.cmp(weight).then_with(|| a.cmp(b))
            });
            own.truncate(most);
        }
        for (list, weight) in own {
            let share = Share::new(weight, answer.total()).fraction();
            let highest = shares.entry(list).or_default();
            *highest = share.max(std::mem::take(highest));
        }
    }
    let mut ranked: Vec<_> = shares.into_iter().collect();
    ranked.sort_by(|(_, a), (_, b)| b.cmp(a));
    ranked.truncate(most);
    ranked.into_iter().map(|(list, _)| list).collect()
}

/// The place of a list in each answer.
fn places<'a>(answers: &[&'a Answer], list: Value<'_>) -> Vec<ListedOutcome<'a>> {
    let place = |answer: &&'a Answer| {
        let place = answer.outcomes().place(list)?;
        Some((place, &answer.outcomes().weights()[place]))
    };
    answers.iter().map(place).collect()
}

/// The number of characters after which a list is cut.
const LONGEST_LABEL: usize = 500;

/// The text of a value: its members, only the first members of a very long list, or `()`.
pub(crate) fn list_label(value: Value<'_>, unit: &Unit, shape: &Shape) -> String {
    if value.is_empty() {
        return "()".into();
    }
    let list = match value {
        Value::List(list) => list,
        value => return value.show(unit, shape),
    };
    let mut label = String::new();
    for (index, member) in list.iter().enumerate() {
        if label.len() > LONGEST_LABEL {
            let _ = write!(label, " … ({} members)", list.len());
            break;
        }
        let blank = if index == 0 { "" } else { " " };
        let _ = write!(label, "{blank}{}", unit.show(member));
    }
    label
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Distribution;
    use crate::engine::Outcomes;
    use crate::number::Integer;

    fn answer(weighted: &[(&[i64], u32)]) -> Answer {
        let total: u32 = weighted.iter().map(|(_, weight)| weight).sum();
        let lists = weighted.iter().map(|(list, weight)| {
            let list: Vec<Integer> = list.iter().copied().map(Integer::from).collect();
            (list, Weight::from(*weight))
        });
        Answer::exact(
            Outcomes::from_lists(Distribution::new(lists, total.into())),
            0,
        )
    }

    #[test]
    fn the_most_likely_lists_are_those_of_the_greatest_share_in_any_rule() {
        // The shares in twelfths: () 1 and 0, (1) 3 and 6, (1 2) 6 and 0, (3) 2 and 0, (4) 0 and 6.
        let first = answer(&[(&[], 1), (&[1], 3), (&[1, 2], 6), (&[3], 2)]);
        let second = answer(&[(&[1], 1), (&[4], 1)]);
        let answers = [&first, &second];
        let shown = |most: usize| {
            let lists = Lists::of(&answers, most);
            let labels = lists
                .shown
                .iter()
                .map(|(list, _)| list_label(*list, &Unit::WHOLE, &Shape::Numbers))
                .collect::<Vec<_>>();
            let rest = lists
                .rest
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>();
            (labels.join(", "), lists.left_out, rest.join(", "))
        };
        assert_eq!(shown(1), ("1".into(), 4, "9, 1".into()));
        assert_eq!(shown(2), ("1, 1 2".into(), 3, "3, 1".into()));
        assert_eq!(shown(3), ("1, 1 2, 4".into(), 2, "3, 0".into()));
        assert_eq!(shown(4), ("1, 1 2, 4, 3".into(), 1, "1, 0".into()));
        assert_eq!(shown(5), ("(), 1, 1 2, 3, 4".into(), 0, "0, 0".into()));
    }
}
