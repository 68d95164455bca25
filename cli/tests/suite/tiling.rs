//! Tests of instant access: uploads recorded, replayed and reported; addresses; benchmarks.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use taut::Taut;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Records an upload, and returns the figures of its single surface.
fn surface(taut: &Taut, settings: &[&str]) -> Value {
    let set = settings.iter().flat_map(|setting| ["--set", *setting]);
    let record = ["record", "texture-upload", "-o", "upload.taut", "--force"];
    taut.stdout(&record.into_iter().chain(set).collect::<Vec<_>>());
    let replay = json(&taut.stdout(&["replay", "upload.taut", "--json"]));
    assert_eq!(replay["identical"], true);
    let report = json(&taut.stdout(&["analyze", "upload.taut", "--report", "tiling", "--json"]));
    let surfaces = report["reports"]["tiling"]["surfaces"].as_array().expect("surfaces").clone();
    assert_eq!(surfaces.len(), 1);
    surfaces[0].clone()
}

#[test]
fn t07_costs_of_linear_and_optimized_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let found = surface(&taut, &["mode=linear-rows"]);
    let keys = ["stores", "full_lines", "partial_evictions", "transactions", "ideal_transactions", "bytes"];
    let figures = |found: &Value| keys.map(|key| found[key].as_u64().expect("a number"));
    assert_eq!(
        (&found["order"], figures(&found)),
        (&"linear-rows".into(), [262_144, 0, 262_144, 524_288, 65_536, 4 << 20])
    );
    let found = surface(&taut, &["mode=optimized"]);
    assert_eq!(
        (&found["order"], figures(&found)),
        (&"optimized".into(), [262_144, 65_536, 0, 65_536, 65_536, 4 << 20])
    );
    // A million stores take few bytes of the file.
    let found = surface(&taut, &["mode=linear-rows", "store_bytes=4"]);
    assert_eq!((&found["order"], &found["store_bytes"]), (&"linear-rows".into(), &4.into()));
    let size = |name: &str| std::fs::metadata(folder.path().join(name)).expect("a file").len();
    taut.stdout(&["record", "texture-upload", "--providers", "api,ddi,task", "-o", "without.taut"]);
    let more = size("upload.taut") - size("without.taut");
    assert!(more < 2000, "a million stores take {more} bytes");
}

#[test]
fn t08_reads_and_a_wrong_swizzle_are_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let found = surface(&taut, &["width=64", "height=64", "read_back=rows", "swizzle=other"]);
    assert_eq!((&found["reads"], &found["wrong_swizzle"]), (&1024.into(), &"tile_y_no_csx".into()));
    let text = taut.stdout(&["analyze", "upload.taut", "--report", "tiling"]);
    assert!(text.contains("uncached") && text.contains("use layout tile_y_no_csx"), "{text}");
}

#[test]
fn uploads_without_the_extension_have_nothing_tiled() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut.stdout(&["record", "texture-upload", "--driver", "reference", "-o", "plain.taut"]);
    let report = json(&taut.stdout(&["analyze", "plain.taut", "--report", "tiling", "--json"]));
    let tiling = &report["reports"]["tiling"];
    assert_eq!((&tiling["surfaces"], &tiling["linear_maps"]), (&Value::Array(Vec::new()), &1.into()));
    let run = taut.run(&["record", "texture-upload", "--set", "mode=zigzag"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("linear-rows"), "{}", run.stderr);
}

#[test]
fn tile_info_answers_each_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let lines = [
        r#"{"id":1,"layout":"tile_y","x_bytes":16,"y":4,"pitch_bytes":128}"#,
        r#"{"id":2,"layout":"tile_y_no_csx","x_bytes":16,"y":4,"pitch_bytes":128}"#,
        r#"{"id":3,"layout":"tile_x","x_bytes":0,"y":1,"pitch_bytes":512}"#,
        r#"{"id":4,"layout":"ys3d_8","x_bytes":0,"y":0,"z":1,"pitch_bytes":64}"#,
        r#"{"id":5,"layout":"tile_yy","x_bytes":0,"y":0,"pitch_bytes":128}"#,
        r#"{"id":6,"layout":"tile_y","x_bytes":0,"y":0,"pitch_bytes":0}"#,
        "{",
    ];
    std::fs::write(folder.path().join("positions.jsonl"), lines.join("\n")).expect("positions");
    let run = taut.run(&["tile-info", "positions.jsonl"]);
    assert_eq!(run.code, 3, "the last three lines are bad");
    let answers: Vec<Value> = run.stdout.lines().map(json).collect();
    assert_eq!(run.stdout.lines().next(), Some(r#"{"id":1,"offset_bytes":512}"#));
    let offsets: Vec<_> = answers.iter().map(|answer| answer["offset_bytes"].as_u64()).collect();
    assert_eq!(offsets, [Some(512), Some(576), Some(576), Some(64), None, None, None]);
    assert!(
        answers[4]["error"].as_str().is_some_and(|error| error.contains("did you mean \"tile_y\"")),
        "{}",
        answers[4]
    );
    assert!(answers[5]["error"].as_str().is_some_and(|error| error.contains("pitch_bytes")), "{}", answers[5]);
}

#[test]
fn bench_tile_names_its_instructions_and_compares() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let bench = json(&taut.stdout(&["bench", "tile", "--rounds", "1", "--max-size", "256", "--json"]));
    assert!(bench["kernel"].is_string());
    let cases = bench["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 8, "two layouts, two directions, two sizes");
    for case in cases {
        assert!(["linear_to_tiled", "tiled_to_linear"].contains(&case["direction"].as_str().expect("a direction")));
        assert!(["tile_y", "tile_y_no_csx"].contains(&case["layout"].as_str().expect("a layout")));
        assert!([64, 256].contains(&case["size_px"].as_u64().expect("a size")));
        for key in ["gb_per_s", "ratio_to_memcpy", "per_pixel_ratio_to_memcpy", "non_temporal_ratio_to_memcpy"] {
            assert!(case[key].as_f64().is_some_and(|figure| figure > 0.0), "{key}: {case}");
        }
    }
    let text = taut.stdout(&["bench", "tile", "--rounds", "1", "--max-size", "64"]);
    assert!(text.contains("plain non-temporal copy") && text.contains("loop over texels"), "{text}");
}

#[test]
fn the_verdict_has_the_excess_its_cause_and_the_best_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut.stdout(&["record", "texture-upload", "--set", "mode=linear-rows", "-o", "rows.taut"]);
    let report = json(&taut.stdout(&["analyze", "rows.taut", "--report", "tiling", "--json"]));
    let verdict = &report["reports"]["tiling"]["verdict"];
    assert_eq!(
        verdict["sentence"],
        "Bus transactions are 8.00 × the minimum (524,288 for 65,536): 16-byte stores in row order evict each 64-byte line \
         partially filled."
    );
    assert_eq!(verdict["advice"], "Write in tile order, 16 bytes per store: 524,288 → 65,536 transactions.");
    let surface = &report["reports"]["tiling"]["surfaces"][0];
    assert_eq!(
        (&surface["width_texels"], &surface["height_texels"], &surface["format"]),
        (&1024.into(), &1024.into(), &"R8G8B8A8_UNORM".into())
    );
    let text = taut.stdout(&["analyze", "rows.taut", "--report", "tiling"]);
    assert!(text.contains("3, 1024×1024"), "{text}");
    taut.stdout(&["record", "texture-upload", "--set", "mode=tile-order", "-o", "tiles.taut"]);
    let report = json(&taut.stdout(&["analyze", "tiles.taut", "--report", "tiling", "--json"]));
    assert_eq!(report["reports"]["tiling"]["verdict"]["advice"], Value::Null);
}

#[test]
fn uploads_of_a_scene_are_recorded_in_the_order_of_mode() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let scene = taut_testkit::testdata("scenes/courtyard/courtyard.gltf");
    let record = ["record", &scene.to_string_lossy(), "--set", "mode=linear-rows", "-o", "court.taut"];
    let run = taut.run(&record);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(json(&taut.stdout(&["replay", "court.taut", "--json"]))["identical"], true);
    let report = json(&taut.stdout(&["analyze", "court.taut", "--report", "tiling", "--json"]));
    let surfaces = report["reports"]["tiling"]["surfaces"].as_array().expect("surfaces");
    let loaded = json(&taut.stdout(&["record", &scene.to_string_lossy(), "-o", "load.taut", "--json"]));
    assert_eq!(surfaces.len() as u64, loaded["scene"]["textures"].as_u64().expect("a number"));
    assert!(surfaces.iter().all(|surface| surface["order"] == "linear-rows"), "{surfaces:?}");
    let wrong = taut.run(&["record", &scene.to_string_lossy(), "--set", "mode=zigzag"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("linear-rows"), "{}", wrong.stderr);
}

#[test]
fn mapped_textures_of_a_call_log_are_counted_and_the_missing_stores_are_stated() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let log = taut_testkit::testdata("d3d12ma-tight.jsonl.gz");
    taut.stdout(&["record", &log.to_string_lossy(), "--driver", "peer", "-o", "ma.taut"]);
    let text = taut.stdout(&["analyze", "ma.taut", "--report", "tiling"]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("the trace has no CPU stores to memory mapped by Direct3D 12"), "{text}");
    assert!(text.contains("mapped"), "{text}");
}
