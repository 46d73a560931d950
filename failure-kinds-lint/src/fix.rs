//! Edits, applied to a text.

use super::finding::{Edit, Fix};

/// The text with fixes applied, and how many. Edits that overlap an earlier one are left for the
/// next round.
pub(crate) fn apply(text: &[u8], fixes: &[&Fix]) -> (Vec<u8>, usize) {
    let mut edits: Vec<&Edit> = Vec::new();
    let mut applied = 0;
    for fix in fixes {
        // Several fixes may want the same import.
        let new: Vec<&Edit> = fix.edits.iter().filter(|edit| !edits.contains(edit)).collect();
        if new.iter().any(|edit| edits.iter().any(|other| overlap(edit, other))) {
            continue;
        }
        edits.extend(new);
        applied += 1;
    }
    edits.sort_unstable();
    let mut after = Vec::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        after.extend_from_slice(&text[at..edit.from]);
        after.extend_from_slice(edit.text.as_bytes());
        at = edit.to;
    }
    after.extend_from_slice(&text[at..]);
    (after, applied)
}

fn overlap(a: &Edit, b: &Edit) -> bool {
    a.from < b.to && b.from < a.to || (a.from, a.to) == (b.from, b.to)
}
