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

use failure_kinds_lint::{Checked, Config, Finding, Level, Linter, Options, Report, Safety};

use self::args::FailOn;
use self::render::Format;
use crate::fault::Fault;
use crate::output::Output;
use crate::progress::Progress;
use crate::{Outcome, terminal};

pub(crate) use self::args::Args;

pub(crate) fn run(args: &Args) -> Result<Outcome, Fault> {
    if args.init {
        init::write()?;
        return Ok(Outcome::Clean);
    }
    check_format(args)?;
    let mut options = Options::default();
    options.config = args.config.as_deref().map(Config::read).transpose()?;
    options.no_ignore = args.no_ignore;
    let linter = Linter::new(options)?;
    let mut report = check(args, &linter)?;
    let mut faults: Vec<Fault> = report.errors.drain(..).map(Fault::from).collect();
    let findings = if args.diff {
        let diff = fix::diff(&linter, &report, args.safety(), &mut faults);
        Output::Stdout.write(|out| out.write_all(diff.as_bytes()))?;
        all_findings(report.files)
    } else {
        let (findings, applied) = if args.fix {
            fix::apply(&linter, &report, args.safety(), &mut faults)
        } else {
            (all_findings(report.files), 0)
        };
        Output::Stdout.write(|out| match (args.statistics, args.format) {
            (true, Format::Json) => render::statistics_json(out, &findings),
            (true, _) => render::statistics(out, &findings),
            (false, format) => format.write(out, &findings),
        })?;
        if args.format == Format::Sarif && findings.len() > render::MOST_SARIF_RESULTS {
            terminal::note(&format_args!(
                "note: {} of {} findings are in the log, the most that code scanning takes",
                render::MOST_SARIF_RESULTS,
                findings.len()
            ));
        }
        if args.format.is_text() {
            summary(&findings, applied, args.safety());
        }
        findings
    };
    for note in &report.notes {
        terminal::note(&format_args!("note: {note}"));
    }
    for warning in &report.warnings {
        terminal::warning(warning);
    }
    Fault::fail_on_any(faults)?;
    Ok(outcome(&findings, args.fail_on))
}

impl Args {
    /// The fixes that are wanted.
    fn safety(&self) -> Safety {
        if self.unsafe_fixes { Safety::Unsafe } else { Safety::Safe }
    }
}

/// Rejects a format that the other arguments cannot be shown in.
fn check_format(args: &Args) -> Result<(), Fault> {
    let refuse = |what: &str, formats: &str| {
        let format = args.format.name();
        Err(Fault::new(format!("`{what}` cannot be shown as `{format}`, only as {formats}")))
    };
    match args.format {
        Format::Full => Ok(()),
        _ if args.diff => refuse("--diff", "a diff; leave out `--format`"),
        Format::Github | Format::Sarif if args.statistics => {
            refuse("--statistics", "text or `json`")
        }
        _ => Ok(()),
    }
}

fn all_findings(files: Vec<Checked>) -> Vec<Finding> {
    files.into_iter().flat_map(|file| file.findings).collect()
}

fn check(args: &Args, linter: &Linter) -> Result<Report, Fault> {
    if args.paths.iter().any(|path| path == Path::new("-")) {
        return check_stdin(args, linter);
    }
    let files = linter.find(&args.paths)?;
    if files.is_empty() {
        terminal::warning(&"no file of a known language was found");
    }
    let progress = Progress::of_bytes(Some(files.bytes()));
    let report = linter.check(files, &progress);
    progress.finish();
    Ok(report?)
}

/// Standard input as a file of the given name.
fn check_stdin(args: &Args, linter: &Linter) -> Result<Report, Fault> {
    if args.paths.len() > 1 {
        return Err(Fault::new("`-` cannot be given with other paths"));
    }
    if args.fix {
        return Err(Fault::new("`--fix` cannot change standard input; use `--diff`"));
    }
    let name = args.stdin_filename.as_deref().ok_or_else(|| {
        Fault::new("`-` needs `--stdin-filename`, whose extension shows the language")
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
fn summary(findings: &[Finding], applied: usize, wanted: Safety) {
    let count = |level| findings.iter().filter(|finding| finding.level == level).count();
    let fixable = |safety| {
        let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
        fixes.filter(|fix| fix.safety == safety).count()
    };
    let (safe, risky) = (fixable(Safety::Safe), fixable(Safety::Unsafe));
    let mut parts = Vec::new();
    let mut part = |count: usize, one: &str, many: &str| {
        if count > 0 {
            parts.push(format!("{count} {}", if count == 1 { one } else { many }));
        }
    };
    part(count(Level::Error), "error", "errors");
    part(count(Level::Warning), "warning", "warnings");
    part(applied, "fix applied", "fixes applied");
    let with_fix = "can be fixed with `--fix`";
    let with_unsafe = "can be fixed with `--fix --unsafe-fixes`";
    if wanted == Safety::Unsafe {
        part(safe + risky, with_unsafe, with_unsafe);
    } else {
        part(safe, with_fix, with_fix);
        part(risky, with_unsafe, with_unsafe);
    }
    if !parts.is_empty() {
        terminal::note(&parts.join(", "));
    }
}
