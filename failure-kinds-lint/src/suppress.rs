//! Comments that suppress findings: `failure-kinds: ignore[ID, ID] perhaps a reason`.

use super::id::Id;

/// What a comment that suppresses starts with.
pub(crate) const DIRECTIVE: &str = "failure-kinds: ignore";

/// What the markers of other tools start with. A directive may follow one in the same comment.
const OTHER_TOOLS: [&str; 30] = [
    "NOLINT",
    "NOSONAR",
    "autopep8",
    "bandit",
    "checkov",
    "codespell",
    "coverage",
    "cspell",
    "flake8",
    "fmt",
    "hadolint",
    "isort",
    "kics",
    "mypy",
    "noinspection",
    "noqa",
    "nosec",
    "nosemgrep",
    "pragma",
    "pylint",
    "pyre",
    "pyrefly",
    "pyright",
    "ruff",
    "shellcheck",
    "skipcq",
    "spell-checker",
    "ty",
    "type",
    "yamllint",
];

/// A comment for the linter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Directive {
    /// It suppresses these findings, or names ids that do not exist.
    Ignore { ids: Vec<Id>, unknown: Vec<String> },
    /// It names no finding, and so suppresses nothing.
    Bare,
}

/// Reads the text of a comment. One that only mentions the directive is prose.
pub(crate) fn directive(comment: &str) -> Option<Directive> {
    let mut parts = comment.split(['#', '/']).map(str::trim_start).filter(|part| !part.is_empty());
    let rest = parts.find_map(|part| match part.strip_prefix(DIRECTIVE) {
        Some(rest) => Some(Some(rest)),
        None if is_other_tool(part) => None,
        // Whatever comes after prose is prose.
        None => Some(None),
    })??;
    if rest.starts_with(|next: char| next.is_alphanumeric() || next == '_') {
        return None;
    }
    let Some((list, _)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
        return Some(Directive::Bare);
    };
    let mut ids = Vec::new();
    let mut unknown = Vec::new();
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match Id::parse(name) {
            Some(id) if ids.contains(&id) => {}
            Some(id) => ids.push(id),
            None => unknown.push(name.to_owned()),
        }
    }
    if ids.is_empty() && unknown.is_empty() {
        return Some(Directive::Bare);
    }
    Some(Directive::Ignore { ids, unknown })
}

/// Whether a part of a comment is a marker such as `noqa: E501` or `type: ignore[index]`.
fn is_other_tool(part: &str) -> bool {
    let end = part.find(|char: char| !char.is_ascii_alphanumeric() && char != '-');
    let (name, rest) = part.split_at(end.unwrap_or(part.len()));
    // `nosec B105` has its codes after a blank.
    let is_code = |char: char| matches!(char, 'A'..='Z' | '0'..='9' | ' ' | ',');
    let is_marker = rest.starts_with([':', '[']) || rest.chars().all(is_code);
    is_marker && OTHER_TOOLS.iter().any(|tool| tool.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ignore(ids: &[Id]) -> Directive {
        Directive::Ignore { ids: ids.to_vec(), unknown: Vec::new() }
    }

    #[test]
    fn a_directive_starts_the_comment_and_names_findings() {
        assert_eq!(
            directive(" failure-kinds: ignore[legacy-kind]"),
            Some(ignore(&[Id::LegacyKind]))
        );
        assert_eq!(
            directive("failure-kinds: ignore[legacy-kind, raw-literal]: rows of 2024"),
            Some(ignore(&[Id::LegacyKind, Id::RawLiteral]))
        );
        assert_eq!(
            directive("failure-kinds: ignore[legacy]"),
            Some(Directive::Ignore { ids: Vec::new(), unknown: vec!["legacy".to_owned()] })
        );
    }

    #[test]
    fn c271_a_directive_may_follow_the_marker_of_another_tool() {
        for marker in ["noqa: E501", "type: ignore[index]", "noqa", "nosec B105", "nosec: B105"] {
            let comment = format!(" {marker}  # failure-kinds: ignore[legacy-kind]");
            assert_eq!(directive(&comment), Some(ignore(&[Id::LegacyKind])), "{marker}");
        }
        let comment = " NOLINT // failure-kinds: ignore[legacy-kind]";
        assert_eq!(directive(comment), Some(ignore(&[Id::LegacyKind])));
    }

    #[test]
    fn c189_prose_is_not_a_directive() {
        for prose in [
            " Use `failure-kinds: ignore` to silence the lint.",
            " failure-kinds: ignored rows are listed",
            " see failure-kinds: ignore[legacy-kind]",
            " see # failure-kinds: ignore[legacy-kind]",
        ] {
            assert_eq!(directive(prose), None, "{prose}");
        }
        for bare in
            [" failure-kinds: ignore", " failure-kinds: ignore-file", " failure-kinds: ignore[]"]
        {
            assert_eq!(directive(bare), Some(Directive::Bare), "{bare}");
        }
    }
}
