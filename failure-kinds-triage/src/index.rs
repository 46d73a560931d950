//! Numbers of distinct things, found by their hashes.

use std::hash::{BuildHasher, Hash};
use std::sync::LazyLock;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// The numbers of things in a list elsewhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index(HashTable<Slot>);

/// There may be millions, far apart in memory. With its hash beside the number, a thing is hardly
/// ever looked at in vain, and never when the table grows.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    number: u32,
}

impl Slot {
    /// Spreads a hash over all the bits that a table goes by.
    const fn spread(hash: u32) -> u64 {
        (hash as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The hash of a thing. It is the same for all tables of a process.
pub(crate) fn hash(thing: &(impl Hash + ?Sized)) -> u32 {
    static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::default);
    let hash = STATE.hash_one(thing);
    #[expect(clippy::cast_possible_truncation, reason = "both halves are in it")]
    let hash = (hash ^ hash >> 32) as u32;
    hash
}

impl Index {
    /// The number of the thing with this hash that `is_it` recognises; `next` if there is none so
    /// far.
    pub(crate) fn find_or_add(&mut self, hash: u32, next: u32, is_it: impl Fn(u32) -> bool) -> u32 {
        let Self(table) = self;
        let entry = table.entry(
            Slot::spread(hash),
            |slot| slot.hash == hash && is_it(slot.number),
            |slot| Slot::spread(slot.hash),
        );
        entry.or_insert(Slot { hash, number: next }).get().number
    }
}
