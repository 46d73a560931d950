//! Finds the row of a name in the vocabulary, in a few loads.
//!
//! The first eight and the last eight bytes of a registered name choose one slot of a table without
//! collisions, whose constants are found at compile time. Most texts already differ from the name in
//! their slot in these bytes or in length; a few more words hold the bytes between. No text is read
//! byte by byte.

use crate::{KINDS, Kind};

/// How many words hold the bytes between the first and the last eight of the longest name.
const INNER: usize = {
    let mut words = 0;
    let mut index = 0;
    while index < KINDS.len() {
        let between = KINDS[index].name.len().saturating_sub(16).div_ceil(8);
        if between > words {
            words = between;
        }
        index += 1;
    }
    words
};

/// What the slot of each registered name is made from.
const KEYS: [u64; KINDS.len()] = {
    let mut keys = [0; KINDS.len()];
    let mut index = 0;
    while index < KINDS.len() {
        let Some((first, last)) = ends(KINDS[index].name.as_bytes()) else {
            panic!("a registered name has at least 8 bytes")
        };
        keys[index] = key(first, last);
        index += 1;
    }
    keys
};

/// How many multipliers are tried for a table of one size before a larger one is.
const CANDIDATES: u64 = 2_000;
const MAX_SLOT_BITS: u32 = 10;

/// The multiplier that gives each registered name a slot of its own, and the size of the table.
const SPREAD: (u64, u32) = {
    let mut bits = 6;
    let mut seed = 1;
    loop {
        // Odd numbers that look random, always the same ones.
        let multiplier = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed) | 1;
        if spreads(multiplier, bits) {
            break (multiplier, bits);
        }
        seed += 1;
        if seed > CANDIDATES {
            seed = 1;
            bits += 1;
            assert!(
                bits <= MAX_SLOT_BITS,
                "two registered names share their first and last eight bytes: `key` must distinguish them"
            );
        }
    }
};
const MULTIPLIER: u64 = SPREAD.0;
const SLOT_BITS: u32 = SPREAD.1;

/// Whether no two registered names share a slot.
const fn spreads(multiplier: u64, bits: u32) -> bool {
    let mut taken = [false; 1 << MAX_SLOT_BITS];
    let mut index = 0;
    while index < KEYS.len() {
        let slot = slot(KEYS[index], multiplier, bits);
        if taken[slot] {
            return false;
        }
        taken[slot] = true;
        index += 1;
    }
    true
}

/// A registered name, ready to compare.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Slot {
    first: u64,
    inner: [u64; INNER],
    last: u64,
    /// Zero in an empty slot, which no text that is looked up has.
    len: usize,
    index: usize,
}

const EMPTY: Slot = Slot { first: 0, inner: [0; INNER], last: 0, len: 0, index: 0 };

static TABLE: [Slot; 1 << SLOT_BITS] = {
    let mut table = [EMPTY; 1 << SLOT_BITS];
    let mut index = 0;
    while index < KINDS.len() {
        let name = KINDS[index].name.as_bytes();
        if let Some((first, last)) = ends(name) {
            let slot = slot(KEYS[index], MULTIPLIER, SLOT_BITS);
            table[slot] = Slot { first, inner: inner(name), last, len: name.len(), index };
        }
        index += 1;
    }
    table
};

/// The registered kind of exactly this name.
#[must_use]
pub const fn kind(name: &str) -> Option<&'static Kind> {
    match position(name) {
        Some(index) => Some(&KINDS[index]),
        None => None,
    }
}

/// The index in [`KINDS`] of exactly this name.
#[must_use]
#[inline]
pub const fn position(name: &str) -> Option<usize> {
    let name = name.as_bytes();
    let Some((first, last)) = ends(name) else { return None };
    let slot = &TABLE[slot(key(first, last), MULTIPLIER, SLOT_BITS)];
    if first != slot.first || last != slot.last || name.len() != slot.len {
        return None;
    }
    // One branch for all words: only a name that is nearly right gets here.
    let inner = inner(name);
    let mut differences = 0;
    let mut word = 0;
    while word < INNER {
        differences |= inner[word] ^ slot.inner[word];
        word += 1;
    }
    if differences == 0 { Some(slot.index) } else { None }
}

/// The first and the last eight bytes, which overlap in a text shorter than 16.
#[inline]
const fn ends(text: &[u8]) -> Option<(u64, u64)> {
    match (text.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) => Some((u64::from_le_bytes(*first), u64::from_le_bytes(*last))),
        _ => None,
    }
}

/// The bytes between the [`ends`] in words of eight, which overlap the last eight bytes.
#[inline]
const fn inner(text: &[u8]) -> [u64; INNER] {
    let mut words = [0; INNER];
    let mut word = 0;
    while word < INNER {
        words[word] = word_up_to(text, 16 + 8 * word);
        word += 1;
    }
    words
}

/// The eight bytes that end here, or at the end of the text where that comes first.
///
/// Written so that the compiler sees that no slice is out of bounds.
#[inline]
const fn word_up_to(text: &[u8], end: usize) -> u64 {
    let end = if end < text.len() { end } else { text.len() };
    match text.split_at(end).0.last_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => 0,
    }
}

/// One number for both ends of a text.
#[inline]
const fn key(first: u64, last: u64) -> u64 {
    first.wrapping_add(last)
}

/// The slot of a key.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "a slot has few bits")]
const fn slot(key: u64, multiplier: u64, bits: u32) -> usize {
    (key.wrapping_mul(multiplier) >> (u64::BITS - bits)) as usize
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::string::String;

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
