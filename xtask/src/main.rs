//! Tasks of this repository: `cargo xtask regen` and `cargo xtask check`.
//!
//! To generate one more file, add a row to `FILES` in `generated.rs`; to check one more rule, add a row
//! to `CHECKS` in `checks.rs`.

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

  regen    write every file that is generated from another one
  check    fail if one of them is stale, or if the documents contradict the code
  english  find phrases that are not plain English
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
