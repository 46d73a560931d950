//! The README, which is the front page of the library's documentation too.

use crate::repository::root;

const README: &str = include_str!("../../../README.md");
const LIBRARY: &str = include_str!("../../../failure-kinds/src/lib.rs");
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

#[test]
fn its_links_lead_somewhere_on_both_pages() {
    let root = root();
    let links = README.lines().filter_map(|line| line.strip_prefix('[')?.split_once("]: "));
    let mut count = 0;
    for (label, target) in links {
        assert!(root.join(target).exists(), "{target}");
        let absolute = format!("//! [{label}]: {REPOSITORY}/blob/main/{target}\n");
        assert!(LIBRARY.contains(&absolute), "failure-kinds/src/lib.rs lacks: {absolute}");
        count += 1;
    }
    assert!(count > 5);
    // A link written in another way would be dead on the page of the library.
    assert!(!README.contains("]("), "links to files are defined at the end");
}
