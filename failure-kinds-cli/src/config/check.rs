//! `failure-kinds config check`: errors in classification files.

use std::path::PathBuf;

use super::{files, render};
use crate::Outcome;
use crate::fault::Fault;
use crate::output::Output;
use crate::page::counted;

/// Check classification files, and exit with 1 if one has errors
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// JSON, TOML or YAML files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Fault> {
    let mut wrong = Vec::new();
    let mut unread = Vec::new();
    for file in &args.files {
        match files::overrides(file) {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => wrong.push((file, error)),
            Err(fault) => unread.push(fault),
        }
    }
    let count = |number: usize, noun| counted(number as u64, noun);
    let checked = args.files.len() - unread.len();
    let files = count(checked, "file");
    let faults: usize = wrong.iter().map(|(_, error)| error.faults().len()).sum();
    Output::Stdout.write(|stream| {
        for (file, error) in &wrong {
            render::faults(error, file, stream)?;
        }
        if checked == 0 {
            return Ok(());
        }
        if wrong.is_empty() {
            return writeln!(stream, "{files} checked: no faults");
        }
        let (faults, wrong) = (count(faults, "fault"), count(wrong.len(), "file"));
        writeln!(stream, "{files} checked: {faults} in {wrong}")
    })?;
    Fault::fail_on_any(unread)?;
    Ok(if faults == 0 { Outcome::Clean } else { Outcome::Found })
}
