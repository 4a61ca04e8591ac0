//! What must hold for any text at all: the bodies of the fuzz targets. The suite replays the corpus through them on a
//! stable compiler (`tests/suite/replay.rs`).

use std::collections::BTreeMap;
use std::time::Duration;

use dicedist::algebra::Weight;
use dicedist::engine::Value;
use dicedist::engine::enumerate::enumerate;
use dicedist::limits::{FaceOrder, Limits, Unobserved};
use dicedist::notation::{self, Environment, Parsed, Reading, Settings};
use dicedist::number::{Fraction, Integer};
use dicedist::report::{self, Answered, Refused, Report, Style};
use dicedist::source::{Shown, Source, Span, is_invisible};
use dicedist::{Answer, Dialect, Error, engine};

/// A longer text only takes longer.
const LONGEST: usize = 2_000;

/// Answers with a longer total than this, in bits, or with more values, are not compared: that takes long.
const BITS: u64 = 4_000;
const VALUES: usize = 500;

/// Reading never panics and complains only of places in the text; and what can be read prints as a text that means
/// the same, and that prints as itself.
pub(crate) fn parse(dialect: Dialect, text: &str) {
    if text.len() > LONGEST {
        return;
    }
    let source = Source::new("text", text);
    for (rule, settings, environment) in rules(dialect, &source) {
        check_print(&rule, &source, &settings, &environment);
    }
}

/// The rules of a text that can be read, each with settings and with the definitions before it.
fn rules(dialect: Dialect, source: &Source) -> Vec<(Parsed, Settings, Environment)> {
    let mut environment = Environment::default();
    let mut rules = Vec::new();
    for rule in notation::rules(dialect, source) {
        match rule {
            Err(wrong) => check_places(source, &wrong.error),
            Ok(rule) if rule.is_definition => {
                if let Err(error) =
                    notation::define(rule.dialect, source, rule.span, &mut environment)
                {
                    check_places(source, &error);
                }
            }
            Ok(rule) => {
                let read = read(rule.dialect, source, rule.span, &environment);
                rules.extend(read.map(|(rule, settings)| (rule, settings, environment.clone())));
            }
        }
    }
    rules
}

/// A rule, with small values for what has none.
fn read(
    dialect: Dialect,
    source: &Source,
    span: Span,
    environment: &Environment,
) -> Option<(Parsed, Settings)> {
    let rule = notation::parse_in(dialect, source, span, environment);
    let rule = rule.map_err(|error| check_places(source, &error)).ok()?;
    let names = rule.free_names().into_iter();
    let parameters = names.zip((2..).map(Integer::from));
    let settings = Settings::default().with_parameters(parameters.collect());
    Some((rule, settings))
}

/// The results of a rule, if it has any.
fn lower(rule: &Parsed, source: &Source, settings: &Settings) -> Option<Vec<Reading>> {
    let readings = rule.lower(settings);
    readings.map_err(|error| check_places(source, &error)).ok()
}

fn check_places(source: &Source, error: &Error) {
    for finding in error.diagnostics() {
        assert!(!finding.message.is_empty());
        if let Some(span) = finding.span {
            let text = source.text().get(span.start..span.end);
            assert!(text.is_some(), "{span:?} is no place: {}", finding.message);
        }
    }
}

fn check_print(rule: &Parsed, source: &Source, settings: &Settings, environment: &Environment) {
    let Some(readings) = lower(rule, source, settings) else {
        return;
    };
    let printed = rule.print();
    let copy = Source::new("printed", printed.as_str());
    let copy = notation::parse_in(rule.dialect(), &copy, copy.span(), environment)
        .unwrap_or_else(|error| panic!("{printed:?} cannot be read: {error}"));
    let again = copy
        .lower(settings)
        .unwrap_or_else(|error| panic!("{printed:?} cannot be lowered: {error}"));
    let programs = |readings: &[Reading]| -> Vec<String> {
        let programs = readings.iter().map(|reading| reading.program.to_string());
        programs.collect()
    };
    assert_eq!(programs(&readings), programs(&again), "{printed:?}");
    assert_eq!(copy.print(), printed);
}

/// The limits of the pipeline: an input should not take longer than some hundredths of a second.
fn limits() -> Limits {
    Limits::default()
        .with_time(Some(Duration::from_millis(50)))
        .with_states(5_000)
        .with_memory(16 << 20)
        .with_outcomes(200)
}

/// No rule makes the engine or a report panic; all probabilities add up to exactly 1; the slow evaluator says
/// nothing else, and neither does the engine when it reveals faces in another order. The first character says the notation and whether lists keep their order.
pub(crate) fn pipeline(text: &str) {
    let Some((first, rule)) = text.split_at_checked(1) else {
        return;
    };
    let number = usize::from(first.as_bytes()[0]);
    let dialect = Dialect::ALL[number % Dialect::ALL.len()];
    let is_ordered = number / Dialect::ALL.len() % 2 == 1;
    if rule.len() > LONGEST {
        return;
    }
    let source = Source::new("rule", rule);
    answer(dialect, &source, is_ordered);
}

/// The checks of [`pipeline`] for each rule of a text.
pub(crate) fn answer(dialect: Dialect, source: &Source, is_ordered: bool) {
    let rules = rules(dialect, source).into_iter();
    let readings =
        rules.filter_map(|(rule, settings, _)| Some((lower(&rule, source, &settings)?, rule)));
    for (reading, rule) in readings
        .flat_map(|(readings, rule)| readings.into_iter().map(move |one| (one, rule.clone())))
    {
        let name = reading.title.map(|title| title.name);
        let name = name.unwrap_or_else(|| source.text().to_owned());
        let program = if is_ordered {
            reading.program
        } else {
            reading.program.sorted()
        };
        let [fast, other] = [FaceOrder::LowestFirst, FaceOrder::HighestFirst]
            .map(|faces| engine::analyze(&program, &limits().with_faces(faces), &Unobserved));
        let slow = enumerate(&program, &limits(), &Unobserved);
        for answer in [&fast, &other, &slow].into_iter().flatten() {
            check_masses(answer);
        }
        compare(&fast, &slow);
        compare(&fast, &other);
        check_reports(
            &name,
            source,
            fast.map_err(|error| rule.in_its_words(error)),
        );
    }
}

fn check_masses(answer: &Answer) {
    let listed: Weight = answer.outcomes().iter().map(|(_, weight)| weight).sum();
    let tails = answer.tail_weight();
    let sum = listed + tails + answer.unresolved() + answer.never_ends();
    assert!(sum == *answer.total(), "the masses do not add up to 1");
    let mut weights = answer.outcomes().iter().map(|(_, weight)| weight);
    assert!(weights.all(|weight| *weight > Weight::ZERO));
}

/// What one evaluator says must be possible by the other.
fn compare(fast: &Result<Answer, Error>, slow: &Result<Answer, Error>) {
    match (fast, slow) {
        (Err(error), _) | (_, Err(error)) if error.is_limit() => {}
        (Ok(fast), Ok(slow)) => {
            if is_small(fast) && is_small(slow) {
                compare_answers(fast, slow);
            }
        }
        (Err(fast), Err(slow)) => {
            let place = |error: &Error| error.diagnostics()[0].span;
            assert_eq!(fast.kind(), slow.kind(), "{fast} and {slow}");
            assert_eq!(place(fast), place(slow), "{fast}");
            assert!(are_close(fast, slow), "{fast} and {slow}");
        }
        (fast, slow) => panic!(
            "one fails: {:?} and {:?}",
            fast.as_ref().err(),
            slow.as_ref().err()
        ),
    }
}

/// What loops leave unresolved may fail as well: each as much as the tolerance. A lower bound is no more than what is exact.
fn are_close(fast: &Error, slow: &Error) -> bool {
    let [fast_share, slow_share] = [fast, slow].map(Error::probability);
    let [fast_least, slow_least] = [fast, slow].map(Error::least_probability);
    match (fast_share, slow_share) {
        (Some(fast), Some(slow)) => {
            let tolerance = limits().tolerance * Fraction::from_integer(1_000.into());
            *fast <= slow + &tolerance && *slow <= fast + &tolerance
        }
        (Some(exact), None) => slow_least.is_none_or(|least| least <= exact),
        (None, Some(exact)) => fast_least.is_none_or(|least| least <= exact),
        (None, None) => true,
    }
}

fn is_small(answer: &Answer) -> bool {
    answer.total().bits() <= BITS && answer.outcomes().iter().count() <= VALUES
}

fn compare_answers(fast: &Answer, slow: &Answer) {
    let [fast_values, slow_values] = [fast, slow].map(values);
    let [fast_open, slow_open] = [fast, slow].map(open);
    let zero = Fraction::from_integer(0.into());
    for value in fast_values.keys().chain(slow_values.keys()) {
        let fast = fast_values.get(value).unwrap_or(&zero);
        let slow = slow_values.get(value).unwrap_or(&zero);
        let is_possible = *fast <= slow + &slow_open && *slow <= fast + &fast_open;
        assert!(is_possible, "{value:?}: {fast} and {slow}");
    }
    let never = |answer: &Answer| {
        let low = answer.probability(&answer.never_ends());
        let high = &low + answer.probability(&answer.unresolved());
        (low, high)
    };
    let (fast, slow) = (never(fast), never(slow));
    assert!(fast.0 <= slow.1 && slow.0 <= fast.1, "{fast:?} {slow:?}");
}

fn values(answer: &Answer) -> BTreeMap<Value<'_>, Fraction> {
    let listed = answer.outcomes().iter();
    listed
        .map(|(value, weight)| (value, answer.probability(weight)))
        .collect()
}

/// How much more any value can have.
fn open(answer: &Answer) -> Fraction {
    let tails = answer.tail_weight();
    answer.probability(&(tails + answer.unresolved()))
}

/// Every report can be written, whatever the name of the rule and its labels are, and gives no orders to what shows it.
fn check_reports(name: &str, source: &Source, result: Result<Answer, Error>) {
    let (mut rules, mut refused) = (Vec::new(), Vec::new());
    match result {
        Ok(answer) if is_small(&answer) => rules.push(Answered::new(name, answer)),
        Ok(_) => return,
        Err(error) => refused.push(Refused::new(name, source.clone(), error)),
    }
    let style = Style::default();
    let mut out = Shown::on(Vec::new());
    let report = Report::of(&rules).with_refused(&refused);
    let mut written = vec![report::json::write(&report, &style, &mut out)];
    if !rules.is_empty() {
        written.push(report::csv::write(&report, &style, &mut out));
        written.push(report::markdown::write(&report, &style, &mut out));
        written.push(report::svg::write(&report, &style, &mut out));
        written.push(report::table::write(&report, &style, &mut out));
    }
    for written in written {
        written.expect("nothing keeps memory from taking everything");
    }
    let joins = |sign| matches!(sign, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}');
    let gives_orders = |sign: char| {
        sign.is_control() && !"\t\r\n".contains(sign) || is_invisible(sign) && !joins(sign)
    };
    assert!(!out.to_string().contains(gives_orders), "{name:?}");
}
