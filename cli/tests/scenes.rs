//! glTF scenes on the command line.
#![allow(clippy::expect_used)]

mod taut;

use std::fs;
use std::path::Path;
use taut::Taut;

/// Puts the small scene and its images into the folder.
fn courtyard(folder: &Path) -> String {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/scenes/courtyard");
    for file in fs::read_dir(scene).expect("the scene").flatten() {
        fs::copy(file.path(), folder.join(file.file_name())).expect("a copy");
    }
    fs::read_to_string(folder.join("courtyard.gltf")).expect("the scene")
}

#[test]
fn a_scene_is_recorded_and_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    courtyard(folder.path());
    let mut golden = String::new();
    for command in [
        &["record", "courtyard.gltf", "--clock", "logical"][..],
        &["record", "courtyard.gltf", "--clock", "logical", "--set", "items=accessors", "--set", "tight=on", "--json"],
        &["replay", "courtyard.taut"],
        &["dump", "courtyard.taut", "--event", "CreatePlacedResource", "--limit", "2"],
    ] {
        let run = taut.run(command);
        assert_eq!(run.code, 0, "{command:?}: {}", run.stderr);
        golden += &format!("$ taut {}\n{}{}\n", command.join(" "), run.stdout, run.stderr);
    }
    let golden: Vec<_> = golden.lines().filter(|line| !line.contains("\"bytes\"")).collect();
    insta::assert_snapshot!("scene", taut::without_sizes(&golden.join("\n")));
}

#[test]
fn a_bad_scene_is_told_where_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let sound = courtyard(folder.path());
    let cases = [
        ("empty", String::new()),
        ("cut", sound[..sound.len() / 2].to_owned()),
        ("with a view beyond its buffer", sound.replacen("\"byteLength\": 600", "\"byteLength\": 6000", 1)),
        ("with an impossible count", sound.replacen("\"count\": 100000", "\"count\": 9999999999999999999", 1)),
        ("with a size of another type", sound.replacen("\"byteLength\": 600", "\"byteLength\": \"600\"", 1)),
    ];
    let mut golden = String::new();
    for (what, text) in cases {
        fs::write(folder.path().join("bad.gltf"), text).expect("a bad scene");
        let run = taut.run(&["record", "bad.gltf"]);
        assert_eq!(run.code, 3, "{what}: {}", run.stderr);
        assert!(!folder.path().join("bad.taut").exists(), "{what}");
        golden += &format!("# {what}\n{}\n", run.stderr);
    }
    insta::assert_snapshot!("bad_scenes", golden);
}

#[test]
fn what_no_driver_can_hold_is_recorded_up_to_the_refusal() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let sound = courtyard(folder.path());
    let huge = sound.replacen("\"count\": 100000", "\"count\": 1000000000000000000", 1);
    fs::write(folder.path().join("huge.gltf"), huge).expect("a huge scene");
    let run = taut.run(&["record", "huge.gltf", "--set", "items=accessors"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("huge.gltf: CreateHeap: expected S_OK, found E_OUTOFMEMORY"), "{}", run.stderr);
    assert!(taut.stdout(&["replay", "huge.taut"]).contains("identical"));
}

#[test]
fn wrong_words_have_their_hints() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    courtyard(folder.path());
    assert_eq!(taut.run(&["record", "missing.gltf"]).code, 4);
    for (words, hint) in [
        (&["record", "courtyard.gltf", "--set", "itmes=views"][..], "did you mean \"items\""),
        (&["record", "courtyard.gltf", "--set", "items=veiws"], "did you mean \"views\""),
        (&["record", "courtyard.gltf", "--set", "heap_mib=0"], "a whole number from 1 to 4096"),
        (&["record", "courtyard.gltf", "--set", "items"], "expected KEY=VALUE"),
        (&["record", "courtyard.gltf", "--threads", "2"], "one of items, memory, tight, heap_mib"),
        (&["record", "streaming-wolrd"], "did you mean \"streaming-world\""),
        (&["record", "streaming-world", "--threads", "0"], "a whole number from 1 to 64"),
    ] {
        let run = taut.run(words);
        assert_eq!(run.code, 2, "{words:?}: {}", run.stderr);
        assert!(run.stderr.contains(hint), "{words:?}: {}", run.stderr);
    }
}

/// The figures of one phase of an alignment report, in the order of the table's columns: count, bins, exact bytes, then
/// the bytes allocated and padded to 64 KiB.
fn phase_figures(report: &serde_json::Value, name: &str) -> Vec<u64> {
    let phases = report["reports"]["alignment"]["phases"].as_array().expect("phases");
    let phase = phases.iter().find(|phase| phase["name"] == name).expect("the phase");
    let number = |value: &serde_json::Value| value.as_u64().expect("a number");
    let bins = ["below_256_b", "below_4_kib", "below_64_kib", "at_least_64_kib"];
    let mut figures = vec![number(&phase["buffers"]["resources"])];
    figures.extend(bins.map(|bin| number(&phase["size_classes"][bin]["resources"])));
    for key in ["requested_bytes", "allocated_bytes", "padded_64k_bytes"] {
        figures.push(number(&phase["buffers"][key]));
    }
    figures
}

/// What the published scenes are known to come to, recorded classic and made tight by a what-if.
#[test]
fn the_published_scenes_figures_come_out_of_analyze() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scenes = manifest.join("../../shared/data/scenes");
    if !scenes.is_dir() {
        eprintln!("skipped: the published scenes do not stand beside the checkout");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let analyzed = |file: &str| {
        let text = taut.stdout(&["analyze", file, "--report", "alignment", "--json"]);
        serde_json::from_str::<serde_json::Value>(&text).expect("JSON")
    };
    let table = fs::read_to_string(manifest.join("../testdata/scenes/truth.tsv")).expect("the table");
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (name, items) = (fields[0], format!("items={}", fields[1]));
        let numbers: Vec<u64> = fields[2..].iter().map(|field| field.parse().expect("a number")).collect();
        let [by_256_bytes, by_64k_bytes, constants] = [numbers[6], numbers[7], numbers[8]];
        let file = scenes.join(name).join(format!("{name}.gltf"));
        taut.stdout(&["record", &file.to_string_lossy(), "--set", &items, "-o", "scene.taut", "--quiet"]);
        taut.stdout(&["replay", "scene.taut", "--tight", "on", "-o", "tight.taut"]);
        for (file, allocated_bytes, each_constant_bytes) in
            [("scene.taut", by_64k_bytes, 65_536), ("tight.taut", by_256_bytes, 256)]
        {
            let report = analyzed(file);
            let expected = [&numbers[..6], &[allocated_bytes, by_64k_bytes]].concat();
            assert_eq!(phase_figures(&report, "items"), expected, "{name}, {items}, {file}");
            let constant = phase_figures(&report, "constants");
            let expected = [constants, 256 * constants, each_constant_bytes * constants, 65_536 * constants];
            assert_eq!([constant[0], constant[5], constant[6], constant[7]], expected, "{name}, {file}");
        }
    }
}
