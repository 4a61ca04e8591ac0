//! Draws each house rule of `examples/house_rules` into `plots/`, with the command in its first line.
//!
//! Run with `cargo run --example gallery`; the tests say when that is needed.

use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

/// The program: the one that `DICEDIST_PROGRAM` names, or else a release of this package.
fn command() -> Command {
    if let Some(program) = env::var_os("DICEDIST_PROGRAM") {
        return Command::new(program);
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--release", "--quiet", "--"]);
    command
}

fn main() -> Result<(), Box<dyn Error>> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let plots = package.join("plots");
    fs::create_dir_all(&plots)?;
    let mut rules = Vec::new();
    for entry in fs::read_dir(package.join("examples/house_rules"))? {
        rules.push(entry?.path());
    }
    rules.sort();
    for path in rules {
        let text = fs::read_to_string(&path)?;
        let first = text.lines().next().unwrap_or_default();
        let Some(arguments) = first.strip_prefix("// dicedist ") else {
            return Err(format!("{} does not begin with a command", path.display()).into());
        };
        let name = path.file_stem().unwrap_or_default();
        let picture = plots.join(name).with_extension("svg");
        let status = command()
            .current_dir(package)
            .args(arguments.split_whitespace())
            .arg("--svg")
            .arg(&picture)
            .stdout(Stdio::null())
            .status()?;
        if !status.success() {
            return Err(format!("`dicedist {arguments}` ends with {status}").into());
        }
        println!(
            "{}",
            Path::new("plots")
                .join(name)
                .with_extension("svg")
                .display()
        );
    }
    Ok(())
}
