//! The command line: every command is registered here, and only here.

use clap::{Parser, Subcommand};

use crate::fault::Fault;
use crate::{Outcome, completions, config, explain, lint, list, triage};

/// What failed in agent evaluations, how often, at which stage and on whose side.
#[derive(Debug, Parser)]
#[command(name = "failure-kinds", version, about, propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// A command is a module with its `Args` and a function `run` that takes them: one variant here
/// and one arm below.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Triage(triage::Args),
    Lint(lint::Args),
    List(list::Args),
    Explain(explain::Args),
    Config(config::Args),
    Completions(completions::Args),
}

impl Command {
    pub(crate) fn run(self) -> Result<Outcome, Fault> {
        match self {
            Self::Triage(args) => triage::run(&args),
            Self::Lint(args) => lint::run(&args),
            Self::List(args) => list::run(&args),
            Self::Explain(args) => explain::run(&args),
            Self::Config(args) => config::run(&args),
            Self::Completions(args) => completions::run(&args),
        }
    }
}
