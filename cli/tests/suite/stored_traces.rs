//! Tests with traces of earlier builds: every later build reads them and replays them identically.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use taut::Taut;
use taut_testkit::testdata;

/// Decompresses the stored traces into `folder`, in order of name.
fn stored_traces(folder: &Path) -> Vec<PathBuf> {
    let from = testdata("stored");
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(from).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    found.sort();
    let inflated = found.iter().map(|path| {
        let bytes = zstd::decode_all(std::fs::File::open(path).expect("a file")).expect("a frame");
        let file = folder.join(path.file_stem().expect("a name"));
        std::fs::write(&file, bytes).expect("a file");
        file
    });
    inflated.collect()
}

/// Copies the corpus of version 1, whole and damaged, into `folder` with its side files. Returns the names.
fn corpus(folder: &Path) -> Vec<String> {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/corpus");
    let entries = std::fs::read_dir(from).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut names = Vec::new();
    for path in entries {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if name.starts_with("v1-") && !name.ends_with(".txt") {
            std::fs::copy(&path, folder.join(&name)).expect("a copy");
            names.extend(name.strip_suffix(".taut").map(str::to_owned));
        }
    }
    names.sort();
    names
}

/// Whole traces replay identically; for damaged ones the missing part is reported.
#[test]
fn the_corpus_of_version_1_replays_as_it_always_did() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let mut summary = String::new();
    for name in corpus(folder.path()) {
        let run = taut.run(&["replay", &format!("{name}.taut"), "--json"]);
        // Damage and losses give exit code 3, as does a killed recording, which lacks no event.
        let is_whole = !["-damaged-", "-killed", "-lost"].iter().any(|what| name.contains(what));
        assert_eq!(run.code, if is_whole { 0 } else { 3 }, "{name}: {}{}", run.stdout, run.stderr);
        let replay: Value = serde_json::from_str(&run.stdout).unwrap_or(Value::Null);
        let is_identical = is_whole || name.ends_with("-killed");
        assert!(!is_identical || replay["identical"] == true, "{name}: {}", run.stdout);
        summary += &format!(
            "{name}: {} calls, {} of drivers, {} tasks; exit code {}\n",
            replay["calls"], replay["ddi_calls"], replay["tasks"], run.code
        );
    }
    insta::assert_snapshot!(summary);
}

#[test]
fn stored_traces_replay_identically() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let mut summary = String::new();
    for file in stored_traces(folder.path()) {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let file = file.to_string_lossy().into_owned();
        let info: Value = serde_json::from_str(&taut.stdout(&["info", &file, "--verify", "--json"])).expect("JSON");
        assert_eq!(json!(name.starts_with("v0-")), json!(info["version"] == 0), "{name}");
        assert_eq!((&info["complete"], &info["verified"]), (&json!(true), &json!(true)), "{name}");
        let replay: Value = serde_json::from_str(&taut.stdout(&["replay", &file, "--json"])).expect("JSON");
        assert_eq!(replay["identical"], true, "{name}: {replay}");
        summary += &format!(
            "{name}: version {}, {} events, {} calls, {} of drivers, {} tasks\n",
            info["version"], info["events"], replay["calls"], replay["ddi_calls"], replay["tasks"]
        );
    }
    insta::assert_snapshot!(summary);
}
