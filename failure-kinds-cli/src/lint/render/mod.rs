//! How findings are shown.

mod concise;
mod full;
mod github;
mod json;
mod sarif;
mod statistics;

use std::fmt::Write as _;
use std::io::{self, Write};

use clap::ValueEnum;
use failure_kinds_lint::Finding;

pub(crate) use self::sarif::MOST_RESULTS as MOST_SARIF_RESULTS;
pub(crate) use self::statistics::{write as statistics, write_json as statistics_json};

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// The source line with the finding underlined, and help
    Full,
    /// One line per finding
    Concise,
    /// One line per finding, as a JSON object
    Json,
    /// GitHub Actions annotations
    Github,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
}

impl Format {
    /// What `--format` calls it.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

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

/// The message with its help, and how often the name occurs if that is more than once.
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Cursor;
    use std::path::Path;

    use anstream::StripStream;
    use failure_kinds_core::text::is_printable;
    use failure_kinds_lint::{Linter, Options};

    use super::*;

    #[test]
    fn no_format_prints_what_a_terminal_acts_on() {
        let linter = Linter::new(Options::default()).unwrap();
        let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds/lint");
        for seed in fs::read_dir(seeds).unwrap() {
            let seed = fs::read(seed.unwrap().path()).unwrap();
            for name in ["a.rs", "a.py", "a.json", "a.jsonl", "a.yaml", "a.toml", "a.md"] {
                let input = Cursor::new(seed[1..].to_vec());
                let Ok(report) = linter.check_input(Path::new(name), input, &()) else { continue };
                for &format in Format::value_variants() {
                    let mut out = StripStream::new(Vec::new());
                    format.write(&mut out, &report.files[0].findings).unwrap();
                    let out = String::from_utf8(out.into_inner()).unwrap();
                    let odd = out.chars().find(|&char| char != '\n' && !is_printable(char));
                    assert_eq!(odd, None, "{out:?}");
                }
            }
        }
    }
}
