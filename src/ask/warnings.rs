//! Warnings about answers: what they are not.

use std::time::Duration;

use super::series::Series;
use crate::engine::{self, Answer, Route};
use crate::error::{Diagnostic, Remedy};
use crate::limits::{LimitReached, Limits, Unobserved};
use crate::notation::Settings;
use crate::number::Fraction;
use crate::report::decimal;

/// The most states for the other reading of a text, which is only compared.
const STATES_OF_OTHER: u64 = 20_000;

/// The most time for the other reading of a text.
const TIME_OF_OTHER: Duration = Duration::from_millis(200);

/// The warning that an answer is sampled, with the reason; `None` for an exact answer.
pub(super) fn sampled(answer: &Answer, wanted: u64) -> Option<Diagnostic> {
    let sampling = answer.sampling()?;
    let Route::Sampled(Some(reached)) = answer.route else {
        return None;
    };
    let message = format!("an estimate from random rolls, because {reached}");
    let warning = Diagnostic::without_place(message)
        .with_code("sampled")
        .with_remedy(Remedy::RaiseLimit(reached));
    let taken = sampling.samples;
    Some(match sampling.stopped {
        None => warning,
        Some(limit) => {
            let limit = limit.name();
            warning.with_note(format!("out of {limit} after {taken} of {wanted} rolls"))
        }
    })
}

/// The warning that an error could be neither found nor excluded.
pub(super) fn undecided(answer: &Answer) -> Option<Diagnostic> {
    if answer.may_fail == Fraction::default() {
        return None;
    }
    let most = decimal::nearest(&answer.may_fail);
    let message = format!("this rule may fail, with a probability of no more than {most:.2e}");
    let note = "the states that were followed neither lead to the error nor exclude it";
    let warning = Diagnostic::without_place(message)
        .with_code("undecided")
        .with_note(note);
    Some(warning.with_remedy(Remedy::FollowMore))
}

/// The warning that a plan that goes on for longer was not looked at.
pub(super) fn within(answer: &Answer) -> Option<Diagnostic> {
    let situations = answer.plays_within?;
    let message = format!(
        "this is the best play among the first {situations} situations of the loop, which has more"
    );
    let note = "half as many have the same mean; a play that goes on for longer was not looked at";
    Some(
        Diagnostic::without_place(message)
            .with_code("nearest-play")
            .with_note(note)
            .with_help(
                "--exact looks at all situations, if there is an end of them within the limits",
            ),
    )
}

/// The warning that comparing took too long.
#[must_use]
pub fn not_compared(reached: LimitReached) -> Diagnostic {
    let message = format!(
        "not all rules are compared, because the limit of {} is reached",
        reached.name()
    );
    Diagnostic::without_place(message)
        .with_code("not-compared")
        .with_remedy(Remedy::RaiseLimit(reached))
}

/// The warning that another notation reads the same text otherwise, where nobody named a notation.
pub(super) fn ambiguous(
    series: &Series,
    answer: &Answer,
    reading: &Settings,
    is_ordered: bool,
) -> Option<Diagnostic> {
    let other = series.other.as_ref()?;
    let parameters = series.parameters.iter().cloned().collect();
    let settings = reading.clone().with_parameters(parameters);
    let program = other.lower(&settings).ok()?.swap_remove(0).program;
    let own = &series.reading.program;
    if program.to_string() == own.to_string() && program.unit() == own.unit() {
        return None;
    }
    let program = if is_ordered {
        program
    } else {
        program.sorted()
    };
    let limits = Limits::default()
        .with_states(STATES_OF_OTHER)
        .with_time(Some(TIME_OF_OTHER));
    let same = engine::analyze(&program, &limits, &Unobserved).is_ok_and(|read| {
        let listed = |answer: &Answer| -> Vec<_> {
            let outcomes = answer.outcomes().iter();
            outcomes
                .map(|(value, weight)| {
                    (
                        value.exact(&answer.unit, &answer.shape),
                        answer.probability(weight),
                    )
                })
                .collect()
        };
        answer.is_complete() && read.is_complete() && listed(answer) == listed(&read)
    });
    let other = other.dialect().name();
    let own = series.parsed.dialect().name();
    let message = format!("{other} reads this otherwise, and this is read as {own}");
    let warning = Diagnostic::new(series.parsed.span(), message).with_code("ambiguous");
    (!same).then(|| warning.with_remedy(Remedy::ChooseNotation { own, other }))
}
