//! `failure-kinds lint`: checks the names in sources and saved data against the vocabulary and
//! against the extensions that a project declares.
//!
//! `failure_kinds_lint` finds everything; here are the arguments and the output formats.

mod args;
mod fix;
mod init;
mod render;

use std::io;
use std::path::Path;

use failure_kinds_lint::{Config, Finding, Level, Linter, Report};

use self::args::FailOn;
use crate::fault::Fault;
use crate::output::Output;
use crate::progress::Progress;
use crate::{Outcome, terminal};

pub(crate) use self::args::Args;

pub(crate) fn run(args: &Args) -> Result<Outcome, Fault> {
    let folder = std::env::current_dir()
        .map_err(|error| Fault::new(format!("cannot tell the current folder: {error}")))?;
    if args.init {
        init::write(&folder)?;
        return Ok(Outcome::Clean);
    }
    let config = args.config.as_deref().map(Config::read).transpose()?;
    let linter = Linter::new(folder, config)?;
    let mut report = check(args, &linter)?;
    let mut faults: Vec<Fault> = report.errors.drain(..).map(Fault::from).collect();
    let findings = if args.diff {
        let diff = fix::diff(&linter, &report, &mut faults);
        Output::Stdout.write(|out| out.write_all(diff.as_bytes()))?;
        report.files.into_iter().flat_map(|file| file.findings).collect()
    } else {
        let (findings, applied) = if args.fix {
            fix::apply(&linter, &report, &mut faults)
        } else {
            (report.files.into_iter().flat_map(|file| file.findings).collect(), 0)
        };
        Output::Stdout.write(|out| {
            if args.statistics {
                render::statistics(out, &findings)
            } else {
                args.format.write(out, &findings)
            }
        })?;
        if args.format.is_text() {
            summary(&findings, applied);
        }
        findings
    };
    for warning in &report.warnings {
        terminal::warning(warning);
    }
    Fault::fail_on_any(faults)?;
    Ok(outcome(&findings, args.fail_on))
}

fn check(args: &Args, linter: &Linter) -> Result<Report, Fault> {
    if args.paths.iter().any(|path| path == Path::new("-")) {
        return check_stdin(args, linter);
    }
    let files = linter.find(&args.paths)?;
    if files.is_empty() {
        terminal::warning(&"no file of a language that is checked was found");
    }
    let progress = Progress::of_bytes(Some(files.bytes()));
    let report = linter.check(files, &progress);
    progress.finish();
    Ok(report)
}

/// Standard input as a file of the given name.
fn check_stdin(args: &Args, linter: &Linter) -> Result<Report, Fault> {
    if args.paths.len() > 1 {
        return Err(Fault::new("`-` cannot stand beside other paths"));
    }
    if args.fix {
        return Err(Fault::new("`--fix` cannot change standard input; use `--diff`"));
    }
    let name = args.stdin_filename.as_deref().ok_or_else(|| {
        Fault::new("`-` needs `--stdin-filename`, whose extension tells the language")
    })?;
    let progress = Progress::of_bytes(None);
    let report = linter.check_input(name, io::stdin(), &progress);
    progress.finish();
    Ok(report?)
}

fn outcome(findings: &[Finding], fail_on: FailOn) -> Outcome {
    let lowest = match fail_on {
        FailOn::Error => Level::Error,
        FailOn::Warning => Level::Warning,
        FailOn::None => return Outcome::Clean,
    };
    let fails = findings.iter().any(|finding| finding.level >= lowest);
    if fails { Outcome::Found } else { Outcome::Clean }
}

/// What was found, in one line on standard error.
fn summary(findings: &[Finding], applied: usize) {
    let count = |level| findings.iter().filter(|finding| finding.level == level).count();
    let fixable = findings.iter().filter(|finding| finding.fix.is_some()).count();
    let mut parts = Vec::new();
    let mut part = |count: usize, one: &str, many: &str| {
        if count > 0 {
            parts.push(format!("{count} {}", if count == 1 { one } else { many }));
        }
    };
    part(count(Level::Error), "error", "errors");
    part(count(Level::Warning), "warning", "warnings");
    part(applied, "fix applied", "fixes applied");
    part(fixable, "can be fixed with `--fix`", "can be fixed with `--fix`");
    if !parts.is_empty() {
        terminal::note(&parts.join(", "));
    }
}
