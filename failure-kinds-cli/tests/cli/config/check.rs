use std::fs;

use snapbox::{file, str};

use super::data;
use crate::{failure_kinds, repository};

#[test]
fn faults_are_shown_as_a_compiler_shows_errors() {
    failure_kinds()
        .current_dir(data())
        .args(["config", "check", "bad/seven.toml"])
        .assert()
        .code(1)
        .stderr_eq("")
        .stdout_eq(file!["seven.txt"]);
}

#[test]
fn the_guide_shows_what_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[stages.verifcation]\ndefault = \"evalution\"\n";
    fs::write(folder.path().join("classes.toml"), text).unwrap();
    let check = ["config", "check", "classes.toml"];
    let output = failure_kinds().current_dir(folder.path()).args(check).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let guide = fs::read_to_string(repository().join("docs/classification.md")).unwrap();
    let shown = format!("```text\n$ failure-kinds {}\n{printed}```\n", check.join(" "));
    assert!(guide.contains(&shown), "docs/classification.md should show\n{shown}");
}

#[test]
fn a_duplicate_key_is_shown_in_both_places() {
    failure_kinds()
        .current_dir(data())
        .args(["config", "check", "bad/twice.yaml"])
        .assert()
        .code(1)
        .stderr_eq("")
        .stdout_eq(file!["twice.txt"]);
}

#[test]
fn faults_of_whole_files_have_no_lines() {
    failure_kinds()
        .current_dir(data())
        .args(["config", "check", "bad/empty.toml", "bad/not-utf8.toml", "bad/deep.json"])
        .assert()
        .code(1)
        .stderr_eq("")
        .stdout_eq(str![[r#"
error: the file is empty
--> bad/empty.toml

error: the file is not UTF-8: line 2 has an invalid byte
--> bad/not-utf8.toml

error: the file is nested over 32 levels
--> bad/deep.json

3 files checked: 3 faults in 3 files

"#]]);
}

#[test]
fn files_without_faults_exit_with_0() {
    failure_kinds()
        .current_dir(data())
        .args(["config", "check", "good/contract.json", "good/contract.toml", "good/contract.yaml"])
        .assert()
        .code(0)
        .stderr_eq("")
        .stdout_eq("3 files checked: no faults\n");
}

#[test]
fn a_file_that_cannot_be_read_is_a_usage_error() {
    for (file, sentence) in [
        ("nowhere.toml", "error: cannot read `nowhere.toml`: [..]\n"),
        (
            "lines.jsonl",
            "error: `lines.jsonl` is not a classification file: its name must end in `.json`, `.toml`, `.yaml` or `.yml`\n",
        ),
    ] {
        failure_kinds()
            .current_dir(data())
            .args(["config", "check", file])
            .assert()
            .code(2)
            .stdout_eq("")
            .stderr_eq(sentence);
    }
    failure_kinds().args(["config", "check"]).assert().code(2).stdout_eq("");
}

#[test]
fn the_others_are_checked_all_the_same() {
    failure_kinds()
        .current_dir(data())
        .args(["config", "check", "nowhere.toml", "bad/empty.toml", "lines.jsonl"])
        .assert()
        .code(2)
        .stdout_eq(str![[r#"
error: the file is empty
--> bad/empty.toml

1 file checked: 1 fault in 1 file

"#]])
        .stderr_eq(str![[r#"
error: cannot read `nowhere.toml`: [..]
error: `lines.jsonl` is not a classification file: [..]

"#]]);
}

#[test]
fn what_a_terminal_acts_on_is_shown_escaped() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("a.toml", "unknown = \"m\u{1b}[31m\"\n"),
        ("a.json", "{\"unknown\": \"m\u{7f}\u{9b}31m\u{202e}\"}\n"),
        ("a.yaml", "\"a\u{202e}b\": { c: 1 }\n"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let output = failure_kinds().args(["config", "check"]).arg(&path).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let shown = String::from_utf8(output.stdout).unwrap();
        let acts = |char: char| {
            (char.is_control() && char != '\n') || matches!(char, '\u{202a}'..='\u{202e}')
        };
        assert!(!shown.contains(acts), "{shown:?}");
    }
}

#[test]
fn lines_with_crlf_are_shown_like_others() {
    let folder = tempfile::tempdir().unwrap();
    let text = "unknown = \"model\"\r\n\r\nunknown = \"modle\"\r\n";
    fs::write(folder.path().join("a.toml"), text).unwrap();
    failure_kinds()
        .current_dir(folder.path())
        .args(["config", "check", "a.toml"])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
error: duplicate key `unknown`
 --> a.toml:3:1
  |
1 | unknown = "model"
  | ------- here first
2 |
3 | unknown = "modle"
  | ^^^^^^^

error: `modle` is not a class
 --> a.toml:3:11
  |
3 | unknown = "modle"
  |           ^^^^^^^
  |
  = help: a similar one is `model`

1 file checked: 2 faults in 1 file

"#]]);
}

#[test]
fn each_of_very_many_faults_has_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.toml");
    let lines: String = (0..200).map(|index| format!("x{index} = 1\n")).collect();
    fs::write(&path, lines).unwrap();
    let output = failure_kinds().args(["config", "check"]).arg(&path).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    for index in 0..200 {
        assert!(shown.contains(&format!("`x{index}` is not a key here")), "{index}");
    }
    assert!(shown.ends_with("1 file checked: 200 faults in 1 file\n"));
}
