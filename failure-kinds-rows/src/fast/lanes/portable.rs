//! The marks of a block in plain integer arithmetic, for every processor.
#![expect(
    clippy::inline_always,
    reason = "it must be compiled into the walk for each kind of lanes"
)]

use super::{BLOCK, BRACKET_BIT, Lanes};
use crate::fast::walk;
use crate::{Keys, RawRow, SyntaxError};

/// Eight bytes per step, in a `u64`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Portable {
    pub(crate) fn scan<'a, const N: usize>(
        self,
        line: &'a [u8],
        text: &[u8],
        keys: &Keys<N>,
        row: &mut RawRow<'a, N>,
    ) -> Result<(), SyntaxError<'a>> {
        walk(line, text, keys, row, self)
    }
}

impl Lanes for Portable {
    #[inline(always)]
    fn quotes_and_backslashes(self, block: &[u8; BLOCK]) -> (u64, u64) {
        masks(block, |word| (equal(word, b'"'), equal(word, b'\\')))
    }

    #[inline(always)]
    fn brackets(self, block: &[u8; BLOCK]) -> (u64, u64) {
        masks(block, |word| {
            let word = word | repeated(BRACKET_BIT);
            (equal(word, b'{'), equal(word, b'}'))
        })
    }

    #[inline(always)]
    fn prefix_xor(self, mut bits: u64) -> u64 {
        for distance in [1, 2, 4, 8, 16, 32] {
            bits ^= bits << distance;
        }
        bits
    }
}

/// Puts the two masks of each word together.
#[inline(always)]
fn masks(block: &[u8; BLOCK], of_word: impl Fn(u64) -> (u64, u64)) -> (u64, u64) {
    let (words, _) = block.as_chunks();
    let mut both = (0, 0);
    for (index, word) in words.iter().enumerate() {
        let (first, second) = of_word(u64::from_le_bytes(*word));
        both.0 |= first << (8 * index);
        both.1 |= second << (8 * index);
    }
    both
}

/// Bit *i* tells whether byte *i* of `word` is `byte`.
#[inline(always)]
fn equal(word: u64, byte: u8) -> u64 {
    const LOW: u64 = repeated(0x7F);
    let difference = word ^ repeated(byte);
    // The high bit of each byte that is zero; no carry crosses a byte.
    let zero = !(((difference & LOW) + LOW) | difference | LOW);
    // Gathers the eight high bits in the top byte.
    ((zero >> 7).wrapping_mul(0x0102_0408_1020_4080)) >> 56
}

const fn repeated(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}
