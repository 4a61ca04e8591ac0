//! Texts on a picture: their fonts, about how wide they are, and how they are cut and broken. The viewer chooses the font, so the
//! width of a text is an estimate.

use super::palette::Role;
use crate::report::grid::display_width;

/// The size, weight and colour of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Font {
    pub(super) size: f64,
    pub(super) bold: bool,
    pub(super) role: Role,
    /// Whether the letters have an edge in the colour of the ground, which sets them off from lines below.
    pub(super) edge: bool,
}

impl Font {
    const fn plain(size: f64, role: Role) -> Self {
        Self {
            size,
            bold: false,
            role,
            edge: false,
        }
    }
}

/// The title.
pub(super) const TITLE: Font = Font {
    bold: true,
    ..Font::plain(18.0, Role::Ink)
};

/// Names, and the values along an axis; texts around the data.
pub(super) const LABEL: Font = Font::plain(14.0, Role::Ink);
pub(super) const SMALL: Font = Font::plain(13.0, Role::SoftInk);

/// Chances beside their marks.
pub(super) const TINY: Font = Font {
    edge: true,
    ..Font::plain(12.0, Role::Ink)
};

/// The height of a line of a note, and the least distance of labels one above the other.
pub(super) const NOTE_LINE: f64 = 17.0;

/// An estimate of the width of a text. The viewer chooses the font; figures and signs are as wide as in a wide one.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let mut one = [0; 4];
    let widths = text.chars().map(|character| match character {
        '0'..='9' => 0.64,
        '%' => 0.95,
        '<' | '>' | '≥' | '≤' | '=' | '+' | '−' | '±' | '≈' | '×' => 0.84,
        '.' | ',' => 0.32,
        other => display_width(other.encode_utf8(&mut one)) as f64 * 0.6,
    });
    widths.sum::<f64>() * size
}

/// The width of the widest text.
pub(super) fn widest<'a>(texts: impl IntoIterator<Item = &'a String>, size: f64) -> f64 {
    let widths = texts.into_iter().map(|text| text_width(text, size));
    widths.fold(0.0, f64::max)
}

/// A text cut to about this width.
pub(super) fn fitting(text: &str, size: f64, width: f64) -> String {
    // The last bit of a sum may be off.
    let width = width + 1e-6;
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    let mut start = String::new();
    for character in text.chars() {
        start.push(character);
        if text_width(&start, size) + text_width("…", size) > width {
            start.pop();
            break;
        }
    }
    start + "…"
}

/// The text in at most `most` lines of this width, broken between words; the last is cut if there is more.
pub(super) fn wrapped(text: &str, size: f64, width: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let last = lines.len() == most;
        match lines.last_mut() {
            Some(line)
                if last
                    || text_width(line, size) + text_width(word, size) + size * 0.6 <= width =>
            {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    let cut = lines.iter().map(|line| fitting(line, size, width));
    cut.collect()
}

/// The text in as few lines as [`wrapped`] has, but of about one length, so that no word stands alone in the last.
pub(super) fn balanced(text: &str, size: f64, width: f64, most: usize) -> Vec<String> {
    let lines = wrapped(text, size, width, most);
    let is_cut = || text_width(text, size) > width * most as f64 * 0.9;
    if lines.len() < 2 || is_cut() {
        return lines;
    }
    let widths = text.split(' ').map(|word| text_width(word, size));
    let widest = widths.fold(0.0, f64::max);
    let narrower = (1..10).rev().map(|tenths| width * f64::from(tenths) / 10.0);
    let narrower = narrower.filter(|width| *width > widest);
    let narrower = narrower.map(|width| wrapped(text, size, width, most + 1));
    let balanced = narrower.take_while(|others| others.len() == lines.len());
    balanced.last().unwrap_or(lines)
}
