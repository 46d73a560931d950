//! From a text to its row of the vocabulary, in a handful of loads.
//!
//! Every registered name has 8 to 32 bytes. Its first eight and its last eight bytes choose one
//! slot of a table without collisions. Most texts already differ from the name in that slot there
//! or by their length; two more words hold what lies between. No text is walked byte by byte.

use crate::KINDS;

/// The shortest and the longest name that four words of eight bytes can hold.
const MIN_LEN: usize = 8;
const MAX_LEN: usize = 32;

/// Spreads the registered names over the slots without a collision. When a new name collides, the
/// build fails and says how to find the next one.
const MULTIPLIER: u64 = 0x7cb9_db5d_bfd9_5a3b;

const SLOT_BITS: u32 = 6;
const SLOTS: usize = 1 << SLOT_BITS;

/// A registered name, ready to compare.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Slot {
    first: u64,
    inner: [u64; 2],
    last: u64,
    /// Zero in an empty slot, which no text that is looked up has.
    len: usize,
    index: usize,
}

const EMPTY: Slot = Slot { first: 0, inner: [0; 2], last: 0, len: 0, index: 0 };

static TABLE: [Slot; SLOTS] = {
    let mut table = [EMPTY; SLOTS];
    let mut index = 0;
    while index < KINDS.len() {
        let name = KINDS[index].name.as_bytes();
        assert!(MIN_LEN <= name.len() && name.len() <= MAX_LEN, "a name has 8 to 32 bytes");
        let Some((first, last)) = ends(name) else { panic!("a name has 8 bytes") };
        let slot = slot(first, last, MULTIPLIER);
        // The test that finds another one must still build.
        assert!(
            cfg!(test) || table[slot].len == 0,
            "two registered names share a slot; `cargo test -p failure-kinds-core --lib multiplier` \
             says which MULTIPLIER to write"
        );
        table[slot] = Slot { first, inner: inner(name), last, len: name.len(), index };
        index += 1;
    }
    table
};

/// The index in [`KINDS`] of exactly this name.
#[must_use]
#[inline]
pub const fn position(name: &str) -> Option<usize> {
    let name = name.as_bytes();
    let Some((first, last)) = ends(name) else { return None };
    let slot = &TABLE[slot(first, last, MULTIPLIER)];
    if first != slot.first || last != slot.last || name.len() != slot.len {
        return None;
    }
    let inner = inner(name);
    // One branch for both words: only a name that is nearly right comes this far.
    let differences = (inner[0] ^ slot.inner[0]) | (inner[1] ^ slot.inner[1]);
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

/// The eight bytes that end at 16 and at 24, or at the end of the text where that comes first:
/// all that [`ends`] leaves out.
#[inline]
const fn inner(text: &[u8]) -> [u64; 2] {
    [word_up_to(text, 16), word_up_to(text, 24)]
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

/// The slot that a text with these ends belongs to.
#[inline]
const fn slot(first: u64, last: u64, multiplier: u64) -> usize {
    (first.wrapping_add(last).wrapping_mul(multiplier) >> (u64::BITS - SLOT_BITS)) as usize
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
                let (first, last) = ends(kind.name.as_bytes()).expect("8 to 32 bytes");
                taken.insert(slot(first, last, multiplier))
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
