//! What is wrong with the command line, and the help that was asked for.
//!
//! In: what clap found, and the words as they were given. Out: a text on standard error or standard output, and the
//! exit status. A rule that starts with `-` looks like an option; the complaint then says how to write it.

use std::ffi::OsString;
use std::io::{self, Write as _};

use clap::Command;
use clap::error::{ContextKind, ContextValue};
use dicedist::source::{Shown, echoed, escaped, shortened};

use super::startup;
use super::status::{Status, plain};
use super::terminal::{self, Color};

/// The longest rule that is repeated whole, in characters.
const LONGEST_RULE: usize = 400;

/// Prints what is wrong with the command line, or the help that was asked for.
pub(super) fn complain(error: clap::Error, command: &mut Command, given: &[OsString]) -> Status {
    let before_dashes = given
        .iter()
        .map(|argument| argument.to_string_lossy())
        .take_while(|argument| argument != "--");
    let before_dashes: Vec<_> = before_dashes.collect();
    let pairs = before_dashes.windows(2);
    // The value of an option is no rule.
    let rule = pairs
        .filter(|pair| !takes_negative_number(command, &pair[0]))
        .map(|pair| &pair[1])
        .rfind(|argument| looks_like_a_rule(argument));
    if let Some(rule) = rule {
        let rule = escaped(&shortened(rule, LONGEST_RULE));
        let message = format!(
            "'{rule}' was read as an option; write a rule that starts with '-' after '--':\n\n  \
             dicedist -- '{rule}'"
        );
        return print(&command.error(clap::error::ErrorKind::UnknownArgument, message));
    }
    let mut error = with_echoes(error);
    if let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg)
        && let Some(option) = argument.strip_prefix('-')
    {
        let option = option.trim_start_matches('-').to_owned();
        let is_short = !argument.starts_with("--");
        let is_misspelt = match error.get(ContextKind::SuggestedArg) {
            Some(ContextValue::String(other)) => is_near(&option, other.trim_start_matches('-')),
            _ => false,
        };
        let meant = hint(&option);
        if meant.is_some() || !is_misspelt {
            // The suggestion of another option would not help.
            error.remove(ContextKind::SuggestedArg);
            error.remove(ContextKind::Suggested);
            error.remove(ContextKind::Usage);
        }
        let minus = "a rule that starts with '-' goes after '--'";
        if let Some(hint) = meant.or(is_short.then_some(minus)) {
            let hint = ContextValue::StyledStrs(vec![hint.into()]);
            error.insert(ContextKind::Suggested, hint);
        }
    }
    print(&error)
}

/// Whether two words begin with the same letters, at least half of the longer one.
fn is_near(word: &str, other: &str) -> bool {
    let common = word.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    2 * common.count() >= word.chars().count().max(other.chars().count())
}

/// What to write instead of an option that people expect, by its name without dashes.
fn hint(option: &str) -> Option<&'static str> {
    Some(match option {
        "ac" | "dc" | "target" | "tn" | "vs" => {
            "the probability of a number or more is '--at-least 15'"
        }
        "average" | "avg" | "max" | "mean" | "median" | "min" | "mode" | "sd" | "stats"
        | "summary" | "variance" => {
            "the figures stand below every table; '--view summary' shows them without the table"
        }
        "between" | "in" | "range" => {
            "the probability of a range is '--chance \"value >= 7 and value <= 9\"'"
        }
        "chart" | "draw" | "graph" | "histogram" | "image" | "picture" | "plot" => {
            "'--svg out.svg' draws a picture"
        }
        "above" | "greater" | "greater-than" | "more-than" | "over" => {
            "the probability of 10 or more is '--at-least 10', and of more than 10 '--at-least 11'"
        }
        "below" | "less" | "less-than" | "under" => {
            "the probability of 10 or less is '--at-most 10', and of less than 10 '--at-most 9'"
        }
        "eq" | "equal" | "equals" | "is" | "value" => {
            "the probability of one value is '--exactly 7'"
        }
        "odds" | "prob" | "probability" | "probabilities" | "success" => {
            "'--at-least 15', '--at-most 5', '--exactly 7' and '--chance \"COND\"' show a probability"
        }
        "ccdf" | "cdf" | "cumulative" => {
            "'--view at-least' and '--view at-most' show cumulative probabilities"
        }
        "export" | "o" | "out" | "output" | "save" | "write" => {
            "'--csv FILE', '--json FILE', '--svg FILE' and '--png FILE' write files"
        }
        "excel" | "spreadsheet" | "tsv" | "xls" | "xlsx" => {
            "'--csv out.csv' writes a file that a spreadsheet opens"
        }
        "html" | "markdown" | "md" => "'--format markdown' prints a Markdown table",
        "decimals" | "places" | "precision" | "round" => {
            "'--digits 2' sets the decimal places of percentages"
        }
        "order" | "sort" => {
            "rows ascend by value; '--csv FILE' writes a file that a spreadsheet can sort"
        }
        "monte-carlo" | "n" | "rolls" | "sample" | "simulate" | "simulation" | "trials" => {
            "'--roll 1000' rolls; '--samples N' is how often a rule without an exact answer is rolled"
        }
        "find" | "game" | "games" | "list" | "search" => {
            "'--examples yahtzee' shows the rule of a game, and '--examples' lists all"
        }
        "debug" | "verbose" => "'--explain' says how each answer was found",
        "notation" | "language" | "syntax" => "'-d tabletop' names the notation of the rules",
        "variable" | "param" | "parameter" => "'--set n=1..5' gives a free variable its values",
        _ => return None,
    })
}

/// The error with all words of the command line as they may be shown.
fn with_echoes(mut error: clap::Error) -> clap::Error {
    let texts: Vec<_> = error
        .context()
        .filter_map(|(kind, value)| Some((kind, with_echo(value)?)))
        .collect();
    for (kind, text) in texts {
        error.insert(kind, text);
    }
    error
}

fn with_echo(value: &ContextValue) -> Option<ContextValue> {
    Some(match value {
        ContextValue::String(word) => ContextValue::String(echoed(word)),
        ContextValue::Strings(words) => {
            ContextValue::Strings(words.iter().map(|word| echoed(word)).collect())
        }
        // Advice that repeats a word. Without its style, the only control sequences in it are those of the word.
        ContextValue::StyledStrs(texts) => {
            let plain = texts.iter().map(|text| echoed(&text.to_string()).into());
            ContextValue::StyledStrs(plain.collect())
        }
        _ => return None,
    })
}

/// Whether a word of the command line is an option whose value may start with `-`.
fn takes_negative_number(command: &Command, word: &str) -> bool {
    let mut options = command
        .get_arguments()
        .filter(|argument| argument.is_allow_negative_numbers_set());
    options.any(|option| {
        let long = option.get_long();
        let is_long = long.is_some_and(|long| word.strip_prefix("--") == Some(long));
        let short = option.get_short();
        is_long || short.is_some_and(|short| word.strip_prefix('-') == Some(&*short.to_string()))
    })
}

/// Prints to the stream that the text belongs to. A closed stream is no error: nobody reads it.
fn print(error: &clap::Error) -> Status {
    if error.use_stderr() {
        let mut text = Shown::on(Vec::new());
        // Writing to memory does not fail. The colours are the program's own: all words of the command line are echoes.
        let _ = if Color::Auto.is_on_complaints() {
            write!(text.raw(), "{}", error.render().ansi())
        } else {
            write!(text, "{}", error.render())
        };
        terminal::complain(text);
        return Status::Usage;
    }
    let printed = startup::standard_output()
        .and_then(|()| error.print())
        .and_then(|()| io::stdout().flush());
    match printed {
        Ok(()) => Status::Answered,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Status::Answered,
        Err(error) => {
            let message = plain(&error);
            terminal::complain(format!(
                "error: cannot write to standard output: {message}\n"
            ));
            Status::Io
        }
    }
}

/// Whether an argument that starts with `-` was meant as a rule: it has signs that no option has.
fn looks_like_a_rule(argument: &str) -> bool {
    let Some(rest) = argument.strip_prefix('-') else {
        return false;
    };
    let mut characters = rest.chars();
    let first = characters.next();
    let is_digit_next = characters.next().is_some_and(|next| next.is_ascii_digit());
    match first {
        None | Some('-' | 'f') => false,
        Some('0'..='9' | '(' | '[' | '{' | '$') => true,
        Some('d' | 'D') if is_digit_next => true,
        Some(_) => rest.contains([' ', '#', '(', '+', '*']),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_start_with_a_minus_are_recognised() {
        for rule in ["-1", "-1#3", "-d6", "-sum(3#d6)", "-high 1 2#d6", "-(1,2)"] {
            assert!(looks_like_a_rule(rule), "{rule}");
        }
        for option in [
            "-",
            "--",
            "-d",
            "-dbones",
            "-f",
            "-fa (1).bones",
            "-p",
            "--at-least",
            "d6",
        ] {
            assert!(!looks_like_a_rule(option), "{option}");
        }
    }
}
