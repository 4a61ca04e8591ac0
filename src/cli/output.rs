//! Where answers go: standard output and files, each in its own format.

use std::io::{self, Write};
use std::path::Path;

use dicedist::limits::Budget;
use dicedist::report::{self, Report, Style};

use super::args::{Args, Format};
use super::destination::{Destination, to_standard_output};
use super::echo::echoed;
use super::identity::Identity;
use super::input;
use super::status::{Status, Stop};

/// A format that a destination is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Csv,
    Json,
    Markdown,
    Queries,
    Svg,
    Table,
}

/// All outputs that the arguments ask for, before any of them is opened.
#[derive(Debug)]
pub(super) struct Wanted<'a> {
    standard: Shape,
    files: Vec<(Shape, &'a Path)>,
}

/// All destinations. The files are open already, so that a wrong path is found before the work.
#[derive(Debug)]
pub(super) struct Outputs {
    standard: Shape,
    files: Vec<(Shape, Destination)>,
}

impl<'a> Wanted<'a> {
    /// The outputs that the arguments ask for, each of which is another file, and none of which is read.
    pub(super) fn by(args: &'a Args) -> Result<Self, Stop> {
        let files = [
            (Shape::Svg, &args.svg),
            (Shape::Csv, &args.csv),
            (Shape::Json, &args.json),
        ];
        let files: Vec<(Shape, &Path)> = files
            .into_iter()
            .filter_map(|(shape, path)| Some((shape, path.as_deref()?)))
            .collect();
        refuse_other_pictures(args)?;
        refuse_same(args, files.iter().map(|(_, path)| *path))?;
        let (standard, files): (Vec<_>, Vec<_>) = files
            .into_iter()
            .partition(|(_, path)| *path == Path::new("-"));
        let standard = match (args.format, standard.first()) {
            (Some(_), Some(_)) => {
                return Err(Stop::usage(
                    "standard output holds one format: either --format or a FILE that is '-'",
                ));
            }
            (None, Some((shape, _))) => *shape,
            (Some(Format::Csv), None) => Shape::Csv,
            (Some(Format::Json), None) => Shape::Json,
            (Some(Format::Markdown), None) => Shape::Markdown,
            (Some(Format::Table) | None, None) if args.asked.is_empty() => Shape::Table,
            (Some(Format::Table) | None, None) => Shape::Queries,
        };
        Ok(Self { standard, files })
    }

    /// Opens all of them.
    pub(super) fn open(self) -> Result<Outputs, Stop> {
        let files = self.files.into_iter();
        let files = files.map(|(shape, path)| Ok((shape, Destination::open(path)?)));
        Ok(Outputs {
            standard: self.standard,
            files: files.collect::<Result<_, Stop>>()?,
        })
    }
}

/// Refuses a picture in a file that is named after another format.
fn refuse_other_pictures(args: &Args) -> Result<(), Stop> {
    let Some(path) = &args.svg else {
        return Ok(());
    };
    let extension = path
        .extension()
        .map(|end| end.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some(other @ ("gif" | "jpeg" | "jpg" | "pdf" | "png" | "webp")) => {
            let name = path.with_extension("svg");
            let name = echoed(&name.to_string_lossy());
            Err(Stop::usage(format!(
                "--svg writes SVG, and no {other}; write '{name}', which browsers and office programs open"
            )))
        }
        _ => Ok(()),
    }
}

/// Refuses two outputs to one file, and an output to a file that rules are read from.
fn refuse_same<'a>(args: &Args, paths: impl Iterator<Item = &'a Path>) -> Result<(), Stop> {
    let mut earlier: Vec<Identity> = Vec::new();
    let mut read: Option<Vec<Identity>> = None;
    for path in paths {
        let identity = Identity::of(path);
        if earlier.contains(&identity) {
            return Err(Stop::usage(format!(
                "two outputs go to the same place, '{}'",
                path.display()
            )));
        }
        // Devices and pipes may be read and written.
        let is_file = path != Path::new("-") && path.is_file();
        let read = read.get_or_insert_with(|| input::identities(args));
        if is_file && read.contains(&identity) {
            return Err(Stop::usage(format!(
                "'{}' is a file that rules are read from; write to another one",
                path.display()
            )));
        }
        earlier.push(identity);
    }
    Ok(())
}

impl Outputs {
    /// Whether errors are to be written as JSON, too.
    pub(super) fn are_errors_json(&self) -> bool {
        self.standard == Shape::Json
    }

    /// Whether the queries are all that is written of an answer.
    pub(super) fn is_for_queries_only(&self, args: &Args) -> bool {
        let shapes = self
            .files
            .iter()
            .map(|(shape, _)| *shape)
            .chain([self.standard]);
        let mut shapes = shapes.filter(|shape| *shape != Shape::Queries);
        !args.asked.is_empty() && shapes.all(|shape| matches!(shape, Shape::Csv | Shape::Markdown))
    }

    /// Writes everything.
    pub(super) fn write(
        self,
        report: &Report,
        style: &Style,
        budget: &Budget<'_>,
    ) -> Result<(), Stop> {
        let shapes = self.files.iter().map(|(shape, _)| *shape);
        let mut shapes = shapes.chain([self.standard]);
        if shapes.any(|shape| shape.shows_comparisons(report, style)) {
            report.compare();
        }
        let mut unfinished = None;
        for (shape, destination) in self.files {
            if shape.has_something_to_say(report) {
                let plain = Style {
                    color: false,
                    ..style.clone()
                };
                let written = destination.write(budget, |out| shape.write(report, &plain, out));
                match written {
                    // What takes less time may still be written.
                    Err(stop @ Stop::Message(Status::Limit, _)) => {
                        unfinished.get_or_insert(stop);
                    }
                    written => written?,
                }
            }
        }
        if self.standard.has_something_to_say(report) {
            to_standard_output(budget, |out| self.standard.write(report, style, out))?;
        }
        unfinished.map_or(Ok(()), Err)
    }
}

impl Shape {
    fn shows_comparisons(self, report: &Report, style: &Style) -> bool {
        match self {
            Self::Json => true,
            Self::Markdown | Self::Table => report.compares(style),
            _ => false,
        }
    }

    /// JSON lists errors as well; the others hold answers alone.
    fn has_something_to_say(self, report: &Report) -> bool {
        self == Self::Json || !report.is_empty()
    }

    fn write(self, report: &Report, style: &Style, mut out: &mut dyn Write) -> io::Result<()> {
        let out = &mut out;
        match self {
            Self::Csv => report::csv::write(report, style, out),
            Self::Json => report::json::write(report, style, out),
            Self::Markdown => report::markdown::write(report, style, out),
            Self::Queries => report::queries::write(report, style, out),
            Self::Svg => report::svg::write(report, style, out),
            Self::Table => match report.asking_for_yes(style) {
                Some(asking) => report::queries::write(report, &asking, out),
                None => report::table::write(report, style, out),
            },
        }
    }
}
