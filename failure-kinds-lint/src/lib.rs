//! Finds names of failure kinds in sources and saved data, and checks them against the vocabulary
//! and against the extensions that a project declares.
//!
//! Start with [`Linter`]: [`Linter::find`] lists files, [`Linter::check`] checks them, and
//! [`Linter::fixed`] applies fixes to a text. Nothing is printed or written here.
//!
//! Inside, front ends (`source`) find the positions where a kind is written or compared, one for
//! each language. One set of rules (`rules`) judges them. `check` adds what the whole project
//! declares, and what comments suppress (`suppress`).

mod check;
mod config;
mod error;
mod finding;
mod fix;
mod id;
mod keys;
mod linter;
mod parallel;
mod paths;
mod position;
mod rules;
mod source;
mod suppress;
mod walk;

pub use failure_kinds_core::text::Place;

pub use self::config::{Config, FILE_NAME, STARTING_FILE};
pub use self::error::Error;
pub use self::finding::{Edit, Excerpt, Finding, Fix, Located, Safety};
pub use self::id::{Explanation, Id, Level};
pub use self::linter::{Checked, Fixed, Linter, Options, Report};
pub use self::source::{LANGUAGES, Language};
pub use self::walk::Files;
