//! Tasks of this repository: `cargo xtask regen` and `cargo xtask check`.
//!
//! To generate another file, add a row to `FILES` in `generated.rs`. To add a check, add a row to `CHECKS`
//! in `checks.rs`.

#![allow(clippy::print_stderr, reason = "a task reports on standard error")]

mod cases;
mod checks;
mod dependencies;
mod english;
mod features;
mod findings;
mod generated;
mod guides;
mod policy;
mod public_api;
mod python;
mod repository;

use std::env;
use std::error::Error;
use std::process::ExitCode;

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

const USAGE: &str = "\
Usage: cargo xtask <TASK>

  regen    Regenerate all generated files
  check    Check that generated files are up to date and that the documents agree with the code
  english  Find phrases that are not plain English
";

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let problems = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["regen"] => generated::write(),
        ["check"] => [generated::check(), checks::check(), english::check()].concat(),
        ["english"] => english::check(),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    for problem in &problems {
        eprintln!("error: {problem}");
    }
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
