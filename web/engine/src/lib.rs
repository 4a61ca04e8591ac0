//! The engine of dicedist for a page: a question as JSON in, its answer as JSON out.
//!
//! Nothing is decided here. [`Engine::read`] tells the editor what is wrong with a text, [`Engine::answer`] answers a question and
//! keeps the answer, and the other methods write that answer in the formats of the library.

mod ask;
mod curves;
mod finding;
mod places;
mod progress;
mod question;
mod read;
mod rules;
mod words;

use dicedist::Dialect;
use dicedist::report::{self, Report, Style};
use dicedist::source::{Shown, Source, Span};
use js_sys::Function;
use serde::Serialize;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;
use web_time::Instant;

use ask::Answered;
use finding::{Finding, Stand};
use places::Places;
use progress::Progress;
use question::Question;

/// An engine with its last answer.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Engine {
    kept: Option<(Question, Answered)>,
}

/// What the page needs beside the report.
#[derive(Serialize)]
struct Told {
    findings: Vec<Finding>,
    milliseconds: f64,
    guessed: Option<String>,
}

#[wasm_bindgen]
impl Engine {
    /// An engine without an answer.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the text of a question, quickly and without answering it.
    ///
    /// # Errors
    ///
    /// If the question is no question.
    pub fn read(&self, question: &str) -> Result<String, JsError> {
        let question: Question = serde_json::from_str(question)?;
        Ok(serde_json::to_string(&read::read(&question))?)
    }

    /// Answers a question, and keeps the answer. Calls `progress` now and then.
    ///
    /// # Errors
    ///
    /// If the question is no question, or cannot be asked as it is.
    pub fn answer(&mut self, question: &str, progress: &Function) -> Result<String, JsError> {
        self.kept = None;
        let question: Question = serde_json::from_str(question)?;
        let started = Instant::now();
        let progress = Progress::start(progress, bytes);
        let answered =
            ask::answer(&question, &progress).map_err(|message| JsError::new(&message))?;
        let milliseconds = started.elapsed().as_secs_f64() * 1000.0;
        let told = Told {
            findings: findings(&answered),
            milliseconds,
            guessed: answered.answers.guessed.first().map(ToString::to_string),
        };
        self.kept = Some((question, answered));
        Ok(serde_json::to_string(&told)?)
    }

    /// The report of the last answer, as `dicedist --format json` prints it.
    ///
    /// # Errors
    ///
    /// If there is no answer.
    pub fn json(&self) -> Result<String, JsError> {
        self.write(report::json::write)
    }

    /// The last answer as CSV; `wide` has a column for each rule.
    ///
    /// # Errors
    ///
    /// If there is no answer.
    pub fn csv(&self, wide: bool) -> Result<String, JsError> {
        self.write(|report, style, out| {
            let mut style = style.clone();
            style.sheets.wide = wide;
            report::csv::write(report, &style, out)
        })
    }

    /// The last answer as Markdown.
    ///
    /// # Errors
    ///
    /// If there is no answer.
    pub fn markdown(&self) -> Result<String, JsError> {
        self.write(|report, style, out| {
            report::markdown::write(report, &report.for_people(style), out)
        })
    }

    /// The picture of the last answer.
    ///
    /// # Errors
    ///
    /// If there is no answer, or none that can be drawn.
    pub fn svg(&self) -> Result<String, JsError> {
        self.write(|report, style, out| report::svg::write(report, &report.for_people(style), out))
    }

    /// The table of the last answer as text, with so many characters a line.
    ///
    /// # Errors
    ///
    /// If there is no answer.
    pub fn table(&self, width: usize) -> Result<String, JsError> {
        self.write(|report, style, out| {
            let mut style = report.for_people(style).into_owned();
            style.width = width;
            if style.queries.is_empty() {
                report::table::write(report, &style, out)
            } else {
                report::queries::write(report, &style, out)
            }
        })
    }

    /// The chances of each listed number or more, and or less, of each rule, as the nearest doubles: a JSON list of
    /// `{"atLeast": […], "atMost": […], "holds": […]}`. The first two are `null` for a rule without exact numbers or with too many; the
    /// last says for each outcome whether the only condition holds, and is `null` where there is not one, or where outcomes are too many.
    ///
    /// # Errors
    ///
    /// If there is no answer.
    pub fn curves(&self) -> Result<String, JsError> {
        let (_, answered) = self.kept()?;
        let all = answered.answers.answered.iter();
        Ok(serde_json::to_string(
            &all.map(curves::of).collect::<Vec<_>>(),
        )?)
    }

    fn kept(&self) -> Result<&(Question, Answered), JsError> {
        let kept = self.kept.as_ref();
        kept.ok_or_else(|| JsError::new("there is no answer"))
    }

    fn write(
        &self,
        write: impl FnOnce(&Report<'_>, &Style, &mut Shown<Vec<u8>>) -> std::io::Result<()>,
    ) -> Result<String, JsError> {
        let (question, Answered { answers, .. }) = self.kept()?;
        let report = Report::of(&answers.answered).with_refused(&answers.refused);
        let mut style = question.style();
        style.queries.clone_from(&answers.queries);
        let mut text = Shown::on(Vec::new());
        write(&report, &style, &mut text)?;
        Ok(text.to_string())
    }
}

/// The words of a notation for completion: a JSON list.
///
/// # Errors
///
/// If there is no such notation.
#[wasm_bindgen]
pub fn words(dialect: &str) -> Result<String, JsError> {
    let dialect: Dialect = dialect.parse()?;
    Ok(serde_json::to_string(words::words(dialect))?)
}

/// The names of all notations, each with a rule as an example: a JSON list of pairs.
///
/// # Errors
///
/// None.
#[wasm_bindgen]
pub fn dialects() -> Result<String, JsError> {
    let all = Dialect::ALL.iter();
    let all: Vec<_> = all
        .map(|dialect| (dialect.name(), dialect.example()))
        .collect();
    Ok(serde_json::to_string(&all)?)
}

/// The bytes that the engine has from the browser. They never become fewer.
#[wasm_bindgen]
#[must_use]
pub fn bytes() -> u64 {
    #[cfg(target_arch = "wasm32")]
    return core::arch::wasm32::memory_size(0) as u64 * 65_536;
    #[cfg(not(target_arch = "wasm32"))]
    0
}

/// All findings of an answer, the errors first, each once.
fn findings(answered: &Answered) -> Vec<Finding> {
    let Answered {
        answers,
        source,
        spans,
    } = answered;
    let places = Places::of(source.text());
    let stand = |of: &Source, finding: Option<Span>| {
        let is_in_text = of.is_same(source);
        let holds =
            |rule: &&Span| finding.is_some_and(|it| rule.start <= it.start && it.end <= rule.end);
        let rule = match &spans[..] {
            [only] => Some(*only),
            all => all.iter().find(holds).copied().filter(|_| is_in_text),
        };
        Stand {
            places: &places,
            rule,
            is_in_text,
        }
    };
    let mut all: Vec<Finding> = Vec::new();
    let mut add = |finding: Finding| {
        if !all.contains(&finding) {
            all.push(finding);
        }
    };
    for refused in &answers.refused {
        let span = refused.error.diagnostics()[0].span;
        Finding::of_error(&refused.error, stand(&refused.source, span))
            .into_iter()
            .for_each(&mut add);
    }
    let of_answered = answers.answered.iter().map(|it| &it.warnings);
    let of_refused = answers.refused.iter().map(|it| &it.warnings);
    let of_text = of_answered
        .chain(of_refused)
        .flatten()
        .map(|it| (source, it));
    let others = answers.warnings.iter().map(|(of, it)| (of, it));
    for (of, warning) in of_text.chain(others) {
        add(Finding::of_warning(warning, stand(of, warning.span)));
    }
    all
}
