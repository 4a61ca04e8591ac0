//! The command line: its options, and what they mean for the library.
//!
//! In: the words of the command line. Out: [`Args`], from which [`Limits`], [`Style`] and [`Settings`] are made; or a complaint on standard
//! error.

use std::convert::Infallible;
use std::ffi::OsString;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};
use clap_complete::Shell;
use dicedist::ask::{Asked, Question, Setting, Text, typed};
use dicedist::engine::estimate::Request;
use dicedist::notation::{Settings, Wanted};
use dicedist::number::Fraction;
use dicedist::report::{self, Style};
use dicedist::source::{Source, echoed};
use dicedist::summary::Percentile;
use dicedist::{Dialect, Limits};

use super::guide;
use super::meter;
use super::options;
pub(super) use super::options::{CsvDelimiter, CsvLayout, Format, Roll, View};
use super::status::Status;
use super::terminal::{self, Color};
use super::usage;
use super::values;

/// The largest number of values, over all rules, that a picture marks as meeting a condition.
const MOST_MARKED: usize = 10_000;

/// The least memory for each rule that is solved beside others, in bytes. A thread needs some for itself.
const MEMORY_OF_A_JOB: u64 = 64 << 20;

/// Exact probability distributions of dice rules.
///
/// Each EXPR is one rule; a name and a colon in front name it ("heroic: sum(drop low 1 4#d6)"), and ';'
/// separates several. Without EXPR, rules are read from --file, or from standard input.
#[derive(Clone, Debug, Parser)]
#[command(name = "dicedist", version, after_help = guide::SHORT_EXAMPLES, after_long_help = guide::long_examples(), max_term_width = 100)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub(super) struct Args {
    /// Rules to answer (- is standard input)
    #[arg(value_name = "EXPR")]
    pub(super) expressions: Vec<String>,

    /// Read rules from a file ('-' is standard input); can be repeated
    #[arg(help_heading = "Rules", short, long = "file", value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// The notation of the rules, if it is not recognised
    ///
    /// One of bones, dicelab, dicebag, diceroller, onedice, tabletop and anydice. Default: the file's extension; otherwise bones,
    /// then tabletop, then anydice, whichever understands the rule.
    #[arg(help_heading = "Rules", short, long, value_parser = options::dialects(), hide_possible_values = true)]
    pub(super) dialect: Option<Dialect>,

    /// Give a free variable its values: n=5, n=1..10, n=1,5,20
    ///
    /// Each value is a series of its own. n=1..10..3 takes every third number. Several --set give all combinations.
    #[arg(help_heading = "Rules", long = "set", value_name = "NAME=VALUES")]
    pub(super) settings: Vec<Setting>,

    /// Keep the order of results that are lists (the default sorts them)
    #[arg(help_heading = "Rules", hide_short_help = true, long)]
    pub(super) ordered: bool,

    /// Analyse the pool of dice of a rule instead of its number, in notations that have pools
    #[arg(help_heading = "Rules", hide_short_help = true, long)]
    pub(super) pool: bool,

    /// The sides of a OneDice die that is written without sides [default: 100]
    #[arg(help_heading = "Rules", hide_short_help = true, long, value_name = "N", value_parser = values::sides)]
    pub(super) default_sides: Option<u32>,

    /// Print table, csv, json or markdown [default: table]
    #[arg(long, help_heading = "Output", value_enum, hide_possible_values = true)]
    pub(super) format: Option<Format>,

    /// Show at-least, at-most, transposed or summary
    ///
    /// Which probabilities the table and the plot show, and in which layout. `at-least,transposed` names both.
    #[arg(
        long = "view",
        help_heading = "Questions",
        value_name = "VIEW",
        value_enum,
        value_delimiter = ',',
        default_value = "exactly",
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub(super) views: Vec<View>,

    /// Print just the chance of N or more (--at-most: or less); can be repeated
    #[arg(long, help_heading = "Questions", value_name = "N", value_parser = values::least, allow_negative_numbers = true)]
    pub(super) at_least: Vec<Fraction>,

    /// Print just the chance of N or less; can be repeated
    #[arg(hide_short_help = true, long, help_heading = "Questions", value_name = "N", value_parser = values::most, allow_negative_numbers = true)]
    pub(super) at_most: Vec<Fraction>,

    /// Print just the chance of N, or of a label; can be repeated
    #[arg(
        long,
        help_heading = "Questions",
        value_name = "N",
        value_parser = |text: &str| Ok::<_, Infallible>(Asked::exactly(text)),
        allow_negative_numbers = true
    )]
    pub(super) exactly: Vec<Asked>,

    /// Print just the chance of a condition: "value % 2 == 0", "hits >= 3 and ones == 0"
    ///
    /// A condition is written in Bones, about `value` or the parts of a record. Can be repeated.
    #[arg(long, help_heading = "Questions", value_name = "COND")]
    pub(super) chance: Vec<Arc<str>>,

    /// Show these percentiles in the summary, not the 5th and the 95th: 10,90
    ///
    /// The 90th percentile is the smallest value that 90% of the rolls do not exceed; 90% of them reach the 10th.
    #[arg(
        hide_short_help = true,
        long = "percentile",
        help_heading = "Questions",
        value_name = "P",
        value_delimiter = ',',
        allow_negative_numbers = true,
        conflicts_with_all = ["at_least", "at_most", "exactly", "chance", "roll", "print_tree"]
    )]
    pub(super) percentiles: Vec<Percentile>,

    /// All four questions, in the order given.
    #[arg(skip)]
    pub(super) asked: Vec<Asked>,

    /// Show one part of a record by itself, with all the figures of a number
    #[arg(
        hide_short_help = true,
        long,
        help_heading = "Questions",
        value_name = "NAME"
    )]
    pub(super) part: Option<String>,

    /// Write a plot to a file ('-' is standard output)
    #[arg(long, help_heading = "Output", value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,

    /// The title of the plot [default: the question in the file of rules, or the names of the rules]
    ///
    /// The question is the first comment of the only file, up to its first `?`.
    #[arg(
        hide_short_help = true,
        long,
        help_heading = "Output",
        value_name = "TEXT"
    )]
    pub(super) title: Option<String>,

    /// Write the plot as a PNG to a file ('-' is standard output)
    #[arg(
        hide_short_help = true,
        long,
        help_heading = "Output",
        value_name = "FILE"
    )]
    pub(super) png: Option<PathBuf>,

    /// How many times as wide and as high as the plot the PNG is
    #[arg(hide_short_help = true, long, help_heading = "Output", value_name = "N", value_parser = values::scale, default_value = "2", allow_negative_numbers = true)]
    pub(super) scale: u32,

    /// The name of the horizontal axis of the plot [default: what the values or the variable are]
    #[arg(
        hide_short_help = true,
        long,
        help_heading = "Output",
        value_name = "TEXT"
    )]
    pub(super) x_label: Option<String>,

    /// The width and the height of the plot in pixels, as 760x490 [default: 760, and what the content needs]
    #[arg(hide_short_help = true, long, help_heading = "Output", value_name = "WxH", value_parser = values::picture_size)]
    pub(super) size: Option<[u32; 2]>,

    /// Call a variable by another name in tables and plots
    #[arg(hide_short_help = true, long, help_heading = "Output", value_name = "NAME=TEXT", value_parser = values::called)]
    pub(super) call: Vec<(String, String)>,

    /// Write a CSV table to a file ('-' is standard output)
    #[arg(
        hide_short_help = true,
        long,
        help_heading = "Output",
        value_name = "FILE"
    )]
    pub(super) csv: Option<PathBuf>,

    /// Write the best choices as CSV, a row for each situation
    #[arg(
        hide_short_help = true,
        long,
        help_heading = "Output",
        value_name = "FILE"
    )]
    pub(super) csv_plan: Option<PathBuf>,

    /// Draw the best choices as SVG, a cell for each situation, if situations differ in one or two numbers
    #[arg(
        hide_short_help = true,
        long,
        help_heading = "Output",
        value_name = "FILE"
    )]
    pub(super) svg_plan: Option<PathBuf>,

    /// What a row of CSV is: a rule and a value (long), or a value with a column for each rule (wide)
    #[arg(hide_short_help = true, long, help_heading = "Output", value_enum, value_name = "LAYOUT", default_value_t = CsvLayout::Long)]
    pub(super) csv_layout: CsvLayout,

    /// The sign between the fields of CSV
    #[arg(hide_short_help = true, long, help_heading = "Output", value_enum, value_name = "SIGN", default_value_t = CsvDelimiter::Comma)]
    pub(super) csv_delimiter: CsvDelimiter,

    /// Begin CSV with the mark by which Excel recognises UTF-8
    #[arg(hide_short_help = true, long, help_heading = "Output")]
    pub(super) csv_bom: bool,

    /// Write JSON to a file ('-' is standard output)
    #[arg(
        hide_short_help = true,
        long,
        help_heading = "Output",
        value_name = "FILE"
    )]
    pub(super) json: Option<PathBuf>,

    /// Decimal places of percentages in tables
    #[arg(hide_short_help = true, long, help_heading = "Output", value_name = "N", value_parser = values::digits, allow_negative_numbers = true)]
    pub(super) digits: Option<u8>,

    /// Add exact fractions to the table
    #[arg(hide_short_help = true, long, help_heading = "Output")]
    pub(super) fractions: bool,

    /// Print every row of a long table, and the whole table of a sweep
    ///
    /// The default shows ranges of values, and one line for each value of a sweep.
    #[arg(long, help_heading = "Output")]
    pub(super) all: bool,

    /// Compare more than four rules, too: the first with each of the others
    #[arg(long, help_heading = "Questions")]
    pub(super) compare: bool,

    /// Rules as rows and values as columns, the same as --view transposed
    #[arg(hide_short_help = true, long, help_heading = "Output")]
    pub(super) transpose: bool,

    /// The width of tables, in characters [default: that of the terminal]
    #[arg(hide_short_help = true, long, help_heading = "Output", value_name = "N", value_parser = values::width, allow_negative_numbers = true)]
    pub(super) width: Option<usize>,

    /// Colour the output
    #[arg(hide_short_help = true, long, help_heading = "Output", value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub(super) color: Color,

    /// Show no progress, and no table beside --svg, --png, --csv or --json FILE
    ///
    /// Where a file is asked for, standard output holds only what --format names. Errors and warnings are shown.
    #[arg(hide_short_help = true, short, long, help_heading = "Output")]
    pub(super) quiet: bool,

    /// Roll instead of analysing, N times [default: once]
    #[arg(short, long, help_heading = "Other actions", value_name = "N", num_args = 0..=1, default_missing_value = "1",
          allow_negative_numbers = true,
          conflicts_with_all = ["format", "svg", "png", "csv", "csv_plan", "svg_plan", "json", "at_least", "at_most", "exactly", "chance", "check", "explain",
                                "max_states", "max_outcomes", "tolerance", "exact", "samples"])]
    pub(super) roll: Option<Roll>,

    /// The seed of --roll and of sampling: the same seed gives the same rolls [default: a random seed]
    #[arg(hide_short_help = true,
        long,
        help_heading = "Other actions",
        value_name = "S",
        value_parser = values::count,
        allow_negative_numbers = true
    )]
    pub(super) seed: Option<u64>,

    /// Print how a rule is read: the parsed tree and the core term
    #[arg(hide_short_help = true, short, long, help_heading = "Other actions",
          conflicts_with_all = ["roll", "format", "svg", "png", "csv", "csv_plan", "svg_plan", "json", "at_least", "at_most", "exactly", "chance", "check", "explain"])]
    pub(super) print_tree: bool,

    /// Show the pool after each instruction of a DiceRoller script: the expected dice, the size and the sum
    #[arg(hide_short_help = true, long, help_heading = "Other actions", conflicts_with_all = ["roll", "format", "print_tree"])]
    pub(super) trace: bool,

    /// Answer with the slow evaluator as well, and say whether both agree
    #[arg(hide_short_help = true, long, help_heading = "Other actions")]
    pub(super) check: bool,

    /// Say how each answer was found, and the best choices
    #[arg(long, help_heading = "Other actions")]
    pub(super) explain: bool,

    /// Show the rules of games and mechanics, each with an answer: `--examples yahtzee` [default: list all]
    #[arg(long, help_heading = "Other actions", value_name = "WORD", num_args = 0.., exclusive = true)]
    pub(super) examples: Option<Vec<String>>,

    /// Print a completion script for a shell
    #[arg(
        hide_short_help = true,
        long,
        help_heading = "Other actions",
        value_name = "SHELL",
        exclusive = true
    )]
    pub(super) completions: Option<Shell>,

    /// Print the manual page
    #[arg(
        hide_short_help = true,
        long,
        help_heading = "Other actions",
        exclusive = true
    )]
    pub(super) man: bool,

    /// The longest time for all rules together [default: 10]
    ///
    /// --roll has no limit of time by default.
    #[arg(long, help_heading = "Limits", value_name = "SECONDS", value_parser = values::seconds, allow_negative_numbers = true)]
    pub(super) time_limit: Option<Duration>,

    /// The most states for one rule
    #[arg(hide_short_help = true,
        long,
        help_heading = "Limits",
        value_name = "N",
        value_parser = values::count,
        allow_negative_numbers = true,
        default_value_t = 2_000_000
    )]
    pub(super) max_states: u64,

    /// The most memory of the process: 512M, 2GiB
    #[arg(hide_short_help = true, long, help_heading = "Limits", value_name = "SIZE", default_value = "2GiB", value_parser = values::size, allow_negative_numbers = true)]
    pub(super) max_memory: u64,

    /// The largest probability that may stay unresolved
    #[arg(hide_short_help = true, long, help_heading = "Limits", value_name = "P", default_value = "1e-12", value_parser = typed::tolerance, allow_negative_numbers = true)]
    pub(super) tolerance: Fraction,

    /// The most values listed of an infinite distribution
    #[arg(hide_short_help = true,
        long,
        help_heading = "Limits",
        value_name = "N",
        value_parser = values::count,
        allow_negative_numbers = true,
        default_value_t = 10_000
    )]
    pub(super) max_outcomes: u64,

    /// Never sample: an exact answer, or an error
    #[arg(long, help_heading = "Limits")]
    pub(super) exact: bool,

    /// How many random rolls estimate a rule whose exact answer takes too long
    #[arg(hide_short_help = true,
        long,
        help_heading = "Limits",
        value_name = "N",
        value_parser = values::samples,
        allow_negative_numbers = true,
        default_value_t = 1_000_000,
        conflicts_with = "exact"
    )]
    pub(super) samples: u64,

    /// How many rules and settings are solved at the same time [default: as many as the machine has cores; one with --explain]
    #[arg(hide_short_help = true,
        long,
        help_heading = "Limits",
        value_name = "N",
        value_parser = values::jobs,
        allow_negative_numbers = true
    )]
    pub(super) jobs: Option<NonZeroUsize>,
}

impl Args {
    /// Reads the arguments of the process. If they ask for help or are wrong, prints the help or the error, and returns the exit status.
    pub(super) fn from_environment() -> Result<Self, Status> {
        Self::read(&std::env::args_os().collect::<Vec<_>>())
    }

    fn read(given: &[OsString]) -> Result<Self, Status> {
        let matches = Self::command().try_get_matches_from(given);
        let args = matches.and_then(|matches| {
            let mut args = Self::from_arg_matches(&matches)?;
            args.take_expression_from_roll(&matches, given)?;
            args.take_standard_input_from_expressions();
            args.check_csv()?;
            args.collect_queries(&matches);
            Ok(args)
        });
        args.map_err(|error| usage::complain(error, &mut Self::command(), given))
    }

    /// The settings for reading rules, without the values of free variables.
    pub(super) fn reading(&self) -> Settings {
        let settings = Settings::default().with_wanted(if self.pool {
            Wanted::Pool
        } else {
            Wanted::Number
        });
        match self.default_sides {
            Some(sides) => settings.with_default_sides(sides),
            None => settings,
        }
    }

    /// How much one analysis may cost.
    pub(super) fn limits(&self) -> Limits {
        let limits = Limits::default();
        // Rolls go on until all are there, unless a limit is given.
        let default = limits.time.filter(|_| self.roll.is_none());
        let time = self.time_limit.or(default);
        limits
            .with_time(time)
            .with_states(self.max_states)
            .with_memory(
                meter::memory_of_system().map_or(self.max_memory, |most| self.max_memory.min(most)),
            )
            .with_outcomes(self.max_outcomes)
            .with_tolerance(self.tolerance.clone())
    }

    /// How answers are shown on standard output.
    pub(super) fn style(&self) -> Style {
        let mut style = Style::default();
        if let Some(digits) = self.digits {
            style.digits = digits.into();
        }
        style.fractions = self.fractions;
        style.all = self.all;
        style.way_to_all = Some("--all shows every row".into());
        style.width = self.width.unwrap_or_else(terminal::width);
        if self.compare {
            style.pairs = report::Pairs::All;
        }
        style.color = self.color.is_on_output();
        style.view = self.view();
        style.layout = self.layout();
        style.sheets.wide = self.csv_layout == CsvLayout::Wide;
        style.sheets.byte_order_mark = self.csv_bom;
        style.sheets.delimiter = self.csv_delimiter.into();
        style.title.clone_from(&self.title);
        style.part.clone_from(&self.part);
        style.x_label.clone_from(&self.x_label);
        style.size = self.size;
        style.scale = self.scale;
        style.percentiles.clone_from(&self.percentiles);
        style.percentiles.sort();
        style.percentiles.dedup();
        style
    }

    /// Which probabilities are shown: the last that was named.
    pub(super) fn view(&self) -> report::View {
        let named = self.views.iter().rev().find_map(|view| match view {
            View::AtLeast => Some(report::View::AtLeast),
            View::AtMost => Some(report::View::AtMost),
            View::Exactly => Some(report::View::Exactly),
            View::Summary | View::Transposed => None,
        });
        named.unwrap_or_default()
    }

    /// What the rows of a table are: the last that was named.
    fn layout(&self) -> report::Layout {
        let named = self.views.iter().rev().find_map(|view| match view {
            View::Summary => Some(report::Layout::Summary),
            View::Transposed => Some(report::Layout::Transposed),
            View::AtLeast | View::AtMost | View::Exactly => None,
        });
        let transposed = self.transpose.then_some(report::Layout::Transposed);
        named.or(transposed).unwrap_or_default()
    }

    /// The seed of all random numbers: `--seed`, or a new one at each call. A new seed has at most ten digits, so that a person can type it
    /// again.
    pub(super) fn seed_or_new(&self) -> u64 {
        self.seed
            .unwrap_or_else(|| RandomState::new().build_hasher().finish() >> 32)
    }

    /// How many rules are solved at the same time: no more than fit into memory. With `--explain` the default is one, because a rule takes
    /// longer beside others, and the times of the explanation would show that.
    pub(super) fn rules_at_once(&self) -> NonZeroUsize {
        let cores = || thread::available_parallelism().ok();
        let all = if self.explain { None } else { cores() };
        let wanted = self.jobs.or(all).unwrap_or(NonZeroUsize::MIN);
        let room = usize::try_from(self.limits().memory / MEMORY_OF_A_JOB).unwrap_or(usize::MAX);
        wanted.min(NonZeroUsize::new(room).unwrap_or(NonZeroUsize::MIN))
    }

    /// Whether standard output holds JSON, so that complaints are JSON as well.
    pub(super) fn are_complaints_json(&self) -> bool {
        let is_standard_output = |path: &PathBuf| path == Path::new("-");
        self.format == Some(Format::Json) || self.json.as_ref().is_some_and(is_standard_output)
    }

    /// How often to roll; `None` without `--roll`.
    pub(super) fn rolls(&self) -> Option<u64> {
        self.roll.as_ref().map(|roll| match roll {
            Roll::Times(times) => *times,
            Roll::Rule(_) => 1,
        })
    }

    /// Takes the rule `-` for standard input, as `--file -` is.
    fn take_standard_input_from_expressions(&mut self) {
        let given = self.expressions.len();
        self.expressions.retain(|expression| expression != "-");
        if self.expressions.len() < given && !self.files.iter().any(|path| path == Path::new("-")) {
            self.files.push(PathBuf::from("-"));
        }
    }

    /// Moves a rule that was read as the value of `--roll` to the expressions: `--roll "3#d6"` rolls `3#d6` once.
    fn take_expression_from_roll(
        &mut self,
        matches: &ArgMatches,
        given: &[OsString],
    ) -> Result<(), clap::Error> {
        let Some(Roll::Rule(rule)) = &self.roll else {
            return Ok(());
        };
        let value = rule.clone();
        // A word before other rules was meant as a number of rolls.
        let is_word = value.chars().all(char::is_alphabetic) && !self.expressions.is_empty();
        if is_word || !given.iter().any(|argument| *argument == *value) {
            return Err(Self::command().error(
                clap::error::ErrorKind::InvalidValue,
                format!(
                    "--roll expects a number of rolls, found '{}'",
                    echoed(&value)
                ),
            ));
        }
        let own = matches.index_of("roll").unwrap_or_default();
        let before = matches
            .indices_of("expressions")
            .map_or(0, |indices| indices.filter(|&index| index < own).count());
        self.expressions.insert(before, value);
        self.roll = Some(Roll::Times(1));
        Ok(())
    }

    /// Complains about options of CSV where no CSV is written, and about percentiles where the layout of the CSV has none.
    fn check_csv(&self) -> Result<(), clap::Error> {
        let is_printed = self.format == Some(Format::Csv);
        let has_figures = self.layout() == report::Layout::Summary;
        if is_printed && !has_figures && !self.percentiles.is_empty() {
            return Err(Self::command().error(
                clap::error::ErrorKind::ArgumentConflict,
                "CSV has percentiles with '--view summary' alone",
            ));
        }
        if is_printed || self.csv.is_some() {
            return Ok(());
        }
        let is_wide = self.csv_layout == CsvLayout::Wide;
        let has_delimiter = self.csv_delimiter != CsvDelimiter::Comma && self.csv_plan.is_none();
        let given = [
            ("--csv-bom", self.csv_bom),
            ("--csv-delimiter", has_delimiter),
            ("--csv-layout", is_wide),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((option, _)) => Err(Self::command().error(
                clap::error::ErrorKind::MissingRequiredArgument,
                format!("{option} is about CSV; add '--csv FILE' or '--format csv'"),
            )),
        }
    }

    /// The question about the rules of these texts. With `queries_only`, the answer has only the probabilities that are asked for.
    pub(super) fn question(&self, texts: Vec<Text>, queries_only: bool, seed: u64) -> Question {
        let mut question = Question::default();
        question.texts = texts;
        question.settings.clone_from(&self.settings);
        question.asked.clone_from(&self.asked);
        question.reading = self.reading();
        question.ordered = self.ordered;
        question.part.clone_from(&self.part);
        let request = || {
            let mut request = Request::default();
            request.threads = self.jobs;
            request.with_samples(self.samples).with_seed(seed)
        };
        question.sampling = (!self.exact).then(request);
        question.queries_only = queries_only;
        let has_picture = self.svg.is_some() || self.png.is_some();
        question.marked = if has_picture { MOST_MARKED } else { 0 };
        question
    }

    /// Collects the probabilities that were asked for in the order of the command line.
    fn collect_queries(&mut self, matches: &ArgMatches) {
        let mut placed = Vec::new();
        let mut place = |option, asked: Vec<Asked>| {
            let indices = matches.indices_of(option).into_iter().flatten();
            placed.extend(indices.zip(asked));
        };
        let at_least = self.at_least.iter().cloned().map(Asked::AtLeast);
        place("at_least", at_least.collect());
        let at_most = self.at_most.iter().cloned().map(Asked::AtMost);
        place("at_most", at_most.collect());
        place("exactly", self.exactly.clone());
        let condition = |text: &Arc<str>| Asked::Condition(Source::new("--chance", &**text));
        place("chance", self.chance.iter().map(condition).collect());
        placed.sort_by_key(|(index, _)| *index);
        self.asked = placed.into_iter().map(|(_, asked)| asked).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(given: &[&str]) -> Args {
        let given: Vec<OsString> = ["dicedist"].iter().chain(given).map(Into::into).collect();
        Args::read(&given).unwrap()
    }

    #[test]
    fn the_command_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn roll_takes_a_count_or_leaves_the_rule_alone() {
        assert_eq!(read(&["--roll", "5", "d6"]).rolls(), Some(5));
        let args = read(&["d4", "--roll", "d6", "d8"]);
        assert_eq!(args.rolls(), Some(1));
        assert_eq!(args.expressions, ["d4", "d6", "d8"]);
        assert_eq!(read(&["d6", "-r"]).rolls(), Some(1));
        assert_eq!(read(&["d6"]).rolls(), None);
    }
}
