//! The error in the documents is the one that the compiler reports.

use std::fs;
use std::path::Path;

/// The documents that show it, from the root of the workspace.
const DOCUMENTS: [&str; 2] = ["README.md", "failure-kinds/src/macros.rs"];

#[test]
fn documents_show_a_real_error() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let snapshot = fs::read_to_string(root.join("ui-tests/ui/kind/shown.stderr")).unwrap();
    let shown = snapshot.trim_end().replace("ui/kind/shown.rs", "src/kinds.rs");
    for document in DOCUMENTS {
        let text = fs::read_to_string(root.join(document)).unwrap();
        let text: Vec<_> = text
            .lines()
            .map(|line| {
                line.strip_prefix("///").map_or(line, |doc| doc.strip_prefix(' ').unwrap_or(doc))
            })
            .collect();
        let block = format!("```text\n{shown}\n```");
        assert!(text.join("\n").contains(&block), "{document} should show\n{block}");
    }
}
