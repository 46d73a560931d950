//! Examples to copy from, each run by its tests:
//!
//! * `producer` plays episodes and emits kinds in events and metric labels.
//!
//! `data` holds rows of real runs.
