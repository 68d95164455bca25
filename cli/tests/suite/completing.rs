//! Tests of shell completion, with a real bash if there is one.
#![allow(clippy::expect_used)]

use crate::taut;

use std::path::Path;
use std::process::Command;
use taut::Taut;

/// Completions that bash offers for the last of `words`.
fn offered(folder: &Path, words: &[&str]) -> Vec<String> {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let (words, last) = (quoted.join(" "), quoted.len() - 1);
    let script = format!(
        "source <(taut completions bash)\nCOMP_WORDS=({words}); COMP_CWORD={last}; COMP_TYPE=9\n\
         _clap_complete_taut taut \"${{COMP_WORDS[{last}]}}\" 2>/dev/null; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    let binary_folder = Path::new(env!("CARGO_BIN_EXE_taut")).parent().expect("a folder").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path =
        std::env::join_paths(std::iter::once(binary_folder).chain(std::env::split_paths(&path))).expect("a path");
    let output = Command::new("bash").args(["-c", &script]).current_dir(folder).env("PATH", path).output();
    let output = output.expect("bash runs");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn bash_offers_names_as_well_as_files() {
    if Command::new("bash").arg("--version").output().is_err() {
        eprintln!("skipped: bash_offers_names_as_well_as_files: there is no bash");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("scene.gltf"), "{}").expect("a file");
    let offers = |words: &[&str], expected: &str| {
        let offered = offered(folder.path(), words);
        assert!(offered.iter().any(|word| word.trim_end() == expected), "{words:?}: {expected} not in {offered:?}");
        offered
    };
    offers(&["taut", "ana"], "analyze");
    offers(&["taut", "record", "small"], "small-level");
    offers(&["taut", "record", "sc"], "scene.gltf");
    offers(&["taut", "record", "small-level", "--driver", "le"], "legacy");
    offers(&["taut", "replay", "a.taut", "--rules", "1.6"], "1.619.4");
    offers(&["taut", "analyze", "a.taut", "--report", "al"], "alignment");
    offers(&["taut", "record", "small-level", "--setting", "str"], "strict=");
    offers(&["taut", "workloads", "stream"], "streaming-world");
    offers(&["taut", "drivers", "pe"], "peer");
    offers(&["taut", "machines", "two"], "two-cards");
    offers(&["taut", "record", "small-level", "--machine", "desk"], "desktop");
    offers(&["taut", "hlk", "--check", "A-5"], "A-52");
    let set = offers(&["taut", "record", "streaming-world", "--set", ""], "races=");
    assert!(!set.iter().any(|word| word.starts_with("meshes")), "parameters of another workload: {set:?}");
}

#[test]
fn help_lists_short_sets_of_values_and_names_the_command_that_lists_long_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    // The help may be folded anywhere.
    let help = |command: &str| taut.stdout(&[command, "--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
    let record = help("record");
    for text in ["see `taut drivers`", "see `taut workloads`", "see `taut machines`", "1.619.4", "small_msaa"] {
        assert!(record.contains(text), "{text}: {record}");
    }
    let analyze = help("analyze");
    assert!(
        analyze.contains("[possible values: alignment, pgo, tiling, handles, present, client, windows, health]"),
        "{analyze}"
    );
    let listed = taut.stdout(&["drivers"]);
    assert!(listed.contains("reference") && !listed.contains("faulty-drifting"), "{listed}");
    let faulty = taut.stdout(&["drivers", "--faulty"]);
    assert!(faulty.contains("faulty-drifting  fails ") && !faulty.contains("reference\n"), "{faulty}");
}

#[test]
fn a_workload_is_explained() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let text = taut.stdout(&["workloads", "streaming-world"]);
    insta::assert_snapshot!("workload", text);
    let example = text.lines().find_map(|line| line.trim().strip_prefix("taut ")).expect("an example");
    let small = example.split(' ').chain(["--set", "frames=1"]).collect::<Vec<_>>();
    assert_eq!(taut.run(&small).code, 0, "{example}");
    assert!(taut.run(&["workloads", "streaming-wold"]).stderr.contains("did you mean"), "a near name is told");
}
