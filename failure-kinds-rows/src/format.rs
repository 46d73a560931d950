//! Content that is not JSON Lines, recognized by how it starts.

use std::fmt::{self, Display, Formatter};

use crate::feed::BYTE_ORDER_MARK;
use crate::scan::{Check, is_start_of_object, scan_elements, scan_members};

/// How many bytes tell all formats apart.
pub(crate) const START: usize = 512;

/// What content is that is not JSON Lines.
///
/// Its text names it and says what to do: `a zip archive: unpack it, and name the files in it`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// A tar archive, perhaps inside gzip or zstandard.
    Tar,
    /// A zip archive.
    Zip,
    /// The compression xz.
    Xz,
    /// The compression bzip2.
    Bzip2,
    /// The compression lz4.
    Lz4,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow: a file, a stream, or the older Feather.
    Arrow,
    /// Text in UTF-16.
    Utf16,
    /// Text in UTF-32.
    Utf32,
    /// One JSON array.
    JsonArray,
    /// A JSON object over several lines.
    SpreadObject,
}

impl Format {
    /// What it is, and what to do.
    const fn describe(self) -> (&'static str, &'static str) {
        const UNPACK: &str = "unpack it, and name the files in it";
        const WRITE_ROWS: &str = "write its rows as JSON Lines, in pandas with \
                                  `df.to_json(path, orient=\"records\", lines=True)`";
        match self {
            Self::Tar => ("a tar archive", UNPACK),
            Self::Zip => ("a zip archive", UNPACK),
            Self::Xz => ("compressed with xz", "decompress it with `xz -d`"),
            Self::Bzip2 => ("compressed with bzip2", "decompress it with `bzip2 -d`"),
            Self::Lz4 => ("compressed with lz4", "decompress it with `lz4 -d`"),
            Self::Parquet => ("a Parquet file", WRITE_ROWS),
            Self::Arrow => ("an Arrow file", WRITE_ROWS),
            Self::Utf16 => {
                ("text in UTF-16", "convert it to UTF-8 with `iconv -f UTF-16 -t UTF-8`")
            }
            Self::Utf32 => {
                ("text in UTF-32", "convert it to UTF-8 with `iconv -f UTF-32 -t UTF-8`")
            }
            Self::JsonArray => {
                ("one JSON array", "write each of its objects on a line with `jq -c '.[]'`")
            }
            Self::SpreadObject => (
                "a JSON object over several lines",
                "if it is a row, write it on one line with `jq -c .`",
            ),
        }
    }

    /// The format of content that starts with these bytes, where they leave no doubt.
    pub(crate) fn of(start: &[u8]) -> Option<Self> {
        Self::by_magic(start).or_else(|| {
            let text = Text::of(start);
            let line = text.line?;
            match text.start.first()? {
                b'[' if is_start_of_array(line) => Some(Self::JsonArray),
                b'{' if is_start_of_object(line, Check::Read) => {
                    // What follows a line that was cut off starts with `{`.
                    matches!(text.next, Some(b'"' | b'}')).then_some(Self::SpreadObject)
                }
                _ => None,
            }
        })
    }

    /// The format of content that starts with these bytes, if no line of it is an object.
    pub(crate) fn without_objects(start: &[u8]) -> Option<Self> {
        Self::of(start).or_else(|| {
            let text = Text::of(start);
            match text.start.first()? {
                b'[' if is_array_or_start(text.line.unwrap_or(text.start)) => Some(Self::JsonArray),
                b'{' if is_start_of_object(text.line?, Check::Read) => Some(Self::SpreadObject),
                _ => None,
            }
        })
    }

    fn by_magic(start: &[u8]) -> Option<Self> {
        const TAR: usize = 257;
        Some(match start {
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Self::Zip,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Self::Bzip2,
            [0x04, 0x22, 0x4d, 0x18, ..] | [0x02, 0x21, 0x4c, 0x18, ..] => Self::Lz4,
            [b'P', b'A', b'R', b'1' | b'E', ..] => Self::Parquet,
            [b'A', b'R', b'R', b'O', b'W', b'1', ..]
            | [b'F', b'E', b'A', b'1', ..]
            | [0xff, 0xff, 0xff, 0xff, ..] => Self::Arrow,
            // With a byte order mark, and without one before ASCII.
            [0xff, 0xfe, 0, 0, ..]
            | [0, 0, 0xfe, 0xff, ..]
            | [b'\t'..=b'~', 0, 0, 0, ..]
            | [0, 0, 0, b'\t'..=b'~', ..] => Self::Utf32,
            [0xff, 0xfe, ..]
            | [0xfe, 0xff, ..]
            | [b'\t'..=b'~', 0, b'\t'..=b'~', 0, ..]
            | [0, b'\t'..=b'~', 0, b'\t'..=b'~', ..] => Self::Utf16,
            // The letters may also be somewhere in rows.
            _ if start.get(TAR..).is_some_and(|magic| magic.starts_with(b"ustar"))
                && !starts_with_row(start) =>
            {
                Self::Tar
            }
            _ => return None,
        })
    }
}

impl Display for Format {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (name, advice) = self.describe();
        write!(f, "{name}: {advice}")
    }
}

/// How content starts if it is text.
struct Text<'a> {
    /// From the first byte that is neither white space nor a byte order mark.
    start: &'a [u8],
    /// The first line, if it ends here.
    line: Option<&'a [u8]>,
    /// The first byte after that line that is not white space.
    next: Option<u8>,
}

impl<'a> Text<'a> {
    fn of(start: &'a [u8]) -> Self {
        let start = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start).trim_ascii_start();
        let newline = memchr::memchr(b'\n', start);
        let next = newline.and_then(|newline| start[newline..].trim_ascii_start().first().copied());
        Self { start, line: newline.map(|newline| &start[..newline]), next }
    }
}

/// Whether the first line is an object, as far as it is known.
fn starts_with_row(start: &[u8]) -> bool {
    let Text { start, line, .. } = Text::of(start);
    match line {
        Some(line) => scan_members(line, Check::Read, |_, _| {}).is_ok(),
        None => is_start_of_object(start, Check::Read),
    }
}

fn is_start_of_array(line: &[u8]) -> bool {
    scan_elements(line, Check::Read, |_| {}).is_err_and(|error| error.at.is_empty())
}

/// The same, or a whole one. A section of TOML starts like an array too.
fn is_array_or_start(line: &[u8]) -> bool {
    scan_elements(line, Check::Every, |_| {}).map_or_else(|error| error.at.is_empty(), |()| true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_formats() {
        let cases: &[(&str, Option<Format>, Option<Format>)] = &[
            ("{\"a\":1}\n", None, None),
            ("\n {\"a\":1}\n{\"b\":2}\n", None, None),
            ("", None, None),
            ("nul\n", None, None),
            ("[\n{\"a\":1},\n{\"a\":2}\n]\n", Some(Format::JsonArray), Some(Format::JsonArray)),
            ("[{\"a\":1},\n{\"a\":2}]\n", Some(Format::JsonArray), Some(Format::JsonArray)),
            ("[workspace]\nresolver = \"3\"\n", None, None),
            ("[[bin]]\n", None, None),
            ("[tool.poetry]\n", None, None),
            ("[]\n", None, Some(Format::JsonArray)),
            // A line that is an array may come before rows.
            ("[1]\n{\"a\":1}\n", None, Some(Format::JsonArray)),
            ("[{\"a\":1}, {\"a\"", None, Some(Format::JsonArray)),
            ("{\n  \"a\": 1\n}\n", Some(Format::SpreadObject), Some(Format::SpreadObject)),
            (
                "\u{feff}{ \"a\": {\r\n\"b\": 1\r\n}}",
                Some(Format::SpreadObject),
                Some(Format::SpreadObject),
            ),
            // So may a line that was cut off.
            ("{\"a\":\n{\"a\":1}\n", None, Some(Format::SpreadObject)),
            ("{\"a\" 1\n\"b\": 2}\n", None, None),
            (&format!("{{\"a\":\"{}ustar\"}}\n", "b".repeat(251)), None, None),
            (&format!("{{\"a\":\"{}ustar", "b".repeat(251)), None, None),
            (&format!("{{\"a\":1}}\n{}ustar", "\0".repeat(249)), None, None),
        ];
        for (text, certain, without_objects) in cases {
            assert_eq!(Format::of(text.as_bytes()), *certain, "{text}");
            assert_eq!(Format::without_objects(text.as_bytes()), *without_objects, "{text}");
        }
    }

    #[test]
    fn binary_formats() {
        let mut tar = vec![0; START];
        tar[257..262].copy_from_slice(b"ustar");
        let utf16 = |text: &str, to_bytes: fn(u16) -> [u8; 2]| {
            text.encode_utf16().flat_map(to_bytes).collect::<Vec<u8>>()
        };
        let utf32 = |text: &str, to_bytes: fn(u32) -> [u8; 4]| {
            text.chars().map(u32::from).flat_map(to_bytes).collect::<Vec<u8>>()
        };
        for (start, format) in [
            (tar, Format::Tar),
            (b"PK\x03\x04".to_vec(), Format::Zip),
            (b"\xfd7zXZ\0".to_vec(), Format::Xz),
            (b"BZh9".to_vec(), Format::Bzip2),
            (b"\x04\x22\x4d\x18".to_vec(), Format::Lz4),
            (b"PAR1".to_vec(), Format::Parquet),
            (b"ARROW1\0\0".to_vec(), Format::Arrow),
            (utf16("\u{feff}{}", u16::to_le_bytes), Format::Utf16),
            (utf16("\u{feff}{}", u16::to_be_bytes), Format::Utf16),
            (utf16("{}", u16::to_le_bytes), Format::Utf16),
            (utf16("{}", u16::to_be_bytes), Format::Utf16),
            (utf32("\u{feff}{}", u32::to_le_bytes), Format::Utf32),
            (utf32("\u{feff}{}", u32::to_be_bytes), Format::Utf32),
            (utf32("{}", u32::to_le_bytes), Format::Utf32),
            (utf32("{}", u32::to_be_bytes), Format::Utf32),
        ] {
            assert_eq!(Format::of(&start), Some(format));
        }
        for other in
            [&b"\0\x05\x16\x07\0\x02\0\0Mac OS X"[..], b"\0\0\0\0", b"{\0", b"PK", b"PARIS"]
        {
            assert_eq!(Format::of(other), None);
        }
    }
}
