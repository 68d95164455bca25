//! Folder of files with names from a fixed list: a trace, a sidecar, segments and files of the user. Opening and
//! reading the trace neither panics nor changes a file.
//!
//! The input is a list of files: a byte for the name, two for the length, one for the encoding of the bytes, and the
//! bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::fs;
use taut_traces::Trace;

const NAMES: [&str; 8] =
    ["x.taut", "x.taut.live", "x.taut.ring/0", "x.taut.ring/1", "x.taut.ring/2024", "x.taut.ring/notes", "x.taut.part", "x.1.taut"];

fuzz_target!(init: taut_fuzz::begin(), |bytes: &[u8]| {
    let folder = taut_fuzz::folder().join("side-files");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("x.taut.ring")).unwrap();
    let path = folder.join("x.taut");
    fs::write(&path, taut_fuzz::unfinished(1)).unwrap();
    for (name, content) in files(bytes) {
        fs::write(folder.join(name), content).unwrap();
    }
    let before = contents(&folder);
    if let Ok(trace) = Trace::open(&path) {
        taut_fuzz::read_everything(&trace);
    }
    assert_eq!(before, contents(&folder), "reading changes no file");
});

/// Files that an input describes.
fn files(mut bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let mut files = Vec::new();
    while let [name, low, high, form, rest @ ..] = bytes {
        let size = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
        let (content, rest) = rest.split_at(size);
        bytes = rest;
        let name = NAMES[usize::from(*name) % NAMES.len()];
        let trace = taut_fuzz::unfinished(usize::from(*form >> 4));
        let key = u32::from_le_bytes(trace[16..20].try_into().unwrap());
        let content = match form & 3 {
            0 => content.to_vec(),
            1 => taut_fuzz::sidecar(content, key),
            2 => taut_fuzz::segment(content, key),
            _ => [trace, content].concat(),
        };
        files.push((name, content));
    }
    files
}

/// Paths and contents of a folder's files.
fn contents(folder: &std::path::Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for folder in [folder.to_owned(), folder.join("x.taut.ring")] {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let bytes = fs::read(&path).unwrap();
                found.push((path, bytes));
            }
        }
    }
    found.sort();
    found
}
