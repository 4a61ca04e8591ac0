//! Help that names the option of the command line which solves what the library complains about.

use dicedist::error::Remedy;
use dicedist::limits::LimitReached;
use dicedist::report::Refused;
use dicedist::{Diagnostic, Error, ErrorKind};

use super::meter;
use dicedist::source::echoed;

/// The error with help that names the option, where there is one.
pub(super) fn with_options(error: Error) -> Error {
    let is_refused = error.kind() == ErrorKind::Parse;
    error.map(|finding| named(finding, is_refused))
}

/// A rule that could not be answered, with help that names the options.
pub(super) fn in_options(refused: Refused) -> Refused {
    let error = with_options(refused.error.clone());
    let mut refused = refused;
    refused.error = error;
    refused
}

/// The finding with help that names the options which its remedies are about.
pub(super) fn with_option(finding: Diagnostic) -> Diagnostic {
    named(finding, false)
}

fn named(mut finding: Diagnostic, is_refused: bool) -> Diagnostic {
    for remedy in std::mem::take(&mut finding.remedies) {
        finding = match remedy {
            Remedy::RaiseLimit(reached) => raised(finding, reached),
            Remedy::GiveValue(name) => set(finding, &name, is_refused),
            Remedy::FollowMore => finding.with_help(
                "raise --max-states or lower --tolerance, so that more states are followed",
            ),
            Remedy::NameNotation { nearest, readers } => {
                let read_as = nearest.map(|name| format!("read as {name} (-d names another)"));
                let names = readers.join(" and ");
                let readers = (!readers.is_empty()).then(|| {
                    format!("with -d, {names} would read this, in a way of their own")
                });
                let notes = read_as.into_iter().chain(readers);
                notes.fold(finding, Diagnostic::with_note)
            }
            Remedy::ChooseNotation { own, other } => finding.with_help(format!(
                "write `-d {other}` for the other reading, or `-d {own}` for this one without the warning"
            )),
            _ => finding,
        };
    }
    finding
}

/// A text as one word of a shell, in quotes where a shell would read it in another way.
fn shell_word(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-.=/:+,@%".contains(letter);
    if text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The finding with the option that gives a name its value.
fn set(finding: Diagnostic, name: &str, is_refused: bool) -> Diagnostic {
    let setting = shell_word(&format!("{}=5", echoed(name)));
    let option = format!("give it a value with `--set {setting}`");
    match &finding.help {
        // The rule that the help suggests needs the value as well.
        Some(help) if is_refused || !finding.corrections.is_empty() => {
            let both = format!("{help}, and {option}");
            finding.with_help(both)
        }
        _ => with_alternative(finding, option),
    }
}

/// The finding with the option that raises a limit, where there is one.
fn raised(finding: Diagnostic, reached: LimitReached) -> Diagnostic {
    let option = match reached {
        LimitReached::Memory(limit)
            if meter::memory_of_system().is_some_and(|most| most <= limit) =>
        {
            let help = "raise the system's limit with `ulimit -v`";
            return with_alternative(finding, help.into());
        }
        LimitReached::Memory(_) | LimitReached::Written(_) => "--max-memory",
        LimitReached::Outcomes(_) => "--max-outcomes",
        LimitReached::States(_) => "--max-states",
        LimitReached::Time(_) => "--time-limit",
        _ => return finding,
    };
    with_alternative(finding, format!("raise the limit with {option}"))
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
                LimitReached::Outcomes(1),
                Some("raise the limit with --max-outcomes"),
            ),
            (
                LimitReached::States(1),
                Some("raise the limit with --max-states"),
            ),
            (
                LimitReached::Time(Duration::ZERO),
                Some("raise the limit with --time-limit"),
            ),
            (
                LimitReached::List,
                Some("make the rule smaller, or split it"),
            ),
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
