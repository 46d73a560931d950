//! Examples to copy from, each run by its tests:
//!
//! * `browser_env` is an environment that says who answers for its failures, with a deployment and
//!   an operator who see some of them otherwise.
//! * `producer` plays episodes and emits kinds in events and metric labels.
//! * `collector` reads saved rows and puts each failure on a side.
//! * `metrics_exporter` counts failures for Prometheus with labels that are bounded.
//! * `service` takes failures over HTTP, with a boundary that warns and one that refuses.
//!
//! `data` holds rows of real runs.
