//! Advice about the command line where rules cannot be read: quotes that are forgotten, and files that are given as rules.

use std::path::Path;

use dicedist::notation::{self, Environment, Rule};
use dicedist::report::Refused;
use dicedist::source::Source;

use super::args::Args;
use super::echo::echoed;
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
        if args.expressions.iter().any(|given| given == text) && Path::new(text).is_file() {
            let note = format!(
                "to read the rules of this file, write `--file {}`",
                echoed(text)
            );
            let error = refused.error.clone();
            refused.error = error.map(|finding| finding.with_note(&note));
        }
    }
    Ok(())
}

/// The rule that the words of the command line are together, if each is a single word.
fn rule_without_quotes(args: &Args) -> Option<String> {
    let words = &args.expressions;
    let is_word =
        |word: &String| word.contains(char::is_alphanumeric) && !word.contains(char::is_whitespace);
    if words.len() < 2 || !args.files.is_empty() || !words.iter().all(is_word) {
        return None;
    }
    let text = words.join(" ");
    let source = Source::new("rule", text.clone());
    let rules = notation::rules(args.dialect.unwrap_or_default(), &source).into_iter();
    let found: Vec<Rule> = rules.map(Result::ok).collect::<Option<_>>()?;
    let [rule] = &found[..] else { return None };
    let is_readable = if args.dialect.is_some() || rule.names_dialect {
        notation::parse(rule.dialect, &source, rule.span).is_ok()
    } else {
        let environment = Environment::default();
        let found = notation::recognise(&source, rule.clone(), &environment);
        found.is_ok_and(|rules| rules.len() == 1)
    };
    (is_readable && !text.contains('\'')).then_some(text)
}
