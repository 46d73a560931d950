//! From quote to quote along a line, a block at a time.
#![expect(
    clippy::inline_always,
    reason = "it must be compiled into the walk for each kind of lanes"
)]

use super::lanes::{BLOCK, Lanes};

/// A place in a line, at its top level.
///
/// The masks of a block do not depend on where the tokens in it end, so that the processor can
/// work on the next block while this one is still being walked through.
pub(super) struct Cursor<'a, L> {
    /// The line and at least a block more.
    text: &'a [u8],
    /// Where the line ends in the text.
    end: usize,
    lanes: L,
    /// Where the current block starts.
    at: usize,
    /// The quotes of the block that come next and are not escaped.
    quotes: u64,
    backslashes: u64,
    /// 1 when a backslash at the end of the block escapes the first byte of the next one.
    escapes_next: u64,
    /// All backslashes of the blocks since the watch began.
    watched: u64,
}

impl<'a, L: Lanes> Cursor<'a, L> {
    /// At the start of the line that `text` starts with and that ends at `end`.
    #[inline(always)]
    pub(super) fn new(text: &'a [u8], end: usize, lanes: L) -> Self {
        let mut cursor = Self {
            text,
            end,
            lanes,
            at: 0,
            quotes: 0,
            backslashes: 0,
            escapes_next: 0,
            watched: 0,
        };
        cursor.enter(0);
        cursor
    }

    /// Starts to look out for backslashes, from somewhere in this block.
    #[inline(always)]
    pub(super) fn watch_for_backslashes(&mut self) {
        self.watched = self.backslashes;
    }

    /// Whether there may have been a backslash since the watch began. If not, there was none.
    #[inline(always)]
    pub(super) fn backslash_seen(&self) -> bool {
        self.watched != 0
    }

    /// Moves past the next quote that is not escaped, and returns where it is.
    #[inline(always)]
    pub(super) fn next_quote(&mut self) -> Option<usize> {
        while self.quotes == 0 {
            self.enter_next()?;
        }
        let at = self.at + self.quotes.trailing_zeros() as usize;
        self.quotes &= self.quotes - 1;
        (at < self.end).then_some(at)
    }

    /// Moves past the bracket that closes the one at `from`, and returns where that ends.
    ///
    /// There must be no quote between here and `from`.
    #[inline(always)]
    pub(super) fn skip_container(&mut self, from: usize) -> Option<usize> {
        while from - self.at >= BLOCK {
            self.enter_next()?;
        }
        let mut ahead = u64::MAX << (from - self.at);
        // All ones while the block starts in a string.
        let mut in_string = 0;
        let mut depth = 0;
        loop {
            let inside = self.lanes.prefix_xor(self.quotes) ^ in_string;
            in_string = (inside.cast_signed() >> 63).cast_unsigned();
            let (opens, closes) = self.lanes.brackets(self.block());
            let (opens, closes) = (opens & !inside & ahead, closes & !inside & ahead);
            ahead = u64::MAX;
            let down = closes.count_ones() as usize;
            if down >= depth
                && let Some(bit) = last_close(opens, closes, depth)
            {
                self.quotes &= (u64::MAX << bit) << 1;
                let after = self.at + bit + 1;
                return (after <= self.end).then_some(after);
            }
            depth = depth + opens.count_ones() as usize - down;
            self.enter_next()?;
        }
    }

    #[inline(always)]
    fn enter_next(&mut self) -> Option<()> {
        let next = self.at + BLOCK;
        if next >= self.end {
            return None;
        }
        self.enter(next);
        Some(())
    }

    #[inline(always)]
    fn enter(&mut self, at: usize) {
        self.at = at;
        let quotes;
        (quotes, self.backslashes) = self.lanes.quotes_and_backslashes(self.block());
        self.watched |= self.backslashes;
        self.quotes = quotes & !self.escaped();
    }

    #[inline(always)]
    fn block(&self) -> &'a [u8; BLOCK] {
        self.text[self.at..].first_chunk().expect("a block follows the line")
    }

    /// Which bytes of the block are escaped.
    #[inline(always)]
    fn escaped(&mut self) -> u64 {
        const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
        // In a run of backslashes every second one is itself escaped. To take the run from a
        // pattern of odd bits borrows through it, which leaves the parity of the run on its bits.
        let starts = self.backslashes & !self.escapes_next;
        let alternating = ((starts << 1) | ODD).wrapping_sub(starts) ^ ODD;
        let escaped = alternating ^ (self.backslashes | self.escapes_next);
        self.escapes_next = (alternating & self.backslashes) >> 63;
        escaped
    }
}

/// The bit of the bracket that brings `depth` down to nothing.
#[inline(always)]
fn last_close(opens: u64, mut closes: u64, depth: usize) -> Option<usize> {
    let mut down = 0;
    while closes != 0 {
        let bit = closes.trailing_zeros() as usize;
        down += 1;
        if depth + (opens & !(u64::MAX << bit)).count_ones() as usize == down {
            return Some(bit);
        }
        closes &= closes - 1;
    }
    None
}
