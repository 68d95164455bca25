//! Tests of error messages for common mistakes: a single, plain, specific message.
#![allow(clippy::expect_used)]

use crate::taut;

use std::fs;
use taut::{Taut, recorded};
use taut_testkit::testdata;

const LOG: &str = r#"{"format":"d3d12-calls","version":1,"source":"a test","allocator_flags":0,"tests":{"0":"all"}}
{"seq":0,"thread":0,"test":0,"call":"CreateHeap1","size":65536,"heap_type":1,"cpu_page_property":0,"memory_pool":0,"creation_node_mask":0,"visible_node_mask":0,"alignment":65536,"flags":0,"protected":0,"hr":0,"obj":1}
"#;

#[test]
fn a_file_that_is_no_trace_is_called_what_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    fs::create_dir(folder.path().join("level")).expect("a folder");
    let files: [(&str, &[u8]); 5] = [
        ("picture.taut", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("log.jsonl", LOG.as_bytes()),
        ("page.html", b"<!doctype html>"),
        ("nothing.taut", b""),
        ("zeros.taut", &[0; 40]),
    ];
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).expect("a file");
    }
    let mut golden = String::new();
    for file in ["missing.taut", "level", "picture.taut", "log.jsonl", "page.html", "nothing.taut", "zeros.taut"] {
        for command in ["info", "replay", "analyze"] {
            let run = taut.run(&[command, file]);
            assert!(!run.stderr.contains("os error"), "{}", run.stderr);
            golden += &format!("{command} {file}: {} {}", run.code, run.stderr);
        }
    }
    for command in [
        &["record", "missing.jsonl"][..],
        &["record", "missing.gltf"],
        &["record", "missing.exe"],
        &["analyze", "present"],
        &["hlk", "--driver", "missing.toml"],
        &["analyze", "missing.taut", "--budget", "missing.toml"],
    ] {
        let run = taut.run(command);
        assert_eq!(run.stderr.matches("o such file").count(), 1, "{command:?}: {}", run.stderr);
        golden += &format!("{}: {} {}", command.join(" "), run.code, run.stderr);
    }
    let nowhere = taut.run(&["record", "small-level", "--set", "frames=1", "-o", "no/such/folder.taut"]);
    golden += &format!("record -o no/such/folder.taut: {} {}", nowhere.code, nowhere.stderr);
    insta::assert_snapshot!("mistakes", golden);
}

#[test]
fn a_message_names_the_command_that_takes_what_was_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    let capture = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,TimeInSeconds\n";
    for (name, text) in [
        ("log.jsonl", LOG),
        ("p.csv", capture),
        ("b.json", "{\"limits\": []}"),
        ("empty.csv", ""),
        ("limits.toml", "limits = []\n"),
    ] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let mut golden = String::new();
    for command in [
        &["level.taut"][..],
        &["log.jsonl"],
        &["analyze", "p.csv"],
        &["replay", "log.jsonl"],
        &["diff", "level.taut", "p.csv"],
        &["query", "p.csv", "SELECT 1"],
        &["analyze", "."],
        &["replay", "."],
        &["query", "SELECT 1", "level.taut"],
        &["analyze", "level.taut", "--budget", "b.json"],
        &["dump", "level.taut", "--event", "CreatePlaced"],
        &["record", "small-level", "--machine", "laptop"],
        &["record", "empty.csv"],
        &["record", "limits.toml"],
        &["analyze", "limits.toml"],
    ] {
        let run = taut.run(command);
        golden += &format!("{}: {} {}", command.join(" "), run.code, run.stderr);
    }
    let exported = taut.run(&["export", "level.taut", "--format", "jsonl", "-o", "level.jsonl"]);
    assert_eq!(exported.code, 0, "--format is another name of --to: {}", exported.stderr);
    insta::assert_snapshot!("inputs_of_other_commands", golden);
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    let marked =
        |name: &str, text: &str| fs::write(folder.path().join(name), format!("\u{feff}{text}")).expect("a file");
    marked("log.jsonl", LOG);
    let run = taut.run(&["record", "log.jsonl", "-o", "log.taut"]);
    assert!(run.stdout.contains("1 line: 1 call and 0 phase marks on 1 thread"), "{}{}", run.stdout, run.stderr);
    marked("mine.toml", &taut.stdout(&["drivers", "reference"]));
    taut.stdout(&["record", "small-level", "--set", "frames=1", "--driver", "mine.toml", "-o", "mine.taut"]);
    marked("limits.toml", "limits = [\"health.lost_events == 0\"]\n");
    taut.stdout(&["analyze", "level.taut", "--budget", "limits.toml"]);
    let shader = testdata("glow.toml");
    marked("glow.toml", &fs::read_to_string(shader).expect("a shader"));
    taut.stdout(&["record", "pix-single-frame", "--set", "shader=glow.toml", "-o", "pix.taut"]);
    marked("empty.gltf", r#"{"asset": {"version": "2.0"}}"#);
    taut.stdout(&["record", "empty.gltf"]);
    marked("descs.jsonl", r#"{"id":1,"descs":[{"dimension":"BUFFER","width":16,"layout":"ROW_MAJOR"}]}"#);
    taut.stdout(&["alloc-info", "descs.jsonl"]);
    marked("places.jsonl", r#"{"id":1,"layout":"tile_y","x_bytes":16,"y":4,"pitch_bytes":128}"#);
    taut.stdout(&["tile-info", "places.jsonl"]);
}

#[test]
fn unchecked_limits_are_not_counted_as_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    let limits =
        ["health.lost_events == 0", "alignment.phases.no-such.waste_ratio <= 1 %", "pgo.fit_to_measure == true"];
    fs::write(folder.path().join("limits.toml"), format!("limits = {limits:?}\n")).expect("a budget");
    let checked = ["analyze", "level.taut", "--report", "health", "--budget", "limits.toml"];
    let text = taut.stdout(&checked);
    assert!(text.starts_with("Budget limits.toml: 1 limit checked, none broken; 2 not checked\n"), "{text}");
    assert!(
        text.contains("not checked: level.taut: alignment.phases.no-such.waste_ratio <= 1 %: there is no `no-such`"),
        "{text}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&taut.stdout(&[&checked[..], &["--json", "--junit", "limits.xml"]].concat()))
            .expect("JSON");
    let verdicts: Vec<bool> =
        json["budget"].as_array().expect("limits").iter().map(|one| one["verdict"]["skipped"].is_string()).collect();
    assert_eq!(verdicts, [false, true, true]);
    let junit = fs::read_to_string(folder.path().join("limits.xml")).expect("JUnit XML");
    assert!(junit.contains("tests=\"3\" failures=\"0\" skipped=\"2\""), "{junit}");
}

#[test]
fn a_count_of_one_has_a_singular() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    fs::write(folder.path().join("log.jsonl"), LOG).expect("a log");
    let mut printed = String::new();
    for command in [
        &["record", "log.jsonl", "-o", "log.taut"][..],
        &["replay", "log.taut"],
        &["replay", "log.taut", "--tight", "on"],
        &["info", "log.taut"],
        &["analyze", "log.taut"],
        &["diff", "log.taut", "log.taut"],
        &["export", "log.taut", "--to", "jsonl", "-o", "log.json"],
        &["hlk", "--check", "A-50"],
    ] {
        let run = taut.run(command);
        printed += &format!("{}{}", run.stdout, run.stderr);
    }
    let lines = printed.lines().map(|line| line.split_whitespace().collect::<Vec<&str>>());
    for pair in lines.flat_map(|words| words.windows(2).map(|pair| [pair[0], pair[1]]).collect::<Vec<_>>()) {
        let thing = pair[1].trim_end_matches([',', '.', ':', ';', ')']);
        let many =
            thing.ends_with('s') && !["alias", "pass", "is", "ns", "µs", "ms", "s", "was", "has"].contains(&thing);
        assert!(pair[0] != "1" || !many, "{} {}: {printed}", pair[0], pair[1]);
    }
}

#[test]
fn a_dump_of_no_event_is_a_mistake_that_one_short_sentence_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    let several = "CreateHeap,CreateHeap1";
    for (arguments, printed) in [
        (["--from", "5", "--to", "2"], "--from 5 is after --to 2"),
        (["--event", several, "--limit", "2"], "expected the name of one event, such as \"CreateHeap\""),
        (["--event", "CreateHaep", "--limit", "2"], "did you mean \"CreateHeap\"?"),
        (["--event", "Xyzzy", "--limit", "2"], "SELECT DISTINCT name FROM events"),
    ] {
        let run = taut.run(&[&["dump", "level.taut"], &arguments[..]].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{arguments:?}");
        // The message may be folded.
        let message = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(message.contains(printed) && message.len() < 200, "{message}");
    }
}

#[test]
fn a_long_query_is_shown_around_its_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    let question =
        format!("SELECT 1 WHERE 1 IN ({}1) AND nothing = 1 AND 1 IN ({}1)", "1, ".repeat(9000), "1, ".repeat(9000));
    let run = taut.run(&["query", "level.taut", &question]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("nothing = 1") && run.stderr.len() < 800, "{} characters", run.stderr.len());
}

#[cfg(unix)]
#[test]
fn a_line_end_in_a_name_ends_no_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    recorded(&taut);
    fs::rename(folder.path().join("level.taut"), folder.path().join("a\nb.taut")).expect("a name");
    for line in [&["replay", "a\nb.taut"][..], &["export", "a\nb.taut", "--to", "jsonl"]] {
        let printed = taut.stdout(line);
        assert!(printed.contains(r"a\nb."), "{printed}");
    }
}
