//! `failure-kinds select`.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Folder, Ran, ran};
use crate::triage::input::gzip;
use crate::triage::properties::{line, rows};
use crate::triage::report_with;
use crate::{failure_kinds, repository};

/// Runs `select` on a path.
fn select(path: &Path, args: &[&str]) -> Ran {
    ran(failure_kinds().arg("select").arg(path).args(args))
}

/// The output of a selection that succeeds, and what standard error says in the end.
fn selected(path: &Path, args: &[&str]) -> (String, String) {
    let ran = select(path, args);
    assert_eq!(ran.code, 0, "{ran:?}");
    let last = ran.stderr.lines().last().unwrap().to_owned();
    (ran.stdout, last)
}

fn ids(path: &Path, conditions: &str) -> Vec<Value> {
    let (stdout, last) = selected(path, &["--where", conditions]);
    let ids: Vec<_> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(last.starts_with(&format!("{} of ", ids.len())), "{last}");
    ids
}

/// A run with a rollout of each status; two of them were measured with a failure.
fn run() -> Folder {
    let folder = Folder::new();
    folder.rows(
        "r.jsonl",
        &[
            r#"{"_ng_task_index":0,"_ng_rollout_index":0,"reward":1}"#,
            r#"{"_ng_task_index":1,"_ng_rollout_index":0,"_ng_attempt_index":1,"reward":1}"#,
            r#"{"_ng_task_index":2,"_ng_rollout_index":0,"_ng_attempt_index":1,"failure_kind":"judge_failed","reward":0}"#,
            r#"{"_ng_task_index":6,"_ng_rollout_index":0,"mask_sample":true}"#,
        ],
    );
    folder.rows(
        "r_failures.jsonl",
        &[
            r#"{ "_ng_failure_class":"judge_faild" , "_ng_task_index":3,"_ng_rollout_index":1,"_ng_failure_stage":"verification","_ng_failure_terminal":true}"#,
            r#"{"_ng_task_index":1,"_ng_rollout_index":0,"_ng_failure_class":"agent_timeout"}"#,
            r#"{"_ng_task_index":2,"_ng_rollout_index":0,"_ng_failure_class":"agent_timeout"}"#,
            r#"{"_ng_task_index":5,"_ng_rollout_index":0,"_ng_omitted":true}"#,
            r#"{"_ng_task_index":3,"_ng_rollout_index":0,"_ng_failure_http_status":503}"#,
        ],
    );
    let inventory: Vec<_> = [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (4, 0), (5, 0)]
        .map(|(task, rollout)| {
            format!(
                r#"{{"x":"\u00e9é\ud83d", "_ng_task_index":{task},"_ng_rollout_index": {rollout}}}"#
            )
        })
        .into();
    folder.rows(
        "r_materialized_inputs.jsonl",
        &inventory.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    folder
}

#[test]
fn an_id_of_each_status() {
    let folder = run();
    let any = ["--where", "failed", "--where", "!failed"];
    let (stdout, last) = selected(folder.path(), &any);
    assert_eq!(last, "8 of 8 rollouts selected");
    let path = folder.path().join("r");
    let path = serde_json::to_string(path.to_str().unwrap()).unwrap();
    let expected = [
        r#""_ng_task_index":0,"_ng_rollout_index":0,"_ng_attempt_index":0,"status":"passed","class":null,"kind":null,"stage":null,"rule":null"#,
        r#""_ng_task_index":1,"_ng_rollout_index":0,"_ng_attempt_index":1,"status":"recovered","class":null,"kind":null,"stage":null,"rule":null"#,
        r#""_ng_task_index":2,"_ng_rollout_index":0,"_ng_attempt_index":1,"status":"degraded","class":"evaluation","kind":"judge_failed","stage":null,"rule":"kind""#,
        r#""_ng_task_index":3,"_ng_rollout_index":0,"_ng_attempt_index":0,"status":"failed","class":"evaluation","kind":null,"stage":null,"rule":"http_evidence""#,
        r#""_ng_task_index":3,"_ng_rollout_index":1,"_ng_attempt_index":0,"status":"failed","class":"evaluation","kind":"judge_faild","stage":"verification","rule":"stage_default""#,
        r#""_ng_task_index":4,"_ng_rollout_index":0,"_ng_attempt_index":null,"status":"missing","class":null,"kind":null,"stage":null,"rule":null"#,
        r#""_ng_task_index":5,"_ng_rollout_index":0,"_ng_attempt_index":null,"status":"omitted","class":null,"kind":null,"stage":null,"rule":null"#,
        r#""_ng_task_index":6,"_ng_rollout_index":0,"_ng_attempt_index":0,"status":"passed","class":null,"kind":null,"stage":null,"rule":null"#,
    ]
    .map(|id| format!("{{\"run\":{path},{id}}}\n"));
    assert_eq!(stdout, expected.concat());
}

#[test]
fn words_and_keys() {
    let folder = run();
    let tasks = |conditions: &str| -> Vec<_> {
        let ids = ids(folder.path(), conditions).into_iter();
        ids.map(|id| {
            (id["_ng_task_index"].as_i64().unwrap(), id["_ng_rollout_index"].as_i64().unwrap())
        })
        .collect()
    };
    for (conditions, expected) in [
        ("failed", &[(3, 0), (3, 1)][..]),
        ("degraded", &[(2, 0)]),
        // One is degraded as well.
        ("recovered", &[(1, 0), (2, 0)]),
        ("recovered,!degraded", &[(1, 0)]),
        ("missing", &[(4, 0)]),
        ("omitted", &[(5, 0)]),
        ("unexpected", &[(6, 0)]),
        ("masked", &[(6, 0)]),
        ("terminal", &[(3, 1)]),
        ("class=evaluation", &[(2, 0), (3, 0), (3, 1)]),
        ("class!=model,kind!=judge_failed", &[(3, 0), (3, 1)]),
        ("http=5xx,stage=none", &[(3, 0)]),
        ("missing,class=evaluation", &[]),
    ] {
        assert_eq!(tasks(conditions), expected, "{conditions}");
    }
}

#[test]
fn rows_are_written_byte_for_byte_by_path_and_line() {
    let folder = run();
    let sidecar = fs::read_to_string(folder.path().join("r_failures.jsonl")).unwrap();
    let sidecar: Vec<_> = sidecar.lines().collect();
    let results = fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
    let degraded = results.lines().nth(2).unwrap();
    let expected = format!("{degraded}\n{}\n{}\n", sidecar[0], sidecar[4]);
    let args = ["--emit", "rows", "--where", "failed", "--where", "degraded", "--where", "missing"];
    let (stdout, last) = selected(folder.path(), &args);
    assert_eq!((stdout, &*last), (expected.clone(), "4 of 8 rollouts selected"));
    // The same from compressed files, whose last line has no newline.
    let text = fs::read(folder.path().join("r_failures.jsonl")).unwrap();
    fs::remove_file(folder.path().join("r_failures.jsonl")).unwrap();
    folder.write("r_failures.jsonl.gz", gzip(text.strip_suffix(b"\n").unwrap()));
    assert_eq!(selected(folder.path(), &args).0, expected);
}

#[test]
fn bytes_that_no_terminal_should_get_are_written_as_they_are() {
    let folder = Folder::new();
    let row = b"\xef\xbb\xbf{\"_ng_task_index\":0,\"_ng_rollout_index\":0,\"failure_kind\":\"x\",\"y\":\"\x1b[1m\xff\"}\r\n";
    let path = folder.write("rows.jsonl", row);
    let out = folder.path().join("out.jsonl");
    let args = ["--emit", "rows", "--where", "failed", "--out", out.to_str().unwrap()];
    assert_eq!(select(&path, &args).code, 0);
    // The byte order mark belongs to no line.
    assert_eq!(fs::read(&out).unwrap(), row[3..]);
    let output = failure_kinds().arg("select").arg(&path).args(&args[..4]).output().unwrap();
    assert_eq!(output.stdout, row[3..]);
}

#[test]
fn inputs_are_the_lines_of_the_inventory_in_their_order() {
    let folder = run();
    let inventory = fs::read_to_string(folder.path().join("r_materialized_inputs.jsonl")).unwrap();
    let reversed: Vec<_> = inventory.lines().rev().collect();
    let inventory = folder.rows("r_materialized_inputs.jsonl", &reversed);
    let expected = format!("{}\n{}\n{}\n", reversed[1], reversed[2], reversed[3]);
    let args =
        ["--emit", "inputs", "--where", "failed", "--where", "missing", "--where", "unexpected"];
    let (stdout, last) = selected(folder.path(), &args);
    assert_eq!((stdout, &*last), (expected, "4 of 8 rollouts selected"));

    fs::remove_file(inventory).unwrap();
    let out = folder.write("out.jsonl", "old");
    let ran = select(folder.path(), &[&args[..], &["--out", out.to_str().unwrap()]].concat());
    assert_eq!((ran.code, &*ran.stdout), (2, ""));
    let run = folder.path().join("r");
    assert!(
        ran.stderr.contains(&format!("the run `{}` has no inventory", run.display())),
        "{ran:?}"
    );
    assert_eq!(fs::read_to_string(out).unwrap(), "old");
}

#[test]
fn what_was_selected_runs_again_and_both_runs_add_up() {
    let data = repository().join("examples/data/judge");
    let args = ["--emit", "inputs", "--where", "failed,class=evaluation", "--where", "missing"];
    let (inputs, last) = selected(&data, &args);
    assert_eq!(last, format!("{} of 26 rollouts selected", inputs.lines().count()));
    // A run of them in which all is well: each line becomes a result.
    let folder = Folder::new();
    let again = inputs.lines().map(|line| line.replacen('{', "{\"reward\":1,", 1) + "\n");
    folder.write("again.jsonl", again.collect::<String>());
    folder.write("again_materialized_inputs.jsonl", &inputs);
    let report = report_with(&[folder.path()], &[]);
    let count = inputs.lines().count();
    assert!(count > 0);
    assert_eq!(report["rollouts"]["expected"], count);
    assert_eq!(report["rollouts"]["missing"], 0);
    assert_eq!(report["rollouts"]["failed"], 0);
}

#[test]
fn what_is_wrong_with_a_condition_is_an_error_before_anything_is_read() {
    for (conditions, why) in [
        ("faild", "`faild` is not a condition; a similar one is `failed`"),
        ("class=modle", "`modle` is not a class; a similar one is `model`"),
    ] {
        let ran = select("nowhere".as_ref(), &["--where", conditions]);
        assert_eq!((ran.code, &*ran.stdout), (2, ""));
        assert!(ran.stderr.contains(why), "{ran:?}");
    }
    let folder = run();
    let ran = select(folder.path(), &["--where", "kind=judge_faild"]);
    assert_eq!(ran.code, 0);
    assert_eq!(
        ran.stderr,
        "warning: `judge_faild` is not a registered kind; a similar name is registered: \
         `judge_failed`\n1 of 8 rollouts selected\n"
    );
}

#[test]
fn a_comma_that_is_missing_is_suggested() {
    let ran = select(run().path(), &["--where", "kind=judge_faild class=evaluation"]);
    assert_eq!((ran.code, &*ran.stdout), (0, ""));
    assert_eq!(
        ran.stderr,
        "warning: `judge_faild class=evaluation` is not a registered kind; separate conditions with \
         a comma; a similar name is registered: `judge_failed`\n0 of 8 rollouts selected\n"
    );
}

#[test]
fn inputs_of_several_runs_with_the_same_indices_have_a_warning() {
    let data = repository().join("examples/data");
    let runs = ["gateway", "sat"].map(|run| data.join(run));
    let ran = |args: &[&str]| ran(failure_kinds().arg("select").args(&runs).args(args));
    let warning = "warning: 44 of the selected rollouts have the task and rollout index of one in \
                   another run, so a rerun would confuse them: select from one run at a time\n";
    let inputs = ran(&["--where", "failed", "--emit", "inputs"]);
    assert_eq!(inputs.stderr, format!("{warning}53 of 62 rollouts selected\n"));
    assert_eq!(inputs.stdout.lines().count(), 53);
    // The ids name the run.
    let ids = ran(&["--where", "failed"]);
    assert_eq!(ids.stderr, "53 of 62 rollouts selected\n");
}

/// The partition properties of the contract.
fn check_partitions(path: &Path) -> Result<(), TestCaseError> {
    let rollouts = &report_with(&[path], &[])["rollouts"];
    let mut failed = Vec::new();
    for class in ["model", "evaluation", "unknown"] {
        failed.extend(ids(path, &format!("failed,class={class}")));
    }
    prop_assert_eq!(json!(failed.len()), rollouts["failed"].clone());
    let mut identities: Vec<_> = failed.iter().map(Value::to_string).collect();
    identities.sort_unstable();
    identities.dedup();
    prop_assert_eq!(identities.len(), failed.len(), "disjoint");
    let missing = json!(ids(path, "missing").len());
    prop_assert_eq!(missing, rollouts["missing"].as_u64().unwrap_or(0));
    for word in ["degraded", "recovered", "omitted", "unexpected"] {
        let count = ids(path, word).len();
        prop_assert_eq!(json!(count), rollouts[word].as_u64().unwrap_or(0), "{}", word);
    }
    Ok(())
}

#[test]
fn selections_by_class_partition_the_failed_rollouts_of_real_runs() {
    let data = repository().join("examples/data");
    check_partitions(&data).unwrap();
    for run in fs::read_dir(data).unwrap() {
        check_partitions(&run.unwrap().path()).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn selections_by_class_partition_the_failed_rollouts(
        rows in rows(),
        expected in prop::collection::vec((0..3_u8, 0..3_u8), 0..6),
        at in any::<prop::sample::Index>(),
    ) {
        let folder = Folder::new();
        let (results, sidecar) = rows.split_at(at.index(rows.len()));
        folder.write("r.jsonl", results.iter().map(line).collect::<String>());
        folder.write("r_failures.jsonl", sidecar.iter().map(line).collect::<String>());
        if !expected.is_empty() {
            let inventory = expected.iter().map(|(task, rollout)| {
                format!("{{\"_ng_task_index\":{task},\"_ng_rollout_index\":{rollout}}}\n")
            });
            folder.write("r_materialized_inputs.jsonl", inventory.collect::<String>());
        }
        check_partitions(folder.path())?;
    }
}

#[test]
fn rows_of_standard_input_can_be_selected() {
    let row = r#"{"_ng_task_index":0,"_ng_rollout_index":0,"failure_kind":"x"}"#;
    let output = failure_kinds()
        .args(["select".as_ref(), "-".as_ref(), OsStr::new("--where"), "failed".as_ref()])
        .args(["--emit", "rows"])
        .stdin(format!("{row}\n{{\"_ng_task_index\":1,\"_ng_rollout_index\":0}}\n"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{row}\n"));
    assert_eq!(output.status.code(), Some(0));
}
