//! `failure-kinds triage`: what failed in saved rows, and out of how many.

mod csv;
mod fail_on;
pub(crate) mod html;
mod openmetrics;
pub(crate) mod text;
mod watch;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use failure_kinds_rows::Check;
use failure_kinds_triage::{MoreGroups, Report, Terms};

use self::fail_on::Condition;
use crate::fault::Fault;
use crate::reading::{self, Reading};
use crate::{Outcome, json, terminal};

/// Report what failed in saved rows, how often, at which stage and on whose side
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// JSON Lines files, plain, gzip or zstandard; folders to search for runs; `-` for stdin
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Write the report to this file, completely or not at all
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// In the groups, count only the row that decides each rollout
    #[arg(long)]
    latest: bool,

    /// Check every byte of every row, and exit with 1 on any malformed line
    #[arg(long)]
    strict: bool,

    /// Exit with 1 if one of these conditions holds (see below)
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    fail_on: Vec<Condition>,

    /// Report again every SECONDS until Ctrl-C [default: 10]
    #[arg(
        long,
        value_name = "SECONDS",
        num_args = 0..=1,
        default_missing_value = "10",
        value_parser = seconds,
        conflicts_with_all = ["format", "out"],
    )]
    watch: Option<u64>,

    #[command(flatten)]
    reading: Reading,
}

const HELP: &str = "\
Conditions of --fail-on:
  unregistered, legacy, gate-derived   there are such names
  malformed                            there are malformed lines
  missing, omitted, unexpected         there are such rollouts
  unknown                              a failure has the class `unknown`
  CLASS>N%                             a class has more than N % of the failure rows

Examples:
  failure-kinds triage runs/
  failure-kinds triage runs/monday/rollouts_failures.jsonl --format json
  failure-kinds triage runs/ --format html --out report.html
  failure-kinds triage runs/ --fail-on 'missing,evaluation>5%'
  failure-kinds triage runs/today --watch 30";

fn seconds(text: &str) -> Result<u64, String> {
    let seconds = text.parse().ok().filter(|seconds| *seconds >= 1);
    seconds.ok_or_else(|| "expected a number of seconds from 1; write paths before it".to_owned())
}

/// The format of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people
    #[default]
    Text,
    /// JSON for programs (schema version 1)
    Json,
    /// CSV with one line per group
    Csv,
    /// The text in Markdown, for the summary of a CI job
    Markdown,
    /// A web page in one file
    Html,
    /// Counts as gauges for dashboards
    Openmetrics,
}

impl Args {
    const fn check(&self) -> Check {
        if self.strict { Check::Every } else { Check::Read }
    }
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Fault> {
    if let Some(seconds) = args.watch {
        return watch::run(args, Duration::from_secs(seconds));
    }
    let config = args.reading.config()?;
    let inputs = args.reading.find(&args.paths)?;
    let output = args.reading.output(args.out.as_deref(), [&inputs])?;
    let terms = Terms { latest: args.latest, ..args.reading.terms(&config) };
    let seen = args.reading.read(&inputs, args.check())?;
    let report = Report::new(&seen, &terms);
    let now = args.reading.now();
    let write = |stream: &mut dyn Write| match args.format {
        Format::Text => text::write(&report, now, stream),
        Format::Json => json::write(&report, stream),
        Format::Csv => csv::write(&report, stream),
        Format::Markdown => text::write_markdown(&report, now, stream),
        Format::Html => html::write(&report, stream),
        Format::Openmetrics => openmetrics::write(&report, stream),
    };
    match args.format {
        Format::Text => output.write(write)?,
        _ => output.write_unstyled(write)?,
    }
    if !matches!(args.format, Format::Text | Format::Markdown | Format::Html) {
        report_notes(&report);
    }
    let outcome = outcome(&report, args);
    reading::fail_on_unread([&seen])?;
    Ok(outcome)
}

/// Prints on standard error what the formats for programs do not hold.
fn report_notes(report: &Report) {
    reading::report_notes(report);
    let MoreGroups { groups, count, rollouts } = report.more_groups;
    if groups > 0 {
        terminal::warning(&format_args!(
            "{groups} more groups, with {count} rows and {rollouts} rollouts, are not listed"
        ));
    }
}

/// Whether the report holds what the caller asked to fail on; each reason goes to standard error.
fn outcome(report: &Report, args: &Args) -> Outcome {
    let unknown = report.runs.iter().filter(|run| run.rollouts.missing.is_none()).count();
    for (condition, word) in
        [(Condition::Missing, "missing"), (Condition::Unexpected, "unexpected")]
    {
        if unknown > 0 && args.fail_on.contains(&condition) {
            terminal::warning(&format_args!(
                "{unknown} of {} runs have no inventory, so nobody knows what is {word} there",
                report.runs.len()
            ));
        }
    }
    if is_found(report, args) { Outcome::Found } else { Outcome::Clean }
}

/// The same without a warning about what nobody knows.
fn is_found(report: &Report, args: &Args) -> bool {
    let mut found = args.strict && report.totals.malformed > 0;
    for condition in &args.fail_on {
        if let Some(why) = condition.check(report) {
            terminal::error(&format_args!("failing on `{condition}`: {why}"));
            found = true;
        }
    }
    found
}
