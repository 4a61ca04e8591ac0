//! Ability scores: what is the chance of each, and how do two ways of rolling them compare?
//!
//! Run with `cargo run --example ability_scores`.

use dicedist::Error;
use dicedist::dice::d;

fn main() -> Result<(), Error> {
    let heroic = d(6).times(4).drop_lowest(1).sum().solve()?;
    let plain = d(6).times(3).sum().solve()?;

    println!("score  4d6 drop lowest  3d6");
    for score in 3..=18 {
        let [heroic, plain] = [&heroic, &plain].map(|dist| dist.probability_of(score).to_string());
        println!("{score:>5}  {heroic:>15}  {plain}");
    }
    println!("15 or more, 4d6 drop lowest: {}", heroic.at_least(15));
    assert_eq!(heroic.at_least(15).to_string(), "25/108");

    let duel = heroic.versus(&plain).expect("both are exact");
    println!("higher than 3d6: {:.3}", duel.a_wins.to_f64());
    Ok(())
}
