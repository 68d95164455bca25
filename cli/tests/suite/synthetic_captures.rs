//! Captures of presents with a known outcome: all of it is replayed as captured, or the output states that the capture does
//! not determine it.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use std::fmt::Write;
use taut::Taut;

const FLIP: &str = "Hardware: Independent Flip";
const HEADING: &str = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,AllowsTearing,PresentMode,TimeInMs,\
    MsUntilRenderComplete,MsUntilDisplayed,FrameType\n";

/// Program with its way to present.
#[derive(Clone, Copy)]
struct Program {
    name: &'static str,
    process: u32,
    runtime: &'static str,
    tears: bool,
    mode: &'static str,
}

const GAME: Program = Program { name: "game.exe", process: 7, runtime: "DXGI", tears: false, mode: FLIP };

/// Frame: milliseconds of Present, and from it to the end of the GPU work and to the display.
#[derive(Clone, Copy)]
struct Frame {
    at_ms: f64,
    gpu_ms: f64,
    shown_ms: f64,
    kind: &'static str,
}

/// Row of a frame, with its time, by which rows are sorted.
fn row(program: &Program, frame: &Frame) -> (f64, String) {
    let Program { name, process, runtime, tears, mode } = program;
    let Frame { at_ms, gpu_ms, shown_ms, kind } = frame;
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{name},{process},0x{process}0,{runtime},{},{},{mode},{at_ms:.4},{gpu_ms:.4},{shown_ms:.4},{kind}",
        u32::from(!tears),
        u32::from(*tears)
    );
    (*at_ms, text)
}

fn capture(frames: &[(Program, Vec<Frame>)]) -> String {
    let rows = frames.iter().flat_map(|(program, frames)| frames.iter().map(|frame| row(program, frame)));
    let mut rows: Vec<(f64, String)> = rows.collect();
    rows.sort_by(|one, other| one.0.total_cmp(&other.0));
    rows.into_iter().fold(HEADING.to_owned(), |text, (_, row)| text + &row)
}

/// Time of a refresh. No GPU work of the tests ends at a refresh, where rounding would decide between two refreshes.
const PHASE_MS: f64 = 1005.3;

/// Frames that are displayed at the first refresh after the end of their GPU work; with `delay` refreshes later, as by
/// composition.
fn at_refreshes(hertz: f64, every_ms: f64, gpu_ms: f64, delay: f64) -> Vec<Frame> {
    let period = 1000.0 / hertz;
    let shown = |at: f64| (((at + gpu_ms - PHASE_MS) / period).ceil() + delay) * period + PHASE_MS - at;
    let times = (0..400).map(|number| 1000.0 + f64::from(number) * every_ms);
    times.map(|at_ms| Frame { at_ms, gpu_ms, shown_ms: shown(at_ms), kind: "Application" }).collect()
}

/// Frames that tear: displayed at the end of their GPU work.
fn torn(every_ms: f64, gpu_ms: f64) -> Vec<Frame> {
    let times = (0..400).map(|number| 1000.0 + f64::from(number) * every_ms);
    times.map(|at_ms| Frame { at_ms, gpu_ms, shown_ms: gpu_ms + 0.05, kind: "Application" }).collect()
}

/// Records a capture; returns the exit code and the comparison, after an identical replay.
fn recorded(taut: &Taut, folder: &std::path::Path, text: &str) -> (i32, Value) {
    std::fs::write(folder.join("capture.csv"), text).expect("a capture");
    let run = taut.run(&["record", "capture.csv", "-o", "out.taut", "--json", "--force"]);
    let document: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr));
    assert_eq!(taut.run(&["replay", "out.taut"]).code, 0);
    (run.code, document["presents"].clone())
}

/// Asserts that at least 98 % of the presents are as captured and none is lost.
fn assert_as_captured(name: &str, presents: &Value) {
    let count = |key: &str| presents[key].as_u64().expect(key);
    assert!(count("as_logged") * 100 >= count("presents") * 98 && count("not_played") == 0, "{name}: {presents}");
}

#[test]
fn each_way_to_present_is_replayed_as_captured() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let period = 1000.0 / 60.0;
    let tearing = Program { tears: true, ..GAME };
    let mut hitch = torn(11.0, 3.0);
    for (number, frame) in hitch.iter_mut().enumerate().skip(100) {
        // Frames 100 to 111 are presented every 6 ms during a GPU hitch of 150 ms.
        frame.at_ms += 250.0;
        if number < 112 {
            frame.at_ms = 2100.0 + 6.0 * (number - 100) as f64;
            frame.gpu_ms = 150.0 - 5.0 * (number - 100) as f64;
            frame.shown_ms = frame.gpu_ms + 0.05;
        }
    }
    for (name, program, frames) in [
        ("hitch", tearing, hitch),
        ("latency of 15 ms at 60 Hz", GAME, at_refreshes(60.0, period, 15.0, 0.0)),
        ("latency of 20 ms at 60 Hz", GAME, at_refreshes(60.0, period, 20.0, 0.0)),
        ("latency of 40 ms at 60 Hz", GAME, at_refreshes(60.0, period, 40.0, 0.0)),
        ("144 Hz without compositor", GAME, at_refreshes(144.0, 11.0, 4.0, 0.0)),
        ("blt model", Program { mode: "Composed: Copy with GPU GDI", ..GAME }, at_refreshes(60.0, period, 3.0, 1.0)),
        (
            "Direct3D 9",
            Program { runtime: "D3D9", mode: "Hardware: Legacy Flip", ..GAME },
            at_refreshes(60.0, period, 3.0, 0.0),
        ),
    ] {
        let (code, presents) = recorded(&taut, folder.path(), &capture(&[(program, frames)]));
        assert_as_captured(name, &presents);
        assert_eq!((code, presents["overtaking_frames"].as_u64()), (0, Some(0)), "{name}");
        if !program.tears && program.mode == FLIP {
            assert_eq!(presents["refreshes"][0]["refresh_from"], "display_times", "{name}");
        }
    }
}

#[test]
fn generated_frames_are_counted_separately_in_output_report_and_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let mut frames = at_refreshes(120.0, 1000.0 / 60.0, 3.0, 0.0);
    let generated = frames.clone().into_iter().map(|frame| Frame {
        at_ms: frame.at_ms + 0.1,
        shown_ms: frame.shown_ms + 1000.0 / 120.0,
        kind: "Intel XeSS-FG",
        ..frame
    });
    frames.extend(generated.collect::<Vec<_>>());
    let (code, presents) = recorded(&taut, folder.path(), &capture(&[(GAME, frames)]));
    assert_as_captured("generated frames", &presents);
    assert_eq!((code, &presents["presents"], &presents["generated_frames"]), (0, &400.into(), &400.into()));
    let report: Value =
        serde_json::from_str(&taut.stdout(&["analyze", "out.taut", "--report", "present", "--json"])).expect("JSON");
    let chain = &report["reports"]["present"]["swap_chains"][0];
    assert_eq!((&chain["frames"], &chain["generated_frames"]), (&400.into(), &400.into()), "{chain}");
    let count = |table: &str| {
        let sql = format!("SELECT count(*) AS n FROM {table}");
        let rows: Value =
            serde_json::from_str(&taut.stdout(&["query", "out.taut", &sql, "--format", "json"])).expect("JSON");
        rows[0]["n"].clone()
    };
    assert_eq!((count("frames"), count("GeneratedFrame")), (400.into(), 400.into()));
}

#[test]
fn two_processes_are_replayed_as_captured_or_the_output_names_the_undetermined_frames() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let one = Program { tears: true, ..GAME };
    let other = Program { name: "other.exe", process: 9, ..one };
    let apart = torn(11.0, 3.0).into_iter().map(|frame| Frame { at_ms: frame.at_ms + 5.5, ..frame });
    let text = capture(&[(one, torn(11.0, 3.0)), (other, apart.collect())]);
    let (code, presents) = recorded(&taut, folder.path(), &text);
    assert_as_captured("two processes with separate GPU work", &presents);
    assert_eq!((code, &presents["overtaking_frames"]), (0, &Value::from(0)));
    // Frames of the second program take 10 ms, and frames of the first end meanwhile.
    let text = capture(&[(one, torn(11.0, 3.0)), (other, torn(13.0, 10.0))]);
    let (_, presents) = recorded(&taut, folder.path(), &text);
    assert!(presents["overtaking_frames"].as_u64() > Some(50), "{presents}");
    assert_eq!((&presents["presents"], &presents["not_played"]), (&800.into(), &0.into()), "{presents}");
    let stated = taut.run(&["record", "capture.csv", "-o", "out.taut", "--force"]).stdout;
    assert!(stated.contains("does not determine how programs share the graphics engine"), "{stated}");
    // Without the rows of the second program, the first is replayed as captured.
    let filtered: String =
        text.lines().filter(|line| !line.starts_with("other.exe")).map(|line| format!("{line}\n")).collect();
    let (code, presents) = recorded(&taut, folder.path(), &filtered);
    assert_as_captured("one process filtered out", &presents);
    assert_eq!(code, 0);
}
