//! What a user's build has to wait for.

use std::env;
use std::process::Command;

/// The packages in the tree of `failure-kinds` with only these features.
fn tree(features: &str) -> Vec<String> {
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["tree", "--edges", "normal", "--package", "failure-kinds"])
        .args(["--no-default-features", "--features", features])
        .args(["--prefix", "none", "--format", "{p}", "--offline", "--locked"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn c239_the_kind_macro_brings_no_parser_and_no_serde() {
    let tree = tree("macros");
    assert!(tree.iter().any(|package| package == "failure-kinds-macros"), "{tree:?}");
    for heavy in ["syn", "quote", "proc-macro2", "serde", "serde_core", "serde_derive"] {
        assert!(!tree.iter().any(|package| package == heavy), "{heavy} in {tree:?}");
    }
}
