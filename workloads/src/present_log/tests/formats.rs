//! Formats of the tools that write captures.

use super::*;
use crate::inputs::{Detected, InputKind, detect};
use std::path::Path;

/// Times of Present in microseconds since the first, ends of the GPU work and display times.
fn times(reading: &PresentReading) -> Vec<(u64, u64, Option<u64>)> {
    let presents = &reading.log.presents;
    let first = presents[0].at_ns;
    let us = |ns: u64| (ns + 500) / 1000;
    presents.iter().map(|one| (us(one.at_ns - first), us(one.gpu_end_after_ns), one.shown_after_ns.map(us))).collect()
}

/// Kind of input that a file is detected as.
fn detected(path: &Path) -> Option<InputKind> {
    match detect(path).unwrap() {
        Detected::Input(format) => Some(format.kind),
        Detected::Rejected(_) => None,
    }
}

const EXPECTED: [(u64, u64, Option<u64>); 3] =
    [(0, 3500, Some(9000)), (16_667, 3500, None), (33_333, 3500, Some(9000))];

/// Capture with three presents: the columns that differ between tools, and the times of each row.
fn with_times(columns: &str, rows: [&str; 3]) -> String {
    let row = |times: &str| format!("game.exe,7,0x1,DXGI,0,0,Composed: Flip,{times}\n");
    let heading =
        format!("Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,AllowsTearing,PresentMode,{columns}\n");
    heading + &rows.into_iter().map(row).collect::<String>()
}

#[test]
fn every_time_column_gives_the_same_presents() {
    let latencies = "MsBetweenPresents,MsUntilRenderComplete,MsUntilDisplayed";
    for (name, times_of_rows) in [
        ("TimeInSeconds", ["2.0", "2.016667", "2.033333"]),
        ("TimeInMs", ["2000", "2016.667", "2033.333"]),
        ("TimeInQPC", ["20000000", "20166670", "20333330"]),
        ("QPCTime", ["20000000", "20166670", "20333330"]),
        ("QPCTime", ["2.0", "2.016667", "2.033333"]),
        ("QPCTime", ["6000000", "6050001", "6099999"]),
        ("TimeInDateTime", ["2026-11-26 23:59:59.990", "2026-11-27 00:00:00.006667", "2026-11-27 00:00:00.023333"]),
    ] {
        let row = |(time, shown): (&str, &str)| format!("{time},16.667,3.5,{shown}");
        let rows = [(times_of_rows[0], "9"), (times_of_rows[1], "NA"), (times_of_rows[2], "9")].map(row);
        let text = with_times(&format!("{name},{latencies}"), [&rows[0], &rows[1], &rows[2]]);
        assert_eq!(times(&read(&text)), EXPECTED, "{text}");
    }
}

#[test]
fn a_capture_from_frame_starts_has_the_same_presents() {
    let columns = "FrameTime,CPUBusy,GPULatency,GPUTime,DisplayLatency";
    for (name, starts) in [
        ("CPUStartTime", ["1996", "2012.667", "2029.333"]),
        ("CPUStartTime", ["1.996", "2.012667", "2.029333"]),
        ("CPUStartQPC", ["19960000", "20126670", "20293330"]),
        ("CPUStartQPCTime", ["1996", "2012.667", "2029.333"]),
    ] {
        let row = |(start, shown): (&str, &str)| format!("{start},16.667,4,3,4.5,{shown}");
        let rows = [(starts[0], "13"), (starts[1], "NA"), (starts[2], "13")].map(row);
        let text = with_times(&format!("{name},{columns}"), [&rows[0], &rows[1], &rows[2]]);
        assert_eq!(times(&read(&text)), EXPECTED, "{text}");
    }
}

#[test]
fn a_stated_frequency_scales_the_ticks() {
    let columns = "TimeInQPC,QPCFrequency,MsUntilRenderComplete,MsUntilDisplayed";
    let rows = ["6000000,3000000,3.5,9", "6050001,3000000,3.5,NA", "6099999,3000000,3.5,9"];
    assert_eq!(times(&read(&with_times(columns, rows))), EXPECTED);
}

#[test]
fn a_damaged_row_leaves_the_unit_of_the_others() {
    let columns = "TimeInQPC,MsUntilRenderComplete,MsUntilDisplayed";
    let damaged = with_times(columns, ["20000000,3.5,9", "20166670,3.5,NA", "20333330,3.5,9"]).replacen("DXGI,", "", 1);
    let reading = read(&damaged);
    assert_eq!((reading.log.presents.len(), reading.left_out), (2, 1));
    assert_eq!(reading.log.presents[1].at_ns, 2_033_333_000);
}

#[test]
fn quotes_comments_separators_and_encodings_change_nothing() {
    let columns = "TimeInSeconds,MsUntilRenderComplete,MsUntilDisplayed,Motherboard";
    let plain = with_times(columns, ["2.0,3.5,9,Board", "2.016667,3.5,NA,", "2.033333,3.5,9,"]);
    let quoted = plain.lines().map(|line| format!("\"{}\"\r\n", line.replace(',', "\",\""))).collect::<String>();
    let forms = [
        plain.replace("Board", "\"Board, rev 2\""),
        quoted,
        plain.replace(",\n", "\n"),
        plain.replace(",Board\n", "\n"),
        format!("//GameName=game.exe\n//\n\nsep=,\n{plain}"),
        plain.replace(',', ";").replace('.', ","),
        plain.replace(',', "\t"),
        format!("{plain}\n\n"),
    ];
    for text in &forms {
        let reading = read(text);
        assert_eq!((times(&reading), reading.left_out), (EXPECTED.to_vec(), 0), "{text}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("capture.txt");
    for bytes in [
        "\u{feff}".encode_utf16().chain(plain.encode_utf16()).flat_map(u16::to_le_bytes).collect::<Vec<u8>>(),
        plain.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        plain.clone().into_bytes(),
    ] {
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(detected(&path), Some(InputKind::Presents));
        assert_eq!(times(&PresentLog::open(&path).unwrap()), EXPECTED);
    }
}

#[test]
fn capframex_json_has_the_presents_of_its_runs() {
    let run = r#"{"CaptureData": {"TimeInSeconds": [0.5, 0.516667, 0.533333], "MsUntilRenderComplete": [3.5, 3.5, 3.5],
        "MsUntilDisplayed": [9, 0, 9.0], "Dropped": [false, true, false], "PresentMode": [3, 4, 8], "QPCTime": null,
        "AllowsTearing": [1, 0, 0], "SyncInterval": [0, 1, 1], "PcLatency": [], "MsBetweenPresents": ["NaN", 16.667, 16.667]}}"#;
    let json = format!(r#"{{"Hash": "0", "Info": {{"ProcessName": "game.exe"}}, "Runs": [{run}, {run}]}}"#);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("capture.json");
    std::fs::write(&path, &json).unwrap();
    assert_eq!(detected(&path), Some(InputKind::Presents));
    let reading = PresentLog::open(&path).unwrap();
    assert_eq!(times(&reading), [EXPECTED, EXPECTED].concat());
    let present = &reading.log.presents[4];
    assert_eq!((&*present.chain.application, &*present.chain.swap_chain), ("game.exe", "run 2"));
    assert_eq!((&*present.mode, present.sync_interval, present.line), ("Composed: Flip", 1, 2));
    for bad in [&json[..json.len() / 2], r#"{"Runs": [{}]}"#, r#"{"Runs": [{"CaptureData": {"FPS": [1]}}]}"#, "{}"] {
        std::fs::write(&path, bad).unwrap();
        let error = PresentLog::open(&path).unwrap_err().to_string();
        assert!(error.contains("expected") && error.contains("found"), "{error}");
    }
}

#[test]
fn a_file_without_a_present_time_is_refused_with_the_reason() {
    let reason = |text| PresentLog::parse(text, "p.csv").unwrap_err().to_string();
    let mangohud =
        reason("os,cpu,gpu,ram,kernel,driver,cpuscheduler\nArch,CPU,GPU,1,6,7,performance\nfps,frametime\n60,16\n");
    assert!(mangohud.starts_with("p.csv:1:7: expected a column with the time of Present: TimeInQPC"), "{mangohud}");
    assert!(mangohud.ends_with("found a MangoHud log, which has frame times alone"), "{mangohud}");
    assert!(reason("Application,Avg FPS,1% Low\ngame.exe,60,40\n").ends_with("found a summary, which has no frames"));
}

#[test]
fn generated_frames_are_no_presents() {
    let columns = "TimeInSeconds,MsUntilRenderComplete,MsUntilDisplayed,FrameType";
    let rows = ["2.0,3.5,9,Application", "2.0,NA,17,AMD_AFMF", "2.033333,3.5,9,NA"];
    let log = read(&with_times(columns, rows)).log;
    assert_eq!(log.presents.len(), 2);
    let generated = &log.generated[0];
    assert_eq!((generated.generated_by.as_deref(), generated.shown_after_ns), (Some("AMD_AFMF"), Some(17_000_000)));
    let session = MemorySession::with_driver("reference");
    run(&log, &plan(&log, &parameters(&[])), &session, &parameters(&[])).unwrap();
    let count = |name| session.events().iter().filter(|event| event.name == name).count();
    assert_eq!((count("GeneratedFrame"), count("Present1")), (1, 2));
}

#[test]
fn a_file_cut_anywhere_gives_its_whole_rows_or_an_error() {
    let whole =
        with_times("TimeInSeconds,MsUntilRenderComplete,MsUntilDisplayed", ["2,3.5,9", "2.1,3.5,9", "2.2,3.5,9"]);
    for end in 0..whole.len() {
        match PresentLog::parse(&whole[..end], "p.csv") {
            Ok(reading) => assert!(reading.log.presents.len() + reading.left_out as usize <= 3, "{end}"),
            Err(error) => assert!(error.to_string().starts_with("p.csv:1:"), "{error}"),
        }
    }
}

#[test]
fn captures_from_the_field_are_read_completely() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/field/presents");
    if !folder.is_dir() {
        eprintln!("skipped: captures_from_the_field_are_read_completely");
        return;
    }
    for name in ["quoted-comma.csv", "date-time.csv"] {
        let reading = PresentLog::open(&folder.join(name)).unwrap();
        assert_eq!((reading.log.presents.len(), reading.left_out), (60, 0), "{name}");
    }
}
