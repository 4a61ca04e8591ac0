//! Lists of dice with tails are listed as far as the limit of outcomes allows. Every weight is compared with the formula
//! for independent dice.
//!
//! An exploding die of s sides shows `s·k + j`, j < s, with probability `1/s^(k+1)`. A list of given members in any order has
//! the sum of the probabilities of its arrangements.

use dicedist::Dialect;
use dicedist::engine::{self, Answer, Outcomes, Route};
use dicedist::limits::{Limits, Unobserved};
use dicedist::number::{Fraction, Integer};

fn answered(rule: &str, is_ordered: bool, limits: &Limits) -> Answer {
    let rule = rule.replace('X', "(sum(while x=d6 do ((count ==6 x)#d6)))");
    let rule = rule.replace('Y', "(sum(while x=d4 do ((count ==4 x)#d4)))");
    let program = crate::rules::read(Dialect::Bones, &rule).unwrap();
    let program = if is_ordered {
        program
    } else {
        program.sorted()
    };
    let answer = engine::analyze(&program, limits, &Unobserved).unwrap();
    assert_eq!(answer.route, Route::Residual, "{rule}");
    answer
}

fn one_over(n: i64, power: u32) -> Fraction {
    Fraction::new(1.into(), num_bigint::BigInt::from(n).pow(power))
}

/// The probability that an exploding die of some sides shows a face.
fn of_face(sides: i64, face: i64) -> Fraction {
    if face < 1 || face % sides == 0 {
        return Fraction::default();
    }
    one_over(sides, u32::try_from(face / sides).unwrap() + 1)
}

/// The probability of all arrangements of a sorted list among dice of these sides.
fn of_list(sides: &[i64], list: &[i64]) -> Fraction {
    let Some((&first, others)) = sides.split_first() else {
        return one_over(1, 1);
    };
    let mut sum = Fraction::default();
    for place in 0..list.len() {
        if place > 0 && list[place] == list[place - 1] {
            continue;
        }
        let mut rest = list.to_vec();
        sum += of_face(first, rest.remove(place)) * of_list(others, &rest);
    }
    sum
}

/// Asserts that each list has its probability, that nothing is missing, and that there are no more lists than the limit
/// allows. Gives the unresolved probability.
#[track_caller]
fn assert_lists(
    answer: &Answer,
    most: usize,
    probability: impl Fn(&[i64]) -> Fraction,
) -> Fraction {
    let Outcomes::Lists(lists) = answer.outcomes() else {
        panic!("no lists")
    };
    assert!(
        lists.len() > most / 10 && lists.len() <= most,
        "{}",
        lists.len()
    );
    for (list, weight) in lists.iter() {
        let members: Vec<i64> = list.iter().map(|member| member.to_i64().unwrap()).collect();
        assert_eq!(
            answer.probability(weight),
            probability(&members),
            "{members:?}"
        );
    }
    assert_eq!(lists.mass() + answer.unresolved(), *answer.total());
    answer.probability(&answer.unresolved())
}

fn limited() -> Limits {
    Limits::default().with_outcomes(1_000)
}

#[test]
fn a_list_of_exploding_dice_is_listed_to_the_limit_of_outcomes() {
    let limits = Limits::default();
    let answer = answered("4#X", false, &limits);
    // C(20 + 3, 4) = 8855 lists of 20 faces, and C(21 + 3, 4) = 10626 of 21. The 20th face is 23, and P(X > 23) = 6^-4.
    let unresolved = assert_lists(&answer, 10_000, |list| of_list(&[6; 4], list));
    let one = one_over(1, 1);
    let none_beyond = num_traits::pow(&one - one_over(6, 4), 4);
    assert_eq!(unresolved, one - none_beyond);
}

#[test]
fn a_list_in_order_is_listed_to_the_limit_of_outcomes() {
    let answer = answered("3#X", true, &limited());
    // 10³ lists of 10 faces; the 10th face is 11, and P(X > 11) = 1/36.
    let unresolved = assert_lists(&answer, 1_000, |list| {
        list.iter().map(|&face| of_face(6, face)).product()
    });
    let one = one_over(1, 1);
    assert_eq!(unresolved, &one - num_traits::pow(&one - one_over(6, 2), 3));
}

#[test]
fn lists_of_two_kinds_of_dice_are_cut_at_about_the_same_tail() {
    let answer = answered("2#X, 2#Y", false, &limited());
    let unresolved = assert_lists(&answer, 1_000, |list| of_list(&[6, 6, 4, 4], list));
    assert!(
        unresolved < Fraction::new(3.into(), 10.into()),
        "{unresolved}"
    );
    let answer = answered("2#X, d6", false, &limited());
    let of_d6 = |face: i64| Fraction::new(i64::from(face <= 6).into(), 6.into());
    assert_lists(&answer, 1_000, |list| {
        let mut sum = Fraction::default();
        for place in 0..3 {
            if place == 0 || list[place] != list[place - 1] {
                let mut rest = list.to_vec();
                sum += of_d6(rest.remove(place)) * of_list(&[6; 2], &rest);
            }
        }
        sum
    });
}

#[test]
fn lists_of_a_rolled_number_of_dice_are_listed_to_the_limit_of_outcomes() {
    let answer = answered("d3#X", false, &limited());
    assert_lists(&answer, 1_000, |list| {
        of_list(&vec![6; list.len()], list) * one_over(3, 1)
    });
}

/// The die that says how many others there are is in the list itself. A list is each way to take one member as that die.
#[test]
fn dice_whose_number_a_listed_die_says_stay_bound_to_it() {
    let answer = answered("let y=Y in y, (if >4 y then 2 else 1)#X", false, &limited());
    assert_lists(&answer, 1_000, |list| {
        let mut sum = Fraction::default();
        for place in 0..list.len() {
            let mut rest = list.to_vec();
            let first = rest.remove(place);
            let is_new = place == 0 || list[place - 1] != first;
            if is_new && rest.len() == if first > 4 { 2 } else { 1 } {
                sum += of_face(4, first) * of_list(&vec![6; rest.len()], &rest);
            }
        }
        sum
    });
}

#[test]
fn a_tail_below_is_cut_from_below() {
    let answer = answered("3#(0-X)", false, &limited());
    assert_lists(&answer, 1_000, |list| {
        let mut list: Vec<i64> = list.iter().map(|face| -face).collect();
        list.sort_unstable();
        of_list(&[6; 3], &list)
    });
}

#[test]
fn lists_of_dice_without_tails_have_no_such_limit() {
    let answer = answered("4#d12", false, &limited());
    // C(12 + 3, 4).
    assert_eq!(answer.outcomes().len(), 1_365);
    assert!(answer.is_complete());
}

#[test]
fn numbers_made_of_such_a_list_are_listed_as_far_as_before() {
    let answer = answered("sum(4#X)", false, &limited());
    let missing = answer.probability(&answer.tail_weight());
    assert!(missing < one_over(10, 15), "{missing}");
    assert_eq!(answer.numbers().unwrap().outcomes()[0], Integer::from(4));
}
