//! The report as CSV, as Markdown and as OpenMetrics.

use snapbox::{Data, IntoData, file, str};

use super::Folder;
use crate::{failure_kinds, repository};

fn of_examples(format: &str, expected: Data) {
    failure_kinds()
        .current_dir(repository())
        .args(["triage", "--format", format, "examples/data"])
        .assert()
        .code(0)
        .stderr_eq("")
        .stdout_eq(expected.raw());
}

#[test]
fn the_examples_as_csv() {
    of_examples("csv", file!["examples.csv"]);
}

#[test]
fn the_examples_as_markdown() {
    of_examples("markdown", file!["examples.md"]);
}

/// Rows whose texts mean something to a terminal, to CSV and to Markdown.
fn of_hostile_rows(format: &str, expected: impl IntoData) {
    let folder = Folder::new();
    folder.rows(
        "rows.jsonl",
        &[
            r#"{"failure_kind":"a,\"b\"\n\u001b[31m","failure_reason":"<img src=x> | [x](http://y) `code` *b*"}"#,
            r#"{"failure_kind":"|`<b>`","_ng_failure_http_status":503,"failure_reason":"- a # b\r\n_c_"}"#,
            r#"{"failure_kind":"","_ng_failure_http_status":503}"#,
            r#"{"failure_kind":1,"_ng_failure_http_status":502}"#,
        ],
    );
    failure_kinds()
        .current_dir(folder.path())
        .args(["triage", "--format", format, "rows.jsonl"])
        .assert()
        .code(0)
        .stderr_eq("")
        .stdout_eq(expected.into_data().raw());
}

#[test]
fn csv_of_hostile_rows_is_one_line_per_group() {
    of_hostile_rows(
        "csv",
        str![[r#"
class,kind,registry,stage,http_label,rule,server,count,terminal,http_statuses,rollouts,final,rejudgeable,call_statuses,call_categories
evaluation,,absent,,http_gateway,http_evidence,false,1,0,502:1,1,0,0,,
evaluation,,unregistered,,http_gateway,http_evidence,false,1,0,503:1,1,0,0,,
evaluation,|`<b>`,unregistered,,http_gateway,http_evidence,false,1,0,503:1,1,0,0,,
unknown,"a,""b""\n\u{1b}[31m",unregistered,,,fallback,false,1,0,,1,0,0,,

"#]],
    );
}

#[test]
fn markdown_of_hostile_rows_shows_their_texts_and_nothing_else() {
    of_hostile_rows(
        "markdown",
        str![[r####"
### ROLLOUTS: 0 of 0 seen failed, 0 degraded, 0 recovered; how many were expected is unknown

| run | missing | failed | degraded | recovered | masked |
| --- | ---: | ---: | ---: | ---: | ---: |
| rows | unknown | 0 of 0 | 0 | 0 | 0 |

### EVALUATION SIDE: 3 of 4 failure rows (75.0%)

| kind, stage | rows | share |  | by rule |  |
| --- | ---: | ---: | --- | --- | --- |
| no kind | 1 | 25.0% | ████▎ | http_evidence | HTTP 502×1 (http_gateway)<br>rows.jsonl:4  (no reason is recorded) |
| (empty) | 1 | 25.0% | ████▎ | http_evidence | HTTP 503×1 (http_gateway)<br>rows.jsonl:3  (no reason is recorded) |
| \|\\u{60}\<b\>\\u{60} | 1 | 25.0% | ████▎ | http_evidence | HTTP 503×1 (http_gateway)<br>rows.jsonl:2  \- a \# b\\r\\n_c\_ |

### SIDE UNKNOWN: 1 of 4 failure rows (25.0%)

| kind, stage | rows | share |  | by rule |  |
| --- | ---: | ---: | --- | --- | --- |
| a,"b"\\n\\u{1b}\[31m | 1 | 25.0% | ████▎ | fallback | rows.jsonl:1  \<img src=x\> \| \[x\](http\://y) `code` \*b\* |

### UNREGISTERED NAMES
* `(empty)`×1: no registered name is close to it
* `a,"b"\n\u{1b}[31m`×1: no registered name is close to it
* `|\u{60}<b>\u{60}`×1: no registered name is close to it

### READ: 1 file with 4 rows: 4 failures, 0 results
* 4 rows without task and rollout index: in no figure of rollouts
* 1 value of kind could not be used (integer)

### LOOK NEXT AT
* 1 of 3 rows on the evaluation side: no kind; by the rule `http_evidence`; read rows.jsonl:4, and list this side's failures with `failure-kinds select … --where failed,class=evaluation`
* 1 of 1 row of unknown side: `a,"b"\n\u{1b}[31m`; the kind alone does not decide; read rows.jsonl:1, or save captures of model calls
* 3 rows with names that are in no vocabulary: fix them where they are written
* (in this order: lost rollouts first, then the most frequent failure of each side; `failure-kinds explain NAME` explains a name)

"####]],
    );
}

#[test]
fn the_examples_as_openmetrics() {
    of_examples("openmetrics", file!["examples.prom"]);
}

#[test]
fn openmetrics_hold_no_observed_text_and_no_unknown_denominator() {
    let folder = Folder::new();
    folder.rows(
        "rows.jsonl",
        &[
            r#"{"failure_kind":"judge_faild\"} 1"}"#,
            r#"{"failure_kind":"timeout"}"#,
            r#"{"failure_kind":"answer_empty"}"#,
            r#"{"failure_kind":"browser_env:tab_crashed","_ng_failure_stage":"agent"}"#,
            r#"{"failure_kind":1}"#,
            "not JSON",
        ],
    );
    failure_kinds()
        .current_dir(folder.path())
        .args(["triage", "--format", "openmetrics", "rows.jsonl"])
        .assert()
        .code(0)
        .stdout_eq(str![[r##"
# TYPE failure_kinds_rows gauge
# HELP failure_kinds_rows Failure rows by class, kind and stage.
failure_kinds_rows{class="model",kind="unregistered",stage="none"} 1
failure_kinds_rows{class="unknown",kind="extension",stage="agent"} 1
failure_kinds_rows{class="unknown",kind="none",stage="none"} 1
failure_kinds_rows{class="unknown",kind="unregistered",stage="none"} 2
# TYPE failure_kinds_rollouts gauge
# HELP failure_kinds_rollouts Rollouts by status; what is unknown has no sample.
failure_kinds_rollouts{status="omitted"} 0
failure_kinds_rollouts{status="failed"} 0
failure_kinds_rollouts{status="degraded"} 0
failure_kinds_rollouts{status="recovered"} 0
# TYPE failure_kinds_inputs gauge
# HELP failure_kinds_inputs Malformed lines, files with a truncated last line, skipped files.
failure_kinds_inputs{state="malformed"} 1
failure_kinds_inputs{state="truncated"} 0
failure_kinds_inputs{state="skipped"} 0
# EOF

"##]]);
}
