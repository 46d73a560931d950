//! A number that is not valid Rust is one error, the compiler's.

use failure_kinds::failure_kind;

fn main() {
    let _ = failure_kind!(0x);
    let _ = failure_kind!(0b2);
    let _ = failure_kind!(1e);
}
