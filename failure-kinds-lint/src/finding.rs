//! A finding, with its place in a file and as much of the source as is shown of it.

use std::ops::Range;
use std::sync::Arc;

use failure_kinds_core::text::{Lines, Place};
use memchr::{memchr, memrchr};

use super::id::{Id, Level};

/// Something that was found at one location.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// What it reports.
    pub id: Id,
    /// How much it weighs here.
    pub level: Level,
    /// The path as it is shown, not escaped.
    pub path: Arc<str>,
    /// The path from the root of the repository, which is how other services know the file.
    pub repository_path: Arc<str>,
    /// Where it is.
    pub at: Located,
    /// What is wrong, in one clause.
    pub message: String,
    /// What to write instead or to look at, in one clause.
    pub help: Option<String>,
    /// What else is worth knowing, in one clause.
    pub note: Option<String>,
    /// The name that is judged.
    pub name: Option<String>,
    /// The name to write instead.
    pub suggestion: Option<String>,
    /// How to fix it.
    pub fix: Option<Fix>,
    /// How often it occurs: more than once only in saved rows.
    pub count: u64,
}

/// A stretch of a file.
#[derive(Clone, Debug)]
pub struct Located {
    /// The first character.
    pub start: Place,
    /// After the last character.
    pub end: Place,
    /// What is shown of it.
    pub excerpt: Excerpt,
}

/// The line on which a stretch starts, or as much of a long line as is shown.
#[derive(Clone, Debug)]
pub struct Excerpt {
    /// The line, or a part of it, not escaped.
    pub text: String,
    /// The stretch within the text.
    pub span: Range<usize>,
}

/// Whether a fix can change more than names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Safety {
    /// It writes one name for another.
    Safe,
    /// It can change a type.
    Unsafe,
}

impl Safety {
    /// `safe` or `unsafe`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

/// How to fix a finding.
#[derive(Clone, Debug)]
pub struct Fix {
    /// Whether it can change more than names.
    pub safety: Safety,
    /// The edits, which belong together.
    pub edits: Vec<Edit>,
}

/// A replacement of one stretch of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The bytes to replace: from here …
    pub from: usize,
    /// … to here.
    pub to: usize,
    /// The location of `from`.
    pub start: Place,
    /// The location of `to`.
    pub end: Place,
    /// What to write instead.
    pub text: String,
}

/// The paths of a file in findings.
pub(crate) struct Paths {
    pub(crate) shown: Arc<str>,
    pub(crate) in_repository: Arc<str>,
}

/// A text and the places in it.
pub(crate) struct Text<'a> {
    text: &'a [u8],
    lines: Lines<'a>,
}

/// The most bytes of a line that are shown before and after a stretch.
const AROUND: usize = 120;
/// The most bytes of a stretch that are shown.
const SHOWN: usize = 200;

impl<'a> Text<'a> {
    pub(crate) const fn new(text: &'a [u8]) -> Self {
        Self { text, lines: Lines::new(text) }
    }

    pub(crate) fn place(&self, at: usize) -> Place {
        self.lines.place(at)
    }

    pub(crate) fn locate(&self, span: &Range<usize>) -> Located {
        Located {
            start: self.place(span.start),
            end: self.place(span.end),
            excerpt: Excerpt::of(self.text, span),
        }
    }

    /// How lines end: as the first one does.
    pub(crate) fn line_ending(&self) -> &'static str {
        let first = memchr(b'\n', self.text).unwrap_or_default();
        if self.text[..first].ends_with(b"\r") { "\r\n" } else { "\n" }
    }

    pub(crate) fn edit(&self, span: &Range<usize>, text: String) -> Edit {
        Edit {
            from: span.start,
            to: span.end,
            start: self.place(span.start),
            end: self.place(span.end),
            text,
        }
    }
}

impl Excerpt {
    pub(crate) fn of(text: &[u8], span: &Range<usize>) -> Self {
        let at = span.start.min(text.len());
        let line_start = memrchr(b'\n', &text[..at]).map_or(0, |newline| newline + 1);
        let line_end = memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline);
        let shown_end = span.end.clamp(at, line_end).min(at + SHOWN);
        let start = boundary(text, at.saturating_sub(AROUND), line_start);
        let shown_end = boundary(text, shown_end, at);
        let end = boundary(text, line_end.min(shown_end + AROUND), shown_end);
        let lossy = |range: Range<usize>| String::from_utf8_lossy(&text[range]).into_owned();
        let before = if start > line_start { "…" } else { "" }.to_owned() + &lossy(start..at);
        let shown = lossy(at..shown_end);
        let mut after = lossy(shown_end..end);
        if end < line_end {
            after.push('…');
        } else if after.ends_with('\r') {
            after.pop();
        }
        Self { span: before.len()..before.len() + shown.len(), text: before + &shown + &after }
    }
}

/// The last start of a character that is neither after this offset nor before the lowest one.
fn boundary(text: &[u8], mut at: usize, lowest: usize) -> usize {
    // A character has four bytes at most. More bytes of its kind in a row are not one.
    let lowest = lowest.max(at.saturating_sub(3));
    while at > lowest && text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80) {
        at -= 1;
    }
    at.max(lowest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_shown_in_part() {
        let text = format!("é{}\"name\"{}\n", "é".repeat(300), "x".repeat(500));
        let at = text.find('"').unwrap();
        let excerpt = Excerpt::of(text.as_bytes(), &(at..at + 6));
        assert_eq!(&excerpt.text[excerpt.span.clone()], "\"name\"");
        assert!(excerpt.text.starts_with('…') && excerpt.text.ends_with('…'));
        assert!(excerpt.text.len() < 300);
    }

    #[test]
    fn a_continuation_byte_does_not_start_another_line() {
        for at in [2, 3] {
            let excerpt = Excerpt::of(b"a\n\x83b\nc", &(at..at));
            assert_eq!(excerpt.text, "\u{fffd}b");
        }
        // Of nothing but such bytes, no more are shown than of others.
        let excerpt = Excerpt::of(&[0x80; 999], &(300..400));
        assert_eq!(excerpt.text, format!("…{}…", "\u{fffd}".repeat(123 + 97 + 117)));
    }

    #[test]
    fn a_carriage_return_is_not_a_part_of_a_line() {
        let excerpt = Excerpt::of(b"a = 1\r\nb\r\n", &(4..5));
        assert_eq!(excerpt.text, "a = 1");
    }
}
