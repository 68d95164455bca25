//! Architecture rules that a test can check: imports between crates, length of files, and names of events and fields.

mod cycles;
mod file_cycles;
mod language;
mod names;
mod printing;
mod shape;
mod source;
mod workflows;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Crates of the workspace that each crate may import. No crate imports `cli`, and `python` alone imports `tables`;
/// `analyze` never imports `runtime`.
const MAY_IMPORT: [(&str, &[&str]); 19] = [
    ("schemas", &[]),
    ("tiling", &[]),
    ("shaders", &[]),
    ("etl", &[]),
    ("traces", &["schemas"]),
    ("runtime", &["schemas", "shaders"]),
    ("conformance", &["schemas", "shaders", "runtime"]),
    ("capture", &["schemas", "traces", "runtime"]),
    ("workloads", &["schemas", "traces", "runtime", "capture", "shaders", "tiling"]),
    ("com", &["schemas", "traces", "runtime", "capture"]),
    ("replay", &["schemas", "traces", "runtime"]),
    ("analyze", &["schemas", "traces", "tiling"]),
    ("console", &["schemas", "traces"]),
    ("tables", &["schemas", "traces", "analyze", "console"]),
    (
        "app",
        &[
            "schemas",
            "traces",
            "runtime",
            "conformance",
            "capture",
            "workloads",
            "com",
            "replay",
            "analyze",
            "tiling",
            "etl",
        ],
    ),
    ("bench", &["schemas", "traces", "runtime", "capture", "workloads", "replay", "analyze", "tiling", "etl", "app"]),
    // Only tests import it.
    ("testkit", &["schemas", "traces", "runtime", "capture", "workloads", "replay"]),
    (
        "cli",
        &[
            "schemas",
            "traces",
            "runtime",
            "conformance",
            "capture",
            "workloads",
            "replay",
            "analyze",
            "console",
            "app",
            "bench",
        ],
    ),
    ("python", &["schemas", "traces", "capture", "analyze", "console", "tables", "app"]),
];

/// External crates that only these crates may import.
const KNOWN_BY: [(&str, &[&str]); 22] = [
    // The shell that a C ABI links brings no file readers.
    ("gltf", &["workloads"]),
    ("imagesize", &["workloads"]),
    ("polars", &["tables"]),
    ("polars-arrow", &["python"]),
    ("polars-expr", &["tables"]),
    ("polars-io", &["tables"]),
    ("polars-parquet", &["tables"]),
    ("polars-plan", &["tables"]),
    ("pyo3", &["python"]),
    ("clap", &["console", "tables", "cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("indicatif", &["console"]),
    ("anyhow", &["console", "cli"]),
    ("comfy-table", &["console"]),
    ("terminal_size", &["console"]),
    ("textwrap", &["console"]),
    ("unicode-width", &["console"]),
    ("tempfile", &["console", "app", "bench", "cli"]),
    ("signal-hook", &["console"]),
    ("cranelift-codegen", &["shaders"]),
    ("cranelift-jit", &["shaders"]),
];

const MAX_FILE_LINES: usize = 500;
const MAX_MEDIAN_LINES: usize = 200;
const BANNED_NAMES: [&str; 4] = ["utils", "helpers", "common", "manager"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Names under `[dependencies]` in a crate's manifest.
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

/// True if a file of `src` holds only tests.
fn is_test(path: &Path) -> bool {
    path.iter().any(|part| part == "tests" || part == "tests.rs")
}

/// Code of a file, without comments and without the unit tests at its end.
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
fn files_and_their_median_do_not_exceed_max_lengths() {
    let sources = every_source();
    for (name, lines) in &sources {
        assert!(*lines <= MAX_FILE_LINES, "{name} has {lines} lines");
    }
    let mut lengths: Vec<usize> = sources.into_values().collect();
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median <= MAX_MEDIAN_LINES, "the median file has {median} lines");
}

#[test]
fn no_file_has_a_meaningless_name() {
    for name in every_source().into_keys() {
        let parts = name.split(['/', '.']);
        for part in parts {
            assert!(!BANNED_NAMES.contains(&part), "{name}");
        }
    }
}

/// Files are created in one place, which never overwrites a file of the user.
#[test]
fn outputs_are_created_in_one_module() {
    for name in every_source().into_keys() {
        let is_program = ["cli/", "tables/", "console/", "analyze/", "app/", "bench/", "python/"]
            .iter()
            .any(|program| name.starts_with(program));
        if !is_program || name.starts_with("console/src/output/") || is_test(Path::new(&name)) {
            continue;
        }
        let text = read(&root().join(&name));
        // Unit tests are at the end of a file.
        let text = ["#[cfg(test)]", "#[cfg(all(test, unix))]"]
            .iter()
            .fold(text.as_str(), |text, tests| text.split(tests).next().unwrap_or_default());
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
            // These open existing files, and create the tag file of the cache's folder.
            let opens = ["console/src/own_file.rs", "console/src/cache/folder.rs"];
            // The client of the benchmark records as programs do, into the folder of its caller.
            let records = name == "bench/src/abi/objects.rs" && makes == "Session::create";
            let allowed = opens.contains(&name.as_str()) && makes == "OpenOptions" || records;
            assert!(found.is_none() || allowed, "{name} makes a file by itself: {found:?}");
        }
    }
}

/// `unsafe` is allowed in these files only, and each file has a reason for its blocks.
#[test]
fn unsafe_stands_only_where_it_is_allowed() {
    const ALLOWED: [&str; 12] = [
        "tables/src/memory_limit/allocator.rs",
        "capture/src/machine/thread_handle.rs",
        "traces/src/format/clock.rs",
        "shaders/src/machine.rs",
        "etl/src/file.rs",
        "traces/src/live/map.rs",
        "traces/src/live/file_lock/byte_lock.rs",
        "console/src/console_events.rs",
        "console/src/console_mode.rs",
        "traces/src/live/shortened.rs",
        "tiling/src/kernels/",
        "com/src/unsafe_abi/",
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
