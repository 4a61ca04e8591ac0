//! Ability scores: what is the chance of each, and how do two ways of rolling them compare?
//!
//! Run with `cargo run --example ability_scores`.

use dicedist::number::Fraction;
use dicedist::{Dialect, Error, Limits, analyze};

fn main() -> Result<(), Error> {
    let limits = Limits::default();
    let heroic = analyze(Dialect::Bones, "sum(drop low 1 4#d6)", &limits)?;
    let plain = analyze(Dialect::Bones, "sum(3#d6)", &limits)?;

    println!("score  4d6 drop lowest  3d6");
    for score in 3..=18 {
        let [heroic, plain] = [&heroic, &plain].map(|answer| {
            let numbers = answer.numbers().expect("a sum is one number");
            answer.probability(&numbers.weight_of(&score.into()))
        });
        println!("{score:>5}  {heroic:>15}  {plain}");
    }

    let numbers = heroic.numbers().expect("a sum is one number");
    let good: Fraction = (0..numbers.len())
        .filter(|&index| numbers.outcomes()[index] >= 15.into())
        .map(|index| numbers.probability(index))
        .sum();
    println!("15 or more, 4d6 drop lowest: {good}");
    assert_eq!(good.to_string(), "25/108");
    Ok(())
}
