//! The atomics of [`super::names`], in their own module, so that a model checker can replace them.

pub(super) use core::sync::atomic::{AtomicU64, Ordering};
