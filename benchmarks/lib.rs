//! What benchmarks share with tests: seeded input. The benchmarks stand in `benches`.

pub mod rows;
