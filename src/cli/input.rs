//! Where rules come from: arguments, files, standard input.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::{Path, PathBuf};

use dicedist::Dialect;
use dicedist::ask::Text;
use dicedist::limits::{Budget, MAX_TEXT};
use dicedist::source::Source;

use super::args::Args;
use super::identity::Identity;
use super::meter;
use super::status::{Status, Stop, plain};

/// The files that rules are read from.
pub(super) fn identities(args: &Args) -> Vec<Identity> {
    let is_standard = |path: &&PathBuf| path.as_path() == Path::new("-");
    let reads_standard_input = args.files.iter().any(|path| is_standard(&path))
        || (args.files.is_empty() && args.expressions.is_empty());
    let standard_input = reads_standard_input
        .then(Identity::of_standard_input)
        .flatten();
    let named = args.files.iter().filter(|path| !is_standard(path));
    named
        .map(|path| Identity::of(path))
        .chain(standard_input)
        .collect()
}

/// All texts, in the order: expressions, then files. `None` where nothing is given and standard input is a
/// terminal.
pub(super) fn texts(args: &Args, budget: &Budget<'_>) -> Result<Option<Vec<Text>>, Stop> {
    if args.expressions.is_empty() && args.files.is_empty() {
        if io::stdin().is_terminal() {
            return Ok(None);
        }
        return Ok(Some(vec![read_file(Path::new("-"), args.dialect, budget)?]));
    }
    let expressions = args
        .expressions
        .iter()
        .enumerate()
        .map(|(index, expression)| {
            let name = if args.expressions.len() == 1 {
                "rule".into()
            } else {
                format!("rule {}", index + 1)
            };
            let text = Text::new(Source::new(name, expression));
            Ok(text.in_dialect(args.dialect))
        });
    let files = args
        .files
        .iter()
        .map(|path| read_file(path, args.dialect, budget));
    expressions.chain(files).collect::<Result<_, _>>().map(Some)
}

/// The question in the only file of rules: its first comment that is no command, as far as the first `?`, or else the first
/// full stop.
pub(super) fn question(args: &Args, texts: &[Text]) -> Option<String> {
    let ([_], [], [text]) = (&args.files[..], &args.expressions[..], texts) else {
        return None;
    };
    let lines = text.source().text().lines().map(str::trim);
    let comments = lines.map_while(|line| line.strip_prefix("//"));
    let mut comments = comments.map(str::trim);
    let comment = comments.find(|line| !line.is_empty() && !line.starts_with("dicedist"))?;
    let end = comment.find('?').map(|end| end + 1);
    let end = end.or_else(|| comment.find(". ")).unwrap_or(comment.len());
    Some(comment[..end].trim_end_matches('.').to_owned())
}

/// Reads a whole file, or standard input.
fn read_file(path: &Path, dialect: Option<Dialect>, budget: &Budget<'_>) -> Result<Text, Stop> {
    budget.look_at_clock()?;
    let (name, read) = if path == Path::new("-") {
        ("standard input".into(), read_text(io::stdin().lock()))
    } else {
        let read = File::open(path).and_then(|file| {
            if file.metadata()?.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            read_text(file)
        });
        (path.display().to_string(), read)
    };
    let bytes = read.map_err(|error| {
        Stop::Message(
            Status::Io,
            format!("cannot read '{name}': {}", plain(&error)),
        )
    })?;
    if bytes.len() > MAX_TEXT {
        return Err(Stop::Message(
            Status::Limit,
            format!("'{name}' is longer than the limit of {MAX_TEXT} bytes; split it"),
        ));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..valid]);
        let line = 1 + before.matches('\n').count();
        Stop::Message(
            Status::Io,
            format!("cannot read '{name}': not valid UTF-8 in line {line} (byte {valid})"),
        )
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let text = Text::new(Source::new(name, text));
    Ok(text.in_dialect(dialect.or_else(|| dialect_of(path))))
}

/// Reads to the end, or just past the longest text allowed.
fn read_text(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut reader = reader.take(MAX_TEXT as u64 + 1);
    meter::waiting(|| reader.read_to_end(&mut bytes))?;
    Ok(bytes)
}

/// The dialect of a file's extension, if it says one.
pub(super) fn dialect_of(path: &Path) -> Option<Dialect> {
    match path.extension()?.to_str()? {
        "roll" => Some(Dialect::Tabletop),
        extension => extension.parse().ok(),
    }
}
