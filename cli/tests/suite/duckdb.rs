//! `taut duckdb`: the program's arguments, exit code and folder. Its answers are tests of the crate `tables`.
#![cfg(unix)]
#![allow(clippy::expect_used)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use taut_testkit::{Run, Taut, testdata};

/// Runs `taut duckdb` with a program of this name in PATH that executes a script.
fn run(folder: &Path, script: &str, arguments: &[&str]) -> Run {
    let program = folder.join("duckdb");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("a script");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
    let trace = testdata("pix-single-frame.taut").to_string_lossy().into_owned();
    let all = [&["duckdb", &trace], arguments].concat();
    let taut = Taut::new(folder);
    let mut command = taut.command(&all);
    command.env("PATH", format!("{}:/usr/bin:/bin", folder.display())).env("TMPDIR", folder);
    Run::of(command.output().expect("the program runs"))
}

fn sessions(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    entries.filter(|name| name.to_string_lossy().starts_with("taut-duckdb-")).count()
}

#[test]
fn the_exit_code_and_the_arguments_of_duckdb_are_passed_on_and_its_files_are_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = r#"echo "$1 $3 $4"; f="${2#.read ?}"; grep -c 'CREATE VIEW "calls"' "${f%?}"; exit 77"#;
    let ended = run(folder.path(), script, &["--", "-json", "file.db"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (77, "-cmd -json file.db\n1\n"), "{}", ended.stderr);
    assert_eq!(sessions(folder.path()), 0);
}

#[test]
fn a_missing_program_is_exit_code_4_with_the_package_that_has_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = testdata("pix-single-frame.taut").to_string_lossy().into_owned();
    let taut = Taut::new(folder.path());
    let mut command = taut.command(&["duckdb", &trace]);
    command.env("PATH", folder.path()).env("TMPDIR", folder.path());
    let ended = Run::of(command.output().expect("the program runs"));
    assert!(ended.code == 4 && ended.stderr.contains("the package duckdb-cli of PyPI has it"), "{}", ended.stderr);
    assert_eq!(sessions(folder.path()), 0);
}
