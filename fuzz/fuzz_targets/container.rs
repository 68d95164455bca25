//! Whole file with corrected checksums; the last byte selects whether the footer is corrected as well.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(init: taut_fuzz::begin(), |bytes: &[u8]| {
    let Some((finished, bytes)) = bytes.split_last() else { return };
    let mut bytes = bytes.to_vec();
    if *finished & 2 == 0 {
        taut_fuzz::mend(&mut bytes, *finished & 1 != 0);
    }
    if let Ok(trace) = taut_traces::Trace::from_bytes(bytes) {
        taut_fuzz::read_everything(&trace);
    }
});
