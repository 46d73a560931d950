// There is no place for an error value: neither its text nor its causes can be read.
use std::error::Error;

use failure_kinds::Evidence;

fn status_of(error: &(dyn Error + 'static)) {
    let _ = Evidence::new().http_status(error);
}

fn main() {
    status_of(&std::fmt::Error);
}
