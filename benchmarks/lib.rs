//! What benchmarks share with each other and with tests: seeded input. The benchmarks stand in
//! `benches`.

pub mod evidence;
pub mod names;
pub mod rows;
