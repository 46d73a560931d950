//! `SECURITY.md`: the tests that it names.

use std::fs;

use crate::repository::{root, sources};

#[test]
fn every_test_that_it_names_is_there() {
    let text: String =
        sources(&root()).iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let names = include_str!("../../../SECURITY.md").split('`').skip(1).step_by(2);
    let is_test = |name: &&str| name.contains('_') && !name.contains(['/', '.']);
    let missing: Vec<_> =
        names.filter(is_test).filter(|name| !text.contains(&format!("fn {name}("))).collect();
    assert_eq!(missing, [""; 0]);
}
