//! How the process ends.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use dicedist::ask::Misfit;
use dicedist::error::Remedy;
use dicedist::limits::LimitReached;
use dicedist::notation::Dialect;
use dicedist::source::echoed;
use dicedist::{Diagnostic, Error, ErrorKind};

use super::remedy::{with_option, with_options};
use super::values;

/// The exit status of the process. Ordered by which one wins when several rules end differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    /// Every rule was answered.
    Answered,
    /// A limit was reached.
    Limit,
    /// A rule is wrong.
    WrongRule,
    /// Two evaluators differ about a rule: the program is wrong.
    Disagreement,
    /// The command line is wrong.
    Usage,
    /// A file could not be read or written.
    Io,
    /// The user asked to stop.
    Interrupted,
}

impl Status {
    /// The kind of error in JSON, for an error of the whole call.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Answered | Self::Disagreement => "other",
            Self::Interrupted => "interrupted",
            Self::Io => "io",
            Self::Limit => "limit",
            Self::Usage => "usage",
            Self::WrongRule => "parse",
        }
    }

    /// The exit code of the process.
    pub(super) fn code(self) -> u8 {
        match self {
            Self::Answered => 0,
            Self::Disagreement | Self::WrongRule => 1,
            Self::Usage => 2,
            Self::Limit => 3,
            Self::Io => 4,
            // By the convention of shells: 128 and the number of the signal.
            Self::Interrupted => 130,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        status.code().into()
    }
}

/// Why the process ends before its work is done.
#[derive(Debug)]
pub(super) enum Stop {
    /// The reader has closed the pipe; that is no error.
    ClosedPipe,
    /// The user asked to stop.
    Interrupted,
    /// Something is wrong with the call as a whole.
    Message(Status, String),
}

impl From<LimitReached> for Stop {
    fn from(reached: LimitReached) -> Self {
        match reached {
            LimitReached::Interrupted => Self::Interrupted,
            reached => Self::Message(Status::Limit, with_options(reached.into()).to_string()),
        }
    }
}

impl From<Misfit> for Stop {
    /// In the words of the options.
    fn from(misfit: Misfit) -> Self {
        Self::usage(match misfit {
            Misfit::Limit(reached) => return reached.into(),
            Misfit::TooManyWrong(mut first) => {
                first.error = with_options(first.error);
                let misfit = Misfit::TooManyWrong(first);
                return Self::Message(Status::WrongRule, misfit.to_string());
            }
            Misfit::OnlyDefinitions => {
                return Self::Message(Status::WrongRule, misfit.to_string());
            }
            Misfit::TooManyRules | Misfit::NoCommonUnit => {
                return Self::Message(Status::Limit, misfit.to_string());
            }
            Misfit::NameTwice(name) => {
                let name = echoed(&name);
                format!("--set gives '{name}' its values twice; write {name}=1,2,3 for several")
            }
            Misfit::NameUnused { name, reason } => {
                let reason = reason.map(|reason| format!(": {reason}"));
                format!(
                    "--set gives a value to '{}', but no rule has a free variable of that name{}",
                    echoed(&name),
                    reason.unwrap_or_default()
                )
            }
            Misfit::NoPool(dialect) => {
                let names = Dialect::ALL.iter().filter(|dialect| dialect.has_pools());
                let names: Vec<_> = names.map(|dialect| dialect.name()).collect();
                format!(
                    "--pool is for rules in {}; the result of a rule in {dialect} is the list that it says",
                    names.join(" or ")
                )
            }
            Misfit::AllSidesSaid => {
                "--default-sides is for rules in onedice; a die in anydice says its sides".into()
            }
            Misfit::NoLists => "--ordered is for lists; an output of anydice is a number".into(),
            Misfit::UnknownLabel { text, labels } => {
                let instead = values::instead_of_one(&text);
                let text = echoed(&text);
                if labels.is_empty() {
                    let reason = instead.unwrap_or_else(|| "no rule has labels".into());
                    format!("--exactly needs a number, found '{text}'; {reason}")
                } else {
                    let labels = echoed(&labels.join(", "));
                    format!("--exactly '{text}': no rule has this label; there are {labels}")
                }
            }
            misfit => misfit.to_string(),
        })
    }
}

impl Stop {
    /// The command line is wrong.
    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self::Message(Status::Usage, message.into())
    }

    /// A limit was reached before everything was written.
    fn unfinished(reached: LimitReached) -> Self {
        if reached == LimitReached::Interrupted {
            return Self::Interrupted;
        }
        let limit = Diagnostic::without_place(format!(
            "given up before everything was written: the limit of {} is reached",
            reached.name()
        ));
        let error = Error::new(
            ErrorKind::Limit,
            with_option(limit.with_remedy(Remedy::RaiseLimit(reached))),
        );
        Self::Message(Status::Limit, error.to_string())
    }

    /// Writing to a file, or to standard output (`-`), went wrong.
    pub(super) fn writing(path: &Path, error: &io::Error) -> Self {
        let inner = error.get_ref();
        if let Some(reached) = inner.and_then(|inner| inner.downcast_ref::<LimitReached>()) {
            return Self::unfinished(*reached);
        }
        if path == Path::new("-") {
            if error.kind() == io::ErrorKind::BrokenPipe {
                return Self::ClosedPipe;
            }
            return Self::Message(
                Status::Io,
                format!("cannot write to standard output: {}", plain(error)),
            );
        }
        Self::Message(
            Status::Io,
            format!("cannot write '{}': {}", path.display(), plain(error)),
        )
    }
}

/// The text of a system error in the form of our own messages: lower case, without the number.
pub(super) fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = match text.find(" (os error") {
        Some(end) => &text[..end],
        None => &text,
    };
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(characters).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_rule_outweighs_a_limit() {
        assert!(Status::WrongRule > Status::Limit);
    }

    #[test]
    fn system_errors_lose_their_number_and_their_capital() {
        let error = io::Error::from_raw_os_error(2);
        assert!(!plain(&error).contains("os error"), "{}", plain(&error));
        assert!(plain(&error).starts_with(char::is_lowercase));
    }

    #[test]
    fn writers_that_are_interrupted_end_the_process_quietly() {
        let stop = Stop::writing(Path::new("-"), &LimitReached::Interrupted.into());
        assert!(matches!(stop, Stop::Interrupted));
    }
}
