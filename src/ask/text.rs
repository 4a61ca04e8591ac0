//! Texts of rules, and the notation of each rule.

use crate::error::Error;
use crate::notation::{self, Dialect, Environment, Recognised, Rule, WrongRule};
use crate::source::Source;

/// A text of rules with its notation, if one is named. A rule may name another one.
///
/// Where nobody names a notation, each rule is Bones if Bones reads it; else it is recognised ([`notation::recognise`]).
#[derive(Clone, Debug)]
pub struct Text {
    source: Source,
    dialect: Option<Dialect>,
}

/// A rule whose notation is known, or what is wrong.
pub(super) type RecognisedRule = Result<Recognised, WrongRule>;

impl Text {
    /// A text whose notation is found rule by rule.
    #[must_use]
    pub fn new(source: Source) -> Self {
        Self {
            source,
            dialect: None,
        }
    }

    /// The same text in a notation, or in one that is to be found.
    #[must_use]
    pub fn in_dialect(self, dialect: Option<Dialect>) -> Self {
        Self { dialect, ..self }
    }

    /// The text itself. Places of findings are places in it.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The rules of the text as Bones, if no notation is named, or what is wrong with them.
    pub(super) fn rules(&self) -> Vec<Result<Rule, WrongRule>> {
        if self.dialect.is_none()
            && let Some(program) = notation::program(&self.source)
        {
            return vec![Ok(program)];
        }
        notation::rules(self.dialect.unwrap_or_default(), &self.source)
    }

    /// Whether nobody named the notation of a rule.
    pub(super) fn is_unnamed(&self, rule: &Rule) -> bool {
        self.dialect.is_none() && !rule.names_dialect
    }

    /// Reads a definition, which the rules behind it may use.
    pub(super) fn define(&self, found: &Rule, environment: &mut Environment) -> Result<(), Error> {
        match self.dialect {
            None => notation::recognise_definition(&self.source, found.span, environment),
            Some(_) => notation::define(found.dialect, &self.source, found.span, environment),
        }
    }

    /// A rule with its notation. It may be several rules in a notation that nobody named.
    pub(super) fn recognised(
        &self,
        found: Result<Rule, WrongRule>,
        environment: &Environment,
    ) -> Vec<RecognisedRule> {
        let rule = match found {
            Ok(rule) if self.is_unnamed(&rule) && rule.dialect == Dialect::default() => rule,
            found => {
                let found = found.map(|rule| Recognised {
                    rule,
                    parsed: None,
                    other: None,
                });
                return vec![found];
            }
        };
        let name = rule.name.clone();
        match notation::recognise(&self.source, rule, environment) {
            Ok(rules) => rules.into_iter().map(Ok).collect(),
            Err(unrecognised) => vec![Err(WrongRule {
                name: Some(name),
                error: unrecognised.into(),
            })],
        }
    }
}
