//! `taut import`: a Windows trace becomes a trace that every reader reads and no replay repeats.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use std::path::Path;
use taut::{Taut, recorded};

/// Bytes of a Windows trace: the header's record and three TraceLogging events of two threads.
pub fn windows_trace() -> Vec<u8> {
    let mut payload = vec![0; 0x118];
    let mut put = |at: usize, bytes: &[u8]| payload[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, &65_536_u32.to_le_bytes());
    put(8, &22_000_u32.to_le_bytes());
    put(0x2C, &8_u32.to_le_bytes());
    put(0x100, &10_000_000_i64.to_le_bytes());
    put(0x108, &132_000_000_000_000_000_i64.to_le_bytes());
    put(0x110, &1_u32.to_le_bytes());
    for name in ["session\0", "file\0"] {
        payload.extend(name.encode_utf16().flat_map(u16::to_le_bytes));
    }
    let mut record = vec![2, 0, 2, 0xC0];
    record.extend((32 + payload.len() as u16).to_le_bytes());
    record.extend([0; 26]);
    record.extend(payload);
    let events: Vec<u8> = (1..4).flat_map(event).collect();
    [buffer(4, &record), buffer(0, &events)].concat()
}

fn buffer(buffer_type: u16, content: &[u8]) -> Vec<u8> {
    let used = (72 + content.len()) as u32;
    let mut bytes = vec![0; 72];
    bytes[0..4].copy_from_slice(&used.next_multiple_of(8).to_le_bytes());
    bytes[4..8].copy_from_slice(&used.to_le_bytes());
    bytes[0x30..0x34].copy_from_slice(&used.to_le_bytes());
    bytes[0x34] = 0x20;
    bytes[0x36..0x38].copy_from_slice(&buffer_type.to_le_bytes());
    bytes.extend(content);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

/// A TraceLogging event `Tick` with the field `n`.
fn event(number: u32) -> Vec<u8> {
    let schema = b"\x0b\0\0Tick\0n\0\x08";
    let mut bytes = (80_u16 + 24 + 4).to_le_bytes().to_vec();
    bytes.extend([0x13, 0xC0, 1, 0, 0, 0]);
    bytes.extend((number % 2).to_le_bytes());
    bytes.extend(9_u32.to_le_bytes());
    bytes.extend((i64::from(number) * 10_000).to_le_bytes());
    bytes.extend([0xAB; 16]);
    bytes.resize(80, 0);
    bytes.extend([24_u16, 11, 0, schema.len() as u16].into_iter().flat_map(u16::to_le_bytes));
    bytes.extend(schema);
    bytes.resize(104, 0);
    bytes.extend(number.to_le_bytes());
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

fn imported(folder: &Path) -> Taut {
    let taut = Taut::new(folder);
    std::fs::write(folder.join("capture.etl"), windows_trace()).expect("a file is written");
    taut.stdout(&["import", "capture.etl", "-o", "capture.taut"]);
    taut
}

#[test]
fn an_imported_trace_states_its_origin_and_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = imported(folder.path());
    let info: Value = serde_json::from_str(&taut.stdout(&["info", "capture.taut", "--json"])).expect("JSON");
    assert_eq!((&info["workload"], &info["events"]), (&"capture.etl".into(), &3.into()), "{info}");
    let parameters = &info["parameters"];
    assert_eq!((&parameters["origin"], &parameters["session"]), (&"imported".into(), &"session".into()));
    let numbers = |key: &str| {
        let entries = parameters["counts"].as_array().expect("counts").iter();
        entries.filter_map(|entry| entry[key].as_u64()).sum::<u64>()
    };
    assert_eq!((numbers("number"), numbers("imported")), (4, 3), "{parameters}");
    let dump = taut.stdout(&["dump", "capture.taut"]);
    assert_eq!(dump.matches("Tick").count(), 3, "{dump}");
}

#[test]
fn an_imported_trace_is_not_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = imported(folder.path());
    let expected =
        "it was imported from capture.etl: it contains events that Windows reported, not calls that can be repeated";
    let lines: [&[&str]; 4] = [
        &["replay", "capture.taut"],
        &["replay", "capture.taut", "--driver", "legacy"],
        &["replay", "capture.taut", "--tight", "on"],
        &["bench", "replay", "capture.taut"],
    ];
    for line in lines {
        let run = taut.run(line);
        assert_eq!(run.code, 3, "{line:?}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.replace('\n', " ").contains(expected), "{line:?}: {}", run.stderr);
    }
}

#[test]
fn health_of_a_trace_without_a_driver_does_not_mention_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = imported(folder.path());
    let text = taut.stdout(&["analyze", "capture.taut", "--report", "health"]);
    assert!(!text.to_lowercase().contains("driver"), "{text}");
    assert!(text.contains("imported from capture.etl"), "{text}");
    let json: Value =
        serde_json::from_str(&taut.stdout(&["analyze", "capture.taut", "--format", "json"])).expect("JSON");
    assert_eq!(json["reports"]["health"]["driver_violations"], Value::Null);
    assert_eq!(json["health"]["imported_from"], "capture.etl");
}

#[test]
fn a_damaged_windows_trace_is_imported_with_exit_code_3() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let whole = windows_trace();
    std::fs::write(folder.path().join("cut.etl"), &whole[..whole.len() - 16]).expect("a file is written");
    let run = taut.run(&["import", "cut.etl", "-o", "cut.taut"]);
    assert_eq!(run.code, 3, "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("expected") && run.stderr.contains("found"), "{}", run.stderr);
    let info: Value = serde_json::from_str(&taut.stdout(&["info", "cut.taut", "--json"])).expect("JSON");
    assert_eq!(info["events"], 2, "{info}");
}

#[test]
fn another_file_is_rejected_with_its_kind() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    std::fs::write(folder.path().join("a.zip"), b"PK\x03\x04 and more").expect("a file is written");
    let files = [("a.zip", "a .zip archive")];
    for (file, kind) in files {
        let run = taut.run(&["import", file, "-o", "out.taut"]);
        assert_eq!(run.code, 3, "{}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(kind), "{}", run.stderr);
        assert!(!folder.path().join("out.taut").exists(), "{file}");
    }
}
