//! Converted capture: rows in both forms, in any encoding.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::Cursor;
use taut_workloads::gfxrecon::CaptureReader;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut reader) = CaptureReader::new(Cursor::new(bytes.to_vec()), "fuzz".to_owned()) else { return };
    reader.read_to_end();
    let counts = reader.counts();
    assert_eq!(counts.unreadable > 0, counts.fault().is_some());
    let _ = counts.to_string();
});
