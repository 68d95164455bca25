//! Tests of `taut run`: exit codes, complete traces and identical replays of unmodified programs. Programs of other
//! packages are skipped by name where they are not installed.
#![cfg(target_os = "linux")]

use crate::taut::{Run, Taut};
use std::path::Path;
use std::process::Command;

/// Runs `taut run` with these options and words; signals that end a test's process end no other.
fn run(taut: &Taut, words: &[&str]) -> Run {
    let mut all = vec!["run"];
    all.extend(words);
    taut.run(&all)
}

fn in_folder(test: impl FnOnce(&Taut)) {
    let folder = tempfile::tempdir().expect("a folder");
    test(&Taut::new(folder.path()));
}

fn client() -> String {
    format!("{}/tests/suite/running/client.py", env!("CARGO_MANIFEST_DIR"))
}

/// True if a program of this name is installed; reports the skipped test otherwise.
fn is_installed(test: &str, program: &str, package: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&paths).any(|folder| folder.join(program).is_file());
    if !found {
        eprintln!("skipped: {test}: {program} (Debian package {package}) is not installed");
    }
    found
}

fn has_mesa(test: &str) -> bool {
    let driver = Path::new("/usr/lib/x86_64-linux-gnu/dri/d3d12_dri.so");
    if !driver.is_file() {
        eprintln!("skipped: {test}: Mesa's Direct3D 12 driver (Debian package libgl1-mesa-dri) is not installed");
        return false;
    }
    [("xvfb-run", "xvfb"), ("xauth", "xauth"), ("glxinfo", "mesa-utils"), ("glxgears", "mesa-utils")]
        .into_iter()
        .all(|(program, package)| is_installed(test, program, package))
}

/// Runs `taut run --gl` under a display of its own.
fn run_with_display(taut: &Taut, words: &[&str]) -> Run {
    let inner = taut.command(words);
    let mut command = Command::new("xvfb-run");
    command.arg("-a").arg(inner.get_program()).args(inner.get_args()).current_dir(taut.folder());
    command.env("NO_COLOR", "1");
    let output = command.output().expect("xvfb-run runs");
    Run {
        code: output.status.code().expect("an exit code"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn assert_replays(taut: &Taut, trace: &str, run: &Run) {
    assert!(run.stderr.contains("0 lost"), "{}", run.stderr);
    let text = taut.stdout(&["replay", trace]);
    assert!(text.contains("identical"), "{text}");
    assert!(!taut.folder().join(format!("{trace}.live")).exists());
}

#[test]
fn every_end_of_a_program_leaves_a_complete_trace_and_its_exit_code() {
    if !is_installed("every_end_of_a_program", "python3", "python3") {
        return;
    }
    in_folder(|taut| {
        for (end, code) in [("exit", 7), ("_exit", 8), ("abort", 134), ("segv", 139), ("signal", 143), ("fork", 0)] {
            let trace = format!("{end}.taut");
            let run = run(taut, &["-o", &trace, "--", "python3", &client(), end]);
            assert_eq!((run.code, run.stdout.as_str()), (code, "used\n"), "{end}: {}", run.stderr);
            assert!(run.stderr.contains("draws, dispatches and copies are counted, not executed"), "{}", run.stderr);
            assert_eq!(run.stderr.contains("is a copy and is not recorded"), end == "fork", "{}", run.stderr);
            assert_replays(taut, &trace, &run);
        }
    });
}

#[test]
fn an_unsupported_call_is_a_mark_and_ends_a_strict_run() {
    if !is_installed("an_unsupported_call", "python3", "python3") {
        return;
    }
    in_folder(|taut| {
        let loose = run(taut, &["-o", "loose.taut", "--", "python3", &client(), "strict"]);
        assert_eq!(loose.code, 0, "{}", loose.stderr);
        let marks = taut.stdout(&["dump", "loose.taut", "--event", "UnsupportedCall"]);
        assert!(marks.contains("MakeResident") && marks.contains("34"), "{marks}");
        let strict = run(taut, &["-o", "strict.taut", "--strict", "--", "python3", &client(), "strict"]);
        assert_eq!((strict.code, strict.stdout.as_str()), (1, "used\n"), "{}", strict.stderr);
        assert_replays(taut, "strict.taut", &strict);
    });
}

#[test]
fn a_program_without_calls_leaves_an_empty_trace() {
    in_folder(|taut| {
        let plain = run(taut, &["-o", "x.taut", "--", "sh", "-c", "cat; exit 3"]);
        assert_eq!(plain.code, 3, "{}", plain.stderr);
        assert!(plain.stderr.contains("made no Direct3D call"), "{}", plain.stderr);
        assert!(taut.stdout(&["info", "x.taut"]).contains("complete"));
        assert_eq!(run(taut, &["--require-calls", "--force", "-o", "x.taut", "--", "true"]).code, 1);
        let signal = run(taut, &["--force", "-o", "x.taut", "--", "sh", "-c", "kill -9 $$"]);
        assert_eq!(signal.code, 137, "{}", signal.stderr);
    });
}

/// The recorder in the program can write nothing beyond 64 KiB: its trace states the loss, although the program succeeds.
#[test]
fn a_recorder_that_cannot_write_states_the_loss_in_the_trace() {
    if !is_installed("a_recorder_that_cannot_write", "python3", "python3") {
        return;
    }
    in_folder(|taut| {
        let recorded = taut.command(&["run", "-o", "x.taut", "--", "python3", &client(), "_exit"]);
        let mut limited = Command::new("bash");
        limited.args(["-c", "ulimit -f 64; exec \"$@\"", "bash"]).arg(recorded.get_program()).args(recorded.get_args());
        let output = limited.current_dir(taut.folder()).output().expect("bash runs");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(8) && text.contains("an unknown number lost"), "{text}");
        let info = taut.run(&["info", "x.taut"]);
        assert!(info.code == 3 && info.stdout.contains("an unknown number lost"), "{} {}", info.stdout, info.stderr);
        let json = taut.run(&["info", "x.taut", "--json"]).stdout;
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!((&json["complete"], &json["has_unknown_losses"]), (&false.into(), &true.into()));
        let health = taut.run(&["analyze", "x.taut", "--report", "health"]);
        assert!(health.code == 3 && health.stdout.contains("an unknown number of events is lost"), "{}", health.stdout);
        assert_eq!(taut.run(&["replay", "x.taut"]).code, 3);
    });
}

#[test]
fn no_file_is_replaced_without_force() {
    in_folder(|taut| {
        std::fs::write(taut.folder().join("x.taut"), "notes").expect("a file");
        assert_eq!(run(taut, &["-o", "x.taut", "--", "true"]).code, 2);
        taut.stdout(&["record", "small-level", "--set", "frames=1", "-o", "y.taut"]);
        let before = std::fs::read(taut.folder().join("y.taut")).expect("a trace");
        let refused = run(taut, &["-o", "y.taut", "--", "true"]);
        assert!(refused.code == 2 && refused.stderr.contains("--force"), "{}", refused.stderr);
        assert_eq!(std::fs::read(taut.folder().join("y.taut")).expect("a trace"), before);
    });
}

#[test]
fn errors_before_the_start_have_codes_of_their_own() {
    in_folder(|taut| {
        assert_eq!(run(taut, &["-o", "x.taut"]).code, 2);
        assert_eq!(run(taut, &["-o", "x.taut", "--", "./no-such-program"]).code, 127);
        assert_eq!(run(taut, &["-o", "no/folder/x.taut", "--", "true"]).code, 4);
        assert_eq!(run(taut, &["--driver", "no-such", "--", "true"]).code, 2);
        assert!(!taut.folder().join("x.taut").exists());
        let mut headless = taut.command(&["run", "--gl", "--", "true"]);
        let headless = headless.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output().expect("it runs");
        let text = String::from_utf8_lossy(&headless.stderr);
        assert!(headless.status.code() == Some(4) && text.contains("xvfb"), "{text}");
    });
}

#[test]
fn glxinfo_ends_as_on_other_drivers_and_names_the_adapter() {
    if !has_mesa("glxinfo") {
        return;
    }
    in_folder(|taut| {
        let run =
            run_with_display(taut, &["run", "-o", "info.taut", "--gl", "--driver", "peer", "--", "glxinfo", "-B"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains("D3D12 (Taut simulated adapter (peer))"), "{}", run.stdout);
        assert_replays(taut, "info.taut", &run);
    });
}

#[test]
fn a_killed_glxgears_is_replayed() {
    if !has_mesa("glxgears") {
        return;
    }
    in_folder(|taut| {
        let script = "glxgears >/dev/null & sleep 1.5; kill -9 $!; wait $!";
        let run = run_with_display(taut, &["run", "-o", "gears.taut", "--gl", "--", "sh", "-c", script]);
        assert_eq!(run.code, 137, "{}", run.stderr);
        assert_replays(taut, "gears.taut", &run);
    });
}

#[test]
fn each_process_has_a_trace() {
    if !has_mesa("each_process_has_a_trace") {
        return;
    }
    in_folder(|taut| {
        let script = "glxinfo & glxinfo & wait";
        let run = run_with_display(taut, &["run", "-o", "two.taut", "--gl", "--", "sh", "-c", script]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let entries = std::fs::read_dir(taut.folder()).expect("a folder").flatten();
        let traces: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        assert_eq!(traces.len(), 2, "{traces:?}");
        traces.iter().for_each(|trace| assert_replays(taut, trace, &run));
    });
}
