//! The bodies of the fuzz targets, on a stable compiler. They run over their corpus, and over random changes of its texts;
//! [`crate::seeds`] has the seeds.

#[path = "../../fuzz/bodies.rs"]
pub(crate) mod bodies;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use dicedist::Dialect;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use crate::command::package;
use crate::seeds::seed;

/// The number of texts that are made from the corpus of each target, and the time after which a slow target stops earlier. Usually
/// the number ends the test.
const TEXTS: usize = 1_500;
const PATIENCE: Duration = Duration::from_millis(1_500);

/// Signs and words of the notations, and numbers near limits.
const TOKENS: &str = "0 1 2 3 6 7 9 10 99 100 101 10000 10001 999999999 99999999999999999999 ( ) [ ] { } , ; : = < > ! \
    + - * / % ^ . .. # & | ? $ $t1 == != <= >= d D a c f b p k q m x S C G H L V P E e K A T t i kh kl dh dl min max \
    lp sp tp df !! !p xo r ro ra u uo mi ma ms f even cs cf sf -L [[ ]] @x ?{q|2} adv sum prod count perm sort rev drop keep low high first last let in while do foreach if then else (1,2) \
    () d6 2#d6 2d6 not and or case of repeat until for reroll rank distinct without draw compare abs( max( mod def \
    output named function: result: loop over set to X: {1..3} d{1,2} [highest 1 of 2d6] X:n R:s 1@2d6 !1 #2 \
    \"a\" // \u{0} é ６ \u{1f3b2} \\n \"\u{1b}[2J\u{7}\" \u{9b} \u{202e} \u{200b} \u{2028} \u{e0041} n\u{7f}: [x](//y) named\"<b>|\" d{\"a\",1}";

/// A target's name and body.
type Target = (&'static str, fn(&str));

/// The targets: each notation's reader, and the pipeline as a whole.
const TARGETS: [Target; 8] = [
    ("anydice", |text| bodies::parse(Dialect::Anydice, text)),
    ("bones", |text| bodies::parse(Dialect::Bones, text)),
    ("dicebag", |text| bodies::parse(Dialect::Dicebag, text)),
    ("dicelab", |text| bodies::parse(Dialect::Dicelab, text)),
    ("diceroller", diceroller),
    ("onedice", |text| bodies::parse(Dialect::Onedice, text)),
    ("pipeline", bodies::pipeline),
    ("tabletop", |text| bodies::parse(Dialect::Tabletop, text)),
];

fn diceroller(text: &str) {
    bodies::parse(Dialect::Diceroller, text);
}

/// The texts of a target's corpus, by the names of their files.
fn corpus(target: &str) -> Vec<(String, String)> {
    let folder = package("fuzz/corpus").join(target);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut texts: Vec<(String, String)> = files
        .map(|file| {
            let name = file.file_name().into_string().unwrap();
            (name, fs::read_to_string(file.path()).unwrap())
        })
        .collect();
    texts.sort();
    assert!(texts.len() > 50, "{target}: {} texts", texts.len());
    texts
}

/// The message of the panic of a target's body for a text; `None` without a panic.
fn failure(body: fn(&str), text: &str) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(|| body(text))).err()?;
    let message = panic.downcast::<String>().map_or_else(
        |other| {
            other
                .downcast::<&str>()
                .map_or_else(|_| "it panics".into(), |text| (*text).into())
        },
        |text| *text,
    );
    Some(format!("{text:?}: {message}"))
}

#[test]
fn the_corpus_of_each_fuzz_target_holds() {
    let mut failures = Vec::new();
    for (target, body) in TARGETS {
        for (name, text) in corpus(target) {
            failures
                .extend(failure(body, &text).map(|failure| format!("{target}/{name}: {failure}")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn what_is_made_of_the_corpus_holds() {
    let mut failures = Vec::new();
    let seed = seed();
    for (target, body) in TARGETS {
        let started = Instant::now();
        let texts = corpus(target);
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..TEXTS {
            if started.elapsed() > PATIENCE {
                break;
            }
            let text = mutated(&texts, &mut generator);
            failures.extend(
                failure(body, &text)
                    .map(|failure| format!("{target}, DICEDIST_SEED={seed}: {failure}")),
            );
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A text with some parts changed, left out, doubled, or taken from other texts.
fn mutated(texts: &[(String, String)], generator: &mut ChaCha8Rng) -> String {
    let tokens: Vec<&str> = TOKENS.split_ascii_whitespace().collect();
    let mut letters: Vec<char> = any(texts, generator).1.chars().collect();
    for _ in 0..=below(4, generator) {
        let start = below(letters.len() + 1, generator);
        let end = letters.len().min(start + below(8, generator));
        let part: Vec<char> = match below(5, generator) {
            0 => Vec::new(),
            1 => letters[start..end].repeat(2),
            2 => {
                let other: Vec<char> = any(texts, generator).1.chars().collect();
                let from = below(other.len() + 1, generator);
                let to = other.len().min(from + below(20, generator));
                other[from..to].to_vec()
            }
            _ => any(&tokens, generator)
                .replace("\\n", "\n")
                .chars()
                .collect(),
        };
        // The part is inserted, or replaces a range.
        let end = if below(2, generator) == 0 { start } else { end };
        letters.splice(start..end, part);
    }
    letters.into_iter().collect()
}

fn any<'a, T>(all: &'a [T], generator: &mut ChaCha8Rng) -> &'a T {
    &all[below(all.len(), generator)]
}

/// A nearly uniform number from 0 to `bound - 1`.
fn below(bound: usize, generator: &mut ChaCha8Rng) -> usize {
    usize::try_from(generator.next_u64() % bound as u64).unwrap()
}
