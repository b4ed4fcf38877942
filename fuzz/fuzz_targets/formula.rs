#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (indistinct_fuzz::target("formula").expect("a target").run)(bytes));
