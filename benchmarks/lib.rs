//! Seeded input for benchmarks and tests. The benchmarks are in `benches`.

pub mod evidence;
pub mod names;
pub mod rows;
