//! Draws the rules side by side along the horizontal axis, with a line for each value, or for each question: how its chance changes
//! from rule to rule. Many lines are rows of a field of cells instead.

use std::ops::Range;

use super::axis::{name_of_chances, percent_label, ticks, typeset, typeset_words};
use super::below;
use super::canvas::{Anchor, Canvas, Mark, Point, Rect, text_box};
use super::cells::{self, Axis, Cells};
use super::chance::Chance;
use super::direct;
use super::frame::{self, Key, MARGIN, Note, SAMPLE, WIDTH, whisker};
use super::kind::FEW;
use super::lanes::Lanes;
use super::names::fitting_names;
use super::palette::{Role, roles};
use super::picture::{self, Picture};
use super::plot::{LABELS_HEIGHT, NAME_HEIGHT, share_axis};
use super::shared::{self, Stretch, radii, stretches};
use super::text::{LABEL, SMALL, TINY, widest};
use crate::algebra::Weight;
use crate::limits::LimitReached;
use crate::number::Integer;
use crate::report::scale::Scale;
use crate::report::sheet::{Row, Sheet};
use crate::report::sweeps::SideBySide;
use crate::report::{Layout, Query, Report, Style, View, events, halfway};

/// Chances of questions that all lie below this one have an axis that ends above the highest, and else one up to certainty.
const FAR_FROM_HALF: f64 = 0.4;

/// The largest width of the name of a line.
const LONGEST_NAME: f64 = 200.0;

/// The least distance between the names of lines.
const APART: f64 = 18.0;

/// The space above the field, for the name of the chances.
const ABOVE: f64 = 30.0;

/// The largest number of rules whose dots are large.
const MOST_DOTS: usize = 45;

/// A value is far from the one before if their distance is this many times the usual one.
const FAR: f64 = 10.0;

/// The note on chances that are known within bounds alone.
const OPEN: &str = "some chances are lower bounds, because a part is unresolved";

/// The values, each with its chance in each rule.
#[derive(Debug)]
pub(super) struct Lines {
    values: Vec<String>,
    /// Whether each value is far from the one before.
    are_far: Vec<bool>,
    chances: Vec<Vec<Chance>>,
    notes: Vec<String>,
    /// Whether a note says where the chances pass one half.
    says_half: bool,
    what: What,
    /// What is asked, where all lines are about it.
    asked: Option<String>,
    /// The variable and its values, where the lines are those of several rules.
    variable: Option<(String, Vec<Integer>)>,
}

/// The note on lines between values that do not follow each other.
const ACROSS: &str = "dotted lines lead across values that were not asked for";

impl Picture {
    /// Whether a value of the variable does not follow the one before.
    fn has_gaps(&self) -> bool {
        !self.runs_and_gaps().1.is_empty()
    }

    /// The places of values of the variable that follow each other, and of those on both sides of each gap. Values follow each other
    /// if they are neighbouring integers, or if all are equally far apart.
    fn runs_and_gaps(&self) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
        let Some((_, values)) = &self.variable else {
            return (Vec::new(), Vec::new());
        };
        let steps = values.windows(2);
        let steps: Vec<Option<Integer>> = steps.map(|pair| pair[1].sub(&pair[0]).ok()).collect();
        let are_even = steps.windows(2).all(|pair| pair[0] == pair[1]);
        let usual = match steps.first() {
            Some(first) if are_even => first.clone(),
            _ => Some(Integer::ONE),
        };
        let (mut runs, mut gaps, mut start) = (Vec::new(), Vec::new(), 0);
        for place in 1..values.len() {
            if steps[place - 1] != usual {
                runs.push(start..place);
                gaps.push(place - 1..place + 1);
                start = place;
            }
        }
        runs.push(start..values.len());
        (runs, gaps)
    }
}

/// The distance of a percentage from the middle of a dot.
const CLEAR: f64 = 4.5;

/// The opacity of a line down from where a chance crosses one half.
const HALF: f64 = 0.6;

/// The most values of a variable whose cells have room for a decimal.
const MOST_DECIMAL: usize = 11;

/// The most rules whose cells are wide.
const MOST_WIDE: usize = 6;

/// What the lines are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// The chances of what is asked. They are those of a sweep.
    Questions,
    Values,
}

impl Lines {
    /// The lines of several rules; `None` for one, of which there is nothing to follow.
    pub(super) fn of(report: &Report, style: &Style) -> Result<Option<Self>, LimitReached> {
        if report.rules.len() < 2 {
            return Ok(None);
        }
        let sheet = Sheet::of(report, style)?;
        let totals = report.rules.iter().map(|rule| rule.answer.total());
        let mut scales: Vec<Scale> = totals.map(Scale::new).collect();
        // Wide cells have room for a decimal.
        let digits = usize::from(report.rules.len() <= MOST_WIDE);
        let mut chances = |row: &Row| -> Vec<Chance> {
            let cells = row.cells.iter().zip(&mut scales);
            let chances = cells.map(|(cell, scale)| match cell {
                Some(cell) if cell.bounds.is_some() => {
                    Chance::new(&cell.weight, scale, digits).estimated()
                }
                Some(cell) => Chance::new(&cell.weight, scale, digits),
                None => Chance::new(&Weight::ZERO, scale, digits),
            });
            chances.collect()
        };
        let sampled = picture::all_sampled(report.rules, false);
        Ok(Some(Self {
            chances: sheet.rows.iter().map(&mut chances).collect(),
            are_far: far(&sheet.rows),
            values: sheet.rows.iter().map(|row| readable(&row.label)).collect(),
            notes: sheet.note.into_iter().chain(sampled).collect(),
            says_half: false,
            what: What::Values,
            asked: None,
            variable: None,
        }))
    }

    /// The lines of what is asked of the rules of a sweep, or of the sweeps of several rules side by side, or of rules that are to
    /// stand side by side; `None` for other rules, or if nothing is asked that has an answer.
    pub(super) fn of_questions(report: &Report, style: &Style) -> Option<Self> {
        let is_transposed = style.layout == Layout::Transposed && report.rules.len() > 1;
        let first = report.rules.first();
        let first = first.filter(|_| report.is_sweep() || is_transposed)?;
        let event = |query: &Query| picture::event(query, first, style);
        let side_by_side = SideBySide::of(report.rules);
        let names = side_by_side.as_ref().map(SideBySide::names);
        let (variable, sweeps) = match side_by_side {
            Some(all) => (Some(all.variable), all.sweeps),
            None => (None, vec![report.rules.iter().collect()]),
        };
        let mut lines = Self {
            values: Vec::new(),
            are_far: Vec::new(),
            chances: Vec::new(),
            notes: Vec::new(),
            says_half: false,
            what: What::Questions,
            asked: None,
            variable,
        };
        let is_one = style.queries.len() == 1;
        // The chances of rules that are no sweep are written beside their dots.
        let columns = lines
            .variable
            .as_ref()
            .map_or(0, |(_, values)| values.len());
        let digits = usize::from(!report.is_sweep() || columns <= MOST_DECIMAL);
        let mut is_open = false;
        for query in &style.queries {
            for (index, sweep) in sweeps.iter().enumerate() {
                let shares = sweep.iter().map(|rule| events::share(query, rule));
                let Some(shares) = shares.collect::<Option<Vec<_>>>() else {
                    continue;
                };
                is_open |= shares.iter().any(|(sign, _)| *sign == "≥");
                let chances = shares.iter().zip(sweep).map(|((sign, share), rule)| {
                    let mut chance = Chance::of(share, digits);
                    chance.words.insert_str(0, sign);
                    let interval = rule.event(query).filter(|_| *sign == "≈");
                    match interval {
                        Some(interval) => {
                            let bounds = [interval.low(), interval.high()].map(Clone::clone);
                            chance.within(&bounds).estimated()
                        }
                        None => chance,
                    }
                });
                lines.chances.push(chances.collect());
                lines.values.push(match &names {
                    None => event(query),
                    Some(names) if is_one => names[index].replace("=-", "=−"),
                    Some(names) => {
                        format!("{}, {}", names[index].replace("=-", "=−"), event(query))
                    }
                });
            }
        }
        lines.asked = match (&style.queries[..], &lines.values[..]) {
            ([query], _) => Some(event(query)),
            (_, [only]) => Some(only.clone()),
            _ => None,
        };
        let halfway = halfway::remark(report.rules, &style.queries, event);
        lines.says_half = halfway.is_some();
        lines
            .notes
            .extend(halfway.map(|remark| remark.replace("=-", "=−")));
        let has_intervals = lines.variable.is_some();
        let sampled = picture::all_sampled(report.rules, has_intervals);
        lines.notes.extend(sampled);
        lines.notes.extend(is_open.then(|| OPEN.into()));
        (!lines.values.is_empty()).then_some(lines)
    }

    /// A thin line down to the axis `bottom` where the chances of a sweep cross one half.
    fn half(&self, canvas: &mut Canvas, index: usize, points: &[Point], role: Role, bottom: f64) {
        if let Some(place) = self.crossing(&self.chances[index]) {
            let (x, y) = points[place];
            let line = vec![(x, y), (x, bottom)];
            canvas.lines(
                &[line],
                1.0,
                "",
                Mark::new("half", role, "").with_opacity(HALF),
            );
        }
    }

    /// The place along a line where its chance is one half or more for the first or the last time, if it passes one half once.
    fn crossing(&self, chances: &[Chance]) -> Option<usize> {
        let are = chances.iter().map(|chance| chance.share >= 0.5);
        let are: Vec<bool> = are.filter(|_| self.what == What::Questions).collect();
        let mut changes = (1..are.len()).filter(|&place| are[place] != are[place - 1]);
        match (changes.next(), changes.next()) {
            (Some(place), None) => Some(if are[place] { place } else { place - 1 }),
            _ => None,
        }
    }

    /// The name of the chances.
    fn name_of_chances(&self, view: View) -> String {
        match self.what {
            What::Questions => name_of_chances(View::Exactly, None),
            What::Values => name_of_chances(view, Some("each value")),
        }
    }

    /// The picture with the texts about the lines.
    fn about(&self, picture: &Picture) -> Picture {
        let names = match &self.variable {
            Some((name, values)) => values
                .iter()
                .map(|value| format!("{name}={}", typeset(&value.to_string())))
                .collect(),
            None => picture.names.clone(),
        };
        Picture {
            subtitle: match &self.asked {
                Some(asked) => vec![format!("chance of {asked}")],
                None if picture.has_answers && self.what == What::Values => picture.answers(),
                None => Vec::new(),
            },
            variable: self
                .variable
                .as_ref()
                .or(picture.variable.as_ref())
                .cloned(),
            names,
            ..picture.clone()
        }
    }

    /// The field of many lines, with a row for each.
    fn cells(&self, rules: &[String], picture: &Picture) -> Cells {
        let rows =
            self.values
                .iter()
                .zip(&self.chances)
                .enumerate()
                .map(|(index, (value, chances))| {
                    let cells = chances.iter().zip(&picture.names).map(|(chance, rule)| {
                        let words = format!("{rule}, {value}: {}", chance.words);
                        Some((chance.clone(), words))
                    });
                    cells::Row {
                        name: value.clone(),
                        is_far: self.are_far.get(index) == Some(&true),
                        cells: cells.collect(),
                    }
                });
        Cells {
            chances: self.name_of_chances(picture.view),
            columns: rules.to_vec(),
            are_far: vec![false; rules.len()],
            name: picture
                .variable
                .iter()
                .map(|(name, _)| name.clone())
                .collect(),
            rows: rows.collect(),
            ends: Vec::new(),
            notes: frame::notes(self.notes.iter().chain(&picture.unanswered)),
            says_all: self.what == What::Questions,
            axis: Axis::of_names(rules.len()),
        }
    }
}

/// Whether the value of each row is far from the one before: much farther than most are.
fn far(rows: &[Row]) -> Vec<bool> {
    let values: Vec<Option<f64>> = rows.iter().map(|row| row.label.parse().ok()).collect();
    let distance = |place: usize| Some(values[place]? - values[place.checked_sub(1)?]?);
    let mut distances: Vec<f64> = (0..rows.len()).filter_map(distance).collect();
    distances.sort_by(f64::total_cmp);
    let usual = distances.get(distances.len().saturating_sub(1) / 2);
    let is_far = |distance: f64| usual.is_some_and(|usual| distance > usual * FAR);
    (0..rows.len())
        .map(|place| distance(place).is_some_and(is_far))
        .collect()
}

/// The label of a row as a picture has it.
fn readable(label: &str) -> String {
    let sign = [(">=", "≥"), ("<=", "≤")];
    let found = sign
        .iter()
        .find_map(|(ascii, sign)| Some((label.strip_prefix(ascii)?, sign)));
    match (found, label.split_once("..")) {
        (Some((bound, sign)), _) => format!("{sign}{}", typeset(bound)),
        (None, Some((low, high))) => format!("{} to {}", typeset(low), typeset(high)),
        (None, None) => typeset_words(label),
    }
}

/// Draws the lines above the names of the rules; returns the height of the picture.
pub(super) fn draw(lines: &Lines, picture: &Picture) -> (Canvas, f64) {
    let picture = &lines.about(picture);
    let names: Vec<String> = match &picture.variable {
        Some((_, values)) => values
            .iter()
            .map(|value| typeset(&value.to_string()))
            .collect(),
        None => picture.names.clone(),
    };
    if lines.values.len() > FEW {
        return lines
            .cells(&names, picture)
            .draw(picture, &Lanes::default());
    }
    let mut canvas = Canvas::new(WIDTH);
    let top = frame::head(&mut canvas, picture) + ABOVE;
    let has_whiskers = picture.variable.is_some() && picture.names.len() <= MOST_DOTS;
    let intervals = lines
        .chances
        .iter()
        .flatten()
        .filter_map(|chance| chance.bounds);
    let intervals: Vec<[f64; 2]> = intervals.filter(|_| has_whiskers).collect();
    let notes = notes(lines, picture, !intervals.is_empty());
    let foot = LABELS_HEIGHT + NAME_HEIGHT + frame::notes_height(&notes);
    let shares = lines.chances.iter().flatten().map(|chance| chance.share);
    let shares = shares.chain(intervals.iter().map(|[_, high]| *high));
    let highest = shares.fold(0.0, f64::max);
    let view = match lines.what {
        What::Questions if highest < FAR_FROM_HALF => View::Exactly,
        What::Questions => View::AtLeast,
        What::Values => picture.view,
    };
    let (high, step) = share_axis(highest, view);
    let ticks = ticks(0.0, high, step);
    let labels = ticks.values.iter().map(|share| percent_label(*share, step));
    let labels: Vec<String> = labels.collect();
    let has_names = lines.values.len() > 1;
    let values = lines.values.iter().filter(|_| has_names);
    let room = widest(values, LABEL.size).min(LONGEST_NAME);
    let area = Rect {
        left: MARGIN + widest(&labels, LABEL.size) + 10.0,
        top,
        right: WIDTH - MARGIN - if has_names { room + SAMPLE + 8.0 } else { 0.0 },
        bottom: top + frame::height_between(top, foot),
    };
    let y = |share: f64| area.bottom - share / high * area.height();
    for (share, label) in ticks.values.iter().zip(&labels) {
        let y = y(*share);
        canvas.line((area.left, y), (area.right, y), 1.0, Role::Grid);
        canvas.text(label, (area.left - 8.0, y), Anchor::End, LABEL);
    }
    let name = lines.name_of_chances(picture.view);
    canvas.text(&name, (MARGIN, top - 20.0), Anchor::Start, SMALL);
    if lines.what == What::Questions && high >= 0.5 {
        let ends = vec![(area.left, y(0.5)), (area.right, y(0.5))];
        canvas.lines(&[ends], 1.2, "5 4", Mark::plain(Role::SoftInk));
        canvas.text("50%", (area.left - 8.0, y(0.5)), Anchor::End, SMALL);
    }
    let places = below::places(picture, names.len(), &area);
    let roles = roles(lines.values.len());
    let marks = Marks {
        lines,
        picture,
        places: &places,
        roles: &roles,
        has_whiskers,
        bottom: area.bottom,
    };
    let ends = marks.draw(&mut canvas, y);
    let spread = spread(&ends, area.top, area.bottom);
    let shown = fitting_names(&lines.values, LABEL.size, room);
    let names_of_lines = shown.iter().zip(&lines.values).zip(&roles).zip(spread);
    for (((name, whole), role), y) in names_of_lines.filter(|_| has_names) {
        direct::draw(&mut canvas, (name, whole), *role, (area.right + 8.0, y));
    }
    canvas.line(
        (area.left, area.bottom),
        (area.right, area.bottom),
        1.2,
        Role::Axis,
    );
    below::names(&mut canvas, picture, &names, &places, &area);
    if let Some((name, _)) = &picture.variable {
        let middle = f64::midpoint(area.left, area.right);
        let place = (middle, area.bottom + LABELS_HEIGHT + NAME_HEIGHT / 2.0);
        canvas.text(name, place, Anchor::Middle, SMALL);
    }
    let below = area.bottom + LABELS_HEIGHT + NAME_HEIGHT;
    frame::draw_notes(&mut canvas, &notes, below);
    (canvas, area.bottom + foot)
}

/// The notes below the axis.
fn notes(lines: &Lines, picture: &Picture, has_whiskers: bool) -> Vec<Note> {
    let mut notes = frame::notes(lines.notes.iter().chain(&picture.unanswered));
    if has_whiskers {
        let text = "the interval of each sampled chance";
        notes.push(Note::on(Key::Whisker, text));
    }
    let mut all = lines.chances.iter();
    let passes_half = all.any(|chances| lines.crossing(chances).is_some());
    if passes_half && picture.variable.is_some() && !lines.says_half {
        let text = "the first or the last value with a chance of one half or more";
        notes.push(Note::on(Key::Upright, text));
    }
    if picture.has_gaps() {
        notes.extend(frame::notes([&ACROSS.to_owned()]));
    }
    notes
}

/// The marks of lines that are drawn one by one.
struct Marks<'a> {
    lines: &'a Lines,
    picture: &'a Picture,
    /// The horizontal place of each rule.
    places: &'a [f64],
    roles: &'a [Role],
    has_whiskers: bool,
    bottom: f64,
}

impl Marks<'_> {
    /// Draws the marks, where `y` is the height of a chance; returns the heights at which the lines end.
    fn draw(&self, canvas: &mut Canvas, y: impl Fn(f64) -> f64) -> Vec<f64> {
        let (lines, picture) = (self.lines, self.picture);
        let points = lines.chances.iter().map(|chances| -> Vec<Point> {
            let points = self.places.iter().zip(chances);
            points.map(|(x, chance)| (*x, y(chance.share))).collect()
        });
        let points: Vec<Vec<Point>> = points.collect();
        let of_all = |parts: &[Range<usize>]| -> Vec<Vec<Stretch>> {
            let of_one = |line: &Vec<Point>| -> Vec<Vec<Point>> {
                let parts = parts.iter().cloned();
                parts.map(|part| line[part].to_vec()).collect()
            };
            stretches(&points.iter().map(of_one).collect::<Vec<_>>())
        };
        let (runs, gaps) = picture.runs_and_gaps();
        let (curves, across, radii) = (of_all(&runs), of_all(&gaps), radii(&points));
        let mut ends = Vec::new();
        let obstacles = obstacles(&points, y(0.5));
        for (index, (value, role)) in lines.values.iter().zip(self.roles).enumerate() {
            let (chances, points) = (&lines.chances[index], &points[index]);
            if picture.variable.is_some() {
                shared::draw(canvas, &curves[index], (2.2, role.dash()), *role);
                shared::draw(canvas, &across[index], (1.2, "1.5 4"), *role);
                lines.half(canvas, index, points, *role, self.bottom);
            }
            let scale = if self.places.len() > MOST_DOTS {
                0.5
            } else {
                1.0
            };
            let all = points.iter().zip(&radii[index]);
            for ((point, radius), (chance, rule)) in all.zip(chances.iter().zip(&picture.names)) {
                let words = format!("{rule}, {value}: {}", chance.words);
                canvas.circle(*point, radius * scale, Mark::new("dot", *role, &words));
                if let Some([low, high]) = chance.bounds.filter(|_| self.has_whiskers) {
                    let lines = whisker(point.0, 4.0, y(low), y(high));
                    canvas.lines(&lines, 1.2, "", Mark::new("interval", *role, ""));
                }
            }
            if lines.what == What::Questions && picture.variable.is_none() {
                percentages(canvas, points, chances, &obstacles);
            }
            ends.extend(points.last().map(|(_, y)| *y));
        }
        ends
    }
}

/// What no percentage covers: the dots of all lines, and the line of one half at this height.
fn obstacles(points: &[Vec<Point>], half: f64) -> Vec<Rect> {
    let around = |&(x, y): &Point| Rect {
        left: x - CLEAR,
        top: y - CLEAR,
        right: x + CLEAR,
        bottom: y + CLEAR,
    };
    let line = Rect {
        left: 0.0,
        top: half - 1.0,
        right: WIDTH,
        bottom: half + 1.0,
    };
    points.iter().flatten().map(around).chain([line]).collect()
}

/// The chances above their dots, below or beside them, where there is room.
fn percentages(canvas: &mut Canvas, points: &[Point], chances: &[Chance], obstacles: &[Rect]) {
    for ((x, y), chance) in points.iter().zip(chances) {
        let text = &chance.label;
        let mut places = [
            ((*x, y - 12.0), Anchor::Middle),
            ((*x, y + 13.0), Anchor::Middle),
            ((x + 9.0, *y), Anchor::Start),
            ((x - 9.0, *y), Anchor::End),
        ]
        .into_iter();
        places.any(|(place, anchor)| {
            let own = text_box(text, place, anchor, TINY.size);
            let covers = obstacles.iter().any(|other| other.overlaps(&own));
            !covers && canvas.text_if_free(text, place, anchor, TINY)
        });
    }
}

/// The places of names at these heights, moved so that none covers another. They keep their order.
fn spread(ends: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by(|a, b| ends[*a].total_cmp(&ends[*b]));
    let mut places = ends.to_vec();
    let mut least = top;
    for index in &order {
        places[*index] = places[*index].max(least);
        least = places[*index] + APART;
    }
    let mut greatest = bottom;
    for index in order.iter().rev() {
        places[*index] = places[*index].min(greatest);
        greatest = places[*index] - APART;
    }
    places
}
