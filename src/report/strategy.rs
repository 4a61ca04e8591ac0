//! Writes an optimal strategy: for each choice a table of what is best, in each situation.

use std::io::{self, Write as _};

use super::Style;
use super::decimal;
use super::grid::{Align, Column, Grid};
use crate::engine::{List, Plan, Situation, Value};
use crate::ir::{Called, Shape};
use crate::number::Unit;
use crate::source::{Shown, Source};

/// The most rows of a table that does not show all.
const MOST_ROWS: usize = 20;

/// A rule with what is best in it.
#[derive(Clone, Debug)]
pub struct PlannedRule {
    /// The name of the rule, with the values of its free variables.
    pub name: String,
    /// The text that the places of the choices refer to.
    pub source: Source,
    /// The choices.
    pub plans: Vec<Plan>,
}

/// The place of a choice, in words.
pub(super) fn place(plan: &Plan, source: &Source) -> String {
    let position = source.position(plan.place.start);
    format!("{}:{}:{}", source.name(), position.line, position.column)
}

/// Writes a table for each choice. Situations whose last number goes on are one row, if the choice is the same.
///
/// # Errors
///
/// The errors of writing to `out`.
pub fn write(
    plans: &[Plan],
    source: &Source,
    style: &Style,
    out: &mut Shown<impl io::Write>,
) -> io::Result<()> {
    for plan in plans {
        let count = plan.situations.len();
        let situations = if count == 1 {
            "situation"
        } else {
            "situations"
        };
        let (chosen, place) = (&plan.chosen.name, place(plan, source));
        writeln!(out, "best {chosen} ({place}): {count} {situations}")?;
        // Situations with the same choice, which differ at most in the last number that is known, are a row.
        let rows = plan.situations.chunk_by(|a, b| continues(plan, a, b));
        let rows: Vec<&[Situation]> = rows.collect();
        let most = if style.all { rows.len() } else { MOST_ROWS };
        let shown = rows.len().min(most);
        grid(plan, &rows[..shown], style).write(style.width, style.color, out)?;
        if shown < rows.len() {
            let note = format!("the first {shown} of {} rows", rows.len());
            writeln!(out, "({})", style.with_way_to_all(&note))?;
        }
    }
    Ok(())
}

/// Whether a situation has the same choice as the one before it, and differs in nothing but a last number.
fn continues(plan: &Plan, before: &Situation, situation: &Situation) -> bool {
    let last = plan.known.last();
    let are_numbers = last.is_some_and(|last| last.shape == Shape::Numbers);
    match (&before.known[..], &situation.known[..]) {
        ([outer @ .., a], [same @ .., b]) => {
            let is_same = before.choice == situation.choice && outer == same;
            are_numbers && is_same && a.len() == 1 && b.len() == 1
        }
        _ => false,
    }
}

fn grid(plan: &Plan, rows: &[&[Situation]], style: &Style) -> Grid {
    // The text of the first situation of each row, and of the last where it differs.
    let column = |heading: &str, align: Align, text: &dyn Fn(&Situation) -> String| {
        let cells = rows.iter().map(|row| {
            let [first, last] = [&row[0], &row[row.len() - 1]].map(text);
            if first == last {
                first
            } else {
                format!("{first} to {last}")
            }
        });
        Column::of(heading, cells.collect(), align)
    };
    let known = plan.known.iter().enumerate().map(|(place, called)| {
        let are_numbers = rows.iter().all(|row| row[0].known[place].len() == 1);
        let align = if are_numbers {
            Align::Right
        } else {
            Align::Left
        };
        column(&called.name, align, &|it| text(called, &it.known[place]))
    });
    let best = format!("best {}", plan.chosen.name);
    let choice = column(&best, Align::Left, &|it| text(&plan.chosen, &it.choice));
    let mean = column("mean", Align::Right, &|it| {
        decimal::fixed(&it.mean, style.digits)
    });
    Grid::new(
        Column::of("", vec![String::new(); rows.len()], Align::Left),
        known.chain([choice, mean]),
    )
}

/// A value as people read it; `nothing` for the empty list.
pub(super) fn text(called: &Called, list: &List) -> String {
    if list.is_empty() {
        return "nothing".into();
    }
    let read;
    let value = if called.shape == Shape::Numbers {
        Value::List(list)
    } else {
        read = called.shape.read(list);
        Value::Members(&read)
    };
    value.show(&Unit::WHOLE, &called.shape)
}
