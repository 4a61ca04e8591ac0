//! Which file a path means, whatever else the file is called.

use std::fs::{self, Metadata};
use std::io;
use std::iter;
use std::path::{Path, PathBuf};

/// No system follows more links than this.
const MOST_LINKS: usize = 40;

/// A file, pipe or device that a path or a stream leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Identity {
    /// What is there, by the numbers of its device and of itself.
    #[cfg(unix)]
    Numbers(u64, u64),
    /// The absolute path, links followed, for a file that does not exist yet, and for a device, which several writers may share.
    Path(PathBuf),
}

impl Identity {
    /// What a path means; `-` is standard output.
    pub(super) fn of(path: &Path) -> Self {
        if path == Path::new("-") {
            return Self::of_standard_output().unwrap_or_else(|| Self::Path(path.to_owned()));
        }
        fs::metadata(path)
            .ok()
            .and_then(|metadata| Self::of_metadata(&metadata))
            .unwrap_or_else(|| Self::Path(resolved(path)))
    }

    /// The file or the pipe that standard input is; `None` for a device.
    pub(super) fn of_standard_input() -> Option<Self> {
        Self::of_metadata(&metadata_of(&io::stdin())?)
    }

    /// The file or the pipe that standard output is; `None` for a device.
    pub(super) fn of_standard_output() -> Option<Self> {
        Self::of_metadata(&metadata_of(&io::stdout())?)
    }

    #[cfg(unix)]
    fn of_metadata(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
        let numbers = Self::Numbers(metadata.dev(), metadata.ino());
        (!metadata.file_type().is_char_device()).then_some(numbers)
    }

    #[cfg(not(unix))]
    fn of_metadata(_metadata: &Metadata) -> Option<Self> {
        None
    }
}

/// Whether standard output is a file, which takes what is written as fast as it can.
pub(super) fn is_output_a_file() -> bool {
    metadata_of(&io::stdout()).is_some_and(|metadata| metadata.is_file())
}

#[cfg(unix)]
fn metadata_of(stream: &impl std::os::fd::AsFd) -> Option<Metadata> {
    let copy = stream.as_fd().try_clone_to_owned().ok()?;
    fs::File::from(copy).metadata().ok()
}

#[cfg(not(unix))]
fn metadata_of<S>(_stream: &S) -> Option<Metadata> {
    None
}

/// The path, what it links to, what that links to, and so on.
fn steps(path: &Path) -> impl Iterator<Item = PathBuf> {
    let next = |path: &PathBuf| Some(folder_of(path).join(fs::read_link(path).ok()?));
    iter::successors(Some(path.to_owned()), next).take(MOST_LINKS)
}

/// The absolute path of a file, links followed; the file need not exist.
pub(super) fn resolved(path: &Path) -> PathBuf {
    let path = steps(path).last().unwrap_or_else(|| path.to_owned());
    let in_folder = || {
        let folder = fs::canonicalize(folder_of(&path)).ok()?;
        Some(folder.join(path.file_name()?))
    };
    fs::canonicalize(&path)
        .ok()
        .or_else(in_folder)
        .unwrap_or(path)
}

/// Whether a path leads to what a process holds open, as `/dev/fd/3` and `/dev/stdout` do.
pub(super) fn is_descriptor(path: &Path) -> bool {
    let is_among_descriptors = |path: PathBuf| {
        let folder = fs::canonicalize(folder_of(&path)).unwrap_or_default();
        folder.starts_with("/proc") || folder.starts_with("/dev/fd")
    };
    steps(path).any(is_among_descriptors)
}

/// Whether a path can only mean a folder: it ends in a slash, or in a dot after one.
pub(super) fn is_folder_by_name(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let name = name.strip_suffix('.').unwrap_or(&name);
    name.ends_with(std::path::is_separator)
}

/// The folder that a file is in.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_are_told_from_names_of_files() {
        for folder in ["new/", "new//", "a/new/.", "/", "/."] {
            assert!(is_folder_by_name(Path::new(folder)), "{folder}");
        }
        for file in ["new", "a/new.", "a/.new", "a."] {
            assert!(!is_folder_by_name(Path::new(file)), "{file}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_the_same_by_each_of_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "").unwrap();
        fs::write(path("other"), "").unwrap();
        fs::hard_link(path("file"), path("hard")).unwrap();
        std::os::unix::fs::symlink("file", path("soft")).unwrap();
        std::os::unix::fs::symlink("missing", path("dangling")).unwrap();
        let identity = |name: &str| Identity::of(&path(name));
        for name in ["hard", "soft", "./file", "../", "missing/../file"] {
            let is_same = identity(name) == identity("file");
            assert_eq!(is_same, !name.contains(".."), "{name}");
        }
        assert_eq!(identity("dangling"), identity("missing"));
        assert_ne!(identity("other"), identity("file"));
    }
}
