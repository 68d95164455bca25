//! Folder of a ring recording: segments with correct heads and arbitrary blocks, under arbitrary names.
//!
//! The input is a list of segments: a byte for the name, a byte that selects a correct head, two for the length, and
//! the bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::fs;
use taut_traces::Trace;

/// Names that are numbers of segments, and similar ones that are not.
const NAMES: [&str; 16] = [
    "0", "1", "2", "3", "4", "5", "9", "10", "2024", "007", "18446744073709551615", "18446744073709551616", "-1", "+1", "1.part", " 1",
];

fuzz_target!(init: taut_fuzz::begin(), |bytes: &[u8]| {
    let folder = taut_fuzz::folder().join("ring");
    let _ = fs::remove_dir_all(&folder);
    let ring = folder.join("x.taut.ring");
    fs::create_dir_all(&ring).unwrap();
    let head = taut_fuzz::unfinished(0);
    let key = u32::from_le_bytes(head[16..20].try_into().unwrap());
    let path = folder.join("x.taut");
    fs::write(&path, head).unwrap();
    let mut rest = bytes;
    while let [name, form, low, high, more @ ..] = rest {
        let size = usize::from(u16::from_le_bytes([*low, *high])).min(more.len());
        let (content, more) = more.split_at(size);
        rest = more;
        let blocks = &taut_fuzz::unfinished(usize::from(*form >> 4))[head.len()..];
        let content = match form & 3 {
            0 => content.to_vec(),
            1 => taut_fuzz::segment(content, key),
            _ => [taut_fuzz::segment(&content[..content.len().min(24)], key), blocks.to_vec(), content.to_vec()].concat(),
        };
        fs::write(ring.join(NAMES[usize::from(*name) % NAMES.len()]), content).unwrap();
    }
    if let Ok(trace) = Trace::open(&path) {
        taut_fuzz::read_everything(&trace);
    }
});
