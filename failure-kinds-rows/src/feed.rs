//! The serial part of reading: whole lines, cut off a source a block at a time.

use std::io::{self, ErrorKind, Read};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::fast::lanes::BLOCK;

/// A fuzzer's inputs are short. It gets sizes that they go beyond.
const SMALL: bool = cfg!(failure_kinds_fuzzing);
/// Bytes read at a time: calls cost nothing then, and the bytes are still cached when scanned.
pub(super) const READ: usize = if SMALL { 128 } else { 512 << 10 };
/// Longer lines are giants: they are held, but one at a time.
const GIANT: usize = if SMALL { 512 } else { 16 << 20 };
/// Longer lines are passed over.
pub(super) const LONGEST: usize = if SMALL { 1024 } else { 256 << 20 };
/// Where reads land. A few bytes off the start of a page, the copy out of the page cache takes
/// four times as long on some processors.
const ALIGNMENT: usize = 64;

/// A buffer of whole lines.
///
/// Reads land at an aligned place in its middle; the start of a line that the block before left is
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

/// What a block stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    /// Lines, of which the last one of the source may lack a newline.
    Lines,
    /// One line that is too long to be held.
    TooLong,
}

/// What is dropped at the start of a source.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

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
        // An offset of no use is no fault either: it only costs time.
        let landing = READ + bytes[READ..].as_ptr().align_offset(ALIGNMENT) % ALIGNMENT;
        Self { bytes, landing, start: landing, end: landing, content: Content::Lines }
    }

    /// Hands over the lines, and tells how many there are.
    pub(super) fn for_each_line(&self, mut visit: impl FnMut(u32, Line<'_>)) -> u32 {
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
            let too_long = line.len() > LONGEST;
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

    /// Empties it, and gives back what a giant took.
    fn clear(&mut self) {
        if self.bytes.len() > GIANT + 4 * READ {
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

/// Sees to it that one giant at a time is in memory.
#[derive(Default)]
pub(super) struct Giants {
    is_here: Mutex<bool>,
    gone: Condvar,
}

/// Goes along with lines that were read. While it is that of a giant, no other giant is read.
pub(super) struct Alone<'g>(Option<&'g Giants>);

impl Giants {
    /// Waits until no other one is there.
    fn enter(&self) -> Alone<'_> {
        let is_here = self.gone.wait_while(self.lock(), |is_here| *is_here);
        *is_here.unwrap_or_else(PoisonError::into_inner) = true;
        Alone(Some(self))
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.is_here.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Alone<'_> {
    pub(super) const fn is_giant(&self) -> bool {
        self.0.is_some()
    }
}

impl Drop for Alone<'_> {
    fn drop(&mut self) {
        if let Self(Some(giants)) = self {
            *giants.lock() = false;
            giants.gone.notify_one();
        }
    }
}

/// What comes next of a source.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Ahead {
    /// All of it.
    Start,
    /// The rest of a line that is to be passed over.
    RestOfLine,
    /// What was read beyond a line that was passed over, whole lines perhaps.
    BeyondLine,
    /// More lines.
    #[default]
    Lines,
}

/// A source that is being read.
pub(super) struct Feed<'g, R> {
    pub(super) source: R,
    /// The block to fill next. It begins with what is left of a read: the start of a line whose
    /// end lies ahead.
    next: Block,
    ahead: Ahead,
    /// Whether nothing more will come.
    exhausted: bool,
    /// What made the source stop before its end.
    pub(super) failure: Option<io::Error>,
    giants: &'g Giants,
}

impl<'g, R: Read> Feed<'g, R> {
    /// Of the whole source. Feeds with the same `giants` hold no more than one of them at a time.
    pub(super) fn new(source: R, giants: &'g Giants) -> Self {
        Self {
            source,
            next: Block::new(),
            ahead: Ahead::Start,
            exhausted: false,
            failure: None,
            giants,
        }
    }

    /// Reads on behind the end, where the source stands before this now.
    pub(super) fn resume(&mut self, ahead: Ahead) {
        (self.ahead, self.exhausted) = (ahead, false);
    }

    /// Puts the next lines, if there are any, in the place of a block that is done with.
    ///
    /// A giant is to be done with before the next block is asked for.
    pub(super) fn fill(&mut self, block: &mut Block) -> Option<Alone<'g>> {
        let ahead = std::mem::take(&mut self.ahead);
        let mut alone = Alone(None);
        block.clear();
        if ahead == Ahead::RestOfLine {
            self.pass_over(block);
        }
        self.begin(block);
        let left = block.start;
        let mut cut =
            matches!(ahead, Ahead::RestOfLine | Ahead::BeyondLine) && self.cut(block, left);
        while !cut {
            let fresh = block.end;
            block.end += self.read(block, fresh);
            if block.len() > GIANT && !alone.is_giant() {
                alone = self.giants.enter();
            }
            if self.exhausted {
                break;
            }
            cut = self.cut(block, fresh);
            if !cut && block.len() > LONGEST {
                block.clear();
                self.pass_over(block);
                self.ahead = Ahead::BeyondLine;
                block.content = Content::TooLong;
                return Some(alone);
            }
        }
        // It belongs to no line.
        if ahead == Ahead::Start && block.bytes[block.start..block.end].starts_with(BYTE_ORDER_MARK)
        {
            block.start += BYTE_ORDER_MARK.len();
        }
        (block.len() > 0).then_some(alone)
    }

    /// Begins an empty block with what is left.
    fn begin(&mut self, block: &mut Block) {
        if block.bytes.len() > self.next.bytes.len() {
            // The one that has grown stays in use: two of them would take twice the memory.
            block.begin(&self.next.bytes[self.next.start..self.next.end]);
            self.next.clear();
        } else {
            std::mem::swap(block, &mut self.next);
        }
    }

    /// Ends a block with the last newline behind `from`, if there is one. What follows is left to
    /// the next block.
    fn cut(&mut self, block: &mut Block, from: usize) -> bool {
        let newline = memchr::memrchr(b'\n', &block.bytes[from..block.end]);
        if let Some(newline) = newline {
            let after = from + newline + 1;
            self.next.begin(&block.bytes[after..block.end]);
            block.end = after;
        }
        newline.is_some()
    }

    /// Reads on to the end of a line without holding it, by way of an empty block.
    fn pass_over(&mut self, block: &mut Block) {
        let landing = block.landing;
        while !self.exhausted {
            let read = self.read(block, landing);
            let fresh = &block.bytes[landing..landing + read];
            if let Some(newline) = memchr::memchr(b'\n', fresh) {
                self.next.begin(&fresh[newline + 1..]);
                break;
            }
        }
    }

    /// Reads [`READ`] bytes to `at`, or what is left of the source.
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
