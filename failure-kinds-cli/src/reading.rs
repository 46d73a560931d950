//! The options of `triage`, `select` and `compare` for reading and classifying rows.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use failure_kinds::FailureClassificationConfig;
use failure_kinds_core::text::{Escaped, EscapedPath};
use failure_kinds_rows::Check;
use failure_kinds_triage::inputs::{self, Input, Inputs};
use failure_kinds_triage::{Calls, MalformedLine, ReadOptions, Report, Seen, Terms, read_runs};

use crate::fault::Fault;
use crate::output::Output;
use crate::progress::Progress;
use crate::{config, terminal};

/// How rows are read and classified.
#[derive(Debug, clap::Args)]
pub(crate) struct Reading {
    /// Classification file over the default; later files override earlier
    #[arg(long, value_name = "FILE")]
    config: Vec<PathBuf>,

    /// Do not let recorded stages decide a side, if you do not trust them
    #[arg(long)]
    no_admit_stage: bool,

    /// Captures of model calls: `auto` looks beside the rows
    #[arg(long, value_name = "auto|off|DIR", default_value = "auto", value_parser = calls)]
    calls: Calls,

    /// Do not let the failed last model call decide a side; only show it
    #[arg(long)]
    no_admit_calls: bool,

    /// Treat all inputs as one run, such as the shards of a collection
    #[arg(long)]
    one_run: bool,

    /// Time that quota resets are compared with [default: the current time]
    #[arg(long, value_name = "RFC3339", value_parser = time)]
    now: Option<DateTime<Utc>>,
}

fn time(text: &str) -> Result<DateTime<Utc>, String> {
    let time = DateTime::parse_from_rfc3339(text);
    time.map(Into::into).map_err(|_| "expected a time such as `2026-10-12T05:00:00Z`".to_owned())
}

fn calls(value: &str) -> Result<Calls, String> {
    let calls = Calls::from(PathBuf::from(value));
    match &calls {
        Calls::Folder(folder) if !folder.is_dir() => {
            Err("expected `auto`, `off` or a folder that exists".to_owned())
        }
        _ => Ok(calls),
    }
}

impl Reading {
    /// Finds the files of these paths.
    pub(crate) fn find(&self, paths: &[PathBuf]) -> Result<Inputs, Fault> {
        let inputs = inputs::find(paths)?;
        Ok(if self.one_run { inputs.into_one_run() } else { inputs })
    }

    /// The configuration, with all files of `--config`.
    pub(crate) fn config(&self) -> Result<FailureClassificationConfig, Fault> {
        config::read(&self.config)
    }

    /// How failures are classified.
    pub(crate) const fn terms<'c>(&self, config: &'c FailureClassificationConfig) -> Terms<'c> {
        Terms {
            admit_stage: !self.no_admit_stage,
            admit_calls: !self.no_admit_calls,
            ..Terms::new(config)
        }
    }

    /// How files are read.
    pub(crate) fn options(&self, check: Check) -> ReadOptions {
        ReadOptions { check, calls: self.calls.clone() }
    }

    /// Reads all files, with a progress bar.
    pub(crate) fn read(&self, inputs: &Inputs, check: Check) -> Result<Seen, Fault> {
        let progress = Progress::of_bytes(inputs.bytes());
        let seen = read_runs(inputs, &self.options(check), &progress);
        progress.finish();
        Ok(seen?)
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.now.unwrap_or_else(Utc::now)
    }

    /// Where the output goes. It must not be one of the inputs.
    pub(crate) fn output<'i>(
        &'i self,
        out: Option<&Path>,
        inputs: impl IntoIterator<Item = &'i Inputs>,
    ) -> Result<Output, Fault> {
        let read = inputs.into_iter().flat_map(Inputs::files).filter_map(Input::path);
        Output::new(out, read.chain(self.config.iter().map(PathBuf::as_path)))
    }
}

/// Fails if files could not be read, and reports each on standard error.
pub(crate) fn fail_on_unread<'s>(seen: impl IntoIterator<Item = &'s Seen>) -> Result<(), Fault> {
    let unread = seen.into_iter().flat_map(Seen::unread);
    let faults =
        unread.map(|file| Fault::new(format!("`{}` {}", EscapedPath(&file.path), file.why)));
    Fault::fail_on_any(faults.collect())
}

/// Reports on standard error what the formats for programs cannot hold.
pub(crate) fn report_notes(report: &Report) {
    for MalformedLine { path, line, why } in &report.malformed_lines {
        terminal::warning(&format_args!("{}:{line}: {why}", Escaped(path)));
    }
    for note in &report.notes {
        terminal::warning(note);
    }
}
