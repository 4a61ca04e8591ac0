//! Every text that Bones read before it had definitions, conditions, dice with any faces, cases and loops with a state keeps
//! its tree and its core program. `tests/golden/old_bones.txt` has a fingerprint of 10,000 random programs, four hexadecimal
//! digits each, made by the last version without these forms; `----` is a text that this version could not read.

use crate::judge::product::canonical;
use dicedist::notation::{self, Settings};
use dicedist::source::Source;
use dicedist::{Dialect, Error};

const PROGRAMS: u64 = 10_000;

/// The names of variables: half of them are words of the grown language.
const NAMES: [&str; 12] = [
    "x", "y", "not", "and", "best", "min", "until", "case", "of", "mod", "dF", "draw",
];

const INFIX: [&str; 10] = ["+", "-", "*", "/", "%", "^", ".", "#", "..", ","];

const PREFIX: [&str; 8] = ["sum", "count", "prod", "perm", "rev", "sort", "d ", "-"];

const FILTERS: [&str; 10] = [
    "low",
    "drop high",
    "keep first",
    "last",
    ">",
    "drop ==",
    "<=",
    "keep !=",
    ">=",
    "high",
];

/// A generator of texts: a linear congruence, whose high bits are random enough.
struct Writer {
    state: u64,
    names: [&'static str; 2],
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.state >> 40).unwrap() % bound
    }

    fn one_of(&mut self, words: &[&'static str]) -> &'static str {
        words[self.below(words.len())]
    }

    fn name(&mut self) -> &'static str {
        let names = self.names;
        self.one_of(&names)
    }

    /// A part of a rule. Most parts can be read; few have a value.
    fn part(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(6) == 0 {
            return match self.below(8) {
                0 => "()".into(),
                1..4 => self.name().into(),
                4 => format!("d{}", 1 + self.below(12)),
                _ => self.below(20).to_string(),
            };
        }
        let depth = depth - 1;
        match self.below(14) {
            0..4 => {
                let (a, sign, b) = (self.part(depth), self.one_of(&INFIX), self.part(depth));
                let blank = self.one_of(&[" ", "", "\n", " // a comment; {\"\n"]);
                format!("{a}{blank}{sign} {b}")
            }
            4 | 5 => format!("{} {}", self.one_of(&PREFIX), self.part(depth)),
            6 | 7 => {
                let (filter, a) = (self.one_of(&FILTERS), self.part(depth));
                format!("{filter} {a} {}", self.part(depth))
            }
            8 | 9 => format!("({})", self.part(depth)),
            10 => format!(
                "let {} = {} in {}",
                self.name(),
                self.part(depth),
                self.part(depth)
            ),
            11 => format!(
                "foreach {} in {} do {}",
                self.name(),
                self.part(depth),
                self.part(depth)
            ),
            12 => format!(
                "while {} = {} do {}",
                self.name(),
                self.part(depth),
                self.part(depth)
            ),
            _ => {
                let (a, b) = (self.part(depth), self.part(depth));
                format!("if {a} then {b} else {}", self.part(depth))
            }
        }
    }
}

/// The text of a random program: both names are bound, so that every name has a value.
fn program(number: u64) -> String {
    let mut writer = Writer {
        state: number.wrapping_mul(0x9E37_79B9_7F4A_7C15),
        names: ["x"; 2],
    };
    writer.below(2);
    writer.names = [writer.one_of(&NAMES), writer.one_of(&NAMES)];
    let [first, second] = writer.names;
    let depth = 1 + writer.below(5);
    format!(
        "let {first} = 1 in let {second} = 2 in {}",
        writer.part(depth)
    )
}

/// The canonical text, the tree and the core program of a rule.
fn reading(text: &str) -> Result<String, Error> {
    let source = Source::new("rule", text);
    let rule = notation::parse(Dialect::Bones, &source, source.span())?;
    let program = &rule.lower(&Settings::default())?[0].program;
    Ok(format!("{}\n{}\n{program}", rule.print(), rule.tree()))
}

/// Four hexadecimal digits of the FNV-1a hash of a text.
fn fingerprint(text: &str) -> String {
    hash(text, 4)
}

/// So many hexadecimal digits of the FNV-1a hash of a text.
fn hash(text: &str, digits: usize) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")[..digits].to_owned()
}

/// `tests/golden/grown_bones.txt` has some 5,000 random texts of the language before it had free names, `let` with several names and
/// `case` without a value, each behind six digits of the hash of the answer of that version. The texts that it answered wrongly are
/// left out.
#[test]
fn five_thousand_texts_of_the_grown_language_keep_their_answers() {
    let lines: Vec<&str> = include_str!("../golden/grown_bones.txt").lines().collect();
    assert_eq!(lines.len(), 4972);
    let wrong = |line: &&str| {
        let (expected, text) = line.split_once(' ').expect("a hash and a text");
        let text = text.replace("\\n", "\n");
        let answer = canonical(&text).unwrap_or_default();
        (hash(&answer, 6) != expected).then(|| format!("{text}\n{answer}\n"))
    };
    let half = lines.len() / 2;
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let first = scope.spawn(|| lines[..half].iter().filter_map(wrong).collect::<Vec<_>>());
        let second = lines[half..].iter().filter_map(wrong).collect::<Vec<_>>();
        [first.join().unwrap(), second].concat()
    });
    assert!(wrong.is_empty(), "{}: {}", wrong.len(), wrong.concat());
}

#[test]
fn ten_thousand_programs_of_old_bones_keep_their_trees() {
    let golden: String = include_str!("../golden/old_bones.txt")
        .split_whitespace()
        .collect();
    let mut read = 0;
    for number in 0..PROGRAMS {
        let start = 4 * usize::try_from(number).unwrap();
        let expected = &golden[start..start + 4];
        if expected == "----" {
            continue;
        }
        read += 1;
        let text = program(number);
        let reading = reading(&text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(
            fingerprint(&reading),
            expected,
            "{text:?} is read as\n{reading}"
        );
    }
    assert!(read > 5_000, "only {read} texts were read");
}
