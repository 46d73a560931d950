//! `is_registered` and `is_namespaced`, compared with the usual alternatives.

use std::collections::HashSet;

use divan::Bencher;
use divan::counter::ItemsCount;
use failure_kinds::{FAILURE_KINDS, FailureKind, is_namespaced, is_registered};
use failure_kinds_benchmarks::names::{MIXES, NAMES, names};

fn main() {
    divan::main();
}

fn run(bencher: Bencher<'_, '_>, mix: &str, test: impl Fn(&str) -> bool + Sync) {
    let names = names(mix).expect("a mix");
    bencher
        .counter(ItemsCount::new(NAMES))
        .bench_local(|| names.iter().filter(|name| test(name)).count());
}

#[divan::bench(args = MIXES)]
fn registered_this(bencher: Bencher<'_, '_>, mix: &str) {
    run(bencher, mix, is_registered);
}

/// The lower bound: every lookup reads at least one word of a name.
#[divan::bench(args = MIXES)]
fn registered_one_load(bencher: Bencher<'_, '_>, mix: &str) {
    run(bencher, mix, |name| name.as_bytes().first().is_some_and(|&byte| byte > b'm'));
}

#[divan::bench(args = MIXES)]
fn registered_hash_set(bencher: Bencher<'_, '_>, mix: &str) {
    let set: HashSet<&str, foldhash::fast::FixedState> =
        FAILURE_KINDS.iter().map(FailureKind::as_str).collect();
    run(bencher, mix, |name| set.contains(name));
}

#[divan::bench(args = MIXES)]
fn registered_phf(bencher: Bencher<'_, '_>, mix: &str) {
    macro_rules! set {
        ($($(#[$doc:meta])+ $constant:ident = $name:tt { $($columns:tt)* })+) => {
            static SET: phf::Set<&str> = phf::phf_set! { $($name),+ };
        };
    }
    failure_kinds_core::with_kinds!(set);
    run(bencher, mix, |name| SET.contains(name));
}

#[divan::bench(args = MIXES)]
fn namespaced_this(bencher: Bencher<'_, '_>, mix: &str) {
    run(bencher, mix, is_namespaced);
}

#[divan::bench(args = MIXES)]
fn namespaced_regex(bencher: Bencher<'_, '_>, mix: &str) {
    let pattern = regex::bytes::Regex::new(r"\A[a-z][a-z0-9_]*:[a-z][a-z0-9_]*\z");
    let pattern = pattern.expect("a fixed pattern");
    run(bencher, mix, |name| pattern.is_match(name.as_bytes()));
}
