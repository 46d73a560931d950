//! Text of unknown origin, made safe to print at its full length.
//!
//! For names of kinds, which are bounded and ASCII, there is `Quoted` of the core crate. Paths
//! and reasons are for people: letters of every script stay, whatever a terminal could act on
//! does not.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write};
use std::path::Path;

/// Writes a text with control, format and unassigned characters escaped as in a Rust string.
#[derive(Clone, Debug)]
pub(crate) struct Escaped<'a>(Cow<'a, str>);

impl<'a> Escaped<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self(Cow::Borrowed(text))
    }

    /// A path; bytes that are no UTF-8 become `\xNN`.
    pub(crate) fn path(path: &'a Path) -> Self {
        Self(path_text(path))
    }
}

/// A path as text. One that is not UTF-8 stays distinct from others: its odd bytes become
/// `\xNN`, never a replacement character.
pub(crate) fn path_text(path: &Path) -> Cow<'_, str> {
    if let Some(text) = path.to_str() {
        return Cow::Borrowed(text);
    }
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    Cow::Owned(text)
}

/// A piece of a source that is shown with marks under it: every byte keeps its place.
///
/// The renderer of snippets replaces what else a terminal acts on, and lets the C1 control
/// characters pass, of which one starts an escape sequence in some terminals.
pub(crate) fn snippet(source: &str) -> Cow<'_, str> {
    let is_c1 = |char: char| matches!(char, '\u{80}'..='\u{9f}');
    if source.contains(is_c1) {
        // Two bytes in UTF-8, as they are.
        Cow::Owned(source.replace(is_c1, "\u{b7}"))
    } else {
        Cow::Borrowed(source)
    }
}

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // `str::escape_debug` knows what is printable; quotes and backslashes need no escape here.
        for part in self.0.split_inclusive(['\'', '"', '\\']) {
            let plain = part.trim_end_matches(['\'', '"', '\\']);
            write!(f, "{}", plain.escape_debug())?;
            f.write_str(&part[plain.len()..])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_acts_on_is_escaped() {
        let text = "a\u{1b}[2J\r\n\t\u{7f}\u{9b}31m\u{202e}\u{2028}\u{feff}\0b";
        assert_eq!(
            Escaped::new(text).to_string(),
            "a\\u{1b}[2J\\r\\n\\t\\u{7f}\\u{9b}31m\\u{202e}\\u{2028}\\u{feff}\\0b"
        );
    }

    #[test]
    fn what_people_read_stays() {
        for text in ["it's \"so\"", r"a\b", "läuft.jsonl", "結果/失敗", "''\"\\", ""] {
            assert_eq!(Escaped::new(text).to_string(), text);
        }
    }

    #[cfg(unix)]
    #[test]
    fn paths_that_are_not_utf8_stay_distinct() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let text = |bytes| Escaped::path(Path::new(OsStr::from_bytes(bytes))).to_string();
        assert_eq!(text(b"a\xff/b"), "a\\xff/b");
        assert_eq!(text(b"a\xfe/b"), "a\\xfe/b");
    }
}
