//! How a rule is read from a text, and what is known of it before it is solved.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::Arc;

use super::form::{Form, Rule};
use super::text::Text;
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::limits::{Budget, Limits, Unobserved};
use crate::notation::{self, Dialect, Environment, Kind, Parsed, Settings};
use crate::number::Integer;
use crate::source::Source;

/// Rules from texts.
impl Rule {
    /// Reads a rule in Bones, the language of `docs/bones.md`: `sum(drop low 1 4#d6)`.
    ///
    /// # Errors
    ///
    /// As [`Rule::read`].
    pub fn bones(text: &str) -> Result<Self, Error> {
        Self::read(Dialect::Bones, text)
    }

    /// Reads a rule in the notation of tabletop games, as in Roll20, Foundry and Avrae: `4d6kh3`.
    ///
    /// # Errors
    ///
    /// As [`Rule::read`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Rule;
    ///
    /// let ability = Rule::tabletop("4d6kh3")?.solve()?;
    /// assert_eq!(ability, Rule::bones("sum(high 3 4#d6)")?.solve()?);
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    pub fn tabletop(text: &str) -> Result<Self, Error> {
        Self::read(Dialect::Tabletop, text)
    }

    /// Reads an AnyDice program: `output [highest 3 of 4d6]`.
    ///
    /// # Errors
    ///
    /// As [`Rule::read`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Rule;
    ///
    /// let program = Rule::anydice("output 3d6 named \"straight\"\noutput [highest 3 of 4d6] named \"best\"")?;
    /// let results = program.results()?;
    /// assert_eq!((results.len(), results[1].name()), (2, "best"));
    /// assert_eq!(results[1].solve()?.at_least(18).to_string(), "7/432");
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    pub fn anydice(text: &str) -> Result<Self, Error> {
        Self::read(Dialect::Anydice, text)
    }

    /// Reads a rule of dicelab.
    ///
    /// # Errors
    ///
    /// As [`Rule::read`].
    pub fn dicelab(text: &str) -> Result<Self, Error> {
        Self::read(Dialect::Dicelab, text)
    }

    /// Reads a rule of dicebag.
    ///
    /// # Errors
    ///
    /// As [`Rule::read`].
    pub fn dicebag(text: &str) -> Result<Self, Error> {
        Self::read(Dialect::Dicebag, text)
    }

    /// Reads a script of DiceRoller.
    ///
    /// # Errors
    ///
    /// As [`Rule::read`].
    pub fn diceroller(text: &str) -> Result<Self, Error> {
        Self::read(Dialect::Diceroller, text)
    }

    /// Reads a rule of OneDice.
    ///
    /// # Errors
    ///
    /// As [`Rule::read`].
    pub fn onedice(text: &str) -> Result<Self, Error> {
        Self::read(Dialect::Onedice, text)
    }

    /// Reads the one rule of a text, which may have definitions before it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Parse`] with a diagnostic for each mistake, also for a text that has no rule or several;
    /// [`ErrorKind::Limit`] for a text that is too long or nested too deeply.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::{Dialect, Rule};
    ///
    /// let pool = Rule::read(Dialect::Dicelab, "def ability = sum(drop low 1 4#d6)");
    /// assert!(pool.is_err()); // only Bones has definitions
    ///
    /// let rule = Rule::bones("def ability = sum(drop low 1 4#d6)\nstrong: ability >= 15")?;
    /// assert_eq!(rule.name(), "strong");
    /// assert_eq!(rule.solve_as::<bool>()?.probability_of(true).to_string(), "25/108");
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    pub fn read(dialect: Dialect, text: &str) -> Result<Self, Error> {
        let mut rules = Self::all(dialect, text)?;
        match (rules.pop(), rules.len()) {
            (Some(rule), 0) => Ok(rule),
            (None, _) => {
                let finding = Diagnostic::without_place("there is no rule in this text");
                Err(Error::new(ErrorKind::Parse, finding))
            }
            (Some(last), others) => {
                let message = format!("there are {} rules in this text", others + 1);
                let second = rules.get(1).unwrap_or(&last).parsed().map(Parsed::span);
                let finding = Diagnostic {
                    span: second,
                    ..Diagnostic::without_place(message)
                };
                Err(Error::new(
                    ErrorKind::Parse,
                    finding.with_help("`Rule::all` reads several rules"),
                ))
            }
        }
    }

    /// Reads all rules of a text. A rule may use the definitions before it.
    ///
    /// # Errors
    ///
    /// The first error of a rule or definition, as in [`Rule::read`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::{Dialect, Rule};
    ///
    /// let rules = Rule::all(Dialect::Bones, "plain: sum(3#d6); heroic: sum(drop low 1 4#d6)")?;
    /// let [plain, heroic] = [rules[0].solve()?, rules[1].solve()?];
    /// assert!(heroic.versus(&plain).unwrap().a_wins.to_f64() > 0.6);
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    pub fn all(dialect: Dialect, text: &str) -> Result<Vec<Self>, Error> {
        let source = Arc::new(Source::new("rule", text));
        let mut environment = Environment::default();
        let mut rules = Vec::new();
        for piece in notation::rules(dialect, &source) {
            let piece = piece?;
            if piece.is_definition {
                notation::define(piece.dialect, &source, piece.span, &mut environment)?;
                continue;
            }
            let parsed = notation::parse_in(piece.dialect, &source, piece.span, &environment)?;
            rules.push(Self {
                name: piece.name.into(),
                form: Form::Text(Box::new(Text::new(&source, parsed))),
            });
        }
        Ok(rules)
    }

    /// The same rule, in which a free name has this value. A name that the rule does not use is ignored. Values are given before
    /// [`Rule::results`], because they may decide which results there are.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Rule;
    ///
    /// let rule = Rule::bones("d20 + bonus >= target")?;
    /// assert!(rule.free_names().iter().eq(["bonus", "target"]));
    /// let hit = rule.with("bonus", 5).with("target", 15).solve_as::<bool>()?;
    /// assert_eq!(hit.probability_of(true).to_string(), "11/20");
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn with(self, name: impl Into<String>, value: impl Into<Integer>) -> Self {
        self.set(|settings| settings.with_parameter(name, value))
    }

    /// The same rule, read with these settings.
    #[must_use]
    pub fn with_settings(self, settings: Settings) -> Self {
        self.set(|_| settings)
    }

    fn set(self, change: impl FnOnce(Settings) -> Settings) -> Self {
        let form = match self.form {
            Form::Text(text) => Form::Text(Box::new(text.with(change))),
            built @ Form::Built(_) => built,
        };
        Self { form, ..self }
    }

    /// The names that nothing in the rule binds: [`Rule::with`] gives them values.
    #[must_use]
    pub fn free_names(&self) -> BTreeSet<String> {
        self.parsed().map(Parsed::free_names).unwrap_or_default()
    }

    /// The text that the rule was read from. The places of diagnostics are places in this text.
    #[must_use]
    pub fn source(&self) -> Option<&Source> {
        self.text().map(Text::source)
    }

    /// The rule as it was read.
    #[must_use]
    pub fn parsed(&self) -> Option<&Parsed> {
        self.text().map(Text::parsed)
    }

    /// Findings about a rule that has a meaning, but probably not the intended one.
    ///
    /// # Errors
    ///
    /// As [`Rule::program`].
    pub fn warnings(&self) -> Result<Vec<Diagnostic>, Error> {
        let Some(text) = self.text() else {
            return Ok(Vec::new());
        };
        let limits = Limits::default();
        let readings = text.readings(&Budget::start(&limits, &Unobserved))?;
        let warnings = readings.iter().map(|reading| &reading.warnings);
        Ok(warnings.flatten().cloned().collect())
    }

    /// Whether the rule is a condition: its value is 1 where it holds, and 0 where it does not.
    ///
    /// # Errors
    ///
    /// As [`Rule::program`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Rule;
    ///
    /// assert!(Rule::bones("d20 + 5 >= 15")?.is_condition()?);
    /// assert!(!Rule::bones("count >=15 (2#d20)")?.is_condition()?);
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    pub fn is_condition(&self) -> Result<bool, Error> {
        match self.text() {
            Some(text) => {
                let limits = Limits::default();
                let budget = Budget::start(&limits, &Unobserved);
                Ok(text.result(&budget)?.kind == Kind::Condition)
            }
            None => Ok(false),
        }
    }

    /// The results of the rule, each as a rule of its own. A rule has one result, but an AnyDice program has one for each `output`, and a
    /// DiceRoller script one for each `G`.
    ///
    /// # Errors
    ///
    /// As [`Rule::program`].
    pub fn results(&self) -> Result<Vec<Self>, Error> {
        let limits = Limits::default();
        self.results_within(&Budget::start(&limits, &Unobserved))
    }

    /// As [`Rule::results`], within a budget.
    ///
    /// # Errors
    ///
    /// As [`Rule::program`].
    pub fn results_within(&self, budget: &Budget<'_>) -> Result<Vec<Self>, Error> {
        let Some(text) = self.text() else {
            return Ok(vec![self.clone()]);
        };
        let results = text.readings(budget)?.iter().enumerate();
        let results = results.map(|(place, reading)| Self {
            name: match &reading.title {
                Some(title) => title.name.as_str().into(),
                None => Arc::clone(&self.name),
            },
            form: Form::Text(Box::new(text.only(place))),
        });
        Ok(results.collect())
    }

    fn text(&self) -> Option<&Text> {
        match &self.form {
            Form::Text(text) => Some(text),
            Form::Built(_) => None,
        }
    }
}

/// Reads a rule in Bones.
impl FromStr for Rule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::bones(text)
    }
}
