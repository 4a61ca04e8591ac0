//! The families of rules whose cost must stay polynomial in the number of dice.
//!
//! Each family is a list of forms. A random member is made from a form: dice are equal, mixed, compound, kept, rerolled or a
//! chain; variables are renamed, constants changed, parts reordered, values wrapped in `let`. The same seed makes the same
//! member for every number of dice, so that the growth of the number of states can be measured. It must not exceed the power
//! that is stated beside the family.

use std::time::{Duration, Instant};

use dicedist::engine::{self, Answer, Route, enumerate::enumerate};
use dicedist::ir::Program;
use dicedist::limits::{Limits, Unobserved};

/// The number of members of each form.
const MEMBERS: u64 = 2;

/// The numbers of dice over which growth is measured.
const SIZES: [u64; 5] = [4, 8, 16, 32, 64];

/// The longest time that a member may take, for any of these numbers of dice.
const LONGEST: Duration = Duration::from_secs(5);

/// Choices made from a seed, the same on every machine.
struct Choices(u64);

impl Choices {
    fn below(&mut self, options: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % options
    }

    fn one_of<'a>(&mut self, options: &[&'a str]) -> &'a str {
        options[usize::try_from(self.below(options.len() as u64)).unwrap()]
    }
}

/// The alternatives for `$D` in a form.
const DICE: &[&str] = &[
    "$n#d6",
    "$n#d6",
    "($n#d6,2#d4)",
    "($n#d4,2#d6)",
    "$n#(high 1 2#d6)",
    "(foreach $v in $n#d6 do if $F $v then d6 else $v)",
    "(drop low 1 $n#d6)",
    "((count >2 $n#d6)#d6)",
];

/// A form with each placeholder replaced: `$n` by the number of dice, `$N` by twice the number, `$D` by dice with faces up to 6,
/// `$E` by one or more such dice, `$F` by a filter, `$c` by a constant, `$v` to `$z` by names.
fn member(form: &str, seed: u64, n: u64) -> String {
    let mut choices = Choices(seed);
    let shift = choices.below(20);
    let mut text = form.to_owned();
    while let Some(place) = text.find('$') {
        let key = text[place + 1..].chars().next().unwrap();
        let chosen = match key {
            'n' => n.to_string(),
            'N' => (2 * n).to_string(),
            'D' | 'E' => {
                let sizes = if key == 'D' {
                    DICE.len()
                } else {
                    DICE.len() - 2
                };
                let dice = choices.one_of(&DICE[..sizes]);
                // A `let` around a value does not change the value.
                if choices.below(4) == 0 {
                    format!("(let $w={dice} in $w)")
                } else {
                    dice.to_owned()
                }
            }
            'F' => {
                let limit = choices.below(4) + 2;
                format!("{}{limit}", choices.one_of(&[">", "<=", "==", "!=", ">="]))
            }
            'c' => (choices.below(4) + 1).to_string(),
            name => {
                let place = (u64::from(name as u32) + shift) % 26;
                let first = char::from(b'a' + u8::try_from(place).unwrap());
                // No name is a keyword, or `d`.
                format!("{first}q")
            }
        };
        text.replace_range(place..place + 2, &chosen);
    }
    text
}

fn read(text: &str) -> Program {
    crate::rules::read(dicedist::Dialect::Bones, text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .sorted()
}

fn values(answer: &Answer) -> Vec<(String, String)> {
    let values = answer.outcomes().iter();
    values
        .map(|(value, weight)| {
            (
                value.exact(&answer.unit, &answer.shape),
                answer.probability(weight).to_string(),
            )
        })
        .collect()
}

/// The slope of the line fitted to the logarithms of the numbers of states over the logarithms of the numbers of dice.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn power(points: &[(u64, u64)]) -> f64 {
    let points: Vec<(f64, f64)> = points
        .iter()
        // Small numbers of states count as constant.
        .map(|&(n, states)| ((n as f64).ln(), (states as f64 + 100.0).ln()))
        .collect();
    let mean =
        |part: fn(&(f64, f64)) -> f64| points.iter().map(part).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let covariance: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let variance: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
    covariance / variance
}

#[track_caller]
fn stays_polynomial(most: f64, forms: &[&str]) {
    let limits = Limits::default().with_time(None);
    for form in forms {
        for seed in 0..MEMBERS {
            let small = read(&member(form, seed, 2));
            let few = limits.clone().with_states(30_000);
            let fast = engine::analyze(&small, &limits, &Unobserved).unwrap();
            if let Ok(slow) = enumerate(&small, &few, &Unobserved) {
                assert_eq!(values(&fast), values(&slow), "{}", member(form, seed, 2));
            }
            let mut points = Vec::new();
            for n in SIZES {
                let text = member(form, seed, n);
                let start = Instant::now();
                let answer = engine::analyze(&read(&text), &limits, &Unobserved)
                    .unwrap_or_else(|error| panic!("{text}: {error}"));
                assert_eq!(answer.route, Route::Residual, "{text}");
                assert!(start.elapsed() < LONGEST, "{text}: {:?}", start.elapsed());
                points.push((n, answer.states));
            }
            let power = power(&points);
            assert!(
                power <= most,
                "{}: states grow with the power {power:.2}: {points:?}",
                member(form, seed, 64)
            );
        }
    }
}

/// 1. Sums, counts and products of nested selections and filters.
#[test]
fn selections_stay_polynomial() {
    stays_polynomial(
        1.8,
        &[
            "sum($F $D)",
            "sum(high $c (drop low $c $D))",
            "count($F (drop high $c $D))",
            "sum(drop low $c (drop high $c ($n#d8,3#d6)))",
            "sum(low $c ($F (high 4 $D)))",
            "prod(high 3 $D)",
            "count $F $n#(high 2 3#d6)",
            "sum high $c ($n#(sum(drop low 1 4#d6)))",
            "sum high $c ($n#(high $c 3#d6),$n#d6)",
            "sum($F $n#(sum(high 2 (d6,d8,d4))))",
        ],
    );
}

/// 2. One pool seen through several sums and counts.
#[test]
fn counts_of_one_pool_stay_polynomial() {
    stays_polynomial(
        2.2,
        &[
            "let $x=$D in (count $F $x)-(count ==1 $x)",
            "let $x=$D in (sum $F $x)+$c*(count $F $x)-(sum <3 $x)",
            "let $x=$D in (count >4 $x)*(count $F $x)",
            "let $x=$D in let $y=count $F $x in let $z=count $F $x in if >$y $z then $y-$z else $c",
            "let $x=$D in if >$c ((count >4 $x)-(count ==1 $x)) then count >4 $x else 0-(count $F $x)",
            "let $x=$D in high 1 ((count ==6 $x),(count $F $x))",
            "let $x=$D in (sum(high $c $x))+(count $F $x)",
            "let $x=$D in ((count $F $x)/2)+((count ==1 $x)%3)",
        ],
    );
}

/// 3. Sets and patterns.
#[test]
fn patterns_stay_polynomial() {
    stays_polynomial(
        2.8,
        &[
            "let $x=$D in high 1 (foreach $y in 1..6 do count ==$y $x)",
            "let $x=$D in high 1 (foreach $y in $x do count ==$y $x)",
            "let $x=$n#d6 in high 1 (foreach $y in 1..6 do sum ==$y $x)",
            "let $x=$D in count(foreach $y in 1..6 do first 1 ==$y $x)",
            "let $x=$D in count(foreach $y in $x do if >$c (count ==$y $x) then $y else ())",
            "let $x=$n#d6 in high 1 (foreach $y in 1..6 do 100*(count ==$y $x)+$y)",
            "let $x=$n#d6 in sum(foreach $y in 1..6 do (count ==$y $x)^2)",
            "let $x=$n#d6 in sum(foreach $y in $x do count ==$y $x)",
            "let $x=$n#d4 in sum(high 2 (foreach $y in 1..4 do count ==$y $x))",
            "let $x=$D in high 1 (foreach $y in 1..6 do foreach $z in $y..6 do \
             if ==($z-$y+1) (count (foreach $v in $y..$z do first 1 ==$v $x)) then $z-$y+1 else ())",
        ],
    );
}

/// 4. Two pools.
#[test]
fn pools_against_pools_stay_polynomial() {
    stays_polynomial(
        2.3,
        &[
            "(high 1 $E)-(high 1 $n#d8)",
            "let $x=$n#d6 in let $y=$n#d4 in count((<(high 1 $x) high 1 $y),(<(high 1 low 2 $x) low 1 $y))",
            "let $x=$n#d6 in let $y=$n#d6 in count(foreach $z in 1..3 do <(high 1 low $z $x) (high 1 low $z $y))",
            "count >(high 1 $E) $n#d8",
            "let $x=$n#d6 in let $y=$n#d4 in (count >(high 1 $y) $x)-(count >(high 1 $x) $y)",
            "let $x=$D in let $y=$n#d6 in if >(sum $x) (sum $y) then 1 else 0",
            "let $x=$n#d4 in let $y=3#d4 in count(foreach $z in $x do if ==$z $y then () else $z)",
            "let $x=$n#d4 in let $y=$c#d4 in sum(foreach $z in 1..4 do $z*(high 1 (0,(count ==$z $x)-(count ==$z $y))))",
        ],
    );
}

/// 5. Thresholds that are rolled.
#[test]
fn rolled_thresholds_stay_polynomial() {
    stays_polynomial(
        2.2,
        &[
            "let $x=$E in sum(==(high 1 $x) $x)",
            "let $x=$n#d6 in count >((count ==1 $x)+(low 1 $x)) $x",
            "let $x=$n#d8 in count >(count ==8 $x) $x",
            "count >=d6 $D",
            "count >=(d6+d$c) $n#d10",
            "let $x=$n#d6 in let $y=sum low 2 $x in count >$y $x",
            "let $x=$n#d6 in sum(high (count $F $x) $n#d8)",
            "let $x=$n#d6 in sum(drop low (count ==1 $x) $x)",
            "let $x=2#d6 in sum($n#(count >(high 1 $x) d8))",
        ],
    );
}

/// 6. Counts that become numbers of dice.
#[test]
fn chains_stay_polynomial() {
    stays_polynomial(
        2.2,
        &[
            "sum((count $F (count $F $D)#d6)#d6)",
            "count >4 ((count $F (count >2 $n#d6)#d6)#d6)",
            "let $x=count $F $n#d6 in (sum $x#d6)-(count >2 $x#d8)",
            "let $x=(count $F $n#d6)#d6 in (sum $x)-(count ==1 $x)",
            "high 1 ((count >$c $D)#d6)",
            "let $x=$n#d6 in let $y=(count ==6 $x)#d6 in let $z=(count ==6 $y)#d6 in sum high 3 ($x,$y,$z)",
            "let $x=$D in count >4 ($x,((count ==6 $x)#d6))",
            "sum((count ==6 $n#d6)#(high 2 3#d6))",
        ],
    );
}

/// 7. Dice that are rolled again, or add dice.
#[test]
fn random_maps_stay_polynomial() {
    stays_polynomial(
        2.2,
        &[
            "sum(foreach $x in $D do if $F $x then d6 else $x)",
            "sum high $c (foreach $x in $n#d6 do if $F $x then ($x,d6) else $x)",
            "count $F (foreach $x in $n#d6 do $x#d6)",
            "let $x=$n#d6 in (sum $x)+(sum (foreach $y in $x do if $F $y then d6 else $y))",
            "let $x=$n#d6 in let $y=(foreach $z in $x do if $F $z then d6 else $z) in (sum $y)-(count ==1 $x)",
            "let $x=$n#d6 in let $y=(foreach $z in $x do if <=2 $z then d6 else $z) in sum high $c $y",
            "let $x=$n#d6 in let $y=low $c $x in (sum drop low $c $x)+(sum (foreach $z in $y do d6))",
            "let $x=$n#d6 in let $y=high 1 $x in sum(foreach $z in $x do if ==$y $z then d6 else $z)",
            "let $x=d6 in let $y=$n#d6 in (count ==1 $y)+(sum(foreach $z in $y do if <=$x $z then d6 else $z))",
        ],
    );
}

/// 8. Draws without replacement.
#[test]
fn deals_stay_polynomial() {
    stays_polynomial(
        2.3,
        &[
            "sum(first $c perm (1..$N))",
            "let $x=first 4 perm (1..$N) in (high 1 $x)-(low 1 $x)",
            "count $F (first $n perm ((1..$N),(1..4)))",
            "let $x=perm (1..$N) in (sum first $c $x)-(sum last 2 $x)",
            "let $x=perm ((1..$n),(1..6)) in (high 1 first 3 $x)-(count $F first 2 drop first 3 $x)",
            "let $x=perm (1..$n) in count >(first 1 $x) (first 3 drop first 1 $x)",
            "sum first (d4) perm (1..$N)",
            "let $x=first $c perm ((1..6),(1..6),(1..$n)) in high 1 (foreach $y in 1..6 do count ==$y $x)",
        ],
    );
}

/// 9. Several numbers at once, and lists: the answer has as many values as there are combinations.
#[test]
fn lists_stay_polynomial() {
    stays_polynomial(
        2.2,
        &[
            "let $x=$n#d6 in (count >=5 $x),(count $F $x)",
            "let $x=$n#d4 in (high 1 $x),(count $F $x)",
            "sort (high $c $n#d6)",
            "sort ($F $n#d4)",
            "$n#d2",
            "let $x=$n#d4 in first $c (sort $x)",
            "let $x=sort ($F $n#d6) in count >3 (first $c $x)",
        ],
    );
}
