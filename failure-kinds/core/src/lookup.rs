//! From a text to its row of the vocabulary, in a handful of loads.
//!
//! Every registered name has 8 to 32 bytes. Its length, its first eight and its last eight bytes
//! choose one slot of a table without collisions, and four words that overlap where the name is
//! shorter than 32 bytes compare all of it. No text is walked byte by byte.

use crate::KINDS;

/// The shortest and the longest name that four words of eight bytes can hold.
const MIN_LEN: usize = 8;
const MAX_LEN: usize = 32;

/// Spreads the registered names over the slots without a collision. The build fails when a new
/// name collides; the test `the_multiplier_is_the_first_without_a_collision` names the next one.
const MULTIPLIER: u64 = 0x2c93_b1ee_2cb4_7073;

const SLOT_BITS: u32 = 6;
const SLOTS: usize = 1 << SLOT_BITS;

/// A registered name, ready to compare.
#[derive(Clone, Copy)]
struct Slot {
    words: [u64; 4],
    /// Zero in an empty slot, which no text that is looked up has.
    len: usize,
    index: usize,
}

static TABLE: [Slot; SLOTS] = {
    let mut table = [Slot { words: [0; 4], len: 0, index: 0 }; SLOTS];
    let mut index = 0;
    while index < KINDS.len() {
        let name = KINDS[index].name;
        let Some(words) = words(name.as_bytes()) else {
            panic!("a registered name has 8 to 32 bytes")
        };
        let slot = slot(words, name.len(), MULTIPLIER);
        assert!(
            table[slot].len == 0,
            "two registered names share a slot: choose another MULTIPLIER"
        );
        table[slot] = Slot { words, len: name.len(), index };
        index += 1;
    }
    table
};

/// The index in [`KINDS`] of exactly this name.
#[must_use]
#[inline]
pub const fn position(name: &str) -> Option<usize> {
    let Some(words) = words(name.as_bytes()) else { return None };
    let slot = &TABLE[slot(words, name.len(), MULTIPLIER)];
    let differences = (words[0] ^ slot.words[0])
        | (words[1] ^ slot.words[1])
        | (words[2] ^ slot.words[2])
        | (words[3] ^ slot.words[3])
        | (name.len() ^ slot.len) as u64;
    if differences == 0 { Some(slot.index) } else { None }
}

/// The text as four words: the eight bytes that end at 8, 16, 24 and 32, or at the end of the
/// text where that comes first. So they overlap in a text shorter than 32 bytes, and miss nothing.
#[inline]
const fn words(text: &[u8]) -> Option<[u64; 4]> {
    if text.len() < MIN_LEN || text.len() > MAX_LEN {
        return None;
    }
    Some([word_up_to(text, 8), word_up_to(text, 16), word_up_to(text, 24), word_up_to(text, 32)])
}

/// Written so that the compiler sees that no slice is out of bounds.
#[inline]
const fn word_up_to(text: &[u8], end: usize) -> u64 {
    let end = if end < text.len() { end } else { text.len() };
    match text.split_at(end).0.last_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => 0,
    }
}

/// The slot that a text belongs to, by its length, its first and its last eight bytes.
#[inline]
const fn slot(words: [u64; 4], len: usize, multiplier: u64) -> usize {
    let mixed = words[0] ^ words[3].rotate_left(27) ^ len as u64;
    (mixed.wrapping_mul(multiplier) >> (u64::BITS - SLOT_BITS)) as usize
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::collections::HashSet;
    use std::string::String;

    /// Odd numbers that look random, always the same ones.
    fn candidates() -> impl Iterator<Item = u64> {
        (1_u64..).map(|seed| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    #[test]
    fn the_multiplier_is_the_first_without_a_collision() {
        let spreads = |&multiplier: &u64| {
            let mut taken = HashSet::new();
            KINDS.iter().all(|kind| {
                let words = words(kind.name.as_bytes()).expect("8 to 32 bytes");
                taken.insert(slot(words, kind.name.len(), multiplier))
            })
        };
        let first = candidates().find(spreads).expect("there is one");
        assert_eq!(MULTIPLIER, first, "write {first:#018x}");
    }

    #[test]
    fn position_finds_each_name_and_nothing_close_to_it() {
        for (index, kind) in KINDS.iter().enumerate() {
            assert_eq!(position(kind.name), Some(index));
            assert_eq!(position(&(String::from(kind.name) + "x")), None);
            assert_eq!(position(&kind.name[1..]), None);
            assert_eq!(position(&kind.name[..kind.name.len() - 1]), None);
            for at in 0..kind.name.len() {
                let mut bytes = std::vec::Vec::from(kind.name);
                bytes[at] ^= 1;
                assert_eq!(position(std::str::from_utf8(&bytes).expect("ASCII")), None, "{at}");
            }
        }
        for text in ["", "a", "shutdow", "\0\0\0\0\0\0\0\0", &"x".repeat(33)] {
            assert_eq!(position(text), None, "{text:?}");
        }
    }
}
