//! Logs of version 2: calls that use buffers.

use super::sample::{BUFFER, HEADER, HEAP, INFO, TAIL, TEXTURE, read, sample, text};
use crate::bundled::memory_session::MemorySession;
use crate::call_log::{CallLog, RunSummary, plan, run};
use std::collections::BTreeSet;
use std::path::Path;
use taut_runtime::{Profile, RuleSet, Settings};
use taut_schemas::mark;

fn bundled() -> CallLog {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/buffer-uses.jsonl");
    let reading = read(std::fs::read(path).unwrap()).unwrap();
    assert!(reading.error.is_none(), "{:?}", reading.error);
    reading.log
}

fn played(log: &CallLog) -> (RunSummary, MemorySession) {
    let profile = Profile::named("peer").unwrap();
    let session = MemorySession::under(&profile);
    let driver = taut_runtime::driver(&profile);
    let settings = Settings { rules: RuleSet::R1_619_4, ..Settings::default() };
    (run(log, &plan(log, &settings, &*driver), &session).unwrap(), session)
}

#[test]
fn every_line_of_version_2_is_its_call() {
    let log = bundled();
    let (summary, session) = played(&log);
    assert_eq!((summary.lines, summary.lines_without_call), (log.lines.len() as u64, 0));
    assert_eq!(summary.footprints.equal, 1);
    let names: BTreeSet<&str> = log.lines.iter().map(|line| line.call.as_str()).collect();
    let called: BTreeSet<&str> = session.events().iter().map(|event| event.name).collect();
    let calls = names.iter().filter(|name| !["BeginTest", "EndTest", "EndCapture"].contains(name));
    assert_eq!(calls.filter(|name| !called.contains(*name)).count(), 0, "{names:?} against {called:?}");
    let frames: Vec<u64> =
        session.events().iter().filter_map(|event| Some(event.mark::<mark::Frame>()?.frame_index)).collect();
    assert_eq!(frames, [0, 1]);
}

/// Tests that a reader of the trace can derive a call's line from the preceding marks.
#[test]
fn a_call_is_taken_for_its_line_whatever_stands_between() {
    let log = bundled();
    let (summary, session) = played(&log);
    let (mut position, mut queried) = (None, 0);
    for event in session.events() {
        if let Some(mark::LogPosition { seq }) = event.mark() {
            position = Some(seq);
        } else if event.name == "GetGPUVirtualAddress" {
            queried += 1;
            position = None;
        } else if event.mark::<mark::Frame>().is_some() {
            position = None;
        } else if let Some(seq) = position {
            let name = log.lines[seq as usize].call.as_str();
            assert!(event.name == name || event.mark::<mark::WorkloadPhase>().is_some(), "{event:?} at {seq}, {name}");
            position = Some(seq + 1);
        }
    }
    // One query per bound buffer: objects 2 to 12.
    assert_eq!((queried, summary.addresses_queried), (11, 11));
}

#[test]
fn a_log_of_version_1_reads_as_one_of_version_2() {
    let later = sample().replacen("\"version\":1", "\"version\":2", 1);
    let (first, second) = (read(sample().into_bytes()).unwrap().log, read(later.into_bytes()).unwrap().log);
    assert_eq!(first.lines, second.lines);
    assert_eq!((first.header.version, second.header.version), (1, 2));
}

/// Returns the error of a log with a heap (1), a buffer of 1,000 bytes in it (2), a texture (3), a released buffer (4),
/// and this line.
fn fault(version: u32, line: &str) -> String {
    let header = HEADER.replacen("\"version\":1", &format!("\"version\":{version}"), 1);
    let placed = |offset: u32, desc: &str, id: u32| {
        format!(
            r#""CreatePlacedResource","heap":1,"offset":{offset},"desc":{desc},"initial_state":0,{TAIL},"obj":{id},{INFO}"#
        )
    };
    let lines = [
        format!(r#""CreateHeap1",{HEAP},"protected":0,"hr":0,"obj":1"#),
        placed(0, BUFFER, 2),
        placed(65536, TEXTURE, 3),
        placed(131_072, BUFFER, 4),
        r#""ReleaseResource","obj":4"#.to_owned(),
        line.to_owned(),
    ];
    let calls: Vec<(u32, u32, String)> = lines.into_iter().map(|line| (0, 0, line)).collect();
    let reading = read(text(&header, &calls).into_bytes()).unwrap();
    reading.error.map_or_else(|| "nothing".to_owned(), |error| error.to_string())
}

#[test]
fn an_invalid_buffer_use_is_reported() {
    let cases = [
        (
            1,
            r#""SetName","obj":2,"name":"a""#,
            "expected a call of version 1 of the format, which the header names, found SetName, of version 2",
        ),
        (2, r#""SetName","obj":4,"name":"a""#, "expected a live heap or resource, found 4, a buffer that was released"),
        (2, r#""SetName","obj":9,"name":"a""#, "found 9, which the log never created"),
        (
            2,
            r#""CreateConstantBufferView","range":[2,900,101]"#,
            "expected a part of buffer 2, which has 1,000 bytes, found 101 bytes from byte 900 on",
        ),
        (2, r#""CreateConstantBufferView","range":[2,18446744073709551615,2]"#, "expected a part of buffer 2"),
        (2, r#""CreateConstantBufferView","range":[3,0,16]"#, "expected a live buffer, found 3, a texture"),
        (
            2,
            r#""CreateConstantBufferView","range":[4,0,16]"#,
            "expected a live buffer, found 4, a buffer that was released",
        ),
        (2, r#""CreateConstantBufferView","range":[2,0]"#, "invalid length 2"),
        (2, r#""CreateShaderResourceView","obj":1,"desc":null"#, "expected a live resource, found 1, a heap"),
        (
            2,
            r#""DispatchRays","ray_generation":[2,0,64],"miss":[2,990,64,64],"hit_group":null,"callable":null,"width":1,"height":1,"depth":1"#,
            "found 64 bytes from byte 990 on",
        ),
        (2, r#""DecodeFrame1","bitstream":[2,0,10],"histograms":[[2,1000]]"#, "found 1 byte from byte 1,000 on"),
        (
            2,
            r#""BuildRaytracingAccelerationStructure","type":1,"dest":[2,0],"geometries":[{"type":0,"vertices":[3,0]}]"#,
            "found 3, a texture",
        ),
        (2, r#""Frames","index":1"#, "did you mean \"Frame\"?"),
    ];
    for (version, line, expected) in cases {
        let text = fault(version, line);
        assert!(text.contains(expected), "{line}: {text}");
        assert!(text.starts_with("sample:7:"), "{text}");
    }
}
