//! Advice about the command line where rules cannot be read: quotes that are forgotten, and files that are given as rules.

use std::path::Path;

use dicedist::error::Correction;
use dicedist::notation::{self, Environment, Rule};
use dicedist::report::Refused;
use dicedist::source::{Source, echoed};
use dicedist::{Diagnostic, Error, ErrorKind, games};

use super::args::Args;
use super::examples::command;
use super::input::dialect_of;
use super::status::Stop;

/// Games are looked up for no more rules than this.
const FEW: usize = 20;

/// Adds advice to what is refused.
///
/// # Errors
///
/// If the words of the command line are one rule together, and not all of them are rules by themselves.
pub(super) fn advise(args: &Args, refused: &mut [Refused]) -> Result<(), Stop> {
    if refused.is_empty() {
        return Ok(());
    }
    if let Some(rule) = rule_without_quotes(args) {
        return Err(Stop::usage(format!(
            "these {} words are one rule together; put it into quotes: dicedist '{}'",
            args.expressions.len(),
            echoed(&rule)
        )));
    }
    let are_few = refused.len() <= FEW;
    for refused in refused {
        let text = refused.source.text();
        if args.expressions.iter().any(|given| given == text)
            && let Some(finding) = about_file(text)
        {
            refused.error = Error::new(refused.error.kind(), finding);
            continue;
        }
        if are_few && matches!(refused.error.kind(), ErrorKind::Parse | ErrorKind::Unbound) {
            let error = refused.error.clone();
            refused.error = error.map(|finding| about_game(&refused.source, finding));
        }
    }
    Ok(())
}

/// A finding with the rule of the game that the line names: if the line is the name of the game, if there is no other help, or if the only
/// help says that the words are a name or a comment. The finding then has no other help.
fn about_game(source: &Source, mut finding: Diagnostic) -> Diagnostic {
    let text = source.text();
    let at = finding.span.map_or(0, |place| place.start.min(text.len()));
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let Some(game) = games::about(line) else {
        return finding;
    };
    let is_name = line
        .chars()
        .all(|letter| letter.is_alphabetic() || " '&".contains(letter));
    let is_game = |text: &str| games::about(text) == Some(game);
    let is_aside = |one: &Correction| {
        let parts = aside(&one.text);
        parts.is_some_and(|(words, rest)| is_game(words) && line.contains(rest.trim()))
    };
    let corrections = &finding.corrections;
    let misleads = !corrections.is_empty() && corrections.iter().all(is_aside);
    // The advice to give a name a value does not help if the name is that of a game.
    if misleads || is_name && finding.code == "unbound" {
        finding.help = None;
        finding.corrections.clear();
        finding.remedies.clear();
    }
    let is_helped = finding.help.is_some() || !finding.corrections.is_empty();
    if is_name || !is_helped || ["comment", "label", "name", "unbound"].contains(&finding.code) {
        let name = game.names.split(", ").next().unwrap_or_default();
        let note = format!(
            "the list of games has {name} ({}): {} (dicedist --examples \"{name}\")",
            game.asked,
            command(&game),
        );
        finding.notes.insert(0, note);
    }
    finding
}

/// What a rule sets aside, and the rest of it: its comment, its name, or what begins with a value from outside.
fn aside(rule: &str) -> Option<(&str, &str)> {
    let comment = rule
        .split_once("// ")
        .map(|(rest, comment)| (comment, rest));
    let name = || rule.split_once(": ");
    let value = || rule.split_once('@').map(|(_, value)| (value, ""));
    comment.or_else(name).or_else(value)
}

/// What is wrong with a file that is given as a rule, or with the name of one that is not there.
fn about_file(text: &str) -> Option<Diagnostic> {
    let path = Path::new(text);
    if path.is_file() {
        let help = format!("write `--file {}` to read its rules", echoed(text));
        return Some(Diagnostic::without_place("this is the name of a file").with_help(help));
    }
    let is_name = dialect_of(path).is_some() && !text.contains(char::is_whitespace);
    let finding = || {
        Diagnostic::without_place("this is no rule, and there is no file with this name")
            .with_help("write `--file` and the path of a file")
    };
    is_name.then(finding)
}

/// The rule that all words of the command line make together, or the rule that is probably meant by them, if each argument is a single
/// word.
fn rule_without_quotes(args: &Args) -> Option<String> {
    let words = &args.expressions;
    // `;` stands between rules.
    let is_word = |word: &String| {
        !word.is_empty() && !word.contains(char::is_whitespace) && !word.contains(';')
    };
    if words.len() < 2 || !args.files.is_empty() || !words.iter().all(is_word) {
        return None;
    }
    let text = words.join(" ");
    let source = Source::new("rule", text.clone());
    let rules = notation::rules(args.dialect.unwrap_or_default(), &source).into_iter();
    let found: Vec<Rule> = rules.map(Result::ok).collect::<Option<_>>()?;
    let [rule] = &found[..] else { return None };
    let error = if args.dialect.is_some() || rule.names_dialect {
        notation::parse(rule.dialect, &source, rule.span).err()
    } else {
        match notation::recognise(&source, rule.clone(), &Environment::default()) {
            Ok(rules) if rules.len() > 1 => return None,
            found => found.err().map(|found| found.error),
        }
    };
    let text = match error {
        None => text,
        Some(error) => {
            let finding = &error.diagnostics()[0];
            let correction = finding.correction()?;
            // A word that is only explained as a comment or as a name may be a rule of its own.
            let is_explained = !["comment", "name"].contains(&finding.code);
            is_explained.then(|| correction.to_owned())?
        }
    };
    (!text.contains('\'')).then_some(text)
}
