//! Examples to copy from, each run by its tests:
//!
//! * `producer` plays episodes and emits kinds in events and metric labels.
//! * `collector` reads saved rows and puts each failure on a side.
//! * `metrics_exporter` counts failures for Prometheus with labels that are bounded.
//! * `service` takes failures over HTTP, with a boundary that warns and one that refuses.
//!
//! `data` holds rows of real runs.
