//! Tests of the reasons for copies between adapters, as reports explain them.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use taut::Taut;
use taut_testkit::testdata;

/// Records 100 frames of a game on a hybrid laptop.
fn record_game(taut: &Taut, driver: &str, file: &str) {
    let record = ["record", "hybrid-laptop", "--driver", driver, "--clock", "logical", "-o", file];
    taut.stdout(&[&record[..], &["--set", "frames=100", "--set", "size=2560x1600", "--set", "fps=165"]].concat());
}

#[test]
fn two_copies_are_explained_with_cause_remedy_and_saving() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    record_game(&taut, "igpu-tier1+dgpu", "twocopy.taut");
    let report: Value =
        serde_json::from_str(&taut.stdout(&["analyze", "twocopy.taut", "--report", "present", "--json"]))
            .expect("JSON");
    let present = &report["reports"]["present"];
    assert_eq!(
        present["verdict"]["sentence"],
        "Swap chain 1 takes two copies per frame because the driver of the integrated GPU reports cross-adapter tier 1 (CAP); all \
         100 frames are shown."
    );
    let chain = &present["swap_chains"][0];
    let saving = chain["caso_saving_gb_per_s"].as_f64().expect("a saving");
    let copy = chain["copy_2"]["p50_ns"].as_f64().expect("a time") / 1e6;
    let advice = format!(
        "Use a driver of the integrated GPU with cross-adapter tier 3, which scans out directly: one copy per frame of swap \
         chain 1 saves {saving:.3} GB/s of memory traffic and {copy:.3} ms of copy time per frame. Latency "
    );
    let found = present["verdict"]["advice"].as_str().unwrap_or_default();
    assert!(found.starts_with(&advice), "{found}");
    let text = taut.stdout(&["analyze", "twocopy.taut", "--report", "present"]);
    assert!(text.contains("CAP: The display adapter's driver reports cross-adapter tier 1 (copies) or 2"), "{text}");
}

#[test]
fn a_capture_without_adapters_states_the_assumption_and_a_machine_to_try() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let capture = testdata("presents/test_case_5.csv");
    let recorded = taut.stdout(&["record", &capture.to_string_lossy(), "-o", "one.taut"]);
    let note =
        "the capture does not name adapters (no column HybridPresent): one adapter is assumed; --machine hybrid-laptop";
    assert!(recorded.contains(note), "{recorded}");
    let report: Value =
        serde_json::from_str(&taut.stdout(&["analyze", "one.taut", "--report", "present", "--json"])).expect("JSON");
    let advice = report["reports"]["present"]["verdict"]["advice"].as_str().unwrap_or_default();
    assert!(advice.contains("record the capture again with `--machine hybrid-laptop`"), "{advice}");
    assert!(!taut.stdout(&["analyze", "one.taut", "--report", "present"]).contains("HybridPresent is 1"));
    // A workload that names its adapters has no such note.
    record_game(&taut, "igpu-tier3+dgpu", "caso.taut");
    assert!(!taut.stdout(&["analyze", "caso.taut", "--report", "present"]).contains("does not name adapters"));
}

/// Writes a capture of 60 frames whose column HybridPresent has `hybrid`; returns its path.
fn hybrid_capture(folder: &std::path::Path, hybrid: u32) -> String {
    let mut text = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,AllowsTearing,PresentMode,TimeInMs,\
                    MsUntilRenderComplete,MsUntilDisplayed,HybridPresent\n"
        .to_owned();
    for frame in 0..60 {
        let at_ms = 1000.0 + f64::from(frame) * 1000.0 / 60.0;
        text += &format!("game.exe,7,0x10,DXGI,1,0,Hardware: Independent Flip,{at_ms:.4},3,16,{hybrid}\n");
    }
    let path = folder.join(format!("hybrid{hybrid}.csv"));
    std::fs::write(&path, text).expect("a capture");
    path.display().to_string()
}

#[test]
fn a_capture_with_hybrid_presents_states_that_the_tier_is_assumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let crossing = hybrid_capture(folder.path(), 1);
    for (drivers, tier) in [(None, "tier 3"), (Some("igpu-tier1+dgpu"), "tier 1")] {
        let drivers: Vec<&str> = drivers.into_iter().flat_map(|drivers| ["--driver", drivers]).collect();
        let run = taut.run(&[&["record", crossing.as_str(), "-o", "h.taut", "--force"], &drivers[..]].concat());
        assert!(words(&run.stdout).contains("--driver and --machine decide the number of copies"), "{}", run.stdout);
        let text = words(&taut.stdout(&["analyze", "h.taut", "--report", "present"]));
        let assumption =
            format!("cross-adapter {tier} of the display adapter's driver is an assumption of the recording");
        assert!(text.contains(&assumption), "{text}");
        assert!(text.contains("`--driver` or `--machine` decide the number of copies"), "{text}");
    }
    // Frames that do not cross adapters need no tier.
    let own = hybrid_capture(folder.path(), 0);
    taut.run(&["record", &own, "-o", "own.taut"]);
    assert!(!taut.stdout(&["analyze", "own.taut", "--report", "present"]).contains("assumption"));
}

#[test]
fn a_capture_needs_drivers_with_a_kernel_mode_driver() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let capture = testdata("presents/test_case_5.csv");
    let capture = capture.to_string_lossy();
    for (drivers, named, instead) in
        [("reference", "reference", "dgpu"), ("igpu-tier3+legacy", "legacy", "igpu-tier3+dgpu")]
    {
        let run = taut.run(&["record", &capture, "--driver", drivers, "-o", "none.taut"]);
        let message = format!("--driver {drivers}: {named} has no kernel-mode driver");
        assert_eq!((run.code, run.stderr.contains(&message)), (2, true), "{}", run.stderr);
        assert!(run.stderr.contains(&format!("use --driver {instead}")), "{}", run.stderr);
        assert!(!folder.path().join("none.taut").exists());
    }
}

#[test]
fn a_quiet_recording_of_a_capture_prints_only_losses() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let capture = testdata("presents/test_case_5.csv");
    let run = taut.run(&["record", &capture.to_string_lossy(), "-q", "-o", "q.taut"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
    // Frames that the capture shows 13 ms after the end of their GPU work, with tearing, differ from the model.
    let text = std::fs::read_to_string(hybrid_capture(folder.path(), 0)).expect("a capture");
    std::fs::write(folder.path().join("late.csv"), text.replace(",1,0,Hardware", ",0,1,Hardware")).expect("a capture");
    let run = taut.run(&["record", "late.csv", "-q", "-o", "late.taut"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("recorded late.taut: 0 of 60 presents as in the capture"), "{}", run.stderr);
}
