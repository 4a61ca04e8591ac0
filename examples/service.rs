//! A service: rules that strangers type are answered by a few threads, each within limits of its own.
//!
//! Run with `cargo run --example service`. The page docs/exactness.md says why each number is as it is.

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use dicedist::Limits;
use dicedist::ask::Question;
use dicedist::limits::Unobserved;

/// The threads that answer.
const WORKERS: usize = 2;

/// The stack of each, in bytes. A deep rule takes more by itself; a rule begins with no less.
const STACK: usize = 1 << 20;

/// What the engine may hold for all answers together, in bytes.
const MEMORY: u64 = 1 << 30;

/// The longest text, in bytes.
const LONGEST: usize = 10_000;

/// Answers a text in words, whatever it is.
fn answer(text: &str) -> String {
    if text.len() > LONGEST {
        return "the text is too long".into();
    }
    let limits = Limits::default()
        .with_time(Some(Duration::from_secs(2)))
        .with_states(500_000)
        .with_memory(MEMORY / WORKERS as u64)
        .with_outcomes(2_000);
    match Question::of(text).answer(&limits, &Unobserved) {
        Err(misfit) => misfit.to_string(),
        Ok(answers) => {
            let answered = answers.answered.iter();
            let known = answered
                .map(|rule| format!("{}: {} outcomes", rule.name, rule.answer.outcomes().len()));
            let refused = answers.refused.iter();
            let wrong = refused.map(|rule| format!("{}: {}", rule.name, rule.error));
            known.chain(wrong).collect::<Vec<_>>().join("; ")
        }
    }
}

fn main() {
    let deep = format!("{}d6{}", "(".repeat(5_000), ")".repeat(5_000));
    let texts = [
        "4d6kh3",
        "1/(d6-1)",
        "3d6!",
        "sum(",
        "sum(9999999#d9999999) * d1000000",
        &deep,
    ];
    let waiting = Mutex::new(texts.into_iter().enumerate());
    let answers = Mutex::new(vec![String::new(); texts.len()]);
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            let work = || {
                loop {
                    let next = waiting.lock().expect("no thread panics").next();
                    let Some((place, text)) = next else { break };
                    let said = answer(text);
                    answers.lock().expect("no thread panics")[place] = said;
                }
            };
            let thread = thread::Builder::new().stack_size(STACK);
            thread
                .spawn_scoped(scope, work)
                .expect("the system has room for a thread");
        }
    });
    for (text, said) in texts
        .iter()
        .zip(answers.into_inner().expect("no thread panics"))
    {
        let text: String = text.chars().take(40).collect();
        println!("{text}\n    {said}");
    }
}
