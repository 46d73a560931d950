//! `failure-kinds config`, and classification files given to `triage`.

mod check;
mod default;
#[cfg(feature = "triage")]
mod triage;

use std::path::PathBuf;

use crate::repository;

fn data() -> PathBuf {
    repository().join("tests/data/config")
}
