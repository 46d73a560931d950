//! Gauges for the node exporter's textfile collector and for CI.

use std::collections::BTreeMap;
use std::io::{self, Write};

use failure_kinds::ObservedKind;
use failure_kinds_triage::Report;

/// The label value of an absent kind or stage.
const ABSENT: &str = "none";
/// That of the kinds and stages of groups that the report sums.
const OTHER: &str = "other";

/// Writes the counts of a report in the OpenMetrics text format. Every label value is one of a
/// closed set, so nothing needs escaping and the number of series has a bound.
pub(crate) fn write(report: &Report, stream: &mut dyn Write) -> io::Result<()> {
    let name = "failure_kinds_rows";
    gauge(name, "Failure rows by class, kind and stage.", stream)?;
    let mut rows: BTreeMap<_, u64> = BTreeMap::new();
    for group in &report.groups {
        let kind = group.kind.as_deref().map(|kind| ObservedKind::new(kind).metric_label());
        let labels = (group.class, kind.unwrap_or(ABSENT), group.stage.unwrap_or(ABSENT));
        *rows.entry(labels).or_default() += group.count;
    }
    // Of the groups that are not listed only the class is known.
    for class in &report.classes {
        let listed = report.groups.iter().filter(|group| group.class == class.class.as_str());
        let listed: u64 = listed.map(|group| group.count).sum();
        if class.count > listed {
            rows.insert((class.class.as_str(), OTHER, OTHER), class.count - listed);
        }
    }
    for ((class, kind, stage), count) in rows {
        writeln!(stream, "{name}{{class=\"{class}\",kind=\"{kind}\",stage=\"{stage}\"}} {count}")?;
    }

    let name = "failure_kinds_rollouts";
    gauge(name, "Rollouts by status; what is unknown has no sample.", stream)?;
    let rollouts = &report.rollouts;
    for (status, count) in [
        ("expected", rollouts.expected),
        ("missing", rollouts.missing),
        ("omitted", Some(rollouts.omitted)),
        ("failed", Some(rollouts.failed)),
        ("degraded", Some(rollouts.degraded)),
        ("recovered", Some(rollouts.recovered)),
    ] {
        if let Some(count) = count {
            writeln!(stream, "{name}{{status=\"{status}\"}} {count}")?;
        }
    }

    let name = "failure_kinds_inputs";
    gauge(name, "Malformed lines, files with a truncated last line, skipped files.", stream)?;
    let truncated = report.files.iter().filter(|file| file.truncated_last_line).count();
    for (state, count) in [
        ("malformed", report.totals.malformed),
        ("truncated", truncated as u64),
        ("skipped", report.skipped_files.len() as u64),
    ] {
        writeln!(stream, "{name}{{state=\"{state}\"}} {count}")?;
    }
    writeln!(stream, "# EOF")
}

fn gauge(name: &str, help: &str, stream: &mut dyn Write) -> io::Result<()> {
    writeln!(stream, "# TYPE {name} gauge\n# HELP {name} {help}")
}
