//! `--roll`: random results instead of a distribution.

use std::io::Write as _;

use dicedist::ask::Series;
use dicedist::engine::{self, Value};
use dicedist::ir::Shape;
use dicedist::limits::{Budget, LimitReached};
use dicedist::notation::Kind;
use dicedist::number::Integer;
use dicedist::report::Refused;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

use super::destination::to_standard_output;
use super::remedy::in_options;
use super::status::Stop;
use super::watch;

/// Rolls each series `rolls` times and prints one result per line. A series ends at the first roll that fails, or
/// when its limits are reached.
///
/// The same seed gives the same rolls on every machine. Each series has its own stream of random numbers, so
/// its rolls do not depend on those before it.
pub(super) fn roll(
    all: &[Series],
    rolls: u64,
    seed: u64,
    budget: &Budget<'_>,
    refused: &mut Vec<Refused>,
) -> Result<(), Stop> {
    let overtime = watch::overtime(budget);
    let writing = Budget::start(&overtime, budget.observer());
    to_standard_output(&writing, |out| {
        for (stream, series) in (0..).zip(all) {
            let mut generator = ChaCha8Rng::seed_from_u64(seed);
            generator.set_stream(stream);
            let prefix = match all {
                [_] => String::new(),
                _ => format!("{}: ", series.label()),
            };
            let program = engine::rolls(&series.reading.program, budget);
            for _ in 0..rolls {
                let rolled = budget
                    .look_at_clock()
                    .map_err(Into::into)
                    .and_then(|()| program.roll(engine::MAX_STEPS, &mut generator));
                if watch::is_interrupted() {
                    return Err(LimitReached::Interrupted.into());
                }
                match rolled {
                    Ok(members) if series.reading.kind == Kind::Condition => {
                        let holds = members == [Integer::ONE];
                        writeln!(out, "{prefix}{}", if holds { "yes" } else { "no" })?;
                    }
                    Ok(members) => {
                        let program = &series.reading.program;
                        let read = program.shape().read(&members);
                        let rolled = match program.shape() {
                            Shape::Numbers => Value::List(&members),
                            _ => Value::Members(&read),
                        };
                        let rolled = rolled.show(program.unit(), program.shape());
                        writeln!(out, "{prefix}{rolled}")?;
                    }
                    Err(error) => {
                        refused.push(in_options(series.refused(error)));
                        break;
                    }
                }
            }
        }
        Ok(())
    })
}
