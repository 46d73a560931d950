//! Cases from practice, each under its number: C268 to C286.

use std::fmt::Write;
use std::fs;

use serde_json::Value;

use super::{Folder, findings, findings_of, lint};
use crate::failure_kinds;
use crate::support::{Ran, ran};

/// Runs `lint` in a folder below.
fn lint_in(folder: &Folder, below: &str, args: &[&str]) -> Ran {
    let below = folder.path().join(below);
    ran(failure_kinds().current_dir(below).args(["lint", "--format", "concise"]).args(args))
}

#[test]
fn c268_deep_nesting_is_a_finding_and_hides_no_other() {
    // Ten times what would overflow the stack.
    let deep = |text: &str| text.repeat(100_000);
    let rust = [
        format!("type T = {}u8{};", deep("Box<"), deep(">")),
        format!("type T = {}u8;", deep("&")),
        format!("fn f() {{ {}1 }}", "||".repeat(200_000)),
        format!("fn f() {{ {}1 }}", "!".repeat(700_000)),
        format!("fn f() {}{{}}", deep("-> impl Fn() ")),
        format!("fn f() {{ match a {{ {}b{} => 1 }} }}", deep("A("), deep(")")),
        format!("fn f() {{ a{} }}", deep("(1)")),
        format!("fn f() {{ a{} }}", deep(".b()")),
    ];
    let python = [
        format!("x = {}", "[".repeat(3_000_000)),
        format!("a{}", "()".repeat(3_000_000)),
        format!("x = {}y", deep("not ")),
        format!("x = {}y", deep("lambda a, b: ")),
        format!("x = 1{}", deep(" + 1")),
        format!("{}x", deep("f'{")),
    ];
    let folder = Folder::new();
    folder.write("good.py", "f(failure_kind=\"judge_faild\")\n");
    let mut expected = vec!["good.py:1:16 error[unregistered-kind] judge_faild".to_owned()];
    for (fence, name, sources) in [("rust", "rs", &rust[..]), ("python", "py", &python[..])] {
        for (index, source) in sources.iter().enumerate() {
            folder.write(&format!("{index}.{name}"), source);
            folder.write(&format!("{name}{index}.md"), format!("```{fence}\n{source}\n```\n"));
            expected.push(format!("{index}.{name} error[unparsed-file]"));
            expected.push(format!("{name}{index}.md error[unparsed-file]"));
        }
    }
    let mut found = findings(&folder, &[]);
    for finding in &mut found[..] {
        if let Some((path, rest)) = finding.split_once(':')
            && let Some((place, id)) = rest.split_once(' ')
            && id.contains("unparsed-file")
        {
            // After the start of the text, where nothing is deep yet.
            let column: usize = place.split_once(':').unwrap().1.parse().unwrap();
            assert!(column > 250, "{finding}");
            *finding = format!("{path} {id}");
        }
    }
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn c269_placeholders_are_not_names() {
    for value in ["???", "!ENV KIND", "$(KIND)", "<KIND>", "${KIND}", "'{{ kind }}'", "!env x"] {
        assert_eq!(findings_of("a.yaml", &format!("failure_kind: {value}\n")), [""; 0], "{value}");
    }
    assert_eq!(
        findings_of("a.py", "NO_FAILURE_KIND = \"\"\nf(failure_kind=\"<kind>\")\n"),
        [""; 0]
    );
    assert_eq!(
        findings_of("a.yaml", "failure_kind: !!str k\n"),
        ["a.yaml:1:21 error[unregistered-kind] k"]
    );
}

#[test]
fn c270_types_and_titles_of_columns_are_not_kinds() {
    let python = r#"
frame = pd.read_csv(path, dtype={"failure_kind": "category"})
frame.agg({"failure_kind": "nunique"})
frame.rename(columns={"failure_kind": "kind"})
px.histogram(frame, labels={"failure_kind": "Kind"})
COLUMNS = [("failure_kind", "VARCHAR")]
"#;
    assert_eq!(findings_of("a.py", python), [""; 0]);
    let rust = r#"
fn f() {
    let order = ("failure_kind", "stage");
    Column::new("failure_kind", "TEXT NOT NULL");
    let columns = [("failure_kind", "VARCHAR")];
}
"#;
    assert_eq!(findings_of("a.rs", rust), [""; 0]);
    let rust = r#"
fn f() {
    KeyValue::new("failure_kind", "a_b");
    HashMap::from([("failure_kind", "a_b")]);
    map.insert("failure_kind", "a_b");
    span.record("failure_kind", "a_b");
}
"#;
    assert_eq!(
        findings_of("a.rs", rust),
        [
            "a.rs:3:35 error[unregistered-kind] a_b",
            "a.rs:4:37 error[unregistered-kind] a_b",
            "a.rs:5:32 error[unregistered-kind] a_b",
            "a.rs:6:33 error[unregistered-kind] a_b",
        ]
    );
}

#[test]
fn c271_a_suppression_after_the_marker_of_another_tool() {
    let line = "row[\"failure_kind\"] = \"warmup\"  # type: ignore[index]  \
                # failure-kinds: ignore[unregistered-kind]\n";
    assert_eq!(findings_of("a.py", line), [""; 0]);
}

#[test]
fn c272_added_lines_end_as_the_others_do() {
    let folder = Folder::new();
    let path = folder.write(
        "a.rs",
        "use std::fmt;\r\n\r\nfn f() -> Row {\r\n    Row { failure_kind: \"shutdown\" }\r\n}\r\n",
    );
    assert_eq!(lint(&folder, &["--fix", "--unsafe-fixes"]).stderr, "1 fix applied\n");
    assert_eq!(
        fs::read_to_string(path).unwrap(),
        "use failure_kinds::failure_kind;\r\nuse std::fmt;\r\n\r\nfn f() -> Row {\r\n    \
         Row { failure_kind: failure_kind!(\"shutdown\") }\r\n}\r\n"
    );
}

#[test]
fn c273_the_working_directory_changes_no_finding() {
    let folder = Folder::new();
    folder.write(
        "failure-kinds.toml",
        "[lint]\nexclude = [\"vendor\"]\n\
         [[lint.levels]]\nids = [\"unregistered-kind\"]\npaths = [\"old/**\"]\nlevel = \"warning\"\n",
    );
    for name in ["vendor/a.py", "old/b.py", "sub/c.py"] {
        folder.write(name, "f(failure_kind=\"x_y\")\n");
    }
    let of = |ran: Ran, prefix: &str| -> Vec<String> {
        assert_eq!(ran.code, 1, "{ran:?}");
        let lines = ran.stdout.lines();
        lines.map(|line| line.replace(prefix, "").split("] ").next().unwrap().to_owned()).collect()
    };
    let expected =
        ["old/b.py:1:16: warning[unregistered-kind", "sub/c.py:1:16: error[unregistered-kind"];
    assert_eq!(of(lint_in(&folder, "", &["."]), ""), expected);
    assert_eq!(of(lint_in(&folder, "sub", &[".."]), "../"), expected);
    assert_eq!(
        of(lint_in(&folder, "sub", &["../old/../old", "."]), "../old/"),
        ["old/b.py:1:16: warning[unregistered-kind", "c.py:1:16: error[unregistered-kind"]
            .map(|line| line.replace("old/b", "../old/b").replace("../old/", ""))
    );
    // Another project has a configuration of its own.
    let elsewhere = Folder::new();
    let path = folder.path().to_str().unwrap();
    assert_eq!(of(lint_in(&elsewhere, "", &[path]), &format!("{path}/")), expected);
}

#[test]
fn c273_a_nested_file_replaces_the_outer_one_or_extends_it() {
    let folder = Folder::new();
    folder.write("failure-kinds.toml", "[lint]\nkeys = [\"label\"]\nexclude = [\"skipped\"]\n");
    folder.write("sub/failure-kinds.toml", "[lint]\nexclude = [\"gone.py\"]\n");
    for name in ["a.py", "skipped/a.py", "sub/a.py", "sub/gone.py", "sub/skipped/a.py"] {
        folder.write(name, "f(label=\"x_y\", failure_kind=\"z_y\")\n");
    }
    let paths = |args: &[&str]| -> Vec<String> {
        let found = findings(&folder, args);
        found.iter().map(|finding| finding.replace(" error[unregistered-kind]", "")).collect()
    };
    assert_eq!(paths(&[]), ["a.py:1:9 x_y", "sub/a.py:1:29 z_y", "sub/skipped/a.py:1:29 z_y"]);
    folder.write(
        "sub/failure-kinds.toml",
        "extend = \"../failure-kinds.toml\"\n[lint]\nexclude = [\"gone.py\"]\n",
    );
    assert_eq!(paths(&[]), ["a.py:1:9 x_y", "sub/a.py:1:9 x_y"]);
    folder.write("sub/failure-kinds.toml", "extend = \"failure-kinds.toml\"\n");
    let ran = lint(&folder, &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("extends itself"), "{ran:?}");
}

#[test]
fn c274_escaped_keys_and_aliases() {
    let folder = Folder::new();
    folder.write("a.yaml", "a: &x judge_faild\nfailure_kind: *x\n");
    folder.rows(
        "rows.jsonl",
        &[r#"{"_ng_failure_record":{"failure":{"failure\u005fkind":"judge_faild"}}}"#],
    );
    assert_eq!(
        findings(&folder, &[]),
        [
            "a.yaml:2:15 error[unregistered-kind] judge_faild",
            "rows.jsonl:1:55 error[unregistered-kind] judge_faild"
        ]
    );
}

#[test]
fn c275_each_id_of_a_suppression_counts() {
    let text = "# failure-kinds: ignore[legacy-kind, raw-literal]\nf(failure_kind=\"transient\")\n";
    assert_eq!(findings_of("a.py", text), ["a.py:1:1 warning[unused-suppression]"]);
    let folder = Folder::new();
    folder.write("a.py", text);
    let ran = lint(&folder, &["--format", "concise"]);
    assert!(ran.stdout.contains("there is no `raw-literal` here to suppress"), "{ran:?}");
}

#[test]
fn c276_fixes_that_can_change_a_type_need_a_flag() {
    let folder = Folder::new();
    let first = "fn k() -> &'static str { let failure_kind = \"judge_failed\"; failure_kind }\n";
    let second = "rows! { failure_kind: \"judge_failed\" }\n";
    let (first_path, second_path) = (folder.write("a.rs", first), folder.write("b.rs", second));
    let ran = lint(&folder, &["--fix", "--format", "concise"]);
    assert!(ran.stderr.contains("1 can be fixed with `--fix --unsafe-fixes`"), "{ran:?}");
    assert_eq!(fs::read_to_string(&first_path).unwrap(), first);
    assert_eq!(fs::read_to_string(&second_path).unwrap(), second);
    assert!(lint(&folder, &["--diff"]).stdout.is_empty());
    assert!(lint(&folder, &["--diff", "--unsafe-fixes"]).stdout.contains("+fn k()"));
    lint(&folder, &["--fix", "--unsafe-fixes"]);
    assert!(fs::read_to_string(&first_path).unwrap().contains("failure_kind!(\"judge_failed\")"));
    assert_eq!(fs::read_to_string(&second_path).unwrap(), second);
}

#[test]
fn c277_a_value_is_judged_under_each_key() {
    let class = r#"{"failure_class":"unknown"}"#;
    let kind = r#"{"failure_kind":"unknown"}"#;
    let both = r#"{"failure_class":"unknown","failure_kind":"unknown"}"#;
    for (rows, place) in [(&[class, kind][..], "2:17"), (&[kind, class], "1:17"), (&[both], "1:43")]
    {
        let folder = Folder::new();
        folder.rows("rows.jsonl", rows);
        let ran = lint(&folder, &["--format", "json"]);
        let [line] = ran.stdout.lines().collect::<Vec<_>>()[..] else { panic!("{ran:?}") };
        let finding: Value = serde_json::from_str(line).unwrap();
        let found = format!("{}:{}", finding["line"], finding["column"]);
        assert_eq!((&*found, &finding["count"]), (place, &Value::from(1)));
    }
}

#[test]
fn a_misspelt_class_is_corrected_where_a_class_may_be() {
    let folder = Folder::new();
    for (row, similar) in [
        (r#"{"failure_class":"modl"}"#, "a similar class is `model`"),
        (r#"{"failure_class":"judge_faild"}"#, "a similar name is registered: `judge_failed`"),
        (r#"{"failure_kind":"modl"}"#, "a kind of one server only is written `<server>:modl`"),
    ] {
        folder.rows("rows.jsonl", &[row]);
        let ran = lint(&folder, &[]);
        assert!(ran.stdout.contains(similar), "{ran:?}");
    }
}

#[test]
fn c278_more_positions_of_python() {
    for (line, column) in [
        ("self.assertEqual(row[\"failure_kind\"], \"judge_faild\")", 39),
        ("df.failure_kind.isin([\"judge_faild\"])", 23),
        ("failure_kind: Literal[\"judge_faild\"]", 23),
        ("row.get(\"failure_kind\", \"judge_faild\")", 25),
        ("for failure_kind in [\"judge_faild\"]: pass", 22),
    ] {
        assert_eq!(
            findings_of("a.py", &format!("{line}\n")),
            [format!("a.py:1:{column} error[unregistered-kind] judge_faild")],
            "{line}"
        );
    }
}

#[test]
fn c279_logs_and_annotations_fit_code_scanning() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join(".git")).unwrap();
    let mut text = String::new();
    for _ in 0..30_000 {
        text.push_str("f(failure_kind=\"transient\")\n");
    }
    text.push_str("f(failure_kind=\"x_y\")\n");
    let path = folder.write("src/a.py", text);
    let elsewhere = Folder::new();
    let run = |format: &str| {
        ran(failure_kinds()
            .current_dir(elsewhere.path())
            .args(["lint", "--format", format])
            .arg(&path))
    };
    let sarif = run("sarif");
    assert_eq!(
        sarif.stderr,
        "note: 25000 of 30001 findings are in the log, the most that code scanning takes\n"
    );
    let log: Value = serde_json::from_str(&sarif.stdout).unwrap();
    let log = &log["runs"][0];
    let results = log["results"].as_array().unwrap();
    assert_eq!(results.len(), 25_000);
    let notifications = &log["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notifications.as_array().unwrap().len(), 1);
    // The error is the last one of the file, and is kept.
    let last = results.last().unwrap();
    assert_eq!(last["ruleId"], "unregistered-kind");
    let uri = &last["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, "src/a.py");
    let github = run("github").stdout;
    assert!(github.starts_with("::warning title=failure-kinds (legacy-kind),file=src/a.py,"));
    assert_eq!(github.lines().count(), 30_001);
}

#[test]
fn c280_formats_that_cannot_be_produced_are_rejected() {
    let folder = Folder::new();
    folder.write("a.py", "f(failure_kind=\"judge_faild\")\nf(failure_kind=\"judge_faild\")\n");
    let ran = lint(&folder, &["--statistics", "--format", "json"]);
    assert_eq!(
        serde_json::from_str::<Value>(&ran.stdout).unwrap(),
        serde_json::json!([{
            "id": "unregistered-kind",
            "level": "error",
            "count": 2,
            "names": [{ "name": "judge_faild", "count": 2, "suggestion": "judge_failed" }],
        }])
    );
    for args in [&["--diff", "--format", "json"][..], &["--statistics", "--format", "sarif"]] {
        let ran = lint(&folder, args);
        assert_eq!((ran.code, &*ran.stdout), (2, ""), "{ran:?}");
        let mut sentence = String::new();
        write!(sentence, "error: `{}` cannot be shown as `{}`", args[0], args[2]).unwrap();
        assert!(ran.stderr.starts_with(&sentence), "{ran:?}");
    }
}

#[test]
fn c286_a_table_of_levels_and_an_empty_list() {
    let folder = Folder::new();
    folder.write("a.py", "x = 1\n");
    folder.write("failure-kinds.toml", "[lint.levels]\nlegacy-kind = \"off\"\n");
    let ran = lint(&folder, &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("write `[[lint.levels]]`, and in it `ids = [\"legacy-kind\"]`"));
    folder.write("failure-kinds.toml", "[lint]\nkeys = []\n");
    let ran = lint(&folder, &["a.py"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.ends_with("failure-kinds.toml:2:8: the list `keys` is empty\n"), "{ran:?}");
}
