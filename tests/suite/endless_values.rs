//! Loops with infinitely many values, of which something is asked that has an exact answer. Every expected number is derived by
//! hand in a comment beside it.

use dicedist::limits::Limits;
use dicedist::number::Fraction;
use dicedist::{Answer, Dialect};

fn fraction(text: &str) -> Fraction {
    text.parse().unwrap()
}

fn answer(text: &str) -> Answer {
    dicedist::analyze(Dialect::Bones, text, &Limits::default()).unwrap()
}

/// Asserts that a rule has these probabilities of 0, 1, 2, … and no others.
fn assert_shares(text: &str, shares: &[&str]) {
    let answer = answer(text);
    let numbers = answer.numbers().unwrap();
    let found = (0..shares.len()).map(|value| numbers.weight_of(&value.into()));
    let found: Vec<Fraction> = found.map(|weight| answer.probability(&weight)).collect();
    let expected: Vec<Fraction> = shares.iter().map(|share| fraction(share)).collect();
    assert_eq!(found, expected, "{text}");
    assert_eq!(found.iter().sum::<Fraction>(), fraction("1"), "{text}");
}

/// A round that ends with p ends an odd number of rounds with `p + (1-p)²p + … = p/(1 - (1-p)²) = 1/(2-p)`: 2/3 for 1/2, 3/5 for
/// 1/3.
#[test]
fn remainders_of_loops_are_exact() {
    let rounds = |sides: u32| format!("count(while y=1 do (if ==1 d{sides} then () else y))");
    let (two, three) = (rounds(2), rounds(3));
    assert_shares(&format!("{two}%2"), &["1/3", "2/3"]);
    assert_shares(&format!("let n={two} in (n%2)"), &["1/3", "2/3"]);
    assert_shares(&format!("let n={two} in ((3*n+1)%2)"), &["2/3", "1/3"]);
    // Even: both odd with 2/3·3/5, both even with 1/3·2/5.
    assert_shares(&format!("({two}+{three})%2"), &["8/15", "7/15"]);
    assert_shares(
        &format!("let n={two} in let m={three} in ((n+m)%2)"),
        &["8/15", "7/15"],
    );
    // The sum of two: odd with 2·2/3·1/3.
    assert_shares(&format!("(sum(2#{two}))%2"), &["5/9", "4/9"]);
    // One die that is rolled again on a 3 is rolled 3k+1 times with (2/3)/(1-1/27) = 9/13, 3k+2 times with 3/13, and 3k times
    // with 1/13. Two of them: 0 from 0+0 and 1+2, 1 from 0+1 and 2+2, 2 from 0+2 and 1+1.
    assert_shares(
        "(count(while x=2#d3 do ((count ==3 x)#d3)))%3",
        &["55/169", "27/169", "87/169"],
    );
    // From a round on, the sum of the d2 is odd with a = (1 - a)/2 = 1/3. A first value of 0 leaves it so, 1 makes it 1 - a, and
    // 2 ends the loop: (1/3 + 2/3 + 0)/3.
    assert_shares(
        "(sum(while y=d3-1 do (if <=1 y then d2 else ())))%2",
        &["2/3", "1/3"],
    );
}
