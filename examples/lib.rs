//! Examples to copy from, each run by its tests:
//!
//! * `browser_env` is an environment that declares on whose side its failures are, with a deployment
//!   and an operator that override some of this.
//! * `producer` runs episodes and emits kinds in events and metric labels.
//! * `collector` reads saved rows and classifies each failure.
//! * `metrics_exporter` counts failures for Prometheus with bounded labels.
//! * `service` receives failures over HTTP, with a boundary that warns and one that rejects.
//!
//! `data` holds rows of real runs.
