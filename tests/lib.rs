//! Tests of the contract, over the whole workspace. They are in `tests/contract`.

/// The code of the guides runs as doctests.
#[cfg(doctest)]
mod docs {
    #[doc = include_str!("../docs/adopting.md")]
    mod adopting {}
    #[doc = include_str!("../docs/captures.md")]
    mod captures {}
    #[doc = include_str!("../docs/classification.md")]
    mod classification {}
    #[doc = include_str!("../docs/compatibility.md")]
    mod compatibility {}
    #[doc = include_str!("../docs/features.md")]
    mod features {}
    #[doc = include_str!("../docs/naming.md")]
    mod naming {}
    #[doc = include_str!("../docs/reports.md")]
    mod reports {}
}
