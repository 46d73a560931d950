//! Work in Rust without the interpreter's lock, which Ctrl-C stops.

use std::any::Any;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// How long a signal waits until it is handled.
pub(crate) const PATIENCE: Duration = Duration::from_millis(50);

/// Stops reading when it is asked to.
#[derive(Debug, Default)]
pub(crate) struct Stop(AtomicBool);

impl Stop {
    pub(crate) fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl failure_kinds_rows::Progress for Stop {
    fn advance(&self, _: u64) -> io::Result<()> {
        if self.0.load(Ordering::Relaxed) { Err(io::Error::other("stopped")) } else { Ok(()) }
    }
}

/// Does work on a thread of its own. Meanwhile other threads of Python run, and signals are
/// handled: if a handler raises, the work is asked to stop, and nobody waits for it. It may be
/// waiting for a pipe.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> T + Send + 'static,
) -> PyResult<T> {
    let stop = Arc::new(Stop::default());
    let result = Arc::new(Slot { value: Mutex::new(None), is_filled: Condvar::new() });
    thread::spawn({
        let (stop, result) = (Arc::clone(&stop), Arc::clone(&result));
        move || result.fill(panic::catch_unwind(AssertUnwindSafe(|| work(&stop))))
    });
    loop {
        match py.detach(|| result.take()) {
            Some(Ok(value)) => return Ok(value),
            Some(Err(panic)) => panic::resume_unwind(panic),
            None => py.check_signals().inspect_err(|_| stop.stop())?,
        }
    }
}

/// A value that one thread passes to another.
struct Slot<T> {
    value: Mutex<Option<Result<T, Box<dyn Any + Send>>>>,
    is_filled: Condvar,
}

impl<T> Slot<T> {
    fn fill(&self, value: Result<T, Box<dyn Any + Send>>) {
        *self.value.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
        self.is_filled.notify_one();
    }

    /// Waits a while.
    fn take(&self) -> Option<Result<T, Box<dyn Any + Send>>> {
        let value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.is_filled.wait_timeout_while(value, PATIENCE, |value| value.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.take()
    }
}
