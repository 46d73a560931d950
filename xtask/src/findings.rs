//! `docs/findings.md`: the findings of `failure-kinds lint`.

use std::fmt::Write;

use failure_kinds_lint::{Explanation, Id};

use crate::Result;

/// The page of all findings.
pub(crate) fn page() -> Result<String> {
    let mut page = String::from(
        "# Findings of `failure-kinds lint`\n\n\
         `failure-kinds explain ID` prints the same about one finding.\n\n\
         In test code every level is one lower. `failure-kinds.toml` sets other levels, by id and path.\n\n\
         | finding | level | what it reports |\n|---|---|---|\n",
    );
    for id in Id::ALL {
        let Explanation { name, level, what, .. } = id.explanation();
        writeln!(page, "| [`{name}`](#{name}) | {level} | {what} |")?;
    }
    for id in Id::ALL {
        let Explanation { name, level, what, why, fix, example, language } = id.explanation();
        write!(
            page,
            "\n## {name}\n\nDefault level: {level}.\n\n{what}\n\n**Why.** {why}\n\n**How to fix it.** {fix}\n\n\
             ```{language}\n{example}\n```\n"
        )?;
    }
    Ok(page)
}
