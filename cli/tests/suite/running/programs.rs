//! Unmodified OpenGL programs on Mesa's Direct3D 12 driver: each ends as on other drivers, is supported and replays.

use super::{assert_replays, has_mesa, in_folder, is_installed, run_with_display};
use crate::taut::Taut;
use std::process::Command;

/// Asserts that the report `client` of a trace names no method that is not executed.
fn assert_supported(taut: &Taut, trace: &str) {
    let report = taut.stdout(&["analyze", trace, "--report", "client", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    let client = &report["reports"]["client"];
    assert_eq!(client["unsupported"], serde_json::json!([]), "{trace}");
    assert!(client["total_calls"].as_u64() > Some(0), "{trace}");
}

/// Programs of mesa-utils; those that run without an end are terminated after a second.
#[test]
fn programs_of_mesa_utils_run_and_replay() {
    if !has_mesa("programs_of_mesa_utils") {
        return;
    }
    in_folder(|taut| {
        for (program, code) in
            [("es2_info", 0), ("es2gears_x11", 143), ("glxheads", 143), ("es2tri", 143), ("glxdemo", 143)]
        {
            if !is_installed("programs_of_mesa_utils", program, "mesa-utils") {
                continue;
            }
            let script = match code {
                0 => format!("{program} >/dev/null"),
                _ => format!("{program} >/dev/null & sleep 1; kill $!; wait $!"),
            };
            let trace = format!("{program}.taut");
            let run = run_with_display(taut, &["run", "-o", &trace, "--gl", "--", "sh", "-c", &script]);
            assert_eq!(run.code, code, "{program}: {}", run.stderr);
            assert_replays(taut, &trace, &run);
            assert_supported(taut, &trace);
        }
    });
}

/// Scenes of glmark2. Those of shadow and refract need true answers about formats.
const SCENES: [&str; 10] =
    ["build", "texture", "shading", "bump", "effect2d", "pulsar", "desktop", "ideas", "shadow", "refract"];

#[test]
fn ten_scenes_of_glmark2_run_and_replay() {
    let test = "ten_scenes_of_glmark2";
    if !has_mesa(test) || !is_installed(test, "glmark2", "glmark2-x11") {
        return;
    }
    in_folder(|taut| {
        let scenes = SCENES.map(|scene| format!("{scene}:duration=0.5"));
        let mut words = vec!["run", "-o", "mark.taut", "--gl", "--", "glmark2", "--size", "200x200"];
        scenes.iter().for_each(|scene| words.extend(["-b", scene]));
        let run = run_with_display(taut, &words);
        assert_eq!(run.code, 0, "{}", run.stderr);
        for scene in SCENES {
            let line = run.stdout.lines().find(|line| line.starts_with(&format!("[{scene}]")));
            assert!(line.is_some_and(|line| line.contains("FPS:")), "{scene}: {}", run.stdout);
        }
        assert_replays(taut, "mark.taut", &run);
        assert_supported(taut, "mark.taut");
    });
}

/// The pixels that glReadPixels returns after glClear are of the color, although no draw is executed.
#[test]
fn pixels_after_a_clear_have_its_color() {
    let test = "pixels_after_a_clear";
    if !has_mesa(test) || !is_installed(test, "gcc", "gcc") {
        return;
    }
    in_folder(|taut| {
        let source = format!("{}/tests/suite/running/clear.c", env!("CARGO_MANIFEST_DIR"));
        let mut compiler = Command::new("gcc");
        compiler.args(["-o", "clear", &source, "-ldl"]).current_dir(taut.folder());
        assert!(compiler.status().expect("gcc runs").success());
        let run = run_with_display(taut, &["run", "-o", "clear.taut", "--gl", "--", "./clear"]);
        assert_eq!((run.code, run.stdout.as_str()), (0, "255 128 0, 0 wrong\n"), "{}", run.stderr);
        assert_replays(taut, "clear.taut", &run);
        assert_supported(taut, "clear.taut");
        assert!(run.stderr.contains("The trace represents the program's calls on a GPU"), "{}", run.stderr);
    });
}

/// TAUT_KILLS sets the number of programs.
#[test]
fn programs_killed_at_random_moments_leave_traces_that_replay() {
    if !has_mesa("programs_killed_at_random_moments") {
        return;
    }
    let kills: u64 = std::env::var("TAUT_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(10);
    in_folder(|taut| {
        for kill in 0..kills {
            // A linear congruential generator is random enough for moments.
            let moment = kill.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407) >> 33;
            // The first calls come a quarter of a second after the start.
            let ms = 200 + moment % 900;
            let script = format!("glxgears >/dev/null & sleep {}.{:03}; kill -9 $!; wait $!", ms / 1000, ms % 1000);
            let trace = format!("{kill}.taut");
            let run = run_with_display(taut, &["run", "-o", &trace, "--gl", "--", "sh", "-c", &script]);
            assert_eq!(run.code, 137, "{script}: {}", run.stderr);
            // A program that is killed before its first call leaves an empty trace.
            if !run.stderr.contains("made no Direct3D call") {
                assert_replays(taut, &trace, &run);
            }
            std::fs::remove_file(taut.folder().join(&trace)).expect("the trace");
        }
    });
}
