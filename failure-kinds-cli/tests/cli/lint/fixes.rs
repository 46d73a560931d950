//! `--fix` and `--diff`.

use std::fs;

use snapbox::{assert_data_eq, str};

use super::{Folder, findings, lint};

#[test]
fn renames_are_applied() {
    let folder = Folder::new();
    folder.write(
        "a.py",
        "f(failure_kind='timeout_exceeded')\nif failure_class == \"judge_invalid\": pass\n",
    );
    folder.write("a.yaml", "failure_kind: eval_missing\nb: {failure_class: \"peer_drop\"}\n");
    folder.write("a.toml", "failure_kind = \"resource\"\n");
    folder.write("a.json", "{\"failure_kind\": \"unreachable\"}\n");
    folder.write(
        "a.md",
        "Returns `failure_kind: oom_killed`.\n\n> ```py\n> f(failure_kind=\"oom_killed\")\n> ```\n",
    );
    let ran = lint(&folder, &["--fix"]);
    assert_eq!((ran.code, &*ran.stdout, &*ran.stderr), (0, "", "8 fixes applied\n"));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(
        read("a.py"),
        "f(failure_kind='agent_timeout')\nif failure_class == \"judge_unparseable\": pass\n"
    );
    assert_eq!(
        read("a.yaml"),
        "failure_kind: gdpval:eval_missing\nb: {failure_class: \"transport_peer_drop\"}\n"
    );
    assert_eq!(read("a.toml"), "failure_kind = \"transport_local_resource\"\n");
    assert_eq!(read("a.json"), "{\"failure_kind\": \"transport_unreachable\"}\n");
    assert_eq!(
        read("a.md"),
        "Returns `failure_kind: provider_oom_killed`.\n\n> ```py\n> f(failure_kind=\"provider_oom_killed\")\n> ```\n"
    );
}

#[test]
fn bare_strings_become_the_macro() {
    let folder = Folder::new();
    folder.write(
        "a.rs",
        r#"//! Docs.

use std::fmt;

fn f(row: &Row) -> Row {
    if row.failure_kind == "judge_failed" {}
    match kind { Kind { failure_kind: "shutdown" } => {} _ => {} }
    let old = Row { failure_kind: "timeout_exceeded".to_owned() };
    Row { failure_kind: "cancelled" }
}

mod inner {
    fn g() -> Value { json!({ "failure_kind": "session_lost" }) }
}

#[cfg(test)]
mod tests {
    fn h() -> Row { Row { failure_kind: "cancelled" } }
}
"#,
    );
    let ran = lint(&folder, &["--fix", "--unsafe-fixes", "--format", "concise"]);
    // A pattern changes only with what it matches; test code is left alone.
    assert_eq!(ran.stdout.lines().count(), 1, "{ran:?}");
    assert!(ran.stdout.starts_with("a.rs:8:39: warning[raw-literal]"), "{ran:?}");
    assert_data_eq!(
        fs::read_to_string(folder.path().join("a.rs")).unwrap(),
        str![[r#"
//! Docs.

use failure_kinds::failure_kind;
use std::fmt;

fn f(row: &Row) -> Row {
    if row.failure_kind == failure_kind!("judge_failed").as_str() {}
    match kind { Kind { failure_kind: "shutdown" } => {} _ => {} }
    let old = Row { failure_kind: failure_kind!("agent_timeout").as_str().to_owned() };
    Row { failure_kind: failure_kind!("cancelled") }
}

mod inner {
    use failure_kinds::failure_kind;

    fn g() -> Value { json!({ "failure_kind": failure_kind!("session_lost").as_str() }) }
}

#[cfg(test)]
mod tests {
    fn h() -> Row { Row { failure_kind: "cancelled" } }
}

"#]]
    );
    // What is fixed stays as it is.
    assert_eq!(lint(&folder, &["--fix", "--unsafe-fixes"]).stderr, "1 warning\n");
}

#[test]
fn diff_changes_nothing() {
    let folder = Folder::new();
    let text = "x = 1\nf(failure_kind=\"timeout_exceeded\")\ny = 2\n";
    let path = folder.write("a.py", text);
    let ran = lint(&folder, &["--diff", "--fail-on", "warning"]);
    assert_eq!(ran.code, 1);
    assert_data_eq!(
        ran.stdout,
        str![[r#"
--- a/a.py
+++ b/a.py
@@ -1,3 +1,3 @@
 x = 1
-f(failure_kind="timeout_exceeded")
+f(failure_kind="agent_timeout")
 y = 2

"#]]
    );
    assert_eq!(fs::read_to_string(path).unwrap(), text);
}

#[test]
fn suggestions_are_never_applied() {
    let folder = Folder::new();
    let text = "f(failure_kind=\"judge_faild\")\nf(failure_kind=\"my_env:judge_failed\")\n";
    let path = folder.write("a.py", text);
    assert_eq!(findings(&folder, &["--fix"]).len(), 2);
    assert_eq!(fs::read_to_string(path).unwrap(), text);
}

#[test]
fn what_is_suppressed_or_spelled_with_escapes_is_left() {
    let folder = Folder::new();
    let text = "f(failure_kind=\"timeout_exceeded\")  # failure-kinds: ignore[legacy-kind]\n\
                f(failure_kind=\"timeout\\x5fexceeded\")\n";
    let path = folder.write("a.py", text);
    assert_eq!(findings(&folder, &["--fix"]).len(), 1);
    assert_eq!(fs::read_to_string(path).unwrap(), text);
}

#[test]
fn byte_order_marks_and_line_endings_are_kept() {
    let folder = Folder::new();
    let path = folder.write("a.py", "\u{feff}x = 'é'\r\nf(failure_kind=\"timeout_exceeded\")\r\n");
    assert_eq!(lint(&folder, &["--fix"]).code, 0);
    assert_eq!(
        fs::read_to_string(path).unwrap(),
        "\u{feff}x = 'é'\r\nf(failure_kind=\"agent_timeout\")\r\n"
    );
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    let path = folder.write("real/a.py", "f(failure_kind=\"timeout_exceeded\")\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    symlink("real/a.py", folder.path().join("b.py")).unwrap();
    assert_eq!(lint(&folder, &["--fix", "b.py"]).code, 0);
    assert!(fs::symlink_metadata(folder.path().join("b.py")).unwrap().is_symlink());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o755);
    assert_eq!(fs::read_to_string(&path).unwrap(), "f(failure_kind=\"agent_timeout\")\n");
    assert_eq!(fs::read_dir(folder.path().join("real")).unwrap().count(), 1);
}
