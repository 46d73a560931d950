//! A function that implements `Display`. The standard library has this since Rust 1.93.

use core::fmt::{self, Display, Formatter};

pub(crate) fn from_fn(write: impl Fn(&mut Formatter<'_>) -> fmt::Result) -> impl Display {
    FromFn(write)
}

struct FromFn<F>(F);

impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for FromFn<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}
