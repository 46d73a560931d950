//! The command `failure-kinds`.

use std::process::ExitCode;

fn main() -> ExitCode {
    failure_kinds_cli::run(std::env::args_os()).into()
}
