//! The compressions that are read, by the names of files and by their content.

use std::path::Path;

/// A compression that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Compression {
    /// RFC 1952.
    Gzip,
    /// RFC 8878.
    Zstandard,
}

/// The extensions of compressed files.
const EXTENSIONS: [(&str, Compression); 3] =
    [("gz", Compression::Gzip), ("zst", Compression::Zstandard), ("zstd", Compression::Zstandard)];

impl Compression {
    /// The compression that the extension of a file's name stands for: `.gz`, `.zst` or `.zstd`.
    ///
    /// A [`Source`](crate::Source) goes by the content of a file, never by its name.
    #[must_use]
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        EXTENSIONS
            .iter()
            .find(|(known, _)| extension.eq_ignore_ascii_case(known))
            .map(|&(_, compression)| compression)
    }

    /// The compression of content that starts with these bytes.
    pub(crate) const fn of_content(start: &[u8]) -> Option<Self> {
        match start {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            // A frame, or a skippable one.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                Some(Self::Zstandard)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions() {
        let of = |name: &str| Compression::of_name(Path::new(name));
        assert_eq!(of("a.jsonl.gz"), Some(Compression::Gzip));
        assert_eq!(of("A.JSONL.GZ"), Some(Compression::Gzip));
        assert_eq!(of("b/a.jsonl.zst"), Some(Compression::Zstandard));
        assert_eq!(of("a.zstd"), Some(Compression::Zstandard));
        for other in ["a.jsonl", "a.xz", "gz", ".gz", "a.gz/b", "a.gz.jsonl"] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
