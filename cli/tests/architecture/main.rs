//! The rules of the house, as far as a test can see them: who may import whom, how long a file may be, and that events and
//! fields are named by their types.

mod circles;
mod names;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Which crates of the workspace each crate may import. Nobody imports `cli` or `tables`; `analyze` never sees `runtime`.
const MAY_IMPORT: [(&str, &[&str]); 11] = [
    ("schemas", &[]),
    ("tiling", &[]),
    ("shaders", &[]),
    ("traces", &["schemas"]),
    ("runtime", &["schemas", "shaders"]),
    ("capture", &["schemas", "traces", "runtime", "shaders", "tiling"]),
    ("replay", &["schemas", "traces", "runtime"]),
    ("analyze", &["schemas", "traces", "tiling"]),
    ("console", &["schemas", "traces", "analyze"]),
    ("tables", &["schemas", "traces", "analyze", "console"]),
    ("cli", &["schemas", "traces", "runtime", "capture", "replay", "analyze", "tiling", "console"]),
];

/// Outside crates that only these crates may know.
const KNOWN_BY: [(&str, &[&str]); 16] = [
    ("polars", &["tables"]),
    ("polars-io", &["tables"]),
    ("polars-parquet", &["tables"]),
    ("clap", &["console", "tables", "cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("indicatif", &["console", "cli"]),
    ("anyhow", &["console", "cli"]),
    ("comfy-table", &["console"]),
    ("terminal_size", &["console"]),
    ("textwrap", &["console"]),
    ("unicode-width", &["console"]),
    ("tempfile", &["console", "cli"]),
    ("signal-hook", &["console"]),
    ("cranelift-codegen", &["shaders"]),
    ("cranelift-jit", &["shaders"]),
];

const LONGEST_FILE_LINES: usize = 500;
const MEDIAN_FILE_LINES: usize = 200;
const BANNED_NAMES: [&str; 4] = ["utils", "helpers", "common", "manager"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names under `[dependencies]` of a crate's manifest.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = read(&root().join(name).join("Cargo.toml"));
    let lines = manifest.lines().skip_while(|line| line.trim() != "[dependencies]").skip(1);
    lines
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split(['=', '.', ' ']).next())
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Whether a file of `src` holds tests alone.
fn is_test(path: &Path) -> bool {
    path.iter().any(|part| part == "tests" || part == "tests.rs")
}

/// The code of a file: without comments, and without the unit tests that stand at its end.
fn code(path: &Path) -> String {
    let text = read(path);
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| line.to_owned() + "\n").collect()
}

fn every_source() -> BTreeMap<String, usize> {
    let root = root();
    let mut found = Vec::new();
    MAY_IMPORT.iter().for_each(|(name, _)| sources(&root.join(name).join("src"), &mut found));
    found
        .iter()
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap_or(path).to_string_lossy().replace('\\', "/");
            (name, read(path).lines().count())
        })
        .collect()
}

#[test]
fn crates_import_only_what_stands_above_them() {
    for (name, allowed) in MAY_IMPORT {
        for dependency in dependencies(name) {
            if let Some(own) = dependency.strip_prefix("taut-") {
                assert!(allowed.contains(&own), "{name} imports {own}");
            }
            for (outside, only) in KNOWN_BY {
                assert!(dependency != outside || only.contains(&name), "{name} knows {outside}; only {only:?} may");
            }
        }
    }
}

#[test]
fn files_tell_one_thing() {
    let sources = every_source();
    for (name, lines) in &sources {
        assert!(*lines <= LONGEST_FILE_LINES, "{name} has {lines} lines");
    }
    let mut lengths: Vec<usize> = sources.into_values().collect();
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median <= MEDIAN_FILE_LINES, "the median file has {median} lines");
}

#[test]
fn nothing_is_called_by_a_name_that_says_nothing() {
    for name in every_source().into_keys() {
        let parts = name.split(['/', '.']);
        for part in parts {
            assert!(!BANNED_NAMES.contains(&part), "{name}");
        }
    }
}

/// Files are made in one place, which writes over nothing that a person has.
#[test]
fn outputs_are_made_in_one_place() {
    for name in every_source().into_keys() {
        let is_program = ["cli/", "tables/", "console/", "analyze/"].iter().any(|program| name.starts_with(program));
        if !is_program || name.starts_with("console/src/output/") {
            continue;
        }
        let text = read(&root().join(&name));
        // Unit tests stand at the end.
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for makes in [
            "File::create",
            "fs::write",
            "fs::rename",
            "fs::copy",
            "OpenOptions",
            "TraceWriter::create",
            "Session::create",
        ] {
            let found = code.iter().find(|line| line.contains(makes));
            let allowed = name == "console/src/output.rs" && makes == "OpenOptions";
            assert!(found.is_none() || allowed, "{name} makes a file by itself: {found:?}");
        }
    }
}

/// `unsafe` stands only where the plan allows it, and each block says why it is sound.
#[test]
fn unsafe_stands_only_where_it_is_allowed() {
    const ALLOWED: [&str; 5] = [
        "traces/src/clock.rs",
        "shaders/src/machine.rs",
        "traces/src/map.rs",
        "traces/src/shortened.rs",
        "tiling/src/kernels/",
    ];
    for name in every_source().into_keys() {
        let text = read(&root().join(&name));
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        if code.into_iter().any(|line| line.contains("unsafe {")) {
            assert!(ALLOWED.iter().any(|allowed| name.starts_with(allowed)), "{name} has an unsafe block");
            assert!(text.contains("// SAFETY:"), "{name} has an unsafe block without its reason");
        }
    }
}
