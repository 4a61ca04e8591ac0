//! Each room has a ceiling: the most lines that its files may have, with comments and the tests inside.
//!
//! Ceilings only fall. A change that needs lines makes room first, in the same room. A change that makes room lowers the ceiling,
//! which a test asks for. Where an old and a new mechanism stand together for a while, a comment on the row says so, and when the
//! ceiling falls.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::package;

/// Each room with its ceiling. A file is in the room with the longest name that its own path begins with.
///
/// The judges have just come to `tests/suite`: what they cover of the older tests goes when notations become smaller, and that
/// ceiling falls to 15,000. `evaluate` solves loops of few states and still unrolls the others: it falls when one walker does both.
/// The machine runs loops, and residual programs still follow those that it refuses: their rooms fall as it takes more.
const CEILINGS: [(&str, usize); 35] = [
    ("src", 572),
    ("src/algebra", 16522),
    ("src/ask", 2324),
    ("src/cli", 5255),
    ("src/compare", 846),
    ("src/dice", 1994),
    ("src/dist", 1827),
    ("src/engine", 2794),
    ("src/engine/evaluate", 3466),
    ("src/engine/machine", 8810),
    ("src/engine/program", 2899),
    ("src/engine/reveal", 3665),
    ("src/engine/rules", 3333),
    ("src/engine/simplify", 4172),
    ("src/engine/solve", 2135),
    ("src/engine/translate", 2717),
    ("src/error", 461),
    ("src/ir", 2988),
    ("src/limits", 962),
    ("src/notation", 1699),
    ("src/notation/anydice", 6874),
    ("src/notation/bones", 10325),
    ("src/notation/dicebag", 2130),
    ("src/notation/diceroller", 1582),
    ("src/notation/mend", 2302),
    ("src/notation/onedice", 3404),
    ("src/notation/reader", 1323),
    ("src/notation/tabletop", 6642),
    ("src/number", 771),
    ("src/report", 6047),
    ("src/report/picture", 7260),
    ("src/rule", 919),
    ("src/source", 474),
    ("src/summary", 1021),
    ("tests/suite", 32189),
];

/// How far a room may stay below its ceiling before the ceiling has to fall.
const SLACK: usize = 20;

/// The files of Rust in a folder of the package, with their paths from its root.
pub(crate) fn files(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(package("").join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = folder.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// The room that a file is in.
fn room_of(file: &Path) -> &'static str {
    let path = file.with_extension("");
    let around = CEILINGS.iter().map(|(room, _)| *room);
    let around = around.filter(|room| path.starts_with(room));
    around
        .max_by_key(|room| room.len())
        .unwrap_or_else(|| panic!("{} is in no room", file.display()))
}

#[test]
fn each_room_stays_below_its_ceiling_and_the_ceiling_near_the_room() {
    let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
    for file in ["src", "tests/suite"].into_iter().flat_map(files) {
        let text = fs::read_to_string(package("").join(&file)).unwrap();
        *lines.entry(room_of(&file)).or_default() += text.lines().count();
    }
    let fault = |(room, ceiling): (&str, usize)| {
        let lines = lines.get(room).copied().unwrap_or_default();
        let what = match lines {
            _ if lines > ceiling => "make room in it",
            _ if lines + SLACK < ceiling => "lower the ceiling",
            _ => return None,
        };
        Some(format!(
            "{room} has {lines} lines, and a ceiling of {ceiling}: {what}\n"
        ))
    };
    let faults: String = CEILINGS.into_iter().filter_map(fault).collect();
    assert!(faults.is_empty(), "{faults}");
}

/// Lines are counted as `cargo fmt` writes them without settings of ours.
#[test]
fn no_code_is_laid_out_by_hand() {
    for settings in ["rustfmt.toml", ".rustfmt.toml"] {
        assert!(!package(settings).exists(), "{settings}");
    }
    let skip = concat!("rustfmt", "::", "skip");
    for file in ["src", "tests", "examples", "benches"]
        .into_iter()
        .flat_map(files)
    {
        let text = fs::read_to_string(package("").join(&file)).unwrap();
        assert!(!text.contains(skip), "{}", file.display());
    }
}
