//! A stream, cut into lines.

use std::io::{self, Read};

/// The bounds of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// A longer line is read too; the memory for it is given back behind it.
    pub(super) held: usize,
    /// A longer line is passed over.
    pub(super) longest: usize,
}

impl Limits {
    pub(super) const ROWS: Self = Self { held: 16 << 20, longest: 256 << 20 };
}

/// How much is asked of the stream at once.
const BLOCK: usize = 512 << 10;

/// One line without its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Whole(&'a [u8]),
    /// The last one, with no newline behind it.
    Unended(&'a [u8]),
    TooLong,
}

/// Hands over each line with its number, from 1. Lines end at `\n` alone, and one `\r` before it
/// is dropped. A byte-order mark at the start of the stream belongs to no line.
pub(super) fn for_each_line(
    source: &mut dyn Read,
    limits: Limits,
    mut visit: impl FnMut(u64, Line<'_>),
) -> io::Result<()> {
    let mut block = vec![0; BLOCK];
    let mut start = Vec::new();
    let mut passing_over = false;
    let mut number = 1;
    loop {
        let count = match source.read(&mut block) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let mut rest = &block[..count];
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (part, behind) = (&rest[..end], &rest[end + 1..]);
            rest = behind;
            if passing_over || start.len() + part.len() > limits.longest {
                visit(number, Line::TooLong);
            } else if start.is_empty() {
                visit(number, Line::Whole(trim(number, part)));
            } else {
                start.extend_from_slice(part);
                visit(number, Line::Whole(trim(number, &start)));
            }
            passing_over = false;
            number += 1;
            start.clear();
            start.shrink_to(limits.held);
        }
        if !passing_over {
            passing_over = start.len() + rest.len() > limits.longest;
            if passing_over {
                start = Vec::new();
            } else {
                start.extend_from_slice(rest);
            }
        }
    }
    if passing_over {
        visit(number, Line::TooLong);
    } else if !start.is_empty() {
        visit(number, Line::Unended(trim(number, &start)));
    }
    Ok(())
}

fn trim(number: u64, line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if number == 1 { line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line) } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A stream that gives its bytes in pieces of this length.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(buffer.len());
            Read::take(&mut self.0, count as u64).read(buffer)
        }
    }

    fn lines(text: &[u8], piece: usize, longest: usize) -> Vec<(u64, String)> {
        let mut lines = Vec::new();
        let limits = Limits { held: 4, longest };
        for_each_line(&mut Pieces(text, piece), limits, |number, line| {
            lines.push((
                number,
                match line {
                    Line::Whole(line) => format!("{}", line.escape_ascii()),
                    Line::Unended(line) => format!("{}...", line.escape_ascii()),
                    Line::TooLong => "too long".to_owned(),
                },
            ));
        })
        .unwrap();
        lines
    }

    fn texts(text: &[u8], longest: usize) -> Vec<String> {
        let lines = lines(text, 3, longest);
        assert!(lines.iter().map(|(number, _)| *number).eq(1..=lines.len() as u64));
        lines.into_iter().map(|(_, line)| line).collect()
    }

    #[test]
    fn lines_end_at_newlines_alone() {
        assert_eq!(texts(b"a\nb\r\n\r\r\n\n", 9), ["a", "b", "\\r", ""]);
        assert_eq!(texts("a\u{85}b\u{2028}c\u{b}d\n".as_bytes(), 99).len(), 1);
    }

    #[test]
    fn the_last_line_may_lack_its_end() {
        assert_eq!(texts(b"a\nbc", 9), ["a", "bc..."]);
        assert_eq!(texts(b"", 9), [""; 0]);
    }

    #[test]
    fn long_lines_are_passed_over() {
        assert_eq!(texts(b"12345\n123456\n1\n1234567", 5), ["12345", "too long", "1", "too long"]);
    }

    #[test]
    fn a_byte_order_mark_belongs_to_no_line() {
        assert_eq!(texts(b"\xef\xbb\xbf{}\n\xef\xbb\xbf\n", 9), ["{}", "\\xef\\xbb\\xbf"]);
    }

    proptest! {
        #[test]
        fn the_pieces_of_a_stream_do_not_show(text in "[ab\r\n]{0,40}", piece in 1_usize..9, longest in 1_usize..9) {
            let text = text.as_bytes();
            prop_assert_eq!(lines(text, piece, longest), lines(text, usize::MAX, longest));
        }
    }
}
