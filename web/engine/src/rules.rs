//! The rules of a text, each with its notation, or what is wrong with it.

use std::collections::{BTreeSet, VecDeque};

use dicedist::notation::{self, Environment, Parsed, Recognised, Rule};
use dicedist::source::{Source, Span};
use dicedist::{Dialect, Error};

/// A rule that was read, or what is wrong in its place.
pub(crate) enum Found {
    Rule { rule: Rule, parsed: Parsed },
    Wrong { span: Option<Span>, error: Error },
}

impl Found {
    /// The place of the rule, if it is known.
    pub(crate) fn span(&self) -> Option<Span> {
        match self {
            Self::Rule { rule, .. } => Some(rule.span),
            Self::Wrong { span, .. } => *span,
        }
    }

    /// The free names of the rule.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        match self {
            Self::Rule { parsed, .. } => parsed.free_names(),
            Self::Wrong { .. } => BTreeSet::new(),
        }
    }

    /// Whether this is a program, whose results are numbers.
    pub(crate) fn runs_program(&self) -> bool {
        matches!(self, Self::Rule { rule, .. } if rule.dialect.runs_programs())
    }
}

/// The rules of a text.
pub(crate) struct Rules {
    pub(crate) found: Vec<Found>,
    /// The notations that nobody named, also of rules that nearly read.
    pub(crate) guessed: BTreeSet<Dialect>,
}

/// Reads all rules of a text in a notation, or in the one that is recognised. The given names have values.
pub(crate) fn read(
    source: &Source,
    dialect: Option<Dialect>,
    given: impl Iterator<Item = String>,
) -> Rules {
    let mut environment = Environment::with_given(given);
    let program = notation::program(source).filter(|_| dialect.is_none());
    let pieces = match program {
        Some(program) => vec![Ok(program)],
        None => notation::rules(dialect.unwrap_or_default(), source),
    };
    let mut rules = Rules {
        found: Vec::new(),
        guessed: BTreeSet::new(),
    };
    for piece in pieces {
        let rule = match piece {
            Err(wrong) => {
                rules.found.push(Found::Wrong {
                    span: None,
                    error: wrong.error,
                });
                continue;
            }
            Ok(rule) => rule,
        };
        let span = rule.span;
        let wrong = |error| Found::Wrong {
            span: Some(span),
            error,
        };
        if rule.is_definition {
            let defined = notation::define(rule.dialect, source, span, &mut environment);
            rules.found.extend(defined.err().map(wrong));
            continue;
        }
        let is_unnamed = dialect.is_none() && !rule.names_dialect;
        let mut waiting: VecDeque<(Rule, Option<Parsed>)> = VecDeque::new();
        if is_unnamed && rule.dialect == Dialect::default() {
            match notation::recognise(source, rule, &environment) {
                Ok(all) => {
                    let all = all.into_iter();
                    waiting.extend(all.map(|Recognised { rule, parsed, .. }| (rule, parsed)));
                }
                Err(unrecognised) => {
                    rules.guessed.extend(unrecognised.dialect);
                    rules.found.push(wrong(unrecognised.error));
                }
            }
        } else {
            waiting.push_back((rule, None));
        }
        for (rule, parsed) in waiting {
            if is_unnamed && rule.dialect != Dialect::default() {
                rules.guessed.insert(rule.dialect);
            }
            let parsed = match parsed {
                Some(parsed) => Ok(parsed),
                None => notation::parse_in(rule.dialect, source, rule.span, &environment),
            };
            rules.found.push(match parsed {
                Ok(parsed) => Found::Rule { rule, parsed },
                Err(error) => Found::Wrong {
                    span: Some(rule.span),
                    error,
                },
            });
        }
    }
    rules
}
