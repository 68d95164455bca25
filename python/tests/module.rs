//! Tests of the Python module: the built library next to the package's files, under pytest.
//!
//! `.ci/clients` installs a Python interpreter with pytest and the libraries that read Arrow streams; `TAUT_DUCKDB_PYTHON`
//! names it. Without pytest, the test is skipped with a message; tests of a missing library are skipped by pytest.
#![allow(clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Folder of this crate.
const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// Interpreter with pytest; `None` if there is none.
fn python() -> Option<PathBuf> {
    let of_clients = Path::new(CRATE).join("../target/clients/bin/python");
    let named = std::env::var_os("TAUT_DUCKDB_PYTHON").map(PathBuf::from);
    let has_pytest = |python: &PathBuf| {
        Command::new(python).args(["-c", "import pytest"]).output().is_ok_and(|output| output.status.success())
    };
    named.into_iter().chain([of_clients, PathBuf::from("python3")]).find(has_pytest)
}

/// Folder of the test's program, which cargo builds the library into.
fn built() -> PathBuf {
    let program = std::env::current_exe().expect("the test has a path");
    program.parent().expect("the test is in a folder").to_owned()
}

fn library() -> PathBuf {
    let prefix = if cfg!(windows) { "" } else { "lib" };
    built().join(format!("{prefix}taut_python{}", std::env::consts::DLL_SUFFIX))
}

/// Copies the files of a folder.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder can be created");
    for entry in std::fs::read_dir(from).expect("the folder can be read").flatten() {
        if entry.path().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).expect("a file can be copied");
        }
    }
}

#[test]
fn the_package_passes_its_tests() {
    let Some(python) = python() else {
        eprintln!("skipped: no Python interpreter with pytest (.ci/clients installs one)");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder can be created");
    let package = folder.path().join("tautline");
    copy(&Path::new(CRATE).join("tautline"), &package);
    copy(&Path::new(CRATE).join("tests"), &folder.path().join("tests"));
    let suffix = if cfg!(windows) { "_tautline.pyd" } else { "_tautline.abi3.so" };
    std::fs::copy(library(), package.join(suffix)).expect("cargo has built the library");
    let programs = built().join("..");
    let status = Command::new(python)
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs", "tests"])
        .current_dir(folder.path())
        .env("PYTHONPATH", folder.path())
        .env("TAUTLINE_ROOT", Path::new(CRATE).join(".."))
        .env("TAUTLINE_PROGRAM", programs.join(format!("taut{}", std::env::consts::EXE_SUFFIX)))
        .status()
        .expect("python starts");
    assert!(status.success(), "pytest: {status}");
}
