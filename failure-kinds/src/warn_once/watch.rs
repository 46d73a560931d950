use alloc::boxed::Box;
use core::fmt::{self, Debug, Formatter};
use core::num::NonZeroU64;
use std::hash::{BuildHasher, RandomState};

use failure_kinds_core::{is_namespaced, position};
use once_cell::race::OnceBox;

use super::atomics::{AtomicU64, Ordering};
use super::event;
use super::names::{Memory, Names};

/// The most names that a watch remembers.
pub(super) const REMEMBERED: usize = 4096;

/// A boundary with its own memory: warns once about each unregistered name that passes it.
///
/// The free function [`validate_failure_kind`](crate::validate_failure_kind), which describes the
/// warning, uses one watch for the whole process. A separate watch is for tests, and for a program
/// that warns once per scope, such as once per run.
///
/// A watch takes no memory until the first unregistered name, and 96 KiB from then on.
///
/// ```
/// use failure_kinds::FailureKindWatch;
///
/// let run = FailureKindWatch::new();
/// for name in ["judge_failed", "judge_faild", "judge_faild", "env:tab_crashed"] {
///     assert_eq!(run.validate(name), name);
/// }
/// assert_eq!((run.seen(), run.suppressed()), (1, 0));
/// ```
#[derive(Default)]
pub struct FailureKindWatch {
    memory: OnceBox<Seeded>,
}

struct Seeded {
    seed: RandomState,
    names: Names,
    suppressed: Separated,
}

/// A counter on its own cache line: threads that count do not slow those that only read.
#[repr(align(128))]
struct Separated(AtomicU64);

impl FailureKindWatch {
    /// A watch that has seen nothing; in a `static`, one for the whole program.
    #[must_use]
    pub const fn new() -> Self {
        Self { memory: OnceBox::new() }
    }

    /// Returns `name` unchanged, and warns if it is an unregistered name that this watch has not
    /// seen before.
    #[inline]
    pub fn validate<'a>(&self, name: &'a str) -> &'a str {
        if position(name).is_none() {
            self.not_registered(name);
        }
        name
    }

    /// As [`Self::validate`]; `None` passes silently.
    pub fn validate_opt<'a>(&self, name: Option<&'a str>) -> Option<&'a str> {
        name.map(|name| self.validate(name))
    }

    /// How many names were reported: at most 4,096.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.memory.get().map_or(0, |memory| memory.names.len())
    }

    /// How many calls had an unregistered name that is not remembered, because 4,096 others are.
    #[must_use]
    pub fn suppressed(&self) -> u64 {
        self.memory.get().map_or(0, |memory| memory.suppressed.0.load(Ordering::Relaxed))
    }

    fn not_registered(&self, name: &str) {
        if is_namespaced(name) {
            return;
        }
        let memory = self.memory.get_or_init(Box::default);
        // The name is remembered before anything is emitted: a subscriber may panic or call back.
        match memory.names.remember(memory.fingerprint(name)) {
            Memory::Known => {}
            Memory::New => event::unregistered(name),
            Memory::Full => {
                if memory.suppressed.0.fetch_add(1, Ordering::Relaxed) == 0 {
                    event::full();
                }
            }
        }
    }
}

impl Debug for FailureKindWatch {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("FailureKindWatch")
            .field("seen", &self.seen())
            .field("suppressed", &self.suppressed())
            .finish()
    }
}

impl Default for Seeded {
    fn default() -> Self {
        Self {
            seed: RandomState::new(),
            names: Names::new(REMEMBERED),
            suppressed: Separated(AtomicU64::new(0)),
        }
    }
}

impl Seeded {
    /// `SipHash` with a random key: nobody outside can choose names that collide.
    fn fingerprint(&self, name: &str) -> NonZeroU64 {
        NonZeroU64::new(self.seed.hash_one(name)).unwrap_or(NonZeroU64::MAX)
    }
}
