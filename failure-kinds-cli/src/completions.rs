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
    let mut script = Vec::new();
    let generated = args.shell.try_generate(&command, &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    // The script for bash has two spellings of a name with a hyphen, and completes nothing after a
    // subcommand: https://github.com/clap-rs/clap/issues/6421
    if args.shell == Shell::Bash {
        script = script.replace("failure__subcmd__kinds", "failure__kinds");
    }
    Output::Stdout.write(|stream| {
        generated?;
        stream.write_all(script.as_bytes())
    })?;
    Ok(Outcome::Clean)
}
