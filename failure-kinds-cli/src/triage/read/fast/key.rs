//! Which of the keys that are read a key of a row is.

use crate::triage::read::Text;
use crate::triage::row::KEYS;

/// The index in [`KEYS`] of the key of that name, if it is read.
#[inline]
pub(super) fn index_of(name: &[u8]) -> Option<usize> {
    let known = &KNOWN[slot(name)?];
    if known.length != name.len() {
        return None;
    }
    let words = words(name);
    // One comparison of all words: the name is rarely another one of this length.
    let difference = (0..3).fold(0, |sum, word| sum | (known.words[word] ^ words[word]));
    if difference == 0 { Some(known.index) } else { None }
}

/// The same of a key that may be spelled with escapes.
#[cold]
pub(super) fn index_of_escaped(name: &[u8]) -> Option<usize> {
    if !name.contains(&b'\\') {
        return None;
    }
    let name = Text::check(name)?.decode();
    KEYS.iter().position(|key| *key == name)
}

/// A watched key in its slot.
#[derive(Clone, Copy)]
struct Known {
    /// Zero where the slot is free.
    length: usize,
    words: [u64; 3],
    index: usize,
}

/// The length of the longest watched key that [`words`] can tell from others.
const LONGEST_NAME: usize = 24;

const SLOTS: usize = 64;

/// At most one key per slot, so that a name is compared with one key only.
static KNOWN: [Known; SLOTS] = {
    let mut slots = [Known { length: 0, words: [0; 3], index: 0 }; SLOTS];
    let mut index = 0;
    while index < KEYS.len() {
        let name = KEYS[index].as_bytes();
        assert!(name.len() <= LONGEST_NAME, "a watched key is longer than its words");
        let Some(slot) = slot(name) else { panic!("a watched key is too short") };
        assert!(slots[slot].length == 0, "two watched keys share a slot");
        slots[slot] = Known { length: name.len(), words: words(name), index };
        index += 1;
    }
    slots
};

/// Length, fifth and last byte tell the watched keys apart.
#[inline]
const fn slot(name: &[u8]) -> Option<usize> {
    match name {
        [_, _, _, _, fifth, .., last] => {
            Some((name.len() * 8 + *fifth as usize * 2 + *last as usize) % SLOTS)
        }
        _ => None,
    }
}

/// The first, the second and the last eight bytes of a name, which overlap where it is short:
/// names of one length, up to [`LONGEST_NAME`], are equal when these are.
#[inline]
const fn words(name: &[u8]) -> [u64; 3] {
    let (Some(first), Some(last)) = (name.first_chunk(), name.last_chunk()) else {
        let mut short = [0; 8];
        let mut index = 0;
        while index < name.len() {
            short[index] = name[index];
            index += 1;
        }
        return [u64::from_le_bytes(short); 3];
    };
    let second = match name.split_at(8).1.first_chunk() {
        Some(second) => second,
        None => last,
    };
    [u64::from_le_bytes(*first), u64::from_le_bytes(*second), u64::from_le_bytes(*last)]
}
