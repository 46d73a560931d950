//! Comments that suppress findings: `failure-kinds: ignore[ID, ID] perhaps a reason`.

use super::id::Id;
use super::position::Comment;

/// What a comment that suppresses starts with.
pub(crate) const DIRECTIVE: &str = "failure-kinds: ignore";

/// What a comment says to the linter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Directive {
    /// It suppresses these findings; or it names ids that do not exist.
    Ignore { ids: Vec<Id>, unknown: Vec<String> },
    /// It names no finding, and so suppresses nothing.
    Bare,
}

/// Reads a comment. One that only mentions the directive is prose.
pub(crate) fn directive(comment: &Comment) -> Option<Directive> {
    let rest = comment.text.trim_start().strip_prefix(DIRECTIVE)?;
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
            Some(id) => ids.push(id),
            None => unknown.push(name.to_owned()),
        }
    }
    if ids.is_empty() && unknown.is_empty() {
        return Some(Directive::Bare);
    }
    Some(Directive::Ignore { ids, unknown })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Directive> {
        directive(&Comment { span: 0..0, text: text.to_owned() })
    }

    #[test]
    fn a_directive_starts_the_comment_and_names_findings() {
        let ignore = |ids: &[Id]| Directive::Ignore { ids: ids.to_vec(), unknown: Vec::new() };
        assert_eq!(read(" failure-kinds: ignore[legacy-kind]"), Some(ignore(&[Id::LegacyKind])));
        assert_eq!(
            read("failure-kinds: ignore[legacy-kind, raw-literal]: rows of 2024"),
            Some(ignore(&[Id::LegacyKind, Id::RawLiteral]))
        );
        assert_eq!(
            read("failure-kinds: ignore[legacy]"),
            Some(Directive::Ignore { ids: Vec::new(), unknown: vec!["legacy".to_owned()] })
        );
    }

    #[test]
    fn c189_prose_is_no_directive() {
        assert_eq!(read(" Use `failure-kinds: ignore` to silence the lint."), None);
        assert_eq!(read(" failure-kinds: ignored rows are listed"), None);
        assert_eq!(read(" see failure-kinds: ignore[legacy-kind]"), None);
        for bare in
            [" failure-kinds: ignore", " failure-kinds: ignore-file", " failure-kinds: ignore[]"]
        {
            assert_eq!(read(bare), Some(Directive::Bare), "{bare}");
        }
    }
}
