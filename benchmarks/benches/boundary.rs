//! The cost of a name at the boundary: known, or unknown and already warned about.

use divan::Bencher;
use divan::counter::ItemsCount;
use failure_kinds::{is_registered, validate_failure_kind};
use failure_kinds_benchmarks::names::{NAMES, names};

const UNKNOWN: &str = "no_such_name";

fn main() {
    // Before others fill the memory.
    validate_failure_kind(UNKNOWN);
    divan::main();
}

fn run(bencher: Bencher<'_, '_>, names: &[String], test: impl Fn(&str) -> bool + Sync) {
    bencher
        .counter(ItemsCount::new(names.len()))
        .bench(|| names.iter().filter(|name| test(name)).count());
}

#[divan::bench(threads = [1, 2])]
fn known_is_registered(bencher: Bencher<'_, '_>) {
    run(bencher, &names("hit").expect("a mix"), is_registered);
}

#[divan::bench(threads = [1, 2])]
fn known_validated(bencher: Bencher<'_, '_>) {
    run(bencher, &names("hit").expect("a mix"), |name| validate_failure_kind(name).len() > 12);
}

#[divan::bench(threads = [1, 2])]
fn one_unknown_validated(bencher: Bencher<'_, '_>) {
    let names = vec![UNKNOWN.to_owned(); NAMES];
    run(bencher, &names, |name| validate_failure_kind(name).len() > 12);
}

#[divan::bench(threads = [1, 2])]
fn many_unknown_validated(bencher: Bencher<'_, '_>) {
    // With the one, as many as are remembered.
    let names: Vec<_> = names("miss").expect("a mix").into_iter().take(4095).collect();
    for name in &names {
        validate_failure_kind(name);
    }
    run(bencher, &names, |name| validate_failure_kind(name).len() > 12);
}
