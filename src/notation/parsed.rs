//! A rule that was read once, with its free names, canonical text, tree and core programs.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::environment::Environment;
use super::mended::mended;
use super::rules::too_long;
use super::settings::Settings;
use super::syntax::{Outcome, Reading, Step, SyntaxTree};
use super::table::Dialect;
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::limits::{Budget, Limits, MAX_TEXT, Unobserved};
use crate::source::{Source, Span};

/// A rule that was read. A clone shares the tree.
#[derive(Clone, Debug)]
pub struct Parsed {
    dialect: Dialect,
    source: Source,
    span: Span,
    tree: Arc<dyn SyntaxTree>,
    environment: Environment,
}

/// Reads one rule: the text of `span`, which [`super::rules()`] finds. All places are bytes of the whole source.
///
/// # Errors
///
/// [`crate::ErrorKind::Parse`] with a diagnostic for each mistake, or [`crate::ErrorKind::Limit`] for a text that is too long
/// or nested too deeply.
///
/// # Panics
///
/// If the span does not lie in the source, on character boundaries.
///
/// # Examples
///
/// ```
/// use dicedist::notation::{Settings, parse};
/// use dicedist::{Dialect, source::Source};
///
/// let source = Source::new("rule", "sum (drop low(1)n#d6) // as in D&D");
/// let rule = parse(Dialect::Bones, &source, source.span())?;
/// assert_eq!(rule.print(), "sum drop low 1 n#d6");
/// assert!(rule.free_names().iter().eq(["n"]));
///
/// let results = rule.lower(&Settings::default().with_parameter("n", 4))?;
/// assert_eq!(results[0].program.to_string(), "(sum (drop-low 1 (repeat 4 (die 6))))");
/// # Ok::<(), dicedist::Error>(())
/// ```
pub fn parse(dialect: Dialect, source: &Source, span: Span) -> Result<Parsed, Error> {
    parse_in(dialect, source, span, &Environment::default())
}

/// Reads one rule, as [`parse`] does. The rule may use the definitions of an environment.
///
/// # Errors
///
/// As [`parse`].
///
/// # Panics
///
/// As [`parse`].
///
/// # Examples
///
/// ```
/// use dicedist::notation::{self, Environment, Settings};
/// use dicedist::{Dialect, source::Source};
///
/// let text = Source::new("rules", "def ability = sum(drop low 1 4#d6)\nstrong: ability >= 15");
/// let mut environment = Environment::default();
/// for piece in notation::rules(Dialect::Bones, &text) {
///     let piece = piece?;
///     if piece.is_definition {
///         notation::define(piece.dialect, &text, piece.span, &mut environment)?;
///     } else {
///         let rule = notation::parse_in(piece.dialect, &text, piece.span, &environment)?;
///         assert_eq!(rule.lower(&Settings::default())?.len(), 1);
///     }
/// }
/// # Ok::<(), dicedist::Error>(())
/// ```
pub fn parse_in(
    dialect: Dialect,
    source: &Source,
    span: Span,
    environment: &Environment,
) -> Result<Parsed, Error> {
    let read = read(dialect, source, span, environment);
    read.map_err(|error| mended(error, dialect, source, span, environment))
}

/// Reads one rule. If it cannot be read, no correction is looked for, because that takes time.
pub(super) fn read(
    dialect: Dialect,
    source: &Source,
    span: Span,
    environment: &Environment,
) -> Result<Parsed, Error> {
    check_length(source, span)?;
    let tree = dialect.notation().parse_in(source, span, environment)?;
    Ok(Parsed {
        dialect,
        source: source.clone(),
        span,
        tree: tree.into(),
        environment: environment.clone(),
    })
}

/// Reads one definition: the text of `span`, which [`super::rules()`] finds. The rules that are read later in this environment
/// may use it.
///
/// # Errors
///
/// As [`parse`].
///
/// # Panics
///
/// As [`parse`].
pub fn define(
    dialect: Dialect,
    source: &Source,
    span: Span,
    environment: &mut Environment,
) -> Result<(), Error> {
    check_length(source, span)?;
    let definition = dialect.notation().define(source, span, environment);
    let definition =
        definition.map_err(|error| mended(error, dialect, source, span, environment))?;
    environment.add(definition);
    Ok(())
}

fn check_length(source: &Source, span: Span) -> Result<(), Error> {
    let text = source.text().get(span.start..span.end);
    let text = text.expect("the span of a rule lies in its source");
    if text.len() > MAX_TEXT {
        return Err(too_long());
    }
    Ok(())
}

impl Parsed {
    pub(super) fn tree_of_rule(&self) -> &dyn SyntaxTree {
        &*self.tree
    }

    /// The notation that the rule is written in.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The place of the rule in its source.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// The names that nothing in the rule binds: they need values from [`Settings::parameters`].
    #[must_use]
    pub fn free_names(&self) -> BTreeSet<String> {
        self.tree.free_names()
    }

    /// The canonical text: reading it gives the same program, and printing it the same text.
    #[must_use]
    pub fn print(&self) -> String {
        self.tree.print()
    }

    /// The tree in the words of the notation, a node a line, for `--print-tree`.
    #[must_use]
    pub fn tree(&self) -> String {
        self.tree.outline()
    }

    /// The core programs of the rule's results, within the limits of the command line. A rule has one result, but a DiceRoller script has one for each `G`, if it
    /// has any.
    ///
    /// # Errors
    ///
    /// [`crate::ErrorKind::Unbound`] for a name without a value, [`crate::ErrorKind::Limit`] for a program that would be too
    /// long, or that takes too long to make.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::{Dialect, notation, source::Source};
    ///
    /// let source = Source::new("rule", "4D6 G [L1] G");
    /// let rule = notation::parse(Dialect::Diceroller, &source, source.span())?;
    /// assert_eq!(rule.lower(&notation::Settings::default())?.len(), 2);
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    pub fn lower(&self, settings: &Settings) -> Result<Vec<Reading>, Error> {
        let limits = Limits::default();
        self.lower_within(settings, &Budget::start(&limits, &Unobserved))
    }

    /// As [`Parsed::lower`], within a budget. An AnyDice program is run for its results.
    ///
    /// # Errors
    ///
    /// As [`Parsed::lower`].
    pub fn lower_within(
        &self,
        settings: &Settings,
        budget: &Budget<'_>,
    ) -> Result<Vec<Reading>, Error> {
        budget
            .look_at_clock()
            .map_err(Error::from)
            .and_then(|()| self.tree.lower(settings, budget))
            .map_err(|error| self.placed(error))
    }

    /// As [`Parsed::lower_within`], but the results before an error are kept. An AnyDice program has a result for each `output`.
    #[must_use]
    pub fn run(&self, settings: &Settings, budget: &Budget<'_>) -> Outcome {
        let mut outcome = self.tree.run(settings, budget);
        outcome.error = outcome.error.map(|error| self.placed(error));
        outcome.warnings.extend(self.divisor());
        outcome
    }

    /// The warning about a comment that looks like a divisor: `2d6 // 2`.
    fn divisor(&self) -> Option<Diagnostic> {
        let behind = &self.source.text()[self.span.end..];
        let line = behind.lines().next()?;
        let by = line.trim().strip_prefix("//")?.trim();
        if by.is_empty() || !by.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let help = match self.dialect {
            Dialect::Bones => format!("write `div {by}` to divide and round down"),
            Dialect::Tabletop => format!("write `floor(… / {by})` to divide and round down"),
            _ => return None,
        };
        let place = Span::new(self.span.end, self.span.end + line.trim_end().len());
        let warning = Diagnostic::new(place, "`//` begins a comment, and divides nothing");
        Some(warning.with_help(help).with_code("divisor"))
    }

    /// The steps of the rule, if its notation has steps: the top-level instructions of a DiceRoller script that change the
    /// pool.
    #[must_use]
    pub fn steps(&self) -> Option<Vec<Step>> {
        self.tree.steps()
    }

    /// Findings that are worth knowing only if somebody asks how the rule is read: differences between programs that are too
    /// common for a warning.
    #[must_use]
    pub fn remarks(&self) -> Vec<Diagnostic> {
        self.tree.remarks()
    }

    /// Puts an error at the place of the rule, if it is a limit that the rule reaches as a whole. An error of a rule that cannot be lowered
    /// gets a suggestion.
    fn placed(&self, error: Error) -> Error {
        match error.kind() {
            ErrorKind::Limit => error.at(self.span),
            ErrorKind::BadDie | ErrorKind::Type | ErrorKind::Unbound => mended(
                error,
                self.dialect,
                &self.source,
                self.span,
                &self.environment,
            ),
            _ => error,
        }
    }

    /// What the text alone shows to be wrong, though it can be read.
    pub(super) fn refusal(&self) -> Option<Error> {
        self.tree.refusal()
    }

    /// An error of evaluating the rule, in the words of its notation.
    #[must_use]
    pub fn in_its_words(&self, error: Error) -> Error {
        self.placed(self.tree.in_its_words(error))
    }
}
