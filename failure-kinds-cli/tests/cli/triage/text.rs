//! What people see.

use snapbox::{Data, file, str};

use unicode_width::UnicodeWidthStr;

use super::{Folder, report, triage};
use crate::{failure_kinds, repository};

fn shown(columns: &str, expected: Data) {
    failure_kinds()
        .current_dir(repository())
        .env("COLUMNS", columns)
        .args(["triage", "examples/data"])
        .assert()
        .code(0)
        .stderr_eq("")
        .stdout_eq(expected);
}

#[test]
fn the_examples_at_80_columns() {
    shown("80", file!["examples_80.txt"]);
}

#[test]
fn the_examples_at_140_columns() {
    shown("140", file!["examples_140.txt"]);
}

#[test]
fn everything_that_may_be_said() {
    let folder = Folder::new();
    folder.rows(
        "r_failures.jsonl",
        &[
            r#"{"_ng_task_index":0,"_ng_rollout_index":0,"failure_kind":"judge_faild","_ng_failure_class":"judge_failed"}"#,
            r#"{"_ng_task_index":1,"_ng_rollout_index":0,"failure_kind":"policy_failed","_ng_failure_terminal":true}"#,
            r#"{"_ng_task_index":2,"_ng_rollout_index":0,"failure_kind":"timeout_exceeded","_ng_failure_stage":"agent"}"#,
            r#"{"_ng_task_index":3,"_ng_rollout_index":0,"failure_kind":"transient","_ng_failure_http_status":"503"}"#,
            r#"{"_ng_task_index":4,"_ng_rollout_index":0,"failure_kind":"answer_empty"}"#,
            r#"{"_ng_task_index":5,"_ng_rollout_index":0,"failure_kind":"provider_quota_exhausted","failure_reason":"resets at 2026-10-12 05:00 UTC"}"#,
            r#"{"_ng_task_index":5,"_ng_rollout_index":1,"failure_kind":"provider_quota_exhausted","failure_reason":"resets at 2026-10-10 05:00 UTC"}"#,
            r#"{"_ng_task_index":6,"_ng_rollout_index":0,"failure_kind":"agent_timeout","_ng_failure_stage":"agent","reward":0.5}"#,
            r#"{"_ng_failure_record":{},"mask_sample":true}"#,
            "nonsense",
        ],
    );
    folder.write("notes.txt", "");
    folder.write("old_verdicts.jsonl", "");
    failure_kinds()
        .current_dir(folder.path())
        .args(["triage", "--now", "2026-10-12T01:30:00Z", "."])
        .assert()
        .code(0)
        .stderr_eq("")
        .stdout_eq(str![[r#"
ROLLOUTS: 7 of 8 seen failed (87.5%), 1 degraded, 0 recovered; how many were expected is unknown
  RUN  MISSING  FAILED  DEGRADED  RECOVERED  MASKED
  r    unknown  7 of 8         1          0       1

SIDE UNKNOWN: 4 of 9 failure rows (44.4%)
  KIND, STAGE    ROWS  SHARE      BY RULE
  no kind           1  11.1%  █▌  fallback
      r_failures.jsonl:9  (no reason is recorded)
  judge_faild       1  11.1%  █▌  fallback
      r_failures.jsonl:1  (no reason is recorded)
  policy_failed     1  11.1%  █▌  fallback
      r_failures.jsonl:2  (no reason is recorded)
  transient         1  11.1%  █▌  fallback
      r_failures.jsonl:4  (no reason is recorded)

MODEL SIDE: 3 of 9 failure rows (33.3%)
  KIND, STAGE              ROWS  SHARE      BY RULE
  agent_timeout, agent        1  11.1%  █▌  stage_kind
      r_failures.jsonl:8  (no reason is recorded)
  answer_empty                1  11.1%  █▌  kind
      r_failures.jsonl:5  (no reason is recorded)
  timeout_exceeded, agent     1  11.1%  █▌  stage_kind
      r_failures.jsonl:3  (no reason is recorded)

EVALUATION SIDE: 2 of 9 failure rows (22.2%)
  KIND, STAGE               ROWS  SHARE        BY RULE
  provider_quota_exhausted     2  22.2%  ███▏  kind
      r_failures.jsonl:6  resets at 2026-10-12 05:00 UTC

UNREGISTERED NAMES
  `judge_faild`×1: did you mean `judge_failed`?
  `policy_failed`×1: no registered name is close to it

LEGACY LABELS
  `timeout_exceeded`×1: now `agent_timeout`
  `transient`×1: transport_*, or by HTTP status

GATE-DERIVED CLASSES
  `answer_empty`×1: derived by an acceptance gate, not a kind that producers write

QUOTAS
  resets at 2026-10-12 05:00 UTC, in 3 h 30 min: 1 row
  1 row with a reset in the past

READ: 1 file with 9 rows: 9 failures, 0 results
  1 row masked: left out of scores
  1 row terminal: no retry may follow, says the producer
  1 row degraded: failed, but scored
  1 row without task and rollout index: in no figure of rollouts
  1 row with two kind keys that disagree: r_failures.jsonl:1 (`judge_faild`, `judge_failed`)
  1 value of http_status could not be used (string)

MALFORMED LINES: 1
  r_failures.jsonl:10: byte 1: not a JSON object

SKIPPED: 2
  notes.txt: not a file of a run
  old_verdicts.jsonl: verdicts on rollouts

LOOK NEXT AT
  2 of 2 rows on the evaluation side: `provider_quota_exhausted`; by the rule `kind`; read
    r_failures.jsonl:6, and list this side's failures with `failure-kinds select … --where
    failed,class=evaluation`
  1 of 4 rows of unknown side: no kind; nothing that is recorded decides; read r_failures.jsonl:9,
    or save captures of model calls
  1 of 3 rows on the model side: `agent_timeout`; by the rule `stage_kind`; read
    r_failures.jsonl:8, and list this side's failures with `failure-kinds select … --where
    failed,class=model`
  1 of 9 rows masked: left out of scores; list the rollouts: `failure-kinds select … --where
    masked`
  2 rows with names that are in no vocabulary: fix them where they are written
  (in this order: lost rollouts first, then the most frequent failure of each side; `failure-kinds
    explain NAME` explains a name)

"#]]);
}

#[test]
fn no_failure() {
    let folder = Folder::new();
    folder.rows("rows.jsonl", &[r#"{"failure_kind":null,"reward":1}"#]);
    failure_kinds()
        .current_dir(folder.path())
        .args(["triage", "rows.jsonl"])
        .assert()
        .code(0)
        .stdout_eq(str![[r#"
ROLLOUTS: 0 of 0 seen failed, 0 degraded, 0 recovered; how many were expected is unknown
  RUN   MISSING  FAILED  DEGRADED  RECOVERED  MASKED
  rows  unknown  0 of 0         0          0       0

NO FAILURE in 1 row

READ: 1 file with 1 row: 0 failures, 1 result
  1 row without task and rollout index: in no figure of rollouts

"#]]);
}

#[test]
fn no_line_is_wider_than_the_page() {
    let folder = Folder::new();
    let long = "a_name_of_some_length_".repeat(5);
    let row = |n: u32, more: &str| {
        format!(
            r#"{{"_ng_task_index":{n},"_ng_rollout_index":0,"_ng_failure_stage":"verification"{more}}}"#
        )
    };
    let rows = [
        row(
            0,
            &format!(r#","failure_kind":"{long}","_ng_failure_class":"評価失敗評価失敗評価失敗""#),
        ),
        row(
            1,
            r#","_ng_omitted":true,"failure_reason":"https://example.org/a/very/long/address/without/any/space/in/it/at/all""#,
        ),
        row(
            2,
            r#","failure_kind":"environment_server_failed","_ng_failure_http_status":503,"mask_sample":true"#,
        ),
        row(3, r#","failure_kind":"timeout_exceeded","reward":1"#),
        "nonsense".to_owned(),
    ];
    let rows: Vec<&str> = rows.iter().map(|row| &**row).collect();
    folder.rows("a/folder/of/some/depth/with/a/run/r_failures.jsonl", &rows);
    folder.rows("a/folder/of/some/depth/with/a/run/r_materialized_inputs.jsonl", &[&row(4, "")]);
    for columns in [60, 61, 79] {
        for path in [folder.path(), &repository().join("examples/data")] {
            let output = failure_kinds()
                .env("COLUMNS", columns.to_string())
                .arg("triage")
                .arg(path)
                .output()
                .unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            for line in text.lines() {
                assert!(line.width() <= columns, "{columns}: {line}");
            }
        }
    }
}

#[test]
fn the_example_of_a_failure_is_a_row_that_decides_a_rollout() {
    let folder = Folder::new();
    let row = |task, attempt| {
        format!(
            "{{\"_ng_task_index\":{task},\"_ng_rollout_index\":0,\"_ng_attempt_index\":{attempt},\
             \"failure_kind\":\"{kind}\",\"failure_reason\":\"gone\"}}",
            kind = if attempt == 0 { "judge_failed" } else { "session_lost" }
        )
    };
    // The first rollout of each run failed in another way in the end.
    for run in ["a", "b"] {
        folder.rows(&format!("{run}/r_failures.jsonl"), &[&row(0, 0), &row(0, 1), &row(1, 1)]);
    }
    folder.rows(
        "b/r.jsonl",
        &[r#"{"_ng_task_index":2,"_ng_rollout_index":0,"failure_kind":"judge_failed","_ng_failure_http_status":503,"failure_reason":"503"}"#],
    );
    let ran = crate::support::ran(failure_kinds().arg("triage").arg(folder.path()));
    assert!(ran.stdout.contains("b/r.jsonl:1  503\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("a/r_failures.jsonl:2  gone\n"), "{}", ran.stdout);
}

#[test]
fn what_is_probably_not_a_file_of_rows_is_said_first() {
    let folder = Folder::new();
    let row = r#"{"failure_kind":"judge_failed"}"#;
    let warning = "`notes.md` is probably not a file of rows: 2 malformed lines but 1 row; check the \
                   path";
    for (lines, is_warned) in [(&["# Notes", row, "the end"][..], true), (&["# Notes", row], false)]
    {
        folder.rows("notes.md", lines);
        let ran = |format: &str| {
            let args = ["triage", "notes.md", "--format", format];
            let ran = crate::support::ran(failure_kinds().current_dir(folder.path()).args(args));
            assert_eq!(ran.code, 0, "{ran:?}");
            ran
        };
        let text = ran("text").stdout;
        assert_eq!(
            text.starts_with(&format!("WARNING\n  {warning}\n\nROLLOUTS")),
            is_warned,
            "{text}"
        );
        let page = ran("html").stdout.replace("<code>notes.md</code>", "`notes.md`");
        assert_eq!(page.contains(&format!("<li>{warning}</li>")), is_warned, "{page}");
    }
}

#[test]
fn rows_that_can_be_judged_again_are_not_run_again() {
    let folder = Folder::new();
    let row =
        r#"{"_ng_task_index":0,"_ng_rollout_index":0,"failure_kind":"judge_failed","response":{}}"#;
    folder.rows("r_failures.jsonl", &[row]);
    let ran = crate::support::ran(failure_kinds().arg("triage").arg(folder.path()));
    let step = "r_failures.jsonl:1, then judge them again: `failure-kinds select … --where \
                rejudgeable --emit rows`";
    assert!(ran.stdout.replace("\n    ", " ").contains(step), "{}", ran.stdout);
}

#[test]
fn resets_and_times_reach_to_the_end_of_the_year_9999() {
    let folder = Folder::new();
    let row = r#"{"failure_kind":"provider_quota_exhausted","failure_reason":"resets at 9999-12-31 23:59 UTC"}"#;
    let file = folder.rows("rows.jsonl", &[row]);
    assert_eq!(report(&[&file])["quota_resets"][0]["at"], "9999-12-31T23:59:00Z");
    for (now, expected) in [
        ("9999-12-31T23:58:00Z", "\n  resets at 9999-12-31 23:59 UTC, in 1 min: 1 row\n"),
        ("9999-12-31T23:59:59Z", "\n  1 row with a reset in the past\n"),
        // 23:00 UTC.
        ("9999-12-31T18:00:00-05:00", "\n  resets at 9999-12-31 23:59 UTC, in 59 min: 1 row\n"),
    ] {
        let text = triage(["--now".as_ref(), now.as_ref(), file.as_os_str()]).stdout;
        assert!(text.contains(expected), "{text}");
    }
}
