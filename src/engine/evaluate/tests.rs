//! Rounds whose parts are listed, against the slow evaluator.

use super::enumerate::result_of;
use super::listed::ListedTerms;
use super::measure::End;
use super::paths::paths;
use crate::algebra::Weight;
use crate::algebra::weight::probability;
use crate::engine::outcomes::List;
use crate::ir::Term;
use crate::limits::{Budget, Limits, Unobserved};
use crate::number::Fraction;

/// What a round makes of two numbers `a` and `b`. Parts of it use one of them, both, or none; some fail.
const ROUNDS: [&str; 6] = [
    "let q=high 1 (0,b-(if <=3 d6 then d4 else 0)) in \
     if ==0 q then a*100 else (high 1 (0,a-(if <=2 d6 then d8 else 0)))*100+q",
    "let q=b-d6 in if >0 q then (let r=a-d4 in r*10+q) else ()",
    "if ==(if <=2 a then d4 else d6) b then a*d3 else b-(if ==1 d3 then a else d4)",
    "foreach x in (a,b) do (if >2 x then x-d4 else x)",
    "let c=(if ==2 d2 then b else d4) in 10*c+(a+(if >2 a then d3 else 0))",
    "let c=a+(5 mod (b-d3)) in if >4 c then c-d2 else a",
];

/// Each round takes place often, so that its parts are met, listed, and looked up.
#[test]
fn rounds_with_listed_parts_agree_with_the_slow_evaluator() {
    let limits = Limits::default();
    let budget = Budget::start(&limits, &Unobserved);
    for round in ROUNDS {
        let text = format!("let a=d4 in let b=d4 in {round}");
        let program = crate::Rule::bones(&text).unwrap().into_program().unwrap();
        let arena = program.arena();
        let mut terms = ListedTerms::of(arena);
        let mut body = program.root();
        for _ in 0..2 {
            let Term::Let(_, inner) = arena.term(body) else {
                panic!("{text}");
            };
            body = *inner;
        }
        for number in 0..48_i64 {
            let values = [number % 4 + 1, number * 7 % 16 / 4 + 1];
            let mut environment: Vec<List> = values.map(|value| vec![value.into()]).into();
            let expected = result_of(arena, body, &mut environment, &budget).unwrap();
            let expected_total = expected.total.clone();
            let found = paths(arena, body, &mut environment, &mut terms, &budget);
            let found = found.unwrap().unwrap();
            let shares = |ends: Vec<(End, Weight)>, total: &Weight| {
                let share = |(end, weight)| (end, probability(&weight, total));
                ends.into_iter()
                    .map(share)
                    .collect::<Vec<(End, Fraction)>>()
            };
            assert_eq!(
                shares(found.ends, &found.total),
                shares(expected.into_ends(), &expected_total),
                "{round}, {values:?}",
            );
        }
    }
}
