//! The cost of classifying a failure.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use failure_kinds::{FailureClass, FailureClassificationConfig};
use failure_kinds_benchmarks::evidence::{EVENTS, events, large_config};

fn main() {
    divan::main();
}

fn run(bencher: Bencher<'_, '_>, config: &FailureClassificationConfig) {
    let events = events();
    bencher.counter(ItemsCount::new(EVENTS)).bench(|| {
        events
            .iter()
            .filter(|event| black_box(config.classify(event)).class == FailureClass::Model)
            .count()
    });
}

#[divan::bench(threads = [1, 2])]
fn default(bencher: Bencher<'_, '_>) {
    run(bencher, FailureClassificationConfig::shared_default());
}

#[divan::bench(threads = [1, 2])]
fn entries_200(bencher: Bencher<'_, '_>) {
    run(bencher, &large_config());
}
