//! `failure-kinds lint`.

mod cases;
mod configuration;
mod files;
mod fixes;
mod formats;
mod rows;
mod second_wave;
mod shapes;
mod suppressions;

use serde_json::Value;

use crate::failure_kinds;
use crate::support::{Folder, Ran, ran};

/// Runs `lint` in a folder.
fn lint(folder: &Folder, args: &[&str]) -> Ran {
    ran(failure_kinds().current_dir(folder.path()).arg("lint").args(args))
}

/// The findings in a folder, each as `path:line:column level[id] name`.
fn findings(folder: &Folder, args: &[&str]) -> Vec<String> {
    let args: Vec<_> = ["--format", "json"].iter().chain(args).copied().collect();
    let ran = lint(folder, &args);
    assert!(ran.code < 2, "{ran:?}");
    let lines = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.map(|finding: Value| short(&finding)).collect()
}

fn short(finding: &Value) -> String {
    let text = |key: &str| finding[key].as_str().unwrap_or_default();
    let mut short = format!(
        "{}:{}:{} {}[{}]",
        text("path"),
        finding["line"],
        finding["column"],
        text("level"),
        text("id")
    );
    if let Some(name) = finding["name"].as_str() {
        short.push(' ');
        short.push_str(name);
    }
    short
}

/// The findings in one file.
fn findings_of(name: &str, text: &str) -> Vec<String> {
    let folder = Folder::new();
    folder.write(name, text);
    findings(&folder, &[])
}
