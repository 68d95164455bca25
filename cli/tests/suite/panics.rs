//! Test of a driver model that panics: the result of the command reports it, and the panic hook prints nothing.
#![allow(clippy::expect_used)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn run(folder: &Path, arguments: &[&str], backtrace: &str) -> Output {
    let command = Command::new(env!("CARGO_BIN_EXE_taut"))
        .args(arguments)
        .current_dir(folder)
        .env("RUST_BACKTRACE", backtrace)
        .output();
    command.expect("the binary runs")
}

#[test]
fn a_panic_of_a_driver_model_is_reported_only_in_the_result() {
    let folder = tempfile::tempdir().expect("a folder");
    let sound = run(folder.path(), &["drivers", "reference"], "0").stdout;
    let faults = "\n[faults]\npanics_in = \"CreateHeapAndResource\"\npanics_at_call = 40\n";
    let profile = String::from_utf8(sound).expect("UTF-8") + faults;
    fs::write(folder.path().join("panics.toml"), profile).expect("a profile");
    let record = ["record", "small-level", "--threads", "1", "--driver", "panics.toml", "-o", "x.taut"];
    for (arguments, code) in [(&record[..], 1), (&["replay", "x.taut"], 0)] {
        let output = run(folder.path(), arguments, "0");
        let output_text =
            String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert!(!output_text.contains(".rs:") && !output_text.contains("thread '"), "{arguments:?}: {output_text}");
        assert_eq!(code == 0, output.status.success(), "{arguments:?}: {output_text}");
        assert!(arguments[0] == "replay" || output_text.contains("panic"), "{arguments:?}: {output_text}");
    }
    // RUST_BACKTRACE requests the location of the panic.
    let forced = [&record[..], &["--force"]].concat();
    let with_backtrace = String::from_utf8_lossy(&run(folder.path(), &forced, "1").stderr).into_owned();
    assert!(with_backtrace.contains(".rs:"), "{with_backtrace}");
}
