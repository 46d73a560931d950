//! Standard output and standard error: colour, width and closed pipes.

use std::fmt::Display;
use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

/// The style of `error:`.
const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The style of `warning:`.
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// Uses colour only on a terminal, and never if `NO_COLOR` is set.
///
/// Ignores `CLICOLOR_FORCE` and the detection of CI on purpose: a file or a pipe never gets an escape
/// sequence.
fn choice<S: anstream::stream::RawStream>(stream: &S) -> ColorChoice {
    if stream.is_terminal() { AutoStream::choice(stream) } else { ColorChoice::Never }
}

/// Standard output. Its writer decides what a closed pipe means: see [`unless_closed`].
pub(crate) fn stdout() -> AutoStream<io::StdoutLock<'static>> {
    let stdout = io::stdout().lock();
    let choice = choice(&stdout);
    AutoStream::new(stdout, choice)
}

/// A text with its styles, or without them if standard output does not show any.
#[cfg(feature = "triage")]
pub(crate) fn styled(text: &str) -> Vec<u8> {
    match choice(&io::stdout()) {
        ColorChoice::Never => anstream::adapter::strip_str(text).to_string().into_bytes(),
        _ => text.as_bytes().to_owned(),
    }
}

/// Standard error.
pub(crate) fn stderr() -> AutoStream<io::StderrLock<'static>> {
    let stderr = io::stderr().lock();
    let choice = choice(&stderr);
    AutoStream::new(stderr, choice)
}

/// `error: …` on standard error, for each line of the message.
pub(crate) fn error(message: &impl Display) {
    for line in message.to_string().lines() {
        // If standard error is closed, there is nowhere to report to.
        let _ = writeln!(stderr(), "{ERROR}error:{ERROR:#} {line}");
    }
}

/// One line `warning: …` on standard error.
pub(crate) fn warning(message: &impl Display) {
    let _ = writeln!(stderr(), "{WARNING}warning:{WARNING:#} {message}");
}

/// One line on standard error that is neither.
pub(crate) fn note(message: &impl Display) {
    let _ = writeln!(stderr(), "{message}");
}

/// Ignores a closed pipe: its reader has read enough.
pub(crate) fn unless_closed(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// The width of reports: `COLUMNS`, else the terminal's width, else 100; from 60 to 200.
pub(crate) fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let width = columns.or_else(|| {
        let (terminal_size::Width(width), _) = terminal_size::terminal_size()?;
        Some(usize::from(width))
    });
    width.unwrap_or(100).clamp(60, 200)
}
