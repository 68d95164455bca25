//! Text files with the line ends of Windows: read as those with line feeds alone.

use crate::program::{repository, run, succeed};
use std::path::Path;

/// Copies a file of the repository into both folders, into the second with CRLF.
fn copy(from: &str, folders: [&Path; 2]) {
    let path = repository(from);
    let text = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let name = path.file_name().unwrap();
    std::fs::write(folders[0].join(name), &text).unwrap();
    std::fs::write(folders[1].join(name), text.replace('\n', "\r\n")).unwrap();
}

#[test]
fn toml_csv_and_json_files_with_crlf_mean_the_same() {
    let (lf, crlf) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folders = [lf.path(), crlf.path()];
    for file in [
        "examples/driver.toml",
        "examples/benchmark.toml",
        "examples/limits.toml",
        "examples/presents.csv",
        "examples/cases.json",
        "examples/allocator-dump.json",
        "testdata/buffer-uses.jsonl",
        "testdata/materials.toml",
    ] {
        copy(file, folders);
    }
    for arguments in [
        &[
            "record",
            "small-level",
            "--threads",
            "1",
            "--driver",
            "driver.toml",
            "--clock",
            "logical",
            "-o",
            "a.taut",
            "-q",
        ][..],
        &["record", "presents.csv", "--clock", "logical", "-o", "b.taut", "-q"],
        &["record", "allocator-dump.json", "--clock", "logical", "-o", "c.taut", "-q"],
        &["record", "buffer-uses.jsonl", "--clock", "logical", "-o", "d.taut", "-q"],
        &["record", "small-level", "--threads", "1", "--clock", "logical", "-o", "e.taut", "-q"],
        // Its background tasks begin at moments of their own.
        &["record", "benchmark.toml", "--clock", "logical", "-o", "f.taut", "-q"],
        &["analyze", "a.taut", "--report", "alignment", "--json"],
        &["analyze", "b.taut", "--report", "present", "--json"],
        &["analyze", "c.taut", "--report", "alignment", "--json"],
        &["analyze", "d.taut", "--report", "alignment", "--json"],
        &["analyze", "e.taut", "--report", "alignment", "--budget", "limits.toml", "--json"],
        &["hlk", "--driver", "driver.toml", "--json"],
        &["hlk", "--cases", "cases.json", "--json"],
    ] {
        let [lf, crlf] = folders.map(|folder| run(folder, arguments));
        assert!(matches!(lf.code, Some(0 | 1)), "{arguments:?}: {lf:?}");
        assert_eq!((lf.code, &lf.stdout), (crlf.code, &crlf.stdout), "{arguments:?}: {}", crlf.stderr);
    }
}

#[test]
fn standard_input_and_output_carry_bytes_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["record", "small-level", "--threads", "1", "--clock", "logical", "-o", "x.taut"]);
    let output = crate::program::command(folder.path())
        .args(["record", "small-level", "--threads", "1", "--clock", "logical", "-o", "-"])
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    std::fs::write(folder.path().join("y.taut"), &output.stdout).unwrap();
    succeed(folder.path(), &["diff", "x.taut", "y.taut"]);
    let stdin = std::fs::File::open(folder.path().join("x.taut")).unwrap();
    let info = crate::program::command(folder.path()).args(["info", "-", "--verify"]).stdin(stdin).output().unwrap();
    assert_eq!(info.status.code(), Some(0), "{}", String::from_utf8_lossy(&info.stderr));
    let printed = succeed(folder.path(), &["info", "x.taut"]);
    assert!(!printed.contains('\r'));
}
