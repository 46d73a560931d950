//! Source snippets that are shown with annotations.

extern crate std;

use std::borrow::Cow;

/// Replaces the C1 control characters of a source, so that every byte keeps its place.
///
/// The renderer of snippets replaces whatever else a terminal acts on, but not these, and one of
/// them starts an escape sequence in some terminals.
#[must_use]
pub fn snippet(source: &str) -> Cow<'_, str> {
    let is_c1 = |char: char| matches!(char, '\u{80}'..='\u{9f}');
    if source.contains(is_c1) {
        // Two bytes in UTF-8, like the original.
        Cow::Owned(source.replace(is_c1, "\u{b7}"))
    } else {
        Cow::Borrowed(source)
    }
}
