//! Tests of the contract, over the whole workspace. They stand in `tests/contract`.
