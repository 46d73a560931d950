//! `path:line:column: level[id] message; help`

use std::io::{self, Write};

use super::sentence;
use failure_kinds_core::text::Escaped;
use failure_kinds_lint::Finding;

pub(super) fn write(out: &mut dyn Write, findings: &[Finding]) -> io::Result<()> {
    for finding in findings {
        writeln!(
            out,
            "{}:{}:{}: {}[{}] {}",
            Escaped(&finding.path),
            finding.at.start.line,
            finding.at.start.column,
            finding.level,
            finding.id,
            sentence(finding),
        )?;
    }
    Ok(())
}
