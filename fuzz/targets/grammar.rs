#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| failure_kinds_fuzz_oracles::grammar(data));
