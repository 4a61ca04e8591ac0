//! The texts on a picture: title, what is asked, means, description.

use num_traits::Zero as _;

use super::asked::ValueQuestion;
use super::chance::{MOST_DIGITS, Told, digits};
use super::kind::FEW;
use super::names::{Common, LONGEST_BESIDE, fitting_names};
use super::numbers::{figure, place, typeset, typeset_words};
use super::text::{LABEL, SMALL, text_width, widest};
use crate::engine::Answer;
use crate::number::{Fraction, Integer};
use crate::report::chance::{self, Chance};
use crate::report::figures::mean_and_variance;
use crate::report::grid::truncated;
use crate::report::share::Share;
use crate::report::sweeps::{SideBySide, variable};
use crate::report::{
    Answered, Labels, Query, Style, View, are_conditions, decimal, events, labels, one_line,
};
use crate::summary::{Moment, Summary};

/// The most decimals of several percentages side by side, and of a mean and a deviation near zero.
const MOST_SHARED_DECIMALS: usize = 3;
const MOST_FIGURES: usize = 8;

/// The length of the longest number in a line of text, of the longest mean in a column beside many rules, and of its heading.
const LONGEST_NUMBER: usize = 24;
pub(super) const LONGEST_MEAN: usize = 12;
const LONGEST_HEADING: usize = 24;

/// The largest number of questions that are drawn, and of those that have columns beside many rules.
pub(super) const MOST_QUESTIONS: usize = 6;
const MOST_COLUMNS: usize = 3;

/// The length of the longest title of one line, and of one that names two or three rules; the least number of letters and digits that
/// names have in common, where a title says so.
const LONGEST_TITLE: usize = 62;
const LONGEST_OF_FEW: usize = 112;
const LEAST_IN_COMMON: usize = 3;

/// The width of a picture in pixels, if no other is wanted.
const WIDTH: f64 = 760.0;

/// The texts on a picture.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    pub(super) title: String,
    /// The lines below the title: what is asked, or the mean of the only rule.
    pub(super) subtitle: Vec<String>,
    /// The name of each rule.
    pub(super) names: Vec<String>,
    /// The columns at the ends of the rows of many rules: the answers to questions, or the means.
    pub(super) columns: Vec<Column>,
    /// Whether the columns are about what is asked.
    pub(super) has_answers: bool,
    /// The means and deviations of a few rules, if there are several.
    pub(super) caption: Option<String>,
    /// How several rules were sampled, and what is left out.
    pub(super) remarks: Vec<String>,
    /// The questions without an answer, and why they have none.
    pub(super) unanswered: Vec<String>,
    /// The name of what the values are.
    pub(super) values: String,
    /// The name and the values of the only variable of a sweep.
    pub(super) variable: Option<(String, Vec<Integer>)>,
    pub(super) view: View,
    /// The mean of each rule, as a place.
    pub(super) means: Vec<Option<f64>>,
    /// What is asked about values.
    pub(super) asked: Vec<ValueQuestion>,
    /// The labels that are asked about.
    pub(super) labels: Vec<String>,
    /// What the picture shows, in words.
    pub(super) description: String,
    /// The name of the horizontal axis, if it is wanted.
    pub(super) x_label: Option<String>,
    /// The width of the picture, and its height, if it is wanted.
    pub(super) width: f64,
    pub(super) height: Option<f64>,
}

/// A number for each of many rules.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) heading: String,
    pub(super) texts: Vec<String>,
}

impl Column {
    /// The heading, cut.
    pub(super) fn short(&self) -> String {
        truncated(&self.heading, LONGEST_HEADING)
    }

    /// The width of the column, with the space before it.
    pub(super) fn width(&self) -> f64 {
        widest(&self.texts, LABEL.size).max(text_width(&self.short(), SMALL.size)) + 14.0
    }

    /// What the column says of a rule: `at least 15: 23.1%`.
    fn said_of(&self, rule: usize) -> Option<String> {
        let text = self.texts.get(rule).filter(|text| !text.is_empty())?;
        Some(format!("{}: {text}", self.heading))
    }
}

impl Picture {
    /// The texts on a picture of these rules. They speak of intervals if the picture `has_intervals`.
    pub(super) fn of(
        rules: &[Answered],
        summaries: &[Summary],
        style: &Style,
        view: View,
        has_intervals: bool,
    ) -> Self {
        let Labels { shared, short, .. } = labels(rules);
        // The values of a sweep have a real minus.
        let short: Vec<String> = short.iter().map(|name| name.replace("=-", "=−")).collect();
        let answers = answers(rules, style);
        let details = rules.iter().zip(summaries).enumerate();
        let details = details.map(|(index, (rule, summary))| {
            let asked = answers.iter().filter_map(|it| it.said_of(index));
            let mut asked: Vec<String> = asked.collect();
            if !asked.is_empty() {
                asked.extend(sampled(&rule.answer, has_intervals));
                return asked.join("; ");
            }
            let detail = detail(rule, summary, has_intervals);
            match &style.part {
                Some(part) if !detail.is_empty() => format!("{}: {detail}", one_line(part)),
                _ => detail,
            }
        });
        let details: Vec<String> = details.collect();
        let title = match (&style.title, &shared, SideBySide::of(rules)) {
            (Some(title), ..) => one_line(title),
            (None, Some(shared), _) => shared.clone(),
            (None, None, Some(all)) => {
                let names = all.sweeps.iter().map(|sweep| one_line(&sweep[0].name));
                let mut names: Vec<String> = names.collect();
                names.dedup();
                title(&names, rules, style, view)
            }
            (None, None, None) => title(&short, rules, style, view),
        };
        let each = short
            .iter()
            .zip(&details)
            .map(|(name, detail)| match &**detail {
                "" => name.clone(),
                detail => format!("{name}: {detail}"),
            });
        let chart_of = match view {
            View::Exactly => "The chance of each result",
            View::AtLeast => "The chance of at least each result",
            View::AtMost => "The chance of at most each result",
        };
        let unanswered = unanswered(rules, &short, style);
        let remarks = [all_sampled(rules, has_intervals), left_out(rules, style)];
        let remarks = remarks.into_iter().flatten();
        Self {
            description: format!("{chart_of}. {}.", each.collect::<Vec<_>>().join("; ")),
            title,
            subtitle: match details.as_slice() {
                [only] => vec![only.clone()],
                _ if rules.len() <= FEW => said_of_all(&answers, &short),
                _ => Vec::new(),
            },
            caption: caption(rules, summaries, &short),
            remarks: remarks.chain(unanswered.iter().cloned()).collect(),
            unanswered,
            values: name_of_values(rules, style),
            variable: variable(rules).filter(|_| shared.is_some()),
            columns: columns(&answers, rules, summaries),
            has_answers: !style.queries.is_empty(),
            view,
            means: summaries
                .iter()
                .map(|summary| summary.mean.finite().and_then(place))
                .collect(),
            asked: about_values(&answers, rules, style),
            labels: labels_asked(rules, style),
            names: short,
            x_label: style.x_label.as_deref().map(one_line),
            width: style.size.map_or(WIDTH, |[width, _]| f64::from(width)),
            height: style.size.map(|[_, height]| f64::from(height)),
        }
    }

    /// The only question about values, where each value has its own chance.
    pub(super) fn only_asked(&self) -> Option<&ValueQuestion> {
        match &self.asked[..] {
            [only] if self.view == View::Exactly => Some(only),
            _ => None,
        }
    }

    /// The name of the variable along an axis.
    pub(super) fn name_of_variable(&self) -> String {
        let name = self.variable.as_ref().map(|(name, _)| name);
        let name = self.x_label.as_ref().or(name);
        name.cloned().unwrap_or_default()
    }
}

/// The answers of all rules, a column for each question.
fn answers(rules: &[Answered], style: &Style) -> Vec<Column> {
    let Some(first) = rules.first() else {
        return Vec::new();
    };
    let queries = style.queries.iter();
    queries
        .map(|query| answers_to(query, rules, event(query, first, style)))
        .collect()
}

/// The answers of rules to a question, in as many decimals as one of the positive chances needs, up to three of several rules.
fn answers_to(query: &Query, rules: &[Answered], heading: String) -> Column {
    let chances = rules.iter().filter_map(|rule| Chance::of(query, rule));
    let chances = chances.filter(|chance| !chance.share().is_zero());
    let digits = chances.map(|chance| digits_of(chance.share())).max();
    let digits = digits.unwrap_or(1);
    let digits = match rules {
        [_] => digits,
        _ => digits.min(MOST_SHARED_DECIMALS),
    };
    let texts = rules.iter().map(|rule| answer(query, rule, digits));
    Column {
        heading,
        texts: texts.map(Option::unwrap_or_default).collect(),
    }
}

/// The answers of several rules, a line for each question.
pub(super) fn said_of_all(answers: &[Column], names: &[String]) -> Vec<String> {
    let lines = answers.iter().filter_map(|Column { heading, texts }| {
        let shares = names.iter().zip(texts).filter(|(_, text)| !text.is_empty());
        let shares = shares.map(|(name, text)| format!("{name} {text}"));
        let shares: Vec<String> = shares.collect();
        (!shares.is_empty()).then(|| format!("{heading}: {}", shares.join(", ")))
    });
    lines.collect()
}

/// The title over rules with these names: the names, where there is room, else what is asked of the rules, or what their names have
/// in common.
fn title(names: &[String], rules: &[Answered], style: &Style, view: View) -> String {
    let [others @ .., last] = names else {
        return "no rules".into();
    };
    if others.is_empty() {
        return last.clone();
    }
    let list = format!("{} and {last}", others.join(", "));
    let length = list.chars().count();
    // Two or three names may take a second line.
    let fits = length <= LONGEST_TITLE || names.len() <= 3 && length <= LONGEST_OF_FEW;
    if fits && (names.len() <= FEW || style.queries.is_empty()) {
        return list;
    }
    let more = match view {
        View::Exactly => "",
        View::AtLeast => " or more",
        View::AtMost => " or less",
    };
    let what = asked_of_all(rules, style).or_else(|| in_common(names));
    let what = what.unwrap_or_else(|| format!("chance of each value{more}"));
    format!("{} rules: {what}", names.len())
}

/// The question about all rules, in the words of a title.
fn asked_of_all(rules: &[Answered], style: &Style) -> Option<String> {
    let first = rules.first()?;
    let events = style.queries.iter().map(|query| event(query, first, style));
    let events: Vec<String> = events.collect();
    let (last, others) = events.split_last()?;
    let title = match others {
        [] => format!("chance of {last}"),
        others => format!("chances of {} and {last}", others.join(", ")),
    };
    if title.chars().count() <= LONGEST_TITLE || others.is_empty() {
        return Some(truncated(&title, LONGEST_OF_FEW));
    }
    Some(format!("{} questions", events.len()))
}

/// The common part of all names, with a gap for the parts in which they differ.
fn in_common(names: &[String]) -> Option<String> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let Common { start, end } = Common::of(&names);
    // The end of a rule alone, as of `…: "low", else: "high"}`, says nothing.
    let end = if start.is_empty() && end.contains(['"', '{', '}', ':']) {
        ""
    } else {
        end
    };
    let common = format!("{start}…{end}");
    let said = common
        .chars()
        .filter(|character| character.is_alphanumeric());
    (said.count() >= LEAST_IN_COMMON).then(|| truncated(&common, LONGEST_OF_FEW))
}

/// The word for the values of all rules.
fn name_of_values(rules: &[Answered], style: &Style) -> String {
    if let Some(name) = &style.part {
        return one_line(name);
    }
    // The parenthesis after `sum` is closed at the end of the text.
    let is_sum = |rule: &Answered| {
        let inner = rule.expression.trim().strip_prefix("sum(");
        let inner = inner.and_then(|rest| rest.strip_suffix(')'));
        inner.is_some_and(|inner| {
            let mut signs = inner.chars().scan(1, |depth, sign| {
                *depth += i32::from(sign == '(') - i32::from(sign == ')');
                Some(*depth)
            });
            signs.all(|depth| depth > 0)
        })
    };
    match () {
        () if are_conditions(rules) => "",
        () if rules.iter().all(is_sum) => "sum",
        () => "value",
    }
    .into()
}

/// The columns beside many rules: the chances of the first questions, or the means. Conditions have their chances in their bars, which
/// have no intervals.
fn columns(answers: &[Column], rules: &[Answered], summaries: &[Summary]) -> Vec<Column> {
    let asked = answers.iter().take(MOST_COLUMNS).cloned();
    let mut columns: Vec<Column> = asked.collect();
    let are_sampled = rules.iter().any(|rule| rule.answer.sampling().is_some());
    if columns.is_empty() && !are_conditions(rules) {
        let texts = rules.iter().zip(summaries);
        let texts = texts.map(|(rule, summary)| mean(rule, summary, LONGEST_MEAN));
        let texts = texts.map(Option::unwrap_or_default).collect();
        columns.push(Column {
            heading: "mean".into(),
            texts,
        });
    } else if columns.is_empty() && are_sampled {
        columns.push(answers_to(
            &Query::Exactly(Integer::ONE),
            rules,
            "yes".into(),
        ));
    }
    columns.retain(|column| column.texts.iter().any(|text| !text.is_empty()));
    columns
}

/// The words for what is asked of a rule, with the name of the only part of records that is shown.
pub(super) fn event(query: &Query, rule: &Answered, style: &Style) -> String {
    let signs = [(">=", "≥"), ("<=", "≤"), ("!=", "≠"), ("-", "−")];
    let event = match query {
        Query::Label(text) => one_line(text),
        // Labels in a condition stay as they are.
        Query::Condition(text) if !text.contains('"') => {
            let with_sign = |text: String, (typed, sign): (&str, &str)| text.replace(typed, sign);
            signs.into_iter().fold(one_line(text), with_sign)
        }
        _ => events::event(query, rule),
    };
    let event = typeset_words(&event);
    match (&style.part, query) {
        (None, _) | (_, Query::Condition(_)) => event,
        (Some(part), _) => format!("{} {event}", one_line(part)),
    }
}

/// The texts about questions without an answer, as in the table.
fn unanswered(rules: &[Answered], names: &[String], style: &Style) -> Vec<String> {
    let remarks = style.queries.iter().filter_map(|query| {
        let without = rules.iter().zip(names);
        let without = without.filter(|(rule, _)| rule.event(query).is_none());
        let without: Vec<(&Answered, &String)> = without.collect();
        let (first, _) = without.first()?;
        let reason = events::why_not(first, query);
        let of = match without.len() {
            count if count == rules.len() => String::new(),
            ..=FEW => {
                let names = without.iter().map(|(_, name)| name.as_str());
                format!(" for {}", names.collect::<Vec<_>>().join(", "))
            }
            count => format!(" for {count} rules"),
        };
        let event = event(query, first, style);
        Some(format!("{event} has no answer{of}: {reason}"))
    });
    remarks.collect()
}

/// The text about questions for which a picture has no room.
fn left_out(rules: &[Answered], style: &Style) -> Option<String> {
    let most = if rules.len() > FEW {
        MOST_COLUMNS
    } else {
        MOST_QUESTIONS
    };
    let more = style.queries.len().checked_sub(most)?;
    match more {
        0 => None,
        1 if rules.len() == 1 => Some("one more question has no mark".into()),
        _ if rules.len() == 1 => Some(format!("{more} more questions have no mark")),
        1 => Some("one more question is answered in the table alone".into()),
        _ => Some(format!(
            "{more} more questions are answered in the table alone"
        )),
    }
}

/// The means and deviations of a few rules.
fn caption(rules: &[Answered], summaries: &[Summary], names: &[String]) -> Option<String> {
    if !(2..=FEW).contains(&rules.len()) || are_conditions(rules) {
        return None;
    }
    let shown = fitting_names(names, LABEL.size, LONGEST_BESIDE);
    let short = rules.iter().zip(summaries).zip(&shown);
    let short = short.map(|((rule, summary), name)| {
        let [Moment::Finite(_), Moment::Finite(square)] = mean_and_variance(rule, summary)? else {
            return None;
        };
        let mean = mean(rule, summary, LONGEST_NUMBER).filter(|_| !summary.conditional)?;
        let name = name.replace(' ', "\u{a0}");
        Some(format!(
            "{name}\u{a0}{mean}\u{a0}±\u{a0}{}",
            deviation(rule, &square)
        ))
    });
    let short = short.collect::<Option<Vec<String>>>();
    if let Some(short) = short {
        return Some(format!("mean ± standard deviation: {}", short.join("; ")));
    }
    let long = rules.iter().zip(summaries).zip(names);
    let long = long.filter_map(|((rule, summary), name)| {
        let figures = figures_of(rule, summary).join(", ");
        (!figures.is_empty()).then(|| format!("{name}: {figures}"))
    });
    let long: Vec<String> = long.collect();
    (!long.is_empty()).then(|| long.join("; "))
}

/// The labels that are asked about: `yes` of conditions, if nothing else is asked.
fn labels_asked(rules: &[Answered], style: &Style) -> Vec<String> {
    if style.queries.is_empty() && are_conditions(rules) {
        return vec!["yes".into()];
    }
    let labels = style.queries.iter().filter_map(|query| match query {
        Query::Label(text) => Some(text.to_string()),
        _ => None,
    });
    labels.collect()
}

/// The questions about values, each with its chance if there is one rule.
fn about_values(answers: &[Column], rules: &[Answered], style: &Style) -> Vec<ValueQuestion> {
    let asked = style.queries.iter().zip(answers);
    let asked = asked.filter_map(|(query, answers)| {
        let words = match rules {
            [_] => answers.said_of(0)?,
            _ => answers.heading.clone(),
        };
        ValueQuestion::of(words, query, rules)
    });
    asked.collect()
}

/// The chance of an event with these decimals: `23.1%`; of a sampled rule, how far it may be from the true one, on the same line.
fn answer(query: &Query, rule: &Answered, digits: usize) -> Option<String> {
    let chance = Chance::of(query, rule)?;
    let label = Told::new(Share::of(chance.share()), digits).label;
    let bound = chance.bound(digits).map(|bound| format!(" {bound}"));
    let bound = bound.unwrap_or_default().replace(' ', "\u{a0}");
    Some(format!("{}{label}{bound}", chance.sign()))
}

/// The decimals of the chance of an event.
fn digits_of(share: &Fraction) -> usize {
    digits(decimal::nearest(share), MOST_DIGITS)
}

/// The mean of a rule in a few digits, with a sign if it is that of random rolls.
fn mean(rule: &Answered, summary: &Summary, longest: usize) -> Option<String> {
    let text = |mean: &Fraction| {
        let digits = significant(|digits| decimal::fixed(mean, digits));
        figure(&digits, longest)
    };
    let [mean, _] = mean_and_variance(rule, summary)?;
    match &mean {
        Moment::Finite(mean) => Some(format!("{}{}", sign(rule), text(mean))),
        Moment::Between { low, high } => Some(chance::range(text(low), &text(high))),
        Moment::Infinite => Some("infinite".into()),
        Moment::Undefined | Moment::Unknown => None,
    }
}

/// The standard deviation of a rule in a few digits, from its square.
fn deviation(rule: &Answered, square: &Fraction) -> String {
    let root = significant(|digits| decimal::fixed_root(square, digits));
    format!("{}{}", sign(rule), figure(&root, LONGEST_NUMBER))
}

/// The sign before a figure of random rolls.
fn sign(rule: &Answered) -> &'static str {
    if rule.answer.sampling().is_some() {
        "≈"
    } else {
        ""
    }
}

/// A number with two decimals, or with as many as its first digit other than zero needs.
fn significant(text: impl Fn(usize) -> String) -> String {
    let mut texts = (2..=MOST_FIGURES).map(&text);
    let found = texts.find(|text| text.contains(|digit: char| ('1'..='9').contains(&digit)));
    found.unwrap_or_else(|| text(2))
}

/// One line about a rule: its mean and its deviation, or the chance of a condition, and how it was sampled.
pub(super) fn detail(rule: &Answered, summary: &Summary, has_intervals: bool) -> String {
    let mut parts = figures_of(rule, summary);
    parts.extend(sampled(&rule.answer, has_intervals));
    parts.join(", ")
}

/// The mean and the deviation of a rule, or the chance of a condition.
fn figures_of(rule: &Answered, summary: &Summary) -> Vec<String> {
    if rule.is_condition
        && let Some(chance) = Chance::of(&Query::Exactly(Integer::ONE), rule)
    {
        let (sign, share) = (chance.sign(), chance.share());
        // The bars of whole percentages have no decimals.
        let is_whole = (share.clone() * num_bigint::BigInt::from(100)).is_integer();
        let digits = if is_whole { 0 } else { digits_of(share) };
        return vec![format!(
            "yes: {sign}{}",
            Told::new(Share::of(share), digits).label
        )];
    }
    let mut parts = Vec::new();
    parts.extend(mean(rule, summary, LONGEST_NUMBER).map(|mean| format!("mean {mean}")));
    match mean_and_variance(rule, summary) {
        Some([_, Moment::Finite(square)]) => {
            parts.push(format!("standard deviation {}", deviation(rule, &square)));
        }
        Some([_, Moment::Infinite]) => parts.push("standard deviation infinite".into()),
        _ => {}
    }
    if summary.conditional && !parts.is_empty() {
        parts.push("given that it ends".into());
    }
    parts
}

/// How an answer was sampled, if it was.
fn sampled(answer: &Answer, has_intervals: bool) -> Option<String> {
    let sampling = answer.sampling()?;
    let intervals = if has_intervals {
        format!(", {} intervals", Share::of(&sampling.confidence).percent(0))
    } else {
        String::new()
    };
    Some(format!(
        "sampled with {} rolls, seed {}{intervals}",
        typeset(&sampling.samples.to_string()),
        sampling.seed,
    ))
}

/// How the answers of several rules were sampled, if any was.
pub(super) fn all_sampled(rules: &[Answered], has_intervals: bool) -> Option<String> {
    let is_any = rules.iter().any(|rule| rule.answer.sampling().is_some());
    if rules.len() < 2 || !is_any {
        return None;
    }
    let Labels { short, .. } = labels(rules);
    let ways = rules.iter().zip(&short);
    let ways = ways.filter_map(|(rule, name)| Some((name, sampled(&rule.answer, has_intervals)?)));
    let (names, mut ways): (Vec<&String>, Vec<String>) = ways.unzip();
    ways.dedup();
    let named = || names.iter().map(|name| name.as_str()).collect::<Vec<_>>();
    match &ways[..] {
        [] => None,
        [way] if names.len() == rules.len() => Some(format!("all {way}")),
        [way] if names.len() <= FEW => Some(format!("{} {way}", named().join(", "))),
        [way] => Some(format!("{} of {} rules {way}", names.len(), rules.len())),
        _ => Some("some chances are sampled: shares of random rolls".into()),
    }
}
