//! SQL and Parquet by the second program, where it is built.

use crate::program::{command, run, succeed};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

fn is_built() -> bool {
    let name = format!("taut-tables{}", std::env::consts::EXE_SUFFIX);
    let is_built = Path::new(env!("CARGO_BIN_EXE_taut")).with_file_name(name).is_file();
    if !is_built {
        eprintln!("skipped: taut-tables is not built");
    }
    is_built
}

#[test]
fn taut_finds_the_program_for_tables_in_its_own_folder() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["record", "small-level", "--clock", "logical", "-o", "x.taut"]);
    let query = ["query", "x.taut", "SELECT count(*) AS n\r\nFROM resources", "--json"];
    if !is_built() {
        // A copy without the second program beside it states that it is missing.
        let alone = folder.path().join(format!("taut{}", std::env::consts::EXE_SUFFIX));
        std::fs::copy(env!("CARGO_BIN_EXE_taut"), &alone).unwrap();
        let output = std::process::Command::new(&alone)
            .args(query)
            .current_dir(folder.path())
            .env("PATH", "")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(4));
        assert!(String::from_utf8_lossy(&output.stderr).contains("taut-tables"));
        return;
    }
    // Twice: the second query maps the cached tables that the first one wrote.
    let first = run(folder.path(), &query);
    assert_eq!((first.code, first.stdout), (Some(0), run(folder.path(), &query).stdout));
    succeed(folder.path(), &["export", "x.taut", "--to", "parquet", "-o", "lake"]);
    succeed(folder.path(), &["query", "lake", "SELECT count(*) FROM resources"]);
    succeed(folder.path(), &["cache", "clear"]);
}

#[test]
fn the_shell_answers_a_pipe() {
    if !is_built() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["record", "small-level", "--clock", "logical", "-o", "x.taut"]);
    let mut shell =
        command(folder.path()).args(["shell", "x.taut"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    shell.stdin.take().unwrap().write_all(b"SELECT 6 * 7 AS answer;\r\n.quit\r\n").unwrap();
    let output = shell.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("42"));
}
