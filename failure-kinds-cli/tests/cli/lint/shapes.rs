//! The six shapes in which labels stand in sources, in files written afresh.

use super::{Folder, findings, findings_of};

#[test]
fn a_literal_key_in_a_dict() {
    let text = r#"
def record(error):
    return {
        "reward": 0.0,
        "_ng_failure_class": "judge_failed",
        "failure_kind": "judge_faild",
        "message": "cuda:0",
    }
"#;
    assert_eq!(findings_of("a.py", text), ["a.py:6:25 error[unregistered-kind] judge_faild"]);
}

#[test]
fn a_named_key_in_a_dict() {
    let text = r#"
from rows import NG_FAILURE_CLASS_KEY, NG_NO_PERSIST_KEY
extra = {NG_NO_PERSIST_KEY: True, NG_FAILURE_CLASS_KEY: "kill_shaped"} if killed else {}
more = {NG_NO_PERSIST_KEY: "timeout", NG_FAILURE_CLASS_KEY: "timeout"}
"#;
    assert_eq!(findings_of("a.py", text), ["a.py:4:61 warning[legacy-kind] timeout"]);
}

#[test]
fn a_subscript_that_is_assigned() {
    let text = r#"
LABEL = "_ng_failure_class"
row[LABEL] = classify(error)
row[LABEL] = "transient"
row["other"] = "transient"
"#;
    assert_eq!(findings_of("a.py", text), ["a.py:4:14 warning[legacy-kind] transient"]);
    let folder = Folder::new();
    folder.write("a.py", text);
    folder.write(
        "failure-kinds.toml",
        "[[lint.levels]]\nids = [\"dynamic-kind\"]\nlevel = \"warning\"\n",
    );
    assert_eq!(
        findings(&folder, &[]),
        ["a.py:3:14 warning[dynamic-kind]", "a.py:4:14 warning[legacy-kind] transient"]
    );
}

#[test]
fn constants() {
    let text = r#"
NG_FAILURE_CLASS_KEY = "_ng_failure_class"
VERDICT_FAILURE_CLASS = "judge_invalid"
SESSION_FAILURE_CLASS = "session_lost"
FAILURE_CLASSES = frozenset({"whatever", "else"})
"#;
    assert_eq!(findings_of("a.py", text), ["a.py:3:25 warning[legacy-kind] judge_invalid"]);
}

#[test]
fn comparisons() {
    let text = r#"
if failure_class == "kill_shaped": pass
if row.get(NG_FAILURE_CLASS_KEY) == SESSION_FAILURE_CLASS: pass
if row.get(NG_FAILURE_CLASS_KEY) in ("judge_failed", "reference_missing"): pass
if failure_class == "": pass
if status == "timeout": pass
"#;
    assert_eq!(findings_of("a.py", text), ["a.py:4:54 warning[legacy-kind] reference_missing"]);
}

#[test]
fn documentation() {
    let text = "The agent returns `_ng_failure_class: transient`, and a row then says\n\
                `failure_kind: judge_failed`.\n\n```yaml\n_ng_failure_class: skipped\n```\n";
    for name in ["README.md", "guide.mdx"] {
        assert_eq!(
            findings_of(name, text),
            [
                format!("{name}:1:39 warning[legacy-kind] transient"),
                format!("{name}:5:20 warning[legacy-kind] skipped")
            ]
        );
    }
}

/// Each finding that a kind position in a source can have.
#[test]
fn every_judgement() {
    let text = r#"
f(failure_kind="session_lost")
f(failure_kind="my_env:tab_crashed")
f(failure_kind="sesion_lost")
f(failure_kind="oom_killed")
f(failure_kind="sandbox")
f(failure_kind="answer_cut_off")
f(failure_kind="My-Env:tab")
f(failure_kind="my_env:judge_failed")
f(failure_kind="judge:failed")
f(failure_kind=f"http_{status}")
f(failure_kind="")
f(failure_class="model")
f(_ng_failure_class="model")
"#;
    assert_eq!(
        findings_of("a.py", text),
        [
            "a.py:4:16 error[unregistered-kind] sesion_lost",
            "a.py:5:16 warning[legacy-kind] oom_killed",
            "a.py:6:16 warning[legacy-kind] sandbox",
            "a.py:7:16 error[gate-derived-kind] answer_cut_off",
            "a.py:8:16 error[malformed-extension] My-Env:tab",
            "a.py:9:16 error[doubled-extension] my_env:judge_failed",
            "a.py:10:16 error[doubled-extension] judge:failed",
            "a.py:11:16 error[high-cardinality]",
            "a.py:12:16 error[unregistered-kind] ",
            "a.py:14:21 error[unregistered-kind] model",
        ]
    );
}

#[test]
fn rust_has_one_finding_more() {
    let text = r#"
use failure_kinds::failure_kind;
fn f(row: &Row) -> Row {
    if row.failure_kind == "judge_failed" {}
    match row.failure_kind.as_str() { "session_lost" => {} "sesion_lost" => {} _ => {} }
    tracing::warn!(failure_kind = "shutdown", "stopped");
    Row { failure_kind: "cancelled", name: "cancelled" }
}
fn g() -> Row { Row { failure_kind: failure_kind!("cancelled") } }
#[cfg(test)]
mod tests {
    fn h() -> Row { assert_eq!(row.failure_kind, "judge_failed"); Row { failure_kind: "nothing" } }
}
"#;
    assert_eq!(
        findings_of("src/a.rs", text),
        [
            "src/a.rs:4:28 warning[raw-literal] judge_failed",
            "src/a.rs:5:39 warning[raw-literal] session_lost",
            "src/a.rs:5:60 error[unregistered-kind] sesion_lost",
            "src/a.rs:6:35 warning[raw-literal] shutdown",
            "src/a.rs:7:25 warning[raw-literal] cancelled",
            "src/a.rs:12:87 warning[unregistered-kind] nothing",
        ]
    );
}

#[test]
fn test_code_is_one_level_lower() {
    let text = "f(failure_kind=\"boom\")\nf(failure_kind=\"transient\")\n";
    for name in ["tests/a.py", "agents/x/tests/b.py", "test_c.py", "d_test.py", "conftest.py"] {
        assert_eq!(
            findings_of(name, text),
            [format!("{name}:1:16 warning[unregistered-kind] boom")]
        );
    }
    assert_eq!(findings_of("latest/a.py", text).len(), 2);
    // Data is not code.
    let data = findings_of("tests/a.yaml", "failure_kind: boom\n");
    assert_eq!(data, ["tests/a.yaml:1:15 error[unregistered-kind] boom"]);
}

#[test]
fn near_misses_elsewhere_are_off() {
    let folder = Folder::new();
    folder
        .write("a.py", "RETRY = {\"judge_faild\", \"judge_failed\", \"policy_failed\", \"x:y\"}\n");
    assert_eq!(findings(&folder, &[]), [""; 0]);
    folder.write(
        "failure-kinds.toml",
        "[[lint.levels]]\nids = [\"near-miss\"]\nlevel = \"warning\"\n",
    );
    assert_eq!(findings(&folder, &[]), ["a.py:1:10 warning[near-miss] judge_faild"]);
}
