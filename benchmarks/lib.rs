//! The benchmarks stand in `benches`; this library is empty.
