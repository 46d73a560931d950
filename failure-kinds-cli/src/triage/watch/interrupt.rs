//! Ctrl-C, which ends a watch at any time.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use failure_kinds_rows::Progress;

use crate::fault::Fault;

/// Whether Ctrl-C was pressed. It stops the reading of files as well.
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Only the thread that calls this can [wait](Self::wait).
    pub(super) fn new() -> Result<Self, Fault> {
        let interrupt = Self(Arc::new(AtomicBool::new(false)));
        let (is_set, waiting) = (Arc::clone(&interrupt.0), thread::current());
        let handler = move || {
            is_set.store(true, Ordering::Relaxed);
            waiting.unpark();
        };
        ctrlc::set_handler(handler)
            .map_err(|error| Fault::new(format!("cannot wait for Ctrl-C: {error}")))?;
        Ok(interrupt)
    }

    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Waits for so long, or until Ctrl-C is pressed.
    pub(super) fn wait(&self, time: Duration) {
        let start = Instant::now();
        while let Some(rest) = time.checked_sub(start.elapsed())
            && !rest.is_zero()
            && !self.is_set()
        {
            thread::park_timeout(rest);
        }
    }
}

impl Progress for Interrupt {
    fn advance(&self, _: u64) -> io::Result<()> {
        if self.is_set() { Err(io::Error::other("stopped by Ctrl-C")) } else { Ok(()) }
    }
}
