//! `triage --watch`: the report on runs that are still being written.

mod interrupt;
mod lines;
mod screen;

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, Utc};
use failure_kinds_core::text::EscapedPath;
use failure_kinds_triage::{Report, Terms, Watch};

use self::interrupt::Interrupt;
use self::lines::Lines;
use self::screen::Screen;
use super::Args;
use crate::fault::Fault;
use crate::page::Page;
use crate::{Outcome, terminal};

/// Where the report goes.
enum Display {
    Screen(Screen),
    Lines(Lines),
}

/// Reports again and again, until Ctrl-C or until a condition of `--fail-on` is met.
pub(super) fn run(args: &Args, every: Duration) -> Result<Outcome, Fault> {
    args.paths.iter().try_for_each(|path| check_path(path))?;
    let config = args.reading.config()?;
    let terms = Terms { latest: args.latest, ..args.reading.terms(&config) };
    let options = args.reading.options(args.check());
    let interrupt = Interrupt::new()?;
    let mut display = Display::new();
    let mut watch = Watch::default();
    while !interrupt.is_set() {
        let seen = args
            .reading
            .find(&args.paths)
            .and_then(|inputs| Ok(watch.read(&inputs, &options, &interrupt)?));
        if interrupt.is_set() {
            break;
        }
        let report = seen.map(|seen| Report::new(&seen, &terms));
        let shown = match &report {
            Ok(report) => display.report(report, args.reading.now(), every),
            // It may not be there yet, or be written just now.
            Err(why) => display.waiting(why, every),
        };
        match shown {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            Err(error) => {
                return Err(Fault::new(format!("cannot write to standard output: {error}")));
            }
            Ok(()) => {}
        }
        if report.is_ok_and(|report| super::is_found(&report, args)) {
            return Ok(Outcome::Found);
        }
        interrupt.wait(every);
    }
    Ok(Outcome::Clean)
}

/// What is read again must be a file or a folder, now or later.
fn check_path(path: &Path) -> Result<(), Fault> {
    if path.as_os_str() == "-" || path.exists() && !path.is_file() && !path.is_dir() {
        return Err(Fault::new(format!(
            "`{}` cannot be watched: it can be read only once",
            EscapedPath(path)
        )));
    }
    Ok(())
}

impl Display {
    fn new() -> Self {
        if io::stdout().is_terminal() {
            Self::Screen(Screen::default())
        } else {
            Self::Lines(Lines::default())
        }
    }

    fn report(&mut self, report: &Report, now: DateTime<Utc>, every: Duration) -> io::Result<()> {
        match self {
            Self::Lines(lines) => match lines.next(report, Utc::now()) {
                Some(line) => writeln!(io::stdout(), "{line}"),
                None => Ok(()),
            },
            Self::Screen(screen) => {
                let mut page = Vec::new();
                super::text::write(report, now, &mut page)?;
                screen.draw(&page, every)
            }
        }
    }

    fn waiting(&mut self, why: &Fault, every: Duration) -> io::Result<()> {
        match self {
            Self::Lines(lines) => {
                if lines.is_new_reason(&why.to_string()) {
                    terminal::note(&format_args!("waiting: {why}"));
                }
                Ok(())
            }
            Self::Screen(screen) => {
                let mut page = Vec::new();
                Page::on_stdout(&mut page).sentence(format!("waiting: {why}"))?;
                screen.draw(&page, every)
            }
        }
    }
}
