//! A driver model that panics: the answer tells it, and nothing else does.
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
fn a_panic_of_a_driver_model_is_told_by_the_answer_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let sound = run(folder.path(), &["drivers", "reference"], "0").stdout;
    let faults = "\n[faults]\npanics_in = \"CreateHeapAndResource\"\npanics_at_call = 40\n";
    let profile = String::from_utf8(sound).expect("UTF-8") + faults;
    fs::write(folder.path().join("panics.toml"), profile).expect("a profile");
    let record = ["record", "small-level", "--threads", "1", "--driver", "panics.toml", "-o", "x.taut"];
    for (arguments, code) in [(&record[..], 1), (&["replay", "x.taut"], 0)] {
        let output = run(folder.path(), arguments, "0");
        let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert!(!said.contains(".rs:") && !said.contains("thread '"), "{arguments:?}: {said}");
        assert_eq!(code == 0, output.status.success(), "{arguments:?}: {said}");
        assert!(arguments[0] == "replay" || said.contains("panic"), "{arguments:?}: {said}");
    }
    // Who wants to know where it came from asks.
    let again = [&record[..], &["--force"]].concat();
    let told = String::from_utf8_lossy(&run(folder.path(), &again, "1").stderr).into_owned();
    assert!(told.contains(".rs:"), "{told}");
}
