//! A bounded set of fingerprints that threads share without a lock.

use alloc::boxed::Box;
use core::num::NonZeroU64;

use super::atomics::{AtomicU64, Ordering};

/// The state of a name in the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Memory {
    /// It was new: the caller is the one that reports it.
    New,
    /// It was seen before.
    Known,
    /// It is not remembered, because the set is full.
    Full,
}

/// At most a fixed number of fingerprints, none of which is ever removed.
///
/// The list decides: whoever adds a fingerprint has compared it with every entry before its own,
/// so it has each of them once, and for exactly one thread it was new. The index only finds what
/// the list holds, in a step or two.
pub(super) struct Names {
    /// In the order of arrival; zero is a free place, and everything after it is free too.
    list: Box<[AtomicU64]>,
    /// The same by hash: open addressing, at most half full.
    index: Box<[AtomicU64]>,
    /// How many entries of the list are in the index.
    indexed: AtomicU64,
}

impl Names {
    /// An empty set for at most `limit` fingerprints, a power of two.
    pub(super) fn new(limit: usize) -> Self {
        assert!(limit.is_power_of_two());
        let free = |places| (0..places).map(|_| AtomicU64::new(0)).collect();
        Self { list: free(limit), index: free(limit * 2), indexed: AtomicU64::new(0) }
    }

    /// How many fingerprints the set holds.
    pub(super) fn len(&self) -> u64 {
        self.indexed.load(Ordering::Acquire)
    }

    /// Adds a fingerprint unless it is there or the set is full.
    pub(super) fn remember(&self, fingerprint: NonZeroU64) -> Memory {
        let fingerprint = fingerprint.get();
        // Read before the search: only then does a miss in a full index prove anything.
        let complete = self.len() == self.list.len() as u64;
        let Err(free) = self.find(fingerprint) else {
            return Memory::Known;
        };
        if complete {
            return Memory::Full;
        }
        let place = self.list.iter().find_map(|place| {
            let held = match place.load(Ordering::Relaxed) {
                0 => match place.compare_exchange(
                    0,
                    fingerprint,
                    Ordering::Relaxed,
                    Ordering::Relaxed,
                ) {
                    Ok(_) => return Some(Memory::New),
                    Err(held) => held,
                },
                held => held,
            };
            (held == fingerprint).then_some(Memory::Known)
        });
        if place == Some(Memory::New) {
            self.put(fingerprint, free);
            self.indexed.fetch_add(1, Ordering::Release);
        }
        place.unwrap_or(Memory::Full)
    }

    /// Finds a fingerprint in the index, or the free place where the search ended.
    fn find(&self, fingerprint: u64) -> Result<(), usize> {
        let mut place = self.start(fingerprint);
        loop {
            match self.index[place].load(Ordering::Relaxed) {
                0 => return Err(place),
                held if held == fingerprint => return Ok(()),
                _ => place = self.next(place),
            }
        }
    }

    /// Puts a fingerprint that only this thread adds into the first free place from here on.
    fn put(&self, fingerprint: u64, mut place: usize) {
        let swap = |place: usize| {
            let (free, set) = (0, fingerprint);
            self.index[place].compare_exchange(free, set, Ordering::Relaxed, Ordering::Relaxed)
        };
        while swap(place).is_err() {
            place = self.next(place);
        }
    }

    #[allow(clippy::cast_possible_truncation, reason = "the low bits are as good as the others")]
    fn start(&self, fingerprint: u64) -> usize {
        fingerprint as usize & (self.index.len() - 1)
    }

    fn next(&self, place: usize) -> usize {
        (place + 1) & (self.index.len() - 1)
    }
}
