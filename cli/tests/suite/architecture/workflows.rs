//! Workflows of the repository run its own scripts and test programs.

use super::root;

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Values of a key in a workflow, in order.
fn values<'a>(workflow: &'a str, key: &str) -> Vec<&'a str> {
    let value = |line: &'a str| {
        let line = line.trim_start();
        let line = line.strip_prefix("- ").unwrap_or(line);
        Some(line.strip_prefix(key)?.strip_prefix(':')?.trim())
    };
    workflow.lines().filter_map(value).collect()
}

#[test]
fn changes_are_checked_by_the_script_on_linux_and_by_the_same_tests_elsewhere() {
    let (workflow, script) = (text(".github/workflows/ci.yml"), text(".ci/run"));
    let steps = values(&workflow, "run");
    assert!(steps.contains(&".ci/run"), "{steps:?}");
    assert!(steps.contains(&"cargo test ${{ matrix.tests }}"), "{steps:?}");
    let systems: Vec<_> = values(&workflow, "os").into_iter().zip(values(&workflow, "tests")).collect();
    let [(windows, tests), (macos, all)] = systems[..] else { panic!("{systems:?}") };
    assert!(windows.starts_with("windows-") && macos.starts_with("macos-"), "{systems:?}");
    // What is tested on Windows is what the script compiles for it.
    assert!(script.contains(&format!("cargo clippy --target x86_64-pc-windows-gnu {tests} --")), "{tests}");
    assert!(all.contains("--workspace") && script.contains("cargo test --workspace"), "{all}");
}

#[test]
fn a_tag_makes_the_archives_of_the_release_script() {
    let (workflow, script) = (text(".github/workflows/release.yml"), text("tools/release.sh"));
    assert!(values(&workflow, "run").contains(&"tools/release.sh ${{ matrix.system }}"));
    let systems = values(&workflow, "system");
    assert_eq!(systems, ["linux", "windows"]);
    assert!(systems.iter().all(|system| script.contains(&format!("\n{system}() {{\n"))));
}
