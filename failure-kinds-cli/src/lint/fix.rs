//! `--fix` and `--diff`: files that are written as a whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use diffy::DiffOptions;
use failure_kinds_core::text::path_text;
use failure_kinds_lint::{Checked, Finding, Linter, Report, Safety};

use crate::fault::Fault;
use crate::output;

/// Fixes all files. What is left to find, and the number of fixes.
pub(super) fn apply(
    linter: &Linter,
    report: &Report,
    safety: Safety,
    faults: &mut Vec<Fault>,
) -> (Vec<Finding>, usize) {
    let mut findings = Vec::new();
    let mut applied = 0;
    for file in &report.files {
        let fixed = is_fixable(file, safety).then(|| {
            let fixed = linter.fixed(file, report, safety)?;
            write(file.path(), &fixed.after)?;
            Ok(fixed)
        });
        match fixed {
            Some(Ok(fixed)) => {
                applied += fixed.applied;
                findings.extend(fixed.findings);
            }
            Some(Err(fault)) => {
                faults.push(fault);
                findings.extend_from_slice(&file.findings);
            }
            None => findings.extend_from_slice(&file.findings),
        }
    }
    (findings, applied)
}

/// What [`apply`] would change, in the unified format.
pub(super) fn diff(
    linter: &Linter,
    report: &Report,
    safety: Safety,
    faults: &mut Vec<Fault>,
) -> String {
    let mut diff = String::new();
    for file in report.files.iter().filter(|file| is_fixable(file, safety)) {
        match linter.fixed(file, report, safety) {
            Ok(fixed) => {
                let before = String::from_utf8_lossy(&fixed.before);
                let after = String::from_utf8_lossy(&fixed.after);
                let path = path_text(file.path());
                let patch = DiffOptions::new()
                    .set_original_filename(format!("a/{path}"))
                    .set_modified_filename(format!("b/{path}"))
                    .create_patch(&before, &after);
                diff.push_str(&patch.to_string());
            }
            Err(error) => faults.push(error.into()),
        }
    }
    diff
}

fn is_fixable(file: &Checked, safety: Safety) -> bool {
    let mut fixes = file.findings.iter().filter_map(|finding| finding.fix.as_ref());
    fixes.any(|fix| fix.safety <= safety)
}

/// Replaces a file, through a link that leads to it.
fn write(path: &Path, text: &[u8]) -> Result<(), Fault> {
    let replace = |path: &Path| -> io::Result<()> {
        output::replace(&fs::canonicalize(path)?, |file| file.write_all(text))
    };
    replace(path).map_err(|error| Fault::io("write", path, &error))
}
