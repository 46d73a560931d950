//! `failure-kinds triage`.

mod captures;
mod cases;
mod counts;
mod forms;
mod generated;
mod html;
pub(crate) mod input;
mod output;
pub(crate) mod properties;
mod rows;
mod runs;
mod text;
#[cfg(unix)]
mod watch;

use std::ffi::OsStr;
use std::path::Path;

use serde_json::Value;

use crate::failure_kinds;
use crate::support::{Folder, Ran, ran};

/// Runs `triage`.
fn triage<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    ran(failure_kinds().arg("triage").args(args))
}

/// The report on files as JSON; the command must find nothing to fail on.
fn report(paths: &[&Path]) -> Value {
    report_with(paths, &[])
}

pub(crate) fn report_with(paths: &[&Path], args: &[&str]) -> Value {
    let args = args.iter().map(OsStr::new).chain(paths.iter().map(|path| path.as_os_str()));
    let ran = triage([OsStr::new("--format"), OsStr::new("json")].into_iter().chain(args));
    assert_eq!(ran.code, 0, "{ran:?}");
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The report on these lines as one file.
fn report_of(lines: &[&str]) -> Value {
    let folder = Folder::new();
    report(&[&folder.rows("rows.jsonl", lines)])
}

/// The one sentence of a fault.
fn fault(paths: &[&Path]) -> String {
    let ran = triage(paths);
    assert_eq!((ran.code, &*ran.stdout), (2, ""), "{ran:?}");
    let sentence = ran.stderr.strip_prefix("error: ").unwrap().strip_suffix('\n').unwrap();
    assert!(!sentence.contains(|char: char| char.is_control()), "{sentence}");
    sentence.to_owned()
}

/// The groups as (class, kind, stage, label, rule, count).
fn groups(report: &Value) -> Vec<Value> {
    let groups = report["groups"].as_array().unwrap().iter();
    let keys = ["class", "kind", "stage", "http_label", "rule", "count"];
    groups.map(|group| keys.iter().map(|key| group[key].clone()).collect()).collect()
}
