//! The best choices in situations that differ in one or two numbers: a cell for each situation, in the colour of its choice.

use std::collections::BTreeSet;

use super::field::Canvas;
use super::frame::{Around, BEFORE, Sample};
use super::mark::{Anchor, Look, Mark, Rect};
use super::numbers::{round_step, typeset};
use super::palette::{Role, SERIES, roles};
use super::text::{Font, LABEL, SMALL, text_width, widest};
use super::words::Picture;
use crate::engine::{List, Plan, Situation};
use crate::number::Integer;
use crate::report::strategy::{self, PlannedRule};
use crate::report::{Style, View, decimal, one_line};

/// The most columns and rows.
const MOST: usize = 150;

/// The least and the largest height of a cell, and the space below the cells without the notes.
const HEIGHTS: [f64; 2] = [4.0, 46.0];
const BELOW: f64 = 42.0;

/// The least distance of two labels, and the height of one.
const APART: f64 = 6.0;
const LINE: f64 = LABEL.size + 1.0;

/// The opacities of the first and of the last of many choices.
const LIGHT: f64 = 0.08;
const DARK: f64 = 0.9;

/// The picture of the first plan of some rules whose situations differ in one or two numbers; `None` if there is none, or if the
/// numbers have too many values.
pub(in crate::report) fn plan(rules: &[PlannedRule], style: &Style) -> Option<String> {
    let plans = rules.iter();
    let mut plans = plans.flat_map(|rule| rule.plans.iter().map(move |plan| (rule, plan)));
    let (rule, plan, axes) = plans.find_map(|(rule, plan)| Some((rule, plan, Axes::of(plan)?)))?;
    let style = Style {
        title: Some(style.title.clone().unwrap_or_else(|| rule.name.clone())),
        queries: Vec::new(),
        ..style.clone()
    };
    let mut picture = Picture::of(&[], &[], &style, View::Exactly, false);
    let along: Vec<String> = axes.along.iter().map(|along| along.name.clone()).collect();
    let chosen = one_line(&plan.chosen.name);
    picture.subtitle = vec![format!(
        "the best {chosen} for each {}",
        along.join(" and ")
    )];
    picture.description = format!("{} of {}.", picture.subtitle[0], picture.title);
    Some(axes.draw(plan, &picture))
}

/// A number in which situations differ.
struct Along {
    /// Its place in what is known.
    place: usize,
    name: String,
    values: Vec<Integer>,
}

impl Along {
    /// The places of the values that have labels, where each takes the room of so many values: those of round values, or each so many
    /// where values are far apart.
    fn labelled(&self, taken: f64) -> Vec<usize> {
        let every = round_step(taken.max(1.0)) as usize;
        let round = Integer::from(every);
        let is_round = |place: &usize| self.values[*place].mod_floor(&round) == Some(Integer::ZERO);
        let places = 0..self.values.len();
        let rounds: Vec<usize> = places.clone().filter(is_round).collect();
        if rounds.len() * every * 2 > self.values.len() {
            rounds
        } else {
            places.step_by(every).collect()
        }
    }
}

/// The numbers in which the situations of a plan differ: that of the rows first, if there are two.
struct Axes {
    along: Vec<Along>,
    choices: Vec<List>,
}

impl Axes {
    fn of(plan: &Plan) -> Option<Self> {
        let first = plan.situations.first()?;
        let differ = |place: &usize| {
            let mut situations = plan.situations.iter();
            situations.any(|one| one.known[*place] != first.known[*place])
        };
        let along = (0..plan.known.len()).filter(differ).map(|place| {
            let values = plan
                .situations
                .iter()
                .map(|one| number(one, place).cloned());
            let values: BTreeSet<Integer> = values.collect::<Option<_>>()?;
            (values.len() <= MOST).then(|| Along {
                place,
                name: one_line(&plan.known[place].name),
                values: values.into_iter().collect(),
            })
        });
        let along: Vec<Along> = along.collect::<Option<_>>()?;
        let choices: BTreeSet<&List> = plan.situations.iter().map(|one| &one.choice).collect();
        (1..=2).contains(&along.len()).then(|| Self {
            along,
            choices: choices.into_iter().cloned().collect(),
        })
    }

    fn draw(&self, plan: &Plan, picture: &Picture) -> String {
        let canvas = Canvas::new(picture.width);
        let labels = |along: &Along| -> Vec<String> {
            let values = along.values.iter();
            values.map(|value| typeset(&value.to_string())).collect()
        };
        let names: Vec<String> = self
            .choices
            .iter()
            .map(|choice| shown(plan, choice))
            .collect();
        let chosen = one_line(&plan.chosen.name);
        let legend = names.iter().map(|name| format!("{chosen} {name}"));
        let legend: Vec<String> = legend.collect();
        let (rows, across) = match &self.along[..] {
            [rows, across] => (Some(rows), across),
            [across, ..] => (None, across),
            [] => return picture.document(&canvas),
        };
        let row_names = rows.map_or_else(Vec::new, labels);
        let has_colors = names.len() <= SERIES;
        let notes = match (has_colors, &names[..]) {
            (false, [first, .., last]) => {
                picture.notes([&format!("the lightest cells: {first}; the darkest: {last}")])
            }
            _ => Vec::new(),
        };
        let caption = rows.map_or_else(String::new, |rows| rows.name.clone());
        let area = picture.frame(
            &canvas,
            Around {
                legend: has_colors.then_some((Sample::Block, &legend[..], &[])),
                caption: &caption,
                left: widest(&row_names, LABEL.size),
                rows: Some((row_names.len().max(1) as f64, HEIGHTS)),
                below: BELOW,
                notes,
                ..Around::default()
            },
        );
        let columns = labels(across);
        let width = area.width() / columns.len() as f64;
        let height = area.height() / row_names.len().max(1) as f64;
        for situation in &plan.situations {
            let place = |along: &Along| {
                let value = number(situation, along.place)?;
                along.values.binary_search(value).ok()
            };
            let choice = self.choices.binary_search(&situation.choice);
            let row = rows.map_or(Some(0), place);
            let (Some(column), Some(row), Ok(choice)) = (place(across), row, choice) else {
                continue;
            };
            let (left, top) = (
                area.left + column as f64 * width,
                area.top + row as f64 * height,
            );
            let gap = if width.min(height) < 8.0 { 0.0 } else { 1.0 };
            let cell = Rect::between((left, top), (left + width - gap, top + height - gap));
            let (role, opacity) = if has_colors {
                (roles(names.len())[choice], 1.0)
            } else {
                let part = choice as f64 / (names.len() - 1) as f64;
                (Role::Heat, LIGHT + (DARK - LIGHT) * part)
            };
            let look = Look::new("cell", role, words(plan, situation));
            canvas.put(Mark::of(cell, look.with_opacity(opacity)));
            let is_dark = !has_colors && opacity > 0.5;
            let font = Font {
                role: match (has_colors, is_dark) {
                    (true, _) => role.text(),
                    (false, true) => Role::Ground,
                    (false, false) => Role::Ink,
                },
                ..SMALL
            };
            let text = &names[choice];
            if text_width(text, font.size) + 3.0 < width && font.size + 1.0 <= height {
                canvas.text_if_free(text, cell.middle(), Anchor::Middle, font);
            }
        }
        let room = widest(&columns, LABEL.size) + APART;
        for column in across.labelled(room / width) {
            let place = (
                area.left + (column as f64 + 0.5) * width,
                area.bottom + 14.0,
            );
            canvas.text_if_free(&columns[column], place, Anchor::Middle, LABEL);
        }
        for row in rows
            .into_iter()
            .flat_map(|rows| rows.labelled(LINE / height))
        {
            let place = (area.left - BEFORE, area.top + (row as f64 + 0.5) * height);
            canvas.text_if_free(&row_names[row], place, Anchor::End, LABEL);
        }
        let below = (area.middle().0, area.bottom + 33.0);
        canvas.text_if_free(&across.name, below, Anchor::Middle, SMALL);
        picture.document(&canvas)
    }
}

/// A number that is known in a situation; `None` for a list of another length.
fn number(situation: &Situation, place: usize) -> Option<&Integer> {
    match &situation.known[place][..] {
        [only] => Some(only),
        _ => None,
    }
}

/// A choice as people read it.
fn shown(plan: &Plan, choice: &List) -> String {
    one_line(&strategy::text(&plan.chosen, choice))
}

/// The text beside the pointer: `score 20, left 3: again 1, mean 12.34`.
fn words(plan: &Plan, situation: &Situation) -> String {
    let known = plan.known.iter().zip(&situation.known);
    let known = known.map(|(called, value)| {
        let text = strategy::text(called, value);
        one_line(&format!("{} {text}", called.name))
    });
    let known: Vec<String> = known.collect();
    let choice = shown(plan, &situation.choice);
    let (chosen, mean) = (&plan.chosen.name, decimal::fixed(&situation.mean, 4));
    format!(
        "{}: {} {choice}, mean {mean}",
        known.join(", "),
        one_line(chosen)
    )
}
