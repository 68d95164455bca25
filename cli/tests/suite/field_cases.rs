//! Files that other programs wrote, as people have them: the cases of `shared/data/field`, where it is next to the checkout.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use taut::{Run, Taut};

/// Returns the path of a case's input; `None`, with a message, if the folder of cases does not exist.
fn input(name: &str) -> Option<PathBuf> {
    let places = ["../../shared", "../../../shared"].map(|up| Path::new(env!("CARGO_MANIFEST_DIR")).join(up));
    let found = places.into_iter().map(|place| place.join("data/field").join(name)).find(|file| file.is_file());
    if found.is_none() {
        eprintln!("skipped: {name}");
    }
    found
}

/// Records the input of a case to `out.taut` in a folder of its own.
fn record(name: &str, more: &[&str]) -> Option<(tempfile::TempDir, Run)> {
    let file = input(name)?;
    let folder = tempfile::tempdir().expect("a folder");
    let file = file.to_string_lossy().into_owned();
    let run = Taut::new(folder.path()).run(&[&["record", &file, "-o", "out.taut"], more].concat());
    Some((folder, run))
}

fn assert_parts(run: &Run, code: i32, parts: &[&str]) {
    let text = format!("{}{}", run.stdout, run.stderr);
    assert_eq!(run.code, code, "{text}");
    for part in parts {
        assert!(text.contains(part), "expected {part}, found {text}");
    }
}

#[test]
fn f01_f02_a_dump_is_read_in_utf_16_without_a_mark_and_with_a_terminating_zero() {
    for name in ["dumps/utf16le-without-mark.json", "dumps/utf8-with-nul.json"] {
        let Some((_folder, run)) = record(name, &[]) else { continue };
        assert_parts(
            &run,
            0,
            &["4 heaps of 37,748,736 bytes, 11 placed and 2 committed resources of 72,024,576 bytes"],
        );
    }
}

#[test]
fn f03_a_dump_of_totals_shows_them_and_what_a_detailed_map_adds() {
    let Some((folder, run)) = record("dumps/totals-only.json", &[]) else { return };
    let parts = [
        "640 blocks of 3,758,096,384 bytes",
        "2,900 allocations of 3,690,987,520 bytes",
        "budget 3,540,000,000 bytes, usage 4,229,000,000 bytes",
        "a detailed map",
    ];
    assert_parts(&run, 0, &parts);
    let info = Taut::new(folder.path()).stdout(&["info", "out.taut", "--json"]);
    assert!(info.contains("\"dump.memory.L0.usage_bytes\": 4229000000"), "{info}");
}

#[test]
fn f04_a_dump_in_a_log_is_read_and_the_lines_around_it_are_counted() {
    let Some((_folder, run)) = record("dumps/in-a-log.txt", &[]) else { return };
    assert_parts(&run, 0, &["640 blocks", "a dump in a log", "1 line before it and 1 line after it"]);
}

#[test]
fn f05_a_dump_of_before_version_2_1_is_named() {
    let Some((_folder, run)) = record("dumps/old-form.json", &[]) else { return };
    assert_parts(&run, 3, &["before version 2.1"]);
}

#[test]
fn f06_a_gpgmm_trace_is_recorded() {
    let Some((folder, run)) = record("foreign/gpgmm-trace.json", &[]) else { return };
    assert_parts(&run, 0, &["2 rows, 1 call"]);
    let report = Taut::new(folder.path()).stdout(&["analyze", "out.taut", "--report", "alignment", "--json"]);
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report.pointer("/reports/alignment/totals/buffers/requested_bytes"), Some(&Value::from(65_536)));
}

#[test]
fn f07_a_converted_capture_is_recorded() {
    let Some((folder, run)) = record("foreign/gfxrecon-convert.jsonl", &[]) else { return };
    assert_parts(&run, 0, &["2 rows, 1 call"]);
    let report = Taut::new(folder.path()).stdout(&["analyze", "out.taut", "--report", "alignment", "--json"]);
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report.pointer("/reports/alignment/totals/heap_bytes"), Some(&Value::from(2_097_152)));
}

#[test]
fn f12_f13_f14_valid_scenes_are_recorded() {
    for (name, buffers) in [
        ("scenes/scene-without-nodes.gltf", "0 buffers of 0 bytes"),
        ("scenes/extras-a-number.gltf", "1 buffer of 36 bytes"),
        ("scenes/whole-number-as-float.gltf", "1 buffer of 36 bytes"),
    ] {
        let Some((_folder, run)) = record(name, &[]) else { continue };
        assert_parts(&run, 0, &[buffers]);
    }
}

#[test]
fn f15_a_scene_of_version_1_is_named() {
    let Some((_folder, run)) = record("scenes/version-1.gltf", &[]) else { return };
    assert_parts(&run, 3, &["glTF 1.0, which is not read"]);
}

#[test]
fn f16_compressed_geometry_counts_as_decoded() {
    let Some((_folder, run)) = record("scenes/draco.gltf", &["--set", "items=views"]) else { return };
    assert_parts(&run, 0, &["3 buffers of 648 bytes", "KHR_draco_mesh_compression", "60 bytes"]);
}

/// Description of the case f17: 3 by 3 texels of a format with blocks of 4 by 4.
fn unaligned_blocks() -> Value {
    json!({"id": 1, "descs": [{"dimension": "TEXTURE2D", "width": 3, "height": 3, "mip_levels": 1, "format": "BC1_UNORM"}]})
}

#[test]
fn f17_a_driver_without_unaligned_block_textures_refuses_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let profile = taut.stdout(&["drivers", "reference"]);
    let strict = profile.replacen("[caps]\n", "[caps]\nunaligned_block_textures = false\n", 1);
    std::fs::write(folder.path().join("strict.toml"), strict).expect("a profile");
    std::fs::write(folder.path().join("descs.jsonl"), unaligned_blocks().to_string()).expect("descriptions");
    let answer = |driver: &str| -> Value {
        let text = taut.run(&["alloc-info", "descs.jsonl", "--driver", driver]).stdout;
        serde_json::from_str(text.lines().next().expect("an answer")).expect("JSON")
    };
    assert_eq!(answer("reference")["hr"], "0x00000000");
    let refused = answer("strict.toml");
    assert_eq!((&refused["hr"], &refused["size_bytes"]), (&json!("0x80070057"), &json!(u64::MAX)), "{refused}");
    assert!(refused["messages"].to_string().contains("UnalignedBlockTexturesSupported"), "{refused}");
}

#[test]
fn f18_the_refusal_of_a_small_alignment_has_tile_count_and_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let desc =
        json!({"dimension": "TEXTURE2D", "alignment": 4096, "width": 1024, "height": 1024, "format": "R8G8B8A8_UNORM"});
    std::fs::write(folder.path().join("descs.jsonl"), json!({"id": 1, "descs": [desc]}).to_string())
        .expect("descriptions");
    let text = taut.run(&["alloc-info", "descs.jsonl"]).stdout;
    for part in ["at most 16 tiles of 32×32 texels", "this one has 1,024"] {
        assert!(text.contains(part), "expected {part}, found {text}");
    }
}

/// Returns the id and text of each message of the debug layer in a trace.
fn messages(folder: &Path) -> String {
    Taut::new(folder).stdout(&["dump", "out.taut", "--event", "DebugMessage", "--json"])
}

#[test]
fn f19_an_upload_buffer_in_another_state_is_reported_and_refused_without_enhanced_barriers() {
    let Some((folder, _)) = record("logs/upload-state.jsonl", &[]) else { return };
    let reported = messages(folder.path());
    assert!(reported.contains("RESOURCE_BARRIER_INVALID_HEAP") && reported.contains("GENERIC_READ"), "{reported}");
    let taut = Taut::new(folder.path());
    let profile = taut.stdout(&["drivers", "reference"]);
    let older = profile.replacen("[caps]\n", "[caps]\nenhanced_barriers = false\n", 1);
    std::fs::write(folder.path().join("older.toml"), older).expect("a profile");
    let log = input("logs/upload-state.jsonl").expect("the log").to_string_lossy().into_owned();
    let run = taut.run(&["record", &log, "-o", "out.taut", "--force", "--driver", "older.toml"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(!run.stdout.contains("succeeded that failed in the log"), "{}", run.stdout);
    assert!(taut.stdout(&["replay", "out.taut"]).contains("identical"));
}

#[test]
fn f20_a_heap_that_denies_the_resource_gives_message_638() {
    let Some((folder, run)) = record("logs/deny-buffers.jsonl", &[]) else { return };
    assert_eq!(run.code, 0, "{}", run.stderr);
    let reported = messages(folder.path());
    assert!(reported.contains("CREATERESOURCEANDHEAP_INVALIDHEAPPROPERTIES"), "{reported}");
}

#[test]
fn f21_a_bundled_driver_has_resource_heap_tier_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let profile = Taut::new(folder.path()).stdout(&["drivers", "heap-tier1"]);
    assert!(profile.contains("resource_heap_tier = 1"), "{profile}");
}
