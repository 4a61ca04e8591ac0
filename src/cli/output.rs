//! Where answers go: standard output, and files that appear whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use dicedist::report::{self, Answered, Refused, Style};
use tempfile::NamedTempFile;

use super::args::{Args, Format};
use super::status::{Status, Stop, interruption, plain};
use super::watch;

/// A format that a destination is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Csv,
    Json,
    Markdown,
    Queries,
    Svg,
    Table,
}

/// All destinations. The files are open already, so that a wrong path is found before the work.
#[derive(Debug)]
pub(super) struct Outputs {
    standard: Shape,
    files: Vec<(Shape, Destination)>,
}

/// A file to be written.
#[derive(Debug)]
struct Destination {
    /// The path as given, for messages.
    path: PathBuf,
    /// The new file; `None` for a device or a pipe, which cannot be replaced.
    staged: Option<Staged>,
}

/// A new file beside the one that it will replace.
#[derive(Debug)]
struct Staged {
    file: NamedTempFile,
    target: PathBuf,
}

impl Outputs {
    /// The outputs that the arguments ask for.
    pub(super) fn open(args: &Args) -> Result<Self, Stop> {
        let files = [
            (Shape::Svg, &args.svg),
            (Shape::Csv, &args.csv),
            (Shape::Json, &args.json),
        ];
        let files: Vec<(Shape, &PathBuf)> = files
            .into_iter()
            .filter_map(|(shape, path)| Some((shape, path.as_ref()?)))
            .collect();
        for (index, (_, path)) in files.iter().enumerate() {
            let place = resolved(path);
            if files[..index]
                .iter()
                .any(|(_, earlier)| resolved(earlier) == place)
            {
                return Err(Stop::usage(format!(
                    "two outputs go to the same place, '{}'",
                    path.display()
                )));
            }
        }
        let (standard, files): (Vec<_>, Vec<_>) = files
            .into_iter()
            .partition(|(_, path)| path.as_path() == Path::new("-"));
        let standard = match (args.format, standard.first()) {
            (Some(_), Some(_)) => {
                return Err(Stop::usage(
                    "standard output holds one format: either --format or a FILE that is '-'",
                ));
            }
            (None, Some((shape, _))) => *shape,
            (Some(Format::Csv), None) => Shape::Csv,
            (Some(Format::Json), None) => Shape::Json,
            (Some(Format::Markdown), None) => Shape::Markdown,
            (Some(Format::Table) | None, None) if args.queries.is_empty() => Shape::Table,
            (Some(Format::Table) | None, None) => Shape::Queries,
        };
        let files = files
            .into_iter()
            .map(|(shape, path)| Ok((shape, Destination::open(path)?)))
            .collect::<Result<_, Stop>>()?;
        Ok(Self { standard, files })
    }

    /// Whether errors are to be written as JSON, too.
    pub(super) fn are_errors_json(&self) -> bool {
        self.standard == Shape::Json
    }

    /// Whether the queries are all that is written of an answer.
    pub(super) fn is_for_queries_only(&self, args: &Args) -> bool {
        let shapes = self
            .files
            .iter()
            .map(|(shape, _)| *shape)
            .chain([self.standard]);
        let mut shapes = shapes.filter(|shape| *shape != Shape::Queries);
        !args.queries.is_empty()
            && shapes.all(|shape| matches!(shape, Shape::Csv | Shape::Markdown))
    }

    /// Writes everything.
    pub(super) fn write(
        self,
        answered: &[Answered],
        refused: &[Refused],
        style: &Style,
    ) -> Result<(), Stop> {
        for (shape, destination) in self.files {
            if shape.has_something_to_say(answered) {
                let plain = Style {
                    color: false,
                    ..style.clone()
                };
                destination.write(|out| shape.write(answered, refused, &plain, out))?;
            }
        }
        if self.standard.has_something_to_say(answered) {
            to_standard_output(|out| self.standard.write(answered, refused, style, out))?;
        }
        Ok(())
    }
}

impl Shape {
    /// JSON lists errors as well; the others hold answers alone.
    fn has_something_to_say(self, answered: &[Answered]) -> bool {
        self == Self::Json || !answered.is_empty()
    }

    fn write(
        self,
        answered: &[Answered],
        refused: &[Refused],
        style: &Style,
        mut out: &mut dyn Write,
    ) -> io::Result<()> {
        let out = &mut out;
        match self {
            Self::Csv => report::csv::write(answered, style, out),
            Self::Json => report::json::write(answered, refused, style, out),
            Self::Markdown => report::markdown::write(answered, style, out),
            Self::Queries => report::queries::write(answered, style, out),
            Self::Svg => report::svg::write(answered, style, out),
            Self::Table => report::table::write(answered, style, out),
        }
    }
}

/// Runs a writer on buffered standard output.
pub(super) fn to_standard_output(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Stop> {
    buffered(io::stdout().lock(), |out| write(out))
        .map_err(|error| Stop::writing(Path::new("-"), &error))
}

impl Destination {
    fn open(path: &Path) -> Result<Self, Stop> {
        let staged = Staged::open(path).map_err(|error| {
            Stop::Message(
                Status::Io,
                format!("cannot write '{}': {}", path.display(), plain(&error)),
            )
        })?;
        Ok(Self {
            path: path.to_owned(),
            staged,
        })
    }

    fn write(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Stop> {
        let written = match self.staged {
            None => OpenOptions::new()
                .write(true)
                .open(&self.path)
                .and_then(|file| buffered(file, write)),
            Some(staged) => buffered(staged.file.as_file(), write)
                .and_then(|()| Ok(staged.file.persist(staged.target).map(drop)?)),
        };
        written.map_err(|error| Stop::writing(&self.path, &error))
    }
}

impl Staged {
    /// Opens a new file beside the path, or beside what the path links to.
    fn open(path: &Path) -> io::Result<Option<Self>> {
        let existing = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let target = match &existing {
            None => resolved(path),
            Some(metadata) if metadata.is_dir() => {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Some(metadata) if !metadata.is_file() => return Ok(None),
            Some(_) => {
                // Replacing a file needs no right to write it; asking for that right respects its owner.
                OpenOptions::new().append(true).open(path)?;
                fs::canonicalize(path)?
            }
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".dicedist-");
        set_permissions(&mut builder, existing.as_ref());
        let file = builder.tempfile_in(folder_of(&target))?;
        watch::remove_if_stopped(file.path().to_owned());
        Ok(Some(Self { file, target }))
    }
}

/// The absolute path of a file, links followed; the file need not exist.
fn resolved(path: &Path) -> PathBuf {
    if path == Path::new("-") {
        return path.to_owned();
    }
    let mut path = path.to_owned();
    // No system follows more links than this.
    for _ in 0..40 {
        match fs::read_link(&path) {
            Err(_) => break,
            Ok(target) => path = folder_of(&path).join(target),
        }
    }
    let in_folder = || {
        let folder = fs::canonicalize(folder_of(&path)).ok()?;
        Some(folder.join(path.file_name()?))
    };
    fs::canonicalize(&path)
        .ok()
        .or_else(in_folder)
        .unwrap_or(path)
}

fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// The permissions of the file that is replaced, or those of any new file.
#[cfg(unix)]
fn set_permissions(builder: &mut tempfile::Builder, existing: Option<&fs::Metadata>) {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(existing.map_or_else(
        || fs::Permissions::from_mode(0o666),
        fs::Metadata::permissions,
    ));
}

#[cfg(not(unix))]
fn set_permissions(_builder: &mut tempfile::Builder, _existing: Option<&fs::Metadata>) {}

/// Runs a writer with a buffer in between, until the end or until the user asks to stop.
fn buffered(
    inner: impl Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let interruptible = Interruptible {
        inner,
        failure: None,
    };
    let mut out = BufWriter::with_capacity(1 << 16, interruptible);
    let written = write(&mut out).and_then(|()| out.flush());
    written.map_err(|error| {
        // What is left in the buffer shall not be written by its destructor.
        let (interruptible, _) = out.into_parts();
        interruptible.failure.unwrap_or(error)
    })
}

/// A writer that stops when the user asks to. It keeps the error, because some writers above replace it by their own.
struct Interruptible<W> {
    inner: W,
    failure: Option<io::Error>,
}

impl<W: Write> Write for Interruptible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = if watch::is_interrupted() {
            Err(interruption())
        } else {
            self.inner.write(bytes)
        };
        written.map_err(|error| {
            let kind = error.kind();
            // Callers answer an error of this kind by trying again.
            if kind != io::ErrorKind::Interrupted {
                self.failure = Some(error);
            }
            kind.into()
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        fs::write(&path, "before").unwrap();

        let failing = Destination::open(&path).unwrap();
        let failed = failing.write(|out| {
            out.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        assert!(matches!(failed, Err(Stop::Message(Status::Io, _))));
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        assert_eq!(names(folder.path()), ["out.csv"]);

        let working = Destination::open(&path).unwrap();
        working.write(|out| out.write_all(b"after")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "after");
        assert_eq!(names(folder.path()), ["out.csv"]);
    }

    #[test]
    fn a_directory_or_a_missing_folder_is_refused_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Destination::open(folder.path()).is_err());
        assert!(Destination::open(&folder.path().join("no/out.svg")).is_err());
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_kept() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&file, "before").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        let destination = Destination::open(&link).unwrap();
        destination.write(|out| out.write_all(b"after")).unwrap();
        let (missing, dangling) = (folder.path().join("new"), folder.path().join("dangling"));
        symlink("new", &dangling).unwrap();
        assert_eq!(resolved(&dangling), resolved(&missing));
        let destination = Destination::open(&dangling).unwrap();
        destination.write(|out| out.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&dangling).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&missing).unwrap(), "new");
        assert_eq!(fs::read_to_string(&file).unwrap(), "after");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o640
        );
    }
}
