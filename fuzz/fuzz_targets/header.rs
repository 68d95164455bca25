//! Text of a header, or a zstd frame of it.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(init: taut_fuzz::begin(), |bytes: &[u8]| {
    let Some((flags, text)) = bytes.split_first() else { return };
    if let Ok(trace) = taut_traces::Trace::from_bytes(taut_fuzz::file_of_text(text, u16::from(flags & 3))) {
        taut_fuzz::read_everything(&trace);
        assert_eq!(trace.verify(), []);
    }
});
