//! Help that names the option of the command line which solves what the library complains about.

use dicedist::error::Remedy;
use dicedist::limits::LimitReached;
use dicedist::{Diagnostic, Error, ErrorKind};

use super::echo::echoed;
use super::meter;

/// The error with help that names the option, where there is one.
pub(super) fn with_options(error: Error) -> Error {
    let limit = error.limit();
    let is_refused = error.kind() == ErrorKind::Parse;
    error.map(|diagnostic| match (limit, &diagnostic.remedy) {
        (Some(reached), _) => with_option(diagnostic, reached),
        (None, Some(Remedy::GiveValue(name))) => {
            let option = format!("give it a value with `--set {}=5`", echoed(name));
            match &diagnostic.help {
                // The rule that the help suggests needs the value as well.
                Some(help) if is_refused => {
                    let both = format!("{help}, and {option}");
                    diagnostic.with_help(both)
                }
                _ => with_alternative(diagnostic, option),
            }
        }
        (None, _) => diagnostic,
    })
}

/// The diagnostic with help that names the option which raises a limit, where there is one.
pub(super) fn with_option(diagnostic: Diagnostic, reached: LimitReached) -> Diagnostic {
    let option = match reached {
        LimitReached::Memory(limit)
            if meter::memory_of_system().is_some_and(|most| most <= limit) =>
        {
            let help = "raise the system's limit with `ulimit -v`";
            return with_alternative(diagnostic, help.into());
        }
        LimitReached::Memory(_) => "--max-memory",
        LimitReached::States(_) => "--max-states",
        LimitReached::Time(_) => "--time-limit",
        _ => return diagnostic,
    };
    with_alternative(diagnostic, format!("raise the limit with {option}"))
}

/// The diagnostic with one more thing to do, beside what its help says already.
fn with_alternative(diagnostic: Diagnostic, option: String) -> Diagnostic {
    let help = match &diagnostic.help {
        None => option,
        Some(help) => format!("{help}, or {option}"),
    };
    diagnostic.with_help(help)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use dicedist::notation::Settings;

    use super::*;

    #[test]
    fn a_limit_names_its_option() {
        for (reached, expected) in [
            (
                LimitReached::Memory(1),
                Some("raise the limit with --max-memory"),
            ),
            (
                LimitReached::States(1),
                Some("raise the limit with --max-states"),
            ),
            (
                LimitReached::Time(Duration::ZERO),
                Some("raise the limit with --time-limit"),
            ),
            (LimitReached::List, None),
        ] {
            let error = with_options(reached.into());
            assert_eq!(error.diagnostics()[0].help.as_deref(), expected);
        }
    }

    #[test]
    fn a_free_variable_can_be_bound_or_set() {
        let rule = dicedist::Rule::bones("d6+k").unwrap();
        let read = rule.parsed().unwrap();
        let error = read.lower(&Settings::default()).unwrap_err();
        let help = |error: &Error| error.diagnostics()[0].help.clone().unwrap();
        assert_eq!(help(&error), "write `let k = … in …`");
        assert_eq!(
            help(&with_options(error)),
            "write `let k = … in …`, or give it a value with `--set k=5`"
        );
    }
}
