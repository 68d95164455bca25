//! Blocks after a correct header, with corrected keys, lengths and checksums.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(init: taut_fuzz::begin(), |bytes: &[u8]| {
    let Some((finished, bytes)) = bytes.split_last() else { return };
    let trace = taut_traces::Trace::from_bytes(taut_fuzz::file_of_block(bytes, *finished & 1 != 0));
    taut_fuzz::read_everything(&trace.expect("the header is right"));
});
