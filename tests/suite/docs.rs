//! The documents are correct: transcripts and examples run, and the sources contain no markers of unfinished work.

use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::command::{package, run};

/// Runs the transcripts of a Markdown or trycmd file in their own folder.
fn transcripts(path: &Path) {
    let name = path.file_stem().unwrap().to_str().unwrap();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("transcripts")
        .join(name);
    let copy = folder.join(path.file_name().unwrap());
    // trycmd makes a sandbox, for the files that a transcript writes, if these two folders exist.
    let _ = fs::remove_dir_all(&folder);
    let inputs = folder.join(format!("{name}.in"));
    let dialects = dicedist::Dialect::ALL.iter().map(|dialect| dialect.name());
    for (folder, extension) in dialects
        .map(|name| (name, name))
        .chain([("house_rules", "bones")])
    {
        let examples = PathBuf::from("examples").join(folder);
        fs::create_dir_all(inputs.join(&examples)).unwrap();
        for path in files(&package("").join(&examples), extension) {
            fs::copy(
                &path,
                inputs.join(&examples).join(path.file_name().unwrap()),
            )
            .unwrap();
        }
    }
    fs::create_dir_all(folder.join(format!("{name}.out"))).unwrap();
    let is_page = path.extension().is_some_and(|ending| ending == "md");
    let text = fs::read_to_string(path).unwrap();
    fs::write(&copy, if is_page { with_statuses(&text) } else { text }).unwrap();
    let is_rewritten = env::var_os("TRYCMD").is_some_and(|value| value == "overwrite");
    let cases = trycmd::TestCases::new();
    cases
        .register_bin("dicedist", Path::new(env!("CARGO_BIN_EXE_dicedist")))
        .env("NO_COLOR", "1")
        .case(&copy);
    cases.run();
    if is_rewritten {
        let text = fs::read_to_string(&copy).unwrap();
        let text = if is_page {
            without_statuses(&text)
        } else {
            text
        };
        fs::write(path, text).unwrap();
    }
}

/// A page for trycmd, which wants the status of a command that fails. Readers see it from the error.
fn with_statuses(page: &str) -> String {
    let mut text = String::with_capacity(page.len());
    let mut is_after_command = false;
    for line in page.split_inclusive('\n') {
        if is_after_command && line.starts_with("Error: ") {
            text.push_str(STATUS);
        }
        text.push_str(line);
        is_after_command = line.starts_with("$ ");
    }
    text
}

fn without_statuses(text: &str) -> String {
    text.replace(&format!("{STATUS}Error: "), "Error: ")
}

const STATUS: &str = "? 1\n";

#[test]
fn transcripts_of_the_readme_are_current() {
    transcripts(&package("README.md"));
}

#[test]
fn transcripts_of_the_pages_are_current() {
    for path in files(&package("docs"), "md") {
        transcripts(&path);
    }
}

/// Every link between the documents, and to a picture, leads to a file.
#[test]
fn the_links_of_the_documents_lead_somewhere() {
    if !package(".ci").exists() {
        return; // The published package has no pictures.
    }
    let pages = files(&package("docs"), "md");
    for page in pages.into_iter().chain([package("README.md")]) {
        let text = fs::read_to_string(&page).unwrap();
        let links = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split_once(')'));
        let sources = text
            .split("=\"")
            .skip(1)
            .filter_map(|rest| rest.split_once('"'));
        let is_path =
            |link: &&str| link.contains(['/', '.']) && !link.contains("://") && !link.contains(' ');
        for link in links.chain(sources).map(|(link, _)| link).filter(is_path) {
            let file = link.split('#').next().unwrap_or_default();
            let target = page.parent().unwrap().join(file);
            assert!(target.exists(), "{}: {link}", page.display());
        }
    }
}

#[test]
fn transcripts_of_the_command_line_are_current() {
    for path in files(&package("tests/cli"), "trycmd") {
        transcripts(&path);
    }
}

#[test]
fn both_columns_of_the_notations_say_the_same() {
    assert!(rows_that_say_the_same("dicelab") >= 10);
    assert!(rows_that_say_the_same("dicebag") >= 8);
}

/// The number of rows of a table with a rule in Bones and the same rule in another notation.
#[track_caller]
fn rows_that_say_the_same(dialect: &str) -> usize {
    let text = fs::read_to_string(package("docs/notations.md")).unwrap();
    let header = format!("| what you want | Bones | {dialect} |");
    let rows = text.lines().skip_while(|line| *line != header).skip(2);
    let mut count = 0;
    for row in rows.take_while(|line| line.starts_with('|')) {
        let rules: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        let [bones, other] = rules[..] else {
            panic!("{row}");
        };
        let [bones, other] = [("bones", bones), (dialect, other)].map(|(dialect, rule)| {
            let said = run(["-d", dialect, "--format", "json", rule]);
            assert_eq!(said.code, Some(0), "{rule}: {}", said.stderr);
            said.json()["rules"][0]["outcomes"].clone()
        });
        assert_eq!(bones, other, "{row}");
        count += 1;
    }
    count
}

#[test]
fn every_example_runs() {
    let mut count = 0;
    for &dialect in dicedist::Dialect::ALL {
        let folder = package("examples").join(dialect.name());
        for path in files(&folder, dialect.name()) {
            let name = path.file_name().unwrap().to_str().unwrap();
            let text = fs::read_to_string(&path).unwrap();
            assert!(
                ["// ", "# ", "\\ "]
                    .iter()
                    .any(|sign| text.starts_with(sign)),
                "{name} does not say what it is for"
            );
            let arguments = [
                "--exact",
                "--max-states",
                "200000",
                "--file",
                path.to_str().unwrap(),
            ];
            let said = run(arguments);
            assert_eq!(said.code, Some(0), "{name}: {}", said.stderr);
            count += 1;
        }
    }
    assert!(count >= 40, "only {count} examples");
}

#[test]
fn every_notation_has_examples() {
    for &dialect in dicedist::Dialect::ALL {
        let folder = package("examples").join(dialect.name());
        assert!(!files(&folder, dialect.name()).is_empty(), "{dialect}");
    }
}

#[test]
fn nothing_unfinished_is_in_the_sources() {
    // The words are in two pieces, so that this file does not contain them.
    let forbidden = [
        ("db", "g!("),
        ("to", "do!("),
        ("unimple", "mented!("),
        ("FIX", "ME"),
        ("ST", "UB"),
    ];
    let mut found = Vec::new();
    for folder in ["src", "tests", "examples", "benches"] {
        for path in files(&package(folder), "rs") {
            let text = fs::read_to_string(&path).unwrap();
            for (first, rest) in forbidden {
                if text.contains(&format!("{first}{rest}")) {
                    found.push(format!("{}: {first}{rest}", path.display()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// All files with an extension below a folder, in order; none if the folder does not exist.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|own| own == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}
