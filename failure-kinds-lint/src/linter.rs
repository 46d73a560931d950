//! From paths to findings.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use failure_kinds_core::text::path_text;
use failure_kinds_rows::{Progress, Source};

use super::check::{self, Declared, Servers, check_text};
use super::config::{Config, Finder};
use super::error::Error;
use super::finding::{Finding, Fix, Paths, Safety};
use super::fix;
use super::id::Id;
use super::source::{self, LanguageKind};
use super::walk::{self, Files, Found, Walk};
use super::{parallel, paths};

/// Checks files, each with its configuration.
#[derive(Debug)]
pub struct Linter {
    folder: PathBuf,
    no_ignore: bool,
    finder: Arc<Mutex<Finder>>,
}

/// How files are checked.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// The configuration of all files. By default, the nearest `failure-kinds.toml` of each.
    pub config: Option<Config>,
    /// Whether files are read that gitignore rules or `exclude` leave out.
    pub no_ignore: bool,
}

/// What was found in several files.
#[derive(Debug)]
#[non_exhaustive]
pub struct Report {
    /// The files that could be read, in the order of their paths.
    pub files: Vec<Checked>,
    /// Why others could not be.
    pub errors: Vec<Error>,
    /// What is wrong with configurations, each with its location: entries that did nothing.
    pub warnings: Vec<String>,
    /// Which named files are skipped, and by which rule.
    pub notes: Vec<String>,
    servers: Servers,
}

/// A file that was checked.
#[derive(Debug)]
#[non_exhaustive]
pub struct Checked {
    /// Its findings, in the order of the file.
    pub findings: Vec<Finding>,
    found: Found,
    /// What was read, if it did not come from a file.
    text: Option<Vec<u8>>,
}

/// A text with fixes applied.
#[derive(Debug)]
#[non_exhaustive]
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

/// A file that was read, before the declarations of the others are known.
struct Scanned {
    found: Found,
    report: check::Report,
    text: Option<Vec<u8>>,
}

impl Linter {
    /// Checks paths relative to the working directory.
    ///
    /// # Errors
    ///
    /// No working directory.
    pub fn new(options: Options) -> Result<Self, Error> {
        let folder = paths::absolute(Path::new("."))?;
        let finder = Arc::new(Mutex::new(Finder::new(options.config, folder.clone())));
        Ok(Self { folder, no_ignore: options.no_ignore, finder })
    }

    /// The files of a known language below some paths.
    ///
    /// # Errors
    ///
    /// A configuration that cannot be read.
    pub fn find(&self, paths: &[PathBuf]) -> Result<Files, Error> {
        Walk::new(&self.finder, self.no_ignore).files(paths)
    }

    /// Checks files.
    ///
    /// # Errors
    ///
    /// The system cannot start a thread.
    pub fn check(&self, files: Files, progress: &dyn Progress) -> Result<Report, Error> {
        let Files { found, mut errors, notes, folders } = files;
        let mut scanned = Vec::with_capacity(found.len());
        for outcome in parallel::map(found, |found| scan_file(found, progress))? {
            match outcome {
                Ok(file) => scanned.push(file),
                Err(error) => errors.push(error),
            }
        }
        let mut report = self.judge(scanned);
        report.errors = errors;
        report.notes = notes;
        report.warnings = self.warnings(&folders);
        Ok(report)
    }

    /// Checks what `input` reads as if it were the file `name`.
    ///
    /// # Errors
    ///
    /// A name whose extension is not known, a configuration that cannot be read, a failure to
    /// read, or the system cannot start a thread.
    pub fn check_input(
        &self,
        name: &Path,
        mut input: impl Read + Send + 'static,
        progress: &dyn Progress,
    ) -> Result<Report, Error> {
        let Some(language) = source::Language::of(name) else {
            let why = walk::unknown_language(name);
            return Err(Error::new(format!("the language is not known: {why}")));
        };
        let absolute = paths::absolute(name)?;
        let config = walk::of_file(&self.finder, &absolute)?;
        let found = Found { path: name.to_owned(), absolute, language, config, bytes: 0 };
        let failed = |error: io::Error| Error::read(name, &error);
        let scanned = if language.kind == LanguageKind::Rows {
            let mut source = Source::new(Box::new(input), progress).map_err(failed)?;
            let report = scan_rows(&mut source, &found.config).map_err(failed)?;
            Scanned { found, report, text: None }
        } else {
            let mut text = Vec::new();
            input.read_to_end(&mut text).map_err(failed)?;
            progress.advance(text.len() as u64).map_err(failed)?;
            let report = parallel::on_deep_stack(|| scan_text(&text, &found))?;
            Scanned { found, report, text: Some(text) }
        };
        let mut report = self.judge(vec![scanned]);
        report.warnings = self.warnings(&[]);
        Ok(report)
    }

    /// Applies the fixes of a file up to a safety. The file is checked again: it may have changed
    /// since. Nothing is written.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or the system cannot start a thread.
    pub fn fixed(&self, file: &Checked, report: &Report, safety: Safety) -> Result<Fixed, Error> {
        let Checked { found, text, .. } = file;
        let before = match text {
            Some(text) => text.clone(),
            None => std::fs::read(&found.path).map_err(|error| Error::read(&found.path, &error))?,
        };
        let paths = self.paths(found);
        let levels = found.config.levels(&found.absolute);
        let declared = Declared { config: &found.config, sources: &report.servers };
        let check = |text: &[u8]| scan_text(text, found).findings(&paths, &levels, &declared);
        parallel::on_deep_stack(|| Fixed::of(before, safety, check))
    }

    fn judge(&self, scanned: Vec<Scanned>) -> Report {
        let servers = servers(&scanned);
        let judge = |Scanned { found, report, text }| {
            let levels = found.config.levels(&found.absolute);
            let declared = Declared { config: &found.config, sources: &servers };
            let findings = report.findings(&self.paths(&found), &levels, &declared);
            Checked { findings, found, text }
        };
        let files = scanned.into_iter().map(judge).collect();
        Report { files, errors: Vec::new(), warnings: Vec::new(), notes: Vec::new(), servers }
    }

    /// What is wrong with the configurations. Whether an entry is useless is only known if the
    /// whole folder of the file was searched.
    fn warnings(&self, folders: &[PathBuf]) -> Vec<String> {
        let finder = self.finder.lock().unwrap_or_else(PoisonError::into_inner);
        let mut warnings = Vec::new();
        for config in finder.all() {
            warnings.extend(config.empty());
            let is_covered =
                |folder: &Path| folders.iter().any(|searched| folder.starts_with(searched));
            if !self.no_ignore && config.folder().is_some_and(is_covered) {
                warnings.extend(config.useless());
            }
        }
        warnings
    }

    /// The path of a file as it is shown, and as services know it: from the root of the
    /// repository.
    fn paths(&self, found: &Found) -> Paths {
        let root = paths::repository(&found.absolute).unwrap_or(&self.folder);
        let inside = found.absolute.strip_prefix(root).unwrap_or(&found.absolute);
        Paths { shown: path_text(&found.path).into(), in_repository: path_text(inside).into() }
    }
}

impl Checked {
    /// Its path, to read and to write it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.found.path
    }
}

impl Fixed {
    /// Applies the fixes of a text until there are none left. `check` finds what is wrong with it.
    fn of(before: Vec<u8>, safety: Safety, check: impl Fn(&[u8]) -> Vec<Finding>) -> Self {
        let mut fixed =
            Self { findings: check(&before), applied: 0, after: before.clone(), before };
        let wanted = |fix: &&Fix| fix.safety <= safety;
        // A rename may be followed by the macro, and fixes that overlapped by one another.
        loop {
            let wanted_fixes: Vec<&Fix> = fixed
                .findings
                .iter()
                .filter_map(|finding| finding.fix.as_ref())
                .filter(wanted)
                .collect();
            if wanted_fixes.is_empty() {
                return fixed;
            }
            let (after, applied) = fix::apply(&fixed.after, &wanted_fixes);
            let findings = check(&after);
            let breaks = |finding: &Finding| finding.id == Id::UnparsedFile;
            if findings.iter().any(breaks) && !fixed.findings.iter().any(breaks) {
                return fixed;
            }
            fixed = Self { findings, applied: fixed.applied + applied, after, ..fixed };
        }
    }
}

fn scan_file(found: Found, progress: &dyn Progress) -> Result<Scanned, Error> {
    let failed = |error: io::Error| Error::read(&found.path, &error);
    let report = if found.language.kind == LanguageKind::Rows {
        let mut source = Source::open(&found.path, progress).map_err(failed)?;
        scan_rows(&mut source, &found.config).map_err(failed)?
    } else {
        let text = std::fs::read(&found.path).map_err(failed)?;
        progress.advance(text.len() as u64).map_err(failed)?;
        scan_text(&text, &found)
    };
    Ok(Scanned { found, report, text: None })
}

fn scan_text(text: &[u8], found: &Found) -> check::Report {
    let levels = found.config.levels(&found.absolute);
    // Only folders inside the project make a file test code.
    let path = found.config.relative(&found.absolute);
    check_text(text, found.language, path, &found.config, &levels)
}

fn scan_rows(source: &mut Source<'_>, config: &Config) -> io::Result<check::Report> {
    Ok(check::Report::of_rows(&source::read_rows(source, &config.keys)?))
}

/// What the sources declare. What configurations declare counts for their own files.
fn servers(scanned: &[Scanned]) -> Servers {
    let mut servers = Servers::new();
    for file in scanned {
        for (server, kind) in &file.report.declared {
            servers.entry(server.clone()).or_default().insert(kind.clone());
            file.found.config.mark_used(server, kind);
        }
        for (server, kind) in file.report.uses() {
            file.found.config.mark_used(server, kind);
        }
    }
    servers
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// The findings in a text.
    fn findings(linter: &Linter, name: &str, text: &str) -> Vec<Id> {
        let input = Cursor::new(text.as_bytes().to_vec());
        let report = linter.check_input(Path::new(name), input, &()).unwrap();
        report.files[0].findings.iter().map(|finding| finding.id).collect()
    }

    #[test]
    fn each_example_of_the_guide_is_a_position_or_is_not() {
        let linter = Linter::new(Options::default()).unwrap();
        let guide = include_str!("../../docs/lint.md");
        let mut seen = 0;
        for section in guide.split("\n### In ").skip(1) {
            let (title, rest) = section.split_once('\n').unwrap();
            let is_position = !title.ends_with("not");
            for line in rest.split("```").nth(1).unwrap().lines().skip(1) {
                let (name, text) = match title.split(',').next().unwrap() {
                    "Python" => ("guide.py", line.to_owned()),
                    "Rust" => ("guide.rs", format!("fn f() {{ {line} }}")),
                    "data" => ("guide.yaml", line.to_owned()),
                    other => panic!("{other}"),
                };
                let expected = if is_position { vec![Id::UnregisteredKind] } else { Vec::new() };
                assert_eq!(findings(&linter, name, &text), expected, "{line}");
                seen += 1;
            }
        }
        assert!(seen > 50, "{seen}");
    }

    #[test]
    fn each_finding_is_in_its_example() {
        let text = "[[lint.levels]]\nids = [\"dynamic-kind\", \"near-miss\"]\nlevel = \"warning\"\n\
                    [servers.browser_env]\nkinds = [\"tab_crashed\"]\n";
        let config = Config::parse(Path::new("failure-kinds.toml"), text.to_owned()).unwrap();
        let linter = Linter::new(Options { config: Some(config), no_ignore: false }).unwrap();
        for id in Id::ALL {
            let explanation = id.explanation();
            let (name, text) = match explanation.language {
                "rust" => ("a.rs", format!("fn f() {{ {} }}", explanation.example)),
                "python" => ("a.py", explanation.example.to_owned()),
                language @ ("json" | "toml" | "yaml") => {
                    (&*format!("a.{language}"), explanation.example.to_owned())
                }
                other => panic!("{other}"),
            };
            let found = findings(&linter, name, &text);
            assert!(found.contains(id), "{id}: {found:?} in {text}");
        }
    }
}
