//! Errors of a log have file, line, column, expected and found value.

use super::sample::{BUFFER, COMMITTED, HEADER, HEAP, INFO, TAIL, gzip, read, sample, text};
use crate::call_log;
use std::fmt::Write;
use std::path::Path;

/// Golden file; rewritten if BLESS is set.
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/call_log/tests/errors.txt");

/// Returns the sample with line `line` changed (2 is the line with seq 0).
fn changed(line: usize, from: &str, to: &str) -> Vec<u8> {
    let mut lines: Vec<String> = sample().lines().map(str::to_owned).collect();
    assert!(lines[line - 1].contains(from), "line {line}: {}", lines[line - 1]);
    lines[line - 1] = lines[line - 1].replacen(from, to, 1);
    (lines.join("\n") + "\n").into_bytes()
}

/// Returns a log with a heap (1), a buffer in it (2), and this line.
fn followed_by(line: &str) -> Vec<u8> {
    let heap = format!(r#""CreateHeap1",{HEAP},"protected":0,"hr":0,"obj":1"#);
    let buffer = format!(
        r#""CreatePlacedResource","heap":1,"offset":0,"desc":{BUFFER},"initial_state":0,{TAIL},"obj":2,{INFO}"#
    );
    text(HEADER, &[(0, 0, heap), (0, 0, buffer), (0, 0, line.to_owned())]).into_bytes()
}

fn cases() -> Vec<(&'static str, Vec<u8>)> {
    let mut cases = headers();
    cases.extend(lines());
    cases.extend(objects());
    cases.extend(files());
    cases
}

fn headers() -> Vec<(&'static str, Vec<u8>)> {
    let header = |from: &str, to: &str| changed(1, from, to);
    vec![
        ("empty file", Vec::new()),
        ("empty compressed file", gzip(b"")),
        ("another kind of file", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec()),
        ("another kind of text", b"seq,thread,test\n1,2,3\n".to_vec()),
        ("another kind of JSON", b"{\"asset\":{\"version\":\"2.0\"}}\n".to_vec()),
        ("another format", header("d3d12-calls", "d3d11-calls")),
        ("a later version", header("\"version\":1", "\"version\":3,\"codec\":\"zstd\"")),
        ("version of the wrong type", header("\"version\":1", "\"version\":\"1\"")),
        ("header without tests", header(",\"tests\":{\"0\":\"(setup)\",\"1\":\"TestOne\",\"2\":\"(teardown)\"}", "")),
        ("header with an unknown field", header("\"source\"", "\"host\":\"x\",\"source\"")),
        ("test index that is no number", header("\"1\":", "\"one\":")),
        ("test index twice", header("\"2\":", "\"1\":")),
        ("tests that are a list", header(&HEADER[HEADER.find("{\"0").unwrap()..], "[]}")),
        ("only a header", format!("{HEADER}\n").into_bytes()),
        ("only a header, cut short", HEADER.as_bytes()[..70].to_vec()),
    ]
}

fn lines() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("empty line", changed(4, sample().lines().nth(3).unwrap(), "")),
        ("a line that is a list", changed(4, sample().lines().nth(3).unwrap(), "[2,0,1]")),
        ("seq skipped", changed(4, "\"seq\":2", "\"seq\":3")),
        ("seq repeated", changed(4, "\"seq\":2", "\"seq\":1")),
        ("seq negative", changed(4, "\"seq\":2", "\"seq\":-2")),
        ("thread skipped", changed(11, "\"thread\":1", "\"thread\":7")),
        ("test unknown to the header", changed(4, "\"test\":1", "\"test\":3")),
        ("call misspelt", changed(9, "CreateHeap", "CreateHaep")),
        ("call unknown", changed(4, "BeginTest", "ExecuteIndirect")),
        ("call missing", changed(4, "\"call\":\"BeginTest\",", "")),
        ("call of the wrong type", changed(4, "\"BeginTest\"", "17")),
        ("field missing", changed(9, "\"memory_pool\":0,", "")),
        ("field unknown", changed(9, "\"memory_pool\":0,", "\"memory_pool\":0,\"node\":1,")),
        ("field twice", changed(9, "\"memory_pool\":0,", "\"memory_pool\":0,\"memory_pool\":0,")),
        ("field of the wrong type", changed(9, "\"memory_pool\":0,", "\"memory_pool\":\"L0\",")),
        ("nullable field missing", changed(19, ",\"read_range\":[0,0]", "")),
        ("32-bit field out of range", changed(9, "\"flags\":192", "\"flags\":4294967296")),
        ("16-bit field out of range", changed(5, "\"mips\":1", "\"mips\":65536")),
        ("64-bit field out of range", changed(9, "\"size\":1048576", "\"size\":18446744073709551616")),
        ("fraction", changed(9, "\"size\":1048576", "\"size\":1.5")),
        ("flag that is neither 0 nor 1", changed(9, "\"protected\":0", "\"protected\":2")),
        ("hex digits odd", changed(2, "\"in\":\"00000000\"", "\"in\":\"0000000\"")),
        ("hex digits wrong", changed(2, "\"in\":\"00000000\"", "\"in\":\"0000x000\"")),
        ("struct of another size", changed(2, "\"size\":4", "\"size\":8")),
        ("bytes beside a failure", changed(3, "\"bytes\":null", "\"bytes\":\"00000000\"")),
        ("verdict unknown", changed(31, "PASS", "MAYBE")),
        ("count of descriptions wrong", changed(5, "\"count\":1", "\"count\":2")),
        ("count of infos wrong", changed(6, ",{\"offset\":1024,\"alignment\":256,\"size\":1024}]", "]")),
        ("count of castable formats wrong", changed(8, "[[]]", "[]")),
        ("castable formats missing", changed(8, "\"castable_formats\":[[]],", "")),
        ("castable formats of a call without", changed(11, "\"castable_formats\":[]", "\"castable_formats\":[28]")),
        ("castable formats of a query without", changed(7, "\"infos\"", "\"castable_formats\":[[]],\"infos\"")),
        ("mip region of a call without", changed(11, "\"flags\":1024", "\"flags\":1024,\"mip_region\":[0,0,0]")),
        ("layout where states belong", changed(11, "initial_state", "initial_layout")),
        ("states where a layout belongs", changed(13, "initial_layout", "initial_state")),
        ("states and a layout", changed(13, "\"initial_layout\"", "\"initial_state\":0,\"initial_layout\"")),
        ("clear value too short", changed(14, "0000803f", "")),
        ("info beside a failure", changed(11, "\"hr\":0,\"obj\":3", "\"hr\":2147942487,\"obj\":null")),
        ("object beside a failure", changed(10, "\"hr\":0", "\"hr\":2147942487")),
        ("range with three ends", changed(19, "[0,0]", "[0,0,0]")),
        ("text not UTF-8", {
            let mut bytes = changed(4, "TestOne", "Test\u{7f}");
            bytes.iter_mut().filter(|byte| **byte == 0x7f).for_each(|byte| *byte = 0xff);
            bytes
        }),
        ("comma missing", changed(9, "\"memory_pool\":0,", "\"memory_pool\":0")),
        ("text after the object", changed(4, "}", "} {}")),
        ("line cut short", changed(4, "TestOne\"}", "Test")),
    ]
}

fn objects() -> Vec<(&'static str, Vec<u8>)> {
    let place = |heap: u64, object: u64| {
        let line = r#""CreatePlacedResource","heap":HEAP,"offset":0,"desc":"#.replace("HEAP", &heap.to_string());
        followed_by(&format!(r#"{line}{BUFFER},"initial_state":0,{TAIL},"obj":{object},{INFO}"#))
    };
    vec![
        ("object id skipped", place(1, 4)),
        ("object id repeated", place(1, 2)),
        ("heap never created", place(9, 3)),
        ("heap 0", place(0, 3)),
        ("heap that is a resource", place(2, 3)),
        ("heap released", {
            let heap = format!(r#""CreateHeap1",{HEAP},"protected":0,"hr":0,"obj":1"#);
            let buffer = format!(
                r#""CreatePlacedResource","heap":1,"offset":0,"desc":{BUFFER},"initial_state":0,{TAIL},"obj":2,{INFO}"#
            );
            let release = r#""ReleaseHeap","obj":1"#.to_owned();
            text(HEADER, &[heap, release, buffer].map(|line| (0, 0, line))).into_bytes()
        }),
        ("map of an object never created", followed_by(r#""Map","obj":3,"subresource":0,"read_range":null,"hr":0"#)),
        ("map of a heap", followed_by(r#""Map","obj":1,"subresource":0,"read_range":null,"hr":0"#)),
        (
            "unmap of an object never created",
            followed_by(r#""Unmap","obj":18446744073709551615,"subresource":0,"written_range":null"#),
        ),
        ("resource released as a heap", followed_by(r#""ReleaseHeap","obj":2"#)),
        ("released twice", changed(25, "\"obj\":4", "\"obj\":3")),
        ("count of objects wrong", changed(32, "\"objects_created\":9", "\"objects_created\":8")),
        ("count of live objects wrong", changed(32, "\"objects_live\":1", "\"objects_live\":0")),
        ("committed resource's id skipped", {
            followed_by(&format!(
                r#""CreateCommittedResource1",{COMMITTED},"desc":{BUFFER},"initial_state":0,{TAIL},"obj":7,{INFO}"#
            ))
        }),
    ]
}

fn files() -> Vec<(&'static str, Vec<u8>)> {
    let compressed = gzip(sample().as_bytes());
    let mut wrong_checksum = compressed.clone();
    let checksum = wrong_checksum.len() - 8;
    wrong_checksum[checksum] ^= 1;
    vec![
        (
            "cut after a line",
            sample().lines().take(20).map(|line| format!("{line}\n")).collect::<String>().into_bytes(),
        ),
        ("last newline missing", sample().trim_end().as_bytes().to_vec()),
        ("lines after the end", (sample() + "{\"seq\":31}\n").into_bytes()),
        ("compressed, cut to half", compressed[..compressed.len() / 2].to_vec()),
        ("compressed, checksum cut off", compressed[..compressed.len() - 8].to_vec()),
        ("compressed, checksum wrong", wrong_checksum),
        ("compressed, then other bytes", [&compressed[..], b"trailing"].concat()),
        ("a line without end", [sample().as_bytes(), &b" ".repeat((32 << 20) + 1)].concat()),
    ]
}

#[test]
fn every_fault_is_reported_with_its_position() {
    let mut report = String::new();
    for (name, bytes) in cases() {
        let (lines, error) = match read(bytes) {
            Ok(reading) => (reading.log.lines.len(), reading.error),
            Err(error) => (0, Some(error)),
        };
        let error = error.unwrap_or_else(|| panic!("{name}: read without an error"));
        writeln!(report, "{name}\n    {lines} lines, then {error}").unwrap();
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(GOLDEN, &report).unwrap();
    }
    let golden = std::fs::read_to_string(GOLDEN).unwrap_or_default();
    for (report, golden) in report.lines().zip(golden.lines()) {
        assert_eq!(report, golden, "run with BLESS=1 if this is meant");
    }
    assert_eq!(report.len(), golden.len(), "run with BLESS=1 if this is meant");
}

#[test]
fn a_missing_file_is_reported_as_missing() {
    let error = call_log::read(Path::new("no/such.jsonl.gz")).unwrap_err();
    assert!(error.to_string().starts_with("no/such.jsonl.gz: cannot open: "), "{error}");
    assert!(error.position().is_none() && !error.is_corruption());
}
