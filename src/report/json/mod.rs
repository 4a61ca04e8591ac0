//! JSON with everything that is known, for programs.
//!
//! The document is one object with the keys `version`, `rules`, `comparisons`, `warnings` and `errors`. Probabilities are
//! reduced fractions in text (`"7/432"`) with the nearest double beside them; integers are plain numbers of any length. A figure
//! that is unknown or does not exist is `null`; a figure between bounds is `{"low": …, "high": …}`. A mean between bounds is
//! `null`, and the bounds are in `mean_between` after it, a key that other rules lack. The most likely outcomes
//! (`mode`) have the form of the outcomes. `rule`, in an answered rule, a warning or an error, is the index of the rule in the
//! call, from 0. The series of a rule share the index, and their common warnings are listed once. Each finding of an error is
//! one entry. The `code` of a warning or an error names the mistake, and stays as it is when the message gets better words. Each of
//! the `corrections` of an error is a change of the text after which the rule is read as it was probably meant.
//!
//! The layout is fixed, with one line for each figure and each outcome, so that two files are easy to compare.

mod layout;
mod numbers;
mod rule;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};

use serde::Serialize;

use super::figures;
use super::fraction::exactly;
use super::{Contrast, LONGEST_NAME, Refused, Report, Style, labels};
use crate::compare::{Comparison, Dominance, Overlap};
use crate::error::Diagnostic;
use crate::number::Fraction;
use crate::source::{Shown, shortened};
use crate::summary;
use layout::{ARRAY, Lines, OBJECT, put};
use numbers::Figure;

/// Writes answered and refused rules, with comparisons of the answered ones, as one JSON document.
///
/// # Errors
///
/// The errors of writing to `out`.
///
/// # Examples
///
/// ```
/// use dicedist::Dist;
/// use dicedist::report::{self, Answered, Report, Style};
/// use dicedist::source::Shown;
///
/// let coin: Dist = Dist::uniform(1..=2);
/// let mut json = Shown::on(Vec::new());
/// report::json::write(&Report::of(&[Answered::new("coin", coin)]), &Style::default(), &mut json)?;
/// let json: serde_json::Value = serde_json::from_str(&json.to_string())?;
/// assert_eq!(json["rules"][0]["outcomes"][1]["probability"], "1/2");
/// assert_eq!(json["rules"][0]["mean"]["exact"], "3/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(report: &Report, style: &Style, out: &mut Shown<impl io::Write>) -> io::Result<()> {
    Lines::document(out, |document| {
        document.field("version", env!("CARGO_PKG_VERSION"))?;
        document.key("rules")?;
        document.between(ARRAY, |rules| {
            for (rule, summary) in report.rules.iter().zip(report.summaries()) {
                rules.next()?;
                rules.between(OBJECT, |fields| rule::write(rule, summary, style, fields))?;
            }
            Ok(())
        })?;
        document.array("comparisons", comparisons(report))?;
        document.array("warnings", warnings(report))?;
        document.array("errors", errors(report.refused))
    })?;
    writeln!(out)
}

/// Writes refused rules as one object on one line, for standard error.
///
/// # Errors
///
/// The errors of writing to `out`.
///
/// # Examples
///
/// ```
/// use dicedist::error::{Diagnostic, Error, ErrorKind};
/// use dicedist::report::{self, Refused};
/// use dicedist::source::Shown;
/// use dicedist::source::{Source, Span};
///
/// let error = Error::new(ErrorKind::DivisionByZero, Diagnostic::new(Span::new(0, 3), "by zero"));
/// let refused = Refused::new("1/0", Source::new("rule", "1/0"), error);
/// let mut json = Shown::on(Vec::new());
/// report::json::write_errors(&[refused], &mut json)?;
/// let json: serde_json::Value = serde_json::from_str(&json.to_string())?;
/// assert_eq!(json["errors"][0]["kind"], "division_by_zero");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_errors(refused: &[Refused], out: &mut Shown<impl io::Write>) -> io::Result<()> {
    put(out, &BTreeMap::from([("errors", errors(refused))]))?;
    writeln!(out)
}

/// Writes the error that ended a call before any rule was answered, in the form of [`write_errors`]: `{"errors": […]}` with one
/// entry that belongs to no rule.
///
/// # Errors
///
/// The errors of writing to `out`.
///
/// # Examples
///
/// ```
/// use dicedist::source::Shown;
///
/// let mut json = Shown::on(Vec::new());
/// dicedist::report::json::write_failure("io", "cannot read 'x'", &mut json)?;
/// let json: serde_json::Value = serde_json::from_str(&json.to_string())?;
/// assert_eq!(json["errors"][0]["kind"], "io");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_failure(kind: &str, message: &str, out: &mut Shown<impl io::Write>) -> io::Result<()> {
    let entry = Finding {
        kind: Some(kind),
        code: Some(kind),
        message: message.into(),
        ..Finding::default()
    };
    put(out, &BTreeMap::from([("errors", [entry])]))?;
    writeln!(out)
}

/// Two rules side by side.
#[derive(Serialize)]
struct Compared {
    a: String,
    b: String,
    a_wins: Option<Figure>,
    tie: Option<Figure>,
    b_wins: Option<Figure>,
    mean_difference: Option<String>,
    total_variation: Option<Figure>,
    kolmogorov: Option<Figure>,
    dominates: Option<&'static str>,
}

fn comparisons(report: &Report) -> Vec<Compared> {
    let names = labels(report.rules).full;
    let pairs = report.pairs().iter();
    pairs
        .map(|pair| {
            let [a, b] = pair.rules;
            let compared = pair.compared.as_ref().ok().and_then(Option::as_ref);
            let (comparison, overlap) = match compared {
                None => (None, None),
                Some(Contrast::Numbers(comparison)) => (Some(comparison), None),
                Some(Contrast::Unordered(overlap)) => (None, Some(overlap)),
            };
            let of = |get: fn(&Comparison) -> &summary::Figure| {
                comparison.map(|it| Figure::from(get(it)))
            };
            let either = |get: fn(&Comparison) -> &summary::Figure,
                          other: fn(&Overlap) -> &summary::Figure| {
                of(get).or_else(|| overlap.map(|it| Figure::from(other(it))))
            };
            let difference = comparison.and_then(|it| it.mean_difference.as_ref());
            Compared {
                a: shortened(&names[a], LONGEST_NAME).into_owned(),
                b: shortened(&names[b], LONGEST_NAME).into_owned(),
                a_wins: of(|it| &it.a_wins),
                tie: either(|it| &it.tie, |it| &it.tie),
                b_wins: of(|it| &it.b_wins),
                mean_difference: difference.map(exactly),
                total_variation: either(|it| &it.total_variation, |it| &it.total_variation),
                kolmogorov: of(|it| &it.kolmogorov),
                dominates: comparison.and_then(|it| match it.dominance {
                    Dominance::A => Some("a"),
                    Dominance::B => Some("b"),
                    Dominance::Equal | Dominance::Neither | Dominance::Open => None,
                }),
            }
        })
        .collect()
}

/// A finding about a rule that is answered.
#[derive(Serialize)]
struct Warning {
    rule: Option<usize>,
    code: &'static str,
    message: String,
    start: Option<usize>,
    end: Option<usize>,
    help: Option<String>,
}

/// The warnings of all rules, and one about comparisons that reached a limit. A warning that the series of a rule share is listed
/// once.
fn warnings(report: &Report) -> Vec<Warning> {
    let Report { rules, refused, .. } = report;
    let of_answered = rules.iter().map(|rule| (rule.rule, &rule.warnings));
    let of_refused = refused.iter().map(|rule| (rule.rule, &rule.warnings));
    let mut all: Vec<(usize, &Diagnostic)> = of_answered
        .chain(of_refused)
        .flat_map(|(rule, warnings)| warnings.iter().map(move |warning| (rule, warning)))
        .collect();
    all.sort_by_key(|(rule, warning)| (*rule, warning.span));
    let mut seen = BTreeSet::new();
    all.retain(|(rule, warning)| seen.insert((*rule, warning.span, &warning.message)));
    let of = |(rule, warning): (usize, &Diagnostic)| {
        let warning = warning.brief();
        Warning {
            rule: Some(rule),
            code: or_else(warning.code, "warning"),
            start: warning.span.map(|span| span.start),
            end: warning.span.map(|span| span.end),
            message: warning.message,
            help: warning.help,
        }
    };
    let about_rules = all.into_iter().map(of);
    let names = labels(rules).full;
    let about_pairs = figures::not_compared(report, &names).map(|message| Warning {
        rule: None,
        code: "not-compared",
        message,
        start: None,
        end: None,
        help: None,
    });
    about_rules.chain(about_pairs).collect()
}

/// A finding of an error.
#[derive(Default, Serialize)]
struct Finding<'a> {
    rule: Option<usize>,
    name: Option<Cow<'a, str>>,
    kind: Option<&'a str>,
    code: Option<&'a str>,
    message: String,
    start: Option<usize>,
    end: Option<usize>,
    line: Option<usize>,
    column: Option<usize>,
    probability: Option<String>,
    help: Option<String>,
    notes: Vec<String>,
    corrections: Vec<Change<'a>>,
}

/// A change of the text after which the rule is read as it was probably meant.
#[derive(Serialize)]
struct Change<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

/// The name of a mistake, or of its kind if it has no name.
fn or_else<'c>(code: &'c str, kind: &'c str) -> &'c str {
    if code.is_empty() { kind } else { code }
}

fn errors(refused: &[Refused]) -> Vec<Finding<'_>> {
    let findings = refused.iter().flat_map(|rule| {
        let findings = rule.error.diagnostics().iter();
        findings.map(move |finding| Finding::of(rule, finding))
    });
    findings.collect()
}

impl<'a> Finding<'a> {
    fn of(rule: &'a Refused, finding: &'a Diagnostic) -> Self {
        let corrections = finding.corrections.iter().map(|correction| Change {
            start: correction.span.start,
            end: correction.span.end,
            text: &correction.text,
        });
        let corrections = corrections.collect();
        let finding = finding.brief();
        let position = finding.span.map(|span| rule.source.position(span.start));
        Self {
            rule: Some(rule.rule),
            name: Some(shortened(&rule.name, LONGEST_NAME)),
            kind: Some(rule.error.kind().name()),
            code: Some(or_else(finding.code, rule.error.kind().name())),
            corrections,
            start: finding.span.map(|span| span.start),
            end: finding.span.map(|span| span.end),
            line: position.as_ref().map(|position| position.line),
            column: position.as_ref().map(|position| position.column),
            probability: rule.error.probability().map(Fraction::to_string),
            message: finding.message,
            help: finding.help,
            notes: finding.notes,
        }
    }
}
