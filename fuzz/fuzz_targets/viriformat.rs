#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| quevedo_fuzz::viriformat(data));
