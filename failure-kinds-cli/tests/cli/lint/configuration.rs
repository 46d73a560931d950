//! `failure-kinds.toml`.

use serde_json::Value;

use super::{Folder, findings, lint};

#[test]
fn only_declared_kinds_of_a_server_are_fine() {
    let folder = Folder::new();
    folder.write("failure-kinds.toml", "[servers.browser_env]\nkinds = [\"tab_crashed\"]\n");
    folder.write(
        "a.py",
        "f(failure_kind=\"browser_env:tab_crashed\")\nf(failure_kind=\"browser_env:tab_crahsed\")\nf(failure_kind=\"other:thing\")\n",
    );
    folder.write("rows.jsonl", "{\"failure_kind\":\"browser_env:captcha\"}\n");
    assert_eq!(
        findings(&folder, &[]),
        [
            "a.py:2:16 error[undeclared-extension] browser_env:tab_crahsed",
            "rows.jsonl:1:17 error[undeclared-extension] browser_env:captcha"
        ]
    );
    let ran = lint(&folder, &["--format", "concise", "a.py"]);
    assert!(
        ran.stdout.contains("a similar name is declared: `browser_env:tab_crashed`"),
        "{ran:?}"
    );
}

#[test]
fn a_declared_kind_is_suggested_by_its_words() {
    let folder = Folder::new();
    folder.write(
        "failure-kinds.toml",
        "[servers.env]\nkinds = [\"disk_full\", \"tab_closed\", \"tab_crashed\"]\n",
    );
    let suggestion = |name: &str| {
        folder.write("a.py", format!("f(failure_kind=\"env:{name}\")\n"));
        let finding: Value =
            serde_json::from_str(&lint(&folder, &["--format", "json"]).stdout).unwrap();
        assert_eq!(finding["id"], "undeclared-extension");
        finding["suggestion"].clone()
    };
    assert_eq!(suggestion("tab_crahsed"), "env:tab_crashed");
    assert_eq!(suggestion("crashed_tab"), "env:tab_crashed");
    assert_eq!(suggestion("disk_fail"), Value::Null);
}

#[test]
fn the_derive_declares_too() {
    let folder = Folder::new();
    folder.write(
        "env.rs",
        "#[derive(StageOverrides)]\n#[stage_overrides(server = \"browser_env\", kinds(\"tab_crashed\"))]\nstruct Env;\n",
    );
    folder.write(
        "a.py",
        "f(failure_kind=\"browser_env:tab_crashed\")\nf(failure_kind=\"browser_env:x\")\n",
    );
    folder.write("b.rs", "fn f() { failure_kind!(\"browser_env:y\"); }\n");
    assert_eq!(
        findings(&folder, &[]),
        [
            "a.py:2:16 error[undeclared-extension] browser_env:x",
            "b.rs:1:24 error[undeclared-extension] browser_env:y"
        ]
    );
    // Without the source that declares, nothing is known of the server.
    assert_eq!(findings(&folder, &["a.py"]), [""; 0]);
}

#[test]
fn levels_keys_and_exclusions() {
    let folder = Folder::new();
    folder.write(
        "failure-kinds.toml",
        "[lint]\nexclude = [\"vendor\"]\nkeys = [\"label\"]\nconstants = [\"LABEL_KEY\"]\n\
         [[lint.levels]]\nids = [\"unregistered-kind\"]\npaths = [\"old/**\"]\nlevel = \"warning\"\n",
    );
    folder.write("vendor/a.py", "f(label=\"x\")\n");
    folder.write("old/a.py", "f(label=\"x\", failure_kind=\"y\")\nrow[LABEL_KEY] = \"z\"\n");
    assert_eq!(
        findings(&folder, &[]),
        ["old/a.py:1:9 warning[unregistered-kind] x", "old/a.py:2:18 warning[unregistered-kind] z"]
    );
    // A file that is named is not an exception to `exclude`.
    let ran = lint(&folder, &["vendor/a.py"]);
    let note = ran.stderr.replace(&format!("{}/", folder.path().display()), "");
    assert_eq!(
        (ran.code, &*ran.stdout, &*note),
        (
            0,
            "",
            "note: `vendor/a.py` is skipped: `exclude` in `failure-kinds.toml` has `vendor`; \
             `--no-ignore` reads it\n"
        )
    );
    assert_eq!(
        findings(&folder, &["vendor/a.py", "--no-ignore"]),
        ["vendor/a.py:1:9 error[unregistered-kind] x"]
    );
    // The file is found from folders below.
    let below = crate::support::ran(
        crate::failure_kinds()
            .current_dir(folder.path().join("old"))
            .args(["lint", "--format", "concise"]),
    );
    assert!(below.stdout.starts_with("a.py:1:9: warning[unregistered-kind]"), "{below:?}");
    assert_eq!(below.code, 0);
}

#[test]
fn mistakes_are_errors() {
    let folder = Folder::new();
    for (text, sentence) in [
        (
            "[lint]\nexcludes = []\n",
            "error: failure-kinds.toml:2:1: unknown key `excludes`; a similar one is `exclude`",
        ),
        ("[lnit]\n", "error: failure-kinds.toml:1:2: unknown key `lnit`; a similar one is `lint`"),
        (
            "[[lint.levels]]\nids = [\"raw\"]\nlevel = \"off\"\n",
            "error: failure-kinds.toml:2:8: unknown finding `raw`",
        ),
        (
            "[lint]\nexclude = 3\n",
            "error: failure-kinds.toml:2:11: expected a list of strings, found a number",
        ),
        ("[lint\n", "error: failure-kinds.toml:1:6: "),
    ] {
        folder.write("failure-kinds.toml", text);
        let ran = lint(&folder, &[]);
        assert_eq!((ran.code, &*ran.stdout), (2, ""), "{ran:?}");
        let at = ran.stderr.replace(&format!("{}/", folder.path().display()), "");
        assert!(at.starts_with(sentence), "{at}");
        assert_eq!(ran.stderr.lines().count(), 1);
    }
}

#[test]
fn every_mistake_is_reported_with_its_place() {
    let folder = Folder::new();
    folder.write(
        "failure-kinds.toml",
        concat!(
            "extends = \"../failure-kinds.toml\"\n",
            "[lint]\n",
            "exclude = [\"a\", 1, \"{\"]\n",
            "keys = \"failure_kind\"\n",
            "constants = [\"A\", \"[\", \"{\"]\n",
            "[[lint.levels]]\n",
            "ids = [\"legacy-kind\", \"legacy-knd\"]\n",
            "level = \"of\"\n",
            "[[lint.levels]]\n",
            "paths = [\"a\", 1]\n",
            "[servers.judge]\n",
            "kinds = [\"failed\", \"x y\", \"fine\"]\n",
            "[servers]\n",
            "gym = 3\n",
        ),
    );
    let ran = lint(&folder, &[]);
    assert_eq!((ran.code, &*ran.stdout), (2, ""), "{ran:?}");
    let path = format!("error: {}/failure-kinds.toml:", folder.path().display());
    let lines: Vec<_> = ran.stderr.lines().map(|line| line.strip_prefix(&path).unwrap()).collect();
    assert_eq!(
        lines,
        [
            "1:1: unknown key `extends`; a similar one is `extend`",
            "3:17: expected a string, found a number",
            "3:20: error parsing glob '**/{': unclosed alternate group; missing '}' (maybe escape '{' \
             with '[{]'?)",
            "4:8: expected a list: write `keys = [\"failure_kind\"]`",
            "5:19: error parsing glob '[': unclosed character class; missing ']'",
            "5:24: error parsing glob '{': unclosed alternate group; missing '}' (maybe escape '{' with \
             '[{]'?)",
            "7:23: unknown finding `legacy-knd`; a similar one is `legacy-kind`",
            "8:9: unknown level `of`; the levels are off, warning, error",
            "9:1: this entry of `lint.levels` has no `ids`",
            "9:1: this entry of `lint.levels` has no `level`",
            "10:15: expected a string, found a number",
            "12:10: `judge:failed` repeats the registered kind `judge_failed`",
            "12:20: `x y` is not a kind of `judge`: write the part after the colon",
            "14:7: expected a table: write `[servers.gym]`, and in it `kinds = […]`",
        ]
    );
    let many = format!("[lint]\nexclude = [{}]\n", "1, ".repeat(1000));
    folder.write("failure-kinds.toml", many);
    let ran = lint(&folder, &[]);
    let last =
        format!("error: `{}/failure-kinds.toml`: 950 more mistakes", folder.path().display());
    assert_eq!(
        (ran.code, ran.stderr.lines().count(), ran.stderr.lines().last()),
        (2, 51, Some(&*last))
    );
}

#[test]
fn useless_entries_are_reported_if_the_whole_project_was_searched() {
    let folder = Folder::new();
    folder.write(
        "failure-kinds.toml",
        "[lint]\nexclude = [\"gone\"]\n[servers.s]\nkinds = [\"a\", \"b\"]\n",
    );
    folder.write("a.py", "f(failure_kind=\"s:a\")\n");
    let ran = lint(&folder, &[]);
    let reported = ran.stderr.replace(&format!("{}/", folder.path().display()), "");
    assert_eq!(
        (ran.code, &*reported),
        (
            0,
            "warning: failure-kinds.toml:2:12: the glob `gone` matches no file\n\
         warning: failure-kinds.toml:4:15: nothing uses the declared kind `s:b`\n"
        )
    );
    assert_eq!(lint(&folder, &["a.py"]).stderr, "");
}

#[test]
fn a_run_without_files_says_so() {
    let folder = Folder::new();
    folder.write("failure-kinds.toml", "[lint]\nexclude = [\"*.py\"]\n");
    folder.write("src/a.py", "f(failure_kind=\"x\")\n");
    let ran = lint(&folder, &["src"]);
    let reported = "warning: no file of a known language was found\n";
    assert_eq!((ran.code, &*ran.stdout, &*ran.stderr), (0, "", reported));
}

#[test]
fn init_writes_a_file_that_changes_nothing() {
    let folder = Folder::new();
    assert_eq!(lint(&folder, &["--init"]).code, 0);
    let text = std::fs::read_to_string(folder.path().join("failure-kinds.toml")).unwrap();
    folder.write("a.py", "f(failure_kind=\"x\")\n");
    let ran = lint(&folder, &["--format", "concise"]);
    assert!(ran.stdout.starts_with("a.py:1:16: error[unregistered-kind]"), "{ran:?}");
    // With every comment that is a key taken in, it still holds what it says.
    let taken: String = text
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(key) if key.starts_with('[') || key.contains(" = ") => format!("{key}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    folder.write("failure-kinds.toml", taken);
    let ran = lint(&folder, &["--format", "concise", "a.py"]);
    assert!(ran.stdout.starts_with("a.py:1:16: error[unregistered-kind]"), "{ran:?}");
    let again = lint(&folder, &["--init"]);
    assert_eq!((again.code, &*again.stderr), (2, "error: `failure-kinds.toml` already exists\n"));
}

#[test]
fn a_folder_that_is_excluded_is_not_searched() {
    let folder = Folder::new();
    folder.write("failure-kinds.toml", "[lint]\nexclude = [\"vendor\"]\n");
    folder.write("vendor/failure-kinds.toml", "[lint]\nkeys = [\"label\"]\n");
    folder.write("vendor/a.py", "f(label=\"x\")\n");
    let ran = lint(&folder, &["."]);
    assert_eq!((ran.code, &*ran.stdout), (0, ""), "{ran:?}");
}
