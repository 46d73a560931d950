//! Compiles the cases. The text around a message is the compiler's, so the snapshots are for one
//! release of it.

use std::env;
use std::io::{self, Write};
use std::process::Command;

/// The compiler of the snapshots, as in `rust-toolchain.toml`.
const PINNED: &str = "1.95.";

/// Whether this is the compiler of the snapshots; in CI it must be.
fn pinned_compiler() -> bool {
    let ci = env::var_os("CI").is_some();
    assert!(
        !ci || env::var_os("TRYBUILD").is_none(),
        "TRYBUILD is set, and with it every message would pass: unset it"
    );
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let pinned = version.strip_prefix("rustc ").is_some_and(|version| version.starts_with(PINNED));
    if !pinned {
        let skipped = format!("UI tests need rustc {PINNED}*, and this is {}", version.trim());
        assert!(!ci, "{skipped}");
        // Not through `eprintln!`, whose output a passing test keeps to itself.
        io::stderr().write_all(format!("\nSKIPPED: {skipped}\n\n").as_bytes()).unwrap();
    }
    pinned
}

#[test]
fn each_rejection_matches_its_snapshot() {
    if pinned_compiler() {
        // Only rejections, so this is `cargo check`.
        trybuild::TestCases::new().compile_fail("ui/*/*.rs");
    }
}

#[test]
fn a_build_reports_the_same_as_a_check() {
    if pinned_compiler() {
        let cases = trybuild::TestCases::new();
        // With a case that passes, this is `cargo build`.
        cases.pass("ui/accepted.rs");
        cases.compile_fail("ui/kind/places.rs");
    }
}
