//! Tests of the report on background processing: of a tool that plays one frame until the driver has converged, and of
//! a driver that never converges.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use taut::Taut;

fn figures(taut: &Taut, file: &str) -> Value {
    let text = taut.stdout(&["analyze", file, "--report", "pgo", "--json"]);
    let document: Value = serde_json::from_str(&text).expect("JSON");
    document["reports"]["pgo"].clone()
}

/// Joins the lines of a text that was folded.
fn unfolded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const BUDGET: &str = "limits = [\"pgo.fit_to_measure == true\", \"pgo.audits_failed == 0\"]\n";

#[test]
fn s3_the_loop_of_the_document_converges_and_keeps_every_rule() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    std::fs::write(folder.path().join("limits.toml"), BUDGET).expect("a budget");
    for text in ["corrected", "verbatim"] {
        let set = format!("text={text}");
        taut.stdout(&["record", "pix-single-frame", "--set", &set, "-o", "pix.taut", "--force"]);
        let found = figures(&taut, "pix.taut");
        assert_eq!(found["fit_to_measure"], true, "{text}: {found}");
        assert!(found["mode_calls"].as_u64() > Some(0) && found["variants"].as_u64() > Some(0), "{found}");
        assert_eq!(found["tasks_finished"], found["tasks_queued"], "{found}");
        let audits = found["audits"].as_array().expect("audits");
        let broken: Vec<&Value> = audits.iter().filter(|audit| audit["ok"] != true && audit["lint"] == false).collect();
        assert!(audits.len() > 8 && broken.is_empty(), "{broken:#?}");
        let checked = taut.run(&["analyze", "pix.taut", "--report", "pgo", "--budget", "limits.toml"]);
        assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
        assert!(checked.stdout.contains("The run is stable"), "{}", checked.stdout);
    }
}

#[test]
fn b40_a_driver_that_never_converges_breaks_a_budget_that_demands_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    std::fs::write(folder.path().join("limits.toml"), BUDGET).expect("a budget");
    taut.stdout(&["record", "pix-single-frame", "--driver", "faulty-never-converges", "-o", "never.taut"]);
    assert_eq!(figures(&taut, "never.taut")["unfit"]["cause"], "desires_more");
    let run = taut.run(&["analyze", "never.taut", "--report", "pgo", "--budget", "limits.toml"]);
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("still requests measurements after pass"), "{}", run.stdout);
}

/// As published, the sequence stays in the intrusive mode and waits for nothing: the driver must not report that it is
/// done before it has found all variants.
#[test]
fn s2_a_benchmark_is_not_called_fit_while_variants_come_inside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    for (text, fit) in [("verbatim", None), ("corrected", Some(true)), ("2019", Some(false))] {
        let set = format!("text={text}");
        taut.stdout(&[
            "record",
            "benchmark-priming",
            "--set",
            &set,
            "--set",
            "frames=32",
            "-o",
            "prime.taut",
            "--force",
        ]);
        let found = figures(&taut, "prime.taut");
        let (passes, last) = (found["by_pass"].as_array().expect("passes"), found["mode_calls"].as_u64());
        let late = passes.iter().filter(|pass| pass["pass"].as_u64() >= last && pass["opportunities"] != 0).count();
        if text != "2019" {
            assert_eq!(late, 0, "nothing is found inside the benchmark: {found}");
        }
        let strict = taut.stdout(&["analyze", "prime.taut", "--report", "pgo", "--fit-frames", "1000", "--json"]);
        assert!(strict.contains("\"fit_to_measure\": false"), "{strict}");
        if let Some(fit) = fit {
            assert_eq!(found["fit_to_measure"], fit, "{text}: {}", found["unfit"]);
        }
    }
}

/// With another driver its own tasks run, on workers of the replay; without tasks, the text does not mention any.
#[test]
fn a_what_if_runs_background_tasks_and_its_header_has_the_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut.stdout(&["record", "pix-single-frame", "-o", "pix.taut", "--force"]);
    let other = taut.stdout(&["replay", "pix.taut", "--driver", "faulty-never-converges", "-o", "other.taut"]);
    let expected = "of this driver's own, 7 when recorded: tasks on 4 workers at";
    assert!(unfolded(&other).contains(expected), "{other}");
    let found = figures(&taut, "other.taut");
    assert_eq!(found["recorded_task_starts"], false);
    assert!(found["tasks_finished"].as_u64() > Some(7) && found["fit_to_measure"] == false, "{found}");
    assert!(taut.stdout(&["replay", "other.taut"]).contains("identical"));
    let command = ["replay", "pix.taut", "--workers", "1", "--task-ns", "250", "-o", "one.taut", "--json"];
    let json: Value = serde_json::from_str(&taut.stdout(&command)).expect("JSON");
    let model = serde_json::json!({"workers": 1, "ns_per_instruction": 250, "times": "explicit"});
    assert_eq!((&json["task_model"], &json["tasks"], &json["recorded_tasks"]), (&model, &7.into(), &7.into()));
    let header: Value = serde_json::from_str(&taut.stdout(&["info", "one.taut", "--json"])).expect("JSON");
    assert!(header.to_string().contains("\"ns_per_instruction\":250"), "{header}");
    // The optimiser is the same and only the memory layout differs, so the tasks are the recorded ones.
    let same = taut.stdout(&["replay", "pix.taut", "--tight", "on", "-o", "same.taut"]);
    assert!(!unfolded(&same).contains(expected), "{same}");
    assert_eq!(figures(&taut, "same.taut")["fit_to_measure"], true);
    assert!(taut.stdout(&["replay", "pix.taut"]).contains("the work of 7 background tasks done again"));
    taut.stdout(&["replay", "pix.taut", "--driver", "legacy", "-o", "legacy.taut"]);
    let replayed = taut.stdout(&["replay", "legacy.taut"]);
    assert!(!replayed.contains("done again") && replayed.contains("identical"), "{replayed}");
}

#[test]
fn a_sweep_reports_and_draws_the_result_of_each_value() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    // Tasks have idle priority: beside busy processors, a recording may end before its first task does.
    let mut attempts = 0..10;
    loop {
        taut.stdout(&["record", "mode-storm", "--threads", "2", "-o", "storm.taut", "--force"]);
        if figures(&taut, "storm.taut")["variants"].as_u64() > Some(0) || attempts.next().is_none() {
            break;
        }
    }
    let sweep = "max_variants_per_pipeline=4,1,2";
    let line = ["replay", "storm.taut", "--sweep", sweep, "--picture", "sweep.svg"];
    let text = taut.stdout(&line);
    assert!(text.contains("3 values of max_variants_per_pipeline tried"), "{text}");
    let json: Value = serde_json::from_str(&taut.stdout(&[&line[..], &["--json"]].concat())).expect("JSON");
    let settings = json["settings"].as_array().expect("settings");
    let values: Vec<_> = settings.iter().filter_map(|setting| setting["value"].as_u64()).collect();
    assert_eq!(values, [1, 2, 4]);
    // A value of a sweep has the figures of a what-if with such a driver.
    let profile = taut.stdout(&["drivers", "reference"]);
    let other = profile.replace("[background]\n", "[background]\nmost_variants_per_pipeline = 1\n");
    std::fs::write(folder.path().join("one.toml"), other).expect("a profile");
    taut.stdout(&["replay", "storm.taut", "--driver", "one.toml", "-o", "one.taut"]);
    let found = figures(&taut, "one.taut");
    for key in ["fit_to_measure", "variants", "tasks_finished", "variant_draw_ratio", "saving_ratio", "discarded"] {
        assert_eq!(settings[0][key], found[key], "{key}");
    }
    assert!(found["variants"].as_u64() > Some(0), "{found}");
    let svg = std::fs::read_to_string(folder.path().join("sweep.svg")).expect("the picture");
    assert!(svg.starts_with("<svg") && svg.matches("<circle").count() == 12, "{svg}");
    for (sweep, expected) in
        [("n_mim=5", "did you mean n_min?"), ("n_min=0", "expected at least 1"), ("n_min", "KEY=VALUE")]
    {
        let run = taut.run(&["replay", "storm.taut", "--sweep", sweep]);
        assert!(run.code == 2 && run.stderr.contains(expected), "{}", run.stderr);
    }
}

#[test]
fn a_user_shader_is_optimised_and_an_invalid_one_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let glow = include_str!("../../../testdata/glow.toml");
    std::fs::write(folder.path().join("glow.toml"), glow).expect("a shader");
    taut.stdout(&["record", "pix-single-frame", "--set", "shader=glow.toml", "-o", "glow.taut"]);
    let found = figures(&taut, "glow.taut");
    assert!(found["fit_to_measure"] == true && found["variants"].as_u64() > Some(0), "{found}");
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

#[test]
fn a_sweep_without_effect_says_so_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut.stdout(&["record", "pix-single-frame", "-o", "pix.taut"]);
    let sweep = ["replay", "pix.taut", "--sweep", "n_min=1,200"];
    let text = unfolded(&taut.stdout(&sweep));
    assert!(text.contains("n_min has no effect on this recording: all 2 rows are equal."), "{text}");
    assert!(
        text.contains("a commit treats n_min, stable_windows, first_tier_cost, measured_draws as reached"),
        "{text}"
    );
    let json: Value = serde_json::from_str(&taut.stdout(&[&sweep[..], &["--json"]].concat())).expect("JSON");
    assert!(json["no_effect"].is_string(), "{json}");
    let differs = unfolded(&taut.stdout(&["replay", "pix.taut", "--sweep", "max_variants_per_pipeline=1,4"]));
    let equal = differs.contains("has no effect");
    let json: Value = serde_json::from_str(&taut.stdout(&[
        "replay",
        "pix.taut",
        "--sweep",
        "max_variants_per_pipeline=1,4",
        "--json",
    ]))
    .expect("JSON");
    let settings = json["settings"].as_array().expect("settings");
    let figures = |place: usize| {
        let mut figures = settings[place].clone();
        figures["value"] = Value::Null;
        figures
    };
    assert_eq!(figures(0) == figures(1), equal, "{differs}");
}

#[test]
fn a_what_if_under_another_driver_begins_with_what_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut.stdout(&["record", "pix-single-frame", "-o", "pix.taut"]);
    let same = unfolded(&taut.stdout(&["replay", "pix.taut", "--driver", "reference"]));
    let expected = "pix.taut: driver reference in place of reference; its profile is the recorded one nothing changes: no size, \
                    result, task or present differs from the recording";
    assert!(same.starts_with(expected), "{same}");
    let profile = taut.stdout(&["drivers", "reference"]);
    let other = profile.replace("[background]\n", "[background]\nmax_variants_per_pipeline = 1\nlevels = 2\n");
    std::fs::write(folder.path().join("mine.toml"), other).expect("a profile");
    let changed = ["replay", "pix.taut", "--driver", "mine.toml"];
    let text = unfolded(&taut.stdout(&changed));
    assert!(text.contains("differs in background.levels 1 → 2, background.max_variants_per_pipeline 4 → 1"), "{text}");
    let json: Value = serde_json::from_str(&taut.stdout(&[&changed[..], &["--json"]].concat())).expect("JSON");
    assert_eq!(json["profile_changes"].as_array().map(Vec::len), Some(2), "{json}");
    // Without an output the tasks are compared as well, and equal those of the written trace.
    let live = &json["task_comparison"]["live"];
    taut.stdout(&["replay", "pix.taut", "--driver", "mine.toml", "-o", "mine.taut"]);
    let found = figures(&taut, "mine.taut");
    for key in ["variants", "tasks_finished", "variant_draw_ratio", "saving_ratio"] {
        assert_eq!(live[key], found[key], "{key}");
    }
}

#[test]
fn a_driver_is_listed_with_every_background_key_and_its_value() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let text = taut.stdout(&["drivers", "reference"]);
    let page = include_str!("../../../docs/settings.md");
    let (_, keys) = page.split_once("## `[background]`").expect("the table of keys");
    let names: Vec<&str> = keys.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        assert!(text.contains(&format!("# {name} = ")), "{name}: {text}");
    }
    assert!(!taut.stdout(&["drivers", "legacy"]).contains("n_min"));
}
