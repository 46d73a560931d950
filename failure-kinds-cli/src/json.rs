//! JSON for programs that is also safe to print on a terminal.

use std::io::{self, BufWriter, Write};

use failure_kinds_core::text::is_printable;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

/// Writes a value as indented JSON and a newline. Characters that a terminal acts on are escaped;
/// no value changes.
pub(crate) fn write(value: &impl Serialize, stream: &mut dyn Write) -> io::Result<()> {
    // Of many small pieces.
    let mut stream = BufWriter::new(stream);
    let mut serializer = Serializer::with_formatter(&mut stream, Safe(PrettyFormatter::new()));
    value.serialize(&mut serializer)?;
    stream.write_all(b"\n")?;
    stream.flush()
}

/// The same on one line.
pub(crate) fn write_line(value: &impl Serialize, stream: &mut dyn Write) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(&mut *stream, Safe(CompactFormatter));
    value.serialize(&mut serializer)?;
    stream.write_all(b"\n")
}

/// A formatter of `serde_json` with more escapes in strings than JSON requires.
struct Safe<F>(F);

impl<F: Formatter> Formatter for Safe<F> {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        // Nearly always.
        if fragment.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return writer.write_all(fragment.as_bytes());
        }
        let mut rest = fragment;
        while let Some((at, char)) = rest.char_indices().find(|(_, char)| !is_printable(*char)) {
            writer.write_all(&rest.as_bytes()[..at])?;
            for unit in char.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = &rest[at + char.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_gets_out_and_no_value_changes() {
        let text = "a\u{1b}\u{7f}\u{9b}\u{202e}\u{feff}\n\"\\é\u{1f600}";
        let mut json = Vec::new();
        write(&[text], &mut json).unwrap();
        let json = String::from_utf8(json).unwrap();
        assert_eq!(json, "[\n  \"a\\u001b\\u007f\\u009b\\u202e\\ufeff\\n\\\"\\\\é\u{1f600}\"\n]\n");
        assert_eq!(serde_json::from_str::<Vec<String>>(&json).unwrap(), [text]);
    }
}
