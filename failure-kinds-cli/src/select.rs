//! `failure-kinds select`: which rollouts to run again.

use std::path::PathBuf;

use clap::ValueEnum;
use failure_kinds_core::Quoted;
use failure_kinds_rows::Check;
use failure_kinds_triage::{Conditions, Report, Selection, select};

use crate::fault::Fault;
use crate::reading::{self, Reading};
use crate::{Outcome, json, terminal};

/// Select rollouts, for example to run them again
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// JSON Lines files, plain, gzip or zstandard; folders to search for runs; `-` for stdin
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Conditions that must all hold (see below); repeat for alternatives
    #[arg(long = "where", value_name = "CONDITIONS", required = true)]
    any_of: Vec<Conditions>,

    /// What to write for each rollout
    #[arg(long, value_enum, default_value_t)]
    emit: Emit,

    /// Write to this file, completely or not at all
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    reading: Reading,
}

const HELP: &str = "\
Conditions of --where:
  failed, degraded, recovered, missing, omitted, unexpected, terminal, final,
  masked, rejudgeable      the rollout is one; `!` before a word negates it
  KEY=VALUE, KEY!=VALUE    for class, kind, registry, stage, http, label, rule, call;
                           `class=model|unknown` means either, `stage=none` no stage

Examples:
  failure-kinds select runs/ --where failed,class=evaluation --where missing
  failure-kinds select runs/ --where 'failed,class!=model' --emit inputs --out again.jsonl
  failure-kinds select runs/ --where kind=judge_failed --emit rows";

/// What is written for a rollout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// JSON with its identity, status, class and rule
    #[default]
    Ids,
    /// Its line in the inventory, for a rerun
    Inputs,
    /// The row that decides it
    Rows,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Fault> {
    for (kind, meant) in args.any_of.iter().flat_map(Conditions::unregistered) {
        let hint = meant.map(|name| format!("; a similar name is registered: `{name}`"));
        let hint = hint.unwrap_or_default();
        let is_several = kind.contains([' ', '=']);
        let comma = if is_several { "; separate conditions with a comma" } else { "" };
        let kind = Quoted(kind);
        terminal::warning(&format_args!("`{kind}` is not a registered kind{comma}{hint}"));
    }
    let config = args.reading.config()?;
    let terms = args.reading.terms(&config);
    let mut inputs = args.reading.find(&args.paths)?;
    if args.emit != Emit::Ids {
        inputs.copy_streams()?;
    }
    let output = args.reading.output(args.out.as_deref(), [&inputs])?;
    let seen = args.reading.read(&inputs, Check::Read)?;
    let selection = select(&seen, &terms, &args.any_of);
    match args.emit {
        Emit::Ids => output.write(|stream| {
            selection.rollouts.iter().try_for_each(|selected| json::write_line(selected, stream))
        })?,
        Emit::Inputs => output.write_bytes(&selection.inputs(&inputs, &())?)?,
        Emit::Rows => output.write_bytes(&selection.rows(&inputs, &())?)?,
    }
    reading::report_notes(&Report::new(&seen, &terms));
    let of_several_runs = selection.of_several_runs();
    if args.emit == Emit::Inputs && of_several_runs > 0 {
        terminal::warning(&format_args!(
            "{of_several_runs} of the selected rollouts have the task and rollout index of one in \
             another run, so a rerun would confuse them: select from one run at a time"
        ));
    }
    let Selection { rollouts, of } = selection;
    let without = rollouts.iter().filter(|selected| selected.rollout.row.is_none()).count();
    if args.emit == Emit::Rows && without > 0 {
        terminal::warning(&format_args!(
            "{without} of the selected rollouts have no deciding row, so nothing is written for them"
        ));
    }
    terminal::note(&format_args!("{} of {of} rollouts selected", rollouts.len()));
    reading::fail_on_unread([&seen])?;
    Ok(Outcome::Clean)
}
