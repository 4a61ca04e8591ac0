//! What `--explain` prints: how each answer was found, the optimal strategy, and the time it took.

use std::io::Write as _;
use std::time::Duration;

use dicedist::Error;
use dicedist::ask::{Series, Solved};
use dicedist::engine::{Plan, Route};
use dicedist::report::{Style, strategy};
use dicedist::source::Shown;

use super::plan::milliseconds;
use super::progress::Progress;

/// The text that grows with each answer.
#[derive(Debug, Default)]
pub(super) struct Explanation {
    text: Shown<Vec<u8>>,
    time: Duration,
}

impl Explanation {
    /// What is said about one more rule.
    pub(super) fn add(&mut self, other: &Self) {
        self.time += other.time;
        // Writing to memory does not fail.
        let _ = write!(self.text, "{}", other.text);
    }

    /// An answer, or why there is none.
    pub(super) fn of(&mut self, solved: &Solved<'_>, progress: &Progress, time: Duration) {
        self.time += time;
        let time = milliseconds(time);
        let label = solved.series.label();
        let result = match &solved.answer {
            Ok(answer) => format!(
                "  {}: {} states, {} outcomes, {time}",
                route(answer.route),
                answer.states,
                answer.outcomes().len()
            ),
            Err(error) => format!("  ended after {time}: {error}"),
        };
        let tree = progress.plan();
        let _ = writeln!(self.text, "plan of {label}:\n{tree}{result}");
    }

    /// The optimal strategy of a rule, or why it is not known. A rule without choices has none.
    pub(super) fn of_strategy(
        &mut self,
        series: &Series,
        plans: &Result<Vec<Plan>, Error>,
        style: &Style,
    ) {
        let plans = match plans {
            Ok(plans) => plans,
            Err(error) => {
                let _ = writeln!(self.text, "no strategy: {error}");
                return;
            }
        };
        // Writing to memory does not fail.
        let _ = strategy::write(plans, &series.source, style, &mut self.text);
    }

    /// The whole text, with the time of all answers together.
    pub(super) fn finish(mut self) -> Shown<Vec<u8>> {
        let _ = writeln!(self.text, "time: {}", milliseconds(self.time));
        self.text
    }
}

/// The way in which an answer was found, in words.
fn route(route: Route) -> String {
    match route {
        Route::Enumerated(reason) => format!("every path listed ({reason})"),
        Route::Residual => "residual programs".into(),
        Route::Sampled(_) => "random rolls".into(),
        _ => "found otherwise".into(),
    }
}
