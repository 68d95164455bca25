//! Sidecar of an unfinished trace, with corrected proofs and checks; the first byte selects how much of the trace
//! exists.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::fs;
use taut_traces::Trace;

fuzz_target!(init: taut_fuzz::begin(), |bytes: &[u8]| {
    let Some((blocks, bytes)) = bytes.split_first() else { return };
    let bytes_of_trace = taut_fuzz::unfinished(usize::from(*blocks));
    let key = u32::from_le_bytes(bytes_of_trace[16..20].try_into().unwrap());
    let path = taut_fuzz::folder().join("x.taut");
    fs::write(&path, bytes_of_trace).unwrap();
    fs::write(taut_fuzz::folder().join("x.taut.live"), taut_fuzz::sidecar(bytes, key)).unwrap();
    let trace = Trace::open(&path).expect("its head is right");
    taut_fuzz::read_everything(&trace);
});
