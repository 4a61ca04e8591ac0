//! One output: a file that appears whole or not at all, or a stream that is written as it is.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use dicedist::limits::{Budget, LimitReached, Limits};
use dicedist::source::Shown;
use tempfile::NamedTempFile;

use super::identity::{
    Identity, folder_of, is_descriptor, is_folder_by_name, is_output_a_file, resolved,
};
use super::meter;
use super::startup;
use super::status::Stop;
use super::watch;

/// An output with a path.
#[derive(Debug)]
pub(super) struct Destination {
    /// The path as given, for messages.
    path: PathBuf,
    way: Way,
}

/// How an output is written.
#[derive(Debug)]
enum Way {
    /// To what is there already and cannot be replaced: a device, a pipe, what a process holds open.
    InPlace,
    /// As a new file in the place of the old one.
    Replaced(Box<Staged>),
    /// To standard output, before what is printed there.
    StandardOutput,
}

/// A new file beside the one that it will replace.
#[derive(Debug)]
struct Staged {
    file: NamedTempFile,
    target: PathBuf,
    replaced: Option<Metadata>,
}

/// Runs a writer on buffered standard output, until the user asks to stop or the budget is used up.
pub(super) fn to_standard_output(
    budget: &Budget<'_>,
    write: impl FnOnce(&mut Shown<&mut dyn Write>) -> io::Result<()>,
) -> Result<(), Stop> {
    let written = startup::standard_output().and_then(|()| {
        let inner = (io::stdout().lock(), is_output_a_file());
        buffered(inner, budget, write)
    });
    written.map_err(|error| Stop::writing(Path::new("-"), &error))
}

impl Destination {
    /// Finds out how a path is written, and opens it as far as is possible without changing it.
    pub(super) fn open(path: &Path) -> Result<Self, Stop> {
        let way = if path == Path::new("-") {
            Ok(Way::StandardOutput)
        } else {
            Way::to(path)
        };
        let way = way.map_err(|error| Stop::writing(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            way,
        })
    }

    /// Runs a writer on the output, and completes it. Nothing is left in a file if the user asks to stop, or if the budget is used
    /// up.
    pub(super) fn write(
        self,
        budget: &Budget<'_>,
        write: impl FnOnce(&mut Shown<&mut dyn Write>) -> io::Result<()>,
    ) -> Result<(), Stop> {
        let written = match self.way {
            Way::InPlace => OpenOptions::new()
                .append(true)
                .open(&self.path)
                .and_then(|file| buffered((file, false), budget, write)),
            Way::Replaced(staged) => staged.write(budget, write),
            Way::StandardOutput => return to_standard_output(budget, write),
        };
        written.map_err(|error| Stop::writing(&self.path, &error))
    }
}

impl Way {
    fn to(path: &Path) -> io::Result<Self> {
        let replaced = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        match &replaced {
            Some(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            None if is_folder_by_name(path) => {
                return Err(io::Error::other(
                    "this is the name of a folder, not of a file",
                ));
            }
            _ => {}
        }
        if Identity::of_standard_output() == Some(Identity::of(path)) {
            return Ok(Self::StandardOutput);
        }
        if replaced.as_ref().is_some_and(|there| !there.is_file()) || is_descriptor(path) {
            return Ok(Self::InPlace);
        }
        let staged = Staged::open(path, replaced)?;
        Ok(Self::Replaced(Box::new(staged)))
    }
}

impl Staged {
    /// Opens a new file beside the path, or beside what the path links to.
    fn open(path: &Path, replaced: Option<Metadata>) -> io::Result<Self> {
        let target = if replaced.is_some() {
            // Replacing a file needs no right to write it; asking for that right respects its owner.
            OpenOptions::new().append(true).open(path)?;
            fs::canonicalize(path)?
        } else {
            resolved(path)
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".dicedist-");
        if replaced.is_none() {
            permit_as_any_new_file(&mut builder);
        }
        let file = builder.tempfile_in(folder_of(&target))?;
        watch::remove_if_stopped(file.path().to_owned());
        Ok(Self {
            file,
            target,
            replaced,
        })
    }

    fn write(
        self,
        budget: &Budget<'_>,
        write: impl FnOnce(&mut Shown<&mut dyn Write>) -> io::Result<()>,
    ) -> io::Result<()> {
        let file = self.file.as_file();
        buffered((file, true), budget, write)?;
        if let Some(replaced) = &self.replaced {
            keep_permissions(file, replaced)?;
        }
        store(file)?;
        self.file.persist(self.target)?;
        Ok(())
    }
}

/// Waits until a file is on the disk: else a crash could leave its name with nothing behind it.
fn store(file: &File) -> io::Result<()> {
    match file.sync_all() {
        // There are file systems that cannot promise this.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        stored => stored,
    }
}

/// The permissions that the user gives any new file.
#[cfg(unix)]
fn permit_as_any_new_file(builder: &mut tempfile::Builder) {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn permit_as_any_new_file(_builder: &mut tempfile::Builder) {}

/// Gives a file the permissions of the one that it replaces, and its owner and group if that is possible.
#[cfg(unix)]
fn keep_permissions(file: &File, replaced: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};

    let mut metadata = file.metadata()?;
    let (user, group) = (replaced.uid(), replaced.gid());
    if (metadata.uid(), metadata.gid()) != (user, group) {
        // Only the system's administrator gives files away; the group is free to those who are in it.
        let _ = fchown(file, Some(user), Some(group)).or_else(|_| fchown(file, None, Some(group)));
        metadata = file.metadata()?;
    }
    let is_same = (metadata.uid() == user, metadata.gid() == group);
    let mode = permissions(replaced.mode(), is_same);
    if metadata.mode() & ALL_BITS != mode {
        file.set_permissions(fs::Permissions::from_mode(mode))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn keep_permissions(_file: &File, _replaced: &Metadata) -> io::Result<()> {
    Ok(())
}

/// The bits of a mode that are permissions: those to read, write and execute, and the special ones.
#[cfg(unix)]
const ALL_BITS: u32 = 0o7777;

/// The permissions of a file that replaces one of this mode, if it has the same owner and the same group. Nobody gets a right that was
/// meant for others, such as the right to run as another owner or group, or the rights of another group.
#[cfg(unix)]
fn permissions(mode: u32, (same_owner, same_group): (bool, bool)) -> u32 {
    let mut mode = mode & ALL_BITS;
    if !same_owner {
        mode &= !0o4000;
    }
    if !same_group {
        let of_others = (mode & 0o007) << 3;
        mode &= !0o2070 | of_others;
    }
    mode
}

/// Runs a writer with a buffer in between, until the end, or until the user asks to stop or the budget is used up. What writes to
/// no file waits for a reader.
fn buffered(
    (inner, is_file): (impl Write, bool),
    budget: &Budget<'_>,
    write: impl FnOnce(&mut Shown<&mut dyn Write>) -> io::Result<()>,
) -> io::Result<()> {
    let bounded = Bounded {
        inner,
        is_file,
        budget,
        left: most_bytes(budget),
        failure: None,
    };
    let mut out = BufWriter::with_capacity(1 << 16, bounded);
    let written = write(&mut Shown::on(&mut out)).and_then(|()| out.flush());
    written.map_err(|error| {
        // What is left in the buffer shall not be written by its destructor.
        let (bounded, _) = out.into_parts();
        bounded.failure.unwrap_or(error)
    })
}

/// How long an output may be, in bytes: as much as the process may hold, and no less than what the default allows.
fn most_bytes(budget: &Budget<'_>) -> u64 {
    budget.limits().memory.max(Limits::default().memory)
}

/// A writer that stops when its budget is used up, or when it has written too many bytes. It keeps the error, because some writers above replace it by their own.
struct Bounded<'a, W> {
    inner: W,
    is_file: bool,
    budget: &'a Budget<'a>,
    /// The bytes that may still be written.
    left: u64,
    failure: Option<io::Error>,
}

impl<W: Write> Write for Bounded<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_open = self.budget.look_at_clock().and_then(|()| {
            let left = self.left.checked_sub(bytes.len() as u64);
            self.left = left.ok_or_else(|| LimitReached::Written(most_bytes(self.budget)))?;
            Ok(())
        });
        let written = is_open.map_err(io::Error::from).and_then(|()| {
            if self.is_file {
                return self.inner.write(bytes);
            }
            meter::waiting(|| self.inner.write(bytes))
        });
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
        meter::waiting(|| self.inner.flush())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use dicedist::limits::{Limits, Unobserved};

    use super::super::status::Status;
    use super::*;

    fn written(
        destination: Destination,
        write: impl FnOnce(&mut Shown<&mut dyn Write>) -> io::Result<()>,
    ) -> Result<(), Stop> {
        let limits = Limits::unbounded();
        destination.write(&Budget::start(&limits, &Unobserved), write)
    }

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
        let failed = written(failing, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        assert!(matches!(failed, Err(Stop::Message(Status::Io, _))));
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        assert_eq!(names(folder.path()), ["out.csv"]);

        let working = Destination::open(&path).unwrap();
        written(working, |out| out.write_all(b"after")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "after");
        assert_eq!(names(folder.path()), ["out.csv"]);
    }

    #[test]
    fn a_file_stays_as_it_is_when_a_limit_is_reached() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        fs::write(&path, "before").unwrap();
        let limits = Limits::default().with_time(Some(Duration::ZERO));
        let late = Destination::open(&path).unwrap();
        let stopped = late.write(&Budget::start(&limits, &Unobserved), |out| {
            out.write_all(b"after")
        });
        assert!(matches!(stopped, Err(Stop::Message(Status::Limit, _))));
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
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
        written(destination, |out| out.write_all(b"after")).unwrap();
        let (missing, dangling) = (folder.path().join("new"), folder.path().join("dangling"));
        symlink("new", &dangling).unwrap();
        assert_eq!(resolved(&dangling), resolved(&missing));
        let destination = Destination::open(&dangling).unwrap();
        written(destination, |out| out.write_all(b"new")).unwrap();
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
