//! What allocates and what does not. It is a separate program, because it replaces the allocator.

use allocation_counter::measure;
use failure_kinds::{
    FAILURE_KINDS, FailureClassificationConfig, FailureKindWatch, validate_failure_kind,
};
use failure_kinds_benchmarks::evidence::{events, large_config};

/// How often `work` asks the allocator for memory.
fn allocations(work: impl FnOnce()) -> u64 {
    measure(work).count_total
}

#[test]
fn known_names_and_extensions_pass_the_boundary_without_an_allocation() {
    let watch = FailureKindWatch::new();
    let count = allocations(|| {
        for kind in FAILURE_KINDS {
            validate_failure_kind(kind.as_str());
            watch.validate(kind.as_str());
        }
        watch.validate("my_server:odd_case");
        watch.validate_opt(None);
    });
    assert_eq!(count, 0);
}

#[test]
fn a_name_that_was_warned_about_passes_without_an_allocation() {
    let watch = FailureKindWatch::new();
    let validate = || assert_eq!(watch.validate("no_such_name"), "no_such_name");
    assert_ne!(allocations(validate), 0, "the counter counts");
    assert_eq!(allocations(validate), 0);
}

#[test]
fn no_classification_allocates() {
    let large = large_config();
    for config in [FailureClassificationConfig::shared_default(), &large] {
        let events = events();
        let count = allocations(|| {
            for event in &events {
                std::hint::black_box(config.classify(event));
            }
        });
        assert_eq!(count, 0);
    }
}
