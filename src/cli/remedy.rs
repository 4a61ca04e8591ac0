//! The options of the command line that help where the library says what is wrong.

use dicedist::error::Remedy;
use dicedist::limits::LimitReached;
use dicedist::{Diagnostic, Error};

/// The error with help that names the option, where there is one.
pub(super) fn with_options(error: Error) -> Error {
    error.map(with_option)
}

/// One finding with help that names the option, where there is one.
pub(super) fn with_option(diagnostic: Diagnostic) -> Diagnostic {
    match option(&diagnostic) {
        None => diagnostic,
        Some(option) => {
            let help = match &diagnostic.help {
                None => option,
                Some(help) => format!("{help}, or {option}"),
            };
            diagnostic.with_help(help)
        }
    }
}

fn option(diagnostic: &Diagnostic) -> Option<String> {
    Some(match diagnostic.remedy.as_ref()? {
        Remedy::GiveValue(name) => format!("give it a value with `--set {name}=5`"),
        Remedy::RaiseLimit(LimitReached::Memory(_)) => "raise the limit with --max-memory".into(),
        Remedy::RaiseLimit(LimitReached::States(_)) => "raise the limit with --max-states".into(),
        Remedy::RaiseLimit(LimitReached::Time(_)) => "raise the limit with --time-limit".into(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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
        let error = dicedist::read(dicedist::Dialect::Bones, "d6+k").unwrap_err();
        let help = |error: &Error| error.diagnostics()[0].help.clone().unwrap();
        assert_eq!(help(&error), "write `let k = … in …`");
        assert_eq!(
            help(&with_options(error)),
            "write `let k = … in …`, or give it a value with `--set k=5`"
        );
    }
}
