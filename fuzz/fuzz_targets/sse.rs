#![no_main]

#[path = "../src/sse.rs"]
mod target;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| target::sse(data));
