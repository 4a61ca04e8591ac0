//! The frame around the data: title, legend, notes.

use std::io;

use super::canvas::{Anchor, Canvas, Font, Point, Rect, fitting, text_width};
use super::palette::{Appearance, Color, INK, Marker, SOFT_INK, WHITE, appearance};
use super::picture::Picture;

/// The width of every picture, in pixels.
pub(super) const WIDTH: f64 = 760.0;

/// The space around the content of a picture.
pub(super) const MARGIN: f64 = 16.0;

pub(super) const TITLE: Font = Font {
    size: 19.0,
    bold: true,
    color: INK,
};
pub(super) const SUBTITLE: Font = Font {
    size: 14.0,
    bold: false,
    color: SOFT_INK,
};
pub(super) const LABEL: Font = Font {
    size: 14.0,
    bold: false,
    color: INK,
};
pub(super) const SMALL: Font = Font {
    size: 13.0,
    bold: false,
    color: SOFT_INK,
};

const TITLE_HEIGHT: f64 = MARGIN + 31.0;
/// The height of a second line of the title.
const TITLE_LINE: f64 = 25.0;
const SUBTITLE_HEIGHT: f64 = 22.0;
const LEGEND_HEIGHT: f64 = 21.0;

/// The heading of the means in a legend to the right.
const MEAN: &str = "mean";

/// The least number of series with a legend to the right.
const MANY: usize = 5;

/// The form of a series in the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sample {
    Block,
    Line { markers: bool },
}

/// The appearance of each series. Many ordered series have the shades of one scale.
pub(super) fn appearances(picture: &Picture) -> Vec<Appearance> {
    let count = picture.names.len();
    let shaded = picture.sweep && count >= MANY;
    (0..count)
        .map(|index| appearance(index, count, shaded))
        .collect()
}

/// The width of the legend to the right.
pub(super) fn legend_width(picture: &Picture) -> f64 {
    if picture.names.len() < MANY {
        return 0.0;
    }
    let names = picture.names.iter();
    let widths = names.map(|name| text_width(name, LABEL.size));
    (widths.fold(0.0, f64::max) + 54.0).min(200.0) + means_width(picture)
}

/// The width of the means in the legend to the right.
fn means_width(picture: &Picture) -> f64 {
    let widths = picture
        .means
        .iter()
        .map(|mean| text_width(mean, LABEL.size));
    let widest = widths.fold(0.0, f64::max);
    if widest > 0.0 {
        widest.max(text_width(MEAN, SMALL.size)) + 8.0
    } else {
        0.0
    }
}

/// The height of [`head`].
pub(super) fn head_height(picture: &Picture) -> f64 {
    let count = picture.names.len();
    let legend = if (2..MANY).contains(&count) { count } else { 0 };
    let subtitle = if picture.subtitle.is_empty() {
        0.0
    } else {
        SUBTITLE_HEIGHT
    };
    let more = title_lines(picture).len() - 1;
    TITLE_HEIGHT + more as f64 * TITLE_LINE + subtitle + legend as f64 * LEGEND_HEIGHT
}

/// The title in one line or two, broken between words.
fn title_lines(picture: &Picture) -> Vec<String> {
    let room = WIDTH - 2.0 * MARGIN;
    let fits = |text: &str| text_width(text, TITLE.size) <= room;
    let mut first = String::new();
    let mut words = picture.title.split(' ').peekable();
    while let Some(word) = words.peek() {
        let longer = if first.is_empty() {
            (*word).to_owned()
        } else {
            format!("{first} {word}")
        };
        if !fits(&longer) {
            break;
        }
        first = longer;
        words.next();
    }
    let rest = words.collect::<Vec<_>>().join(" ");
    let mut lines = vec![first, rest];
    lines.retain(|line| !line.is_empty());
    lines.resize(lines.len().max(1), String::new());
    let lines = lines.iter().map(|line| fitting(line, TITLE.size, room));
    lines.collect()
}

/// Draws title, subtitle and the legend of a few series; returns their lower edge.
pub(super) fn head(canvas: &Canvas, picture: &Picture, sample: Sample) -> io::Result<f64> {
    let room = WIDTH - 2.0 * MARGIN;
    let mut y = MARGIN + 10.0;
    let lines = title_lines(picture);
    for line in &lines {
        canvas.text(line, (MARGIN, y), Anchor::Start, TITLE)?;
        y += TITLE_LINE;
    }
    y = TITLE_HEIGHT - 6.0 + (lines.len() - 1) as f64 * TITLE_LINE;
    if !picture.subtitle.is_empty() {
        let subtitle = fitting(&picture.subtitle, SUBTITLE.size, room);
        canvas.text(&subtitle, (MARGIN, y + 9.0), Anchor::Start, SUBTITLE)?;
        y += SUBTITLE_HEIGHT;
    }
    let count = picture.names.len();
    if (2..MANY).contains(&count) {
        let appearances = appearances(picture);
        for ((name, detail), appearance) in
            picture.names.iter().zip(&picture.details).zip(&appearances)
        {
            let middle = y + 10.0;
            swatch(canvas, (MARGIN + 14.0, middle), *appearance, sample)?;
            let detail = if detail.is_empty() {
                String::new()
            } else {
                format!(": {detail}")
            };
            // A long name is cut rather than its detail, down to a third of the room.
            let room = room - 36.0;
            let name_room = (room - text_width(&detail, LABEL.size)).max(room / 3.0);
            let name = fitting(name, LABEL.size, name_room);
            let text = fitting(&format!("{name}{detail}"), LABEL.size, room);
            canvas.text(&text, (MARGIN + 36.0, middle), Anchor::Start, LABEL)?;
            y += LEGEND_HEIGHT;
        }
    }
    Ok(y + 6.0)
}

/// Draws the legend of many series in a column that begins at `left`.
pub(super) fn side(
    canvas: &Canvas,
    picture: &Picture,
    sample: Sample,
    left: f64,
    (top, bottom): (f64, f64),
) -> io::Result<()> {
    let count = picture.names.len();
    if count < MANY {
        return Ok(());
    }
    let pitch = ((bottom - top) / count as f64).min(22.0);
    let font = Font {
        size: LABEL.size.min(pitch * 0.9),
        ..LABEL
    };
    let right = WIDTH - MARGIN;
    let means = means_width(picture);
    if means > 0.0 {
        canvas.text(MEAN, (right, top - 8.0), Anchor::End, SMALL)?;
    }
    for (index, (name, appearance)) in picture.names.iter().zip(appearances(picture)).enumerate() {
        let middle = top + (index as f64 + 0.5) * pitch;
        swatch(canvas, (left + 14.0, middle), appearance, sample)?;
        let name = fitting(name, font.size, right - means - left - 34.0);
        canvas.text(&name, (left + 34.0, middle), Anchor::Start, font)?;
        canvas.text(&picture.means[index], (right, middle), Anchor::End, font)?;
    }
    Ok(())
}

fn swatch(
    canvas: &Canvas,
    (x, y): Point,
    appearance: Appearance,
    sample: Sample,
) -> io::Result<()> {
    match sample {
        Sample::Block => canvas.fill(
            Rect {
                left: x - 12.0,
                top: y - 6.0,
                right: x + 12.0,
                bottom: y + 6.0,
            },
            appearance.color,
        ),
        Sample::Line { markers } => {
            let ends = [(x - 13.0, y), (x + 13.0, y)];
            canvas.dashed(&ends, appearance.color, 2.2, appearance.dash)?;
            if markers {
                marker(canvas, (x, y), appearance, 4.0)?;
            }
            Ok(())
        }
    }
}

/// The marker of a series at a point, with a white edge so that it shows on lines.
pub(super) fn marker(
    canvas: &Canvas,
    (x, y): Point,
    appearance: Appearance,
    size: f64,
) -> io::Result<()> {
    shape(canvas, (x, y), appearance.marker, WHITE, size + 1.0)?;
    shape(canvas, (x, y), appearance.marker, appearance.color, size)
}

fn shape(
    canvas: &Canvas,
    (x, y): Point,
    marker: Marker,
    color: Color,
    size: f64,
) -> io::Result<()> {
    let corners: &[Point] = match marker {
        Marker::Circle => return canvas.circle((x, y), size, color),
        Marker::Square => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        Marker::Diamond => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
        Marker::Triangle => &[(0.0, -1.2), (1.15, 0.85), (-1.15, 0.85)],
        Marker::Down => &[(0.0, 1.2), (1.15, -0.85), (-1.15, -0.85)],
    };
    let points: Vec<Point> = corners
        .iter()
        .map(|(right, down)| (x + right * size, y + down * size))
        .collect();
    canvas.polygon(&points, color, 1.0)
}

/// Draws notes below each other, the last at the lower edge of the picture. [`notes_height`] is their height.
pub(super) fn notes(canvas: &Canvas, notes: &[String], height: f64) -> io::Result<()> {
    for (index, note) in notes.iter().rev().enumerate() {
        let y = height - MARGIN + 2.0 - index as f64 * 18.0;
        let note = fitting(note, SMALL.size, WIDTH - 2.0 * MARGIN);
        canvas.text(&note, (MARGIN, y), Anchor::Start, SMALL)?;
    }
    Ok(())
}

pub(super) fn notes_height(notes: &[String]) -> f64 {
    notes.len() as f64 * 18.0
}
