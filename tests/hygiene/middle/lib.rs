//! Re-exports `failure-kinds` for a crate that does not depend on it. Its edition is 2018.

pub use failure_kinds::{failure_kind, FailureKind};

#[cfg(test)]
mod tests {
    use failure_kinds::{failure_kind, kinds, FailureKind};

    const KIND: FailureKind = failure_kind!("judge_failed");

    #[test]
    fn the_macro_expands() {
        // A keyword since edition 2024.
        let (gen, kind) = (failure_kinds::failure_kind!("my_server:odd_case"), KIND);
        assert_eq!(gen, *"my_server:odd_case");
        assert!(matches!(kind, failure_kind!("judge_failed")));
        assert_eq!(KIND, kinds::JUDGE_FAILED);
    }
}
