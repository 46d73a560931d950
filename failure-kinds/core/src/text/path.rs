//! Paths as text. One that is not UTF-8 stays distinct from others.

extern crate std;

use core::fmt::{self, Display, Formatter, Write};
use std::borrow::Cow;
use std::path::Path;
use std::string::String;

use super::Escaped;

/// A path as text: bytes that are not UTF-8 become `\xNN`, never a replacement character.
#[must_use]
pub fn path_text(path: &Path) -> Cow<'_, str> {
    if let Some(text) = path.to_str() {
        return Cow::Borrowed(text);
    }
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    Cow::Owned(text)
}

/// Writes a path as [`path_text`] and [`Escaped`] do.
#[derive(Clone, Copy, Debug)]
pub struct EscapedPath<'a>(pub &'a Path);

impl Display for EscapedPath<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Escaped(&path_text(self.0)).fmt(f)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::string::ToString;

    use super::*;

    #[test]
    fn paths_that_are_not_utf8_stay_distinct() {
        let text = |bytes| EscapedPath(Path::new(OsStr::from_bytes(bytes))).to_string();
        assert_eq!(text(b"a\xff/b"), "a\\xff/b");
        assert_eq!(text(b"a\xfe/b"), "a\\xfe/b");
    }
}
