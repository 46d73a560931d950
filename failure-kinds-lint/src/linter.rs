//! From paths to findings.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use failure_kinds_core::text::path_text;
use failure_kinds_rows::{Progress, Source};
use rayon::ThreadPool;
use rayon::prelude::*;

use super::check::{self, Servers, check_text};
use super::config::Config;
use super::error::Error;
use super::finding::Finding;
use super::fix;
use super::id::Id;
use super::source::{self, Language};
use super::walk::{self, Files, Found};

/// Deeply nested sources need a deep stack; it costs nothing until it is used.
const STACK: usize = 256 << 20;

/// Checks files with one configuration.
#[derive(Debug)]
pub struct Linter {
    folder: PathBuf,
    config: Config,
    pool: ThreadPool,
}

/// What was found in several files.
#[derive(Debug)]
pub struct Report {
    /// The files that could be read, in the order of their paths.
    pub files: Vec<Checked>,
    /// Why others could not be.
    pub errors: Vec<Error>,
    /// Entries of the configuration that did nothing, each with its location.
    pub warnings: Vec<String>,
    servers: Servers,
}

/// A file that was checked.
#[derive(Debug)]
pub struct Checked {
    /// Its findings, in the order of the file.
    pub findings: Vec<Finding>,
    found: Found,
    /// What was read, if it did not come from a file.
    text: Option<Vec<u8>>,
}

/// A text with fixes applied.
#[derive(Debug)]
pub struct Fixed {
    /// What is left to find.
    pub findings: Vec<Finding>,
    /// The number of fixes.
    pub applied: usize,
    /// The text without the fixes.
    pub before: Vec<u8>,
    /// The text with the fixes.
    pub after: Vec<u8>,
}

/// A file before the declarations of the others are known.
struct Scanned {
    found: Found,
    report: check::Report,
    text: Option<Vec<u8>>,
}

impl Linter {
    /// Checks paths that are relative to a folder. The configuration is the one that is given, or
    /// `failure-kinds.toml` in that folder or the nearest one above.
    ///
    /// # Errors
    ///
    /// A configuration that cannot be read, or no threads.
    pub fn new(folder: PathBuf, config: Option<Config>) -> Result<Self, Error> {
        let config = match config {
            Some(config) => config,
            None => Config::find(&folder)?,
        };
        let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build();
        let pool = pool.map_err(|error| Error::new(format!("cannot start threads: {error}")))?;
        Ok(Self { folder, config, pool })
    }

    /// The files of a known language below some paths.
    ///
    /// # Errors
    ///
    /// A path that does not exist, or a file of an unknown language.
    pub fn find(&self, paths: &[PathBuf]) -> Result<Files, Error> {
        walk::files(paths, &self.config, &self.folder)
    }

    /// Checks files.
    #[must_use]
    pub fn check(&self, files: Files, progress: &dyn Progress) -> Report {
        let Files { found, mut errors, whole } = files;
        let scan = |found| self.scan_file(found, progress);
        let outcomes: Vec<_> = self.pool.install(|| found.into_par_iter().map(scan).collect());
        let mut scanned = Vec::with_capacity(outcomes.len());
        for outcome in outcomes {
            match outcome {
                Ok(file) => scanned.push(file),
                Err(error) => errors.push(error),
            }
        }
        let mut report = self.judge(scanned);
        report.errors = errors;
        if whole {
            report.warnings = self.config.useless();
        }
        report
    }

    /// Checks what `input` reads as if it were the file `name`.
    ///
    /// # Errors
    ///
    /// A name whose extension is not known, or a failure to read.
    pub fn check_input(
        &self,
        name: &Path,
        mut input: impl Read + Send + 'static,
        progress: &dyn Progress,
    ) -> Result<Report, Error> {
        let found = Found { absolute: self.folder.join(name), path: name.to_owned(), bytes: 0 };
        let Some(language) = found.language() else { return Err(walk::unknown_language(name)) };
        let failed = |error: io::Error| Error::read(name, &error);
        let scanned = if language == Language::JsonLines {
            let mut source = Source::new(Box::new(input), progress).map_err(failed)?;
            Scanned { found, report: self.scan_rows(&mut source).map_err(failed)?, text: None }
        } else {
            let mut text = Vec::new();
            input.read_to_end(&mut text).map_err(failed)?;
            progress.advance(text.len() as u64).map_err(failed)?;
            let report = self.pool.install(|| self.scan_text(&text, language, &found));
            Scanned { found, report, text: Some(text) }
        };
        Ok(self.judge(vec![scanned]))
    }

    /// Applies the fixes of a file, which is checked again: it may have changed since. Nothing is
    /// written.
    ///
    /// # Errors
    ///
    /// A file that cannot be read.
    pub fn fixed(&self, file: &Checked, report: &Report) -> Result<Fixed, Error> {
        let Checked { found, text, .. } = file;
        let before = match text {
            Some(text) => text.clone(),
            None => std::fs::read(&found.path).map_err(|error| Error::read(&found.path, &error))?,
        };
        let path = shown(found);
        let levels = self.config.levels(&found.absolute);
        let check = |text: &[u8]| match found.language() {
            Some(language) => {
                self.scan_text(text, language, found).findings(&path, &levels, &report.servers)
            }
            None => Vec::new(),
        };
        Ok(self.pool.install(|| Fixed::of(before, check)))
    }

    fn scan_file(&self, found: Found, progress: &dyn Progress) -> Result<Scanned, Error> {
        let failed = |error: io::Error| Error::read(&found.path, &error);
        let report = match found.language() {
            Some(Language::JsonLines) => {
                let mut source = Source::open(&found.path, progress).map_err(failed)?;
                self.scan_rows(&mut source).map_err(failed)?
            }
            Some(language) => {
                let text = std::fs::read(&found.path).map_err(failed)?;
                progress.advance(text.len() as u64).map_err(failed)?;
                self.scan_text(&text, language, &found)
            }
            None => check::Report::default(),
        };
        Ok(Scanned { found, report, text: None })
    }

    fn scan_text(&self, text: &[u8], language: Language, found: &Found) -> check::Report {
        let levels = self.config.levels(&found.absolute);
        // Only folders inside the project make a file test code.
        check_text(text, language, self.config.relative(&found.absolute), &self.config, &levels)
    }

    fn scan_rows(&self, source: &mut Source<'_>) -> io::Result<check::Report> {
        Ok(check::Report::of_rows(&source::read_rows(source, &self.config.keys)?))
    }

    fn judge(&self, scanned: Vec<Scanned>) -> Report {
        let servers = self.servers(&scanned);
        let judge = |Scanned { found, report, text }| {
            let levels = self.config.levels(&found.absolute);
            let findings = report.findings(&shown(&found), &levels, &servers);
            Checked { findings, found, text }
        };
        let files = scanned.into_par_iter().map(judge).collect();
        Report { files, errors: Vec::new(), warnings: Vec::new(), servers }
    }

    /// What the project declares, in its configuration and in its sources.
    fn servers(&self, scanned: &[Scanned]) -> Servers {
        let mut servers = Servers::new();
        for (server, kinds) in &self.config.servers {
            let names = kinds.iter().map(|kind| kind.name.clone());
            servers.entry(server.clone()).or_default().extend(names);
        }
        for file in scanned {
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
}

impl Checked {
    /// Its path, to read and to write it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.found.path
    }
}

/// The path of a file in findings.
fn shown(found: &Found) -> Arc<str> {
    path_text(&found.path).into()
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
