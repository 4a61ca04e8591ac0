//! The layout of a document: what is worth a line of its own has one, and all else has a blank after each comma and colon.

use std::io;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::source::{is_invisible, shown};

/// Writes one value on one line.
pub(super) fn put(out: &mut impl io::Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(out, OneLine))?)
}

/// An object or an array, of which each entry has a line of its own.
pub(super) struct Lines<'o, W> {
    out: &'o mut W,
    depth: usize,
    is_filled: bool,
}

/// The brackets of an object, and those of an array.
pub(super) const OBJECT: [&str; 2] = ["{", "}"];
pub(super) const ARRAY: [&str; 2] = ["[", "]"];

impl<'o, W: io::Write> Lines<'o, W> {
    /// Writes a whole document.
    pub(super) fn document(
        out: &'o mut W,
        fill: impl FnOnce(&mut Lines<'_, W>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut none = Self {
            out,
            depth: 0,
            is_filled: false,
        };
        none.between(OBJECT, fill)
    }

    /// Writes a field.
    pub(super) fn field(&mut self, key: &str, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
        self.key(key)?;
        put(self.out, value)
    }

    /// Writes a field with an array, of which each entry has a line.
    pub(super) fn array<T: Serialize>(
        &mut self,
        key: &str,
        all: impl IntoIterator<Item = T>,
    ) -> io::Result<()> {
        self.key(key)?;
        self.between(ARRAY, |lines| {
            all.into_iter().try_for_each(|entry| {
                lines.next()?;
                put(lines.out, &entry)
            })
        })
    }

    pub(super) fn key(&mut self, key: &str) -> io::Result<()> {
        self.next()?;
        write!(self.out, "\"{key}\": ")
    }

    /// Goes on to the next entry.
    pub(super) fn next(&mut self) -> io::Result<()> {
        let comma = if self.is_filled { "," } else { "" };
        self.is_filled = true;
        write!(self.out, "{comma}\n{:1$}", "", 2 * self.depth)
    }

    /// Writes entries between brackets.
    pub(super) fn between(
        &mut self,
        [begin, end]: [&str; 2],
        fill: impl FnOnce(&mut Lines<'_, W>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut inner = Lines {
            out: &mut *self.out,
            depth: self.depth + 1,
            is_filled: false,
        };
        write!(inner.out, "{begin}")?;
        fill(&mut inner)?;
        if inner.is_filled {
            write!(self.out, "\n{:1$}", "", 2 * self.depth)?;
        }
        write!(self.out, "{end}")
    }
}

/// A value on one line.
struct OneLine;

impl Formatter for OneLine {
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    /// A character that must not be shown becomes its code, so that nothing is lost.
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if shown(fragment) == fragment {
            return out.write_all(fragment.as_bytes());
        }
        let mut units = [0; 2];
        for character in fragment.chars() {
            if character.is_control() || is_invisible(character) {
                for unit in character.encode_utf16(&mut units) {
                    write!(out, "\\u{unit:04x}")?;
                }
            } else {
                write!(out, "{character}")?;
            }
        }
        Ok(())
    }
}
