//! Commands of a workflow: `::error file=…,line=…::message`.

use std::io::{self, Write};

use super::sentence;
use failure_kinds_lint::{Finding, Level};

pub(super) fn write(out: &mut dyn Write, findings: &[Finding]) -> io::Result<()> {
    for finding in findings {
        let command = match finding.level {
            Level::Error => "error",
            Level::Warning | Level::Off => "warning",
        };
        let (start, end) = (finding.at.start, finding.at.end);
        write!(
            out,
            "::{command} title=failure-kinds ({}),file={},line={},col={},endLine={}",
            finding.id,
            property(&finding.repository_path),
            start.line,
            start.column,
            end.line
        )?;
        // A column of an end is only understood on the line of the start.
        if start.line == end.line {
            write!(out, ",endColumn={}", end.column)?;
        }
        writeln!(out, "::{}", data(&sentence(finding)))?;
    }
    Ok(())
}

/// The text of a command: one line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, which a colon or a comma would end.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(property("a,b:c\n::error::%"), "a%2Cb%3Ac%0A%3A%3Aerror%3A%3A%25");
        assert_eq!(data("a: b, c\r\n"), "a: b, c%0D%0A");
    }
}
