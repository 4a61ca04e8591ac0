//! The texts on a picture: title, legend, description.

use std::slice;

use super::chart;
use crate::engine::Answer;
use crate::number::Fraction;
use crate::report::{
    Answered, Labels, Query, Style, View, decimal, events, figures, labels, one_line,
};
use crate::summary::{Moment, Summary};

/// The length of the longest number in a line of text, in characters.
const LONGEST_NUMBER: usize = 24;

/// The length of the longest mean in a legend of many rules, in characters.
const LONGEST_MEAN: usize = 12;

/// The length of the longest title that names several rules, in characters.
const LONGEST_TITLE: usize = 62;

/// The texts on a picture.
pub(super) struct Picture {
    pub(super) title: String,
    pub(super) subtitle: String,
    /// The name of each rule in the legend.
    pub(super) names: Vec<String>,
    /// The mean and more about each rule, which the legend adds to the name if there is room.
    pub(super) details: Vec<String>,
    /// The mean of each rule, if it has one.
    pub(super) means: Vec<String>,
    /// Whether the rules are one rule with a parameter that grows.
    pub(super) sweep: bool,
    pub(super) view: View,
    /// The ends of the only event that is asked of the only rule, as places on the axis.
    pub(super) event: Option<[Option<f64>; 2]>,
    pub(super) description: String,
}

impl Picture {
    /// The texts on a picture of these rules.
    pub(super) fn of(rules: &[Answered], summaries: &[Summary], style: &Style, view: View) -> Self {
        let Labels { shared, short, .. } = labels(rules);
        let details: Vec<String> = rules
            .iter()
            .zip(summaries)
            .map(|(rule, summary)| asked(rule, style).unwrap_or_else(|| detail(rule, summary)))
            .collect();
        let title = match (&style.title, &shared, short.as_slice()) {
            (Some(title), _, _) => one_line(title),
            (None, Some(shared), _) => shared.clone(),
            (None, None, [only]) => only.clone(),
            (None, None, []) => "no rules".into(),
            (None, None, [first, others @ .., last]) => {
                let title = format!(
                    "{} and {last}",
                    [slice::from_ref(first), others].concat().join(", ")
                );
                if title.chars().count() > LONGEST_TITLE {
                    format!("{first} against {} others", others.len() + 1)
                } else {
                    title
                }
            }
        };
        let subtitle = match details.as_slice() {
            [only] => only.clone(),
            _ => String::new(),
        };
        let chart_of = match view {
            View::Exactly => "The probability of each result",
            View::AtLeast => "The probability of at least each result",
            View::AtMost => "The probability of at most each result",
        };
        let each: Vec<String> = short
            .iter()
            .zip(&details)
            .map(|(name, detail)| {
                if detail.is_empty() {
                    name.clone()
                } else {
                    format!("{name}: {detail}")
                }
            })
            .collect();
        Self {
            description: format!("{chart_of}. {}.", each.join("; ")),
            sweep: shared.is_some(),
            title,
            subtitle,
            names: short,
            means: summaries
                .iter()
                .map(|summary| shortened(&mean(summary).unwrap_or_default(), LONGEST_MEAN))
                .collect(),
            details,
            view,
            event: event(rules, style).filter(|_| view == View::Exactly),
        }
    }
}

/// The ends of the only event that is asked of the only rule.
fn event(rules: &[Answered], style: &Style) -> Option<[Option<f64>; 2]> {
    let ([rule], [query]) = (rules, &style.queries[..]) else {
        return None;
    };
    let parts = rule.answer.unit.parts().to_big();
    let number = Fraction::new(query.number()?.to_big(), parts);
    let place = Some(chart::place(&number)?);
    match query {
        Query::AtLeast(_) => Some([place, None]),
        Query::AtMost(_) => Some([None, place]),
        Query::Exactly(_) => Some([place, place]),
        Query::Label(_) | Query::Condition(_) => None,
    }
}

/// The chances that are asked of a rule: `15 or more: 23.1%`.
fn asked(rule: &Answered, style: &Style) -> Option<String> {
    let questions = style.queries.iter().filter_map(|query| {
        let (sign, share) = events::share(query, rule)?;
        let event = events::in_a_picture(query, rule);
        Some(format!("{event}: {sign}{}", figures::percent(&share, 1)))
    });
    let questions: Vec<String> = questions.collect();
    let all = questions.iter().cloned().chain(sampled(&rule.answer));
    (!questions.is_empty()).then(|| all.collect::<Vec<_>>().join("; "))
}

/// The mean of a rule in a few digits.
fn mean(summary: &Summary) -> Option<String> {
    let text = |mean: &Fraction| shortened(&decimal::fixed(mean, 2), LONGEST_NUMBER);
    match &summary.mean {
        Moment::Finite(mean) => Some(text(mean)),
        Moment::Between { low, high } => Some(figures::range(text(low), &text(high))),
        Moment::Infinite => Some("infinite".into()),
        Moment::Undefined | Moment::Unknown => None,
    }
}

/// One line about a rule.
fn detail(rule: &Answered, summary: &Summary) -> String {
    let mut parts = Vec::new();
    parts.extend(mean(summary).map(|mean| format!("mean {mean}")));
    match &summary.variance {
        Moment::Finite(square) => {
            let root = decimal::fixed_root(square, 2);
            let root = shortened(&root, LONGEST_NUMBER);
            parts.push(format!("standard deviation {root}"));
        }
        Moment::Infinite => parts.push("standard deviation infinite".into()),
        Moment::Between { .. } | Moment::Undefined | Moment::Unknown => {}
    }
    if summary.conditional && !parts.is_empty() {
        parts.push("given that it ends".into());
    }
    parts.extend(sampled(&rule.answer));
    parts.join(", ")
}

/// How an answer was sampled, if it was.
fn sampled(answer: &Answer) -> Option<String> {
    let sampling = answer.sampling()?;
    Some(format!(
        "sampled with {} rolls, seed {}, {} intervals",
        sampling.samples,
        sampling.seed,
        figures::percent(&sampling.confidence, 0)
    ))
}

/// A number, or the first and last digits of a number that is longer than `longest`. The last digits help to distinguish long
/// numbers.
pub(super) fn shortened(number: &str, longest: usize) -> String {
    if number.len() <= longest || !number.is_ascii() {
        return number.into();
    }
    let first = longest.saturating_sub(1) / 2;
    let last = number.len() - (longest.saturating_sub(1) - first);
    format!("{}…{}", &number[..first], &number[last..])
}
