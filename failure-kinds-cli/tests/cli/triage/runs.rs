//! Which files are read, and what they are out of.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{Folder, report, triage};

const A: &str = r#"{"_ng_task_index":0,"_ng_rollout_index":0,"_ng_failure_class":"judge_failed"}"#;
const B: &str = r#"{"_ng_task_index":1,"_ng_rollout_index":0,"reward":1}"#;
const RESULTS: &str = "r.jsonl";
const SIDECAR: &str = "r_failures.jsonl";
const INVENTORY: &str = "r_materialized_inputs.jsonl";

/// A whole run of three expected rollouts: one failed, one measured, one missing.
fn whole_run(folder: &Folder, under: &str) {
    folder.rows(&format!("{under}{SIDECAR}"), &[A]);
    folder.rows(&format!("{under}{RESULTS}"), &[B]);
    let expected: String =
        (0..3).map(|n| format!("{{\"_ng_task_index\":{n},\"_ng_rollout_index\":0}}\n")).collect();
    folder.write(&format!("{under}{INVENTORY}"), expected);
}

/// Paths below the folder.
fn paths(folder: &Folder, list: &Value) -> Vec<String> {
    let root = folder.path().join("");
    let paths = list.as_array().unwrap().iter().map(|item| item["path"].as_str().unwrap());
    paths.map(|path| path.strip_prefix(root.to_str().unwrap()).unwrap().to_owned()).collect()
}

#[test]
fn a_folder_is_searched_for_runs() {
    let folder = Folder::new();
    whole_run(&folder, "one/");
    whole_run(&folder, "deep/er/two/");
    folder.rows("deep/er/two/captures/0-0.capture.jsonl", &["{}"]);
    folder.rows("one/r_verdicts.jsonl", &[A]);
    folder.write("one/manifest.json", "{}");
    folder.rows("alone_materialized_inputs.jsonl", &[B]);
    folder.write("logs/day/a.log", "text");
    folder.write("logs/b.log", "text");
    let report = report(&[folder.path()]);
    assert_eq!(paths(&folder, &report["runs"]), ["deep/er/two/r", "one/r"]);
    assert_eq!(
        paths(&folder, &report["files"]),
        [
            "deep/er/two/r.jsonl",
            "deep/er/two/r_failures.jsonl",
            "one/r.jsonl",
            "one/r_failures.jsonl"
        ]
    );
    // A folder without anything of a run is one entry.
    assert_eq!(
        paths(&folder, &report["skipped_files"]),
        [
            "alone_materialized_inputs.jsonl",
            "deep/er/two/captures",
            "logs",
            "one/manifest.json",
            "one/r_verdicts.jsonl"
        ]
    );
    assert!(report["skipped_files"].as_array().unwrap().iter().all(|s| s["why"] != ""));
    assert_eq!(
        report["rollouts"],
        json!({"expected": 6, "seen": 4, "missing": 2, "unexpected": 0, "omitted": 0, "failed": 2, "degraded": 0, "recovered": 0})
    );
}

#[test]
fn results_without_failures_are_a_run_with_their_inventory() {
    let folder = Folder::new();
    whole_run(&folder, "");
    fs::remove_file(folder.path().join(SIDECAR)).unwrap();
    let report = report(&[folder.path()]);
    assert_eq!(report["runs"][0]["expected"], 3);
    assert_eq!(report["runs"][0]["missing"], 2);
}

#[test]
fn failures_alone_are_a_run_with_an_unknown_denominator() {
    let folder = Folder::new();
    whole_run(&folder, "with/");
    folder.rows("without/r_failures.jsonl", &[A]);
    let report = report(&[folder.path()]);
    assert_eq!(report["runs"][0]["expected"], 3);
    assert_eq!(report["runs"][1]["expected"], Value::Null);
    assert_eq!(report["runs"][1]["missing"], Value::Null);
    // Known of all, or known of none.
    assert_eq!(report["rollouts"]["expected"], Value::Null);
    assert_eq!(report["rollouts"]["missing"], Value::Null);
    assert_eq!(report["rollouts"]["seen"], 3);
    let text = triage([folder.path()]).stdout;
    let known = "1 of 3 expected are missing in the";
    assert!(text.contains(known), "{text}");
    let text = triage([folder.path().join("without")]).stdout;
    assert!(text.contains("how many were expected is unknown"), "{text}");
}

#[test]
fn a_plain_file_wins_over_a_compressed_copy() {
    let folder = Folder::new();
    folder.rows(SIDECAR, &[A]);
    let packed = zstd::encode_all(&b"{}\n"[..], 1).unwrap();
    folder.write("r_failures.jsonl.gz", &packed);
    folder.write("r.jsonl.zst", &packed);
    let report = report(&[folder.path()]);
    assert_eq!(paths(&folder, &report["files"]), ["r.jsonl.zst", SIDECAR]);
    assert_eq!(paths(&folder, &report["skipped_files"]), ["r_failures.jsonl.gz"]);
}

#[test]
fn files_of_one_run_named_together_form_that_run() {
    let folder = Folder::new();
    whole_run(&folder, "");
    let path = |name: &str| folder.path().join(name);
    let report = report(&[&path(SIDECAR), &path(RESULTS)]);
    assert_eq!(paths(&folder, &report["runs"]), ["r"]);
    // Its inventory comes with it.
    assert_eq!(report["runs"][0]["expected"], 3);
    assert_eq!(report["skipped_files"], json!([]));
    // Named too, it is the inventory and no file of rows.
    let with_inventory = super::report(&[&path(INVENTORY), &path(RESULTS), &path(SIDECAR)]);
    assert_eq!(with_inventory, report);
}

#[test]
fn a_file_named_alone_gets_no_inventory_while_its_neighbour_is_left_out() {
    let folder = Folder::new();
    whole_run(&folder, "");
    let path = |name: &str| folder.path().join(name);
    for (named, left_out) in [(SIDECAR, RESULTS), (RESULTS, SIDECAR)] {
        let report = report(&[&path(named)]);
        assert_eq!(paths(&folder, &report["files"]), [named]);
        assert_eq!(report["runs"][0]["expected"], Value::Null);
        assert_eq!(report["runs"][0]["seen"], 1);
        assert_eq!(paths(&folder, &report["skipped_files"]), [left_out, INVENTORY]);
        let text = triage([path(named)]).stdout;
        assert!(text.contains(left_out), "{text}");
        // The inventory does not apply when it is named either.
        let named_too = super::report(&[&path(named), &path(INVENTORY)]);
        assert_eq!(named_too["totals"]["rows"], 1);
        assert_eq!(named_too["runs"][0]["expected"], Value::Null);
    }
    // Where the neighbour does not exist, nothing is left out.
    fs::remove_file(path(RESULTS)).unwrap();
    let report = report(&[&path(SIDECAR)]);
    assert_eq!(report["runs"][0]["expected"], 3);
    assert_eq!(report["runs"][0]["missing"], 2);
}

#[test]
fn a_named_file_is_read_as_rows_under_any_name() {
    let folder = Folder::new();
    whole_run(&folder, "");
    let inventory = report(&[&folder.path().join(INVENTORY)]);
    assert_eq!(inventory["totals"]["results"], 3);
    assert_eq!(inventory["runs"][0]["expected"], Value::Null);
    for name in ["r_verdicts.jsonl", "notes.txt", "captures/x", "r_failures.jsonl.bak"] {
        let file = folder.rows(name, &[A]);
        let report = report(&[&file]);
        assert_eq!(report["totals"]["rows"], 1, "{name}");
    }
}

#[test]
fn no_file_is_read_twice() {
    let folder = Folder::new();
    whole_run(&folder, "runs/");
    let root = folder.path().join("runs");
    let sidecar = root.join(SIDECAR);
    let once = report(&[&root]);
    for paths in [
        &[&*root, &root][..],
        &[&root, &sidecar],
        &[&sidecar, &root],
        &[&sidecar, &root.join(RESULTS), &root.join("../runs").join(SIDECAR)],
    ] {
        let report = report(paths);
        assert_eq!(report["totals"], once["totals"], "{paths:?}");
        assert_eq!(report["rollouts"], once["rollouts"], "{paths:?}");
    }
}

#[cfg(unix)]
#[test]
fn links() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    whole_run(&folder, "run/");
    symlink(folder.path().join("run"), folder.path().join("latest")).unwrap();
    symlink(folder.path(), folder.path().join("run/loop")).unwrap();
    symlink("nowhere", folder.path().join("run/dangling")).unwrap();
    let report = report(&[folder.path()]);
    assert_eq!(paths(&folder, &report["runs"]), ["run/r"]);
    assert_eq!(paths(&folder, &report["skipped_files"]), ["latest", "run/dangling", "run/loop"]);
}

#[test]
fn identities_beyond_32_bits() {
    let folder = Folder::new();
    let ids = ["-1", "4294967296", "9223372036854775807", "-9223372036854775808"];
    let rows = |attempt: u32, more: &str| {
        ids.map(|id| {
            format!(
                "{{\"_ng_task_index\":{id},\"_ng_rollout_index\":{id},\"_ng_attempt_index\":{attempt}{more}}}\n"
            )
        })
        .concat()
    };
    folder.write(SIDECAR, rows(0, ",\"failure_kind\":\"judge_failed\""));
    folder.write(RESULTS, rows(1, ""));
    folder.write(INVENTORY, rows(0, ""));
    let report = report(&[folder.path()]);
    assert_eq!(
        report["rollouts"],
        json!({"expected": 4, "seen": 4, "missing": 0, "unexpected": 0, "omitted": 0, "failed": 0, "degraded": 0, "recovered": 4})
    );
}

#[test]
fn on_equal_attempts_the_results_decide() {
    let folder = Folder::new();
    let row = |more: &str| format!("{{\"_ng_task_index\":0,\"_ng_rollout_index\":0{more}}}");
    let failure = row(",\"failure_kind\":\"judge_failed\"");
    folder.rows(SIDECAR, &[&failure, &failure]);
    folder.rows(RESULTS, &[&row("")]);
    let report = report(&[folder.path()]);
    assert_eq!(report["rollouts"]["failed"], 0);
    assert_eq!(report["rollouts"]["recovered"], 1);
}

#[test]
fn rows_without_identity_are_in_no_figure_of_rollouts() {
    let folder = Folder::new();
    let file = folder.rows("x.jsonl", &[r#"{"failure_kind":"judge_failed"}"#, "{}"]);
    let report = report(&[&file]);
    assert_eq!(report["rollouts"]["seen"], 0);
    // With `--latest` each is a rollout of its own.
    let latest = super::report_with(&[&file], &["--latest"]);
    assert_eq!(latest["groups"][0]["count"], 1);
}

#[test]
fn an_inventory_that_was_cut_says_so() {
    let folder = Folder::new();
    whole_run(&folder, "");
    folder.write(INVENTORY, "{\"_ng_task_index\":0,\"_ng_rollout_index\":0}\n[]\n{\"_ng_ta");
    let report = report(&[folder.path()]);
    assert_eq!(report["runs"][0]["expected"], 1);
    let listed = &report["files"][2];
    assert!(listed["path"].as_str().unwrap().ends_with(INVENTORY));
    assert_eq!(listed["rows"], 0);
    assert_eq!(listed["malformed"], 1);
    assert_eq!(listed["truncated_last_line"], true);
    assert_eq!(report["totals"]["malformed"], 1);
}

#[test]
fn damaged_lines_of_an_inventory_hide_no_rollout_that_is_missing() {
    let folder = Folder::new();
    whole_run(&folder, "");
    let expected = fs::read_to_string(folder.path().join(INVENTORY)).unwrap();
    folder.write(INVENTORY, expected + "oops\n[1]\n{}\noops\noops\n");
    let text = triage([folder.path()]).stdout.replace("\n    ", " ");
    assert!(text.contains("1 rollout of `r` that left no row: killed, drained or never"), "{text}");
    let note = "r_materialized_inputs.jsonl: 5 lines name no rollout, so they are not among the \
                expected";
    assert!(text.contains(note), "{text}");
    assert!(text.contains("\nMALFORMED LINES: 4\n"), "{text}");
    assert!(!text.contains("is probably not a file of rows"), "{text}");
    // What is malformed among the rows may hide it.
    folder.rows(RESULTS, &[B, "oops"]);
    let text = triage([folder.path()]).stdout.replace("\n    ", " ");
    assert!(text.contains("1 malformed line (`r.jsonl`:2) may hold them"), "{text}");
}

#[test]
fn files_in_the_working_folder() {
    let folder = Folder::new();
    whole_run(&folder, "");
    for (args, run, file) in [
        (&[SIDECAR, RESULTS][..], "r", RESULTS),
        (&["."], "./r", "./r.jsonl"),
        (&["./r.jsonl", SIDECAR], "r", SIDECAR),
    ] {
        let command = crate::failure_kinds().current_dir(folder.path());
        let ran = super::ran(command.args(["triage", "--format", "json"]).args(args));
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        let runs = report["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 1, "{args:?}");
        assert!(Path::new(runs[0]["path"].as_str().unwrap()).ends_with("r"), "{args:?}");
        if args.len() == 1 || args[0] == SIDECAR {
            assert_eq!(runs[0]["path"], run);
            assert_eq!(report["files"][0]["path"], file);
        }
        assert_eq!(runs[0]["expected"], 3);
    }
}

#[test]
fn one_run_joins_shards_with_their_inventories() {
    let folder = Folder::new();
    let row = |task: u32, more: &str| {
        format!("{{\"_ng_task_index\":{task},\"_ng_rollout_index\":0{more}}}")
    };
    let (failure, result) = (",\"failure_kind\":\"judge_failed\"", ",\"reward\":1");
    folder.rows("shards/0/r_failures.jsonl", &[&row(0, failure)]);
    folder.rows("shards/0/r_materialized_inputs.jsonl", &[&row(0, ""), &row(1, "")]);
    // The other shard has a later attempt, and the rest of the inventory.
    folder.rows("shards/1/r_failures.jsonl", &[&row(2, failure)]);
    folder.rows(
        "shards/1/r.jsonl",
        &[&row(0, ",\"_ng_attempt_index\":1,\"reward\":1"), &row(1, result)],
    );
    folder.rows("shards/1/r_materialized_inputs.jsonl", &[&row(2, ""), &row(3, "")]);
    let shards = folder.path().join("shards");
    let report = super::report_with(&[&shards], &["--one-run"]);
    assert_eq!(paths(&folder, &report["runs"]), ["shards/"]);
    let rollouts = json!({
        "expected": 4, "seen": 3, "missing": 1, "unexpected": 0, "omitted": 0, "failed": 1,
        "degraded": 0, "recovered": 1,
    });
    assert_eq!(report["rollouts"], rollouts);
    // A single run stays what it is.
    let one = shards.join("1");
    let alone = super::report_with(&[&one], &["--one-run"]);
    assert_eq!(alone, super::report(&[&one]));
}
