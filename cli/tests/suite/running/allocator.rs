//! D3D12MemoryAllocator on 4 threads. Its source is part of Debian 13's source package qt6-base.

use super::{assert_replays, in_folder, is_installed, run};
use crate::taut::{Taut, tables_are_built};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folder of the allocator's source; reports the skipped test if there is none.
fn source(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("TAUT_D3D12MA").map(PathBuf::from);
    let found = folder.filter(|folder| folder.join("D3D12MemAlloc.cpp").is_file());
    let has_headers = Path::new("/usr/include/wsl/winadapter.h").is_file();
    if found.is_none() || !has_headers {
        eprintln!("skipped: {test}: no source of D3D12MemoryAllocator (TAUT_D3D12MA), or no DirectX-Headers");
    }
    found.filter(|_| has_headers && is_installed(test, "g++", "g++"))
}

fn compile(taut: &Taut, allocator: &Path) {
    std::fs::write(taut.folder().join("combaseapi.h"), "").expect("a header that the library needs nothing of");
    let source = format!("{}/tests/suite/running/allocator.cpp", env!("CARGO_MANIFEST_DIR"));
    let mut compiler = Command::new("g++");
    compiler.args(["-std=c++17", "-w", "-fpermissive", "-O1", "-o", "allocator", &source, "-I.", "-I"]).arg(allocator);
    compiler.args(["-I/usr/include/wsl/stubs", "-I/usr/include/directx", "-lDirectX-Guids", "-ldl", "-lpthread"]);
    assert!(compiler.current_dir(taut.folder()).status().expect("g++ runs").success());
}

/// Numbers of the single row of a query.
fn row(taut: &Taut, sql: &str) -> Vec<u64> {
    let text = taut.stdout(&["query", "alive.taut", sql, "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let row = json[0].as_object().expect("a row");
    row.values().map(|value| value.as_u64().expect("a number")).collect()
}

#[test]
fn statistics_of_d3d12_memory_allocator_equal_the_tables() {
    let test = "statistics_of_d3d12_memory_allocator";
    let Some(allocator) = source(test) else { return };
    in_folder(|taut| {
        compile(taut, &allocator);
        let freed = run(taut, &["-o", "freed.taut", "--", "./allocator"]);
        assert_eq!(freed.code, 0, "{} {}", freed.stdout, freed.stderr);
        assert_replays(taut, "freed.taut", &freed);
        let last = freed.stderr.lines().next_back().unwrap_or_default();
        assert!(last.starts_with("taut: All") && last.ends_with("objects are released."), "{}", freed.stderr);
        let alive = run(taut, &["-o", "alive.taut", "--", "./allocator", "alive"]);
        assert_eq!(alive.code, 0, "{} {}", alive.stdout, alive.stderr);
        assert_replays(taut, "alive.taut", &alive);
        if !tables_are_built(test) {
            return;
        }
        let statistics: Vec<u64> = alive.stdout.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        let living = "count(*) AS a, sum(size_bytes) AS b FROM";
        let heaps = row(taut, &format!("SELECT {living} heaps WHERE released_stamp IS NULL"));
        let resources = row(taut, &format!("SELECT {living} resources WHERE released_stamp IS NULL"));
        let committed =
            row(taut, &format!("SELECT {living} resources WHERE released_stamp IS NULL AND kind = 'committed'"));
        assert_eq!(statistics, [heaps[0] + committed[0], heaps[1] + committed[1], resources[0], resources[1]]);
    });
}
