//! Whole questions, as every face of the program asks them. The command asks through the same room, so that what it prints is a test of
//! the room, too; here are the questions that it cannot ask.

use std::collections::BTreeSet;

use dicedist::ask::{Answers, Asked, Misfit, Question};
use dicedist::engine::estimate::Request;
use dicedist::error::Remedy;
use dicedist::limits::{Budget, Limits, Unobserved};
use dicedist::report::{Report, Style, json};
use dicedist::source::{Shown, Source};

use crate::command::run;

fn answers(question: &Question) -> Answers {
    question.answer(&Limits::default(), &Unobserved).unwrap()
}

fn misfit(question: &Question) -> Misfit {
    let answered = question.answer(&Limits::default(), &Unobserved);
    answered.unwrap_err()
}

/// The chances of the first thing asked, rule by rule.
fn chances(answers: &Answers) -> Vec<String> {
    let event = |rule: &dicedist::report::Answered| rule.event(&answers.queries[0]);
    let rules = answers.answered.iter();
    rules.map(|rule| event(rule).unwrap().to_string()).collect()
}

#[test]
fn the_last_name_changes_fastest() {
    let mut question = Question::of("count >k n#d6");
    question.settings = vec!["n=1,2".parse().unwrap(), "k=3..5..2".parse().unwrap()];
    question.asked = vec![Asked::exactly("0")];
    let answers = answers(&question);
    // No die of n is above k: (k/6)^n.
    assert_eq!(chances(&answers), ["1/2", "5/6", "1/4", "25/36"]);
    let last = &answers.answered[3].parameters;
    assert_eq!(*last, [("n".into(), 2.into()), ("k".into(), 5.into())]);
}

#[test]
fn conditions_are_asked_beside_numbers() {
    let mut question = Question::of("{worst: low 1 2#d6, other: d4}");
    let condition = Source::new("condition", "worst == other");
    question.asked = vec![Asked::Condition(condition)];
    // The lower of two dice is k in 13 - 2k of 36 cases: (11 + 9 + 7 + 5) / (36 * 4).
    assert_eq!(chances(&answers(&question)), ["2/9"]);
    question.asked = vec![Asked::AtLeast(dicedist::number::Fraction::from_integer(
        5.into(),
    ))];
    question.part = Some("worst".into());
    assert_eq!(chances(&answers(&question)), ["1/9"]); // both are 5 or 6
}

#[test]
fn what_makes_no_sense_is_said_in_words() {
    let mut question = Question::of("sum(2#d6)+n");
    question.settings = vec!["n=1".parse().unwrap(), "n=2".parse().unwrap()];
    assert!(matches!(misfit(&question), Misfit::NameTwice(name) if name == "n"));
    question.settings = vec!["n=1".parse().unwrap(), "m=2".parse().unwrap()];
    let unused = misfit(&question);
    assert_eq!(unused.to_string(), "no rule has a free variable 'm'");
    question.settings.pop();
    question.asked = vec![Asked::exactly("hit")];
    assert_eq!(misfit(&question).to_string(), "no rule has the label 'hit'");
    question.asked.clear();
    question.settings = vec!["n=1..10000".parse().unwrap()];
    question.texts.push(question.texts[0].clone());
    assert!(matches!(misfit(&question), Misfit::TooManySeries));
    let only = Question::of("def ability = sum(3#d6)");
    assert!(matches!(misfit(&only), Misfit::OnlyDefinitions));
}

#[test]
fn findings_name_what_the_caller_can_change() {
    let remedies = |question: &Question, limits: &Limits| -> Vec<Remedy> {
        let mut answers = question.answer(limits, &Unobserved).unwrap();
        let refused = answers.refused.iter();
        let mut all: Vec<_> = refused
            .flat_map(|refused| refused.error.diagnostics().to_vec())
            .collect();
        for rule in &mut answers.answered {
            all.append(&mut rule.warnings);
        }
        all.into_iter()
            .flat_map(|finding| finding.remedies)
            .collect()
    };
    let default = Limits::default();
    let unbound = remedies(&Question::of("2#d6+n"), &default);
    assert_eq!(unbound, [Remedy::GiveValue("n".into())]);
    let few = Limits::default().with_states(10);
    let mut question = Question::of("let a=20#d20 in sum(high 3 a)*count(==(low 1 a) a)");
    assert!(matches!(
        remedies(&question, &few)[..],
        [Remedy::RaiseLimit(_)]
    ));
    question.sampling = Some(Request::default().with_samples(100));
    assert!(matches!(
        remedies(&question, &few)[..],
        [Remedy::RaiseLimit(_)]
    ));
}

#[test]
fn reading_finds_names_and_notations_without_answering() {
    let question = Question::of("a: 4d6kh3\nb: sum(n#d6)\nc: count >k n#d10");
    let limits = Limits::default();
    let read = question.read(&Budget::start(&limits, &Unobserved)).unwrap();
    let names = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>();
    assert_eq!(names(&read.names), ["k", "n"]);
    assert_eq!(read.guessed.len(), 1);
    assert_eq!((read.series.len(), read.refused.len()), (1, 2));
}

#[test]
fn lines_of_a_notation_that_nobody_named_have_their_own_names_and_mistakes() {
    let answers = answers(&Question::of("d6\n4d6kh3\n1d6+\n3d6!"));
    let names = answers.answered.iter().map(|rule| &rule.name);
    assert_eq!(names.collect::<Vec<_>>(), ["d6", "4d6kh3", "3d6!"]);
    let [refused] = &answers.refused[..] else {
        panic!("one line has a mistake");
    };
    // The end of the third line, behind 3, 7 and 4 bytes.
    let place = refused.error.diagnostics()[0].span.unwrap();
    assert_eq!((refused.rule, place.start), (2, 14));
}

/// What another face of the program shows is what the command prints.
#[test]
fn a_report_has_the_bytes_of_the_command() {
    let texts = [
        "sum(drop low 1 4#d6)",
        "plain: sum(3#d6); heroic: 4d6kh3; wrong: 2d",
        "while x=d6 do (x != 6)",
        "case d20 of 20: \"crit\", 11..: \"hit\", else \"miss\"",
        "count >k 5#d10; 3#d6",
    ];
    for text in texts {
        let mut question = Question::of(text);
        if text.contains('k') && text.contains("#d10") {
            question.settings.push("k=5..7".parse().unwrap());
        }
        let answers = answers(&question);
        let report = Report::of(&answers.answered).with_refused(&answers.refused);
        let mut bytes = Shown::on(Vec::new());
        json::write(&report, &Style::default(), &mut bytes).unwrap();
        let mut arguments = vec!["--format", "json", text];
        if !question.settings.is_empty() {
            arguments.extend(["--set", "k=5..7"]);
        }
        let said = run(arguments);
        let own = bytes.to_string();
        assert_eq!(own, said.stdout, "{text}");
    }
}
