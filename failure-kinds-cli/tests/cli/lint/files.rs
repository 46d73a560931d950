//! Which files are looked at, and what happens with those that cannot be.

use std::fs;

use super::{Folder, findings, findings_of, lint};
use crate::failure_kinds;
use crate::support::ran;

const WRONG: &str = "f(failure_kind=\"x_y\")\n";

#[test]
fn exit_codes_follow_fail_on() {
    let folder = Folder::new();
    folder.write("error.py", WRONG);
    folder.write("warning.py", "f(failure_kind=\"transient\")\n");
    folder.write("clean.py", "f(failure_kind=\"session_lost\")\n");
    let code = |args: &[&str]| lint(&folder, args).code;
    assert_eq!(code(&["clean.py"]), 0);
    assert_eq!(code(&["warning.py"]), 0);
    assert_eq!(code(&["warning.py", "--fail-on", "warning"]), 1);
    assert_eq!(code(&["error.py"]), 1);
    assert_eq!(code(&[]), 1);
    assert_eq!(code(&["--fail-on", "none"]), 0);
    assert_eq!(code(&["gone.py"]), 2);
    assert_eq!(code(&["--format", "xml"]), 2);
    assert_eq!(lint(&folder, &["clean.py"]).stdout, "");
}

#[test]
fn ignored_and_hidden_files_are_left_out() {
    let folder = Folder::new();
    folder.write(".gitignore", "build/\n*.gen.py\n");
    for name in ["build/a.py", "b.gen.py", ".hidden/c.py", "src/d.py", "e.txt"] {
        folder.write(name, WRONG);
    }
    assert_eq!(findings(&folder, &[]), ["src/d.py:1:16 error[unregistered-kind] x_y"]);
    // A file that is named is not an exception to the rules, but it may be hidden.
    let ran = lint(&folder, &["build/a.py", "b.gen.py", ".hidden/c.py", "--format", "concise"]);
    assert!(ran.stdout.starts_with(".hidden/c.py:1:16: error"), "{ran:?}");
    assert_eq!(ran.stdout.lines().count(), 1);
    assert_eq!(
        ran.stderr.replace(&format!("{}/", folder.path().display()), ""),
        "1 error\n\
         note: `build/a.py` is skipped: `.gitignore` has `build/`; `--no-ignore` reads it\n\
         note: `b.gen.py` is skipped: `.gitignore` has `*.gen.py`; `--no-ignore` reads it\n"
    );
    assert_eq!(
        findings(&folder, &["--no-ignore"]),
        ["b.gen.py", "build/a.py", "src/d.py"]
            .map(|name| format!("{name}:1:16 error[unregistered-kind] x_y"))
    );
}

#[test]
fn files_of_an_unknown_language_are_skipped_with_a_note() {
    let folder = Folder::new();
    for name in ["a.py", "b.txt", "Makefile"] {
        folder.write(name, WRONG);
    }
    let ran = lint(&folder, &["a.py", "b.txt", "Makefile", "--format", "json"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (1, 1));
    assert_eq!(
        ran.stderr,
        "note: `b.txt` is skipped: `.txt` is not a known extension\n\
         note: `Makefile` is skipped: its name has no extension\n"
    );
    assert_eq!(lint(&folder, &["b.txt"]).code, 0);
}

#[test]
fn the_order_is_that_of_names() {
    let folder = Folder::new();
    let names: Vec<_> = (0..40).map(|index| format!("d{}/f{index:02}.py", index % 3)).collect();
    for name in &names {
        folder.write(name, WRONG);
    }
    let mut sorted = names;
    sorted.sort();
    let paths: Vec<_> = findings(&folder, &["d2", "./d0", "d1", "d2/f02.py"])
        .into_iter()
        .map(|finding| finding.split(':').next().unwrap().to_owned())
        .collect();
    assert_eq!(paths, sorted);
}

#[test]
fn standard_input_is_named() {
    let folder = Folder::new();
    let lint_stdin = |args: &[&str], text: &str| {
        ran(failure_kinds()
            .current_dir(folder.path())
            .args(["lint", "--format", "concise", "-"])
            .args(args)
            .stdin(text.to_owned()))
    };
    let found = lint_stdin(&["--stdin-filename", "src/a.py"], WRONG);
    assert_eq!(found.code, 1);
    assert!(found.stdout.starts_with("src/a.py:1:16: error[unregistered-kind]"), "{found:?}");
    let rows = lint_stdin(&["--stdin-filename", "rows.jsonl"], "{\"failure_kind\":\"x_y\"}\n");
    assert!(rows.stdout.starts_with("rows.jsonl:1:17: error[unregistered-kind]"), "{rows:?}");
    for args in [&[][..], &["--stdin-filename", "a.txt"], &["--stdin-filename", "a.py", "--fix"]] {
        assert_eq!(lint_stdin(args, WRONG).code, 2);
    }
}

#[test]
fn a_file_that_does_not_parse() {
    for (name, text, place) in [
        ("a.py", "def f(:\n", "1:7"),
        ("a.rs", "fn f( {}\n", "1:"),
        ("a.json", "{\"a\": 1,}\n", "1:9"),
        ("a.yaml", "a: [1\nb: 2\n", ""),
        ("a.toml", "a = = 1\n", "1:5"),
    ] {
        let found = findings_of(name, text);
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert!(found[0].starts_with(&format!("{name}:{place}")), "{found:?}");
        assert!(found[0].ends_with("error[unparsed-file]"), "{found:?}");
    }
    // A broken piece of documentation is an excerpt.
    assert_eq!(findings_of("a.md", "```py\ndef f(:\n```\n"), [""; 0]);
    // Test code is one level lower.
    assert_eq!(
        findings_of("tests/a.rs", "fn f( {}\n")[0].split(' ').next_back(),
        Some("warning[unparsed-file]")
    );
}

#[test]
fn a_file_that_is_not_utf8() {
    let folder = Folder::new();
    folder.write("a.py", b"x = 1\ny = '\xff'\n");
    assert_eq!(findings(&folder, &[]), ["a.py:2:6 error[unparsed-file]"]);
    let ran = lint(&folder, &["--format", "concise"]);
    assert!(ran.stdout.contains("cannot be parsed: not UTF-8"), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_does_not_hide_the_others() {
    let folder = Folder::new();
    folder.write("a.py", WRONG);
    // A link to nothing is left out of a walk, and is a fault where it is named.
    std::os::unix::fs::symlink("gone.py", folder.path().join("b.py")).unwrap();
    assert_eq!(findings(&folder, &[]).len(), 1);
    let ran = lint(&folder, &["--format", "concise", "a.py", "b.py"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("error: cannot read `b.py`: "), "{ran:?}");
    assert!(ran.stdout.starts_with("a.py:1:16: "), "{ran:?}");
    // Who may read everything, as root may, cannot try the rest.
    let locked = folder.write("c.py", WRONG);
    fs::set_permissions(&locked, std::os::unix::fs::PermissionsExt::from_mode(0o000)).unwrap();
    if fs::read(&locked).is_err() {
        let ran = lint(&folder, &["--format", "concise", "a.py", "c.py"]);
        assert_eq!(ran.code, 2);
        assert!(ran.stdout.starts_with("a.py:1:16: "), "{ran:?}");
        assert!(ran.stderr.contains("error: cannot read `c.py`: "), "{ran:?}");
    }
}

#[cfg(unix)]
#[test]
fn loops_of_links_end() {
    let folder = Folder::new();
    folder.write("d/a.py", WRONG);
    std::os::unix::fs::symlink("..", folder.path().join("d/up")).unwrap();
    std::os::unix::fs::symlink("loop", folder.path().join("loop")).unwrap();
    assert_eq!(findings(&folder, &[]), ["d/a.py:1:16 error[unregistered-kind] x_y"]);
}

#[test]
#[ignore = "slow: reads 50 MB"]
fn a_file_of_50_mb() {
    let folder = Folder::new();
    let mut text = String::with_capacity(51 << 20);
    text.push_str("{\"rows\": [");
    while text.len() < 50 << 20 {
        text.push_str("{\"failure_kind\": \"session_lost\", \"text\": \"");
        text.push_str(&"x".repeat(8000));
        text.push_str("\"},");
    }
    text.push_str("{\"failure_kind\": \"x_y\"}]}");
    folder.write("a.json", &text);
    let column = text.rfind("\"x_y\"").unwrap() + 1;
    let shown = lint(&folder, &[]).stdout;
    assert!(shown.contains(&format!("a.json:1:{column}\n")) && shown.contains("`x_y`"), "{shown}");
    assert!(shown.len() < 2000, "{}", shown.len());
}

#[test]
fn deep_nesting_ends_well() {
    let nest = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(findings_of("a.json", &nest(100_000)), [""; 0]);
    for (name, text) in [
        ("a.py", format!("x = {}\n", nest(20_000))),
        ("a.rs", format!("fn f() {{ {} }}\n", nest(20_000))),
        ("b.rs", format!("fn f() {{ {}1; }}\n", "!".repeat(20_000))),
        ("c.rs", format!("fn f() {{ 1{}; }}\n", " + 1".repeat(20_000))),
        ("b.py", format!("x = 1{}\n", " + 1".repeat(20_000))),
        ("a.yaml", nest(20_000)),
        ("a.toml", format!("x = {}\n", nest(20_000))),
        ("a.md", format!("{} x\n", ">".repeat(20_000))),
    ] {
        // Parsed or refused, but never the end of the program.
        let found = findings_of(name, &text);
        assert!(found.len() <= 1, "{name}: {found:?}");
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = Folder::new();
    folder.write("a.py", WRONG.repeat(20_000));
    let mut child = std::process::Command::new(snapbox::cmd::cargo_bin!("failure-kinds"))
        .current_dir(folder.path())
        .args(["lint", "--fail-on", "none"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
}
