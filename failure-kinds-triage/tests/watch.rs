//! What a watch has read is what one reading of the same lines gives.

#![allow(clippy::unwrap_used, reason = "what cannot go on fails the test")]

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use failure_kinds::FailureClassificationConfig;
use failure_kinds_rows::Progress;
use failure_kinds_triage::{ReadOptions, Report, Seen, Terms, Watch, inputs, read_runs};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

/// Counts the bytes that are read.
#[derive(Default)]
struct Bytes(AtomicU64);

impl Progress for Bytes {
    fn advance(&self, bytes: u64) -> io::Result<()> {
        self.0.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }
}

/// The report without the paths of files.
fn report(seen: &Seen, folder: &Path) -> Value {
    let terms = Terms::new(FailureClassificationConfig::shared_default());
    let json = serde_json::to_string(&Report::new(seen, &terms)).unwrap();
    serde_json::from_str(&json.replace(folder.to_str().unwrap(), "")).unwrap()
}

/// What the watch has read by now.
fn watched(watch: &mut Watch, folder: &Path) -> Option<Value> {
    let inputs = inputs::find(&[folder.to_owned()]).ok()?;
    let seen = watch.read(&inputs, &ReadOptions::default(), &()).ok()?;
    Some(report(&seen, folder))
}

/// What one reading gives of the whole lines of these files.
fn expected(folder: &Path) -> Option<Value> {
    let copy = tempfile::tempdir().unwrap();
    for file in fs::read_dir(folder).unwrap() {
        let file = file.unwrap();
        let text = fs::read(file.path()).unwrap();
        let end = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        fs::write(copy.path().join(file.file_name()), &text[..end]).unwrap();
    }
    let inputs = inputs::find(&[copy.path().to_owned()]).ok()?;
    let seen = read_runs(&inputs, &ReadOptions::default(), &()).ok()?;
    Some(report(&seen, copy.path()))
}

/// What happens to a file.
#[derive(Clone, Debug)]
enum Event {
    /// These rows are appended, except for the last bytes.
    Append(Vec<String>, usize),
    /// It is cut.
    Cut(usize),
    /// Another file takes its place.
    Replace(Vec<String>),
}

fn row() -> impl Strategy<Value = String> {
    let kind = select(&["judge_failed", "judge_faild", "agent_timeout"][..]);
    let row = (0..4_u8, 0..2_u8, 0..3_u8, prop::option::of(kind), any::<bool>());
    row.prop_map(|(task, rollout, attempt, kind, malformed)| {
        let kind = kind.map(|kind| format!(",\"failure_kind\":\"{kind}\"")).unwrap_or_default();
        let identity = format!("\"_ng_task_index\":{task},\"_ng_rollout_index\":{rollout}");
        let end = if malformed && attempt == 0 { "" } else { "}" };
        format!("{{{identity},\"_ng_attempt_index\":{attempt}{kind}{end}\n")
    })
}

fn event() -> impl Strategy<Value = Event> {
    let rows = || prop::collection::vec(row(), 0..4);
    prop_oneof![
        4 => (rows(), 0..60_usize).prop_map(|(rows, cut)| Event::Append(rows, cut)),
        1 => (0..400_usize).prop_map(Event::Cut),
        1 => rows().prop_map(Event::Replace),
    ]
}

fn happen(event: &Event, path: &Path) {
    let file = || OpenOptions::new().append(true).create(true).open(path).unwrap();
    match event {
        Event::Append(rows, cut) => {
            let text = rows.concat();
            file().write_all(&text.as_bytes()[..text.len().saturating_sub(*cut)]).unwrap();
        }
        Event::Cut(length) => {
            let file = file();
            let length = file.metadata().unwrap().len().min(*length as u64);
            file.set_len(length).unwrap();
        }
        Event::Replace(rows) => {
            let other = path.with_extension("new");
            fs::write(&other, rows.concat()).unwrap();
            fs::rename(other, path).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn a_watch_gives_what_one_reading_gives(
        events in prop::collection::vec((0..3_usize, event()), 1..16),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut watch = Watch::default();
        let names = ["r.jsonl", "r_failures.jsonl", "r_materialized_inputs.jsonl"];
        for (file, event) in events {
            happen(&event, &folder.path().join(names[file]));
            prop_assert_eq!(watched(&mut watch, folder.path()), expected(folder.path()), "{:?}", event);
        }
    }
}

fn sidecar(folder: &Path, rows: &str) -> PathBuf {
    let path = folder.join("r_failures.jsonl");
    fs::write(&path, rows).unwrap();
    path
}

fn append(path: &Path, text: &str) {
    OpenOptions::new().append(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
}

/// The failures that are known, and how many bytes were read to learn it.
fn read(watch: &mut Watch, folder: &Path) -> (u64, u64) {
    let bytes = Bytes::default();
    let inputs = inputs::find(&[folder.to_owned()]).unwrap();
    let seen = watch.read(&inputs, &ReadOptions::default(), &bytes).unwrap();
    let terms = Terms::new(FailureClassificationConfig::shared_default());
    (Report::new(&seen, &terms).totals.failures, bytes.0.into_inner())
}

const ROW: &str = "{\"failure_kind\":\"judge_failed\"}\n";

#[test]
fn only_what_was_appended_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = sidecar(folder.path(), ROW);
    let mut watch = Watch::default();
    let length = ROW.len() as u64;
    assert_eq!(read(&mut watch, folder.path()), (1, length));
    assert_eq!(read(&mut watch, folder.path()), (1, 0));
    append(&path, &ROW.repeat(2));
    assert_eq!(read(&mut watch, folder.path()), (3, 2 * length));
    // The start of a line waits for its end.
    append(&path, &ROW[..9]);
    assert_eq!(read(&mut watch, folder.path()), (3, 0));
    append(&path, &ROW[9..]);
    assert_eq!(read(&mut watch, folder.path()), (4, length));
}

#[test]
fn a_file_that_shrank_or_was_replaced_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = sidecar(folder.path(), &ROW.repeat(4));
    let mut watch = Watch::default();
    let length = ROW.len() as u64;
    assert_eq!(read(&mut watch, folder.path()), (4, 4 * length));
    OpenOptions::new().write(true).open(&path).unwrap().set_len(2 * length).unwrap();
    assert_eq!(read(&mut watch, folder.path()), (2, 2 * length));
    // Rewritten in place, and longer than before.
    let other = ROW.replace("judge_failed", "session_lost");
    fs::write(&path, other.repeat(3)).unwrap();
    assert_eq!(read(&mut watch, folder.path()), (3, 3 * length));
    fs::remove_file(&path).unwrap();
    sidecar(folder.path(), ROW);
    assert_eq!(read(&mut watch, folder.path()), (1, length));
}

#[test]
fn lines_keep_their_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let path = sidecar(folder.path(), &ROW.repeat(2));
    let mut watch = Watch::default();
    read(&mut watch, folder.path());
    append(&path, "oops\n");
    let inputs = inputs::find(&[folder.path().to_owned()]).unwrap();
    let seen = watch.read(&inputs, &ReadOptions::default(), &()).unwrap();
    let terms = Terms::new(FailureClassificationConfig::shared_default());
    let lines: Vec<_> =
        Report::new(&seen, &terms).malformed_lines.iter().map(|line| line.line).collect();
    assert_eq!(lines, [3]);
}
