//! Commands with their output compared with snapshots. The logical clock makes recordings reproducible.
#![allow(clippy::expect_used)]

use crate::taut;

use taut::{Taut, recorded};

#[test]
fn the_tour_reads_as_it_did() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    let mut golden = String::new();
    for command in [
        &["replay", "level.taut", "--repeat", "2"][..],
        &["info", "level.taut"],
        &["dump", "level.taut", "--limit", "14"],
        &["dump", "level.taut", "--event", "CreateHeap", "--limit", "2", "--json"],
        &["dump", "level.taut", "--around", "100", "--limit", "4"],
        &["analyze", "level.taut", "--report", "alignment"],
        &["workloads"],
        &["drivers"],
    ] {
        golden += &format!("$ taut {}\n{}\n", command.join(" "), taut.stdout(command));
    }
    insta::assert_snapshot!("tour", without_file_sizes(&golden));
}

/// Replaces the lines with file sizes, which change with the format.
fn without_file_sizes(text: &str) -> String {
    let lines = text.lines().map(|line| if line.starts_with("  size") { "  size       …" } else { line });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn alloc_info_answers_each_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let lines = [
        r#"{"id":7,"descs":[{"dimension":"BUFFER","alignment":0,"width":1024,"height":1,"depth_or_array_size":1,"mip_levels":1,"format":"UNKNOWN","sample_count":1,"layout":"ROW_MAJOR","flags":1024}],"kind":"placed"}"#,
        r#"{"id":"small","descs":[{"dimension":"TEXTURE2D","alignment":4096,"width":128,"height":128,"format":"R8G8B8A8_UNORM"}]}"#,
        r#"{"id":9,"descs":[{"dimension":1,"width":16,"layout":1,"flags":1024}],"kind":"committed"}"#,
        r#"{"id":10,"descs":[{"dimension":"BUFFER","alignment":4096,"width":16,"layout":"ROW_MAJOR"}]}"#,
        r#"{"id":11,"descs":[{"dimension":"TEXTURE4D","width":16}]}"#,
        "{",
    ];
    std::fs::write(folder.path().join("descs.jsonl"), lines.join("\n")).expect("descriptions");
    let run = taut.run(&["alloc-info", "descs.jsonl"]);
    assert_eq!(run.code, 3, "the last two lines are bad");
    insta::assert_snapshot!("alloc_info", format!("{}\n{}", run.stdout, run.stderr));
}

#[test]
fn an_unknown_format_is_reported_with_the_nearest_one_and_no_list() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    for (format, hint) in
        [("R8G8B8A8_UNRM", "did you mean \"R8G8B8A8_UNORM\"?"), ("colour", "unknown format \"colour\"")]
    {
        let line = format!(r#"{{"descs":[{{"dimension":"TEXTURE2D","width":16,"height":16,"format":"{format}"}}]}}"#);
        std::fs::write(folder.path().join("descs.jsonl"), line).expect("a description");
        let run = taut.run(&["alloc-info", "descs.jsonl"]);
        assert_eq!(run.code, 3, "{}", run.stderr);
        assert!(run.stderr.contains(hint) && run.stderr.len() < 200, "{}", run.stderr);
    }
}

#[test]
fn what_if_and_diff_report_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    let mut golden = String::new();
    for (command, code) in [
        (
            &[
                "replay",
                "level.taut",
                "--tight",
                "on",
                "--driver",
                "peer",
                "-o",
                "tight.taut",
                "--changes",
                "all.jsonl",
            ][..],
            0,
        ),
        (&["replay", "level.taut", "--driver", "legacy"], 0),
        (&["diff", "level.taut", "tight.taut", "--limit", "12"], 1),
        (&["diff", "level.taut", "level.taut"], 0),
    ] {
        let run = taut.run(command);
        assert_eq!(run.code, code, "{command:?}: {}", run.stderr);
        golden += &format!("$ taut {}\n{}\n", command.join(" "), run.stdout);
    }
    insta::assert_snapshot!("what_if", golden);
    let changes = std::fs::read_to_string(folder.path().join("all.jsonl")).expect("the changes");
    let changed = taut.stdout(&["replay", "level.taut", "--tight", "on", "--driver", "peer", "--json"]);
    let changed: serde_json::Value = serde_json::from_str(&changed).expect("JSON");
    assert_eq!(changes.lines().count(), changed["resources"].as_array().map_or(0, Vec::len));
    assert!(taut.stdout(&["replay", "tight.taut"]).contains("identical"));
    let differs = taut.run(&["diff", "level.taut", "tight.taut", "--json"]);
    let differs: serde_json::Value = serde_json::from_str(&differs.stdout).expect("JSON");
    assert_eq!(
        (differs["identical"].as_bool(), differs["calls"]["only_in_a"].as_object().map(|o| o.len())),
        (Some(false), Some(0))
    );
}

#[test]
fn a_replay_can_be_written_and_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    let run = taut.run(&["replay", "level.taut", "-o", "again.taut"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let replayed = taut.stdout(&["replay", "again.taut", "--report", "json"]);
    assert!(replayed.contains("\"identical\": true"), "{replayed}");
}

#[test]
fn recordings_by_the_logical_clock_are_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let first = std::fs::read(recorded(&taut)).expect("a trace");
    let second = std::fs::read(recorded(&taut)).expect("a trace");
    assert!(first == second);
}
