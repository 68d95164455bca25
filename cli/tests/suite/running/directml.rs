//! DirectML: a device, and an operator compiled, initialised and dispatched. Its library is part of the torch-directml wheel.

use super::{assert_replays, in_folder, is_installed, run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Path of the library; reports the skipped test if there is none.
fn library(test: &str) -> Option<PathBuf> {
    let path = std::env::var_os("TAUT_DIRECTML").map(PathBuf::from).filter(|path| path.is_file());
    let has_headers = Path::new("/usr/include/wsl/winadapter.h").is_file();
    if path.is_none() || !has_headers {
        eprintln!("skipped: {test}: no libdirectml.so (TAUT_DIRECTML), or no DirectX-Headers");
    }
    path.filter(|_| has_headers && is_installed(test, "g++", "g++"))
}

#[test]
fn directml_compiles_initialises_and_dispatches_an_operator() {
    let Some(library) = library("directml_compiles_initialises_and_dispatches") else { return };
    in_folder(|taut| {
        let source = format!("{}/tests/suite/running/directml.cpp", env!("CARGO_MANIFEST_DIR"));
        let mut compiler = Command::new("g++");
        compiler.args(["-std=c++17", "-o", "client", &source, "-I/usr/include/wsl/stubs", "-I/usr/include/directx"]);
        compiler.args(["-lDirectX-Guids", "-ldl"]).current_dir(taut.folder());
        assert!(compiler.status().expect("g++ runs").success());
        let library = library.to_string_lossy();
        let run = run(taut, &["-o", "ml.taut", "--require-calls", "--", "./client", &library]);
        assert_eq!((run.code, run.stdout.as_str()), (0, "dispatched\n"), "{}", run.stderr);
        assert_replays(taut, "ml.taut", &run);
        let report = taut.stdout(&["analyze", "ml.taut", "--report", "client", "--json"]);
        let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
        let client = &report["reports"]["client"];
        assert_eq!(client["unsupported"], serde_json::json!([]), "{client}");
        assert_eq!(client["dispatches_not_executed"], 1, "the addition; its initialisation needs none: {client}");
        let last = run.stderr.lines().next_back().unwrap_or_default();
        assert!(last.starts_with("taut: All") && last.ends_with("objects are released."), "{}", run.stderr);
    });
}
