#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (indistinct_fuzz::target("zip").expect("a target").run)(bytes));
