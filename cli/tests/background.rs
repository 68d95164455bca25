//! The report on background processing, as a user asks for it: of a tool that plays one frame until the driver has learned
//! enough, and of a driver that never has.
#![allow(clippy::expect_used)]

mod taut;

use serde_json::Value;
use taut::Taut;

fn figures(taut: &Taut, file: &str) -> Value {
    let text = taut.stdout(&["analyze", file, "--report", "pgo", "--json"]);
    let document: Value = serde_json::from_str(&text).expect("JSON");
    document["reports"]["pgo"].clone()
}

const BUDGET: &str = "limits = [\"pgo.converged == true\", \"pgo.audits_failed == 0\"]\n";

#[test]
fn s3_the_loop_of_the_document_converges_and_keeps_every_rule() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    std::fs::write(folder.path().join("limits.toml"), BUDGET).expect("a budget");
    for text in ["corrected", "verbatim"] {
        let set = format!("text={text}");
        taut.stdout(&["record", "pix-single-frame", "--set", &set, "-o", "pix.taut"]);
        let found = figures(&taut, "pix.taut");
        assert_eq!(found["converged"], true, "{text}: {found}");
        assert!(found["passes"].as_u64() > Some(0) && found["variants"].as_u64() > Some(0), "{found}");
        assert_eq!(found["tasks_finished"], found["tasks_queued"], "{found}");
        let audits = found["audits"].as_array().expect("audits");
        let broken: Vec<&Value> = audits.iter().filter(|audit| audit["ok"] != true && audit["lint"] == false).collect();
        assert!(audits.len() > 8 && broken.is_empty(), "{broken:#?}");
        let checked = taut.run(&["analyze", "pix.taut", "--report", "pgo", "--budget", "limits.toml"]);
        assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
        assert!(checked.stdout.contains("was that it wants no further measurements"), "{}", checked.stdout);
    }
}

#[test]
fn b40_a_driver_that_never_converges_breaks_a_budget_that_demands_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    std::fs::write(folder.path().join("limits.toml"), BUDGET).expect("a budget");
    taut.stdout(&["record", "pix-single-frame", "--driver", "faulty-never-converges", "-o", "never.taut"]);
    assert_eq!(figures(&taut, "never.taut")["converged"], false);
    let run = taut.run(&["analyze", "never.taut", "--report", "pgo", "--budget", "limits.toml"]);
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("was that it wants further measurements"), "{}", run.stdout);
}

#[test]
fn a_shader_of_ones_own_is_optimised_and_a_wrong_one_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let glow = include_str!("../../testdata/glow.toml");
    std::fs::write(folder.path().join("glow.toml"), glow).expect("a shader");
    taut.stdout(&["record", "pix-single-frame", "--set", "shader=glow.toml", "-o", "glow.taut"]);
    let found = figures(&taut, "glow.taut");
    assert!(found["converged"] == true && found["variants"].as_u64() > Some(0), "{found}");
    taut.stdout(&["replay", "glow.taut"]);
    std::fs::write(folder.path().join("glow.toml"), glow.replace("a = 11", "a = 13")).expect("a shader");
    let run = taut.run(&["record", "pix-single-frame", "--set", "shader=glow.toml", "-o", "wrong.taut"]);
    assert_eq!(run.code, 2, "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("glow.toml:28:5: instruction 11: %13 is not defined here"), "{}", run.stderr);
    assert!(!folder.path().join("wrong.taut").exists());
}

#[test]
fn a_trace_without_background_processing_has_nothing_to_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut::recorded(&taut);
    let text = taut.stdout(&["analyze", "level.taut", "--report", "pgo"]);
    assert!(text.contains("nothing to report"), "{text}");
}
