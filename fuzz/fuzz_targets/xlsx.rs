#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (indistinct_fuzz::target("xlsx").expect("a target").run)(bytes));
