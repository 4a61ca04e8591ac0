//! The layout of a document: one line for each entry, with a blank after each comma and colon.

use std::io;

use serde::{Serialize, Serializer as _};

use crate::source::{is_invisible, shown};

/// Writes a field of the document whose value is an array, with one line for each entry.
pub(super) fn array(
    out: &mut impl io::Write,
    key: &str,
    entries: &[impl Serialize],
) -> io::Result<()> {
    write!(out, "  \"{key}\": [")?;
    for (index, entry) in entries.iter().enumerate() {
        write!(out, "{}\n    ", if index > 0 { "," } else { "" })?;
        put(out, entry)?;
    }
    write!(out, "{}]", if entries.is_empty() { "" } else { "\n  " })
}

/// Writes one value on one line.
pub(super) fn put(out: &mut impl io::Write, value: &impl Serialize) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(out, Spaced);
    Ok(value.serialize(&mut serializer)?)
}

/// Writes an object with these entries on one line.
pub(super) fn put_map<K: Serialize, V: Serialize>(
    out: &mut impl io::Write,
    entries: impl Iterator<Item = (K, V)>,
) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(out, Spaced);
    Ok(serializer.collect_map(entries)?)
}

/// The layout of one line with a blank after each comma and colon.
struct Spaced;

impl serde_json::ser::Formatter for Spaced {
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    /// What is not to be shown becomes its code, so that nothing is lost.
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if shown(fragment) == fragment {
            return writer.write_all(fragment.as_bytes());
        }
        let mut units = [0; 2];
        for character in fragment.chars() {
            if character.is_control() || is_invisible(character) {
                for unit in character.encode_utf16(&mut units) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            } else {
                write!(writer, "{character}")?;
            }
        }
        Ok(())
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}
