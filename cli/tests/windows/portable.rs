//! Traces of other systems: read and replayed identically.

use crate::program::{repository, run, succeed};

#[test]
fn traces_of_every_system_replay_identically() {
    let folder = tempfile::tempdir().unwrap();
    let mut replayed = 0;
    for entry in std::fs::read_dir(repository("traces/corpus")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let is_whole = !["-damaged-", "-killed", "-lost"].iter().any(|what| name.contains(what));
        if !name.starts_with("v1-") || !name.ends_with(".taut") || !is_whole {
            continue;
        }
        std::fs::copy(&path, folder.path().join(&name)).unwrap();
        let replay = run(folder.path(), &["replay", &name, "--json"]);
        assert_eq!((replay.code, &replay.json()["identical"]), (Some(0), &true.into()), "{name}: {replay:?}");
        replayed += 1;
    }
    assert!(replayed > 20, "{replayed}");
}

/// Same recording on every system: the logical clock has no time, and the pointers and names of the system are not recorded.
#[test]
fn a_recording_by_the_logical_clock_equals_that_of_another_system() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(repository("traces/corpus/v1-wine-small-level.taut"), folder.path().join("wine.taut")).unwrap();
    let record =
        ["record", "small-level", "--threads", "1", "--set", "frames=4", "--clock", "logical", "-o", "own.taut"];
    succeed(folder.path(), &record);
    succeed(folder.path(), &["diff", "wine.taut", "own.taut"]);
    let figures = |name: &str| run(folder.path(), &["analyze", name, "--json"]).stdout.replace(name, "trace");
    assert_eq!(figures("wine.taut"), figures("own.taut"));
}
