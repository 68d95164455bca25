//! Tests of damaged input files: an error that names file, position and expectation, the documented exit code, and no
//! panic.
#![allow(clippy::expect_used)]

use crate::taut;

use std::fs;
use std::path::Path;
use taut::{Taut, recorded};

/// Commands that take a trace.
const TRACE_COMMANDS: [&[&str]; 4] = [&["replay"], &["analyze"], &["info"], &["dump"]];

/// Kinds of damage, and the bytes of a trace with each.
fn bad_traces(sound: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let flipped = |at: usize| {
        let mut bytes = sound.to_vec();
        bytes[at] ^= 0x10;
        bytes
    };
    // 24 bytes (the header's length is in bytes 12 to 15), the header, then blocks, and a footer shorter than the
    // blocks.
    let header_bytes = sound[12..16].iter().rev().fold(0, |length, byte| length << 8 | usize::from(*byte));
    let block = 24 + header_bytes + (sound.len() - 24 - header_bytes) / 3;
    vec![
        ("empty", Vec::new()),
        ("of another kind", b"{\"format\":\"d3d12-calls\",\"version\":1}\n".to_vec()),
        ("cut in the file head", sound[..10].to_vec()),
        ("cut in the header", sound[..1000].to_vec()),
        ("cut in a block", sound[..block].to_vec()),
        ("cut in the footer", sound[..sound.len() - 20].to_vec()),
        ("flipped in the magic", flipped(0)),
        ("flipped in the header", flipped(500)),
        ("flipped in a block", flipped(block)),
        ("flipped in the trailer", flipped(sound.len() - 3)),
    ]
}

#[test]
fn bad_traces_are_distinguished() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let sound = fs::read(recorded(&taut)).expect("a trace");
    let mut golden = String::new();
    for (what, bytes) in bad_traces(&sound) {
        fs::write(folder.path().join("bad.taut"), bytes).expect("a bad trace");
        golden += &format!("# {what}\n");
        for command in TRACE_COMMANDS {
            let run = taut.run(&[command, &["bad.taut"]].concat());
            assert_eq!(run.code, 3, "{what}, {command:?}: {}", run.stderr);
            assert!(!run.stderr.contains("panicked"), "{what}, {command:?}: {}", run.stderr);
            assert!(run.stderr.contains("bad.taut"), "{what}, {command:?}: {}", run.stderr);
            golden += &format!("{}: {}\n", command[0], run.stderr.lines().next().unwrap_or("nothing said"));
        }
        golden += "\n";
    }
    insta::assert_snapshot!("bad_traces", taut::without_sizes(&golden));
}

#[test]
fn a_trace_cut_anywhere_gives_what_it_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let sound = fs::read(recorded(&taut)).expect("a trace");
    for part in 1..40 {
        let cut = sound.len() * part / 40;
        fs::write(folder.path().join("cut.taut"), &sound[..cut]).expect("a cut trace");
        let run = taut.run(&["dump", "cut.taut", "--json"]);
        assert_eq!(run.code, 3, "cut at {cut}: {}", run.stderr);
        assert!(!run.stderr.contains("panicked") && run.stderr.contains("cut.taut"), "cut at {cut}: {}", run.stderr);
    }
}

#[test]
fn a_flipped_bit_anywhere_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let sound = fs::read(recorded(&taut)).expect("a trace");
    for part in 0..40 {
        let at = (sound.len() - 1) * part / 39;
        let mut bytes = sound.clone();
        bytes[at] ^= 1 << (part % 8);
        fs::write(folder.path().join("flipped.taut"), bytes).expect("a flipped trace");
        let run = taut.run(&["info", "flipped.taut"]);
        assert_eq!(run.code, 3, "flipped at {at}: {}{}", run.stdout, run.stderr);
        assert!(!run.stderr.contains("panicked"), "flipped at {at}: {}", run.stderr);
    }
}

const LOG_HEADER: &str =
    r#"{"format":"d3d12-calls","version":1,"source":"a test","allocator_flags":0,"tests":{"0":"all"}}"#;
const LOG_HEAP: &str = r#"{"seq":0,"thread":0,"test":0,"call":"CreateHeap1","size":65536,"heap_type":1,"cpu_page_property":0,"memory_pool":0,"creation_node_mask":0,"visible_node_mask":0,"alignment":65536,"flags":0,"protected":0,"hr":0,"obj":1}"#;

#[test]
fn bad_logs_are_distinguished() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let log = |lines: &[&str]| lines.join("\n") + "\n";
    let logs = [
        ("empty", String::new()),
        ("of another kind", "TAUTLINE".to_owned()),
        ("of a later version", log(&[&LOG_HEADER.replace("\"version\":1", "\"version\":2")])),
        ("cut in a line", log(&[LOG_HEADER, &LOG_HEAP[..80]])),
        ("with an unknown call", log(&[LOG_HEADER, &LOG_HEAP.replace("CreateHeap1", "CreateHeaps")])),
        ("with a number out of range", log(&[LOG_HEADER, &LOG_HEAP.replace("65536", "-1")])),
        ("with a gap in seq", log(&[LOG_HEADER, LOG_HEAP, &LOG_HEAP.replace("\"seq\":0", "\"seq\":7")])),
        (
            "with an object never created",
            log(&[LOG_HEADER, LOG_HEAP, r#"{"seq":1,"thread":0,"test":0,"call":"ReleaseHeap","obj":9}"#]),
        ),
    ];
    let mut golden = String::new();
    for (what, text) in logs {
        fs::write(folder.path().join("bad.jsonl"), text).expect("a bad log");
        let run = taut.run(&["record", "bad.jsonl", "--driver", "peer", "-o", "bad.taut", "--force"]);
        assert_eq!(run.code, 3, "{what}: {}", run.stderr);
        golden += &format!("# {what}\n{}{}\n", run.stderr, run.stdout);
    }
    insta::assert_snapshot!("bad_logs", taut::without_sizes(&golden));
}

#[test]
fn bad_profiles_are_distinguished() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let sound = taut.run(&["drivers", "reference"]).stdout;
    let profiles = [
        ("empty", String::new()),
        ("of another kind", "TAUTLINE".to_owned()),
        ("cut", sound[..sound.len() * 3 / 4].to_owned() + "\n= = ="),
        ("with an unknown key", sound.replacen("\nddi_version", "\nddi_versoin", 1)),
    ];
    let mut golden = String::new();
    for (what, text) in profiles {
        fs::write(folder.path().join("bad.toml"), text).expect("a bad profile");
        let run = taut.run(&["record", "small-level", "--driver", "bad.toml", "-o", "bad.taut"]);
        assert_eq!(run.code, 3, "{what}: {}", run.stderr);
        assert!(run.stderr.contains("bad.toml"), "{what}: {}", run.stderr);
        golden += &format!("# {what}\n{}\n", run.stderr);
    }
    insta::assert_snapshot!("bad_profiles", golden);
}

#[test]
fn missing_files_and_wrong_words_have_their_own_codes() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    for command in TRACE_COMMANDS {
        assert_eq!(taut.run(&[command, &["missing.taut"]].concat()).code, 4, "{command:?}");
    }
    assert_eq!(taut.run(&["record", "small-level", "--driver", "missing.toml"]).code, 4);
    assert_eq!(taut.run(&["record", "missing.jsonl"]).code, 4);
    for (words, hint) in [
        (&["record", "small-levle"][..], "did you mean \"small-level\""),
        (&["record", "small-level", "--driver", "referense"], "did you mean \"reference\""),
        (&["record", "small-level", "--rules", "1.7"], "1.618"),
        (&["record", "small-level", "--set", "threds=2"], "did you mean \"threads\""),
        (&["drivers", "per"], "did you mean \"peer\""),
        (&["replya"], "replay"),
    ] {
        let run = taut.run(words);
        assert_eq!(run.code, 2, "{words:?}: {}", run.stderr);
        assert!(run.stderr.contains(hint), "{words:?}: {}", run.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_an_io_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    for output in ["/dev/full", "no/such/folder/out.taut"] {
        if output == "/dev/full" && !Path::new(output).exists() {
            continue;
        }
        let run = taut.run(&["record", "small-level", "-o", output]);
        assert_eq!(run.code, 4, "{output}: {}", run.stderr);
        assert!(run.stderr.contains(output) && !run.stderr.contains("panicked"), "{output}: {}", run.stderr);
    }
}
