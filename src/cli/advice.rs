//! Advice about the command line where rules cannot be read: quotes that are forgotten, and files that are given as rules.

use std::path::Path;

use dicedist::notation::{self, Environment, Rule};
use dicedist::report::Refused;
use dicedist::source::{Source, echoed};
use dicedist::{Diagnostic, Error, ErrorKind, games};

use super::args::Args;
use super::input::dialect_of;
use super::status::Stop;

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
    for refused in refused {
        let text = refused.source.text();
        if args.expressions.iter().any(|given| given == text)
            && let Some(finding) = about_file(text)
        {
            refused.error = Error::new(refused.error.kind(), finding);
            continue;
        }
        if matches!(refused.error.kind(), ErrorKind::Parse | ErrorKind::Unbound) {
            let error = refused.error.clone();
            refused.error = error.map(|finding| about_game(&refused.source, finding));
        }
    }
    Ok(())
}

/// A finding about a rule that speaks of a game or a mechanic, where nothing else is known to help, or all that is known is that words
/// are no part of a roll: with the rule of that game.
fn about_game(source: &Source, mut finding: Diagnostic) -> Diagnostic {
    // That a name can be given a value helps nobody who names a game.
    let is_helped = finding.help.is_some() || !finding.corrections.is_empty();
    let rule = source.text();
    let is_worded = rule
        .chars()
        .all(|letter| letter.is_alphabetic() || " '&".contains(letter));
    if is_helped && !is_worded && !["comment", "label", "name", "unbound"].contains(&finding.code) {
        return finding;
    }
    if let Some(game) = games::about(rule) {
        // Where no sign gives a name, one for plain dice is not what was meant.
        if finding.code == "name" && !rule.contains([':', '=']) {
            finding.corrections.clear();
            finding.help = None;
            finding.message = "words that are no part of a roll".into();
        }
        let name = game.names.split(',').next().unwrap_or_default();
        finding.notes.push(format!(
            "{name} in the list of games, {}: {} (dicedist --examples '{}')",
            game.asked,
            game.rule,
            name.to_lowercase().replace('\'', "")
        ));
    }
    finding
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

/// The rule that the words of the command line are together, or what is probably meant by them, if each is a single word.
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
