//! Prepares the engine of the page: writes its JavaScript bindings, and splits it into a part that nearly every question needs and
//! the rest.

mod profile;
mod split;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

const USAGE: &str = "usage:
  dicedist-web-bindgen bind ENGINE.wasm FOLDER        writes FOLDER/engine.js and FOLDER/engine_bg.wasm
  dicedist-web-bindgen profile ENGINE.wasm OUT.wasm   tells an import `more.hit` of each function that runs
  dicedist-web-bindgen split ENGINE.wasm USED FOLDER  writes FOLDER/first.wasm and FOLDER/more.wasm; USED lists functions";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["bind", engine, folder] => bind(engine, folder),
        ["profile", engine, out] => profile::write(Path::new(engine), Path::new(out)),
        ["split", engine, used, folder] => {
            used_of(used).and_then(|used| split::write(Path::new(engine), &used, Path::new(folder)))
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:?}");
            ExitCode::FAILURE
        }
    }
}

fn bind(engine: &str, folder: &str) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(engine).out_name("engine").web(true)?;
    // The page hands the compiled module over, and no binding fetches it.
    bindgen
        .omit_default_module_path(true)
        .typescript(true)
        .generate(folder)
}

/// The numbers of the functions in a file of lines.
fn used_of(path: &str) -> Result<BTreeSet<usize>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
    let numbers = text.split_whitespace().map(str::parse);
    numbers.collect::<Result<_, _>>().context("no number")
}
