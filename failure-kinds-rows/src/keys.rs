//! The keys that are wanted of each row, their lookup, and what a row has for them.

use std::fmt::{self, Debug, Formatter};

use crate::Text;

/// The raw text of the values that a row has for the wanted [`Keys`], by their indices.
#[derive(Clone, Copy)]
pub struct RawRow<'a, const N: usize> {
    /// Bit *i* is set if the row has the key of index *i*. The other values mean nothing.
    present: u64,
    values: [&'a [u8]; N],
}

impl<'a, const N: usize> RawRow<'a, N> {
    /// The value of the key of this index; `None` if the row does not have the key.
    ///
    /// # Panics
    ///
    /// When no key has this index.
    #[must_use]
    #[inline]
    pub const fn get(&self, index: usize) -> Option<&'a [u8]> {
        let value = self.values[index];
        if self.present >> index & 1 == 1 { Some(value) } else { None }
    }

    /// The keys that the row has: bit *i* stands for the key of index *i*.
    #[must_use]
    #[inline]
    pub const fn present(&self) -> u64 {
        self.present
    }

    /// The values of all keys; `None` for those that the row does not have.
    #[must_use]
    pub fn values(&self) -> [Option<&'a [u8]>; N] {
        std::array::from_fn(|index| self.get(index))
    }

    /// The indices of the keys that the row has, in their order, each with its value.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (usize, &'a [u8])> {
        let mut rest = self.present;
        std::iter::from_fn(move || {
            let index = rest.trailing_zeros() as usize;
            let value = self.values.get(index)?;
            rest &= rest - 1;
            Some((index, *value))
        })
    }

    /// Sets the value of a key. Of duplicate keys the last one counts.
    #[inline]
    pub(crate) const fn set(&mut self, index: usize, value: &'a [u8]) {
        self.values[index] = value;
        self.present |= 1 << index;
    }

    /// Empties it for another row.
    #[inline]
    pub(crate) const fn clear(&mut self) {
        self.present = 0;
    }
}

impl<const N: usize> Default for RawRow<'_, N> {
    /// A row without any of the keys.
    fn default() -> Self {
        Self { present: 0, values: [&[]; N] }
    }
}

impl<const N: usize> Debug for RawRow<'_, N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<const N: usize> PartialEq for RawRow<'_, N> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<const N: usize> Eq for RawRow<'_, N> {}

/// The top-level keys that are read of each row. Every other key is skipped.
///
/// A lookup costs one comparison, so it hardly matters how many keys are wanted.
///
/// ```
/// use failure_kinds_rows::Keys;
///
/// static KEYS: Keys<2> = Keys::new(["reward", "task_index"]);
/// assert_eq!(KEYS.names(), &["reward", "task_index"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Keys<const N: usize> {
    names: [&'static str; N],
    factors: Factors,
    /// At most one key per slot, so that a name is compared with one key only.
    slots: [Slot; SLOTS],
}

/// The factors that spread the wanted keys over the slots.
#[derive(Clone, Copy, Debug)]
struct Factors {
    length: usize,
    fifth: usize,
    last: usize,
}

/// A wanted key in its slot.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Zero where the slot is free.
    length: usize,
    words: [u64; WORDS],
    index: usize,
}

const SLOTS: usize = 128;
const WORDS: usize = 4;
/// The length of the shortest name that has a slot.
const SHORTEST: usize = 5;
/// The length of the longest name that [`words`] identifies.
const LONGEST: usize = 8 * WORDS;
/// Factors below this are tried.
const FACTORS: usize = 16;

impl<const N: usize> Keys<N> {
    /// The keys of these names. Meant for a `static` or a `const`.
    ///
    /// # Panics
    ///
    /// When a name is shorter than 5 or longer than 32 bytes, and when there is no slot for each
    /// name: two names must differ in length, fifth byte or last byte, and there is room for about
    /// 40 of them, and never for more than 64.
    #[must_use]
    pub const fn new(names: [&'static str; N]) -> Self {
        let mut index = 0;
        while index < N {
            let length = names[index].len();
            assert!(SHORTEST <= length && length <= LONGEST, "a key has 5 to 32 bytes");
            index += 1;
        }
        assert!(N <= u64::BITS as usize, "a row has a bit for each key");
        let mut tried = 0;
        while tried < FACTORS * FACTORS * FACTORS {
            let factors = Factors {
                length: tried / (FACTORS * FACTORS),
                fifth: tried / FACTORS % FACTORS,
                last: tried % FACTORS,
            };
            if let Some(slots) = arrange(&names, factors) {
                return Self { names, factors, slots };
            }
            tried += 1;
        }
        panic!(
            "two keys have the same length, fifth byte and last byte, or there are too many keys"
        )
    }

    /// The names, in the order of the values of a [`RawRow`].
    #[must_use]
    pub const fn names(&self) -> &[&'static str; N] {
        &self.names
    }

    /// The index of the wanted key of that name.
    #[inline]
    pub(crate) fn index_of(&self, name: &[u8]) -> Option<usize> {
        let slot = &self.slots[self.factors.slot(name)?];
        if slot.length != name.len() {
            return None;
        }
        let words = words(name);
        // One comparison of all words: the name is rarely another one of this length.
        let difference = (0..WORDS).fold(0, |sum, word| sum | (slot.words[word] ^ words[word]));
        if difference == 0 { Some(slot.index) } else { None }
    }

    /// The same for a name that may be spelled with escapes.
    #[cold]
    pub(crate) fn index_of_escaped(&self, name: &[u8]) -> Option<usize> {
        if name.len() <= LONGEST && !words(name).into_iter().any(has_backslash) {
            return None;
        }
        let name = Text::check(name)?.decode();
        self.names.iter().position(|key| *key == name)
    }
}

/// The names in their slots; `None` where two of them share one.
const fn arrange<const N: usize>(
    names: &[&'static str; N],
    factors: Factors,
) -> Option<[Slot; SLOTS]> {
    let mut taken = 0_u128;
    let mut index = 0;
    while index < N {
        let Some(slot) = factors.slot(names[index].as_bytes()) else { return None };
        if taken >> slot & 1 == 1 {
            return None;
        }
        taken |= 1 << slot;
        index += 1;
    }
    let mut slots = [Slot { length: 0, words: [0; WORDS], index: 0 }; SLOTS];
    index = 0;
    while index < N {
        let name = names[index].as_bytes();
        if let Some(slot) = factors.slot(name) {
            slots[slot] = Slot { length: name.len(), words: words(name), index };
        }
        index += 1;
    }
    Some(slots)
}

impl Factors {
    /// The slot of a name, from its length, its fifth byte and its last byte.
    #[inline]
    const fn slot(self, name: &[u8]) -> Option<usize> {
        match name {
            [_, _, _, _, fifth, ..] => {
                let last = name[name.len() - 1] as usize;
                let sum = name.len() * self.length + *fifth as usize * self.fifth;
                Some((sum + last * self.last) % SLOTS)
            }
            _ => None,
        }
    }
}

/// Whether one of the bytes of a word is a backslash.
const fn has_backslash(word: u64) -> bool {
    const ONES: u64 = u64::MAX / 0xff;
    let difference = word ^ (ONES * b'\\' as u64);
    // A byte is zero where taking one borrows from a high bit that was clear.
    difference.wrapping_sub(ONES) & !difference & (ONES << 7) != 0
}

/// The first three words and the last eight bytes of a name as words, which overlap where it is
/// short. Names of the same length, up to [`LONGEST`], are equal when these are.
#[inline]
const fn words(name: &[u8]) -> [u64; WORDS] {
    let (Some(first), Some(last)) = (name.first_chunk(), name.last_chunk()) else {
        let mut short = [0; 8];
        let mut index = 0;
        while index < name.len() && index < short.len() {
            short[index] = name[index];
            index += 1;
        }
        return [u64::from_le_bytes(short); WORDS];
    };
    let second = match name.split_at(8).1.first_chunk() {
        Some(second) => second,
        None => last,
    };
    let third = match name.split_at_checked(16) {
        Some((_, rest)) => match rest.first_chunk() {
            Some(third) => third,
            None => last,
        },
        None => last,
    };
    [
        u64::from_le_bytes(*first),
        u64::from_le_bytes(*second),
        u64::from_le_bytes(*third),
        u64::from_le_bytes(*last),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many keys as there is room for: those of rows of failures and of captures of calls.
    static MANY: Keys<30> = Keys::new([
        "_ng_failure_record",
        "_ng_failure_kind",
        "failure_kind",
        "_ng_failure_class",
        "_ng_failure_stage",
        "_ng_failure_http_status",
        "failure_reason",
        "_ng_failure_message",
        "_ng_failure_judge_error",
        "_ng_task_index",
        "_ng_rollout_index",
        "_ng_attempt_index",
        "_ng_failure_terminal",
        "mask_sample",
        "instance_config",
        "reward",
        "_ng_failure_events",
        "_ng_failure_id",
        "_ng_failure_counts_as_zero",
        "_ng_omitted_rollout",
        "_ng_omitted",
        "_ng_unrouted_run_error",
        "_ng_rollout_id",
        "response",
        "ng_model_call_capture",
        "model_ref",
        "completed_at",
        "latency_ms",
        "error_category",
        "upstream_status_code",
    ]);

    #[test]
    fn a_backslash_is_found_at_every_place_of_a_word() {
        for at in 0..8 {
            for byte in 0..=u8::MAX {
                for other in [0, 0x5b, 0x5d, 0xdc, 0xff] {
                    let mut bytes = [other; 8];
                    bytes[at] = byte;
                    let has = has_backslash(u64::from_le_bytes(bytes));
                    assert_eq!(has, byte == b'\\', "{bytes:?}");
                }
            }
        }
    }

    #[test]
    fn each_key_is_found_and_no_other_name() {
        for (index, name) in MANY.names().iter().enumerate() {
            assert_eq!(MANY.index_of(name.as_bytes()), Some(index));
            for at in 0..name.len() {
                let mut other = name.as_bytes().to_vec();
                other[at] ^= 1;
                assert_eq!(MANY.index_of(&other), None, "{}", other.escape_ascii());
            }
            assert_eq!(MANY.index_of(&name.as_bytes()[1..]), None);
        }
        assert_eq!(MANY.index_of(b""), None);
    }
}
