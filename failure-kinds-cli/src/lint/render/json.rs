//! One JSON object for each finding, on a line.

use std::io::{self, Write};

use serde::Serialize;

use crate::json;
use failure_kinds_lint::{Edit, Finding};

#[derive(Serialize)]
struct Record<'a> {
    id: &'a str,
    level: &'a str,
    path: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    message: &'a str,
    name: Option<&'a str>,
    suggestion: Option<&'a str>,
    /// The edits that fix it, each of a stretch of the file.
    fix: Option<Vec<Replacement<'a>>>,
    fix_safety: Option<&'a str>,
    count: u64,
}

#[derive(Serialize)]
struct Replacement<'a> {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    text: &'a str,
}

pub(super) fn write(out: &mut dyn Write, findings: &[Finding]) -> io::Result<()> {
    for finding in findings {
        let message = super::sentence(finding);
        let record = Record {
            id: finding.id.as_str(),
            level: finding.level.as_str(),
            path: &finding.path,
            line: finding.at.start.line,
            column: finding.at.start.column,
            end_line: finding.at.end.line,
            end_column: finding.at.end.column,
            message: &message,
            name: finding.name.as_deref(),
            suggestion: finding.suggestion.as_deref(),
            fix: finding.fix.as_ref().map(|fix| fix.edits.iter().map(replacement).collect()),
            fix_safety: finding.fix.as_ref().map(|fix| fix.safety.as_str()),
            count: finding.count,
        };
        json::write_line(&record, out)?;
    }
    Ok(())
}

fn replacement(edit: &Edit) -> Replacement<'_> {
    Replacement {
        line: edit.start.line,
        column: edit.start.column,
        end_line: edit.end.line,
        end_column: edit.end.column,
        text: &edit.text,
    }
}
