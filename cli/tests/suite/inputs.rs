//! Detection of inputs on the command line: exit codes and messages.
#![allow(clippy::expect_used)]

use crate::taut;

use std::fs;
use taut::Taut;
use taut_testkit::repository_file;

#[test]
fn a_file_is_recorded_by_its_content_whatever_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let testdata = repository_file("testdata");
    fs::copy(testdata.join("allocator-dump.json"), folder.path().join("dump.txt")).expect("a copy");
    fs::copy(testdata.join("buffer-uses.jsonl"), folder.path().join("calls.json")).expect("a copy");
    fs::write(folder.path().join("scene"), r#"{"asset": {"version": "2.0"}}"#).expect("a scene");
    for (name, part) in [("dump.txt", "4 heaps"), ("calls.json", "calls"), ("scene", "0 buffers")] {
        let text = taut.stdout(&["record", name, "-o", "out.taut", "--force"]);
        assert!(text.contains(part), "{name}: {text}");
    }
}

#[test]
fn a_file_of_another_kind_is_named_with_exit_code_3_and_leaves_no_trace() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let cases: [(&str, &[u8], &str); 6] = [
        ("empty.gltf", b"", "the file is empty"),
        ("empty.csv", b"\n", "the file is empty"),
        ("other.json", b"{\"price\": 3}", "a JSON object with the keys `price`"),
        ("other.csv", b"day,price\n1,2\n", "a table with the columns `day`, `price`"),
        ("frame.rdc", b"RDOC\0\0", "a RenderDoc capture"),
        ("game.exe", b"MZ\0\0", "a Windows program"),
    ];
    for (name, bytes, part) in cases {
        fs::write(folder.path().join(name), bytes).expect("a file");
        let run = taut.run(&["record", name, "-o", "out.taut"]);
        assert_eq!(run.code, 3, "{name}: {}", run.stderr);
        assert!(run.stderr.contains(part) && run.stderr.contains("a glTF scene"), "{name}: {}", run.stderr);
        assert!(!folder.path().join("out.taut").exists(), "{name}");
    }
}
