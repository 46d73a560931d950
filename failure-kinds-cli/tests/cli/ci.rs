//! `action.yml` and `.pre-commit-hooks.yaml`: their steps, run as their tools do.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::repository;
use crate::support::Folder;

fn yaml(file: &str) -> Value {
    serde_saphyr::from_str(&fs::read_to_string(repository().join(file)).unwrap()).unwrap()
}

/// `PATH` with the command that is tested in front.
fn path() -> std::ffi::OsString {
    let command = snapbox::cmd::cargo_bin!("failure-kinds");
    let paths = std::env::var_os("PATH").unwrap();
    let paths = std::env::split_paths(&paths);
    std::env::join_paths([command.parent().unwrap().to_owned()].into_iter().chain(paths)).unwrap()
}

/// Runs the steps of the action until one fails, with its inputs as given or by default.
fn run_action(folder: &Path, inputs: &[(&str, &str)]) -> Output {
    let action = yaml("action.yml");
    assert_eq!(action["runs"]["using"], "composite");
    let mut expressions = BTreeMap::from([("runner.temp".to_owned(), folder.to_str().unwrap())]);
    for (name, input) in action["inputs"].as_object().unwrap() {
        let given = inputs.iter().find(|(given, _)| given == name).map(|(_, value)| *value);
        let value = given.or(input["default"].as_str());
        assert!(value.is_some() || input["required"] == true, "{name}");
        expressions.insert(format!("inputs.{name}"), value.unwrap_or_default());
    }
    let expand = |text: &str| {
        let mut text = text.to_owned();
        for (expression, value) in &expressions {
            text = text.replace(&format!("${{{{ {expression} }}}}"), value);
        }
        assert!(!text.contains("${{"), "{text}");
        text
    };
    let mut last = None;
    for step in action["runs"]["steps"].as_array().unwrap() {
        let Some(script) = step["run"].as_str() else {
            assert!(step["uses"].as_str().unwrap().starts_with("actions/upload-artifact@"));
            assert_eq!(
                expand(step["with"]["path"].as_str().unwrap()),
                format!("{}/failure-kinds", folder.display())
            );
            continue;
        };
        // An expression in a script would be code.
        assert!(!script.contains("${{"), "{script}");
        assert_eq!(step["shell"], "bash");
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]);
        command.current_dir(repository()).env("PATH", path());
        command.env("GITHUB_ACTION_PATH", repository());
        command.env("GITHUB_STEP_SUMMARY", folder.join("summary.md"));
        for (name, value) in step["env"].as_object().into_iter().flatten() {
            command.env(name, expand(value.as_str().unwrap()));
        }
        let output = command.output().unwrap();
        let is_over = !output.status.success();
        last = Some(output);
        if is_over {
            break;
        }
    }
    last.unwrap()
}

#[test]
fn the_action_writes_a_summary_a_page_and_a_report() {
    let folder = Folder::new();
    let output =
        run_action(folder.path(), &[("paths", "examples/data/sat\nexamples/data/judge\n")]);
    assert!(output.status.success(), "{output:?}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("summary.md").starts_with("### ROLLOUTS: 0 of 58 expected are missing"));
    assert!(read("failure-kinds/report.html").starts_with("<!doctype html>"));
    let report: Value = serde_json::from_str(&read("failure-kinds/report.json")).unwrap();
    assert_eq!(report["runs"].as_array().unwrap().len(), 2);
}

#[test]
fn the_action_fails_the_job_after_the_report() {
    let folder = Folder::new();
    let inputs = [("paths", "examples/data/enospc"), ("fail-on", "missing,unregistered")];
    let output = run_action(folder.path(), &inputs);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8(output.stderr).unwrap().contains("failing on `missing`"));
    assert!(folder.path().join("failure-kinds/report.html").exists());
    assert!(folder.path().join("summary.md").exists());
}

#[test]
fn the_action_compares_with_the_report_of_an_earlier_job() {
    let earlier = Folder::new();
    run_action(earlier.path(), &[("paths", "examples/data/sat")]);
    let baseline = earlier.path().join("failure-kinds/report.json");
    let folder = Folder::new();
    let inputs = [
        ("paths", "examples/data/gateway"),
        ("baseline", baseline.to_str().unwrap()),
        ("fail-on", "new"),
    ];
    let output = run_action(folder.path(), &inputs);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let page = fs::read_to_string(folder.path().join("failure-kinds/report.html")).unwrap();
    assert!(page.contains(r#"data-word="new""#));
}

#[test]
fn the_hook_lints_the_files_that_it_is_given() {
    let hooks = yaml(".pre-commit-hooks.yaml");
    let [hook] = &hooks.as_array().unwrap()[..] else { panic!("{hooks}") };
    let folder = Folder::new();
    let file = folder.write("rows.py", "failure_kind = \"judge_faild\"\n");
    let entry = hook["entry"].as_str().unwrap();
    let output = Command::new("bash")
        .args(["-c", &format!("{entry} \"$@\""), entry])
        .arg(&file)
        .env("PATH", path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("judge_failed"));
}
