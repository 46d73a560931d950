//! The atomics of [`super::names`], apart so that a model checker can put its own in their place.

pub(super) use core::sync::atomic::{AtomicU64, Ordering};
