//! Tests of disabled providers: recorded events, and replays without them.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use taut::Taut;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Records with these providers, and returns the result of `info`.
fn recorded(taut: &Taut, providers: &str, file: &str) -> Value {
    let line = ["record", "game-session", "--set", "frames=40", "--threads", "2", "--providers", providers, "-o", file];
    taut.stdout(&line);
    json(&taut.stdout(&["info", file, "--verify", "--json"]))
}

#[test]
fn without_ddi_calls_the_rest_is_compared_and_the_text_states_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let all = recorded(&taut, "api,ddi,task,memory", "all.taut");
    let some = recorded(&taut, "task,api,memory", "some.taut");
    assert!(all["providers"]["ddi"].as_u64() > Some(0) && some["providers"]["ddi"] == 0, "{some}");
    assert!(some["providers"]["api"].as_u64() > Some(0) && some["providers"]["task"].as_u64() > Some(0), "{some}");
    assert_eq!(some["recorded_providers"], serde_json::json!(["api", "task", "memory"]));
    assert!(taut.stdout(&["info", "some.taut"]).contains("not recorded: ddi"));
    assert!(!taut.stdout(&["info", "all.taut"]).contains("not recorded"));
    let whole = json(&taut.stdout(&["replay", "all.taut", "--json"]));
    assert_eq!((&whole["identical"], &whole["not_recorded"]), (&true.into(), &0.into()));
    let rest = json(&taut.stdout(&["replay", "some.taut", "-o", "again.taut", "--json"]));
    assert_eq!(rest["identical"], true, "{rest}");
    assert!(rest["not_recorded"].as_u64() > Some(0), "{rest}");
    let report_text = taut.stdout(&["replay", "some.taut"]);
    assert!(
        report_text.contains("their providers were not recorded")
            && report_text.contains("everything that was recorded")
    );
    // The trace of the replay has the calls that the recording lacks.
    let rewritten = json(&taut.stdout(&["info", "again.taut", "--verify", "--json"]));
    assert!(rewritten["providers"]["ddi"].as_u64() > Some(0), "{rewritten}");
    let twice = json(&taut.stdout(&["replay", "again.taut", "--json"]));
    assert_eq!((&twice["identical"], &twice["not_recorded"]), (&true.into(), &0.into()));
}

#[test]
fn without_its_inputs_nothing_is_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    for (providers, lacking) in [("ddi,task,memory", "api"), ("api,ddi", "task"), ("memory", "api")] {
        let info = recorded(&taut, providers, "x.taut");
        assert_eq!(info["providers"][lacking], 0, "{info}");
        let run = taut.run(&["replay", "x.taut"]);
        assert_eq!(run.code, 3, "{}", run.stderr);
        assert!(
            run.stderr.contains(&format!("without {lacking}")) && run.stderr.lines().count() == 1,
            "{}",
            run.stderr
        );
        for line in [&["analyze", "x.taut"][..], &["dump", "x.taut"]] {
            let run = taut.run(line);
            assert!(run.code == 0 || run.code == 3, "{line:?}: {}", run.stderr);
        }
    }
}

#[test]
fn an_unknown_provider_is_reported_with_the_known_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = Taut::new(folder.path()).run(&["record", "small-level", "--providers", "api,dd"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("ddi"), "{}", run.stderr);
}
