//! The memory that warn-once uses after ten million distinct names.

#![allow(clippy::print_stdout, reason = "the figures are what it is for")]

use std::fmt::Write;
use std::io;
use std::process::ExitCode;

use failure_kinds::{unregistered_seen, unregistered_suppressed, validate_failure_kind};

const NAMES: u64 = 10_000_000;
/// The most that they may add to the process.
const LIMIT_KIB: u64 = 2_000_000 / 1024;

/// A figure of the process in KiB, if the system reports it: `VmRSS` is the current size, `VmHWM` the
/// peak.
fn process(figure: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(figure))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn main() -> ExitCode {
    let subscriber = tracing_subscriber::fmt().with_writer(io::sink).finish();
    tracing::subscriber::set_global_default(subscriber).expect("no other subscriber");
    // Allocate the buffers of the subscriber and of the name before the first measurement.
    tracing::warn!("ready");
    let mut name = String::with_capacity(64);
    let before = process("VmRSS");

    for number in 0..NAMES {
        name.clear();
        // An odd multiplier gives each number a different name.
        let scattered = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        write!(name, "no_such_name_{scattered:016x}").expect("a string takes all");
        validate_failure_kind(&name);
    }

    println!("distinct names   {NAMES:>10}");
    println!("warned about     {:>10}", unregistered_seen());
    println!("only counted     {:>10}", unregistered_suppressed());
    let (Some(before), Some(now), Some(most)) = (before, process("VmRSS"), process("VmHWM")) else {
        println!("this system does not tell what a process takes");
        return ExitCode::SUCCESS;
    };
    let added = most.saturating_sub(before);
    println!("before           {before:>10} KiB");
    println!("after            {now:>10} KiB");
    println!("at most          {most:>10} KiB");
    println!("added at most    {added:>10} KiB, limit {LIMIT_KIB} KiB");
    if added < LIMIT_KIB { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
