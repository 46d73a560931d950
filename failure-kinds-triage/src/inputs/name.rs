//! What the name of a file says: which run it belongs to, and what it holds of it.

use std::ffi::OsStr;

/// What a file holds of its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// `STEM.jsonl`: the results.
    Results,
    /// `STEM_failures.jsonl`: the failures.
    Sidecar,
    /// `STEM_materialized_inputs.jsonl`: one line for each expected rollout.
    Inventory,
}

/// How a copy is packed, by its name. The first one is preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Packing {
    Plain,
    Gzip,
    Zstandard,
}

/// The name of a file of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunName<'a> {
    /// In the encoding of the operating system.
    pub(super) stem: &'a [u8],
    pub(super) role: Role,
    pub(super) packing: Packing,
}

impl<'a> RunName<'a> {
    /// `None` for a name that is not `STEM….jsonl`, perhaps packed.
    pub(super) fn parse(name: &'a OsStr) -> Option<Self> {
        let name = name.as_encoded_bytes();
        let (name, packing) =
            [(".gz", Packing::Gzip), (".zst", Packing::Zstandard), (".zstd", Packing::Zstandard)]
                .into_iter()
                .find_map(|(suffix, packing)| {
                    Some((name.strip_suffix(suffix.as_bytes())?, packing))
                })
                .unwrap_or((name, Packing::Plain));
        let name = name.strip_suffix(b".jsonl")?;
        let (stem, role) =
            [("_failures", Role::Sidecar), ("_materialized_inputs", Role::Inventory)]
                .into_iter()
                .find_map(|(suffix, role)| Some((name.strip_suffix(suffix.as_bytes())?, role)))
                .unwrap_or((name, Role::Results));
        (!stem.is_empty()).then_some(Self { stem, role, packing })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(name: &str) -> Option<(&str, Role, Packing)> {
        let name = RunName::parse(OsStr::new(name))?;
        Some((str::from_utf8(name.stem).unwrap(), name.role, name.packing))
    }

    #[test]
    fn names() {
        assert_eq!(parse("a.jsonl"), Some(("a", Role::Results, Packing::Plain)));
        assert_eq!(parse("a_failures.jsonl.gz"), Some(("a", Role::Sidecar, Packing::Gzip)));
        assert_eq!(
            parse("a.b_materialized_inputs.jsonl.zst"),
            Some(("a.b", Role::Inventory, Packing::Zstandard))
        );
        assert_eq!(parse("a_verdicts.jsonl"), Some(("a_verdicts", Role::Results, Packing::Plain)));
        for other in ["a.json", "a_failures.jsonl.bak", "_failures.jsonl", ".jsonl", "manifest", ""]
        {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
