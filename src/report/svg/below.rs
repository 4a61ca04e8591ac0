//! The rules along a horizontal axis: their places, and their names below it.

use std::collections::BTreeSet;

use super::canvas::{Anchor, Canvas, Rect, text_box};
use super::frame::WIDTH;
use super::names::fitting_names;
use super::palette::Role;
use super::picture::Picture;
use super::text::{Font, LABEL, text_width, widest};
use crate::number::Integer;

/// The largest width of a name.
const LONGEST_NAME: f64 = 200.0;

/// The horizontal places of the rules: to scale if the variable ascends, else at equal distances.
pub(super) fn places(picture: &Picture, count: usize, area: &Rect) -> Vec<f64> {
    let values = picture.variable.as_ref().and_then(|(_, values)| {
        let numbers = values.iter().map(|value| Some(value.to_i64()? as f64));
        let numbers = numbers.collect::<Option<Vec<f64>>>()?;
        numbers.is_sorted_by(|a, b| a < b).then_some(numbers)
    });
    let values = values.unwrap_or_else(|| (0..count).map(|index| index as f64).collect());
    let (Some(first), Some(last)) = (values.first(), values.last()) else {
        return Vec::new();
    };
    let margin = (area.width() / count.max(1) as f64 / 2.0).min(40.0);
    let (left, room) = (area.left + margin, area.width() - 2.0 * margin);
    let covered = last - first;
    let places = values.iter().map(|value| {
        if covered > 0.0 {
            left + (value - first) / covered * room
        } else {
            left + room / 2.0
        }
    });
    places.collect()
}

/// The distance of evenly spaced values, and the round number of them from one label to the next, so that all labels fit; `None` for
/// values at other distances.
fn step_of_labels(values: &[Integer], names: &[String], places: &[f64]) -> Option<[i64; 2]> {
    let values = values.iter().map(Integer::to_i64);
    let values = values.collect::<Option<Vec<i64>>>()?;
    let mut distances = values.windows(2).map(|pair| pair[1].checked_sub(pair[0]));
    let apart = distances.next()??;
    if apart <= 0 || distances.any(|other| other != Some(apart)) {
        return None;
    }
    let pitch = places.get(1)? - places.first()?;
    let room = widest(names, LABEL.size) + 6.0;
    let mut steps = (0..6).flat_map(|power| [1, 2, 5].map(|step| step * 10i64.pow(power)));
    let step = steps.find(|step| *step as f64 * pitch >= room)?;
    Some([apart, step])
}

/// The names of the rules below the axis, as far as they fit; of evenly spaced values, as many as fit evenly.
pub(super) fn names(
    canvas: &mut Canvas,
    picture: &Picture,
    names: &[String],
    places: &[f64],
    area: &Rect,
) {
    let values = picture.variable.as_ref().map(|(_, values)| &values[..]);
    let step = step_of_labels(values.unwrap_or_default(), names, places);
    let is_wanted = |index: usize| {
        step.is_none_or(|[apart, step]| {
            let value = values.and_then(|values| values[index].to_i64());
            value.is_some_and(|value| value.div_euclid(apart).rem_euclid(step) == 0)
        })
    };
    let pitch = places.windows(2).map(|pair| pair[1] - pair[0]);
    let pitch = pitch.fold(area.width(), f64::min);
    let font = Font {
        role: Role::Ink,
        ..LABEL
    };
    let cut = |room: f64| fitting_names(names, font.size, room);
    let mut shown = cut(pitch.max(60.0) - 6.0);
    let mut every = 1;
    // Names that are alike when they are cut leave room for each other.
    if shown.iter().collect::<BTreeSet<_>>().len() < names.iter().collect::<BTreeSet<_>>().len() {
        let room = widest(names, font.size).min(LONGEST_NAME) + 12.0;
        every = (room / pitch).ceil() as usize;
        shown = cut(every as f64 * pitch - 6.0);
    }
    let all = names.iter().zip(&shown).zip(places).enumerate();
    for (index, ((name, shown), x)) in all.filter(|(index, _)| is_wanted(*index)) {
        let half = text_width(shown, font.size) / 2.0;
        let x = x.clamp(half + 4.0, (WIDTH - half - 4.0).max(half + 4.0));
        let place = (x, area.bottom + 15.0);
        let is_free = canvas.is_free(&text_box(shown, place, Anchor::Middle, font.size));
        if index % every == 0 && is_free {
            canvas.text_of((shown, name), place, Anchor::Middle, font);
        }
    }
}
