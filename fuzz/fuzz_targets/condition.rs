#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (indistinct_fuzz::target("condition").expect("a target").run)(bytes));
