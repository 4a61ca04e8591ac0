//! The architecture as tables, with a test for each table: which parts of the sources may import which. [`Sources`] finds the
//! imports.
//!
//! A *room* is a file or a folder directly below `src`. A *sub-room* is a file or a folder directly below the folder of a room.
//! Rooms import only the rooms that [`ROOMS`] allows. Sub-rooms import only sub-rooms on floors before their own ([`FLOORS`]).
//! No files of a room import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::ceilings::files;
use crate::command::package;
use crate::imports::{Edge, Sources};

/// Each room with the rooms that it may import, the bottom first.
const ROOMS: [(&str, &[&str]); 21] = [
    ("map", &[]),
    ("number", &[]),
    ("source", &[]),
    ("limits", &["number"]),
    ("stack", &["limits"]),
    ("error", &["limits", "number", "source"]),
    (
        "ir",
        &["error", "limits", "map", "number", "source", "stack"],
    ),
    ("algebra", &["limits", "map", "number"]),
    (
        "engine",
        &[
            "algebra", "error", "ir", "limits", "map", "number", "source", "stack",
        ],
    ),
    // A program of AnyDice must be run to find its results, and asks for distributions on the way.
    (
        "notation",
        &[
            "engine", "error", "ir", "limits", "map", "number", "source", "stack",
        ],
    ),
    ("summary", &["algebra", "engine", "ir", "number"]),
    (
        "compare",
        &["algebra", "engine", "limits", "map", "number", "summary"],
    ),
    (
        "report",
        &[
            "algebra", "compare", "engine", "error", "ir", "limits", "map", "number", "source",
            "summary",
        ],
    ),
    (
        "dist",
        &[
            "algebra", "compare", "engine", "error", "ir", "limits", "number", "report", "source",
            "summary",
        ],
    ),
    (
        "rule",
        &[
            "dist", "engine", "error", "ir", "limits", "notation", "number", "source",
        ],
    ),
    (
        "dice",
        &[
            "dist", "error", "ir", "limits", "map", "number", "rule", "source",
        ],
    ),
    (
        "ask",
        &[
            "engine", "error", "ir", "limits", "notation", "number", "report", "rule", "source",
            "summary",
        ],
    ),
    ("games", &["notation", "number", "report"]),
    ("tour", &[]),
    ("cli", &[]),
    // The facade `lib.rs`. Any room may use its names through the rooms that own them.
    (
        "lib",
        &["dist", "engine", "error", "limits", "notation", "rule"],
    ),
];

/// Each crate of the manifest with the rooms that may use it.
const CRATES: [(&str, &[&str]); 33] = [
    ("anstream", &["cli"]),
    ("ariadne", &["cli"]),
    ("cap", &["cli"]),
    ("chumsky", &["notation"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("csv", &["report"]),
    ("ctor", &["cli"]),
    ("epaint_default_fonts", &["report"]),
    ("hashbrown", &["engine", "ir", "limits", "map"]),
    ("indicatif", &["cli"]),
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
    ("plotters_backend", &["report"]),
    ("rand", &["dist", "engine", "rule"]),
    ("rand_chacha", &["cli", "rule"]),
    ("resvg", &["report"]),
    ("rustc_hash", &["map"]),
    ("rustix", &["cli"]),
    ("serde", &["dist", "report"]),
    ("serde_json", &["report"]),
    ("signal_hook", &["cli"]),
    ("stacker", &["stack"]),
    ("strsim", &["notation"]),
    ("tempfile", &["cli"]),
    ("terminal_size", &["cli"]),
    ("thiserror", &["notation", "number"]),
    ("unicode_width", &["report"]),
    ("web_time", &["ask", "limits"]),
];

/// The sub-rooms of a room, floor by floor. The sub-rooms of a floor import only sub-rooms of the floors before it. A room that is
/// not listed has no floors. `mod.rs` is on no floor.
const FLOORS: [(&str, &[&[&str]]); 2] = [
    (
        "engine",
        &[
            &["confidence", "failure", "outcomes", "reason"],
            &["answer", "choice"],
            &["given", "marginal", "operate", "stop"],
            &["evaluate"],
            &["program"],
            &["machine", "simplify"],
            &["translate"],
            &["reveal"],
            &["rules"],
            &["solve"],
            &["analyze", "laws"],
            &["fallback", "one_number", "play", "rolled"],
        ],
    ),
    (
        "cli",
        &[
            &["meter", "values"],
            &["guide", "identity", "startup", "terminal"],
            &["remedy"],
            &["status"],
            &["usage", "watch"],
            &["options"],
            &["args", "destination"],
            &["alike", "check", "diagnostic", "examples", "input", "plan"],
            &["output", "progress"],
            &["advice", "complaints", "explanation"],
            &["analysis", "roll", "trace", "tree"],
            &["run"],
        ],
    ),
];

/// The rooms with files that import each other in a circle, in alphabetical order. There must be none.
const WITH_CIRCLES: [&str; 0] = [];

#[test]
fn rooms_open_only_the_doors_in_the_table() {
    let sources = Sources::of_package();
    let mut violations = Vec::new();
    for file in &sources.files {
        let room = room_of(file);
        if !ROOMS.iter().any(|(name, _)| *name == room) {
            violations.push(format!("'{room}' is not in the table"));
        }
    }
    for edge in sources.edges() {
        let (room, target) = rooms_of(&sources, &edge);
        let allowed = ROOMS.iter().find(|(name, _)| *name == room);
        if target != room && allowed.is_some_and(|(_, allowed)| !allowed.contains(&target)) {
            violations.push(format!("{room} imports {target}: {}", sources.say(&edge)));
        }
    }
    for (name, rooms) in CRATES {
        for file in sources.users_of(name) {
            let room = room_of(&sources.files[file]);
            if !rooms.contains(&room) {
                violations.push(format!("{}: {room} uses {name}", sources.say_file(file)));
            }
        }
    }
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn every_door_in_the_table_is_used() {
    let sources = Sources::of_package();
    let edges = sources.edges();
    let used: BTreeSet<(&str, &str)> = edges.iter().map(|edge| rooms_of(&sources, edge)).collect();
    let mut unused = Vec::new();
    for (room, targets) in ROOMS {
        for target in targets {
            if !used.contains(&(room, target)) {
                unused.push(format!("{room} may import {target}, and does not"));
            }
        }
    }
    for (name, rooms) in CRATES {
        let users = sources.users_of(name);
        let users: BTreeSet<&str> = users
            .iter()
            .map(|&file| room_of(&sources.files[file]))
            .collect();
        for room in rooms.iter().filter(|room| !users.contains(*room)) {
            unused.push(format!("{room} may use {name}, and does not"));
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
    let sources = Sources::of_package();
    let notation = |file: usize| {
        let inner = sources.files[file].strip_prefix("notation").ok()?;
        let folder = inner.parent()?.iter().next()?.to_str()?;
        // All notations may import the reader, and the room that finds out what was meant.
        (!["mend", "reader"].contains(&folder)).then_some(folder)
    };
    for edge in sources.edges() {
        if let (Some(from), Some(to)) = (notation(edge.from), notation(edge.to)) {
            assert_eq!(from, to, "{}", sources.say(&edge));
        }
    }
}

#[test]
fn sub_rooms_import_only_what_stands_on_floors_before_their_own() {
    let sources = Sources::of_package();
    let violations = FLOORS
        .iter()
        .flat_map(|(room, floors)| against_floors(&sources, room, floors));
    let violations: Vec<String> = violations.collect();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn files_of_a_room_import_each_other_in_no_circle() {
    let sources = Sources::of_package();
    let circles = circles(&sources);
    let rooms: Vec<&str> = circles.keys().copied().collect();
    let unknown = circles
        .iter()
        .filter(|(room, _)| !WITH_CIRCLES.contains(room))
        .flat_map(|(_, edges)| edges.iter().map(|edge| sources.say(edge)));
    let unknown: Vec<String> = unknown.collect();
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    assert_eq!(
        rooms, WITH_CIRCLES,
        "a room without circles leaves the list"
    );
}

#[test]
fn the_methods_of_a_type_stand_in_one_sub_room() {
    let sources = Sources::of_package();
    let mut violations = Vec::new();
    for ((home, name), files) in sources.methods() {
        let sub_rooms: BTreeSet<&str> = files
            .iter()
            .chain([&home])
            .map(|&file| folder_of(&sources.files[file]))
            .collect();
        if sub_rooms.len() > 1 {
            violations.push(format!(
                "{name} of {} has methods in {sub_rooms:?}",
                sources.say_file(home)
            ));
        }
    }
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

/// The room of a source file: its folder or name below `src`; the binary is part of `cli`.
fn room_of(path: &Path) -> &str {
    match name_at(path, 0) {
        "main" => "cli",
        room => room,
    }
}

/// The sub-room of a source file: the folder or the name below that of its room; `mod` for the room's own file.
fn sub_room_of(path: &Path) -> &str {
    if path.iter().count() > 1 {
        name_at(path, 1)
    } else {
        "mod"
    }
}

/// The folder of a file, at most two levels below `src`: `solve` for all files below `engine/solve`, `engine` for files directly
/// in `engine`.
fn folder_of(path: &Path) -> &str {
    let depth = path.iter().count() - 1;
    name_at(path, depth.min(2).saturating_sub(1))
}

fn name_at(path: &Path, depth: usize) -> &str {
    let name = path.iter().nth(depth).unwrap();
    Path::new(name).file_stem().unwrap().to_str().unwrap()
}

fn rooms_of<'a>(sources: &'a Sources, edge: &Edge) -> (&'a str, &'a str) {
    (
        room_of(&sources.files[edge.from]),
        room_of(&sources.files[edge.to]),
    )
}

/// The imports of a room that break the order of its floors. Tests may import everything.
fn against_floors(sources: &Sources, room: &str, floors: &[&[&str]]) -> Vec<String> {
    let floor = |sub_room: &str| floors.iter().position(|names| names.contains(&sub_room));
    let files = sources.files.iter().filter(|file| room_of(file) == room);
    let stand: BTreeSet<&str> = files
        .map(|file| sub_room_of(file))
        .filter(|name| *name != "mod")
        .collect();
    let listed: BTreeSet<&str> = floors
        .iter()
        .flat_map(|names| names.iter().copied())
        .collect();
    let wrong = stand.symmetric_difference(&listed);
    let mut violations: Vec<String> = wrong
        .map(|name| format!("{room}/{name} stands either in the table or in the room"))
        .collect();
    for edge in sources.edges() {
        let (from, to) = (
            sub_room_of(&sources.files[edge.from]),
            sub_room_of(&sources.files[edge.to]),
        );
        let is_inner = rooms_of(sources, &edge) == (room, room) && from != to && !edge.is_test;
        if is_inner
            && floor(from)
                .zip(floor(to))
                .is_some_and(|(from, to)| from <= to)
        {
            violations.push(sources.say(&edge));
        }
    }
    violations
}

/// The edges in each room that are part of a circle. Tests may import everything.
fn circles(sources: &Sources) -> BTreeMap<&str, Vec<Edge>> {
    let edges = sources.edges();
    let mut targets: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let is_inner = |edge: &&Edge| {
        let (from, to) = rooms_of(sources, edge);
        from == to && !edge.is_test
    };
    for edge in edges.iter().filter(is_inner) {
        targets.entry(edge.from).or_default().insert(edge.to);
    }
    let reaches = |from: usize, to: usize| {
        let (mut open, mut seen) = (vec![from], BTreeSet::new());
        while let Some(file) = open.pop() {
            if file == to {
                return true;
            }
            if seen.insert(file) {
                open.extend(targets.get(&file).into_iter().flatten());
            }
        }
        false
    };
    let mut circles: BTreeMap<&str, Vec<Edge>> = BTreeMap::new();
    for edge in edges
        .iter()
        .filter(is_inner)
        .filter(|edge| reaches(edge.to, edge.from))
    {
        circles
            .entry(room_of(&sources.files[edge.from]))
            .or_default()
            .push(edge.clone());
    }
    circles
}

/// The edges between a few texts, as `from to` with paths below `src`.
fn edges_of(texts: &[(&str, &str)]) -> Vec<String> {
    let sources = Sources::new(texts.iter().copied());
    let file = |file: usize| sources.files[file].display();
    let edges = sources.edges();
    let edges = edges.iter().filter(|edge| !edge.is_test);
    let named: BTreeSet<String> = edges
        .map(|edge| format!("{} {}", file(edge.from), file(edge.to)))
        .collect();
    named.into_iter().collect()
}

#[test]
fn the_reader_of_imports_sees_groups_and_paths() {
    let user = "use crate::{a::{self, One}, b};\nfn f() { let x = vec![crate::c::MAX]; b::run(\"crate::d\") }";
    let texts = [
        (
            "lib.rs",
            "mod a; mod b; mod c; mod d; mod user; // crate::d::x",
        ),
        ("a.rs", "pub struct One;"),
        ("b.rs", "/* crate::d */ /// crate::d::x\npub fn run() {}"),
        ("c.rs", "pub const MAX: char = ':';"),
        ("d.rs", ""),
        ("user.rs", user),
    ];
    assert_eq!(
        edges_of(&texts),
        ["user.rs a.rs", "user.rs b.rs", "user.rs c.rs"]
    );
}

#[test]
fn the_reader_of_imports_climbs_and_goes_through_doors() {
    let texts = [
        (
            "room/mod.rs",
            "mod low; pub use low::{Low as Deep, low}; mod part; pub(in crate::room) struct Own;",
        ),
        ("room/low.rs", "pub struct Low; pub fn low() {}"),
        ("room/part/mod.rs", "mod inner; use super::Deep;"),
        (
            "room/part/inner.rs",
            "use super::super::low; use super::Deep; mod words { const X: u8 = super::super::super::Own::X; }",
        ),
        ("lib.rs", ""),
        (
            "other.rs",
            "use crate::room as house; fn f() { house::Deep::new(); Vec::new(); std::fs::read() }",
        ),
    ];
    assert_eq!(
        edges_of(&texts),
        [
            "other.rs room/low.rs",
            "other.rs room/mod.rs",
            "room/mod.rs room/low.rs",
            "room/part/inner.rs room/low.rs",
            "room/part/inner.rs room/mod.rs",
            "room/part/mod.rs room/low.rs",
        ]
    );
}

#[test]
fn the_reader_of_imports_tells_tests_apart() {
    let texts = [
        (
            "a.rs",
            "#[cfg(test)] mod tests { use super::*; use crate::b::B; fn f() { crate::c::go() } } fn g() { crate::d::go() }",
        ),
        ("b.rs", "#[cfg(test)] use crate::c::go; pub struct B;"),
        ("c.rs", ""),
        ("d.rs", ""),
        ("lib.rs", ""),
    ];
    assert_eq!(edges_of(&texts), ["a.rs d.rs"]);
    assert_eq!(Sources::new(texts).edges().len(), 4);
}

#[test]
fn methods_are_found_at_the_type_that_they_are_of() {
    let sources = Sources::new([
        (
            "low.rs",
            "pub struct Low<'a, T>(&'a T); impl<'a, T: Fn() -> u8> Low<'a, T> {} pub trait Door {}",
        ),
        (
            "high.rs",
            "use crate::low::{Door, Low};\n#[expect(x)] impl<T> Low<'_, T> where T: Copy {} impl<T> Door for Low<'_, T> {}",
        ),
        ("lib.rs", ""),
        (
            "free.rs",
            "impl crate::low::Door for u8 {} fn f() -> impl Sized {}",
        ),
    ]);
    let methods = sources.methods();
    let files = BTreeSet::from([0, 1]);
    assert_eq!(methods, BTreeMap::from([((0, "Low".into()), files)]));
}

#[test]
fn circles_and_floors_are_found() {
    let texts = [
        ("lib.rs", ""),
        ("a/mod.rs", "pub use high::High;"),
        ("a/high.rs", "use super::low::Low; pub struct High;"),
        ("a/low.rs", "use crate::a::High; pub struct Low;"),
        ("b/mod.rs", "pub use high::High;"),
        (
            "b/high/mod.rs",
            "mod inner; use super::low::Low; use inner::Inner; pub struct High;",
        ),
        (
            "b/high/inner.rs",
            "use super::super::low::Low; pub struct Inner;",
        ),
        ("b/low.rs", "pub struct Low; #[cfg(test)] use super::High;"),
    ];
    let sources = Sources::new(texts);
    let circles = circles(&sources);
    assert_eq!(circles.keys().collect::<Vec<_>>(), [&"a"]);
    let said: Vec<String> = circles["a"].iter().map(|edge| sources.say(edge)).collect();
    assert_eq!(
        said,
        [
            "a/high.rs imports super::low::Low of a/low.rs",
            "a/low.rs imports crate::a::High of a/high.rs"
        ]
    );
    assert_eq!(
        against_floors(&sources, "b", &[&["low"], &["high"]]).len(),
        0
    );
    assert_eq!(against_floors(&sources, "b", &[&["low", "high"]]).len(), 2);
    assert_eq!(
        against_floors(&sources, "b", &[&["high"], &["low"]]).len(),
        2
    );
    assert_eq!(
        against_floors(&sources, "b", &[&["low"], &["high"], &["more"]]).len(),
        1
    );
}

/// `cargo test` generates code twice for all that tests inside files reach, and these calls reach the engine or all notations.
#[test]
fn tests_inside_files_solve_no_rules() {
    const CALLS: [&str; 5] = ["analyze(", "evaluate(", "recognise(", "solve(", ".lower("];
    for file in files("src") {
        let text = fs::read_to_string(package("").join(&file)).unwrap();
        // The tests of the command are linked with the library that is there.
        let Some((_, tests)) = text.split_once("#[cfg(test)]\nmod tests") else {
            continue;
        };
        let found = CALLS.into_iter().find(|call| tests.contains(call));
        assert!(
            found.is_none() || file.starts_with("src/cli"),
            "{}: {found:?}: such a test stands in tests/suite",
            file.display()
        );
    }
}
