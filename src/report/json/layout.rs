//! The layout of a document: each field of the document and of a rule, each entry of an array of the document, and each outcome has a
//! line of its own, and all others have a blank after each comma and colon.

use std::io;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::source::{is_invisible, shown};

/// Writes one value on one line.
pub(super) fn put(out: &mut impl io::Write, value: &impl Serialize) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(out, Layout::default()))?)
}

/// Writes a document in lines.
pub(super) fn put_lines(out: &mut impl io::Write, value: &impl Serialize) -> io::Result<()> {
    let layout = Layout {
        has_lines: true,
        ..Layout::default()
    };
    Ok(value.serialize(&mut Serializer::with_formatter(out, layout))?)
}

#[derive(Default)]
struct Layout {
    /// Whether anything has a line of its own.
    has_lines: bool,
    /// The objects and arrays around the next value, from the document on.
    around: Vec<Around>,
    /// Whether a key is being written.
    is_key: bool,
}

/// An object or an array.
#[derive(Default)]
struct Around {
    /// Whether each of its entries has a line of its own.
    has_lines: bool,
    is_filled: bool,
    /// The last key of an object.
    key: String,
}

impl Layout {
    fn begin<W: ?Sized + io::Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        let has_lines = match &self.around[..] {
            [] | [_] => true,
            [document, _] => document.key == "rules",
            [.., rule] => rule.has_lines && rule.key == "outcomes",
        };
        self.around.push(Around {
            has_lines: has_lines && self.has_lines,
            ..Around::default()
        });
        out.write_all(bracket)
    }

    /// Goes on to the next entry.
    fn next<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(if first { b"" } else { b"," })?;
        let depth = self.around.len();
        match self.around.last_mut() {
            Some(own) if own.has_lines => {
                own.is_filled = true;
                write!(out, "\n{:1$}", "", 2 * depth)
            }
            _ => out.write_all(if first { b"" } else { b" " }),
        }
    }

    fn end<W: ?Sized + io::Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        if self.around.pop().is_some_and(|own| own.is_filled) {
            write!(out, "\n{:1$}", "", 2 * self.around.len())?;
        }
        out.write_all(bracket)
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"[")
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.next(out, first)
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"]")
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"{")
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.next(out, first)?;
        self.is_key = true;
        if let Some(own) = self.around.last_mut() {
            own.key.clear();
        }
        Ok(())
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.is_key = false;
        out.write_all(b": ")
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"}")
    }

    /// What is not to be shown becomes its code, so that nothing is lost.
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if let Some(own) = self.around.last_mut().filter(|_| self.is_key) {
            own.key.push_str(fragment);
        }
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
