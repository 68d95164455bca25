//! Presents on the command line: two ways to a panel compared, other worlds asked about, real presents made again.
#![allow(clippy::expect_used)]

mod taut;

use serde_json::Value;
use std::path::{Path, PathBuf};
use taut::Taut;

fn folder() -> (tempfile::TempDir, Taut) {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    (folder, taut)
}

/// Real presents.
fn logged(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/presents").join(name)
}

/// The same game by two display adapters: one copies a second time, the other scans out.
fn two_worlds(taut: &Taut) {
    for (driver, file) in [("igpu-tier1+dgpu", "twocopy.taut"), ("igpu-tier3+dgpu", "caso.taut")] {
        let record = ["record", "hybrid-laptop", "--driver", driver, "--clock", "logical", "-o", file];
        taut.stdout(&[&record[..], &["--set", "frames=100", "--set", "size=2560x1600", "--set", "fps=165"]].concat());
    }
}

#[test]
fn a_diff_of_two_paths_tells_path_copies_traffic_and_latency_on_one_screen() {
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
    let tables = text.lines().filter(|line| !line.contains(". ") && !line.ends_with('.'));
    assert!(tables.clone().count() > 15 && tables.into_iter().all(|line| line.chars().count() <= 80), "{text}");
    insta::assert_snapshot!("report_of_two_copies", text);
}

#[test]
fn the_tables_of_frames_and_decisions_say_what_the_report_says() {
    let (_folder, taut) = folder();
    two_worlds(&taut);
    for (file, mode, reason) in [("twocopy.taut", "TWO_COPY_PATH", "CAP"), ("caso.taut", "ONE_COPY_PATH_CASO", "NONE")]
    {
        let report: Value =
            serde_json::from_str(&taut.stdout(&["analyze", file, "--report", "present", "--json"])).expect("JSON");
        let chain = &report["reports"]["present"]["swap_chains"][0];
        let sql = "SELECT count(*) AS frames, sum(copies) AS copies_made, sum(bytes_copied) AS bytes_copied, \
                   max(latency_ns) AS worst_ns FROM frames WHERE fate = 'FLIPPED'";
        let rows: Value = serde_json::from_str(&taut.stdout(&["query", file, sql, "--format", "json"])).expect("JSON");
        for key in ["frames", "copies_made", "bytes_copied"] {
            assert_eq!(rows[0][key], chain[key], "{key} of {file}");
        }
        assert_eq!(rows[0]["worst_ns"], chain["latency"]["worst_ns"], "{file}");
        let sql = "SELECT mode, reason, display_tier FROM decisions";
        let rows: Value = serde_json::from_str(&taut.stdout(&["query", file, sql, "--format", "json"])).expect("JSON");
        let told = serde_json::json!([{ "mode": mode, "reason": reason, "display_tier": chain["decisions"][0]["display_tier"] }]);
        assert_eq!(rows, told, "{file}");
    }
}

#[test]
fn power_is_told_where_the_energy_of_a_byte_is_stated() {
    let (_folder, taut) = folder();
    two_worlds(&taut);
    let report = ["analyze", "twocopy.taut", "--report", "present"];
    assert!(!taut.stdout(&report).contains(" W for this"));
    let stated = taut.stdout(&[&report[..], &["--memory-pj-per-byte", "40", "--scan-out-ratio", "0.5"]].concat());
    assert!(stated.contains(" W for this, by the stated energy of a byte") && stated.contains("c = 0.5"), "{stated}");
    for wrong in [["--scan-out-ratio", "0"], ["--scan-out-ratio", "1.5"], ["--memory-pj-per-byte", "-1"]] {
        assert_eq!(taut.run(&[&report[..], &wrong].concat()).code, 2, "{wrong:?}");
    }
}

#[test]
fn presents_are_measured_beside_its_floors() {
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
fn rules_that_a_trace_shows_broken_are_told_and_end_with_exit_code_1() {
    let (_folder, taut) = folder();
    for (driver, rule, is_seen) in [
        ("faulty-scan-pitch+dgpu", "C-20", true),
        ("faulty-opts-out+dgpu", "C-10", false),
        ("igpu-tier3+dgpu", "", false),
    ] {
        let size = "size=1366x768";
        taut.run(&["record", "hybrid-laptop", "--driver", driver, "--set", size, "--set", "frames=20", "-o", "a.taut"]);
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
        assert_eq!(chain["wrong_probes"].as_u64().expect("a count") > 0, is_seen, "{driver}");
        assert!(chain["probes"].as_u64().expect("a count") > 0, "{driver}");
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
    assert_eq!(of("is_regretted"), [false, false], "two copies would be composed as well");
    taut.stdout(&["replay", "both.taut"]);
}

#[test]
fn a_link_that_cannot_carry_the_mode_is_told_with_the_rate_that_could_be() {
    let (_folder, taut) = folder();
    let at =
        ["--set", "size=3840x2160", "--set", "format=R16G16B16A16_FLOAT", "--set", "fps=120", "--set", "frames=30"];
    let line = ["record", "hybrid-laptop", "--machine", "narrow-laptop", "-o", "narrow.taut"];
    taut.stdout(&[&line[..], &at].concat());
    let report: Value =
        serde_json::from_str(&taut.stdout(&["analyze", "narrow.taut", "--report", "present", "--json"])).expect("JSON");
    let slow = &report["reports"]["present"]["swap_chains"][0]["slow_links"][0];
    // 3840 by 2160 by 8 bytes by 120; four lanes of 8 GT/s in lines of 130 bits for 128, of which 0.85 is left.
    let (needed, carried) = (3840.0 * 2160.0 * 8.0 * 120.0 / 1e9, 4.0 * 8.0 * 128.0 / 130.0 / 8.0 * 0.85);
    let near = |key: &str, value: f64| (slow[key].as_f64().expect("a number") - value).abs() < 1e-3 * value;
    assert!(near("needed_gb_per_s", needed) && near("carried_gb_per_s", carried), "{slow}");
    assert!(near("possible_refreshes_per_s", 120.0 * carried / needed), "{slow}");
    let text = taut.stdout(&["analyze", "narrow.taut", "--report", "present"]);
    assert_eq!(text.matches("of the link of").count(), 1, "{text}");
}

#[test]
fn a_replay_in_the_other_world_tells_what_it_saves() {
    let (_folder, taut) = folder();
    two_worlds(&taut);
    let text = taut.stdout(&["replay", "twocopy.taut", "--driver", "igpu-tier3+dgpu", "-o", "saved.taut"]);
    insta::assert_snapshot!("what_if_scanned_out", text);
    assert_eq!(taut.run(&["replay", "saved.taut"]).code, 0);
    let without = taut.stdout(&["replay", "twocopy.taut", "--driver", "igpu-tier3+dgpu"]);
    assert!(without.contains("with -o FILE"), "{without}");
    let refused = taut.run(&["replay", "twocopy.taut", "--driver", "igpu-tier3"]);
    assert_eq!((refused.code, refused.stderr.contains("expected 2 drivers")), (2, true), "{}", refused.stderr);
}

/// What recording a log tells of each swap chain and mode.
fn compared(taut: &Taut, name: &str, more: &[&str]) -> Vec<Value> {
    let path = logged(name).display().to_string();
    let text = taut.stdout(&[&["record", &path, "-o", "mine.taut", "--json", "--force"], more].concat());
    let document: Value = serde_json::from_str(&text).expect("JSON");
    document["presents"]["swap_chains"].as_array().cloned().expect("swap chains")
}

/// Presents of a swap chain and mode, and those that are shown, or not shown, as the log says.
fn as_logged(chains: &[Value], swap_chain: &str, mode: &str) -> (u64, u64) {
    let chain = chains.iter().find(|chain| chain["swap_chain"] == swap_chain && chain["mode"] == mode);
    let count = |key: &str| chain.and_then(|chain| chain[key].as_u64()).expect(key);
    (count("presents"), count("shown_as_logged") + count("never_shown_as_logged"))
}

#[test]
fn real_presents_are_shown_when_the_log_says() {
    let (_folder, taut) = folder();
    let chains = compared(&taut, "test_case_5.csv", &[]);
    let (presents, same) = as_logged(&chains, "0x2A70D2CAC00", "Composed: Flip");
    assert!(presents == 258 && same >= 250, "{same} of {presents}");
    assert_eq!(taut.run(&["replay", "mine.taut"]).code, 0);
    // Frames that tear are on the screen within half a millisecond of the log's time.
    let chains = compared(&taut, "test_case_0.csv", &[]);
    let (presents, same) = as_logged(&chains, "0x1B95496E4B0", "Hardware: Independent Flip");
    assert!(presents == 15 && same * 10 >= presents * 9, "{same} of {presents}");
    assert_eq!(taut.run(&["replay", "mine.taut"]).code, 0);
}

#[test]
fn flips_that_queue_are_shown_when_the_log_says() {
    let (_folder, taut) = folder();
    for (flips, expected) in [("replace", 0), ("queue", 15)] {
        let chains = compared(&taut, "test_case_3.csv", &["--set", &format!("flips={flips}")]);
        let found = as_logged(&chains, "0x1ED7B93C580", "Hardware Composed: Independent Flip");
        assert_eq!(found, (15, expected), "{flips}");
        assert_eq!(taut.run(&["replay", "mine.taut"]).code, 0);
    }
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
    for (text, told) in [("", "expected a column"), ("a,b\n1,2\n", "expected a column")] {
        std::fs::write(folder.path().join("bad.csv"), text).expect("a log");
        let run = taut.run(&["record", "bad.csv", "-o", "b.taut"]);
        assert_eq!((run.code, run.stderr.contains(told)), (3, true), "{}", run.stderr);
    }
}
