//! Every format of the table of inputs with a good file and bad ones: position, expected and found value in the message, exit
//! code 3, and bounded memory.

use super::measured::{Measured, run};
use super::{MIB, program};
use std::fs;
use std::path::Path;
use taut_testkit::repository_file;
use taut_workloads::inputs::{INPUTS, InputKind};

/// Members or columns of a wide file.
const WIDE: usize = 1_000_000;

/// Message about a cell that is no time.
const EXPECTED: &str = "expected a number of seconds, not negative, found";

/// Bad file: its defect, its content, and parts of the message.
struct Bad {
    defect: &'static str,
    text: String,
    parts: &'static [&'static str],
}

/// Files of a format.
struct Case {
    kind: InputKind,
    name: &'static str,
    good: String,
    bad: Vec<Bad>,
    /// File with a million columns or members, and its exit code.
    wide: Option<(String, i32)>,
    /// True if the whole document may be in memory.
    is_document: bool,
}

fn bad(defect: &'static str, text: String, parts: &'static [&'static str]) -> Bad {
    Bad { defect, text, parts }
}

fn cut(text: &str, bytes: usize) -> String {
    let text = text.trim_end();
    text[..text.len() - bytes].to_owned()
}

/// Replaces the first occurrence, which has to exist.
fn with(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

/// Members of an object, with a comma after each.
fn members() -> String {
    (0..WIDE).map(|number| format!("\"k{number}\": 1, ")).collect()
}

fn stored(path: &str) -> String {
    fs::read_to_string(repository_file("testdata").join(path)).expect("a stored file")
}

fn scene() -> Case {
    let good = "{\"asset\": {\"version\": \"2.0\"}, \"buffers\": [{\"byteLength\": 36}], \
                \"bufferViews\": [{\"buffer\": 0, \"byteLength\": 36}]}";
    Case {
        kind: InputKind::Scene,
        name: "a.gltf",
        good: good.to_owned(),
        bad: vec![
            bad("truncated", cut(good, 9), &["a.gltf:1:103", "EOF"]),
            bad(
                "wrong type",
                with(good, "36", "true"),
                &["a.gltf:1:", "byteLength", "expected an integer of 0 or more, found boolean `true`"],
            ),
            bad(
                "huge number",
                with(good, "36", "36e30"),
                &["a.gltf:1:", "expected an integer of 0 or more, found floating point"],
            ),
        ],
        wide: Some((with(good, "{\"asset\"", &format!("{{\"extras\": {{{}\"k\": 1}}, \"asset\"", members())), 0)),
        is_document: true,
    }
}

fn capture() -> Case {
    let good = stored("gfxrecon/sample.jsonl");
    let size = "\"SizeInBytes\":8388608";
    Case {
        kind: InputKind::Capture,
        name: "a.gfxr.jsonl",
        bad: vec![
            bad(
                "truncated",
                cut(&good, 30),
                &["a.gfxr.jsonl:54:", "expected the end of the row, found the file's end"],
            ),
            bad(
                "wrong type",
                with(&good, size, "\"SizeInBytes\":true"),
                &["a.gfxr.jsonl:11:", "boolean `true`, expected u64"],
            ),
            bad(
                "huge number",
                with(&good, size, "\"SizeInBytes\":1e40"),
                &["a.gfxr.jsonl:11:", "`1e+40`, expected u64"],
            ),
        ],
        wide: Some((with(&good, size, &format!("{}{size}", members())), 0)),
        good,
        is_document: false,
    }
}

fn gpgmm() -> Case {
    let good = "{\"traceEvents\": [{\"name\": \"ResourceAllocator.CreateResource\", \"cat\": \"0\", \"ph\": \"i\", \"tid\": 1, \
                \"ts\": 10, \"pid\": \"GPGMM\", \"args\": {\"allocationDescriptor\": {\"Flags\": 0, \"HeapType\": 1}, \
                \"resourceDescriptor\": {\"Dimension\": 1, \"Alignment\": 0, \"Width\": 65536, \"Height\": 1, \
                \"DepthOrArraySize\": 1, \"MipLevels\": 1, \"Format\": 0, \"Layout\": 1, \"SampleDesc\": {\"Count\": 1, \
                \"Quality\": 0}, \"Flags\": 4}, \"initialResourceState\": 8, \"clearValue\": {}}}]}";
    let width = "\"Width\": 65536";
    Case {
        kind: InputKind::Gpgmm,
        name: "a.gpgmm.json",
        good: good.to_owned(),
        bad: vec![
            bad(
                "truncated",
                cut(good, 40),
                &["a.gpgmm.json:1:", "expected the end of the events, found the file's end"],
            ),
            bad(
                "wrong type",
                with(good, width, "\"Width\": true"),
                &["a.gpgmm.json:1:", "boolean `true`, expected u64"],
            ),
            bad("huge number", with(good, width, "\"Width\": 1e40"), &["a.gpgmm.json:1:", "`1e+40`, expected u64"]),
        ],
        wide: Some((with(good, width, &format!("{}{width}", members())), 0)),
        is_document: false,
    }
}

fn call_log() -> Case {
    let good = stored("buffer-uses.jsonl");
    let size = "\"size\":1048576";
    let wide = good.replacen('\n', &format!("\n{{{}\"k\": 1}}\n", members()), 1);
    Case {
        kind: InputKind::CallLog,
        name: "a.jsonl",
        bad: vec![
            bad("truncated", cut(&good, 30), &["a.jsonl:", "found the end of the line"]),
            bad("wrong type", with(&good, size, "\"size\":\"big\""), &["a.jsonl:2:", "string \"big\", expected u64"]),
            bad("huge number", with(&good, size, "\"size\":1e30"), &["a.jsonl:2:", "`1e+30`, expected u64"]),
        ],
        wide: Some((wide, 3)),
        good,
        is_document: false,
    }
}

fn dump() -> Case {
    let good = stored("allocator-dump.json");
    let bytes = "\"BlockBytes\": 96141312";
    Case {
        kind: InputKind::Dump,
        name: "a.json",
        bad: vec![
            bad("truncated", cut(&good, 2_000), &["a.json:", "expected the dump to go on, found the end of the file"]),
            bad(
                "wrong type",
                with(&good, bytes, "\"BlockBytes\": true"),
                &["a.json:19:20", "expected u64, found boolean"],
            ),
            bad(
                "negative number",
                with(&good, bytes, "\"BlockBytes\": -1"),
                &["a.json:19:", "expected u64, found integer `-1`"],
            ),
        ],
        wide: Some((with(&good, "\"General\": {", &format!("\"General\": {{{}", members())), 0)),
        good,
        is_document: true,
    }
}

fn presents() -> Case {
    let heading = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,AllowsTearing,PresentMode,TimeInSeconds,\
                   MsUntilRenderComplete,MsUntilDisplayed";
    let row = |time: &str| format!("game.exe,7,0x1,DXGI,0,1,Hardware: Independent Flip,{time},3.0,3.05\n");
    let rows: String = (0..20).map(|number| row(&format!("2.{number:03}"))).collect();
    let good = format!("{heading}\n{rows}");
    let wide: String = (0..WIDE).map(|number| format!(",c{number}")).collect();
    Case {
        kind: InputKind::Presents,
        name: "a.csv",
        bad: vec![
            bad("truncated", cut(&good, 20), &["a.csv:21:7: expected 10 columns, found 7 columns; 1 row left out"]),
            bad("wrong type", with(&good, "2.001", "soon"), &["a.csv:3:8:", EXPECTED, "found soon"]),
            bad("huge time", with(&good, "2.001", "2e300"), &["a.csv:3:8:", EXPECTED, "found 2e300"]),
            bad("negative time", with(&good, "2.001", "-5"), &["a.csv:3:8:", EXPECTED, "found -5"]),
            bad(
                "decreasing time",
                with(&good, "2.001", "1.5"),
                &["a.csv:3:", "in order of time, found an earlier one"],
            ),
            bad(
                "heading of a million columns",
                format!("{heading}{wide}\n{rows}"),
                &["a.csv:1:1: expected a heading of at most 1 MiB, found a longer line"],
            ),
        ],
        wide: Some((good.clone() + row("3.0").trim_end() + &",".repeat(WIDE) + "\n", 0)),
        good,
        is_document: false,
    }
}

/// The JSON of CapFrameX: the second form of captures of presents.
fn capframex() -> Case {
    let list = |cell: &dyn Fn(u32) -> String| (0..20).map(cell).collect::<Vec<_>>().join(", ");
    let same = |cell: &str| list(&|_| cell.to_owned());
    let good = format!(
        "{{\"Info\": {{\"ProcessName\": \"g.exe\"}}, \"Runs\": [{{\"CaptureData\": {{\"TimeInSeconds\": [{}], \
         \"MsUntilRenderComplete\": [{}], \"MsUntilDisplayed\": [{}], \"AllowsTearing\": [{}], \"SyncInterval\": [{}], \
         \"PresentMode\": [{}]}}}}]}}",
        list(&|number| format!("2.{number:03}")),
        same("3.0"),
        same("3.05"),
        same("1"),
        same("0"),
        same("3")
    );
    Case {
        kind: InputKind::Presents,
        name: "c.json",
        bad: vec![
            bad("truncated", cut(&good, 8), &["c.json:1:", "expected the JSON of CapFrameX", "found EOF"]),
            bad(
                "wrong type",
                with(&good, "2.001", "\"soon\""),
                &["c.json:2:", "expected a number of seconds", "found soon"],
            ),
            bad("huge number", with(&good, "2.001", "1e400"), &["c.json:1:", "found number out of range"]),
        ],
        wide: Some((with(&good, "\"TimeInSeconds\"", &format!("{}\"TimeInSeconds\"", members())), 0)),
        good,
        is_document: true,
    }
}

fn scenario() -> Case {
    let good = stored("scenarios/pix-single-frame.toml");
    Case {
        kind: InputKind::Scenario,
        name: "a.toml",
        bad: vec![
            bad("truncated", cut(&good, 6), &["a.toml:18:69: expected `}`, found unclosed inline table"]),
            bad("wrong type", with(&good, "name = \"", "name = 5 # \""), &["a.toml:", "expected", "found"]),
            bad("huge number", format!("developer_mode = 1e40\n{good}"), &["a.toml:1:", "expected", "found"]),
        ],
        wide: None,
        good,
        is_document: true,
    }
}

fn recorded(folder: &Path, name: &str, text: &str) -> Measured {
    fs::write(folder.join(name), text).expect("a file");
    run(folder, &program(), &["record", name, "-o", "out.taut", "--force"])
}

/// True if a message has a line and a column after the name of the file.
fn has_position(message: &str, name: &str) -> bool {
    let Some((_, rest)) = message.split_once(&format!("{name}:")) else { return false };
    let mut parts = rest.split(|letter: char| !letter.is_ascii_digit());
    parts.next().is_some_and(|line| !line.is_empty()) && parts.next().is_some_and(|column| !column.is_empty())
}

#[test]
fn every_format_is_recorded_and_its_bad_files_are_errors_with_position_and_bounded_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let cases = [scene(), capture(), gpgmm(), call_log(), dump(), presents(), capframex(), scenario()];
    for format in &INPUTS {
        assert!(cases.iter().any(|case| case.kind == format.kind), "{} has no case", format.name);
    }
    for Case { name, good, bad, wide, is_document, .. } in cases {
        let base = recorded(folder, name, &good);
        assert_eq!(base.code, 0, "{name}: {}", base.stderr);
        let bound = |text: &str| {
            let longest = text.lines().map(str::len).max().unwrap_or(0) as u64;
            base.peak_bytes + 64 * MIB + if is_document { 4 * text.len() as u64 } else { longest }
        };
        assert!(bad.len() >= 3, "{name}");
        for Bad { defect, text, parts } in bad {
            let measured = recorded(folder, name, &text);
            let what = format!("{name}, {defect}: {}", measured.stderr);
            assert!(measured.code == 3 && !measured.stderr.contains("panicked"), "{}, {what}", measured.code);
            assert!(parts.iter().all(|part| measured.stderr.contains(part)), "{what}");
            assert!(has_position(&measured.stderr, name), "{what}");
            assert!(measured.peak_bytes <= bound(&text), "{} MiB, {what}", measured.peak_bytes / MIB);
        }
        let Some((text, code)) = wide else { continue };
        let measured = recorded(folder, name, &text);
        let what = format!("{name} with a million columns: {}", measured.stderr);
        assert_eq!(measured.code, code, "{what}");
        assert!(measured.peak_bytes <= bound(&text), "{} MiB, {what}", measured.peak_bytes / MIB);
    }
}
