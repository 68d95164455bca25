//! What stands beside a trace that has no end, its proofs and checks put right; the first byte says how much of the trace there
//! is.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use taut_traces::Trace;

/// A folder of this process; in memory, where there is such a file system.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let memory = PathBuf::from("/dev/shm");
        let parent = if memory.is_dir() { memory } else { std::env::temp_dir() };
        let folder = parent.join(format!("taut-fuzz-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    })
}

fuzz_target!(init: taut_fuzz::begin(), |bytes: &[u8]| {
    let Some((blocks, bytes)) = bytes.split_first() else { return };
    let bytes_of_trace = taut_fuzz::unfinished(usize::from(*blocks));
    let key = u32::from_le_bytes(bytes_of_trace[16..20].try_into().unwrap());
    let path = folder().join("x.taut");
    fs::write(&path, bytes_of_trace).unwrap();
    fs::write(folder().join("x.taut.live"), taut_fuzz::sidecar(bytes, key)).unwrap();
    let trace = Trace::open(&path).expect("its head is right");
    taut_fuzz::read_everything(&trace);
});
