//! The forms of the report, `--out` and `--fail-on`.

use std::ffi::OsStr;
use std::fs;

use serde_json::Value;
use snapbox::{file, str};

use super::{Folder, Ran, triage};
use crate::support::ran;
use crate::{failure_kinds, repository};

#[test]
fn json_has_the_keys_of_the_contract_in_their_order() {
    let folder = Folder::new();
    folder.rows(
        "r_failures.jsonl",
        &[
            r#"{"_ng_task_index":0,"_ng_rollout_index":0,"_ng_failure_class":"judge_faild","_ng_failure_stage":"verification","_ng_failure_http_status":500,"_ng_failure_terminal":true}"#,
            r#"{"_ng_task_index":1,"_ng_rollout_index":0,"failure_kind":"legitimate","_ng_failure_http_status":"x"}"#,
            r#"{"_ng_task_index":2,"_ng_rollout_index":0,"failure_kind":"provider_quota_exhausted","failure_reason":"resets at 2026-10-12 05:00 UTC"}"#,
        ],
    );
    folder.rows("r_materialized_inputs.jsonl", &[r#"{"_ng_task_index":0,"_ng_rollout_index":0}"#]);
    folder.write("notes.txt", "");
    failure_kinds()
        .current_dir(folder.path())
        .args(["triage", "--format", "json", "."])
        .assert()
        .code(0)
        .stderr_eq("")
        .stdout_eq(file!["report.json"]);
}

#[test]
fn groups_are_sorted_by_count_and_then_null_first_by_bytes() {
    let folder = Folder::new();
    let mut rows = Vec::new();
    for line in [
        r#"{"failure_kind":"b"}"#,
        r#"{"failure_kind":"B"}"#,
        r#"{"failure_kind":1}"#,
        r#"{"failure_kind":"b","_ng_failure_stage":"agent"}"#,
        r#"{"failure_kind":"b","_ng_failure_stage":"cleanup"}"#,
        r#"{"failure_kind":"b","_ng_failure_http_status":500}"#,
        r#"{"failure_kind":"b","_ng_failure_http_status":400}"#,
    ] {
        rows.push(line);
    }
    rows.extend([r#"{"failure_kind":"z"}"#; 2]);
    let report = super::report(&[&folder.rows("rows.jsonl", &rows)]);
    let keys: Vec<String> = super::groups(&report).iter().map(Value::to_string).collect();
    assert_eq!(
        keys,
        [
            r#"["unknown","z",null,null,"fallback",2]"#,
            r#"["evaluation","b","cleanup",null,"stage_default",1]"#,
            r#"["unknown",null,null,null,"fallback",1]"#,
            r#"["unknown","B",null,null,"fallback",1]"#,
            r#"["unknown","b",null,null,"fallback",1]"#,
            r#"["unknown","b",null,"http_client_error","fallback",1]"#,
            r#"["unknown","b",null,"http_server_error","fallback",1]"#,
            r#"["unknown","b","agent",null,"fallback",1]"#,
        ]
    );
}

#[test]
fn names_are_sorted_by_count_and_then_by_name() {
    let rows = ["b", "a", "c", "c", "transient", "fatal", "fatal", "timeout"]
        .map(|name| format!(r#"{{"failure_kind":"{name}"}}"#));
    let report = super::report_of(&rows.each_ref().map(|row| &**row));
    let names = |list: &str| -> Vec<String> {
        let list = report[list].as_array().unwrap().iter();
        list.map(|name| name["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("unregistered"), ["c", "a", "b"]);
    assert_eq!(names("legacy"), ["fatal", "timeout", "transient"]);
}

fn data(run: &str) -> std::path::PathBuf {
    repository().join("examples/data").join(run)
}

#[test]
fn out_writes_the_report_to_a_file() {
    let folder = Folder::new();
    let out = folder.path().join("report.json");
    let args = |out: &OsStr| {
        ["--format", "json", "--out"]
            .map(OsStr::new)
            .into_iter()
            .chain([out])
            .map(OsStr::to_owned)
            .chain([data("sat").into()])
            .collect::<Vec<_>>()
    };
    let ran = triage(args(out.as_os_str()));
    assert_eq!((ran.code, &*ran.stdout, &*ran.stderr), (0, "", ""));
    let direct = triage(["--format".as_ref(), "json".as_ref(), data("sat").as_os_str()]);
    assert_eq!(fs::read_to_string(&out).unwrap(), direct.stdout);
    // Over a report that is there, and nothing else is left behind.
    fs::write(&out, "old").unwrap();
    triage(args(out.as_os_str()));
    assert_eq!(fs::read_to_string(&out).unwrap(), direct.stdout);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    // A fault leaves what was there.
    let ran = triage(["--out".as_ref(), out.as_os_str(), "nowhere".as_ref()]);
    assert_eq!(ran.code, 2);
    assert_eq!(fs::read_to_string(&out).unwrap(), direct.stdout);
    // Told before anything is read.
    for (file, why) in [("no/where.json", "is in no folder that exists"), ("", "is a folder")] {
        let nowhere = folder.path().join(file);
        let mut args = args(nowhere.as_os_str());
        *args.last_mut().unwrap() = "-".into();
        let ran = triage(args);
        let told = format!("error: `{}` {why}, so no report is written to it\n", nowhere.display());
        assert_eq!((ran.code, ran.stderr), (2, told));
    }
}

#[cfg(unix)]
#[test]
fn out_keeps_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    let file = folder.write("real.txt", "old");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path().join("link.txt");
    symlink("real.txt", &link).unwrap();
    let run = |out: &OsStr| triage(["--out".as_ref(), out, data("sat").as_os_str()]);
    assert_eq!(run(link.as_os_str()).code, 0);
    assert!(link.is_symlink());
    assert_ne!(fs::read_to_string(&file).unwrap(), "old");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    // A device is written to, not replaced.
    assert_eq!(run("/dev/null".as_ref()).code, 0);
    let new = folder.path().join("new.txt");
    assert_eq!(run(new.as_os_str()).code, 0);
    let other = folder.write("other.txt", "");
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&new), mode(&other), "a new file gets what new files get");
}

#[test]
fn out_is_not_a_file_that_is_read() {
    let folder = Folder::new();
    let file = folder.rows("rows.jsonl", &["{}"]);
    let ran = triage(["--out".as_ref(), file.as_os_str(), file.as_os_str()]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.ends_with("is read, so no report is written to it\n"), "{ran:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}\n");
}

#[test]
fn out_is_not_a_capture_of_model_calls() {
    let folder = Folder::new();
    let rows = folder.rows("r_failures.jsonl", &[r#"{"_ng_task_index":0,"_ng_rollout_index":0}"#]);
    let capture = folder.write("model-calls/0-0.capture.jsonl", "{}\n");
    let rows = rows.as_os_str();
    for args in [
        &["triage".as_ref(), rows][..],
        &["select".as_ref(), rows, "--where".as_ref(), "failed".as_ref()],
        &["compare".as_ref(), rows, rows],
    ] {
        let ran = ran(failure_kinds().args(args).args(["--out".as_ref(), capture.as_os_str()]));
        assert_eq!(ran.code, 2);
        let why = "holds captures of model calls, so no report is written to it\n";
        assert!(ran.stderr.ends_with(why), "{ran:?}");
        assert_eq!(fs::read_to_string(&capture).unwrap(), "{}\n");
    }
}

/// Runs with `--fail-on`.
fn fail_on(list: &str, lines: &[&str]) -> Ran {
    let folder = Folder::new();
    let file = folder.rows("rows.jsonl", lines);
    triage(["--fail-on".as_ref(), list.as_ref(), file.as_os_str()])
}

#[test]
fn fail_on_conditions() {
    for (condition, line, meets) in [
        ("unregistered", r#"{"failure_kind":"judge_faild"}"#, true),
        ("unregistered", r#"{"failure_kind":"judge_failed"}"#, false),
        ("unregistered", r#"{"failure_kind":"timeout"}"#, false),
        ("unregistered", r#"{"failure_kind":1}"#, false),
        ("legacy", r#"{"failure_kind":"timeout"}"#, true),
        ("legacy", r#"{"failure_kind":"agent_timeout"}"#, false),
        ("gate-derived", r#"{"failure_kind":"answer_empty"}"#, true),
        ("gate-derived", r#"{"failure_kind":"judge_failed"}"#, false),
        ("malformed", "[]", true),
        ("malformed", r#"{"failure_kind":null}"#, false),
        ("unknown", r#"{"failure_kind":"agent_run_error"}"#, true),
        ("unknown", r#"{"failure_kind":"judge_failed"}"#, false),
        ("evaluation>99.9%", r#"{"failure_kind":"judge_failed"}"#, true),
        ("evaluation>100%", r#"{"failure_kind":"judge_failed"}"#, false),
        ("model>0%", r#"{"failure_kind":"judge_failed"}"#, false),
        ("model>0%", r#"{"reward":1}"#, false),
    ] {
        let ran = fail_on(condition, &[r#"{"failure_kind":null}"#, line]);
        assert_eq!(ran.code, i32::from(meets), "{condition}: {line}");
        // The report comes first in any case.
        assert!(ran.stdout.contains("ROLLOUTS"));
        assert_eq!(ran.stderr.contains(condition), meets, "{ran:?}");
    }
}

#[test]
fn fail_on_a_share_of_failure_rows() {
    let lines = [
        r#"{"failure_kind":"judge_failed"}"#,
        r#"{"failure_kind":"judge_failed"}"#,
        r#"{"failure_kind":"judge_failed"}"#,
        r#"{"failure_kind":"agent_command_not_allowed"}"#,
        r#"{"reward":1}"#,
    ];
    assert_eq!(fail_on("model>25%", &lines).code, 0);
    let ran = fail_on("malformed", &[r#"{"failure_kind":null}"#, "[]"]);
    assert_eq!(ran.stderr, "error: failing on `malformed`: 1 malformed line\n");
    let ran = fail_on("legacy,model>24.9%", &lines);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.stderr, "error: failing on `model>24.9%`: 1 of 4 failure rows\n");
}

#[test]
fn fail_on_a_share_of_deciding_rows_with_latest() {
    let row = |attempt: u32, kind: &str| {
        format!(
            r#"{{"_ng_task_index":0,"_ng_rollout_index":0,"_ng_attempt_index":{attempt},"failure_kind":"{kind}"}}"#
        )
    };
    let folder = Folder::new();
    let lines = [row(0, "agent_command_not_allowed"), row(1, "judge_failed")];
    let file = folder.rows("rows.jsonl", &lines.each_ref().map(|line| &**line));
    let run = |args: &[&str]| {
        triage(args.iter().map(OsStr::new).chain([
            "--fail-on".as_ref(),
            "model>0%".as_ref(),
            file.as_os_str(),
        ]))
        .code
    };
    assert_eq!(run(&[]), 1);
    assert_eq!(run(&["--latest"]), 0);
}

#[test]
fn fail_on_missing_rollouts() {
    let enospc = triage(["--fail-on".as_ref(), "missing".as_ref(), data("enospc").as_os_str()]);
    assert_eq!(enospc.code, 1);
    assert_eq!(enospc.stderr, "error: failing on `missing`: 25 expected rollouts left no row\n");
    let sat = triage(["--fail-on".as_ref(), "missing".as_ref(), data("sat").as_os_str()]);
    assert_eq!(sat.code, 0);
    // The missing ones of a run count, also where another run has no inventory.
    let folder = Folder::new();
    let file = folder.rows("rows.jsonl", &[r#"{"failure_kind":null}"#]);
    let both = triage([
        "--fail-on".as_ref(),
        "missing".as_ref(),
        data("enospc").as_os_str(),
        file.as_os_str(),
    ]);
    assert_eq!(both.code, 1);
    // Where nobody knows, nobody fails, and the reader is told.
    let unknown = triage(["--fail-on".as_ref(), "missing".as_ref(), file.as_os_str()]);
    assert_eq!(unknown.code, 0);
    assert_eq!(
        unknown.stderr,
        "warning: 1 of 1 runs have no inventory, so nobody knows what is missing there\n"
    );
}

#[test]
fn no_run_with_missing_rollouts_is_left_out() {
    let folder = Folder::new();
    for (run, missing) in [("a", 5), ("b", 4), ("c", 3), ("d", 2), ("e", 1)] {
        folder.rows(
            &format!("{run}/r_failures.jsonl"),
            &[r#"{"_ng_task_index":0,"_ng_rollout_index":0}"#],
        );
        let inventory: String = (0..=missing)
            .map(|task| format!("{{\"_ng_task_index\":{task},\"_ng_rollout_index\":0}}\n"))
            .collect();
        folder.write(&format!("{run}/r_materialized_inputs.jsonl"), inventory);
    }
    let text = triage([folder.path()]).stdout;
    assert!(text.contains("3 rollouts of `c/r` that left no row"), "{text}");
    assert!(text.contains("3 rollouts of 2 more runs without a row"), "{text}");
}

#[test]
fn a_joined_run_has_a_name() {
    let folder = Folder::new();
    let row = [r#"{"_ng_task_index":0,"_ng_rollout_index":0,"failure_kind":"judge_failed"}"#];
    folder.rows("a/r_failures.jsonl", &row);
    folder.rows("b/r_failures.jsonl", &row);
    let text = triage([folder.path().as_os_str(), "--one-run".as_ref()]).stdout;
    let (_, table) = text.split_once("RUN").unwrap();
    let run = table.lines().nth(1).unwrap().split_whitespace().next().unwrap();
    assert!(run.ends_with('/'), "{text}");
}

#[test]
fn an_invalid_condition_is_a_usage_error() {
    let ran = triage(["--fail-on", "unregisterd", "x"]);
    assert_eq!(ran.code, 2);
    snapbox::assert_data_eq!(
        ran.stderr,
        str![[r#"
error: invalid value 'unregisterd' for '--fail-on <LIST>': expected unregistered, legacy, gate-derived, malformed, missing, omitted, unexpected, unknown, or a class (model, evaluation, unknown) and a share such as `model>5%`; see `--help`

"#]]
    );
}

#[cfg(unix)]
#[test]
fn no_colour_without_a_terminal() {
    let ran = ran(failure_kinds()
        .env("CLICOLOR_FORCE", "1")
        .env("CI", "true")
        .env("TERM", "xterm-256color")
        .arg("triage")
        .arg(data("sat")));
    assert!(!ran.stdout.contains('\u{1b}'));
}
