//! The program with the command lines that `taut` passes.
#![allow(clippy::expect_used)]

use std::path::Path;
use std::process::Command;

/// A recording in the repository.
fn trace() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/pix-single-frame.taut");
    path.to_string_lossy().into_owned()
}

#[test]
fn the_program_accepts_the_command_lines_of_taut() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_taut-tables"))
            .env("TAUT_CACHE", "")
            .args(arguments)
            .output()
            .expect("it runs");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let counted = run(&["query", &trace(), "SELECT count(*) AS records FROM events", "--format", "csv"]);
    let records: u64 = counted.lines().nth(1).expect("a row").parse().expect("a number");
    assert!(records > 0);
    let groups = || run(&["query", &trace(), "SELECT name, count(*) FROM events GROUP BY name", "--format", "csv"]);
    assert_eq!(groups(), groups(), "groups come in one order");
    let explained = run(&["query", &trace(), "SELECT max(stamp) AS last FROM events WHERE stamp > 5", "--explain"]);
    let names: Vec<&str> = explained.lines().map_while(|line| Some(line.split_once(": ")?.0)).collect();
    assert_eq!(names, ["stamp_range", "partial_aggregate"], "{explained}");
    let folder = tempfile::tempdir().expect("a folder");
    let lake = folder.path().join("lake");
    run(&["export", &trace(), "--to", "parquet", "-o", &lake.to_string_lossy()]);
    assert!(lake.join("calls").is_dir());
}
