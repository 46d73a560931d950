//! A progress bar on standard error, for work that takes more than a second.

use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter work shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// Counts bytes, and shows them in a progress bar.
pub(crate) struct Progress {
    start: Instant,
    /// `None` if the total is unknown.
    total: Option<u64>,
    visible: bool,
    done: std::sync::atomic::AtomicU64,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// For work on this number of bytes, if it is known.
    pub(crate) fn of_bytes(total: Option<u64>) -> Self {
        Self {
            start: Instant::now(),
            total,
            visible: io::stderr().is_terminal(),
            done: std::sync::atomic::AtomicU64::new(0),
            bar: OnceLock::new(),
        }
    }

    /// Counts more bytes as done. Any thread may call it.
    pub(crate) fn add(&self, bytes: u64) {
        use std::sync::atomic::Ordering::Relaxed;
        if !self.visible {
            return;
        }
        let done = self.done.fetch_add(bytes, Relaxed) + bytes;
        if self.bar.get().is_some() || self.start.elapsed() >= PATIENCE {
            self.bar.get_or_init(|| bar(self.total)).set_position(done);
        }
    }

    /// Clears the bar, so that the report starts on a clean line.
    pub(crate) fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

impl failure_kinds_rows::Progress for Progress {
    fn advance(&self, bytes: u64) -> io::Result<()> {
        self.add(bytes);
        Ok(())
    }
}

fn bar(total: Option<u64>) -> ProgressBar {
    let (bar, style) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{bytes} of {total_bytes} {wide_bar} {binary_bytes_per_sec}, {eta} left",
        ),
        None => (ProgressBar::new_spinner(), "{spinner} {bytes} {binary_bytes_per_sec}"),
    };
    bar.set_draw_target(ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar
}
