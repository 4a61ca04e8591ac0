//! Lanes above a field: a line over the values that each question is about, with the question. Lanes show several questions, the targets of
//! a cumulative view, and a question about values that are not shown.

use super::asked::ValueQuestion;
use super::chart::Chart;
use super::field::Canvas;
use super::kind::ChartKind;
use super::mark::{Anchor, Look, Mark, Point, Rect, text_box};
use super::palette::Role;
use super::text::{Font, SMALL, fitting, text_width};
use super::words::{MOST_QUESTIONS, Picture};
use crate::report::{Query, View};

/// The height of a lane, and the space between a line and its question.
const LANE: f64 = 19.0;
const GAP: f64 = 6.0;

/// The length of the tip of a line that goes on, and of a line that leads to values that are not shown.
const TIP: f64 = 6.0;
const ARROW: f64 = 22.0;

/// The largest number of runs with dotted lines, and of runs that are drawn.
const MOST_DOTTED: usize = 3;
const MOST_RUNS: usize = 60;

/// About the part of the width of a picture that the axis has.
const AXIS: f64 = 0.84;

/// The questions.
const WORDS: Font = Font {
    role: Role::Ink,
    ..SMALL
};

/// The lanes of a picture, from above.
#[derive(Default)]
pub(super) struct Lanes<'a>(Vec<Lane<'a>>);

struct Lane<'a> {
    words: &'a str,
    place: AskedPlace,
    /// Whether the words stand above the line, because there is no room for them on it or beside it.
    is_double: bool,
}

/// The place of what is asked along the axis.
enum AskedPlace {
    /// Runs, and whether each goes on at its ends.
    Runs(Vec<([f64; 2], [bool; 2])>),
    /// The target of a cumulative view, and whether the question asks for the chance of the view at the target.
    Target {
        at: f64,
        is_answer: bool,
    },
    /// Before the axis, or after it.
    Before,
    After,
}

impl<'a> Lanes<'a> {
    /// The lanes of what is asked. A single question about values that are shown needs none where its part of the picture stands out.
    pub(super) fn of(chart: &Chart, picture: &'a Picture) -> Self {
        let all = picture.asked.iter().filter_map(|asked| {
            let place = AskedPlace::of(chart, asked, picture)?;
            let words = asked.words.as_str();
            let axis = picture.width * AXIS;
            let is_double = place.has_no_room(chart, text_width(words, WORDS.size), axis);
            Some(Lane {
                words,
                place,
                is_double,
            })
        });
        let mut all: Vec<Lane> = all.take(MOST_QUESTIONS).collect();
        let is_plain = matches!(&all[..], [lane] if matches!(lane.place, AskedPlace::Runs(_)));
        if is_plain && picture.asked.len() == 1 && chart.kind != ChartKind::Cells {
            all.clear();
        }
        Self(all)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The places of a cumulative view whose own chances are asked.
    pub(super) fn targets(&self) -> impl Iterator<Item = f64> {
        self.0.iter().filter_map(|lane| match lane.place {
            AskedPlace::Target {
                at,
                is_answer: true,
            } => Some(at),
            _ => None,
        })
    }

    pub(super) fn height(&self) -> f64 {
        self.0.iter().map(Lane::height).sum()
    }

    /// The places from which dotted lines lead down to the axis.
    pub(super) fn crossings(&self) -> Vec<f64> {
        self.0.iter().flat_map(Lane::crossings).collect()
    }

    /// Draws the lanes above an area; `x` is a place in pixels. Returns the points from which dotted lines lead down to the axis.
    pub(super) fn draw(&self, canvas: &Canvas, area: Rect, x: impl Fn(f64) -> f64) -> Vec<Point> {
        let mut bottom = area.top - self.height();
        let mut below = Vec::new();
        for lane in &self.0 {
            bottom += lane.height();
            let y = bottom - 0.5 * LANE - 3.0;
            lane.draw(canvas, area, y, &x);
            below.extend(lane.crossings().into_iter().map(|at| (x(at), y)));
        }
        below
    }
}

impl AskedPlace {
    fn of(chart: &Chart, asked: &ValueQuestion, picture: &Picture) -> Option<Self> {
        let values = &asked.runs;
        let runs: Vec<_> = values.iter().filter_map(|run| chart.run(*run)).collect();
        let Some(([left, right], _)) = runs.first().copied() else {
            let last = chart.slots().last().and_then(|bin| bin.values);
            let is_after = values.first()?[0] > last.map_or(0.0, |[_, last]| last);
            return Some(if is_after { Self::After } else { Self::Before });
        };
        let (at, is_answer) = match (picture.view, &asked.query) {
            (View::Exactly, _) => return (runs.len() <= MOST_RUNS).then_some(Self::Runs(runs)),
            (_, Query::Condition(_) | Query::Label(_)) => return None,
            (View::AtLeast, Query::AtLeast(_)) => (left + 0.5, true),
            (View::AtMost, Query::AtMost(_)) => (right - 0.5, true),
            (_, Query::Exactly(_)) => (left + 0.5, false),
            // The asked chance is that of all values except those that the picture counts up to here. The words of a single rule say the
            // chance. Of several curves, readers would take the chance at the mark.
            _ if picture.names.len() > 1 => return None,
            (View::AtMost, Query::AtLeast(_)) => (left, false),
            (View::AtLeast, Query::AtMost(_)) => (right, false),
        };
        Some(Self::Target { at, is_answer })
    }

    /// Whether words of this width fit neither on a run nor beside all of them, on an axis of about this width.
    fn has_no_room(&self, chart: &Chart, width: f64, axis: f64) -> bool {
        let Self::Runs(runs) = self else {
            return false;
        };
        let [low, high] = chart.ends();
        let lengths = runs.iter().map(|([from, to], _)| to - from);
        let longest = lengths.fold(0.0, f64::max);
        let pixels = |length: f64| length / (high - low) * axis;
        let beside = (runs[0].0[0] - low).max(high - runs[runs.len() - 1].0[1]);
        pixels(longest) < width + 4.0 * TIP && pixels(beside) - GAP < width
    }
}

/// A line that shows what is asked.
fn lines(lines: &[Vec<Point>]) -> Mark {
    Mark::lines(lines, 1.4, "", Look::new("asked", Role::Ink, ""))
}

/// A line with a tip at its end.
fn arrow(from: Point, to: Point) -> Mark {
    let back = if from.0 < to.0 { -TIP } else { TIP };
    let side = |down: f64| (to.0 + back, to.1 + down);
    lines(&[vec![from, to], vec![side(-4.0), to, side(4.0)]])
}

impl Lane<'_> {
    fn height(&self) -> f64 {
        if self.is_double {
            2.0 * LANE - 3.0
        } else {
            LANE
        }
    }

    /// The places from which dotted lines lead down to the axis.
    fn crossings(&self) -> Vec<f64> {
        match &self.place {
            AskedPlace::Runs(runs) if runs.len() <= MOST_DOTTED => {
                let ends = runs.iter().flat_map(|(ends, on)| ends.iter().zip(on));
                ends.filter(|(_, goes_on)| !**goes_on)
                    .map(|(end, _)| *end)
                    .collect()
            }
            AskedPlace::Target { at, .. } => vec![*at],
            _ => Vec::new(),
        }
    }

    fn draw(&self, canvas: &Canvas, area: Rect, y: f64, x: impl Fn(f64) -> f64) {
        let (edge, inward, anchor) = match &self.place {
            AskedPlace::Runs(runs) => {
                let runs = runs.iter().map(|(ends, on)| (ends.map(&x), *on));
                return self.runs(canvas, area, y, &runs.collect::<Vec<_>>());
            }
            AskedPlace::Target { at, .. } => {
                let x = x(*at);
                canvas.put(Mark::circle((x, y), 2.5, Look::new("asked", Role::Ink, "")));
                return self.beside(canvas, area, y, [x, x]);
            }
            AskedPlace::Before => (area.left, 1.0, Anchor::Start),
            AskedPlace::After => (area.right, -1.0, Anchor::End),
        };
        canvas.put(arrow((edge + inward * ARROW, y), (edge, y)));
        let words = format!("{} (not shown)", self.words);
        let words = fitting(&words, WORDS.size, area.width() - ARROW - GAP);
        canvas.text(&words, (edge + inward * (ARROW + GAP), y), anchor, WORDS);
    }

    /// Draws the lines over runs, in pixels, and the question on the longest of them, or beside them all.
    fn runs(&self, canvas: &Canvas, area: Rect, y: f64, runs: &[([f64; 2], [bool; 2])]) {
        let mut longest = [area.left; 2];
        for (ends, goes_on) in runs {
            let middle = (f64::midpoint(ends[0], ends[1]), y);
            for (to, goes_on) in ends.iter().zip(goes_on) {
                let end = vec![(*to, y - 4.0), (*to, y + 4.0)];
                canvas.put(match goes_on {
                    true => arrow(middle, (*to, y)),
                    false => lines(&[vec![middle, (*to, y)], end]),
                });
            }
            if ends[1] - ends[0] >= longest[1] - longest[0] {
                longest = *ends;
            }
        }
        if self.is_double {
            let place = (area.left, y - LANE + 3.0);
            return self.write(canvas, place, Anchor::Start, area.width());
        }
        let room = longest[1] - longest[0];
        if text_width(self.words, WORDS.size) + 4.0 * TIP > room {
            return self.beside(canvas, area, y, [runs[0].0[0], runs[runs.len() - 1].0[1]]);
        }
        let middle = (f64::midpoint(longest[0], longest[1]), y);
        let place = text_box(self.words, middle, Anchor::Middle, WORDS.size).wider(GAP);
        canvas.put(Mark::of(place, Look::plain(Role::Ground)));
        self.write(canvas, middle, Anchor::Middle, room);
    }

    /// Writes the question on the right of a place where there is room, else on its left.
    fn beside(&self, canvas: &Canvas, area: Rect, y: f64, [left, right]: [f64; 2]) {
        let (before, after) = (left - GAP - area.left, area.right - right - GAP);
        if text_width(self.words, WORDS.size) <= after || after >= before {
            self.write(canvas, (right + GAP, y), Anchor::Start, after);
        } else {
            self.write(canvas, (left - GAP, y), Anchor::End, before);
        }
    }

    fn write(&self, canvas: &Canvas, at: Point, anchor: Anchor, room: f64) {
        let words = fitting(self.words, WORDS.size, room);
        canvas.page().text((&words, self.words), at, anchor, WORDS);
    }
}
