//! The set of names that were warned about, with every order of the threads' steps.
//!
//! The module is the product's source; only the atomics are the model checker's.

#![allow(clippy::unwrap_used, reason = "a test that unwraps says what is wrong by its line")]

extern crate alloc;

#[path = "../../failure-kinds/src/warn_once/names.rs"]
mod names;

mod atomics {
    pub(super) use loom::sync::atomic::{AtomicU64, Ordering};
}

use core::num::NonZeroU64;

use loom::sync::Arc;
use loom::thread;
use names::{Memory, Names};

/// Tries every order with at most two interruptions of each thread, which takes seconds and
/// reaches every step. `LOOM_MAX_PREEMPTIONS` raises the number.
fn check(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = builder.preemption_bound.or(Some(2));
    builder.check(model);
}

/// Adds these fingerprints to a set for two names, on one thread each. Returns what each thread
/// got.
fn threads<const N: usize>(names: &Arc<Names>, brought: [&'static [u64]; N]) -> Vec<(u64, Memory)> {
    let bring = |names: &Names, brought: &[u64]| -> Vec<_> {
        brought.iter().map(|&name| (name, names.remember(NonZeroU64::new(name).unwrap()))).collect()
    };
    let (first, others) = brought.split_first().unwrap();
    let others: Vec<_> = others
        .iter()
        .map(|&brought| {
            let names = names.clone();
            thread::spawn(move || bring(&names, brought))
        })
        .collect();
    let mut told = bring(names, first);
    for other in others {
        told.extend(other.join().unwrap());
    }
    told
}

fn count(told: &[(u64, Memory)], wanted: Memory) -> usize {
    told.iter().filter(|(_, memory)| *memory == wanted).count()
}

#[test]
fn one_thread_learns_that_a_name_is_new() {
    check(|| {
        let names = Arc::new(Names::new(2));
        // 1 and 5 start at the same place of the index.
        let told = threads(&names, [&[1, 5], &[5, 1]]);
        for name in [1, 5] {
            let of = told.iter().filter(|(of, memory)| *of == name && *memory == Memory::New);
            assert_eq!(of.count(), 1, "{told:?}");
        }
        assert_eq!(count(&told, Memory::Known), 2, "{told:?}");
        assert_eq!(names.len(), 2);
    });
}

#[test]
fn one_of_three_threads_learns_that_a_name_is_new() {
    check(|| {
        let names = Arc::new(Names::new(2));
        let told = threads(&names, [&[7], &[7], &[7]]);
        assert_eq!((count(&told, Memory::New), count(&told, Memory::Known)), (1, 2), "{told:?}");
    });
}

#[test]
fn a_full_set_holds_exactly_its_limit() {
    check(|| {
        let names = Arc::new(Names::new(2));
        let told = threads(&names, [&[1, 2], &[3, 2]]);
        assert_eq!(count(&told, Memory::New), 2, "{told:?}");
        assert_eq!(names.len(), 2);
        // Remembered names stay remembered, and rejected ones stay rejected.
        for name in [1, 2, 3] {
            let was_new = told.contains(&(name, Memory::New));
            let wanted = if was_new { Memory::Known } else { Memory::Full };
            assert_eq!(names.remember(NonZeroU64::new(name).unwrap()), wanted, "{told:?}");
            assert!(was_new || told.contains(&(name, Memory::Full)), "{told:?}");
        }
    });
}
