//! `failure-kinds config`: classification files.

mod check;
mod default;
mod files;
mod render;

use clap::Subcommand;

#[cfg(feature = "triage")]
pub(crate) use self::files::read;
use crate::Outcome;
use crate::fault::Fault;
use crate::output::Output;

/// The JSON Schema of classification files, from the types that read them.
const SCHEMA: &str = include_str!("schema.json");

/// Check classification files, or print the default one or the JSON Schema
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Args),
    Default(default::Args),
    /// Print the JSON Schema of classification files, for editors
    Schema,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Fault> {
    match &args.command {
        Command::Check(args) => check::run(args),
        Command::Default(args) => default::run(*args),
        Command::Schema => {
            Output::Stdout.write(|stream| stream.write_all(SCHEMA.as_bytes()))?;
            Ok(Outcome::Clean)
        }
    }
}
