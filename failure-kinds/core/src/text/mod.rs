//! Text of unknown origin, made safe to print, and the places in it. Nothing else decides what is
//! safe, or counts lines and columns.

mod escaped;
mod from_fn;
#[cfg(feature = "std")]
mod lines;
#[cfg(feature = "std")]
mod path;
mod quoted;
#[cfg(feature = "std")]
mod snippet;

pub(crate) use self::from_fn::from_fn;

pub use self::escaped::{Escaped, is_printable};
#[cfg(feature = "std")]
pub use self::lines::{Lines, Place};
#[cfg(feature = "std")]
pub use self::path::{EscapedPath, path_text};
pub use self::quoted::{QUOTED_MAX, Quoted};
#[cfg(feature = "std")]
pub use self::snippet::snippet;
