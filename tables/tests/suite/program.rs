//! The program with the command lines that `taut` passes.
#![allow(clippy::expect_used)]

use taut_testkit::{Taut, testdata};

/// A recording in the repository.
fn trace() -> String {
    testdata("pix-single-frame.taut").to_string_lossy().into_owned()
}

#[test]
fn the_program_accepts_the_command_lines_of_taut() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = Taut::tables(folder.path());
    let run = |arguments: &[&str]| tables.stdout(arguments);
    let counted = run(&["query", &trace(), "SELECT count(*) AS records FROM events", "--format", "csv"]);
    let records: u64 = counted.lines().nth(1).expect("a row").parse().expect("a number");
    assert!(records > 0);
    let groups = || run(&["query", &trace(), "SELECT name, count(*) FROM events GROUP BY name", "--format", "csv"]);
    assert_eq!(groups(), groups(), "groups come in one order");
    let explained = run(&["query", &trace(), "SELECT max(stamp) AS last FROM events WHERE stamp > 5", "--explain"]);
    let names: Vec<&str> = explained.lines().map_while(|line| Some(line.split_once(": ")?.0)).collect();
    assert_eq!(names, ["stamp_range", "partial_aggregate"], "{explained}");
    let lake = folder.path().join("lake");
    run(&["export", &trace(), "--to", "parquet", "-o", &lake.to_string_lossy()]);
    assert!(lake.join("calls").is_dir());
}
