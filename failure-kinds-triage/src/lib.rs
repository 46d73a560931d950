//! What failed in saved rows of agent evaluations: how often, at which stage, on whose side, by
//! which rule, and out of how many.
//!
//! [`inputs::find`] finds the runs, [`read_runs`] reads them, and [`Report::new`] classifies what
//! was read. The facts of one row are read in the module `row`, following the table of the
//! documentation; `tally` counts them and `rollouts` decides which attempt counts. The command
//! `failure-kinds triage` only prints a [`Report`].

mod captures;
mod compare;
mod error;
mod gather;
pub mod inputs;
mod report;
mod rollouts;
mod row;
mod tally;

pub use self::captures::Calls;
pub use self::error::Error;
pub use self::gather::read_runs;
pub use self::report::*;
pub use self::tally::Counts;
