//! A report that is redrawn in place on a terminal.

use std::io::{self, Write};
use std::time::Duration;

use terminal_size::{Height, Width};

use crate::terminal;

/// The lines from the cursor's starting point on.
#[derive(Default)]
pub(super) struct Screen {
    /// How many lines were drawn last time.
    drawn: usize,
}

/// The height of a terminal that does not tell it.
const HEIGHT: u16 = 24;

impl Screen {
    /// Draws a page over the last one, as much of it as fits.
    ///
    /// Each line replaces an old one, and all is written at once: nothing flickers.
    pub(super) fn draw(&mut self, page: &[u8], every: Duration) -> io::Result<()> {
        let height = terminal_size::terminal_size().map_or(HEIGHT, |(Width(_), Height(rows))| rows);
        // The cursor is on the line after the page.
        let room = usize::from(height).saturating_sub(1).max(2);
        let page = String::from_utf8_lossy(page);
        let lines: Vec<&str> = page.lines().collect();
        let shown = &lines[..lines.len().min(room - 1)];
        let more = match lines.len() - shown.len() {
            0 => String::new(),
            more => format!("{more} more lines without `--watch` · "),
        };
        let footer = format!("{more}every {} s until Ctrl-C", every.as_secs());

        let mut frame = Vec::new();
        // No automatic line break: the end of a line that is too long is not shown.
        frame.extend_from_slice(b"\x1b[?7l\r");
        if self.drawn > 0 {
            write!(frame, "\x1b[{}A", self.drawn)?;
        }
        for line in shown.iter().chain([&&*footer]) {
            frame.extend(terminal::styled(line));
            frame.extend_from_slice(b"\x1b[K\n");
        }
        frame.extend_from_slice(b"\x1b[J\x1b[?7h");
        self.drawn = shown.len() + 1;
        let mut stdout = io::stdout().lock();
        stdout.write_all(&frame)?;
        stdout.flush()
    }
}
