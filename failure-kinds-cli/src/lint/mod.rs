//! `failure-kinds lint`: the names in sources and saved data, held against the vocabulary and
//! against the extensions that a project declares.
//!
//! Front ends ([`source`]) find the positions where a kind is written or compared, one for each
//! language. One set of rules ([`rules`]) judges them. What the project declares decides on
//! extensions ([`check`]), comments suppress ([`suppress`]), renderers show what is left.

mod args;
mod check;
mod config;
mod finding;
mod fix;
#[cfg(any(test, failure_kinds_fuzzing))]
pub(crate) mod fuzzing;
mod id;
mod init;
mod keys;
mod position;
mod render;
mod rules;
mod source;
mod suppress;
mod walk;

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use failure_kinds_rows::Source;
use rayon::prelude::*;

use self::args::FailOn;
use self::check::{Report, Servers, check_text};
use self::config::Config;
use self::finding::Finding;
use self::id::Level;
use self::source::Language;
use self::walk::Found;
use crate::fault::Fault;
use crate::output::Output;
use crate::progress::Progress;
use crate::{Outcome, terminal};
use failure_kinds_core::text::path_text;

pub(crate) use self::args::Args;
pub(crate) use self::id::Id;

/// Deeply nested sources need a deep stack; it costs nothing until it is used.
const STACK: usize = 256 << 20;

pub(crate) fn run(args: &Args) -> Result<Outcome, Fault> {
    let from = std::env::current_dir()
        .map_err(|error| Fault::new(format!("cannot tell the current folder: {error}")))?;
    if args.init {
        init::write(&from)?;
        return Ok(Outcome::Clean);
    }
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build();
    let pool = pool.map_err(|error| Fault::new(format!("cannot start threads: {error}")))?;
    pool.install(|| Run::new(args, from)?.run())
}

/// One run of the command.
struct Run<'a> {
    args: &'a Args,
    from: PathBuf,
    config: Config,
    /// Faults of single files: the others are still looked at.
    faults: Vec<Fault>,
}

/// A file with what is known of it.
struct Checked {
    found: Found,
    path: Arc<str>,
    report: Report,
}

/// A file whose findings are known.
struct Judged {
    found: Found,
    findings: Vec<Finding>,
}

/// What the fixes did to a file.
struct Fixed {
    findings: Vec<Finding>,
    applied: usize,
    before: Vec<u8>,
    after: Vec<u8>,
}

impl<'a> Run<'a> {
    fn new(args: &'a Args, from: PathBuf) -> Result<Self, Fault> {
        let config = Config::load(args.config.as_deref(), &from)?;
        Ok(Self { args, from, config, faults: Vec::new() })
    }

    fn run(mut self) -> Result<Outcome, Fault> {
        let checked = if self.args.paths.iter().any(|path| path == Path::new("-")) {
            self.check_stdin()?
        } else {
            let (files, faults) = walk::files(&self.args.paths, &self.config, &self.from)?;
            if files.is_empty() && faults.is_empty() {
                terminal::warning(&"no file of a language that is checked was found");
            }
            self.faults = faults;
            self.check_files(files)
        };
        let servers = self.servers(&checked);
        let judged: Vec<Judged> = checked
            .into_par_iter()
            .map(|Checked { found, path, report }| {
                let levels = self.config.levels(&found.absolute);
                let findings = report.findings(&path, &levels, &servers);
                Judged { found, findings }
            })
            .collect();
        if self.args.diff {
            return self.diff(&judged, &servers);
        }
        let (findings, applied) =
            if self.args.fix { self.fix(judged, &servers) } else { (unfixed(judged), 0) };
        Output::Stdout.write(|out| {
            if self.args.statistics {
                render::statistics(out, &findings)
            } else {
                self.args.format.write(out, &findings)
            }
        })?;
        if self.args.format.is_text() {
            summary(&findings, applied);
        }
        self.outcome(&findings)
    }

    /// Standard input as a file of the given name.
    fn check_stdin(&mut self) -> Result<Vec<Checked>, Fault> {
        if self.args.paths.len() > 1 {
            return Err(Fault::new("`-` cannot stand beside other paths"));
        }
        if self.args.fix {
            return Err(Fault::new("`--fix` cannot change standard input; use `--diff`"));
        }
        let name = self.args.stdin_filename.clone().ok_or_else(|| {
            Fault::new("`-` needs `--stdin-filename`, whose extension tells the language")
        })?;
        let found = Found { absolute: self.from.join(&name), path: name, bytes: 0 };
        let Some(language) = found.language() else {
            return Err(walk::unknown_language(&found.path));
        };
        let fault = |error| Fault::new(format!("cannot read standard input: {error}"));
        if language == Language::JsonLines {
            let progress = Progress::of_bytes(None);
            let mut source = Source::stdin(&progress).map_err(fault)?;
            let report = self.check_rows(&mut source).map_err(fault)?;
            progress.finish();
            return Ok(vec![Checked::new(found, report)]);
        }
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map_err(fault)?;
        let report = self.check_bytes(&bytes, language, &found);
        Ok(vec![Checked::new(found, report)])
    }

    fn check_files(&mut self, files: Vec<Found>) -> Vec<Checked> {
        let progress = Progress::of_bytes(Some(files.iter().map(|found| found.bytes).sum()));
        let outcomes: Vec<_> =
            files.into_par_iter().map(|found| self.check_file(found, &progress)).collect();
        progress.finish();
        let mut checked = Vec::with_capacity(outcomes.len());
        for outcome in outcomes {
            match outcome {
                Ok(file) => checked.push(file),
                Err(fault) => self.faults.push(fault),
            }
        }
        checked
    }

    fn check_file(&self, found: Found, progress: &Progress) -> Result<Checked, Fault> {
        let fault = |error: io::Error| Fault::io("read", &found.path, &error);
        let report = match found.language() {
            Some(Language::JsonLines) => {
                let mut source = Source::open(&found.path, progress).map_err(fault)?;
                self.check_rows(&mut source).map_err(fault)?
            }
            Some(language) => {
                let bytes = std::fs::read(&found.path).map_err(fault)?;
                progress.add(bytes.len() as u64);
                self.check_bytes(&bytes, language, &found)
            }
            None => Report::default(),
        };
        Ok(Checked::new(found, report))
    }

    fn check_bytes(&self, bytes: &[u8], language: Language, found: &Found) -> Report {
        let levels = self.config.levels(&found.absolute);
        // Where the project lies says nothing of test code, where the file lies in it does.
        check_text(bytes, language, self.config.relative(&found.absolute), &self.config, &levels)
    }

    fn check_rows(&self, source: &mut Source<'_>) -> io::Result<Report> {
        Ok(Report::of_rows(&source::read_rows(source, &self.config.keys)?))
    }

    /// What the project declares, in its configuration and in its sources.
    fn servers(&self, checked: &[Checked]) -> Servers {
        let mut servers = Servers::new();
        for (server, kinds) in &self.config.servers {
            let names = kinds.iter().map(|kind| kind.name.clone());
            servers.entry(server.clone()).or_default().extend(names);
        }
        for file in checked {
            for (server, kind) in &file.report.declared {
                servers.entry(server.clone()).or_default().insert(kind.clone());
                self.config.mark_used(server, kind);
            }
            for (server, kind) in file.report.uses() {
                self.config.mark_used(server, kind);
            }
        }
        servers
    }

    /// Applies the fixes of one file. It is checked anew: it may have changed since.
    fn fixed(&self, found: &Found, servers: &Servers) -> Result<Fixed, Fault> {
        let before =
            std::fs::read(&found.path).map_err(|error| Fault::io("read", &found.path, &error))?;
        let path: Arc<str> = path_text(&found.path).into();
        let levels = self.config.levels(&found.absolute);
        let check = |text: &[u8]| match found.language() {
            Some(language) => {
                self.check_bytes(text, language, found).findings(&path, &levels, servers)
            }
            None => Vec::new(),
        };
        Ok(Fixed::of(before, check))
    }

    fn fix(&mut self, judged: Vec<Judged>, servers: &Servers) -> (Vec<Finding>, usize) {
        let mut findings = Vec::new();
        let mut applied = 0;
        for file in judged {
            if file.findings.iter().all(|finding| finding.fix.is_none()) {
                findings.extend(file.findings);
                continue;
            }
            let fixed = self.fixed(&file.found, servers).and_then(|fixed| {
                let path = &file.found.path;
                fix::replace(path, &fixed.after)
                    .map_err(|error| Fault::io("write", path, &error))?;
                Ok(fixed)
            });
            match fixed {
                Ok(fixed) => {
                    applied += fixed.applied;
                    findings.extend(fixed.findings);
                }
                Err(fault) => {
                    self.faults.push(fault);
                    findings.extend(file.findings);
                }
            }
        }
        (findings, applied)
    }

    fn diff(mut self, judged: &[Judged], servers: &Servers) -> Result<Outcome, Fault> {
        let mut text = String::new();
        for file in judged {
            if file.findings.iter().any(|finding| finding.fix.is_some()) {
                match self.fixed(&file.found, servers) {
                    Ok(fixed) => {
                        let path = path_text(&file.found.path);
                        text.push_str(&fix::diff(&path, &fixed.before, &fixed.after));
                    }
                    Err(fault) => self.faults.push(fault),
                }
            }
        }
        Output::Stdout.write(|out| out.write_all(text.as_bytes()))?;
        let findings: Vec<_> = judged.iter().flat_map(|file| &file.findings).cloned().collect();
        self.outcome(&findings)
    }

    fn outcome(self, findings: &[Finding]) -> Result<Outcome, Fault> {
        if self.covers_project() {
            for entry in self.config.useless() {
                terminal::warning(&entry);
            }
        }
        Fault::fail_on_any(self.faults)?;
        let lowest = match self.args.fail_on {
            FailOn::Error => Level::Error,
            FailOn::Warning => Level::Warning,
            FailOn::None => return Ok(Outcome::Clean),
        };
        let fails = findings.iter().any(|finding| finding.level >= lowest);
        Ok(if fails { Outcome::Found } else { Outcome::Clean })
    }

    /// Whether the whole folder of the configuration was looked at: only then is an entry known
    /// to be useless.
    fn covers_project(&self) -> bool {
        let covers = |path: &PathBuf| {
            let path = self.from.join(path.strip_prefix(".").unwrap_or(path));
            self.config.folder().is_some_and(|folder| folder.starts_with(&path))
        };
        self.args.paths.iter().any(covers)
    }
}

impl Fixed {
    /// Applies the fixes of a text until there are none left. `check` finds what is wrong with it.
    fn of(before: Vec<u8>, check: impl Fn(&[u8]) -> Vec<Finding>) -> Self {
        let mut fixed =
            Self { findings: check(&before), applied: 0, after: before.clone(), before };
        // A rename may be followed by the macro, and fixes that overlapped by one another.
        while fixed.findings.iter().any(|finding| finding.fix.is_some()) {
            let (after, applied) = fix::apply(&fixed.after, &fixed.findings);
            let findings = check(&after);
            let breaks = |finding: &Finding| finding.id == Id::UnparsedFile;
            if findings.iter().any(breaks) && !fixed.findings.iter().any(breaks) {
                break;
            }
            fixed = Self { findings, applied: fixed.applied + applied, after, ..fixed };
        }
        fixed
    }
}

impl Checked {
    fn new(found: Found, report: Report) -> Self {
        Self { path: path_text(&found.path).into(), found, report }
    }
}

fn unfixed(judged: Vec<Judged>) -> Vec<Finding> {
    judged.into_iter().flat_map(|file| file.findings).collect()
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
