//! A rule, as a text or as a program that was built.

use std::fmt;
use std::sync::Arc;

#[cfg(feature = "notations")]
use super::text::Text;
use crate::error::{Diagnostic, Error};
use crate::ir::Program;
use crate::limits::{Budget, Limits, Unobserved};
use crate::source::Span;

/// A rule: what is rolled, and what is done with the dice.
///
/// A clone shares the text that was read and its results.
#[derive(Clone, Debug)]
pub struct Rule {
    pub(super) name: Arc<str>,
    pub(super) form: Form,
}

#[derive(Clone, Debug)]
pub(super) enum Form {
    #[cfg(feature = "notations")]
    Text(Box<Text>),
    /// A program that was built without a text, or the error that prevented it.
    Built(Arc<Result<Program, Error>>),
}

impl Rule {
    /// The core program of the rule. An AnyDice program is run for it, within the limits of the command line.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unbound`](crate::ErrorKind::Unbound) for a name without a value, [`ErrorKind::Type`](crate::ErrorKind::Type) for a
    /// rule with several results or none, and those of an AnyDice program that is run.
    pub fn program(&self) -> Result<&Program, Error> {
        let limits = Limits::default();
        self.program_within(&Budget::start(&limits, &Unobserved))
    }

    /// As [`Rule::program`], within a budget. The program is found once.
    ///
    /// # Errors
    ///
    /// As [`Rule::program`].
    #[cfg_attr(not(feature = "notations"), expect(unused_variables))]
    pub fn program_within(&self, budget: &Budget<'_>) -> Result<&Program, Error> {
        match &self.form {
            Form::Built(program) => program.as_ref().as_ref().map_err(Error::clone),
            #[cfg(feature = "notations")]
            Form::Text(text) => text.result(budget).map(|reading| &reading.program),
        }
    }

    /// The core program of the rule.
    ///
    /// # Errors
    ///
    /// As [`Rule::program`].
    pub fn into_program(self) -> Result<Program, Error> {
        self.program().cloned()
    }

    /// Whether the rule has no outcomes, like the empty die of AnyDice.
    #[cfg_attr(not(feature = "notations"), expect(unused_variables))]
    pub(super) fn is_of_nothing(&self, budget: &Budget<'_>) -> bool {
        match &self.form {
            Form::Built(_) => false,
            #[cfg(feature = "notations")]
            Form::Text(text) => text.is_of_nothing(budget),
        }
    }

    /// The name in front of the rule (`heroic: sum(…)`), else its text; `rule`, if it has no text.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rule of a program that was built, or of the error that prevented it.
    pub(crate) fn built(program: Result<Program, Error>) -> Self {
        Self {
            name: "rule".into(),
            form: Form::Built(Arc::new(program)),
        }
    }

    /// An error in the words of the notation.
    pub(super) fn in_its_words(&self, error: Error) -> Error {
        match &self.form {
            #[cfg(feature = "notations")]
            Form::Text(text) => text.parsed().in_its_words(error),
            // A program without a text has no places.
            Form::Built(_) => error.map(|finding| Diagnostic {
                span: finding.span.filter(|span| *span != Span::default()),
                ..finding
            }),
        }
    }
}

/// The rule of a core program.
impl From<Program> for Rule {
    fn from(program: Program) -> Self {
        Self::built(Ok(program))
    }
}

/// The canonical text of a rule: reading it gives the same rule. A rule without text is printed as its core program.
impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.form {
            #[cfg(feature = "notations")]
            Form::Text(text) => formatter.write_str(&text.parsed().print()),
            Form::Built(program) => match &**program {
                Ok(program) => program.fmt(formatter),
                Err(error) => error.fmt(formatter),
            },
        }
    }
}
