//! Lanes above the field: a line over the values that each question is about, with the question. So are several questions told
//! apart, the targets of a cumulative view, and a question about values that are not shown.

use super::asked::{Asked, Values};
use super::canvas::{Anchor, Canvas, Mark, Point, Rect, text_box};
use super::chart::Chart;
use super::kind::Kind;
use super::palette::Role;
use super::picture::{MOST_QUESTIONS, Picture};
use super::text::{Font, SMALL, fitting, text_width};
use super::upright::upright;
use crate::report::View;

/// The height of a lane.
const LANE: f64 = 19.0;

/// The length of the tip of a line that goes on, and the space between a line and its question.
const TIP: f64 = 6.0;
const GAP: f64 = 6.0;

/// The width of a line, and the length of one that leads to values that are not shown.
const WIDTH: f64 = 1.4;
const ARROW: f64 = 22.0;

/// The largest number of runs with dotted lines, and of runs that are drawn.
const MOST_DOTTED: usize = 3;
const MOST_RUNS: usize = 60;

/// About the width of the axis.
const AXIS: f64 = 640.0;

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
    place: Place,
    /// Whether the words stand above the line, because there is no room for them on it or beside it.
    is_double: bool,
}

/// The place of what is asked, in values.
enum Place {
    /// Runs between edges, some of which are on the axis.
    Runs(Vec<[f64; 2]>),
    /// The target of a cumulative view, and whether its chance there is what is asked.
    Target {
        value: f64,
        is_answer: bool,
    },
    /// Before the axis, or after it.
    Before,
    After,
}

/// The area below a lane, the ends of the lane, and its height in the picture.
struct Field {
    area: Rect,
    ends: [f64; 2],
    y: f64,
}

impl Field {
    /// The part of a run that has a place.
    fn shown(&self, [left, right]: [f64; 2]) -> [f64; 2] {
        [left.max(self.ends[0]), right.min(self.ends[1])]
    }
}

impl<'a> Lanes<'a> {
    /// The lanes of what is asked. A single question about values that are shown needs none where its part of the picture stands out.
    pub(super) fn of(chart: &Chart, picture: &'a Picture) -> Self {
        let all = picture.asked.iter().filter_map(|asked| {
            let place = Place::of(chart, asked, picture)?;
            let words = asked.words.as_str();
            Some(Lane {
                words,
                is_double: place.has_no_room(chart, text_width(words, WORDS.size)),
                place,
            })
        });
        let mut all: Vec<Lane> = all.take(MOST_QUESTIONS).collect();
        if let [Lane { place, .. }] = &all[..]
            && picture.asked.len() == 1
            && chart.kind != Kind::Field
            && matches!(place, Place::Runs(_))
        {
            all.clear();
        }
        Self(all)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The values of a cumulative view whose own chances are asked.
    pub(super) fn targets(&self) -> impl Iterator<Item = f64> {
        self.0.iter().filter_map(|lane| match lane.place {
            Place::Target {
                value,
                is_answer: true,
            } => Some(value),
            _ => None,
        })
    }

    pub(super) fn height(&self) -> f64 {
        self.0.iter().map(Lane::height).sum()
    }

    /// The values at which dotted lines lead down to the axis.
    pub(super) fn crossings(&self) -> Vec<f64> {
        let places = self.0.iter().flat_map(|lane| match &lane.place {
            Place::Runs(runs) if runs.len() <= MOST_DOTTED => runs.concat(),
            Place::Target { value, .. } => vec![*value],
            Place::Runs(_) | Place::Before | Place::After => Vec::new(),
        });
        places.filter(|value| value.is_finite()).collect()
    }

    /// Draws the lanes above an area, and dotted lines down to its lower edge where a run ends; `x` is the place of a value. The
    /// dotted lines keep off the `texts`, and the lanes go on beside the area to their `ends`.
    pub(super) fn draw(
        &self,
        canvas: &mut Canvas,
        area: Rect,
        ends: [f64; 2],
        x: impl Fn(f64) -> f64,
        texts: &[Rect],
    ) {
        let mut bottom = area.top - self.height();
        let mut below: Vec<Point> = Vec::new();
        for lane in &self.0 {
            bottom += lane.height();
            let y = bottom - 0.5 * LANE - 3.0;
            let field = Field { area, ends, y };
            let dotted = lane.draw(canvas, &field, &x);
            below.extend(dotted.into_iter().map(|x| (x, y)));
        }
        // The questions of lower lanes stand before the lines of upper ones.
        for (x, y) in below {
            let parts = upright(x, [y, area.bottom], &canvas.texts_and(texts));
            let parts = parts.into_iter().map(|[from, to]| vec![(x, from), (x, to)]);
            let parts: Vec<_> = parts.collect();
            canvas.lines(&parts, 1.2, "2 3", Mark::plain(Role::SoftInk));
        }
    }
}

impl Place {
    fn of(chart: &Chart, asked: &Asked, picture: &Picture) -> Option<Self> {
        let [_, last] = chart.axis();
        let runs = asked.values.runs();
        let runs: Vec<[f64; 2]> = runs.into_iter().map(|run| chart.edges(run)).collect();
        let &[low, high] = runs.first()?;
        if !runs.iter().any(|run| chart.shows(*run)) {
            return Some(if low >= last {
                Self::After
            } else {
                Self::Before
            });
        }
        let (half, ends) = (
            chart.apart / 2.0,
            [chart.middle(0), chart.middle(chart.slots() - 1)],
        );
        let (value, is_answer) = match (picture.view, &asked.values) {
            (View::Exactly, _) => return (runs.len() <= MOST_RUNS).then_some(Self::Runs(runs)),
            (_, Values::Holding(_)) => return None,
            (View::AtLeast, Values::AtLeast(_)) => (low + half, true),
            (View::AtMost, Values::AtMost(_)) => (high - half, true),
            (_, Values::Exactly(value)) => (*value, false),
            // The chance is that of all values but those that the picture counts up to here. The words of one rule have it; curves of
            // several would be read at the mark.
            _ if picture.names.len() > 1 => return None,
            (View::AtMost, Values::AtLeast(_)) => (low, false),
            (View::AtLeast, Values::AtMost(_)) => (high, false),
        };
        Some(Self::Target {
            value: value.clamp(ends[0], ends[1]),
            is_answer,
        })
    }

    /// Whether words of this width fit neither on a run nor beside all of them.
    fn has_no_room(&self, chart: &Chart, width: f64) -> bool {
        let Self::Runs(runs) = self else {
            return false;
        };
        let [low, high] = chart.axis();
        let shown = runs.iter().map(|[from, to]| [from.max(low), to.min(high)]);
        let shown: Vec<[f64; 2]> = shown.filter(|[from, to]| from < to).collect();
        let (Some(first), Some(last)) = (shown.first(), shown.last()) else {
            return false;
        };
        let longest = shown.iter().map(|[from, to]| to - from).fold(0.0, f64::max);
        let pixels = |length: f64| length / (high - low) * AXIS;
        let beside = pixels((first[0] - low).max(high - last[1])) - GAP;
        pixels(longest) < width + 4.0 * TIP && beside < width
    }
}

impl Lane<'_> {
    fn height(&self) -> f64 {
        if self.is_double {
            2.0 * LANE - 3.0
        } else {
            LANE
        }
    }

    /// Draws the lane; returns the places from which dotted lines lead down to the axis.
    fn draw(&self, canvas: &mut Canvas, field: &Field, x: impl Fn(f64) -> f64) -> Vec<f64> {
        let (area, y) = (field.area, field.y);
        match &self.place {
            Place::Runs(runs) => {
                let runs = runs
                    .iter()
                    .map(|run| (run.map(&x), run.map(f64::is_infinite)));
                return self.runs(canvas, field, &runs.collect::<Vec<_>>());
            }
            Place::Target { value, .. } => {
                let x = x(*value);
                canvas.circle((x, y), 2.5, Mark::new("asked", Role::Ink, ""));
                self.beside(canvas, area, y, [x, x]);
                return vec![x];
            }
            Place::Before => {
                let end = (area.left, y);
                arrow(canvas, (end.0 + ARROW, y), end);
                let place = (end.0 + ARROW + GAP, y);
                canvas.text(&self.not_shown(area), place, Anchor::Start, WORDS);
            }
            Place::After => {
                let end = (area.right, y);
                arrow(canvas, (end.0 - ARROW, y), end);
                let place = (end.0 - ARROW - GAP, y);
                canvas.text(&self.not_shown(area), place, Anchor::End, WORDS);
            }
        }
        Vec::new()
    }

    /// Draws the lines over runs, of which it is known which ends go on, and the question on the longest of them, or beside them all.
    /// Returns the places of dotted lines.
    fn runs(&self, canvas: &mut Canvas, field: &Field, runs: &[([f64; 2], [bool; 2])]) -> Vec<f64> {
        let (area, y) = (field.area, field.y);
        let mut dotted = Vec::new();
        for (run, is_open) in runs {
            let (ends, inner) = (*run, field.shown(*run));
            if inner[0] >= inner[1] {
                continue;
            }
            for (end, [to, from]) in [(0, inner), (1, [inner[1], inner[0]])] {
                let middle = f64::midpoint(from, to);
                if is_open[end] || (ends[end] - to).abs() > 0.1 {
                    arrow(canvas, (middle, y), (to, y));
                    continue;
                }
                let lines = [
                    vec![(middle, y), (to, y)],
                    vec![(to, y - 4.0), (to, y + 4.0)],
                ];
                canvas.lines(&lines, WIDTH, "", Mark::new("asked", Role::Ink, ""));
                if runs.len() <= MOST_DOTTED {
                    dotted.push(to);
                }
            }
        }
        let runs = runs.iter().map(|(run, _)| field.shown(*run));
        let runs: Vec<[f64; 2]> = runs.filter(|[left, right]| left < right).collect();
        let longest = runs.iter().copied().max_by(|a, b| {
            let [a, b] = [a, b].map(|[left, right]| right - left);
            a.total_cmp(&b)
        });
        let (Some(longest), Some(first), Some(last)) = (longest, runs.first(), runs.last()) else {
            return dotted;
        };
        let width = text_width(self.words, WORDS.size);
        let middle = (f64::midpoint(longest[0], longest[1]), y);
        if self.is_double {
            let words = fitting(self.words, WORDS.size, area.width());
            let place = (area.left, y - LANE + 3.0);
            canvas.text_of((&words, self.words), place, Anchor::Start, WORDS);
        } else if width + 4.0 * TIP <= longest[1] - longest[0] {
            let place = text_box(self.words, middle, Anchor::Middle, WORDS.size);
            let place = Rect {
                left: place.left - GAP,
                right: place.right + GAP,
                ..place
            };
            canvas.rect(place, Mark::plain(Role::Ground));
            canvas.text(self.words, middle, Anchor::Middle, WORDS);
        } else {
            let ([left, _], [_, right]) = (*first, *last);
            self.beside(canvas, area, y, [left, right]);
        }
        dotted
    }

    /// Writes the question on the right of a place where there is room, else on its left.
    fn beside(&self, canvas: &mut Canvas, area: Rect, y: f64, [left, right]: [f64; 2]) {
        let before = left - GAP - area.left;
        let after = area.right - right - GAP;
        let is_after = text_width(self.words, WORDS.size) <= after || after >= before;
        let (x, anchor, room) = if is_after {
            (right + GAP, Anchor::Start, after)
        } else {
            (left - GAP, Anchor::End, before)
        };
        let words = fitting(self.words, WORDS.size, room);
        canvas.text_of((&words, self.words), (x, y), anchor, WORDS);
    }

    fn not_shown(&self, area: Rect) -> String {
        let words = format!("{} (not shown)", self.words);
        fitting(&words, WORDS.size, area.width() - ARROW - GAP)
    }
}

/// A line with a tip at its end.
fn arrow(canvas: &mut Canvas, from: Point, to: Point) {
    let back = if from.0 < to.0 { -TIP } else { TIP };
    let side = |down: f64| (to.0 + back, to.1 + down);
    let lines = [vec![from, to], vec![side(-4.0), to, side(4.0)]];
    canvas.lines(&lines, WIDTH, "", Mark::new("asked", Role::Ink, ""));
}
