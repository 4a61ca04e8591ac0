//! Where answers go: standard output and files, each in its own format.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use dicedist::limits::Budget;
use dicedist::report::strategy::PlannedRule;
use dicedist::report::{self, Report, Style};

use super::args::{Args, Format};
use super::destination::{Destination, to_standard_output};
use super::identity::Identity;
use super::input;
use super::status::{Status, Stop};
use dicedist::source::{Shown, echoed};

/// A format that a destination is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Csv,
    Json,
    Markdown,
    Png,
    Svg,
    Table,
}

/// A format that the best choices are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlanShape {
    Csv,
    Svg,
}

/// All outputs that the arguments ask for, before any of them is opened.
#[derive(Debug)]
pub(super) struct Wanted<'a> {
    /// What standard output holds; `None` where files are all that is asked for.
    standard: Option<Shape>,
    files: Vec<(Shape, &'a Path)>,
    plans: Vec<(PlanShape, &'a Path)>,
}

/// All destinations. The files are open already, so that a wrong path is found before the work.
#[derive(Debug)]
pub(super) struct Outputs {
    standard: Option<Shape>,
    files: Vec<(Shape, Destination)>,
    plans: Vec<(PlanShape, Destination)>,
}

impl<'a> Wanted<'a> {
    /// The outputs that the arguments ask for. Each must be a different file, and none a file that rules are read from.
    pub(super) fn by(args: &'a Args) -> Result<Self, Stop> {
        let files = [
            (Shape::Svg, &args.svg),
            (Shape::Png, &args.png),
            (Shape::Csv, &args.csv),
            (Shape::Json, &args.json),
        ];
        let files: Vec<(Shape, &Path)> = given(files);
        let plans = given([
            (PlanShape::Csv, &args.csv_plan),
            (PlanShape::Svg, &args.svg_plan),
        ]);
        refuse_other_pictures(args)?;
        let of_plans = plans.iter().map(|(_, path)| *path);
        refuse_same(args, files.iter().map(|(_, path)| *path).chain(of_plans))?;
        let (standard, files): (Vec<_>, Vec<_>) = files
            .into_iter()
            .partition(|(_, path)| *path == Path::new("-"));
        let standard = match (args.format, standard.first()) {
            (Some(_), Some(_)) => {
                return Err(Stop::usage(
                    "standard output holds one format: either --format or a FILE that is '-'",
                ));
            }
            (None, Some((shape, _))) => Some(*shape),
            (Some(Format::Csv), None) => Some(Shape::Csv),
            (Some(Format::Json), None) => Some(Shape::Json),
            (Some(Format::Markdown), None) => Some(Shape::Markdown),
            (None, None) if args.quiet && !files.is_empty() => None,
            (Some(Format::Table) | None, None) => Some(Shape::Table),
        };
        Ok(Self {
            standard,
            files,
            plans,
        })
    }

    /// Whether the queries are all that is written of an answer.
    pub(super) fn is_for_queries_only(&self, args: &Args) -> bool {
        let is_for_queries = |shape: Shape| !matches!(shape, Shape::Json | Shape::Png | Shape::Svg);
        !args.asked.is_empty() && shapes(self.standard, &self.files).all(is_for_queries)
    }

    /// Opens all of them.
    pub(super) fn open(self) -> Result<Outputs, Stop> {
        Ok(Outputs {
            standard: self.standard,
            files: open(self.files)?,
            plans: open(self.plans)?,
        })
    }
}

/// The outputs whose paths are given.
fn given<S, const N: usize>(outputs: [(S, &Option<PathBuf>); N]) -> Vec<(S, &Path)> {
    let outputs = outputs.into_iter();
    let outputs = outputs.filter_map(|(shape, path)| Some((shape, path.as_deref()?)));
    outputs.collect()
}

/// Opens some outputs.
fn open<S>(outputs: Vec<(S, &Path)>) -> Result<Vec<(S, Destination)>, Stop> {
    let outputs = outputs.into_iter();
    let outputs = outputs.map(|(shape, path)| Ok((shape, Destination::open(path)?)));
    outputs.collect()
}

/// The formats of standard output and of files.
fn shapes<T>(standard: Option<Shape>, files: &[(Shape, T)]) -> impl Iterator<Item = Shape> {
    files.iter().map(|(shape, _)| *shape).chain(standard)
}

/// The error about a PNG in a program that was built without PNG.
#[cfg(not(feature = "png"))]
const NO_PNG: &str = "this dicedist writes no PNG; `cargo install dicedist --features png` makes one that does, \
                      and --svg FILE writes a picture that browsers show";

/// The error about plans that have no picture.
const NO_PICTURE: &str = "--svg-plan draws a plan whose situations differ in one or two numbers, and there is none; \
                          --csv-plan FILE writes every plan";

/// Refuses a picture in a file that is named after another format, and one that the program does not write.
fn refuse_other_pictures(args: &Args) -> Result<(), Stop> {
    #[cfg(not(feature = "png"))]
    if args.png.is_some() {
        return Err(Stop::usage(NO_PNG));
    }
    let Some(path) = &args.svg else {
        return Ok(());
    };
    let extension = path
        .extension()
        .map(|end| end.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some(other @ ("gif" | "jpeg" | "jpg" | "pdf" | "png" | "webp")) => {
            let named = |end: &str| echoed(&path.with_extension(end).to_string_lossy());
            let (name, png) = (named("svg"), named("png"));
            Err(Stop::usage(format!(
                "--svg writes SVG, and no {other}; write '{name}', which browsers and office programs open, \
                 or a bitmap with --png {png}"
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
        self.standard == Some(Shape::Json)
    }

    /// Whether the best choices are written.
    pub(super) fn have_plan(&self) -> bool {
        !self.plans.is_empty()
    }

    /// Writes the best choices of all rules, if they are asked for.
    pub(super) fn write_plan(
        &mut self,
        rules: &[PlannedRule],
        style: &Style,
        budget: &Budget<'_>,
    ) -> Result<(), Stop> {
        for (shape, destination) in std::mem::take(&mut self.plans) {
            match shape {
                _ if rules.is_empty() => {}
                PlanShape::Csv => {
                    destination.write(budget, |out| report::csv::write_plans(rules, style, out))?;
                }
                PlanShape::Svg => {
                    let picture =
                        report::svg::plan(rules, style).ok_or_else(|| Stop::usage(NO_PICTURE))?;
                    destination.write(budget, |out| out.write_all(picture.as_bytes()))?;
                }
            }
        }
        Ok(())
    }

    /// Whether some output has the figures of each rule, and not only the answers to questions.
    pub(super) fn have_figures(&self, style: &Style) -> bool {
        let has = |shape: Shape| match shape {
            Shape::Json => true,
            Shape::Markdown | Shape::Table => style.queries.is_empty(),
            Shape::Csv | Shape::Png | Shape::Svg => false,
        };
        shapes(self.standard, &self.files).any(has)
    }

    /// Writes everything: what people read or see with the questions that the report asks for them.
    pub(super) fn write(
        self,
        report: &Report,
        style: &Style,
        budget: &Budget<'_>,
    ) -> Result<(), Stop> {
        let for_people = report.for_people(style);
        let style_of = |shape: Shape| {
            if shape.is_for_people() {
                &*for_people
            } else {
                style
            }
        };
        let shows = |shape: Shape| shape.shows_comparisons(report, style_of(shape));
        if shapes(self.standard, &self.files).any(shows) {
            report.compare();
        }
        let mut unfinished = None;
        for (shape, destination) in self.files {
            if shape.has_something_to_say(report) {
                let mut plain = style_of(shape).clone();
                plain.color = false;
                let written = destination.write(budget, |out| shape.write(report, &plain, out));
                match written {
                    // An output that takes less time may still be written.
                    Err(stop @ Stop::Message(Status::Limit, _)) => {
                        unfinished.get_or_insert(stop);
                    }
                    written => written?,
                }
            }
        }
        if let Some(shape) = self.standard.filter(|it| it.has_something_to_say(report)) {
            to_standard_output(budget, |out| shape.write(report, style_of(shape), out))?;
        }
        unfinished.map_or(Ok(()), Err)
    }
}

impl Shape {
    fn is_for_people(self) -> bool {
        !matches!(self, Self::Csv | Self::Json)
    }

    fn shows_comparisons(self, report: &Report, style: &Style) -> bool {
        match self {
            Self::Json => true,
            Self::Markdown | Self::Table => style.queries.is_empty() && report.compares(style),
            Self::Csv | Self::Png | Self::Svg => false,
        }
    }

    /// JSON lists errors as well; the others hold answers alone.
    fn has_something_to_say(self, report: &Report) -> bool {
        self == Self::Json || !report.is_empty()
    }

    fn write(
        self,
        report: &Report,
        style: &Style,
        out: &mut Shown<&mut dyn Write>,
    ) -> io::Result<()> {
        match self {
            Self::Csv => report::csv::write(report, style, out),
            Self::Json => report::json::write(report, style, out),
            Self::Markdown => report::markdown::write(report, style, out),
            #[cfg(feature = "png")]
            Self::Png => report::png::write(report, style, out.raw()),
            #[cfg(not(feature = "png"))]
            Self::Png => Err(io::Error::other(NO_PNG)),
            Self::Svg => report::svg::write(report, style, out),
            Self::Table if style.queries.is_empty() => report::table::write(report, style, out),
            Self::Table => report::queries::write(report, style, out),
        }
    }
}
