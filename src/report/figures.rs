//! The grids of figures below a listing, which the table and the Markdown share: the summary of each rule and the comparisons
//! of pairs.

use num_traits::{Signed, Zero};

use super::chance::{of_figure, range};
use super::decimal;
use super::fraction::exactly;
use super::grid::{Align, Column, Grid};
use super::lists::list_label;
use super::share::Share;
use super::sheet::Sheet;
use super::{Answered, Contrast, Layout, Report, Style, are_conditions};
use crate::algebra::Tail;
use crate::compare::Dominance;
use crate::engine::Answer;
use crate::number::{Fraction, Integer};
use crate::summary::{self, Figure, Moment, Percentile, Root, Summary};

/// The text for a figure that is not known.
const UNKNOWN: &str = "unknown";

/// The text for a figure that does not exist.
const UNDEFINED: &str = "-";

/// The largest number of most likely outcomes that are named; more are only counted.
const NAMED_MODES: usize = 3;

/// The summaries below a listing, with one column for each rule; `None` if all rules are conditions, whose listing says all.
pub(crate) fn summaries_of(report: &Report, names: &[String], style: &Style) -> Option<Grid> {
    let says_all = are_conditions(report.rules) && style.layout != Layout::Summary;
    (!says_all).then(|| summaries(report.rules, report.summaries(), names, style))
}

/// The summaries, with one column for each rule.
pub(crate) fn summaries(
    rules: &[Answered],
    summaries: &[Summary],
    names: &[String],
    style: &Style,
) -> Grid {
    let mut all = Summaries {
        rules,
        all: summaries,
        style,
        rows: Rows::default(),
    };
    all.add_moments();
    all.add_values();
    if style.layout == Layout::Summary {
        all.add_shape();
    }
    let only = [String::new()];
    let headings = if rules.len() > 1 { names } else { &only };
    all.rows.into_grid(headings)
}

/// The rows of the summaries, as far as they are found.
struct Summaries<'a> {
    rules: &'a [Answered],
    all: &'a [Summary],
    style: &'a Style,
    rows: Rows,
}

/// The label of each row, and its figures.
#[derive(Default)]
struct Rows(Vec<(String, Vec<String>)>);

impl Rows {
    /// Adds a row, unless no figure is there.
    fn add(
        &mut self,
        label: &str,
        figures: impl Iterator<Item = Option<String>>,
        missing: impl Fn(usize) -> &'static str,
    ) {
        let figures: Vec<Option<String>> = figures.collect();
        if figures.iter().any(Option::is_some) {
            let texts = figures.into_iter().enumerate();
            let texts = texts.map(|(place, text)| text.unwrap_or_else(|| missing(place).into()));
            self.0.push((label.into(), texts.collect()));
        }
    }

    fn into_grid(self, headings: &[String]) -> Grid {
        let rows = self.0.into_iter();
        let (labels, cells): (Vec<String>, Vec<Vec<String>>) = rows.unzip();
        let columns = headings.iter().enumerate().map(|(place, heading)| {
            let cells = cells.iter().map(|row| row[place].clone());
            Column::of(heading, cells.collect(), Align::Right)
        });
        Grid::new(Column::of("", labels, Align::Left), columns)
    }
}

impl Summaries<'_> {
    /// Adds the row of a figure.
    fn add(&mut self, label: &str, figure: impl Fn(&Answered, &Summary) -> Option<String>) {
        let all = self.rules.iter().zip(self.all);
        let figures = all.map(|(rule, summary)| figure(rule, summary));
        self.rows.add(label, figures, |place| {
            if is_defined(&self.rules[place]) {
                UNKNOWN
            } else {
                UNDEFINED
            }
        });
    }

    fn add_moments(&mut self) {
        let digits = self.style.digits;
        self.add("mean", |rule, summary| {
            let [mean, _] = mean_and_variance(rule, summary)?;
            Some(estimated(rule, moment(&mean, |mean| fixed(mean, digits))))
        });
        self.add("standard deviation", |rule, summary| {
            let [_, variance] = mean_and_variance(rule, summary)?;
            let root = |square: &Fraction| decimal::fixed_root(square, digits);
            let text = moment(&variance, |square| decimal::readable(square, root, true));
            Some(estimated(rule, text))
        });
        if self.style.fractions {
            self.add("mean, exactly", |_, summary| {
                summary.mean.finite().map(exactly)
            });
            self.add("variance, exactly", |_, summary| {
                summary.variance.finite().map(exactly)
            });
        }
    }

    /// Adds the values from the least to the greatest, and the most likely ones.
    fn add_values(&mut self) {
        self.add("minimum", |rule, summary| {
            let beyond = || end(rule, rule.answer.below(), "less");
            text(rule, summary.min.as_ref()).or_else(beyond)
        });
        let (low, high) = beside_median(self.style);
        self.add_percentiles(low);
        self.add("median", |rule, summary| {
            text(rule, summary.median.as_ref())
        });
        self.add_percentiles(high);
        self.add("maximum", |rule, summary| {
            let beyond = || end(rule, rule.answer.above(), "more");
            text(rule, summary.max.as_ref()).or_else(beyond)
        });
        self.add("most likely", |rule, summary| {
            let places = summary.mode.as_deref()?;
            Some(mode(&rule.answer, places))
        });
    }

    fn add_percentiles(&mut self, percentiles: &[Percentile]) {
        for percentile in percentiles {
            self.add(&percentile.to_string(), |rule, _| {
                let value = summary::quantile(&rule.answer, &percentile.part());
                text(rule, value.as_ref())
            });
        }
    }

    /// Adds skewness and kurtosis where they are known: a constant has none, and those of a distribution with a tail are not.
    fn add_shape(&mut self) {
        let (digits, all) = (self.style.digits, self.all);
        let skewness = |root: &Root| {
            let text = |square: &Fraction| decimal::fixed_signed_root(root.sign, square, digits);
            decimal::readable(&root.square, text, true)
        };
        if all.iter().any(|it| it.skewness.finite().is_some()) {
            self.add("skewness", |_, it| Some(moment(&it.skewness, skewness)));
        }
        let kurtosis = |kurtosis: &Fraction| fixed(kurtosis, digits);
        if all.iter().any(|it| it.excess_kurtosis.finite().is_some()) {
            self.add("excess kurtosis", |_, it| {
                Some(moment(&it.excess_kurtosis, kurtosis))
            });
        }
    }
}

/// A number with so many decimals, or in a readable form if it is long.
fn fixed(number: &Fraction, digits: usize) -> String {
    decimal::readable(number, |number| decimal::fixed(number, digits), false)
}

/// The figures that a line has only if it has no others.
const SHAPE: [&str; 3] = ["most likely", "skewness", "excess kurtosis"];

/// The summaries, with one line for each rule. Shape and most likely values are left out, unless there are no other figures.
pub(crate) fn lines(
    rules: &[Answered],
    summaries: &[Summary],
    names: &[String],
    style: &Style,
) -> Grid {
    let mut lines = self::summaries(rules, summaries, names, style).transposed();
    lines.labels = Column::of("", names.to_vec(), Align::Left);
    let is_shape = |column: &Column| SHAPE.contains(&&*column.heading);
    if !lines.columns.iter().all(is_shape) {
        lines.columns.retain(|column| !is_shape(column));
    }
    for Column { heading, .. } in &mut lines.columns {
        let mut percentiles = style.percentiles().iter();
        let own = percentiles.find(|percentile| percentile.to_string() == *heading);
        match own {
            Some(percentile) => *heading = percentile.share(),
            None if heading == "standard deviation" => *heading = "deviation".into(),
            None => {}
        }
    }
    lines
}

/// The comparisons, with one column for each pair that is compared; `None` if there is none, or the style wants none.
pub(crate) fn comparisons(report: &Report, names: &[String], style: &Style) -> Option<Grid> {
    if !report.compares(style) {
        return None;
    }
    let summaries = report.summaries();
    let pairs = report.pairs().iter().filter_map(|pair| {
        let compared = pair.compared.as_ref().ok()?.as_ref()?;
        let [a, b] = pair.rules;
        let means = [a, b].map(|rule| &summaries[rule].mean);
        let cells = figures(compared, means, [&names[a], &names[b]], style);
        Some((format!("{} v. {}", names[a], names[b]), cells))
    });
    let (headings, figures): (Vec<String>, Vec<_>) = pairs.unzip();
    let labels = [
        "first is higher",
        "both are equal",
        "second is higher",
        "difference of means",
        "total variation distance",
        "largest cumulative difference",
        "better at every target",
    ];
    let mut rows = Rows::default();
    for (row, label) in labels.into_iter().enumerate() {
        let figures = figures.iter().map(|all| all[row].clone());
        rows.add(label, figures, |_| UNDEFINED);
    }
    (!headings.is_empty()).then(|| rows.into_grid(&headings))
}

/// The figures of a comparison. Values without an order have two of them.
fn figures(
    compared: &Contrast,
    means: [&Moment; 2],
    [a, b]: [&str; 2],
    style: &Style,
) -> [Option<String>; 7] {
    let digits = style.digits;
    let percent = |figure: &Figure| Some(of_figure(figure, digits));
    let comparison = match compared {
        Contrast::Numbers(comparison) => comparison,
        Contrast::Unordered(overlap) => {
            let [tie, distance] = [&overlap.tie, &overlap.total_variation].map(percent);
            return [None, tie, None, None, distance, None, None];
        }
    };
    let is_open = |mean: &&Moment| matches!(mean, Moment::Between { .. } | Moment::Unknown);
    let difference = match &comparison.mean_difference {
        Some(difference) => {
            let sign = if difference.is_positive() { "+" } else { "" };
            format!("{sign}{}", fixed(difference, digits))
        }
        None if means.iter().any(is_open) => UNKNOWN.into(),
        None => UNDEFINED.into(),
    };
    let better = match comparison.dominance {
        Dominance::A => a,
        Dominance::B => b,
        Dominance::Equal => "equal",
        Dominance::Neither => "neither",
        Dominance::Open => UNKNOWN,
    };
    [
        percent(&comparison.a_wins),
        percent(&comparison.tie),
        percent(&comparison.b_wins),
        Some(difference),
        percent(&comparison.total_variation),
        percent(&comparison.kolmogorov),
        Some(better.into()),
    ]
}

/// A share rounded up to a millionth.
fn rounded_up(share: &Fraction) -> Fraction {
    let millionths = Fraction::from_integer(1_000_000.into());
    (share * &millionths).ceil() / millionths
}

/// The mean and the variance of the answer, or those of the sample; `None` for lists.
pub(crate) fn mean_and_variance(rule: &Answered, summary: &Summary) -> Option<[Moment; 2]> {
    rule.answer.numbers()?;
    Some(if rule.answer.sampling().is_some() {
        summary::observed_moments(&rule.answer)
    } else {
        [summary.mean.clone(), summary.variance.clone()]
    })
}

/// The mean of a rule, as the summary shows it.
pub(crate) fn mean(rule: &Answered, mean: &Moment, style: &Style) -> String {
    estimated(rule, moment(mean, |mean| fixed(mean, style.digits)))
}

fn estimated(rule: &Answered, text: String) -> String {
    if rule.answer.sampling().is_some() && text != UNKNOWN {
        format!("~{text}")
    } else {
        text
    }
}

/// Whether the outcomes are numbers and the rule can end, so that a summary has figures.
fn is_defined(rule: &Answered) -> bool {
    let is_number = rule.answer.numbers().is_some();
    is_number && rule.answer.never_ends() != *rule.answer.total()
}

fn moment<T>(moment: &Moment<T>, text: impl Fn(&T) -> String) -> String {
    match moment {
        Moment::Finite(moment) => text(moment),
        Moment::Between { low, high } => range(text(low), &text(high)),
        Moment::Infinite => "infinite".into(),
        Moment::Undefined => UNDEFINED.into(),
        Moment::Unknown => UNKNOWN.into(),
    }
}

/// The percentiles below the median and those above it.
fn beside_median(style: &Style) -> (&[Percentile], &[Percentile]) {
    let all = style.percentiles();
    let (low, rest) = all.split_at(all.partition_point(|one| *one < Percentile::MEDIAN));
    let is_median = rest.first() == Some(&Percentile::MEDIAN);
    (low, &rest[usize::from(is_median)..])
}

/// The text for the least or greatest outcome of an answer with a tail at that end, beyond which there is `more` or `less`.
fn end(rule: &Answered, tail: Option<&Tail>, beyond: &str) -> Option<String> {
    let answer = &rule.answer;
    let tail = tail.filter(|_| answer.unresolved().is_zero())?;
    Some(if answer.is_endless() {
        "none (endless)".into()
    } else {
        format!("{} or {beyond}", answer.unit.show(&tail.bound))
    })
}

fn text(rule: &Answered, value: Option<&Integer>) -> Option<String> {
    value.map(|value| rule.answer.unit.show(value))
}

fn mode(answer: &Answer, places: &[usize]) -> String {
    if places.len() > NAMED_MODES {
        return format!("{} outcomes", places.len());
    }
    let name = |&place: &usize| {
        let value = answer.outcomes().value(place);
        list_label(value, &answer.unit, &answer.shape)
    };
    let comma = if answer.shape.parts().is_some() {
        "; "
    } else {
        ", "
    };
    places.iter().map(name).collect::<Vec<String>>().join(comma)
}

/// The summaries of the parts of records, with one column for each part of each rule; `None` if there are no records.
pub(crate) fn part_summaries(rules: &[Answered], names: &[String], style: &Style) -> Option<Grid> {
    let mut parts = Vec::new();
    for (rule, name) in rules.iter().zip(names) {
        for part in rule.answer.part_names() {
            let heading = if rules.len() > 1 {
                format!("{name}: {part}")
            } else {
                part.to_owned()
            };
            parts.push(Answered::new(heading, rule.answer.part(part)?));
        }
    }
    if parts.is_empty() {
        return None;
    }
    let of: Vec<Summary> = parts.iter().map(|part| Summary::of(&part.answer)).collect();
    let names: Vec<String> = parts.iter().map(|part| part.name.clone()).collect();
    Some(summaries(&parts, &of, &names, style))
}

/// The correlations of the parts of a record.
fn correlations(answer: &Answer) -> Vec<String> {
    let names: Vec<&str> = answer.part_names().collect();
    let mut found = Vec::new();
    for (place, one) in names.iter().enumerate() {
        for other in &names[place + 1..] {
            let Some(square) = answer.signed_square_of_correlation(one, other) else {
                continue;
            };
            let sign = if square.is_negative() { "-" } else { "" };
            let size = decimal::fixed_root(&square.abs(), 4);
            found.push(format!(
                "the correlation of {one} and {other} is {sign}{size}"
            ));
        }
    }
    found
}

/// The largest number of pairs that are named; more are only counted.
const NAMED_PAIRS: usize = 6;

/// The remark on the pairs whose comparison reached a limit, if there is one.
pub(crate) fn not_compared(report: &Report, names: &[String]) -> Option<String> {
    let pairs = report.pairs_so_far().iter();
    let reached = pairs
        .clone()
        .find_map(|pair| pair.compared.as_ref().err())?;
    let pairs = pairs.filter(|pair| pair.compared.is_err());
    let mut pairs: Vec<String> = pairs
        .map(|pair| {
            let [a, b] = pair.rules.map(|rule| &names[rule]);
            format!("{a} v. {b}")
        })
        .collect();
    if pairs.len() > NAMED_PAIRS {
        pairs = vec![format!("{} pairs", pairs.len())];
    }
    Some(format!(
        "not compared, because the limit of {} is reached: {}",
        reached.name(),
        pairs.join(", ")
    ))
}

/// The remarks below the figures: conditions and limits of their validity, and the pairs that are not compared.
pub(crate) fn remarks(report: &Report, sheet: Option<&Sheet>, names: &[String]) -> Vec<String> {
    let rules = report.rules;
    let mut remarks: Vec<String> = not_compared(report, names).into_iter().collect();
    let rows = rules.iter().zip(report.summaries()).zip(names);
    for (index, ((rule, summary), name)) in rows.enumerate() {
        let prefix = if rules.len() > 1 {
            format!("{name}: ")
        } else {
            String::new()
        };
        for correlation in correlations(&rule.answer) {
            remarks.push(format!("{prefix}{correlation}"));
        }
        if let Some([given, most]) = &rule.answer.given {
            let sign = if rule.answer.sampling().is_some() || given != most {
                "~"
            } else {
                ""
            };
            remarks.push(format!(
                "{prefix}given a condition that holds with a probability of {sign}{}",
                Share::of(given).percent(4),
            ));
        }
        if summary.conditional && rule.answer.never_ends() != *rule.answer.total() {
            remarks.push(format!(
                "{prefix}the figures above are given that the roll ends"
            ));
        }
        if let Some(sampling) = rule.answer.sampling() {
            let left_out = sheet.and_then(|sheet| sheet.most_left_out.as_ref());
            let (what, most) = match left_out.and_then(|most| most[index].as_ref()) {
                Some(most) => ("list without a row", most),
                None => ("value that was never rolled", &sampling.unseen),
            };
            remarks.push(format!(
                "{prefix}sampled with {} rolls (seed {}), not exact; with {} confidence all intervals hold together, and \
                 no {what} has more than {}",
                sampling.samples,
                sampling.seed,
                Share::of(&sampling.confidence).percent(0),
                Share::of(&rounded_up(most)).percent(4),
            ));
        }
        let unresolved = rule.answer.unresolved();
        if let Some(sampling) = rule.answer.sampling().filter(|_| !unresolved.is_zero()) {
            remarks.push(format!(
                "{prefix}{unresolved} rolls, given up after {} steps, may be of any value, or never end",
                sampling.steps
            ));
        } else if !unresolved.is_zero() {
            remarks.push(format!(
                "{prefix}unresolved rolls may be of any value, or never end"
            ));
        }
    }
    remarks
}
