//! Lines and columns of a text.

extern crate std;

use std::cell::OnceCell;
use std::vec::Vec;

/// A line and a column, both from 1. Columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// Turns offsets of one text into lines and columns.
#[derive(Debug)]
pub struct Lines<'t> {
    text: &'t [u8],
    /// Where each line starts. Most texts are never asked.
    starts: OnceCell<Vec<usize>>,
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

impl Place {
    /// The place after these bytes of a line.
    #[must_use]
    pub fn after(line: usize, before: &[u8]) -> Self {
        Self { line, column: characters(before) + 1 }
    }
}

impl<'t> Lines<'t> {
    /// The lines of a text. A byte order mark at its start takes no column.
    #[must_use]
    pub const fn new(text: &'t [u8]) -> Self {
        Self { text, starts: OnceCell::new() }
    }

    /// The place of a byte; of the end, for an offset after the end.
    #[must_use]
    pub fn place(&self, at: usize) -> Place {
        let at = at.min(self.text.len());
        let starts = self.starts.get_or_init(|| {
            let newlines = self.text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            std::iter::once(0).chain(newlines.map(|(newline, _)| newline + 1)).collect()
        });
        let line = starts.partition_point(|start| *start <= at);
        let before = &self.text[starts[line - 1]..at];
        let is_first = line == 1;
        Place::after(
            line,
            before.strip_prefix(BYTE_ORDER_MARK).filter(|_| is_first).unwrap_or(before),
        )
    }
}

/// The number of characters. Invalid UTF-8 counts as the replacement characters that it becomes.
fn characters(text: &[u8]) -> usize {
    text.utf8_chunks()
        .map(|chunk| chunk.valid().chars().count() + usize::from(!chunk.invalid().is_empty()))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &[u8], at: usize) -> (usize, usize) {
        let Place { line, column } = Lines::new(text).place(at);
        (line, column)
    }

    #[test]
    fn columns_count_characters_from_one() {
        let text = "aé\nx\r\n".as_bytes();
        assert_eq!(place(text, 0), (1, 1));
        assert_eq!(place(text, 3), (1, 3));
        assert_eq!(place(text, 4), (2, 1));
        assert_eq!(place(text, 7), (3, 1));
        assert_eq!(place(text, 99), (3, 1));
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        let text = "\u{feff}a\n\u{feff}b".as_bytes();
        assert_eq!(place(text, 3), (1, 1));
        assert_eq!(place(text, 4), (1, 2));
        assert_eq!(place(text, 8), (2, 2));
    }

    #[test]
    fn invalid_utf8_counts_as_its_replacement() {
        assert_eq!(place(b"\xff\xfea", 2), (1, 3));
        assert_eq!(place("a\u{20ac}".as_bytes(), 3), (1, 3));
    }
}
