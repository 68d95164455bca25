//! Tests of glTF scenes.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use taut::Taut;
use taut_testkit::testdata;

/// Copies the small scene and its images into the folder. Returns the text of the scene.
fn courtyard(folder: &Path) -> String {
    let scene = testdata("scenes/courtyard");
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
        &[
            "record",
            "courtyard.gltf",
            "--clock",
            "logical",
            "--set",
            "items=accessors",
            "--set",
            "tight=on",
            "--json",
            "--force",
        ],
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
fn a_bad_scene_is_reported_with_its_position_and_leaves_no_file() {
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
fn a_scene_beyond_every_memory_limit_is_recorded_up_to_the_refusal() {
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

/// Figures of one phase of an alignment report, in the order of the table's columns: count, size classes, requested
/// bytes, bytes allocated and bytes padded to 64 KiB.
fn phase_figures(report: &Value, name: &str) -> Vec<u64> {
    let phases = report["reports"]["alignment"]["phases"].as_array().expect("phases");
    let phase = phases.iter().find(|phase| phase["name"] == name).expect("the phase");
    let number = |value: &Value| value.as_u64().expect("a number");
    let bins = ["below_256_b", "below_4_kib", "below_64_kib", "min_64_kib"];
    let mut figures = vec![number(&phase["buffers"]["resources"])];
    figures.extend(bins.map(|bin| number(&phase["size_classes"][bin]["resources"])));
    for key in ["requested_bytes", "allocated_bytes", "padded_64k_bytes"] {
        figures.push(number(&phase["buffers"][key]));
    }
    figures
}

/// Folder of the published scenes, if it is next to the checkout.
fn published() -> Option<PathBuf> {
    let places = ["../../shared", "../../../shared"].map(|up| Path::new(env!("CARGO_MANIFEST_DIR")).join(up));
    let found = places.map(|place| place.join("data/scenes")).into_iter().find(|place| place.is_dir());
    if found.is_none() {
        eprintln!("skipped: the published scenes do not stand beside the checkout");
    }
    found
}

/// Known figures of the published scenes, recorded classic and converted to tight by a what-if.
#[test]
fn the_published_scenes_figures_come_out_of_analyze() {
    let Some(scenes) = published() else { return };
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let analyzed = |file: &str| {
        let text = taut.stdout(&["analyze", file, "--report", "alignment", "--json"]);
        serde_json::from_str::<Value>(&text).expect("JSON")
    };
    let table = fs::read_to_string(manifest.join("../testdata/scenes/truth.tsv")).expect("the table");
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (name, items) = (fields[0], format!("items={}", fields[1]));
        let numbers: Vec<u64> = fields[2..].iter().map(|field| field.parse().expect("a number")).collect();
        let [by_256_bytes, by_64k_bytes, constants] = [numbers[6], numbers[7], numbers[8]];
        let file = scenes.join(name).join(format!("{name}.gltf"));
        taut.stdout(&["record", &file.to_string_lossy(), "--set", &items, "-o", "scene.taut", "--quiet", "--force"]);
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

/// First changes that the report advises, as parameters of the scene, with their savings.
fn advised_changes(report: &Value, limit: usize) -> Vec<(String, u64, u64)> {
    let causes = report["reports"]["alignment"]["causes"].as_array().expect("causes");
    let advised_changes = causes.iter().filter_map(|cause| {
        let change = cause["changes"].as_array()?.first()?;
        let set = format!("{}={}", cause["name"].as_str()?, change["change"].as_str()?);
        Some((set, cause["cumulative_saving_bytes"].as_u64()?, change["reclaimed_bytes"].as_u64()?))
    });
    advised_changes.take(limit).collect()
}

/// Records a scene unchanged, and with the first three changes that its report advises. The advised savings must be
/// achieved. Returns a summary.
fn assert_claimed_savings(taut: &Taut, scene: &str, memory: &str, driver: &str) -> String {
    let memory = format!("memory={memory}");
    let recorded = |sets: &[&str]| -> Value {
        let mut words = vec!["record", scene, "--driver", driver, "--set", &memory, "-o", "scene.taut", "--force"];
        sets.iter().for_each(|set| words.extend(["--set", set]));
        taut.stdout(&words);
        assert!(taut.stdout(&["replay", "scene.taut"]).contains("identical"));
        let text = taut.stdout(&["analyze", "scene.taut", "--report", "alignment", "--json"]);
        serde_json::from_str(&text).expect("JSON")
    };
    let peak = |report: &Value, key: &str| report["reports"]["alignment"]["peak"][key].as_u64().expect("bytes");
    let before = recorded(&[]);
    let three = advised_changes(&before, 3);
    let sets: Vec<&str> = three.iter().map(|(set, ..)| set.as_str()).collect();
    let after = recorded(&sets);
    let of_heaps = |set: &str| ["tails=", "order_in_heaps="].iter().any(|name| set.starts_with(name));
    let of_resources = three.iter().filter(|(set, ..)| !of_heaps(set));
    let claimed_bytes: u64 = of_resources.map(|(_, saving, _)| saving).sum();
    let gone = peak(&before, "in_use_bytes") - peak(&after, "in_use_bytes");
    assert_eq!(gone, claimed_bytes, "{scene}, {memory}, {driver}: {three:?}");
    // Heaps with fewer bytes of resources are smaller in a new recording.
    let reclaimed_bytes: u64 = three.iter().map(|(.., reclaimed_bytes)| reclaimed_bytes).sum();
    let really = peak(&before, "real_bytes") - peak(&after, "real_bytes");
    assert!(really >= reclaimed_bytes, "{scene}, {memory}, {driver}: {really} of {reclaimed_bytes}: {three:?}");
    // Each change of heaps by itself saves as much as the report claims.
    for (set, _, reclaimed_bytes) in
        advised_changes(&before, usize::MAX).iter().filter(|(set, ..)| set.starts_with("tails="))
    {
        let after = recorded(&[set]);
        assert_eq!(
            peak(&before, "real_bytes") - peak(&after, "real_bytes"),
            *reclaimed_bytes,
            "{scene}, {memory}, {driver}"
        );
    }
    format!("{memory}, {driver}: {three:?}: resources take {gone} B less, heaps hold {really} B less")
}

const CHANGED_WORLDS: [(&str, &str); 4] =
    [("placed", "reference"), ("committed", "reference"), ("placed", "legacy"), ("committed", "legacy")];

#[test]
fn a_scene_with_the_first_three_changes_saves_what_the_report_claims() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    courtyard(folder.path());
    for (memory, driver) in CHANGED_WORLDS {
        let summary = assert_claimed_savings(&taut, "courtyard.gltf", memory, driver);
        assert!(summary.contains('='), "{summary}");
    }
}

#[test]
fn a_published_scene_with_the_first_three_changes_saves_what_the_report_claims() {
    let Some(scene) = published().map(|scenes| scenes.join("AbandonedWarehouse/AbandonedWarehouse.gltf")) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    for (memory, driver) in CHANGED_WORLDS {
        let summary = assert_claimed_savings(&taut, &scene.to_string_lossy(), memory, driver);
        eprintln!("{summary}");
    }
}
