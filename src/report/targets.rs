//! A grid of chances for several rules: a row for each rule, and a column for each question.

use num_traits::One as _;

use super::chance::{Chance, readable};
use super::events::{self, why_not};
use super::grid::{Align, Column, GAP, Grid, Subcolumn};
use super::people::{Block, Medium};
use super::sweeps::SideBySide;
use super::table::bar;
use super::{Answered, Labels, Query, Style, figures, halfway, labels};
use crate::number::Fraction;
use crate::summary::Moment;

/// The least and the greatest length of a bar for certainty, in characters.
const BARS: [usize; 2] = [5, 30];

/// The least length of a bar for certainty beside a fraction that nobody asked for.
const BAR_BESIDE_FRACTION: usize = 8;

/// The chances of several rules.
struct Targets<'a> {
    style: &'a Style,
    names: Vec<String>,
    means: Option<Column>,
    /// Each event or condition, with its chance for each rule.
    questions: Vec<(String, Vec<Option<Chance>>)>,
}

/// The name that all rules share, the grid as the medium has room for it, why some questions have no answer, and where chances pass
/// one half.
pub(super) fn blocks(rules: &[Answered], style: &Style, medium: Medium) -> Vec<Block> {
    let Labels { shared, short, .. } = labels(rules);
    let event = |query: &Query| events::event(query, &rules[0]);
    let mut remarks = Vec::new();
    let mut chances = |query: &Query, rules: &mut dyn Iterator<Item = &Answered>| {
        let chance = |rule: &Answered| {
            let chance = Chance::of(query, rule);
            let remark = || format!("{}: {}", event(query), why_not(rule, query));
            let remark = chance.is_none().then(remark);
            remarks.extend(remark.filter(|remark| !remarks.contains(remark)));
            chance
        };
        rules.map(chance).collect()
    };
    let (title, targets) = match (&style.queries[..], SideBySide::of_several_variables(rules)) {
        // A row for each value of one variable, and a column for the values of the others.
        ([query], Some(sweeps)) => {
            let (name, values) = &sweeps.variable;
            let names = values.iter().map(|value| format!("{name}={value}"));
            let columns = sweeps.names().into_iter().zip(&sweeps.sweeps);
            let columns =
                columns.map(|(name, sweep)| (name, chances(query, &mut sweep.iter().copied())));
            let targets = Targets {
                style,
                names: names.collect(),
                means: None,
                questions: columns.collect(),
            };
            let words = shared.into_iter().chain([event(query)]);
            (Some(words.collect::<Vec<_>>().join(", ")), targets)
        }
        (queries, _) => {
            let questions = queries
                .iter()
                .map(|query| (event(query), chances(query, &mut rules.iter())));
            let targets = Targets {
                style,
                names: short,
                means: means(rules, style),
                questions: questions.collect(),
            };
            (shared, targets)
        }
    };
    remarks.extend(halfway::remark(rules, &style.queries, event));
    let grid = match medium {
        Medium::Terminal => targets.grid_within(style.width),
        Medium::Markdown => targets.grid(true, None),
    };
    let title = title.into_iter().map(Block::Title);
    let remarks = remarks.into_iter().map(Block::Remark);
    title.chain([Block::Grid(grid)]).chain(remarks).collect()
}

/// The means, where they are known although the answers list only what was asked for. The mean of a condition is its chance.
fn means(rules: &[Answered], style: &Style) -> Option<Column> {
    let means = rules.iter().map(|rule| match &rule.mean {
        None | Some(Moment::Undefined | Moment::Unknown) => None,
        Some(mean) => Some(figures::mean(rule, mean, style)).filter(|_| !rule.is_condition),
    });
    let means: Vec<Option<String>> = means.collect();
    let is_any = means.iter().any(Option::is_some);
    let texts = means.into_iter();
    let texts = texts.map(|mean| mean.unwrap_or_else(|| "-".into()));
    is_any.then(|| Column::of("mean", texts.collect(), Align::Right))
}

impl Targets<'_> {
    /// The grid with the fractions and the bars for which a table has room.
    fn grid_within(&self, width: usize) -> Grid {
        let has_bar = |grid: &Grid, longest: usize| {
            let first = grid.columns.len() - self.questions.len();
            grid.width_with(first, GAP + longest) <= width
        };
        let has_fractions =
            self.style.fractions || has_bar(&self.grid(true, None), BAR_BESIDE_FRACTION);
        let grid = self.grid(has_fractions, None);
        let mut lengths = (BARS[0]..=BARS[1]).rev();
        let longest = lengths.find(|longest| has_bar(&grid, *longest));
        self.grid(has_fractions, longest)
    }

    fn grid(&self, has_fractions: bool, bars: Option<usize>) -> Grid {
        let digits = self.style.digits;
        let questions = self.questions.iter().map(|(heading, chances)| {
            let cells = |text: &dyn Fn(&Chance) -> Option<String>| {
                let texts = chances.iter().map(|chance| text(chance.as_ref()?));
                texts.map(Option::unwrap_or_default).collect::<Vec<_>>()
            };
            let percent = chances.iter().map(|chance| match chance {
                Some(chance) => chance.percent(digits),
                None => "-".into(),
            });
            let mut parts = vec![Subcolumn::new(percent.collect(), Align::Right)];
            let mut add = |name: &'static str, cells: Vec<String>| {
                parts.push(Subcolumn::new(cells, Align::Left).named(name));
            };
            let bounds = cells(&|chance| chance.bound(digits));
            if bounds.iter().any(|bound| !bound.is_empty()) {
                add("bound", bounds);
            }
            if let Some(longest) = bars {
                let bar = |chance: &Chance| Some(bar(chance.share(), &Fraction::one(), longest));
                add("", cells(&bar));
            }
            if has_fractions {
                let fraction = |chance: &Chance| match chance.known.exact() {
                    _ if chance.is_seen() => Some("sampled".into()),
                    exact => Some(readable(exact?, self.style)),
                };
                add("fraction", cells(&fraction));
            }
            let heading = heading.clone();
            Column { heading, parts }
        });
        let columns = self.means.iter().cloned().chain(questions);
        Grid::new(Column::of("", self.names.clone(), Align::Left), columns)
    }
}
