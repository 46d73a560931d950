//! `failure-kinds compare`: what differs between two sides, and whether it can be chance.

mod csv;
mod fail_on;
mod html;
pub(crate) mod text;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use failure_kinds_core::text::path_text;
use failure_kinds_rows::Check;
use failure_kinds_triage::inputs::Inputs;
use failure_kinds_triage::{self as triage, Comparison, SavedReport, Seen, Side};

use self::fail_on::Condition;
use crate::fault::Fault;
use crate::reading::{self, Reading};
use crate::{Outcome, json, terminal};

/// Compare two runs or reports: what changed, and what may be chance
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// A folder with runs, a file of rows, or a saved report of `triage --format json`
    #[arg(value_name = "BASELINE")]
    baseline: PathBuf,

    /// What to compare with the baseline, in one of these forms
    #[arg(value_name = "CURRENT")]
    current: PathBuf,

    /// What to group failures by, in addition to the class
    #[arg(long, value_enum, default_value_t)]
    by: By,

    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Write the report to this file, completely or not at all
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Exit with 1 if one of these conditions holds (see below)
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    fail_on: Vec<Condition>,

    /// Allow reports that were classified with another configuration
    #[arg(long)]
    any_config: bool,

    #[command(flatten)]
    reading: Reading,
}

const HELP: &str = "\
Conditions of --fail-on:
  new         a kind of failure is new
  up          a kind of failure is up, by more than chance
  missing     rollouts of the current side are missing
  CLASS+N%    the share of a class rose by more than N percentage points

Examples:
  failure-kinds compare runs/monday runs/tuesday
  failure-kinds compare baseline.json runs/tuesday --fail-on 'new,evaluation+5%'
  failure-kinds compare runs/monday runs/tuesday --by kind,stage --format html --out compare.html";

/// What a row is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum By {
    /// Kind
    #[default]
    Kind,
    /// Kind and stage
    #[value(name = "kind,stage")]
    KindAndStage,
    /// Class only
    Class,
}

/// The format of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people
    #[default]
    Text,
    /// JSON for programs (schema version 1)
    Json,
    /// CSV with one line per row
    Csv,
    /// The text in Markdown, for the summary of a CI job
    Markdown,
    /// A web page in one file
    Html,
}

/// What was read for one side.
enum Content {
    Rows(Box<Seen>),
    Report(Box<SavedReport>),
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Fault> {
    let paths = [&*args.baseline, &*args.current];
    if paths == [Path::new("-"); 2] {
        return Err(Fault::new("only one side can be standard input"));
    }
    let config = args.reading.config()?;
    let terms = args.reading.terms(&config);
    let [baseline, current] = paths.map(|path| find(path, &args.reading));
    let inputs = [baseline?, current?];
    let output = args.reading.output(args.out.as_deref(), &inputs)?;
    let [baseline, current] = inputs.each_ref().map(|inputs| read(inputs, &args.reading));
    let contents = [baseline?, current?];
    let [baseline, current] = [0, 1].map(|side: usize| {
        let path = path_text(paths[side]).into_owned();
        match &contents[side] {
            Content::Rows(seen) => Side::rows(path, &inputs[side], seen),
            Content::Report(report) => Side::report(path, report),
        }
    });
    let by = match args.by {
        By::Kind => triage::By::Kind,
        By::KindAndStage => triage::By::KindAndStage,
        By::Class => triage::By::Class,
    };
    let comparison = triage::compare(&baseline, &current, &terms, by, args.any_config, &())?;
    let write = |stream: &mut dyn Write| match args.format {
        Format::Text => text::write(&comparison, stream),
        Format::Json => json::write(&comparison, stream),
        Format::Csv => csv::write(&comparison, stream),
        Format::Markdown => text::write_markdown(&comparison, stream),
        Format::Html => html::write(&comparison, stream),
    };
    match args.format {
        Format::Text => output.write(write)?,
        _ => output.write_unstyled(write)?,
    }
    if !matches!(args.format, Format::Text | Format::Markdown | Format::Html) {
        for note in &comparison.notes {
            terminal::warning(note);
        }
        if let Some(more) = text::more_rows(&comparison.more_rows) {
            terminal::warning(&more);
        }
    }
    let outcome = outcome(&comparison, &args.fail_on);
    reading::fail_on_unread(contents.iter().filter_map(|content| match content {
        Content::Rows(seen) => Some(&**seen),
        Content::Report(_) => None,
    }))?;
    Ok(outcome)
}

/// The files of a side, which are read more than once.
fn find(path: &Path, reading: &Reading) -> Result<Inputs, Fault> {
    let mut inputs = reading.find(&[path.to_owned()])?;
    inputs.copy_streams()?;
    Ok(inputs)
}

fn read(inputs: &Inputs, reading: &Reading) -> Result<Content, Fault> {
    Ok(match SavedReport::find(inputs)? {
        Some(report) => Content::Report(Box::new(report)),
        None => Content::Rows(Box::new(reading.read(inputs, Check::Read)?)),
    })
}

/// Whether the comparison shows what the caller asked to fail on; each reason goes to standard
/// error.
fn outcome(comparison: &Comparison, conditions: &[Condition]) -> Outcome {
    if comparison.current.missing.is_none() && conditions.contains(&Condition::Missing) {
        terminal::warning(
            &"not every run of the current side has an inventory, so nobody knows what is missing",
        );
    }
    let mut outcome = Outcome::Clean;
    for condition in conditions {
        if let Some(why) = condition.check(comparison) {
            terminal::error(&format_args!("failing on `{condition}`: {why}"));
            outcome = Outcome::Found;
        }
    }
    outcome
}
