//! The layout of a document: one line for each entry, with a blank after each comma and colon.

use std::io;

use serde::Serialize;
use serde_json::Value as Json;

/// Writes a field of the document whose value is an array, with one line for each entry.
pub(super) fn array(out: &mut impl io::Write, key: &str, entries: &[Json]) -> io::Result<()> {
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

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}
