//! How many dice does a pool need for an even chance of three successes? The free variable `n` of the rule is
//! given one value after the other.
//!
//! Run with `cargo run --example pool_sizes`.

use dicedist::limits::Unobserved;
use dicedist::notation::{Settings, parse};
use dicedist::number::Fraction;
use dicedist::source::Source;
use dicedist::{Dialect, Error, Limits, engine};

fn main() -> Result<(), Error> {
    let source = Source::new("pool", "if >=3 (count >=8 n#d10) then 1 else 0");
    let rule = parse(Dialect::Bones, &source, source.span())?;
    let half = Fraction::new(1.into(), 2.into());
    for size in 3..=10 {
        let settings = Settings::default().with_parameter("n", size);
        let program = &rule.lower(&settings)?[0].program;
        let answer = engine::analyze(program, &Limits::default(), &Unobserved)?;
        let numbers = answer.numbers().expect("both branches are one number");
        let success = answer.probability(&numbers.weight_of(&1.into()));
        let verdict = if success >= half {
            "more likely than not"
        } else {
            "unlikely"
        };
        println!("{size} dice: {success}, {verdict}");
    }
    Ok(())
}
