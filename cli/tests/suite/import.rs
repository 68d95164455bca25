//! `taut import`: a Windows trace becomes a trace that every reader reads and no replay repeats.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use taut::{Taut, recorded, tables_are_built};
use taut_testkit::{EtlEvent, EtlFile};

/// Bytes of a Windows trace: the header's record and three TraceLogging events of two threads. The first two have the
/// same tick.
pub fn windows_trace() -> Vec<u8> {
    let event = |number: u32| {
        let tick = i64::from(number.max(2)) * 10_000;
        let payload = [&number.to_le_bytes()[..], &(f64::from(number) / 4.0).to_le_bytes()].concat();
        let event = EtlEvent::trace_logging("Tick", b"n\0\x08share\0\x0c", payload);
        EtlEvent { thread: number / 3, tick, ..event }
    };
    EtlFile { log_file: "file", ..EtlFile::default() }.bytes(&[(1..4).map(event).collect()])
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
    let text = taut.stdout(&["info", "capture.taut"]);
    let origin = "imported from capture.etl, Windows build 22000, session session; Windows lost 0 events and 0 buffers";
    assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(origin), "{text}");
    assert!(!text.contains("counts"), "{text}");
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

/// A row of the documentation's table: heaps from Windows have no what-if.
#[test]
fn imported_heaps_have_no_what_if() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = own_trace(folder.path(), "game.etl");
    taut.stdout(&["import", "game.etl", "-o", "game.taut"]);
    let json: Value = serde_json::from_str(&taut.stdout(&["analyze", "game.taut", "--format", "json"])).expect("JSON");
    let alignment = &json["reports"]["alignment"];
    assert_eq!(alignment["totals"]["heaps"], 2, "{alignment}");
    let lines: [&[&str]; 3] = [&["--driver", "legacy"], &["--tight", "on"], &["--setting", "handle_accesses=true"]];
    for line in lines {
        let run = taut.run(&[&["replay", "game.taut"], line].concat());
        assert_eq!(run.code, 3, "{line:?}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.replace('\n', " ").contains("it was imported from game.etl"), "{line:?}: {}", run.stderr);
    }
}

#[test]
fn health_of_a_trace_without_a_driver_does_not_mention_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = imported(folder.path());
    let text = taut.stdout(&["analyze", "capture.taut", "--report", "health"]);
    assert!(!text.to_lowercase().contains("driver"), "{text}");
    assert!(text.contains("imported from capture.etl"), "{text}");
    // Two events of a thread have the same tick.
    let sentence = "The recording is complete; leaks are unknown, because the trace contains no calls of Direct3D.";
    assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(sentence), "{text}");
    let json: Value =
        serde_json::from_str(&taut.stdout(&["analyze", "capture.taut", "--format", "json"])).expect("JSON");
    assert_eq!(json["reports"]["health"]["driver_violations"], Value::Null);
    assert_eq!(json["reports"]["health"]["clock"]["steps_not_forward"], 0);
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
fn a_recording_is_exported_as_a_windows_trace_with_every_event() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let path = recorded(&taut);
    let name = path.file_name().expect("a name").to_str().expect("UTF-8");
    let info: Value = serde_json::from_str(&taut.stdout(&["info", name, "--json"])).expect("JSON");
    taut.stdout(&["export", name, "--to", "etl", "-o", "out.etl"]);
    let exported: Value = serde_json::from_str(&taut.stdout(&["etl", "info", "out.etl", "--json"])).expect("JSON");
    // The header is an event of its own.
    assert_eq!(exported["events"].as_u64(), info["events"].as_u64().map(|events| events + 1), "{exported}");
    assert_eq!(exported["session"], "tautline");
    taut.stdout(&["import", "out.etl", "-o", "again.taut"]);
    let imported: Value = serde_json::from_str(&taut.stdout(&["info", "again.taut", "--json"])).expect("JSON");
    assert_eq!(imported["events"].as_u64(), info["events"].as_u64());
    // An exported file is replaced on request only; a capture of Windows is none of this program's files.
    assert_eq!(taut.run(&["export", name, "--to", "etl", "-o", "out.etl", "--force"]).code, 0);
    std::fs::write(folder.path().join("capture.etl"), windows_trace()).expect("a file is written");
    let run = taut.run(&["export", name, "--to", "etl", "-o", "capture.etl"]);
    assert_ne!(run.code, 0, "{}", run.stderr);
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

/// The graphics capture among other people's traces, where these are next to the checkout.
fn graphics_capture(test: &str) -> Option<PathBuf> {
    let path = taut_testkit::repository_file("../shared/etl/files/gpuvis-wintracecmd.etl");
    if !path.is_file() {
        let _ = writeln!(std::io::stderr(), "skipped: {test}: no real traces next to the checkout");
        return None;
    }
    Some(path)
}

#[test]
fn presents_of_a_real_capture_are_a_table_and_a_report() {
    let Some(capture) = graphics_capture("presents_of_a_real_capture_are_a_table_and_a_report") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut.stdout(&["import", capture.to_str().expect("UTF-8"), "-o", "capture.taut"]);
    let text = taut.stdout(&["analyze", "capture.taut", "--report", "windows", "--json"]);
    let json: Value = serde_json::from_str(&text).expect("JSON");
    let figures = &json["reports"]["windows"];
    assert_eq!(figures["verdict"]["figures"][0]["value"], 849, "{figures}");
    if tables_are_built("presents_of_a_real_capture_are_a_table_and_a_report") {
        let sql = "SELECT path, count(*) AS presents, count(shown_stamp) AS shown, count(cross_adapter) AS known, \
                   avg(interval_ms) AS mean FROM presents GROUP BY path ORDER BY path";
        let text = taut.stdout(&["query", "capture.taut", sql, "--json"]);
        let rows: Value = serde_json::from_str(&text).expect("JSON");
        let numbers = |row: &Value| ["presents", "shown", "known"].map(|key| row[key].as_u64());
        let found: Vec<_> = rows.as_array().expect("rows").iter().map(numbers).collect();
        assert_eq!(found, [[Some(332), Some(331), Some(0)], [Some(517), Some(0), Some(517)]], "{text}");
    }
}

#[test]
fn the_profile_of_a_recording_is_printed_in_three_forms() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let forms = [
        (&["etl", "profile"][..], "<EventProvider Id=\"DxgKrnl\""),
        (&["etl", "profile", "--logman"], "logman start tautline"),
        (&["etl", "profile", "--xperf"], "xperf -start tautline"),
        (&["etl", "profile", "--json"], "\"rundown_mask\""),
    ];
    for (line, expected) in forms {
        let text = taut.stdout(line);
        assert!(text.contains(expected) && text.contains("802ec45a-1e99-4b83-9920-87c98277ba9d"), "{text}");
        assert!(text.contains("Nobody has run this on Windows"), "{text}");
    }
    assert_eq!(taut.run(&["etl", "profile", "--logman", "--xperf"]).code, 2);
}

#[test]
fn floats_and_names_with_their_provider_are_queried() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = imported(folder.path());
    if !tables_are_built("floats_and_names_with_their_provider_are_queried") {
        return;
    }
    let sql = "SELECT sum(share) AS sum, max(n) AS n FROM \"abababab-abab-abab-abab-abababababab.Tick\"";
    let rows: Value = serde_json::from_str(&taut.stdout(&["query", "capture.taut", sql, "--json"])).expect("JSON");
    assert_eq!(rows, serde_json::json!([{"sum": 1.5, "n": 3}]));
    let sql = "SELECT process, system_thread, records FROM threads ORDER BY thread";
    let rows: Value = serde_json::from_str(&taut.stdout(&["query", "capture.taut", sql, "--json"])).expect("JSON");
    let row =
        |thread: u32, records: u32| serde_json::json!({"process": 9, "system_thread": thread, "records": records});
    assert_eq!(rows[1], row(1, 1));
    assert_eq!((&rows[0]["process"], &rows[0]["records"]), (&9.into(), &2.into()));
}

/// Copies one of the project's own Windows traces.
fn own_trace(folder: &Path, name: &str) -> Taut {
    std::fs::copy(taut_testkit::testdata("etl").join(name), folder.join(name)).expect("a file is copied");
    Taut::new(folder)
}

#[test]
fn the_commands_of_the_page_run_on_the_projects_own_trace() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = own_trace(folder.path(), "game.etl");
    let info: Value = serde_json::from_str(&taut.stdout(&["etl", "info", "game.etl", "--json"])).expect("JSON");
    assert_eq!((&info["session"], &info["events_lost"]), (&"tautline-synthetic".into(), &0.into()), "{info}");
    taut.stdout(&["import", "game.etl", "-o", "game.taut"]);
    let text = taut.stdout(&["analyze", "game.taut", "--report", "windows"]);
    for expected in [
        "Windows reported 30 presents, 0 % with an unknown path; 100.0 % of those whose end has flags go to another adapter",
        "level.exe (9)",
        "1 of them is neither created nor listed in the trace",
        "3 of 4 look-ups hit a cache",
    ] {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&text).contains(expected), "{expected}: {text}");
    }
}

#[test]
fn lost_and_cut_buffers_are_counted_with_exit_code_3() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = own_trace(folder.path(), "cut.etl");
    let run = taut.run(&["import", "cut.etl", "-o", "cut.taut"]);
    assert_eq!(run.code, 3, "{}{}", run.stdout, run.stderr);
    // The second buffer is cut, the third is lost.
    for expected in
        ["expected as many buffers as the header states", "expected a BufferSize between 72 and the rest of the file"]
    {
        assert!(run.stderr.replace('\n', " ").contains(expected), "{expected}: {}", run.stderr);
    }
    let info: Value = serde_json::from_str(&taut.stdout(&["info", "cut.taut", "--json"])).expect("JSON");
    assert!(info["events"].as_u64().is_some_and(|events| events > 10), "{info}");
}

#[test]
fn a_limit_on_a_report_without_events_of_windows_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = own_trace(folder.path(), "game.etl");
    taut.stdout(&["import", "game.etl", "-o", "game.taut"]);
    std::fs::write(folder.path().join("b.toml"), "limits = [\"pgo.audits_failed == 0\"]\n").expect("a file is written");
    let run = taut.run(&["analyze", "game.taut", "--budget", "b.toml"]);
    let text = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(run.code, 2, "{}{}", run.stdout, run.stderr);
    assert!(text.contains("report `pgo` is not available for a trace of Windows"), "{text}");
    std::fs::write(folder.path().join("b.toml"), "limits = [\"windows.unknown_path_ratio <= 10 %\"]\n")
        .expect("a file is written");
    assert_eq!(taut.run(&["analyze", "game.taut", "--budget", "b.toml"]).code, 0);
}

#[test]
fn the_benchmark_of_a_windows_trace_has_each_ratio_or_names_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = own_trace(folder.path(), "game.etl");
    let line = ["bench", "etl", "game.etl", "--repeat", "1", "--python", "no-such-python"];
    let text = taut.stdout(&line);
    assert!(text.contains("decompress   skipped: the file has no compressed buffer"), "{text}");
    assert!(text.contains("dissect.etl  skipped: no-such-python does not start"), "{text}");
    let figures: Value = serde_json::from_str(&taut.stdout(&[&line[..], &["--json"]].concat())).expect("JSON");
    for key in ["walk_speed_over_sum", "decode_over_walk", "import_over_record", "import_mevents_per_s"] {
        assert!(figures[key].as_f64().is_some_and(|ratio| ratio > 0.0), "{key}: {figures}");
    }
    assert_eq!((&figures["dissect_over_walk"], &figures["decompress_ns"]), (&Value::Null, &Value::Null));
    assert_eq!(figures["events"].as_u64(), figures["imported_events"].as_u64().map(|events| events + 1));
    std::fs::write(folder.path().join("a.zip"), b"PK\x03\x04 and more").expect("a file is written");
    let run = taut.run(&["bench", "etl", "a.zip"]);
    assert_eq!(run.code, 3, "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("a .zip archive"), "{}", run.stderr);
}
