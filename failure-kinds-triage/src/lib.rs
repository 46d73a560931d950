//! What failed in saved rows of agent evaluations: how often, at which stage, on whose side, by
//! which rule, and out of how many.
//!
//! [`inputs::find`] finds the runs, and [`read_runs`] reads them into a [`Seen`], which parts that
//! were read separately can be merged into. [`Report::new`] classifies what was read; the command
//! `failure-kinds triage` only prints the report. [`Seen::runs`] has the rollouts one by one, and
//! [`row`] the facts of a single row.

mod best;
mod captures;
mod compare;
mod digest;
mod error;
mod failures;
mod file;
mod gather;
mod index;
pub mod inputs;
mod report;
mod rollouts;
pub mod row;
mod seen;
mod select;
mod state;
mod tally;
mod watch;

pub use self::captures::{Calls, CapturesReport, Category, FailedCall};
pub use self::compare::{
    By, Changes, Comparison, MoreRows, Row, SavedReport, Share, Side, SideReport, Test, Word,
    compare,
};
pub use self::error::Error;
pub use self::failures::{FailureRow, visit_failures};
pub use self::gather::{ReadOptions, read_runs};
pub use self::report::*;
pub use self::rollouts::RolloutStatus;
pub use self::seen::{DecidingRow, Failure, Rollout, Run, Seen, Terms};
pub use self::select::{ConditionError, Conditions, Selected, Selection, select};
pub use self::state::TriageState;
pub use self::tally::Counts;
pub use self::watch::Watch;
