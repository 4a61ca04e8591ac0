//! Which room may open which door: `STYLE` in a test. The table below is the architecture.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::package;

/// Each room with the rooms that it may import from, the bottom first.
const ROOMS: [(&str, &[&str]); 15] = [
    ("map", &[]),
    ("stack", &[]),
    ("number", &[]),
    ("source", &[]),
    ("limits", &["number"]),
    ("error", &["limits", "number", "source"]),
    ("ir", &["error", "number", "source", "stack"]),
    ("algebra", &["limits", "map", "number"]),
    (
        "notation",
        &["error", "ir", "limits", "number", "source", "stack"],
    ),
    (
        "engine",
        &[
            "algebra", "error", "ir", "limits", "map", "number", "source", "stack",
        ],
    ),
    ("summary", &["algebra", "engine", "number"]),
    ("compare", &["algebra", "engine", "number", "summary"]),
    (
        "report",
        &[
            "algebra", "compare", "engine", "error", "map", "number", "source", "summary",
        ],
    ),
    ("cli", &[]),
    // The facade: `lib.rs`, whose names any room may use through the room that owns them.
    (
        "lib",
        &["engine", "error", "ir", "limits", "notation", "source"],
    ),
];

/// Each crate of the manifest with the rooms whose business it is.
const CRATES: [(&str, &[&str]); 25] = [
    ("anstream", &["cli"]),
    ("ariadne", &["cli"]),
    ("chumsky", &["notation"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("csv", &["report"]),
    ("ctrlc", &["cli"]),
    ("hashbrown", &["engine", "ir", "map"]),
    ("indicatif", &["cli"]),
    ("memory_stats", &["cli"]),
    (
        "num_bigint",
        &["algebra", "engine", "number", "report", "summary"],
    ),
    ("num_integer", &["algebra", "engine", "report"]),
    ("num_rational", &["number"]),
    (
        "num_traits",
        &[
            "algebra", "compare", "engine", "number", "report", "summary",
        ],
    ),
    ("plotters", &["report"]),
    ("rand", &["engine"]),
    ("rand_chacha", &["cli"]),
    ("rustc_hash", &["engine", "ir", "map"]),
    ("serde", &["report"]),
    ("serde_json", &["report"]),
    ("stacker", &["stack"]),
    ("tempfile", &["cli"]),
    ("terminal_size", &["cli"]),
    ("thiserror", &["notation", "number"]),
];

/// Names that `lib.rs` lends from rooms.
const FACADE: [(&str, &str); 5] = [
    ("Answer", "engine"),
    ("Diagnostic", "error"),
    ("Dialect", "notation"),
    ("Error", "error"),
    ("ErrorKind", "error"),
];

#[test]
fn rooms_open_only_the_doors_in_the_table() {
    let mut violations = Vec::new();
    for (path, code) in sources() {
        let room = room_of(&path);
        let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == room) else {
            violations.push(format!(
                "{}: the room '{room}' is not in the table",
                path.display()
            ));
            continue;
        };
        for name in imports(&code) {
            let target = FACADE
                .iter()
                .find(|(lent, _)| *lent == name)
                .map_or(name.as_str(), |(_, owner)| owner);
            if target != room && !allowed.contains(&target) {
                violations.push(format!("{}: {room} imports {name}", path.display()));
            }
        }
        for (name, rooms) in CRATES {
            if mentions(&code, name) && !rooms.contains(&room.as_str()) {
                violations.push(format!("{}: {room} uses {name}", path.display()));
            }
        }
    }
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn every_door_in_the_table_is_used() {
    let mut unused = Vec::new();
    let is_used = |room: &str, mentions: &dyn Fn(&str) -> bool| {
        let mut all = sources().into_iter();
        all.any(|(path, code)| room_of(&path) == room && mentions(&code))
    };
    for (room, targets) in ROOMS {
        for target in targets {
            let lent = |name: &String| {
                let owner = FACADE.iter().find(|(lent, _)| lent == name);
                owner.is_some_and(|(_, owner)| owner == target)
            };
            // The facade names rooms without `crate::`.
            let found = |code: &str| {
                let names = imports(code);
                names.iter().any(|name| name == target || lent(name))
                    || (room == "lib" && mentions(code, target))
            };
            if !is_used(room, &found) {
                unused.push(format!("{room} may import {target}, and does not"));
            }
        }
    }
    for (name, rooms) in CRATES {
        for room in rooms {
            if !is_used(room, &|code| mentions(code, name)) {
                unused.push(format!("{room} may use {name}, and does not"));
            }
        }
    }
    assert!(unused.is_empty(), "{}", unused.join("\n"));
}

#[test]
fn every_crate_of_the_manifest_is_in_the_table() {
    let manifest = fs::read_to_string(package("Cargo.toml")).unwrap();
    let lines = manifest
        .lines()
        .skip_while(|line| *line != "[dependencies]");
    let dependencies: Vec<String> = lines
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split_once('='))
        .map(|(name, _)| name.trim().replace('-', "_"))
        .collect();
    let table: Vec<&str> = CRATES.iter().map(|(name, _)| *name).collect();
    let mut sorted = dependencies.clone();
    sorted.sort();
    assert_eq!(sorted, table);
}

#[test]
fn notations_do_not_import_each_other() {
    let folder = package("src/notation");
    let notations: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    for (path, code) in sources() {
        let own = path
            .strip_prefix("src/notation")
            .ok()
            .and_then(|inner| inner.iter().next());
        let Some(own) = own.filter(|own| notations.iter().any(|name| *own == name.as_str())) else {
            continue;
        };
        for other in notations.iter().filter(|other| *own != *other.as_str()) {
            let doors = [format!("notation::{other}::"), format!("super::{other}::")];
            for door in doors {
                assert!(!code.contains(&door), "{} imports {other}", path.display());
            }
        }
    }
}

/// All source files of the package with their code, comments taken out.
fn sources() -> Vec<(PathBuf, String)> {
    let root = package("");
    let mut folders = vec![root.join("src")];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let code = text
                    .lines()
                    .map(|line| line.split("//").next().unwrap_or(line));
                let code = code.collect::<Vec<_>>().join("\n");
                sources.push((path.strip_prefix(&root).unwrap().to_owned(), code));
            }
        }
    }
    sources.sort();
    sources
}

/// The room of a source file: its folder or name below `src`; the binary is part of `cli`.
fn room_of(path: &Path) -> String {
    let inner = path.strip_prefix("src").unwrap();
    let first = Path::new(inner.iter().next().unwrap()).file_stem().unwrap();
    match first.to_str().unwrap() {
        "main" => "cli".into(),
        room => room.into(),
    }
}

/// The names that follow `crate::`, alone or in a group.
fn imports(code: &str) -> Vec<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        if code[..at].ends_with(is_name) {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 0;
            for part in group.split_inclusive(['{', '}', ',']) {
                let name: String = part
                    .trim_start()
                    .chars()
                    .take_while(|&c| is_name(c))
                    .collect();
                if depth == 0 && !name.is_empty() {
                    names.push(name);
                }
                match part.chars().last() {
                    Some('{') => depth += 1,
                    Some('}') if depth == 0 => break,
                    Some('}') => depth -= 1,
                    _ => {}
                }
            }
        } else {
            names.push(rest.chars().take_while(|&c| is_name(c)).collect());
        }
    }
    names
}

/// Whether code uses a crate by name.
fn mentions(code: &str, name: &str) -> bool {
    let path = format!("{name}::");
    code.match_indices(&path).any(|(at, _)| {
        let before = &code[..at];
        !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
    })
}

#[test]
fn the_reader_of_imports_sees_groups_and_paths() {
    let code = "use crate::{error::{Error, Kind}, ir};\nlet x = crate::limits::MAX;";
    assert_eq!(imports(code), ["error", "ir", "limits"]);
    assert!(mentions("use csv::Writer;", "csv"));
    assert!(!mentions("report::csv::write", "csv"));
}
