//! `failure-kinds completions`: shell completions.

use clap::CommandFactory;
use clap_complete::{Generator, Shell};

use crate::Outcome;
use crate::cli::Cli;
use crate::fault::Fault;
use crate::output::Output;

/// Print shell completions
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Shell to print completions for
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Fault> {
    let mut command = Cli::command();
    command.set_bin_name("failure-kinds");
    command.build();
    Output::Stdout.write(|stream| args.shell.try_generate(&command, stream))?;
    Ok(Outcome::Clean)
}
