//! The README, which is the front page of the repository, of the packages and of the library's
//! documentation.

use crate::repository::root;

const README: &str = include_str!("../../../README.md");
const FILES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

#[test]
fn its_links_lead_somewhere_on_every_page() {
    let root = root();
    let links = README.lines().filter_map(|line| line.strip_prefix('[')?.split_once("]: "));
    let mut count = 0;
    for (label, target) in links {
        let file = target.strip_prefix(FILES).unwrap_or_else(|| panic!("{label}: {target}"));
        assert!(root.join(file).exists(), "{label}: {target}");
        count += 1;
    }
    assert!(count > 5);
    assert!(!README.contains("]("), "links are defined at the end");
}
