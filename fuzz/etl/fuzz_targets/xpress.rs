//! Decompression of buffers: no input writes outside the output or takes longer than the output's size.
#![no_main]

use libfuzzer_sys::fuzz_target;
use taut_etl::decompress;

fuzz_target!(|bytes: &[u8]| {
    let [low, high, input @ ..] = bytes else { return };
    let mut output = vec![0; usize::from(u16::from_le_bytes([*low, *high]))];
    let _ = decompress(input, &mut output);
});
