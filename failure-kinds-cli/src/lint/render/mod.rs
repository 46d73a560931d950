//! How findings are shown.

mod concise;
mod full;
mod github;
mod json;
mod sarif;
mod statistics;

use std::fmt::Write as _;
use std::io::{self, Write};

use super::finding::Finding;

pub(crate) use self::statistics::write as statistics;

/// A form of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// The line of the source with the place marked, and help
    Full,
    /// One line for each finding
    Concise,
    /// One JSON object a line for each finding
    Json,
    /// Commands that mark the places in a run of GitHub Actions
    Github,
    /// One SARIF 2.1.0 document for code scanning services
    Sarif,
}

impl Format {
    /// Whether it is meant to be read by people.
    pub(crate) const fn is_text(self) -> bool {
        matches!(self, Self::Full | Self::Concise)
    }

    /// Writes all findings.
    pub(crate) fn write(self, out: &mut dyn Write, findings: &[Finding]) -> io::Result<()> {
        match self {
            Self::Full => full::write(out, findings),
            Self::Concise => concise::write(out, findings),
            Self::Json => json::write(out, findings),
            Self::Github => github::write(out, findings),
            Self::Sarif => sarif::write(out, findings),
        }
    }
}

/// The message with its help, and how often the name occurs where that is more than once.
fn sentence(finding: &Finding) -> String {
    let mut sentence = finding.message.clone();
    if let Some(help) = &finding.help {
        sentence.push_str("; ");
        sentence.push_str(help);
    }
    if finding.count > 1 {
        let _ = write!(sentence, " ({} times)", finding.count);
    }
    sentence
}
