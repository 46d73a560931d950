//! `failure-kinds config`: classification files.

mod check;
mod default;
mod files;
mod render;

use clap::Subcommand;
use failure_kinds::FailureClassificationOverrides;
use schemars::generate::SchemaSettings;

#[cfg(feature = "triage")]
pub(crate) use self::files::read;
use crate::fault::Fault;
use crate::output::Output;
use crate::{Outcome, json};

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
        Command::Schema => schema(),
    }
}

fn schema() -> Result<Outcome, Fault> {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<FailureClassificationOverrides>();
    schema.insert("title".to_owned(), "failure-kinds classification".into());
    Output::Stdout.write(|stream| json::write(&schema, stream))?;
    Ok(Outcome::Clean)
}
