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

/// Situations with the same choice, which differ at most in the last number that is known.
struct Row<'p> {
    first: &'p Situation,
    last: &'p Situation,
}

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
        let rows = rows(plan);
        let shown = if style.all {
            rows.len()
        } else {
            rows.len().min(MOST_ROWS)
        };
        grid(plan, &rows[..shown], style).write(style.width, style.color, out)?;
        if shown < rows.len() {
            let note = format!("the first {shown} of {} rows", rows.len());
            writeln!(out, "({})", style.with_way_to_all(&note))?;
        }
    }
    Ok(())
}

fn rows(plan: &Plan) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for situation in &plan.situations {
        match rows.last_mut() {
            Some(row) if continues(plan, row.last, situation) => row.last = situation,
            _ => rows.push(Row {
                first: situation,
                last: situation,
            }),
        }
    }
    rows
}

/// Whether a situation has the same choice as the one before it, and differs in nothing but a last number.
fn continues(plan: &Plan, before: &Situation, situation: &Situation) -> bool {
    let are_numbers = plan
        .known
        .last()
        .is_some_and(|last| last.shape == Shape::Numbers);
    let ([outer @ .., a], [same @ .., b]) = (&before.known[..], &situation.known[..]) else {
        return false;
    };
    are_numbers
        && before.choice == situation.choice
        && outer == same
        && a.len() == 1
        && b.len() == 1
}

fn grid(plan: &Plan, rows: &[Row<'_>], style: &Style) -> Grid {
    let last = plan.known.len().checked_sub(1);
    let cells = |column: usize| {
        let cells = rows.iter().map(|row| {
            let [first, until] =
                [row.first, row.last].map(|end| text(&plan.known[column], &end.known[column]));
            if Some(column) == last && first != until {
                format!("{first} to {until}")
            } else {
                first
            }
        });
        cells.collect::<Vec<_>>()
    };
    let known = (0..plan.known.len()).map(|column| {
        let are_numbers = rows.iter().all(|row| row.first.known[column].len() == 1);
        let align = if are_numbers {
            Align::Right
        } else {
            Align::Left
        };
        Column::of(&*plan.known[column].name, cells(column), align)
    });
    let choices = rows
        .iter()
        .map(|row| text(&plan.chosen, &row.first.choice))
        .collect();
    let means = rows.iter().map(|row| {
        let [first, until] =
            [row.first, row.last].map(|end| decimal::fixed(&end.mean, style.digits));
        if first == until {
            first
        } else {
            format!("{first} to {until}")
        }
    });
    let mut columns: Vec<Column> = known.collect();
    columns.push(Column::of(
        format!("best {}", plan.chosen.name),
        choices,
        Align::Left,
    ));
    columns.push(Column::of("mean", means.collect(), Align::Right));
    Grid {
        corner: String::new(),
        labels: vec![String::new(); rows.len()],
        align: Align::Left,
        columns,
    }
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
