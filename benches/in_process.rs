//! One rule, once, in a process that has answered others: `cargo bench -p dicedist-benches --bench in_process -- RULE OTHER...`.
//!
//! Answers the other rules, and prints the milliseconds from the text of the first one to its distribution. That rule is new to the
//! process, and the code is in memory: so `benches/peers` compares the crate with libraries of other languages.

use std::time::{Duration, Instant};

use dicedist::{Dist, Error, Rule};

/// The rule that is timed where none is named.
const RULE: &str = "sum(drop low 1 4#d6)";

/// The distribution of a rule, from its text.
fn answer(text: &str) -> Result<Dist, Error> {
    let rule = Rule::bones(text)?;
    rule.solver().time(Duration::from_secs(60)).run()
}

fn main() -> Result<(), Error> {
    // Cargo adds options of its own.
    let texts = std::env::args().skip(1);
    let mut texts = texts.filter(|text| !text.starts_with('-'));
    let rule = texts.next().unwrap_or_else(|| RULE.to_owned());
    for other in texts {
        answer(&other)?;
    }
    let start = Instant::now();
    let answered = answer(&rule)?;
    let time = start.elapsed();
    drop(answered);
    let tenths_of_micros = time.as_nanos() / 100;
    let (whole, rest) = (tenths_of_micros / 10_000, tenths_of_micros % 10_000);
    println!("{whole}.{rest:04} ms  {rule}");
    Ok(())
}
