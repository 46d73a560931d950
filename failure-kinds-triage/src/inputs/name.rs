//! What the name of a file says: which run it belongs to, and what it holds of it.

use std::ffi::OsStr;
use std::path::Path;

use failure_kinds_rows::Compression;

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

/// The name of a file of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunName<'a> {
    /// In the encoding of the operating system.
    pub(super) stem: &'a [u8],
    pub(super) role: Role,
    /// Of several copies, the first is preferred: a plain one, if there is one.
    pub(super) compression: Option<Compression>,
}

/// A name without the extension of a compression, and the compression.
pub(super) fn decompressed(name: &OsStr) -> (&OsStr, Option<Compression>) {
    let path = Path::new(name);
    let compression = Compression::of_name(path);
    let stem = compression.and_then(|_| path.file_stem());
    (stem.unwrap_or(name), compression)
}

impl<'a> RunName<'a> {
    /// `None` for a name that is not `STEM….jsonl`, perhaps with the extension of a compression.
    pub(super) fn parse(name: &'a OsStr) -> Option<Self> {
        let (name, compression) = decompressed(name);
        let name = name.as_encoded_bytes().strip_suffix(b".jsonl")?;
        let (stem, role) =
            [("_failures", Role::Sidecar), ("_materialized_inputs", Role::Inventory)]
                .into_iter()
                .find_map(|(suffix, role)| Some((name.strip_suffix(suffix.as_bytes())?, role)))
                .unwrap_or((name, Role::Results));
        (!stem.is_empty()).then_some(Self { stem, role, compression })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(name: &str) -> Option<(&str, Role, Option<Compression>)> {
        let name = RunName::parse(OsStr::new(name))?;
        Some((str::from_utf8(name.stem).unwrap(), name.role, name.compression))
    }

    #[test]
    fn names() {
        let (gzip, zstandard) = (Some(Compression::Gzip), Some(Compression::Zstandard));
        assert_eq!(parse("a.jsonl"), Some(("a", Role::Results, None)));
        assert_eq!(parse("a_failures.jsonl.gz"), Some(("a", Role::Sidecar, gzip)));
        assert_eq!(
            parse("a.b_materialized_inputs.jsonl.zst"),
            Some(("a.b", Role::Inventory, zstandard))
        );
        assert_eq!(
            parse("a_materialized_inputs.jsonl.zstd"),
            Some(("a", Role::Inventory, zstandard))
        );
        assert_eq!(parse("a_verdicts.jsonl"), Some(("a_verdicts", Role::Results, None)));
        for other in
            ["a.json", "a_failures.jsonl.bak", "_failures.jsonl", ".jsonl", "manifest", "", ".gz"]
        {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
