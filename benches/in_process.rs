//! One rule, once, in a process that has answered others: `cargo bench --bench in_process -- "sum(drop low 1 4#d6)"`.
//!
//! Prints the milliseconds from the text to the distribution. The rule is new to the process, and the code is in memory:
//! so `benches/peers` compares the crate with libraries of other languages. Without a rule, each of the others is timed.

use std::time::{Duration, Instant};

use dicedist::{Error, Rule};

/// What is answered before the clock runs, unless it is the rule.
const OTHERS: &[&str] = &[
    "sum(drop low 1 4#d6)",
    "sum(high 5 20#d10)",
    "let c=50#d10 in (count >7 c)-(count ==1 c)",
    "let a=3#d6 in let b=2#d6 in count((<(high 1 a) high 1 b), (<(high 1 low 2 a) low 1 b))",
    "let x=7#d10 in high 1 (foreach y in 1..10 do sum (==y x))",
];

/// How often they are.
const ROUNDS: usize = 20;

/// The time from a text to its distribution.
fn time(text: &str) -> Result<Duration, Error> {
    let start = Instant::now();
    let dist = Rule::bones(text)?
        .solver()
        .time(Duration::from_secs(60))
        .run()?;
    let time = start.elapsed();
    drop(dist);
    Ok(time)
}

/// The time of a rule that is new to the process.
fn time_after_others(text: &str) -> Result<Duration, Error> {
    for _ in 0..ROUNDS {
        for other in OTHERS.iter().filter(|&&other| other != text) {
            time(other)?;
        }
    }
    time(text)
}

fn main() -> Result<(), Error> {
    // Cargo adds options of its own.
    let rules: Vec<String> = std::env::args()
        .skip(1)
        .filter(|rule| !rule.starts_with('-'))
        .collect();
    let others = || OTHERS.iter().map(|&other| other.to_owned());
    let rules = if rules.is_empty() {
        others().collect()
    } else {
        rules
    };
    for rule in rules {
        let time = time_after_others(&rule)?;
        let tenths_of_micros = time.as_nanos() / 100;
        let (whole, rest) = (tenths_of_micros / 10_000, tenths_of_micros % 10_000);
        println!("{whole}.{rest:04} ms  {rule}");
    }
    Ok(())
}
