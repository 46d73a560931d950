//! What changes no total: the order of rows and of their keys, where they are stored, and what
//! else is in them.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::input::{gzip, zstandard};
use super::{Folder, report_with};

/// The members of a row: keys with the text of their values. No key is there twice.
pub(crate) type Row = Vec<(String, String)>;

fn texts(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    select(texts).prop_map(str::to_owned)
}

/// A member that is there or not.
fn member(
    key: &'static str,
    value: impl Strategy<Value = String>,
) -> impl Strategy<Value = Option<(String, String)>> {
    prop::option::of(value.prop_map(move |value| (key.to_owned(), value)))
}

fn row() -> impl Strategy<Value = Row> {
    let kind = || {
        texts(&[
            r#""judge_failed""#,
            r#""provider_quota_exhausted""#,
            r#""timeout_exceeded""#,
            r#""agent_timeout""#,
            r#""transient""#,
            r#""answer_empty""#,
            r#""browser_env:tab_crashed""#,
            r#""judge_faild""#,
            "null",
            "7",
        ])
    };
    let record = texts(&[
        r#"{"source":"collector","http_status":502}"#,
        r#"{"failure":{"failure_kind":"session_lost","stage":"seed","failure_reason":"gone"}}"#,
        r#"{"failure":[],"source":"environment"}"#,
        "true",
    ]);
    let members = (
        member("failure_kind", kind()),
        member("_ng_failure_class", kind()),
        member("_ng_failure_record", record),
        member("_ng_failure_stage", texts(&[r#""agent""#, r#""verification""#, r#""end""#, "1"])),
        member("_ng_failure_http_status", texts(&["429", "503", "1000", r#""503""#, "503.0"])),
        member("failure_reason", texts(&[r#""resets at 2026-03-01 09:30 UTC""#, r#""no""#])),
        member("_ng_failure_terminal", texts(&["true", "false", "0"])),
        member("mask_sample", texts(&["true", "false"])),
        member("reward", texts(&["0", "0.5", "null"])),
        // Few rollouts, so that most have several attempts.
        prop::option::weighted(0.9, (0..3_u8, 0..2_u8)),
    );
    members.prop_map(|(a, b, c, d, e, f, g, h, i, rollout)| {
        let rollout = rollout.into_iter().flat_map(|(task, rollout)| {
            [("_ng_task_index", task), ("_ng_rollout_index", rollout)]
                .map(|(key, index)| (key.to_owned(), index.to_string()))
        });
        [a, b, c, d, e, f, g, h, i].into_iter().flatten().chain(rollout).collect()
    })
}

/// Rows whose attempt indices are distinct, so that one of them decides each rollout. The first has
/// a key of the format for certain.
pub(crate) fn rows() -> impl Strategy<Value = Vec<Row>> {
    prop::collection::vec(row(), 1..24).prop_map(|mut rows| {
        for (attempt, row) in rows.iter_mut().enumerate() {
            row.push(("_ng_attempt_index".to_owned(), attempt.to_string()));
        }
        rows.insert(0, vec![("failure_kind".to_owned(), "null".to_owned())]);
        rows
    })
}

/// A member that is not read, full of keys that are.
fn payload() -> impl Strategy<Value = (usize, String)> {
    let decoys = texts(&[
        r#"{"failure_kind":"decoy","_ng_failure_record":{"failure":{"failure_kind":"decoy"}}}"#,
        r#"[{"_ng_task_index":9,"_ng_rollout_index":9},"\",\"failure_kind\":\"decoy"]"#,
        r#""}\\\",\"mask_sample\":true,{""#,
        r"[[[[]]],{},-1.5e3]",
    ]);
    (0..16_usize, decoys)
}

fn is_failure(row: &Row) -> bool {
    let keys = ["failure_kind", "_ng_failure_class", "_ng_failure_record"];
    row.iter().any(|(key, value)| keys.contains(&&**key) && value != "null")
}

pub(crate) fn line(row: &Row) -> String {
    let members: Vec<_> = row.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
    format!("{{{}}}\n", members.join(","))
}

fn lines(rows: &[Row]) -> String {
    // An object to begin with, and a line that is not one.
    rows.iter().map(line).collect::<String>() + "[1]\n"
}

/// All that a report says about rows, except the files that they were in.
fn totals(files: &[(&str, Vec<u8>)], latest: bool) -> Value {
    let folder = Folder::new();
    let paths: Vec<_> = files.iter().map(|(name, bytes)| folder.write(name, bytes)).collect();
    let paths: Vec<_> = paths.iter().map(std::path::PathBuf::as_path).collect();
    let mut report = report_with(&paths, if latest { &["--latest"] } else { &[] });
    let report = report.as_object_mut().unwrap();
    let files = report.remove("files").unwrap();
    report.remove("conflicts");
    for key in
        ["rows", "failures", "results", "omitted", "masked", "degraded", "conflicts", "malformed"]
    {
        let files = files.as_array().unwrap().iter();
        let sum: u64 = files.map(|file| file[key].as_u64().unwrap()).sum();
        assert_eq!(report["totals"][key], json!(sum), "{key}");
    }
    for run in report["runs"].as_array_mut().unwrap() {
        run.as_object_mut().unwrap().remove("path");
    }
    json!(report)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn no_total_depends_on_the_form_of_the_rows(
        (rows, shuffled) in rows().prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle())),
        reordered in any::<prop::sample::Index>(),
        payloads in prop::collection::vec(payload(), 24),
        at in any::<prop::sample::Index>(),
        latest: bool,
    ) {
        let plain = lines(&rows);
        let expected = totals(&[("r.jsonl", plain.clone().into_bytes())], latest);
        let one = |text: String| totals(&[("r.jsonl", text.into_bytes())], latest);

        prop_assert_eq!(&one(lines(&shuffled)), &expected, "shuffled");

        let mut turned = rows.clone();
        for row in &mut turned {
            let by = reordered.index(row.len());
            row.rotate_left(by);
        }
        prop_assert_eq!(&one(lines(&turned)), &expected, "keys in another order");

        let mut loaded = rows.clone();
        for (row, (at, payload)) in loaded.iter_mut().zip(payloads) {
            row.insert(at.min(row.len()), ("payload".to_owned(), payload));
        }
        prop_assert_eq!(&one(lines(&loaded)), &expected, "with payloads");

        // Both files of one run, the results with at least one row. Whatever is in the sidecar is
        // a failure.
        let (first, second) = rows.split_at(at.index(rows.len()));
        let (second, results): (Vec<Row>, Vec<Row>) = second.iter().cloned().partition(is_failure);
        let results = [first, &results].concat();
        if !results.is_empty() {
            let sidecar: String = second.iter().map(line).collect();
            let parts = [("r.jsonl", lines(&results).into()), ("r_failures.jsonl", sidecar.into())];
            prop_assert_eq!(&totals(&parts, latest), &expected, "in two files");
        }

        for packed in [gzip(&plain), zstandard(&plain)] {
            prop_assert_eq!(&totals(&[("r.jsonl", packed)], latest), &expected, "packed");
        }
    }
}
