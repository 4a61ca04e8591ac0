//! Complaints and warnings, with the place in the rule underlined.

use std::io::{self, Write};
use std::ops::Range;

use ariadne::{CharSet, Config, IndexType, Label, Report, ReportKind};
use dicedist::Diagnostic;
use dicedist::report::Refused;
use dicedist::source::{Shown, Source, Span, echoed, escaped, shortened, shown};

/// A line longer than this is shown in part, in bytes.
const LONG_LINE: usize = 400;

/// The most lines before a place that are counted in the margin.
const MOST_LINES: usize = 10_000;

/// The bytes of a long line that are shown on either side of a place.
const AROUND: usize = 60;

/// Writes why a rule could not be answered, under a name, and with which values of its free variables.
pub(super) fn write_error(
    refused: &Refused,
    (name, values): (&str, Option<String>),
    color: bool,
    out: &mut Shown<impl Write>,
) -> io::Result<()> {
    let note = values.map(|values| format!("this happens with {}", echoed(&values)));
    for diagnostic in refused.error.diagnostics() {
        let mut diagnostic = diagnostic.clone();
        diagnostic.notes.extend(note.clone());
        if diagnostic.span.is_some() {
            write(ReportKind::Error, &refused.source, &diagnostic, color, out)?;
        } else {
            write_without_place(&ReportKind::Error, Some(name), &diagnostic, out)?;
        }
    }
    Ok(())
}

/// Writes a warning or a note; one without a source is about the whole call.
pub(super) fn write_warning(
    source: Option<&Source>,
    warning: &Diagnostic,
    color: bool,
    out: &mut Shown<impl Write>,
) -> io::Result<()> {
    let kind = if warning.is_note {
        ReportKind::Advice
    } else {
        ReportKind::Warning
    };
    match source {
        Some(source) => write(kind, source, warning, color, out),
        None => write_without_place(&kind, None, warning, out),
    }
}

fn write(
    kind: ReportKind,
    source: &Source,
    diagnostic: &Diagnostic,
    color: bool,
    out: &mut Shown<impl Write>,
) -> io::Result<()> {
    let Some(span) = diagnostic.span else {
        return write_without_place(&kind, Some(source.name()), diagnostic, out);
    };
    let diagnostic = &visible(diagnostic);
    let excerpt = Excerpt::of(source, span);
    let name = &*shown(source.name());
    let config = Config::default()
        .with_index_type(IndexType::Byte)
        .with_char_set(CharSet::Unicode)
        .with_color(color);
    let label_color = match kind {
        ReportKind::Warning => ariadne::Color::Yellow,
        ReportKind::Advice => ariadne::Color::Blue,
        _ => ariadne::Color::Red,
    };
    // A label without text is not drawn at all.
    let label = Label::new((name, excerpt.place.clone()))
        .with_color(label_color)
        .with_message(diagnostic.label.as_deref().unwrap_or("here"));
    let mut report = Report::build(kind, (name, excerpt.place.clone()))
        .with_config(config)
        .with_message(&diagnostic.message)
        .with_label(label);
    if excerpt.is_cut {
        let position = source.position(span.start);
        report.add_note(format!(
            "shown is a part of the text; the place is line {}, column {}",
            position.line, position.column
        ));
    }
    report.with_notes(&diagnostic.notes);
    if let Some(help) = &diagnostic.help {
        report.set_help(help);
    }
    let text = ariadne::Source::from(excerpt.text);
    let mut rendered = Vec::new();
    report.finish().write((name, text), &mut rendered)?;
    // ariadne says "Advice" where this program says "Note".
    let rendered = String::from_utf8_lossy(&rendered).replacen("Advice", "Note", 1);
    for line in rendered.lines() {
        // All parts of it are shown texts, and the colours are ariadne's.
        writeln!(out.raw(), "{}", line.trim_end())?;
    }
    Ok(())
}

/// One paragraph, for what concerns a rule as a whole.
fn write_without_place(
    kind: &ReportKind,
    name: Option<&str>,
    diagnostic: &Diagnostic,
    out: &mut Shown<impl Write>,
) -> io::Result<()> {
    let diagnostic = visible(diagnostic);
    writeln!(out, "{kind}: {}", diagnostic.message)?;
    if let Some(name) = name {
        writeln!(out, "  In: {}", shown(&shortened(name, AROUND)))?;
    }
    for note in &diagnostic.notes {
        writeln!(out, "  Note: {note}")?;
    }
    if let Some(help) = &diagnostic.help {
        writeln!(out, "  Help: {help}")?;
    }
    Ok(())
}

/// The part of a text that is shown.
struct Excerpt {
    /// The lines of the place, after as many empty lines as there are lines before it.
    text: String,
    /// Where the place is in `text`; never empty.
    place: Range<usize>,
    /// Whether `text` is less than whole lines, so that columns are not those of the source.
    is_cut: bool,
}

impl Excerpt {
    /// The lines of a place, or what is near it in a line too long to print.
    fn of(source: &Source, span: Span) -> Self {
        let text = source.text();
        let start = floor(text, span.start);
        let end = floor(text, span.end).max(start);
        let first_line = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let last_line = text[end..]
            .find('\n')
            .map_or(text.len(), |newline| end + newline);
        let (from, to) = if last_line - first_line <= LONG_LINE {
            (first_line, last_line)
        } else {
            let from = floor(text, start.saturating_sub(AROUND)).max(first_line);
            let to = floor(text, (start + LONG_LINE).min(end + AROUND)).min(last_line);
            (from, to)
        };
        // Line ends stay, which `shown` would replace. A blank to stand on, for a place that is the end of a line.
        let shown = |from: usize, to: usize| Shown::from(&text[from..to]).to_string();
        let lines = text[..from].bytes().filter(|byte| *byte == b'\n').count();
        let is_far = lines > MOST_LINES;
        let before = "\n".repeat(if is_far { 0 } else { lines }) + &shown(from, start);
        let place = shown(start, end.min(to));
        let after = shown(end.min(to), to) + " ";
        let first = after.chars().next().filter(|_| place.is_empty());
        let length = place.len() + first.map_or(0, char::len_utf8);
        Self {
            place: before.len()..before.len() + length,
            text: before + &place + &after,
            is_cut: is_far || from > first_line || to < last_line,
        }
    }
}

/// The last character boundary at or before an offset.
fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// The diagnostic with all its texts as they may be [`shown`], and none of them without end.
fn visible(diagnostic: &Diagnostic) -> Diagnostic {
    let mut diagnostic = diagnostic.brief();
    let texts = [&mut diagnostic.message].into_iter();
    let texts = texts.chain(&mut diagnostic.notes);
    let texts = texts
        .chain(&mut diagnostic.label)
        .chain(&mut diagnostic.help);
    for text in texts {
        *text = escaped(text);
    }
    diagnostic
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(text: &str, place: &str, diagnostic: impl Fn(Span) -> Diagnostic) -> String {
        let start = text.find(place).unwrap();
        let span = Span::new(start, start + place.len());
        let mut out = Shown::on(Vec::new());
        let source = Source::new("rule", text);
        write(
            ReportKind::Error,
            &source,
            &diagnostic(span),
            false,
            &mut out,
        )
        .unwrap();
        out.to_string()
    }

    #[test]
    fn places_are_right_after_letters_of_several_bytes() {
        let text = render("// größer als über\nsum(3#d6) × 2", "×", |span| {
            Diagnostic::new(span, "unexpected '×'").with_help("write *")
        });
        insta::assert_snapshot!(text, @r"
        Error: unexpected '×'
           ╭─[ rule:2:11 ]
           │
         2 │ sum(3#d6) × 2
           │           ┬
           │           ╰── here
           │
           │ Help: write *
        ───╯
        ");
    }

    #[test]
    fn places_are_right_after_letters_in_the_same_line() {
        let text = render("größe + 1", "+", |span| {
            Diagnostic::new(span, "no such name")
        });
        insta::assert_snapshot!(text, @r"
        Error: no such name
           ╭─[ rule:1:7 ]
           │
         1 │ größe + 1
           │       ┬
           │       ╰── here
        ───╯
        ");
    }

    #[test]
    fn long_lines_are_shown_in_part() {
        let text = render(
            &format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000)),
            "x",
            |span| Diagnostic::new(span, "nested too deeply"),
        );
        assert!(text.len() < 2_000, "{}", text.len());
        assert!(text.contains("line 1, column 100001"), "{text}");
    }

    #[test]
    fn terminals_are_not_given_orders() {
        let text = render("1 + \u{1b}[31m\u{202e}x", "x", |span| {
            Diagnostic::new(span, "no such name")
        });
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
    }

    #[test]
    fn the_end_of_the_text_is_a_place() {
        let source = Source::new("rule", "sum(3#d6");
        let mut out = Shown::on(Vec::new());
        let diagnostic = Diagnostic::new(Span::new(8, 8), "expected ')'");
        write(ReportKind::Error, &source, &diagnostic, false, &mut out).unwrap();
        insta::assert_snapshot!(out.to_string(), @r"
        Error: expected ')'
           ╭─[ rule:1:9 ]
           │
         1 │ sum(3#d6
           │         ┬
           │         ╰── here
        ───╯
        ");
    }
}
