//! Every form of output.

use std::fs;

use serde_json::Value;
use snapbox::{IntoData, assert_data_eq, str};

use super::{Folder, lint};
use crate::repository;

/// One of each: an error with a suggestion, a rename, a bare string, a name in rows.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.py", "def f():\n\tfail(failure_kind=\"judge_faild\")  # 💥\n");
    folder.write("b.yaml", "failure_kind: timeout_exceeded\n");
    folder.write("c.rs", "fn f() { let failure_kind = \"shutdown\"; }\n");
    folder.rows("d.jsonl", &["{}", "{\"failure_kind\":\"a b\"}", "{\"failure_kind\":\"a b\"}"]);
    folder
}

fn stdout(args: &[&str]) -> String {
    let ran = lint(&folder(), args);
    assert_eq!(ran.code, 1, "{ran:?}");
    ran.stdout
}

#[test]
fn full() {
    assert_data_eq!(
        stdout(&[]),
        str![[r#"
error[unregistered-kind]: `judge_faild` is not a registered failure kind
 --> a.py:2:20
  |
2 |     fail(failure_kind="judge_faild")  # 💥
  |                       ^^^^^^^^^^^^^
  |
  = help: a similar name is registered: `judge_failed`
  = note: a kind of one server only is written `<server>:<kind>`

warning[legacy-kind]: `timeout_exceeded` is a legacy label that was renamed
 --> b.yaml:1:15
  |
1 | failure_kind: timeout_exceeded
  |               ^^^^^^^^^^^^^^^^
  |
  = help: write `agent_timeout`

warning[raw-literal]: the registered kind `shutdown` is a bare string
 --> c.rs:1:29
  |
1 | fn f() { let failure_kind = "shutdown"; }
  |                             ^^^^^^^^^^
  |
  = help: write `failure_kind!("shutdown")`, which the compiler checks

error[unregistered-kind]: character 2 of `a b` is white space
 --> d.jsonl:2:17
  |
2 | {"failure_kind":"a b"}
  |                 ^^^^^
  |
  = note: 2 times in this file; this is the first
  = help: a kind of one server only is written `<server>:a_b`


"#]]
        .raw()
    );
}

#[test]
fn concise() {
    assert_data_eq!(stdout(&["--format", "concise"]), str![[r#"
a.py:2:20: error[unregistered-kind] `judge_faild` is not a registered failure kind; a similar name is registered: `judge_failed`
b.yaml:1:15: warning[legacy-kind] `timeout_exceeded` is a legacy label that was renamed; write `agent_timeout`
c.rs:1:29: warning[raw-literal] the registered kind `shutdown` is a bare string; write `failure_kind!("shutdown")`, which the compiler checks
d.jsonl:2:17: error[unregistered-kind] character 2 of `a b` is white space; a kind of one server only is written `<server>:a_b` (2 times)

"#]].raw());
}

#[test]
fn json() {
    assert_data_eq!(stdout(&["--format", "json"]), str![[r#"
{"id":"unregistered-kind","level":"error","path":"a.py","line":2,"column":20,"end_line":2,"end_column":33,"message":"`judge_faild` is not a registered failure kind; a similar name is registered: `judge_failed`","name":"judge_faild","suggestion":"judge_failed","fix":null,"fix_safety":null,"count":1}
{"id":"legacy-kind","level":"warning","path":"b.yaml","line":1,"column":15,"end_line":1,"end_column":31,"message":"`timeout_exceeded` is a legacy label that was renamed; write `agent_timeout`","name":"timeout_exceeded","suggestion":"agent_timeout","fix":[{"line":1,"column":15,"end_line":1,"end_column":31,"text":"agent_timeout"}],"fix_safety":"safe","count":1}
{"id":"raw-literal","level":"warning","path":"c.rs","line":1,"column":29,"end_line":1,"end_column":39,"message":"the registered kind `shutdown` is a bare string; write `failure_kind!(\"shutdown\")`, which the compiler checks","name":"shutdown","suggestion":null,"fix":[{"line":1,"column":1,"end_line":1,"end_column":1,"text":"use failure_kinds::failure_kind;\n\n"},{"line":1,"column":29,"end_line":1,"end_column":39,"text":"failure_kind!(\"shutdown\")"}],"fix_safety":"unsafe","count":1}
{"id":"unregistered-kind","level":"error","path":"d.jsonl","line":2,"column":17,"end_line":2,"end_column":22,"message":"character 2 of `a b` is white space; a kind of one server only is written `<server>:a_b` (2 times)","name":"a b","suggestion":null,"fix":null,"fix_safety":null,"count":2}

"#]].raw());
}

#[test]
fn github() {
    assert_data_eq!(stdout(&["--format", "github"]), str![[r#"
::error title=failure-kinds (unregistered-kind),file=a.py,line=2,col=20,endLine=2,endColumn=33::`judge_faild` is not a registered failure kind; a similar name is registered: `judge_failed`
::warning title=failure-kinds (legacy-kind),file=b.yaml,line=1,col=15,endLine=1,endColumn=31::`timeout_exceeded` is a legacy label that was renamed; write `agent_timeout`
::warning title=failure-kinds (raw-literal),file=c.rs,line=1,col=29,endLine=1,endColumn=39::the registered kind `shutdown` is a bare string; write `failure_kind!("shutdown")`, which the compiler checks
::error title=failure-kinds (unregistered-kind),file=d.jsonl,line=2,col=17,endLine=2,endColumn=22::character 2 of `a b` is white space; a kind of one server only is written `<server>:a_b` (2 times)

"#]].raw());
}

#[test]
fn sarif() {
    assert_data_eq!(stdout(&["--format", "sarif"]), snapbox::file!["findings.sarif"].raw());
}

/// The schema is that of OASIS, unchanged but for its layout.
#[test]
fn sarif_follows_its_schema() {
    let schema = fs::read_to_string(repository().join("tests/data/lint/sarif-2.1.0.schema.json"));
    let mut schema: Value = serde_json::from_str(&schema.unwrap()).unwrap();
    // Its pattern for a field that is not written here has a bracket too many.
    for part in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][part]["properties"]["language"];
        language.as_object_mut().unwrap().remove("pattern").unwrap();
    }
    let schema = jsonschema::validator_for(&schema).unwrap();
    let folder = folder();
    // A finding of every id, and paths that a URI cannot hold as they are.
    folder.write(
        "é f/ü%.py",
        "f(failure_kind='answer_cut_off')\nf(failure_kind='A:b')\nf(failure_kind='judge:failed')\n\
         f(failure_kind=f'{x}')  # failure-kinds: ignore[raw-literal]\nf(failure_kind=x)\n\
         y = ['judge_faild']\nf(failure_kind='s:b')\ndef f(:\n",
    );
    folder.write(
        "failure-kinds.toml",
        "[[lint.levels]]\nids = [\"dynamic-kind\", \"near-miss\"]\nlevel = \"warning\"\n\
         [servers.s]\nkinds = [\"a\"]\n",
    );
    let log = lint(&folder, &["--format", "sarif"]).stdout;
    let log: Value = serde_json::from_str(&log).unwrap();
    let faults: Vec<_> = schema.iter_errors(&log).map(|fault| fault.to_string()).collect();
    assert_eq!(faults, [""; 0]);
    assert_eq!(log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap().len(), 12);
    assert!(log.to_string().contains("%C3%A9%20f/%C3%BC%25.py"));
    let empty = lint(&Folder::new(), &["--format", "sarif"]).stdout;
    assert!(schema.is_valid(&serde_json::from_str(&empty).unwrap()));
    // The schema does refuse something.
    let mut broken = log;
    broken["runs"][0]["results"][0]["level"] = "fatal".into();
    assert!(!schema.is_valid(&broken));
}

#[test]
fn statistics() {
    assert_data_eq!(
        stdout(&["--statistics"]),
        str![[r#"
       3  error[unregistered-kind]
       2    a b
       1    judge_faild -> judge_failed
       1  warning[legacy-kind]
       1    timeout_exceeded -> agent_timeout
       1  warning[raw-literal]
       1    shutdown

"#]]
        .raw()
    );
}

#[test]
fn the_summary_is_on_standard_error() {
    let ran = lint(&folder(), &["--format", "concise"]);
    assert_eq!(
        ran.stderr,
        "2 errors, 2 warnings, 1 can be fixed with `--fix`, 1 can be fixed with `--fix --unsafe-fixes`\n"
    );
    assert_eq!(lint(&folder(), &["--format", "json"]).stderr, "");
}

/// Nothing in a path, a source or a row reaches the terminal as more than text.
#[test]
fn control_characters_are_escaped() {
    let folder = Folder::new();
    folder.write(
        "a\u{1b}[31m\n.py",
        "f(failure_kind=\"x\u{1b}]0;t\u{7}\u{9b}31m\u{202e}\", y=\"\u{1b}[2J\")\n",
    );
    for format in ["full", "concise", "json", "github", "sarif"] {
        let out = lint(&folder, &["--format", format]).stdout;
        let odd: Vec<_> =
            out.chars().filter(|char| char.is_control() && !matches!(char, '\n' | '\t')).collect();
        assert_eq!(odd, [char::MIN; 0], "{format}: {out:?}");
        assert!(
            format == "json" || format == "sarif" || !out.contains('\u{202e}'),
            "{format}: {out:?}"
        );
    }
}
