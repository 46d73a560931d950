//! `#[derive(StageOverrides)]` in a crate that gives it nothing: no prelude, no serde, another
//! name for the runtime, the oldest edition, every warning an error, and local names that the expansion could pick up by mistake.

#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, missing_debug_implementations, unused_qualifications)]
#![deny(clippy::all, clippy::pedantic)]
#![allow(clippy::module_name_repetitions)]
#![allow(dead_code, non_camel_case_types)]

mod core {}
mod std {}
mod failure_kinds {}
mod serde {}
struct Option;
struct FailureKind;
struct FailureStage;
struct Default;
#[allow(non_snake_case)]
fn Ok() {}
#[allow(non_snake_case)]
fn Some() {}
#[allow(non_snake_case)]
fn None() {}

/// All stages, documented in every way.
#[derive(
    ::core::fmt::Debug, ::core::clone::Clone, ::core::cmp::PartialEq, ::fk::StageOverrides,
)]
#[stage_overrides(crate = "::fk", server = "browser_env", kinds("tab_crashed"))]
pub struct AllStages {
    /// One line.
    #[stage(default = "evaluation")]
    pub admission: ::fk::StageClassificationConfig,
    #[doc = ::core::include_str!("seed.md")]
    pub seed: ::fk::StageClassificationConfig,
    #[stage(default = "model", "browser_env:tab_crashed" = "evaluation", "cancelled" = "none")]
    agent: ::fk::StageClassificationConfig,
    /**
    A block
    of lines.
    */
    pub(crate) verification: ::fk::StageClassificationConfig,
    #[stage(default = "unknown")]
    cleanup: ::fk::StageClassificationConfig,
}

pub(crate) mod inside {
    use ::fk::StageClassificationConfig;

    #[derive(::core::fmt::Debug, ::fk::StageOverrides)]
    #[stage_overrides(crate = "::fk")]
    pub(crate) struct InCrate {
        seed: StageClassificationConfig,
    }

    #[derive(::fk::StageOverrides)]
    #[stage_overrides(crate = "::fk", server = "private", kinds("one"))]
    struct Private {
        r#agent: StageClassificationConfig,
        #[stage(r#seed, default = "model")]
        r#type: StageClassificationConfig,
    }
}

/// Through a re-export.
pub mod re_exported {
    pub use ::fk as by_another_name;

    /// Named by a path in this crate.
    #[derive(::core::fmt::Debug, by_another_name::StageOverrides)]
    #[stage_overrides(crate = "crate::re_exported::by_another_name")]
    pub struct Env {
        seed: by_another_name::StageClassificationConfig,
    }
}

/// Inside a function.
#[must_use]
pub fn in_a_function() -> usize {
    #[derive(::fk::StageOverrides)]
    #[stage_overrides(crate = "::fk")]
    struct Local {
        #[cfg(not(debug_assertions))]
        agent: ::fk::StageClassificationConfig,
        #[cfg(debug_assertions)]
        verification: ::fk::StageClassificationConfig,
        seed: ::fk::StageClassificationConfig,
    }
    <Local as ::fk::StageOverrides>::STAGES.len()
}
