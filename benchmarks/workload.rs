//! Repeats one piece of work often enough that nothing else matters: `workload is_registered mixed 100`.
//!
//! For tools that measure from outside: instructions, or time compared with another language. The
//! names of the functions to measure start with `measured`.

#![allow(clippy::print_stdout, reason = "the answer keeps the work from being left out")]

use std::hint::black_box;
use std::process::ExitCode;

use failure_kinds::{
    FailureClass, FailureClassificationConfig, FailureKind, failure_kind, is_namespaced,
    is_registered, kinds, validate_failure_kind,
};
use failure_kinds_benchmarks::evidence::{events, large_config};
use failure_kinds_benchmarks::names::{NAMES, names};

const USAGE: &str = "usage: workload WORK INPUT ROUNDS
WORK is is_registered, is_namespaced or validate, and INPUT a mix of names; or classify, and INPUT
default or entries_200; or producer, and INPUT macro or constant.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [work, input, rounds] = arguments.as_slice() else { return usage() };
    let Ok(rounds) = rounds.parse() else { return usage() };
    let Some(count) = run(work, input, rounds) else { return usage() };
    println!("{count}");
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    println!("{USAGE}");
    ExitCode::from(2)
}

fn run(work: &str, input: &str, rounds: usize) -> Option<usize> {
    let count = match (work, input) {
        ("is_registered", mix) => count(rounds, &names(mix)?, |name| is_registered(name)),
        ("is_namespaced", mix) => count(rounds, &names(mix)?, |name| is_namespaced(name)),
        ("validate", "one_unknown") => {
            count(rounds, &vec!["no_such_name"; NAMES], |name| validated(name))
        }
        ("validate", mix) => count(rounds, &names(mix)?, |name| validated(name)),
        ("classify", "default") => classify(rounds, FailureClassificationConfig::shared_default()),
        ("classify", "entries_200") => classify(rounds, &large_config()),
        ("producer", "constant") => produce(rounds, measured_constants),
        ("producer", "macro") => produce(rounds, measured_macros),
        _ => return None,
    };
    Some(count)
}

fn validated(name: &str) -> bool {
    validate_failure_kind(name).len() > 12
}

fn classify(rounds: usize, config: &FailureClassificationConfig) -> usize {
    count(rounds, &events(), |event| black_box(config.classify(event)).class == FailureClass::Model)
}

/// How many of the items pass the test in all rounds together. A warm-up round comes first and is not
/// measured.
fn count<T>(rounds: usize, items: &[T], test: impl Fn(&T) -> bool) -> usize {
    black_box(items.iter().filter(|item| test(item)).count());
    measured_count(rounds, items, test)
}

#[inline(never)]
fn measured_count<T>(rounds: usize, items: &[T], test: impl Fn(&T) -> bool) -> usize {
    (0..rounds).map(|_| black_box(items).iter().filter(|item| test(item)).count()).sum()
}

fn produce(rounds: usize, kinds: fn(bool) -> [FailureKind; 3]) -> usize {
    (0..rounds)
        .map(|round| kinds(round % 2 == 0).iter().map(|kind| kind.as_str().len()).sum::<usize>())
        .sum()
}

#[inline(never)]
fn measured_constants(even: bool) -> [FailureKind; 3] {
    const TAB_CRASHED: FailureKind = FailureKind::from_static("browser_env:tab_crashed");
    [kinds::JUDGE_FAILED, if even { kinds::CANCELLED } else { kinds::SHUTDOWN }, TAB_CRASHED]
}

#[inline(never)]
fn measured_macros(even: bool) -> [FailureKind; 3] {
    [
        failure_kind!("judge_failed"),
        if even { failure_kind!("cancelled") } else { failure_kind!("shutdown") },
        failure_kind!("browser_env:tab_crashed"),
    ]
}
