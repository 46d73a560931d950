//! The error if the crate has another name and the attribute does not give it.

#[test]
fn c282_a_renamed_crate_is_one_error_that_names_the_missing_key() {
    trybuild::TestCases::new().compile_fail("ui/c282_renamed_crate.rs");
}
