//! Tests of presents: paths to a display compared, what-ifs, and real presents recorded from logs.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use std::path::{Path, PathBuf};
use taut::Taut;
use taut_testkit::testdata;

fn folder() -> (tempfile::TempDir, Taut) {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    (folder, taut)
}

/// Path of a log of real presents.
fn logged(name: &str) -> PathBuf {
    testdata("presents").join(name)
}

/// Records the same game with two display adapters: one needs a second copy, the other scans out.
fn two_worlds(taut: &Taut) {
    for (driver, file) in [("igpu-tier1+dgpu", "twocopy.taut"), ("igpu-tier3+dgpu", "caso.taut")] {
        let record = ["record", "hybrid-laptop", "--driver", driver, "--clock", "logical", "-o", file];
        taut.stdout(&[&record[..], &["--set", "frames=100", "--set", "size=2560x1600", "--set", "fps=165"]].concat());
    }
}

#[test]
fn a_diff_of_two_paths_shows_path_copies_traffic_and_latency_on_one_screen() {
    let (_folder, taut) = folder();
    two_worlds(&taut);
    let run = taut.run(&["diff", "twocopy.taut", "caso.taut"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines.len() <= 40 && lines.iter().all(|line| line.chars().count() <= 120), "{}", run.stdout);
    insta::assert_snapshot!("diff_of_two_paths", run.stdout);
}

#[test]
fn the_report_of_presents_fits_a_terminal_and_states_the_efficiency() {
    let (_folder, taut) = folder();
    two_worlds(&taut);
    let text = taut.stdout(&["analyze", "twocopy.taut", "--report", "present"]);
    let tables = text.lines().filter(|line| line.starts_with([' ', '─']));
    assert!(tables.clone().count() > 15 && tables.into_iter().all(|line| line.chars().count() <= 80), "{text}");
    insta::assert_snapshot!("report_of_two_copies", text);
}

#[test]
fn the_tables_of_frames_and_path_selections_match_the_report() {
    let (_folder, taut) = folder();
    two_worlds(&taut);
    for (file, mode, reason) in [("twocopy.taut", "TWO_COPY_PATH", "CAP"), ("caso.taut", "ONE_COPY_PATH_CASO", "NONE")]
    {
        let report: Value =
            serde_json::from_str(&taut.stdout(&["analyze", file, "--report", "present", "--json"])).expect("JSON");
        let chain = &report["reports"]["present"]["swap_chains"][0];
        let sql = "SELECT count(*) AS frames, sum(copies) AS total_copies, sum(bytes_copied) AS bytes_copied, \
                   max(latency_ns) AS max_ns FROM frames WHERE outcome = 'FLIPPED'";
        let rows: Value = serde_json::from_str(&taut.stdout(&["query", file, sql, "--format", "json"])).expect("JSON");
        for key in ["frames", "total_copies", "bytes_copied"] {
            assert_eq!(rows[0][key], chain[key], "{key} of {file}");
        }
        assert_eq!(rows[0]["max_ns"], chain["latency"]["max_ns"], "{file}");
        let sql = "SELECT mode, reason, display_tier FROM path_selections";
        let rows: Value = serde_json::from_str(&taut.stdout(&["query", file, sql, "--format", "json"])).expect("JSON");
        let wanted = serde_json::json!([{ "mode": mode, "reason": reason, "display_tier": chain["path_selections"][0]["display_tier"] }]);
        assert_eq!(rows, wanted, "{file}");
    }
}

#[test]
fn power_is_reported_if_the_energy_of_a_byte_is_passed() {
    let (_folder, taut) = folder();
    two_worlds(&taut);
    let report = ["analyze", "twocopy.taut", "--report", "present"];
    assert!(!taut.stdout(&report).contains(" W, from the stated energy"));
    let stated = taut.stdout(&[&report[..], &["--memory-pj-per-byte", "40", "--scan-out-ratio", "0.5"]].concat());
    let stated = stated.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        stated.contains(" W, from the stated energy per byte") && stated.contains("scan-out ratio 0.5"),
        "{stated}"
    );
    for wrong in [["--scan-out-ratio", "0"], ["--scan-out-ratio", "1.5"], ["--memory-pj-per-byte", "-1"]] {
        assert_eq!(taut.run(&[&report[..], &wrong].concat()).code, 2, "{wrong:?}");
    }
}

#[test]
fn presents_are_measured_with_their_floors() {
    let (_folder, taut) = folder();
    let text = taut.stdout(&["bench", "present", "--seconds", "2", "--json"]);
    let measured: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&measured["frames"], &measured["identical"]), (&Value::from(330), &Value::from(true)), "{text}");
    let keys = ["record_over_floor", "times_real_time", "replay_over_record", "report_over_columns", "bytes_per_frame"];
    assert!(keys.iter().all(|key| measured[key].as_f64() > Some(0.0)), "{text}");
}

#[test]
fn waiting_for_a_frame_is_no_failure() {
    let (_folder, taut) = folder();
    two_worlds(&taut);
    let health = taut.stdout(&["analyze", "twocopy.taut", "--report", "health"]);
    assert!(health.contains("0 API calls failed"), "{health}");
}

#[test]
fn broken_rules_of_a_trace_are_reported_with_exit_code_1() {
    let (_folder, taut) = folder();
    for (driver, rule, is_seen) in [
        ("faulty-scan-pitch+dgpu", "C-20", true),
        ("faulty-opts-out+dgpu", "C-10", false),
        ("igpu-tier3+dgpu", "", false),
    ] {
        let size = "size=1366x768";
        taut.run(&[
            "record",
            "hybrid-laptop",
            "--driver",
            driver,
            "--set",
            size,
            "--set",
            "frames=20",
            "-o",
            "a.taut",
            "--force",
        ]);
        let run = taut.run(&["analyze", "a.taut", "--report", "present", "--json"]);
        assert_eq!(run.code, i32::from(!rule.is_empty()), "{driver}: {}", run.stderr);
        let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let figures = &report["reports"]["present"];
        let audits = figures["audits"].as_array().expect("audits");
        let broken: Vec<&str> = audits
            .iter()
            .filter(|audit| audit["ok"] == false)
            .map(|audit| audit["rule"].as_str().unwrap_or(""))
            .collect();
        assert_eq!(broken.join(" "), rule, "{driver}");
        let chain = &figures["swap_chains"][0];
        assert_eq!(chain["mismatched_pixels"].as_u64().expect("a count") > 0, is_seen, "{driver}");
        assert!(chain["sampled_pixels"].as_u64().expect("a count") > 0, "{driver}");
    }
}

#[test]
fn a_browser_over_the_game_has_both_composed_and_the_game_comes_first() {
    let (_folder, taut) = folder();
    taut.stdout(&["record", "hybrid-laptop", "--set", "browser=on", "--set", "frames=40", "-o", "both.taut"]);
    let report: Value =
        serde_json::from_str(&taut.stdout(&["analyze", "both.taut", "--report", "present", "--json"])).expect("JSON");
    let chains = report["reports"]["present"]["swap_chains"].as_array().expect("swap chains");
    let of = |key: &str| chains.iter().map(|chain| chain[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("path"), ["one copy", "same adapter"]);
    assert_eq!((of("flipped"), chains[0]["composed"].clone()), (vec![0.into(), 0.into()], 40.into()));
    assert_eq!(of("is_net_loss"), [false, false], "two copies would be composed as well");
    taut.stdout(&["replay", "both.taut"]);
}

#[test]
fn a_link_too_slow_for_the_mode_is_reported_with_the_possible_rate() {
    let (_folder, taut) = folder();
    let at =
        ["--set", "size=3840x2160", "--set", "format=R16G16B16A16_FLOAT", "--set", "fps=120", "--set", "frames=30"];
    let line = ["record", "hybrid-laptop", "--machine", "narrow-laptop", "-o", "narrow.taut"];
    taut.stdout(&[&line[..], &at].concat());
    let report: Value =
        serde_json::from_str(&taut.stdout(&["analyze", "narrow.taut", "--report", "present", "--json"])).expect("JSON");
    let slow = &report["reports"]["present"]["swap_chains"][0]["slow_links"][0];
    // Needed: 3840 x 2160 pixels of 8 bytes at 120 Hz. Carried: four lanes of 8 GT/s with 128b/130b encoding, at an
    // efficiency of 0.85.
    let (needed, carried) = (3840.0 * 2160.0 * 8.0 * 120.0 / 1e9, 4.0 * 8.0 * 128.0 / 130.0 / 8.0 * 0.85);
    let near = |key: &str, value: f64| (slow[key].as_f64().expect("a number") - value).abs() < 1e-3 * value;
    assert!(near("needed_gb_per_s", needed) && near("carried_gb_per_s", carried), "{slow}");
    assert!(near("possible_refreshes_per_s", 120.0 * carried / needed), "{slow}");
    let text = taut.stdout(&["analyze", "narrow.taut", "--report", "present"]);
    // In the sentences on swap chains; the verdict has the possible rate alone.
    assert_eq!(text.matches("of the link of").count(), 1, "{text}");
    assert!(text.contains("carries 50.5 of 120.0 frames per"), "{text}");
}

/// Records a workload, and returns the figures and the text of the report on presents.
fn reported(taut: &Taut, more: &[&str]) -> (Value, String) {
    taut.stdout(&[&["record", "-o", "r.taut", "--force"], more].concat());
    let report: Value =
        serde_json::from_str(&taut.stdout(&["analyze", "r.taut", "--report", "present", "--json"])).expect("JSON");
    let text = taut.stdout(&["analyze", "r.taut", "--report", "present"]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (report["reports"]["present"].clone(), text)
}

#[test]
fn c23_one_copy_whose_frames_are_composed_saves_nothing_and_the_verdict_says_so() {
    let (_folder, taut) = folder();
    let (report, text) =
        reported(&taut, &["rotated-display", "--driver", "faulty-unturned+dgpu", "--set", "frames=300"]);
    let chain = &report["swap_chains"][0];
    assert_eq!(
        (&chain["path"], &chain["composed"], &chain["is_net_loss"]),
        (&"one copy".into(), &300.into(), &true.into())
    );
    // Composition takes what the second copy would: a read and a write of each frame.
    let saving = chain["caso_saving_gb_per_s"].as_f64().expect("a saving");
    assert!(saving.abs() < 0.2, "{saving}");
    assert!(text.contains("100.0 % of the frames of swap chain 1 are composed (C-23)"), "{text}");
    assert!(text.contains("p99 latency"), "{text}");
    assert!(report["verdict"]["advice"].as_str().is_some_and(|advice| advice.contains("static check")), "{report}");
    // The driver whose check fails cannot scan the display's buffers out, so that no path would change.
    let (report, text) = reported(&taut, &["rotated-display", "--set", "frames=300"]);
    assert_eq!(report["swap_chains"][0]["caso_saving_gb_per_s"], Value::Null, "{report}");
    assert!(!text.contains("would save"), "{text}");
}

#[test]
fn scan_out_and_saving_are_of_each_decision_s_size() {
    let (_folder, taut) = folder();
    let (report, _) = reported(&taut, &["resize-storm", "--set", "frames=400"]);
    let chain = &report["swap_chains"][0];
    // Recomputed from the tables: sizes in effect, weighted by their times.
    let rows = |sql: &str| -> Vec<Value> {
        serde_json::from_str(&taut.stdout(&["query", "r.taut", sql, "--format", "json"])).expect("JSON")
    };
    let decisions = rows("SELECT payload_bytes, decided_at_ns FROM path_selections ORDER BY decided_at_ns");
    let frames = rows("SELECT presented_at_ns, bytes_copied, copies FROM frames ORDER BY presented_at_ns");
    let number = |row: &Value, key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{key} of {row}"));
    let (from, to) = (number(&frames[0], "presented_at_ns"), number(&frames[frames.len() - 1], "presented_at_ns"));
    let begins: Vec<f64> = decisions.iter().map(|row| number(row, "decided_at_ns").clamp(from, to)).collect();
    let ends = begins.iter().skip(1).copied().chain([to]);
    let shown: f64 = begins
        .iter()
        .zip(ends)
        .zip(&decisions)
        .enumerate()
        .map(|(place, ((begin, end), row))| {
            (end - if place == 0 { from } else { *begin }) * number(row, "payload_bytes")
        })
        .sum();
    let refreshes = chain["refreshes_per_s"].as_f64().expect("a rate");
    let copied: f64 = frames.iter().map(|row| number(row, "bytes_copied")).sum();
    let count = frames.len() as f64;
    let per_second = chain["frames_per_s"].as_f64().expect("a rate") / count / 1e9;
    let expected = copied * per_second + refreshes * shown / (to - from) / 1e9;
    let found = chain["dram_gb_per_s"].as_f64().expect("traffic");
    assert!((found - expected).abs() < 0.01 * expected, "{found} and {expected}");
    let saving = chain["caso_saving_gb_per_s"].as_f64().expect("a saving");
    assert!((saving - 2.0 * copied * per_second).abs() < 0.01 * saving, "{saving}");
}

#[test]
fn the_verdict_covers_every_swap_chain_hybrid_first_and_a_link_over_capacity() {
    let (_folder, taut) = folder();
    let (_, text) = reported(&taut, &["hybrid-laptop", "--set", "browser=on", "--set", "frames=40"]);
    let first = text.find("takes one copy per frame").expect("the hybrid chain");
    let second = text.find("is presented without a copy between adapters").expect("the other chain");
    assert!(first < second, "{text}");
    let size = ["--set", "size=3840x2160", "--set", "format=R16G16B16A16_FLOAT", "--set", "fps=120"];
    let narrow = ["hybrid-laptop", "--machine", "narrow-laptop", "--set", "frames=30"];
    let (report, _) = reported(&taut, &[&narrow[..], &size].concat());
    let sentence = report["verdict"]["sentence"].as_str().expect("a sentence");
    assert!(sentence.contains("of 120.0 frames per second"), "{sentence}");
}

#[test]
fn a_path_of_two_copies_has_advice_that_names_a_change() {
    let (_folder, taut) = folder();
    two_worlds(&taut);
    let report: Value =
        serde_json::from_str(&taut.stdout(&["analyze", "twocopy.taut", "--report", "present", "--json"]))
            .expect("JSON");
    let advice = report["reports"]["present"]["verdict"]["advice"].as_str().expect("advice");
    assert!(advice.contains("cross-adapter tier 3"), "{advice}");
}

#[test]
fn a_diff_of_two_captures_has_frame_times_and_agreement() {
    let (folder, taut) = folder();
    for (every_ms, trace) in [(1000.0 / 60.0, "one.taut"), (1000.0 / 30.0, "other.taut")] {
        let path = capture(folder.path(), (1, 0, FLIP), ("", ""), &at_refreshes(60.0, every_ms, 4.0));
        taut.stdout(&["record", &path, "-o", trace]);
    }
    let run = taut.run(&["diff", "one.taut", "other.taut", "--json"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    for key in ["frame_time.p50_ns", "low_1_percent_frames_per_s"] {
        assert!(run.stdout.contains(key), "{key}: {}", run.stdout);
    }
    let text = taut.run(&["diff", "one.taut", "other.taut"]).stdout;
    assert!(text.contains("p50 frame time 16.667 became 33.333 ms"), "{text}");
}

#[test]
fn a_what_if_reports_its_savings() {
    let (_folder, taut) = folder();
    two_worlds(&taut);
    let text = taut.stdout(&["replay", "twocopy.taut", "--driver", "igpu-tier3+dgpu", "-o", "saved.taut"]);
    insta::assert_snapshot!("what_if_scanned_out", text);
    assert_eq!(taut.run(&["replay", "saved.taut"]).code, 0);
    let without = taut.stdout(&["replay", "twocopy.taut", "--driver", "igpu-tier3+dgpu"]);
    assert!(without.contains("-o FILE writes"), "{without}");
    let refused = taut.run(&["replay", "twocopy.taut", "--driver", "igpu-tier3"]);
    assert_eq!((refused.code, refused.stderr.contains("expected 2 drivers")), (2, true), "{}", refused.stderr);
}

/// Records a capture, and returns the exit code and the comparison.
fn recorded(taut: &Taut, path: &str, more: &[&str]) -> (i32, Value) {
    let run = taut.run(&[&["record", path, "-o", "mine.taut", "--json", "--force"], more].concat());
    let document: Value = serde_json::from_str(&run.stdout).expect("JSON");
    (run.code, document["presents"].clone())
}

/// Records a log, and returns the comparison for each swap chain and mode.
fn compared(taut: &Taut, name: &str, more: &[&str]) -> Vec<Value> {
    let (_, presents) = recorded(taut, &logged(name).display().to_string(), more);
    presents["swap_chains"].as_array().cloned().expect("swap chains")
}

/// Presents of a swap chain and mode, and the number of them that are shown, or not shown, as logged.
fn as_logged(chains: &[Value], swap_chain: &str, mode: &str) -> (u64, u64) {
    let chain = chains.iter().find(|chain| chain["swap_chain"] == swap_chain && chain["mode"] == mode);
    let count = |key: &str| chain.and_then(|chain| chain[key].as_u64()).expect(key);
    assert_eq!(count("as_logged") + count("otherwise") + count("not_played"), count("presents"));
    (count("presents"), count("as_logged"))
}

#[test]
fn real_presents_are_shown_at_the_logged_time() {
    let (_folder, taut) = folder();
    let chains = compared(&taut, "test_case_5.csv", &[]);
    let (presents, same) = as_logged(&chains, "0x2A70D2CAC00", "Composed: Flip");
    assert!(presents == 258 && same >= 250, "{same} of {presents}");
    assert_eq!(taut.run(&["replay", "mine.taut"]).code, 0);
    // Torn frames are on the screen within half a millisecond of the logged time.
    let chains = compared(&taut, "test_case_0.csv", &[]);
    let (presents, same) = as_logged(&chains, "0x1B95496E4B0", "Hardware: Independent Flip");
    assert!(presents == 15 && same * 10 >= presents * 9, "{same} of {presents}");
    assert_eq!(taut.run(&["replay", "mine.taut"]).code, 0);
}

#[test]
fn queued_flips_are_shown_at_the_logged_time() {
    let (_folder, taut) = folder();
    for (flips, expected) in [("replace", 0), ("queue", 15), ("inferred", 15)] {
        let chains = compared(&taut, "test_case_3.csv", &["--set", &format!("flips={flips}")]);
        let found = as_logged(&chains, "0x1ED7B93C580", "Hardware Composed: Independent Flip");
        assert_eq!(found, (15, expected), "{flips}");
        assert_eq!(taut.run(&["replay", "mine.taut"]).code, 0);
    }
}

/// Writes a capture of one program; returns its name. A frame is milliseconds of Present, of the end of its GPU work and of
/// its display, from Present. `more` are further columns with their cells.
fn capture(
    folder: &Path,
    (interval, tears, mode): (u32, u32, &str),
    more: (&str, &str),
    frames: &[(f64, f64, f64)],
) -> String {
    let mut text = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,AllowsTearing,PresentMode,TimeInMs,\
        MsUntilRenderComplete,MsUntilDisplayed"
        .to_owned()
        + more.0
        + "\n";
    for (at_ms, gpu_ms, shown_ms) in frames {
        text +=
            &format!("game.exe,7,0x10,DXGI,{interval},{tears},{mode},{at_ms:.4},{gpu_ms:.4},{shown_ms:.4}{}\n", more.1);
    }
    let path = folder.join("capture.csv");
    std::fs::write(&path, text).expect("a capture");
    path.display().to_string()
}

const FLIP: &str = "Hardware: Independent Flip";

/// Frames that are shown at the first refresh of a display after the end of their GPU work.
fn at_refreshes(hertz: f64, every_ms: f64, gpu_ms: f64) -> Vec<(f64, f64, f64)> {
    let period = 1000.0 / hertz;
    let shown = |at: f64| ((at + gpu_ms - 1003.0) / period).ceil() * period + 1003.0 - at;
    (0..300).map(|frame| 1000.0 + f64::from(frame) * every_ms).map(|at| (at, gpu_ms, shown(at))).collect()
}

#[test]
fn a_variable_refresh_rate_is_inferred() {
    let (folder, taut) = folder();
    let frames: Vec<(f64, f64, f64)> = (0..300)
        .map(|frame| (1000.0 + f64::from(frame) * 11.0 + f64::from(frame * 37 % 29) / 10.0, 3.0, 3.1))
        .collect();
    let path = capture(folder.path(), (1, 0, FLIP), ("", ""), &frames);
    let (code, presents) = recorded(&taut, &path, &[]);
    assert!(code == 0 && presents["as_logged"].as_u64() >= Some(294), "{presents}");
    assert_eq!(presents["refreshes"][0]["is_variable"], true, "{presents}");
    let (_, presents) = recorded(&taut, &path, &["--set", "fps=60"]);
    assert_eq!(presents["refreshes"][0]["refresh_from"], "parameter", "{presents}");
}

#[test]
fn without_the_compositor_s_rows_the_same_presents_agree() {
    let (folder, taut) = folder();
    let whole = std::fs::read_to_string(logged("test_case_5.csv")).expect("a log");
    let kept = whole.lines().filter(|line| line.contains("Application,") || line.starts_with("PresentBench.exe"));
    let path = folder.path().join("one.csv");
    std::fs::write(&path, kept.map(|line| format!("{line}\n")).collect::<String>()).expect("a log");
    let (code, presents) = recorded(&taut, &path.display().to_string(), &[]);
    let chains = presents["swap_chains"].as_array().cloned().expect("swap chains");
    let (presents, same) = as_logged(&chains, "0x2A70D2CAC00", "Composed: Flip");
    assert!(code == 0 && presents == 258 && same >= 250, "{same} of {presents}");
}

#[test]
fn a_recording_that_differs_from_its_capture_is_exit_code_1_and_its_mark_says_so() {
    let (folder, taut) = folder();
    // Tearing frames that the capture shows long after the end of their GPU work.
    let frames: Vec<_> = (0..100).map(|frame| (1000.0 + f64::from(frame) * 11.0, 3.0, 9.0)).collect();
    let path = capture(folder.path(), (0, 1, FLIP), ("", ""), &frames);
    let run = taut.run(&["record", &path, "-o", "poor.taut"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let headline = "recorded poor.taut: 0 of 100 presents as in the capture, 100 differ, 0 not replayed";
    assert_eq!(run.stdout.lines().next(), Some(headline));
    let mark = taut.stdout(&["dump", "poor.taut", "--event", "CaptureCompared"]);
    assert!(mark.contains("presents=100") && mark.contains("as_logged=0") && mark.contains("otherwise=100"), "{mark}");
}

#[test]
fn hybrid_present_of_the_capture_decides_the_path() {
    let (folder, taut) = folder();
    let frames = at_refreshes(60.0, 1000.0 / 60.0, 3.0);
    for (cell, drivers, path) in [(",1", None, "one copy"), (",0", Some("igpu-tier3+dgpu"), "same adapter")] {
        let capture = capture(folder.path(), (1, 0, FLIP), (",HybridPresent", cell), &frames);
        let drivers = drivers.map(|drivers| ["--driver", drivers]);
        recorded(&taut, &capture, drivers.as_ref().map_or(&[], |drivers| &drivers[..]));
        let report: Value =
            serde_json::from_str(&taut.stdout(&["analyze", "mine.taut", "--report", "present", "--json"]))
                .expect("JSON");
        assert_eq!(report["reports"]["present"]["swap_chains"][0]["path"], path);
    }
    // The blt model never takes the path with one copy.
    let capture = capture(folder.path(), (1, 0, "Composed: Copy with GPU GDI"), (",HybridPresent", ",1"), &frames);
    recorded(&taut, &capture, &[]);
    let report: Value =
        serde_json::from_str(&taut.stdout(&["analyze", "mine.taut", "--report", "present", "--json"])).expect("JSON");
    assert_eq!(report["reports"]["present"]["swap_chains"][0]["path"], "two copies");
}

#[test]
fn synthetic_captures_are_all_as_logged() {
    let check = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/captures/check.py");
    if !check.is_file() {
        eprintln!("skipped: synthetic_captures_are_all_as_logged");
        return;
    }
    let run =
        std::process::Command::new("python3").arg(check).arg(env!("CARGO_BIN_EXE_taut")).output().expect("python3");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

#[test]
fn a_person_s_own_machine_may_lose_an_adapter() {
    let (folder, taut) = folder();
    let machine = taut.stdout(&["machines", "external-gpu"]);
    let machine = machine.replace("lanes = 4", "lanes = 8");
    std::fs::write(folder.path().join("my-machine.toml"), machine).expect("a machine");
    taut.stdout(&["record", "external-gpu", "--machine", "my-machine.toml", "--set", "frames=40", "-o", "out.taut"]);
    assert_eq!(taut.run(&["replay", "out.taut"]).code, 0);
    let text = taut.stdout(&["analyze", "out.taut", "--report", "health"]);
    assert!(text.contains("Present1   0x887a0005       1"), "{text}");
}

#[test]
fn on_two_adapters_real_presents_are_what_would_have_been() {
    let (_folder, taut) = folder();
    compared(&taut, "test_case_5.csv", &["--driver", "igpu-tier3+dgpu", "--set", "size=2560x1600"]);
    let text = taut.stdout(&["analyze", "mine.taut", "--report", "present", "--json"]);
    assert!(text.contains("one copy"), "{text}");
    assert_eq!(taut.run(&["replay", "mine.taut"]).code, 0);
}

#[test]
fn a_log_that_is_damaged_is_used_as_far_as_it_goes() {
    let (folder, taut) = folder();
    let whole = std::fs::read_to_string(logged("test_case_5.csv")).expect("a log");
    let cut = whole.replacen(",DXGI,", ",", 1);
    std::fs::write(folder.path().join("cut.csv"), cut).expect("a log");
    let run = taut.run(&["record", "cut.csv", "-o", "a.taut"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("cut.csv:2:9: expected 10 columns, found 9 columns; 1 row left out"), "{}", run.stderr);
    assert_eq!(taut.run(&["replay", "a.taut"]).code, 0);
    for (text, wanted) in [("", "the file is empty"), ("a,b\n1,2\n", "found a table with the columns")] {
        std::fs::write(folder.path().join("bad.csv"), text).expect("a log");
        let run = taut.run(&["record", "bad.csv", "-o", "b.taut"]);
        assert_eq!((run.code, run.stderr.contains(wanted)), (3, true), "{}", run.stderr);
    }
}
