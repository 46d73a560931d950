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

#[test]
fn c240_the_table_holds_the_vocabulary_in_its_order() {
    let shown = failure_kinds().arg("list").output().unwrap().stdout;
    let shown = String::from_utf8(shown).unwrap();
    let (_, kinds) = shown.split_once("NAME").unwrap();
    let (kinds, _) = kinds.split_once("\n\n").unwrap();
    let names = kinds.lines().skip(1).filter(|line| !line.starts_with("   "));
    let names: Vec<_> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(
        names,
        failure_kinds::FAILURE_KINDS
            .iter()
            .map(failure_kinds::FailureKind::as_str)
            .collect::<Vec<_>>()
    );
}
