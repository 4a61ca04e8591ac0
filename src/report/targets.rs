//! A grid of chances for several rules: a row for each rule, and a column for each question.

use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

use super::chance::{Chance, readable};
use super::events::{self, why_not};
use super::grid::{Align, Column, GAP, Grid, Part};
use super::people::{Block, Medium};
use super::table::blocks;
use super::{Answered, Labels, Query, Style, decimal, figures, halfway, labels};
use crate::number::Fraction;
use crate::summary::Moment;

/// The least and the greatest length of a bar for certainty, in characters.
const BARS: [usize; 2] = [5, 30];

/// The least length of a bar for certainty beside a fraction that nobody asked for.
const BAR_BESIDE_FRACTION: usize = 8;

/// The rows and columns, with the name that all rules share.
pub(crate) struct Targets {
    title: Option<String>,
    names: Vec<String>,
    means: Option<Vec<String>>,
    questions: Vec<Question>,
    /// Why some questions have no answer, and where chances pass one half.
    remarks: Vec<String>,
}

/// The chances of one event or condition, rule by rule.
struct Question {
    heading: String,
    percentages: Vec<String>,
    /// The bounds of sampled chances, if there are any.
    bounds: Option<Vec<String>>,
    fractions: Vec<String>,
    /// The chances that bars show.
    shares: Vec<Option<Fraction>>,
}

impl Targets {
    pub(crate) fn of(rules: &[Answered], style: &Style) -> Self {
        let Labels { shared, short, .. } = labels(rules);
        let means = rules.iter().map(|rule| match &rule.mean {
            // The mean of a condition is its chance.
            None | Some(Moment::Undefined | Moment::Unknown) => None,
            Some(_) if rule.is_condition => None,
            Some(mean) => Some(figures::mean(rule, mean, style)),
        });
        let means: Vec<Option<String>> = means.collect();
        let has_means = means.iter().any(Option::is_some);
        let mut remarks = Vec::new();
        let questions = style.queries.iter();
        let questions = questions.map(|query| Question::of(query, rules, style, &mut remarks));
        let questions = questions.collect();
        let event = |query: &Query| rules.first().map(|rule| events::event(query, rule));
        remarks.extend(halfway::remark(rules, &style.queries, |query| {
            event(query).unwrap_or_default()
        }));
        Self {
            title: shared,
            names: short,
            means: has_means.then(|| {
                let texts = means.into_iter();
                texts
                    .map(|mean| mean.unwrap_or_else(|| "-".into()))
                    .collect()
            }),
            questions,
            remarks,
        }
    }

    /// The title, the grid as the medium has room for it, and the remarks.
    pub(super) fn blocks(self, style: &Style, medium: Medium) -> Vec<Block> {
        let grid = match medium {
            Medium::Terminal => self.grid_within(style),
            Medium::Markdown => self.grid(true, None),
        };
        let title = self.title.into_iter().map(Block::Title);
        let remarks = self.remarks.into_iter().map(Block::Remark);
        title.chain([Block::Grid(grid)]).chain(remarks).collect()
    }

    /// The grid with the fractions and the bars for which a table has room.
    fn grid_within(&self, style: &Style) -> Grid {
        let has_bar = |grid: &Grid, longest: usize| {
            let first = grid.columns.len() - self.questions.len();
            grid.width_with(first, GAP + longest) <= style.width
        };
        let has_fractions = style.fractions || has_bar(&self.grid(true, None), BAR_BESIDE_FRACTION);
        let grid = self.grid(has_fractions, None);
        let mut lengths = (BARS[0]..=BARS[1]).rev();
        let longest = lengths.find(|longest| has_bar(&grid, *longest));
        self.grid(has_fractions, longest)
    }

    fn grid(&self, has_fractions: bool, bars: Option<usize>) -> Grid {
        let means = self.means.iter();
        let mut columns: Vec<Column> = means
            .map(|means| Column::of("mean", means.clone(), Align::Right))
            .collect();
        for question in &self.questions {
            let mut parts = vec![Part::new(question.percentages.clone(), Align::Right)];
            let others = [
                ("bound", question.bounds.clone()),
                ("", bars.map(|longest| question.bars(longest))),
                (
                    "fraction",
                    has_fractions.then(|| question.fractions.clone()),
                ),
            ];
            let others = others.into_iter();
            parts.extend(
                others.filter_map(|(name, cells)| Some(Part::new(cells?, Align::Left).named(name))),
            );
            columns.push(Column {
                heading: question.heading.clone(),
                parts,
            });
        }
        Grid {
            corner: String::new(),
            labels: self.names.clone(),
            align: Align::Left,
            columns,
        }
    }
}

impl Question {
    fn of(query: &Query, rules: &[Answered], style: &Style, remarks: &mut Vec<String>) -> Self {
        let heading = rules
            .first()
            .map_or_else(String::new, |rule| events::event(query, rule));
        let mut question = Self {
            heading,
            percentages: Vec::new(),
            bounds: None,
            fractions: Vec::new(),
            shares: Vec::new(),
        };
        let mut bounds = Vec::new();
        for rule in rules {
            let chance = Chance::of(query, rule);
            if chance.is_none() {
                let remark = format!("{}: {}", question.heading, why_not(rule, query));
                if !remarks.contains(&remark) {
                    remarks.push(remark);
                }
            }
            let chance = chance.as_ref();
            let percentage = chance.map(|chance| chance.percent(style.digits));
            let percentage = percentage.unwrap_or_else(|| "-".into());
            question.percentages.push(percentage);
            bounds.push(chance.and_then(|chance| chance.bound(style.digits)));
            let fraction = chance.and_then(|chance| match chance.known.exact() {
                _ if chance.is_seen() => Some("sampled".into()),
                exact => Some(readable(exact?, style)),
            });
            question.fractions.push(fraction.unwrap_or_default());
            question
                .shares
                .push(chance.map(|chance| chance.share().clone()));
        }
        question.bounds = bounds.iter().any(Option::is_some).then(|| {
            let bounds = bounds.into_iter().map(Option::unwrap_or_default);
            bounds.collect()
        });
        question
    }

    /// Bars in which certainty has this length.
    fn bars(&self, longest: usize) -> Vec<String> {
        let bar = |share: &Fraction| {
            let eighths = share.numer() * BigInt::from(longest * 8);
            let eighths =
                decimal::divide_to_nearest(eighths.magnitude(), share.denom().magnitude());
            eighths.to_usize().map(blocks)
        };
        let bars = self.shares.iter();
        bars.map(|share| share.as_ref().and_then(bar).unwrap_or_default())
            .collect()
    }
}
