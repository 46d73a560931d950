//! `failure-kinds completions`: the script that completes the command's arguments in a shell.

use clap::CommandFactory;
use clap_complete::{Generator, Shell};

use crate::Outcome;
use crate::cli::Cli;
use crate::fault::Fault;
use crate::output::Output;

/// Print the script that completes arguments in a shell
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Fault> {
    let mut command = Cli::command();
    command.set_bin_name("failure-kinds");
    command.build();
    Output::Stdout.write(|stream| args.shell.try_generate(&command, stream))?;
    Ok(Outcome::Clean)
}
