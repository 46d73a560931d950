//! The report for programs: schema version 1.

use std::io::{self, Write};

use serde::Serialize;

use super::Report;

/// Writes the report.
pub(crate) fn write(report: &Report, stream: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Document<'r> {
        schema_version: u32,
        #[serde(flatten)]
        report: &'r Report,
    }
    crate::json::write(&Document { schema_version: 1, report }, stream)
}
