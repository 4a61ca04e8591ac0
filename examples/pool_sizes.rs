//! How many dice does a pool need for an even chance of three successes? The free variable `n` of the rule is
//! given one value after the other.
//!
//! Run with `cargo run --example pool_sizes`.

use dicedist::{Error, Rule};

fn main() -> Result<(), Error> {
    let rule = Rule::bones("count >=8 n#d10")?;
    for size in 3..=10 {
        let success = rule.clone().with("n", size).solve()?.at_least(3);
        let verdict = if success.to_f64() >= 0.5 {
            "more likely than not"
        } else {
            "unlikely"
        };
        println!("{size} dice: {success}, {verdict}");
    }
    Ok(())
}
