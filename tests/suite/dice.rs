//! Combinators: what they say is what the words of Bones say, and what is built wrongly is an error.

use std::time::Duration;

use dicedist::dice::{
    Any, Condition, Fields, Number, Pool, State, d, faces, pool, record, repeat_any_until,
    repeat_until, weighted,
};
use dicedist::number::{Fraction, Integer};
use dicedist::summary::Figure;
use dicedist::{Dist, Error, ErrorKind, Rule};

/// The distribution of a text as lists of any members.
fn bones(text: &str) -> Dist<Vec<dicedist::ir::Member>> {
    Rule::bones(text).unwrap().solve_as().unwrap()
}

fn parts(numerator: i64, denominator: i64) -> Fraction {
    Fraction::new(numerator.into(), denominator.into())
}

/// Words of Bones beside what says the same in Rust. The engine finds both, but the text is read by a notation that has tests of its own.
fn say_the_same(cases: Vec<(&str, Rule)>) {
    for (text, rule) in cases {
        let built: Dist<Vec<dicedist::ir::Member>> = rule.solve_as().unwrap();
        let read = bones(text);
        assert!(built.agrees_with(&read), "{text}:\n{read}\n{built}");
        assert_eq!(built.is_complete(), read.is_complete(), "{text}");
    }
}

#[test]
fn combinators_say_what_bones_says_of_numbers_and_conditions() {
    say_the_same(vec![
        ("d6 + d8 * 2 - 1", (d(6) + d(8) * 2 - 1).into()),
        ("7 - d6", (7 - d(6)).into()),
        ("-d6/4", (-d(6) / 4).into()),
        ("(d6 - 4) div 2", (d(6) - 4).div_floor(2).into()),
        ("(d6 - 4) mod 4", (d(6) - 4).mod_floor(4).into()),
        ("d6 mod 4", (d(6) % 4).into()),
        ("d(d6)", d(d(6)).into()),
        ("d{1, 1, 2, 3}", faces([1, 1, 2, 3]).into()),
        ("d{6: 2, 1: 1}", weighted([(6, 2), (1, 1), (3, 0)]).into()),
        ("max(d6, d8)", d(6).max(d(8)).into()),
        ("min(d6, d8)", d(6).min(d(8)).into()),
        ("abs(d6 - d8)", (d(6) - d(8)).abs().into()),
        (
            "if d6 >= 5 then d8 else 0",
            d(6).at_least(5).then(d(8), 0).into(),
        ),
        ("d6 == d6", d(6).equals(d(6)).into()),
        ("d6 != d8", d(6).differs_from(d(8)).into()),
        (
            "d6 > 2 and d6 < 5",
            (d(6).more_than(2) & d(6).less_than(5)).into(),
        ),
        (
            "d6 > 2 or d6 <= 5",
            (d(6).more_than(2) | d(6).at_most(5)).into(),
        ),
        ("not d6 == 6", (!d(6).equals(6)).into()),
    ]);
}

#[test]
fn combinators_say_what_bones_says_of_lists() {
    let big = |roll: Number| roll.at_least(5);
    let three = || d(6).times(3);
    say_the_same(vec![
        ("3#d6", three().into()),
        ("(d4)#d6", d(6).times(d(4)).into()),
        ("(d6, d8, 3)", pool([d(6), d(8), 3.into()]).into()),
        ("high 2 3#d6", three().keep_highest(2).into()),
        ("low 2 3#d6", three().keep_lowest(2).into()),
        ("drop high 1 3#d6", three().drop_highest(1).into()),
        ("drop low 1 3#d6", three().drop_lowest(1).into()),
        (
            "first 2 (d4, d6, d8)",
            pool([d(4), d(6), d(8)]).first(2).into(),
        ),
        (
            "last 2 (d4, d6, d8)",
            pool([d(4), d(6), d(8)]).last(2).into(),
        ),
        (
            "drop first 2 (d4, d6, d8)",
            pool([d(4), d(6), d(8)]).drop_first(2).into(),
        ),
        (
            "drop last 2 (d4, d6, d8)",
            pool([d(4), d(6), d(8)]).drop_last(2).into(),
        ),
        ("rank 2 3#d6", three().ranked(2).into()),
        (
            "rank 3 (d4, d6, d8)",
            pool([d(4), d(6), d(8)]).lowest().into(),
        ),
        ("count 3#d6", three().count().into()),
        ("count >=5 3#d6", three().count_if(big).into()),
        (">=5 3#d6", three().keep_if(big).into()),
        ("prod 3#d6", three().product().into()),
        ("distinct 3#d6", three().distinct().into()),
        ("draw 3 {1..6}", Pool::range(1..=6).draw(3).into()),
        (
            "without (1..3) (4#d6)",
            d(6).times(4).without(&Pool::range(1..=3)).into(),
        ),
        ("compare 3#d6 3#d6", three().compare(&three()).into()),
        (
            "foreach x in 2#d6 do x * x",
            d(6).times(2).map(|x| &x * &x).into(),
        ),
        (
            "foreach x in 2#d4 do x#d6",
            d(4).times(2).flat_map(|x| d(6).times(x)).into(),
        ),
    ]);
}

#[test]
fn combinators_say_what_bones_says_of_loops_and_choices() {
    let big = |roll: Number| roll.at_least(5);
    let six = |roll: Number| roll.equals(6);
    let three = || d(6).times(3);
    say_the_same(vec![
        ("let x = d6 in x + x", d(6).share(|x| &x + &x).into()),
        (
            "let x = 3#d6 in (sum x, count ==6 x)",
            three().share(|x| pool([x.sum(), x.count_if(six)])).into(),
        ),
        (
            "sum(while x = d6 do if x == 6 then d6 else ())",
            d(6).explode_if(six).into(),
        ),
        (
            "while x = d6 do if x >= 5 then d6 else ()",
            d(6).roll_while(big).into(),
        ),
        (
            "let x = d6 in if x == 6 then (let y = d6 in if y == 6 then 12 + d6 else 6 + y) else x",
            d(6).explode_at_most(2, six).into(),
        ),
        ("reroll x = d6 until x < 5", d(6).reroll_if(big).into()),
        (
            "let x = d6 in if x >= 5 then d6 else x",
            d(6).reroll_once_if(big).into(),
        ),
        (
            "while x = 2#d6 do (count ==6 x)#d6",
            d(6).times(2)
                .successors(|x| d(6).times(x.count_if(six)))
                .into(),
        ),
        (
            "let x = 3#d6 in sum x given count ==6 x >= 1",
            three().share(|x| x.sum().given(x.contains(6))).into(),
        ),
        (
            "best y in (3, d6) do y",
            pool([3.into(), d(6)]).best(|y| y).into(),
        ),
        (
            "let x = 2#d6 in { hits: count >=5 x, ones: count ==1 x }",
            d(6).times(2)
                .share(|x| {
                    record([
                        ("hits", x.count_if(big)),
                        ("ones", x.count_if(|die| die.equals(1))),
                    ])
                })
                .into(),
        ),
        (
            "repeat run = 0 for y in sort 4#d6 do if y == run + 1 then y else run",
            d(6).times(4)
                .sorted()
                .fold(0, |run, y| y.equals(&run + 1).then(y, run))
                .into(),
        ),
        (
            "repeat hp = 9, foe = 7 while hp > 0 and foe > 0 do hp - d8, foe - d6 then hp > 0",
            repeat_until(
                [9, 7],
                |[hp, foe]| hp.at_most(0) | foe.at_most(0),
                |[hp, foe]| [hp - d(8), foe - d(6)],
            )
            .then(|[hp, _]| hp.more_than(0))
            .into(),
        ),
        (
            "repeat hp = 9, n = 0 until hp <= 0 do hp - d6, n + 1 then n",
            repeat_until([9], |[hp]| hp.at_most(0), |[hp]| [hp - d(6)])
                .count()
                .into(),
        ),
    ]);
}

/// 1/3 of 12 and less, 5 … of 36 by counting the 36 rolls.
#[test]
fn ranges_are_tried_in_order() {
    let reaction = d(6).times(2).sum().case([(2..=4, 10), (3..=9, 20)], 30);
    let dist = reaction.solve().unwrap();
    // 2, 3, 4 are 6 rolls; 5 to 9 are 24.
    assert_eq!(dist.probability_of(10), parts(6, 36));
    assert_eq!(dist.probability_of(20), parts(24, 36));
    assert_eq!(dist.probability_of(30), parts(6, 36));
}

#[test]
fn each_place_is_a_roll_of_its_own() {
    let x = d(6);
    // Two dice: 6 of 36 rolls are a seven.
    assert_eq!((&x + &x).solve().unwrap().probability_of(7), parts(1, 6));
    let pool = x.times(2);
    let twice = pool.sum() + pool.sum();
    assert_eq!(twice.solve().unwrap(), Dist::uniform(1..=6).times(4));
}

#[test]
fn a_long_sum_is_one_level() {
    let sum: Number = (1..=1000).map(|_| d(2)).sum();
    assert_eq!(sum.solve().unwrap(), Dist::uniform(1..=2).times(1000));
}

#[test]
fn a_closure_that_gives_away_its_argument_is_an_error() {
    let mut kept = None;
    let _ = d(6).share(|x| {
        kept = Some(x.clone());
        x
    });
    let error = (kept.unwrap() + 1).solve().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unbound);
    assert!(
        error.to_string().contains("outside of the closure"),
        "{error}"
    );
}

#[test]
fn what_is_built_too_deep_or_too_large_is_an_error() {
    let deep = (0..200_000).fold(d(6), |sum, _| sum + d(6));
    assert_eq!(limit_of(&deep), "the expression has more than 8000 levels");
    // Each doubling has two places for each place before it.
    let large = (0..60).fold(d(6), |sum, _| &sum + &sum);
    assert_eq!(
        limit_of(&large),
        "the expression has more than 1048576 terms"
    );
    let shared = (0..60).fold(d(2), |sum, _| sum.share(|x| &x + &x));
    // 2⁶⁰ or 2⁶¹.
    let dist = shared.solve().unwrap();
    assert_eq!(dist.max().unwrap(), Integer::from(1_i64 << 61));
    assert_eq!(dist.len(), 2);
}

fn limit_of(number: &Number) -> String {
    let error: Error = number.solve().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    error.diagnostics()[0].message.clone()
}

#[test]
fn errors_of_a_rule_have_their_probability_and_no_place() {
    let error = (6 / (d(6) - 1)).solve().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DivisionByZero);
    assert_eq!(error.probability().unwrap(), &parts(1, 6));
    assert!(
        error
            .diagnostics()
            .iter()
            .all(|finding| finding.span.is_none())
    );

    let never = d(6).share(|x| x.given(x.more_than(6)));
    assert_eq!(never.solve().unwrap_err().kind(), ErrorKind::Domain);
    let odd = pool([d(6), d(6)]).only();
    assert_eq!(odd.solve().unwrap_err().kind(), ErrorKind::Type);
    assert_eq!(d(0).solve().unwrap_err().kind(), ErrorKind::BadDie);
    assert_eq!(
        d(6).times(-1).solve().unwrap_err().kind(),
        ErrorKind::NegativeCount
    );
}

#[test]
fn a_branch_may_end_with_a_condition_on_the_roll() {
    // Rolls over 3 are left out, but not after a head.
    let rule = d(2).equals(1).choose(
        d(6).share(|x| x.given(Condition::from(true))),
        d(6).share(|x| x.given(x.at_most(3))),
    );
    let dist = rule.solve().unwrap();
    // 6 + 3 of 12 rolls are kept.
    assert_eq!(dist.probability_of(6), parts(1, 9));
    assert_eq!(dist.probability_of(1), parts(2, 9));
}

#[test]
fn solvers_take_expressions() {
    let order = pool([d(2), d(3)]);
    let rule = order.rule();
    let dist = rule.solver().in_order().time(Duration::from_secs(5));
    let dist: Dist<[Integer; 2]> = dist.run_as().unwrap();
    assert_eq!(dist.probability_of([2, 1]), parts(1, 6));
    assert_eq!(order.solve().unwrap().probability_of([1, 2]), parts(2, 6));
    assert_eq!(order.solve().unwrap().probability_of([2, 1]), parts(0, 6));
}

/// The states of a loop have as many numbers as the first one, which the type says; shared rolls move both.
#[test]
fn the_numbers_of_a_state_may_share_a_roll() {
    let rounds = repeat_until(
        [0, 0],
        |[a, _]| a.at_least(3),
        |[a, b]| d(2).share(|x| State::from([&a + &x, &b - &x])),
    );
    let sum = rounds.then(|[a, b]| a + b);
    assert_eq!(sum.solve().unwrap(), Dist::certain(0));
    // 3 by 1 and 2, 2 and 1, or three ones; 4 by two twos, or by 1, 1 and 2.
    let last = rounds.then(|[a, _]| a).solve().unwrap();
    assert_eq!(last.probability_of(3), parts(5, 8));
}

/// A half or one against 1 and 3: the half loses, 1 ties with 1 and loses to 3.
#[test]
fn numbers_of_different_units_are_compared() {
    let half = Rule::tabletop("1d2/2").unwrap().solve_as::<Fraction>();
    let [half, other] = [half.unwrap(), Dist::weighted([(1, 1), (3, 1)])];
    let duel = half.versus(&other).unwrap();
    assert_eq!([duel.a_wins, duel.tie], [parts(0, 1), parts(1, 4)]);
    assert_eq!(duel.mean_difference, Some(parts(-5, 4)));
}

#[test]
fn quantiles_are_of_probabilities() {
    let d6 = Dist::uniform(1..=6);
    let quantile = |p| d6.quantile(&p);
    let [none, all] = [parts(0, 1), parts(1, 1)].map(quantile);
    assert_eq!((none, all), (None, Some(6.into())));
    assert_eq!([parts(-1, 2), parts(7, 6)].map(quantile), [None, None]);
    let sum: Dist = (0..3).map(|_| d6.clone()).sum();
    assert_eq!(sum - 3, &(d6 - 1) * 1 + Dist::uniform(0..=5).times(2));
}

/// The value of the first roll does not depend on the four faces of the second: it is 1 each time.
#[test]
fn a_condition_keeps_the_variables_of_the_bodies_around_it() {
    let texts = [
        "let x = d2 in (foreach i in (let y = d4 in (y, 0)) do x) given x == 1",
        "let x = d2 in (foreach i in (let y = d4 in let z = d3 in (y, z)) do x) given x == 1",
        "let x = d2 in (foreach j in (foreach i in (let y = d4 in (y, y)) do x) do j) given x == 1",
    ];
    for text in texts {
        let ones = bones(text);
        assert_eq!(ones.len(), 1, "{text}: {ones}");
    }
    let built = d(2).share(|x| {
        let pairs = d(4).share(|y| pool([y, 0.into()]));
        pairs.map(|_| x.clone()).given(x.equals(1))
    });
    assert_eq!(built.solve().unwrap().probability_of([1, 1]), parts(1, 1));
}

#[test]
fn the_first_number_of_a_fold_is_rolled_once() {
    let nothing = |value: Number, member: Number| &value - &value + (&member - &member);
    let difference = |list: Pool| list.fold(d(6), nothing);
    let known = difference(d(6).times(1)).solve().unwrap();
    assert_eq!(known, Dist::certain(0));
    let unknown = difference(d(6).times(1).keep_if(|_| true.into()));
    assert_eq!(unknown.solve().unwrap(), known);
    // It is evaluated even if nothing asks for it.
    let fails = d(4)
        .times(1)
        .fold(Pool::empty().highest(), |_, member| member);
    assert_eq!(fails.solve().unwrap_err().kind(), ErrorKind::Type);
}

#[test]
fn results_are_rules_of_their_own() {
    let program = Rule::anydice("output 1 named \"a\"\noutput 2 named \"b\"").unwrap();
    let second = &program.results().unwrap()[1];
    let again = &second.results().unwrap()[0];
    assert_eq!(
        (again.name(), again.solve().unwrap()),
        ("b", Dist::certain(2))
    );

    let varying = Rule::anydice("loop I over {1..N} { output I }").unwrap();
    let third = varying.with("N", 3).results().unwrap().swap_remove(2);
    assert_eq!(third.solve().unwrap(), Dist::certain(3));
    let error = third.with("N", 1).solve().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Type);
    let empty = Rule::anydice("output d{}").unwrap().solve().unwrap();
    assert!(Number::try_from(&empty).is_err());
}

#[test]
fn conditions_add_up_and_are_shown_as_yes_and_no() {
    let hits = d(6).at_least(5) + d(6).at_least(4) + 1;
    let dist = hits.solve().unwrap();
    // 1/3 and 1/2: both hit in 1/6, none in 1/3.
    assert_eq!(dist.probability_of(3), parts(1, 6));
    assert_eq!(dist.probability_of(1), parts(1, 3));
    let table = d(4).equals(1).solve().unwrap().to_string();
    assert!(table.contains("yes  25.0000%"), "{table}");
}

#[test]
fn several_rules_are_refused_at_the_second() {
    let error = Rule::bones("d6; d8").unwrap_err();
    let place = error.diagnostics()[0].span.unwrap();
    assert_eq!((place.start, place.end), (4, 6));
    let words = format!("{error:?}");
    assert!(
        words.starts_with("parse: there are 2 rules in this text (bytes 4 to 6); "),
        "{words}"
    );
}

/// An expression whose type is known late says what the typed one says.
#[test]
fn expressions_of_any_type_say_what_typed_ones_say() {
    let high = || d(6).at_least(5);
    let even = |x: Number| Any::Number(x.clone()).given(x.mod_floor(2).equals(0));
    let any = |x: Number| Any::Given(Box::new(even(x)));
    let fields = |x: Number| Any::Fields(Fields::new([("once", x.clone()), ("twice", x * 2)]));
    let rules = [
        ("d6 >= 5", Any::Condition(high()), true),
        ("d6 + 1", Any::Number(d(6) + 1), false),
        ("3#d6", Any::Pool(d(6).times(3)), false),
        (
            "let x = d6 in {once: x, twice: x * 2}",
            d(6).share(fields),
            false,
        ),
        ("let x = d6 in x given x mod 2 == 0", d(6).share(any), false),
        (
            "if d6 >= 5 then d8 else 0",
            high().choose(Any::Number(d(8)), Any::Number(0.into())),
            false,
        ),
    ];
    for (_, any, is_condition) in &rules {
        assert_eq!(any.is_condition(), *is_condition);
    }
    say_the_same(rules.map(|(text, any, _)| (text, any.rule())).into());
}

#[test]
fn a_state_of_any_length_keeps_its_length() {
    let round = |[a, b]: [Number; 2]| [a - d(6), b - d(8)];
    let over = |[a, b]: [Number; 2]| a.at_most(0) | b.at_most(0);
    let fixed = repeat_until([10, 8], over, round);
    let two = |numbers: Vec<Number>| <[Number; 2]>::try_from(numbers).unwrap();
    let first = || vec![Number::from(10), Number::from(8)];
    let any = repeat_any_until(first(), |it| over(two(it)), |it| pool(round(two(it)))).unwrap();
    assert_eq!(any.count().solve().unwrap(), fixed.count().solve().unwrap());
    let last = any.then(|mut numbers| numbers.remove(0)).solve().unwrap();
    assert_eq!(last, fixed.then(|[a, _]| a).solve().unwrap());
    let shorter = repeat_any_until(first(), |_| true.into(), |it| pool(it).first(1));
    assert_eq!(shorter.unwrap_err().kind(), ErrorKind::Type);
    let none = repeat_any_until(Vec::new(), |_| true.into(), pool);
    assert_eq!(none.unwrap_err().kind(), ErrorKind::Type);
}

#[test]
fn a_rule_knows_whether_it_is_a_condition() {
    for (rule, is_condition) in [
        (Rule::bones("d20 >= 11"), true),
        (Rule::bones("d20 + 11"), false),
        (Rule::bones("not d20 >= 11 and d4 == 1"), true),
        (Rule::tabletop("3d6kh2"), false),
        (Ok(Any::Number(d(6)).rule()), false),
    ] {
        assert_eq!(rule.unwrap().is_condition(), Ok(is_condition));
    }
}

/// Expected: counts of the 216 rolls of three dice; and of an exploding die, 1/6 is above 6.
#[test]
fn bounds_of_a_distribution_are_those_of_its_rolls() {
    let sums = (0..216).map(|roll| 3 + roll % 6 + roll / 6 % 6 + roll / 36);
    let sums: Vec<i64> = sums.collect();
    let dist = d(6).times(3).sum().solve().unwrap();
    let share = |is_so: &dyn Fn(i64) -> bool| {
        let count = sums.iter().filter(|&&sum| is_so(sum)).count();
        Figure::Exact(Fraction::new(count.into(), 216.into()))
    };
    for a in 0..=20 {
        assert_eq!(dist.more_than(a), share(&|sum| sum > a), "{a}");
        assert_eq!(dist.less_than(a), share(&|sum| sum < a), "{a}");
        for b in 0..=20 {
            let between = share(&|sum| a <= sum && sum <= b);
            assert_eq!(dist.between(a, b), between, "{a} {b}");
        }
    }
    let exploding = d(6).explode_if(|roll| roll.equals(6)).solve().unwrap();
    assert_eq!(exploding.more_than(6).to_string(), "1/6");
    assert_eq!(exploding.between(2, 6).to_string(), "2/3"); // 2 to 5: a 6 rolls on
    assert_eq!(
        exploding.percentile(95),
        exploding.quantile(&Fraction::new(19.into(), 20.into()))
    );
}
