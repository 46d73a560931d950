//! `failure-kinds config check`: what is wrong with classification files.

use std::path::PathBuf;

use super::{files, render};
use crate::Outcome;
use crate::fault::Fault;
use crate::output::Output;

/// Check classification files, and exit with 1 if one has a fault
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// JSON, TOML or YAML files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Fault> {
    let mut wrong = Vec::new();
    for file in &args.files {
        if let Err(error) = files::overrides(file)? {
            wrong.push((file, error));
        }
    }
    let count = |number: usize, noun: &str| match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    };
    let files = count(args.files.len(), "file");
    let faults: usize = wrong.iter().map(|(_, error)| error.faults().len()).sum();
    Output::Stdout.write(|stream| {
        for (file, error) in &wrong {
            render::faults(error, file, stream)?;
        }
        if wrong.is_empty() {
            return writeln!(stream, "{files} checked: no faults");
        }
        let (faults, wrong) = (count(faults, "fault"), count(wrong.len(), "file"));
        writeln!(stream, "{files} checked: {faults} in {wrong}")
    })?;
    Ok(if faults == 0 { Outcome::Clean } else { Outcome::Found })
}
