//! Help, version and usage errors.

use clap::error::ErrorKind;

use crate::fault::Fault;
use crate::output;

/// Prints help and version as clap does, and returns the exit code. A usage error is a fault of one
/// sentence.
pub(crate) fn exit(error: &clap::Error) -> Result<u8, Fault> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            output::written(error.print()).map(|()| 0)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            Ok(Fault::EXIT_CODE)
        }
        _ => Err(Fault::new(sentence(&error.to_string()))),
    }
}

/// Clap's message and tips on one line, without the usage.
fn sentence(message: &str) -> String {
    let end = ["\n\nUsage:", "\n\nFor more information"]
        .into_iter()
        .filter_map(|tail| message.find(tail))
        .min()
        .unwrap_or(message.len());
    let mut sentence = String::new();
    for line in message[..end].lines().map(str::trim).filter(|line| !line.is_empty()) {
        if !sentence.is_empty() {
            sentence.push_str(if sentence.ends_with(':') { " " } else { "; " });
        }
        sentence.push_str(line);
    }
    let sentence = sentence.strip_prefix("error: ").unwrap_or(&sentence);
    format!("{}; see `--help`", failure_kinds_core::text::Escaped(sentence))
}
