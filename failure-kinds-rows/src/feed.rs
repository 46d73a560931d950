//! The serial part of reading: whole lines, cut off a source a block at a time.

use std::io::{self, ErrorKind, Read};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::fast::lanes::BLOCK;

/// The inputs of a fuzzer are short. It gets smaller sizes, so that they reach them.
const SMALL: bool = cfg!(failure_kinds_fuzzing);
/// Bytes read at a time: enough to make calls cheap, and few enough to be in the cache when scanned.
pub(super) const READ: usize = if SMALL { 128 } else { 512 << 10 };
/// Longer lines are large: they are buffered, but one at a time.
const LARGE: usize = if SMALL { 512 } else { 16 << 20 };
/// How long a line can be, in bytes. Longer ones are malformed and skipped, in bounded memory.
pub const LONGEST_LINE: usize = if SMALL { 1024 } else { 256 << 20 };
/// Where reads land. A few bytes from the start of a page, the copy out of the page cache takes
/// four times as long on some processors.
const ALIGNMENT: usize = 64;

/// A buffer of whole lines.
///
/// Reads land at an aligned place in its middle. The start of a line that the block before left is
/// put right in front of that.
pub(super) struct Block {
    bytes: Vec<u8>,
    /// Where reads land.
    landing: usize,
    /// Where the lines are.
    start: usize,
    end: usize,
    content: Content,
}

/// What a block contains.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    /// Lines. The last one of the source may lack a newline.
    Lines,
    /// One line that is too long to be buffered.
    TooLong,
}

/// What is dropped at the start of a source.
pub(super) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// One line of a block, without its newline and one carriage return before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Text {
        line: &'a [u8],
        /// The line and what follows, at least [`BLOCK`] bytes of whatever it is.
        text: &'a [u8],
        /// Whether a newline ends it: only the last line of a source can lack one.
        ended: bool,
    },
    TooLong,
}

impl Block {
    pub(super) fn new() -> Self {
        let bytes = vec![0; READ + ALIGNMENT + READ + BLOCK];
        // An offset that cannot be computed only costs time.
        let landing = READ + bytes[READ..].as_ptr().align_offset(ALIGNMENT) % ALIGNMENT;
        Self { bytes, landing, start: landing, end: landing, content: Content::Lines }
    }

    /// Visits the lines, and returns how many there are.
    pub(super) fn for_each_line<'a>(&'a self, mut visit: impl FnMut(u32, Line<'a>)) -> u32 {
        if let Content::TooLong = self.content {
            visit(0, Line::TooLong);
            return 1;
        }
        let (mut left, mut text) = (self.len(), &self.bytes[self.start..]);
        let mut number = 0;
        while left > 0 {
            let newline = memchr::memchr(b'\n', &text[..left]);
            let length = newline.unwrap_or(left);
            let line = text[..length].strip_suffix(b"\r").unwrap_or(&text[..length]);
            let ended = newline.is_some();
            let too_long = line.len() > LONGEST_LINE;
            visit(number, if too_long { Line::TooLong } else { Line::Text { line, text, ended } });
            number += 1;
            let next = left.min(length + 1);
            left -= next;
            text = &text[next..];
        }
        number
    }

    /// How many bytes the lines have.
    pub(super) const fn len(&self) -> usize {
        self.end - self.start
    }

    /// Empties it, and frees the memory of a large line.
    fn clear(&mut self) {
        if self.bytes.len() > LARGE + 4 * READ {
            *self = Self::new();
        }
        (self.start, self.end, self.content) = (self.landing, self.landing, Content::Lines);
    }

    /// Puts the start of a line in front of where reads land.
    fn begin(&mut self, line: &[u8]) {
        self.start = self.landing - line.len();
        self.bytes[self.start..self.landing].copy_from_slice(line);
    }
}

/// Keeps at most one large line in memory.
#[derive(Default)]
pub(super) struct LargeLines {
    is_taken: Mutex<bool>,
    freed: Condvar,
}

/// Belongs to lines that were read. While one of them is large, no other large line is read.
pub(super) struct Permit<'l>(Option<&'l LargeLines>);

impl LargeLines {
    /// Waits until no other large line is in memory.
    fn enter(&self) -> Permit<'_> {
        let is_taken = self.freed.wait_while(self.lock(), |is_taken| *is_taken);
        *is_taken.unwrap_or_else(PoisonError::into_inner) = true;
        Permit(Some(self))
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.is_taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Permit<'_> {
    pub(super) const fn is_for_large_line(&self) -> bool {
        self.0.is_some()
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        if let Self(Some(large_lines)) = self {
            *large_lines.lock() = false;
            large_lines.freed.notify_one();
        }
    }
}

/// What a source continues with.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Next {
    /// Its start.
    Start,
    /// The rest of a line that is skipped.
    RestOfLine,
    /// What was read after a line that was skipped, perhaps whole lines.
    AfterLine,
    /// More lines.
    #[default]
    Lines,
}

/// A source that is being read.
pub(super) struct Feed<'l, R> {
    pub(super) source: R,
    /// The block to fill next. It begins with the rest of a read: the start of a line whose end
    /// was not read yet.
    rest: Block,
    next: Next,
    /// Whether nothing more will come.
    exhausted: bool,
    /// What made the source stop before its end.
    pub(super) failure: Option<io::Error>,
    large_lines: &'l LargeLines,
}

impl<'l, R: Read> Feed<'l, R> {
    /// Reads the whole source. Feeds that share `large_lines` keep at most one in memory.
    pub(super) fn new(source: R, large_lines: &'l LargeLines) -> Self {
        Self {
            source,
            rest: Block::new(),
            next: Next::Start,
            exhausted: false,
            failure: None,
            large_lines,
        }
    }

    /// Continues after the end, where the source has more now.
    pub(super) fn resume(&mut self, next: Next) {
        (self.next, self.exhausted) = (next, false);
    }

    /// Replaces the lines of a block that are done with by the next ones, if there are any.
    ///
    /// The permit of a large line must be dropped before the next call.
    pub(super) fn fill(&mut self, block: &mut Block) -> Option<Permit<'l>> {
        let next = std::mem::take(&mut self.next);
        let mut permit = Permit(None);
        block.clear();
        if next == Next::RestOfLine {
            self.skip_line(block);
        }
        self.begin(block);
        let rest = block.start;
        let mut cut = matches!(next, Next::RestOfLine | Next::AfterLine) && self.cut(block, rest);
        while !cut {
            let fresh = block.end;
            block.end += self.read(block, fresh);
            if block.len() > LARGE && !permit.is_for_large_line() {
                permit = self.large_lines.enter();
            }
            if self.exhausted {
                break;
            }
            cut = self.cut(block, fresh);
            if !cut && block.len() > LONGEST_LINE {
                block.clear();
                self.skip_line(block);
                self.next = Next::AfterLine;
                block.content = Content::TooLong;
                return Some(permit);
            }
        }
        // It belongs to no line.
        if next == Next::Start && block.bytes[block.start..block.end].starts_with(BYTE_ORDER_MARK) {
            block.start += BYTE_ORDER_MARK.len();
        }
        (block.len() > 0).then_some(permit)
    }

    /// Begins an empty block with the rest of the last read.
    fn begin(&mut self, block: &mut Block) {
        if block.bytes.len() > self.rest.bytes.len() {
            // The one that has grown stays in use: two of them would take twice the memory.
            block.begin(&self.rest.bytes[self.rest.start..self.rest.end]);
            self.rest.clear();
        } else {
            std::mem::swap(block, &mut self.rest);
        }
    }

    /// Ends a block with the last newline after `from`, if there is one. What follows is left to
    /// the next block.
    fn cut(&mut self, block: &mut Block, from: usize) -> bool {
        let newline = memchr::memrchr(b'\n', &block.bytes[from..block.end]);
        if let Some(newline) = newline {
            let after = from + newline + 1;
            self.rest.begin(&block.bytes[after..block.end]);
            block.end = after;
        }
        newline.is_some()
    }

    /// Reads to the end of a line without keeping it, by way of an empty block.
    fn skip_line(&mut self, block: &mut Block) {
        let landing = block.landing;
        while !self.exhausted {
            let read = self.read(block, landing);
            let fresh = &block.bytes[landing..landing + read];
            if let Some(newline) = memchr::memchr(b'\n', fresh) {
                self.rest.begin(&fresh[newline + 1..]);
                break;
            }
        }
    }

    /// Reads [`READ`] bytes to `at`, or the rest of the source.
    fn read(&mut self, block: &mut Block, at: usize) -> usize {
        let needed = at + READ + BLOCK;
        if block.bytes.len() < needed {
            block.bytes.resize(needed, 0);
        }
        let room = &mut block.bytes[at..at + READ];
        let mut length = 0;
        while length < READ && !self.exhausted {
            match self.source.read(&mut room[length..]) {
                Ok(0) => self.exhausted = true,
                Ok(read) => length += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(error);
                    self.exhausted = true;
                }
            }
        }
        length
    }
}
