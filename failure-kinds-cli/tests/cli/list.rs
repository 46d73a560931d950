use std::fs;

use snapbox::file;

use crate::{failure_kinds, repository};

/// What the command writes, beside the file that is committed.
fn is_up_to_date(format: &str, file: &str) {
    let output = failure_kinds().args(["list", "--format", format]).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    let committed = fs::read_to_string(repository().join(file)).unwrap();
    assert!(
        String::from_utf8(output.stdout).unwrap() == committed,
        "{file} is stale; write it anew: cargo run -- list --format {format} > {file}"
    );
}

#[test]
fn the_registry_is_up_to_date() {
    is_up_to_date("json", "registry.json");
}

#[test]
fn the_schema_of_the_registry_is_up_to_date() {
    is_up_to_date("schema", "registry.schema.json");
}

#[test]
fn the_vocabulary_is_a_table() {
    failure_kinds().arg("list").assert().code(0).stderr_eq("").stdout_eq(file!["list.txt"]);
}
