//! Test with the calls of a real allocator library: recorded, replayed, analyzed. The expected figures were computed
//! independently from the log alone.
#![allow(clippy::expect_used)]

use crate::taut;

use serde_json::Value;
use taut::Taut;
use taut_testkit::testdata;

/// Pointer into the alignment report, and expected figure.
pub const FIGURES: &[(&str, u64)] = &[
    // Objects.
    ("/totals/heaps", 378),
    ("/totals/placed", 117_547),
    ("/totals/committed", 301),
    ("/totals/buffers/resources", 117_571),
    ("/totals/buffers/placed", 117_400),
    ("/totals/buffers/committed", 171),
    ("/totals/textures/resources", 277),
    ("/totals/textures/placed", 147),
    ("/totals/textures/committed", 130),
    // Sums over the whole capture.
    ("/totals/heap_bytes", 3_205_206_016),
    ("/totals/buffers/requested_bytes", 3_415_836_720),
    ("/totals/buffers/allocated_bytes", 3_421_103_104),
    ("/totals/buffers/placed_bytes", 3_064_035_840),
    ("/totals/buffers/committed_bytes", 357_067_264),
    ("/totals/buffers/padded_64k_bytes", 10_692_329_472),
    ("/totals/buffers/rounding_bytes", 5_266_384),
    ("/totals/textures/allocated_bytes", 3_573_558_528),
    ("/totals/textures/placed_bytes", 1_312_824_576),
    ("/totals/textures/committed_bytes", 2_260_733_952),
    ("/totals/placed_bytes", 4_376_860_416),
    ("/totals/committed_bytes", 2_617_801_216),
    // Peak bytes of live resources.
    ("/peak/allocated_bytes", 3_423_043_584),
    ("/peak/at_seq", 1_317),
    ("/peak/committed_bytes", 2_248_392_704),
    // Peak bytes of heaps, implicit ones included.
    ("/peak_real/real_bytes", 3_605_266_432),
    ("/peak_real/total_bytes", 3_604_725_760),
    ("/peak_real/at_seq", 1_321),
    ("/peak_real/heap_bytes", 1_356_333_056),
    ("/peak_real/heaps", 256),
    // Peak bytes of live placed resources, and the layout of the heaps at that time.
    ("/peak_placed/at_seq", 1_293),
    ("/peak_placed/heaps", 244),
    ("/peak_placed/empty_heaps", 204),
    ("/peak_placed/heap_bytes", 1_355_546_624),
    ("/peak_placed/empty_heap_bytes", 13_369_344),
    ("/peak_placed/placed", 256),
    ("/peak_placed/placed_bytes", 1_174_650_880),
    ("/peak_placed/covered_bytes", 1_174_650_880),
    ("/peak_placed/overlap_bytes", 0),
    ("/peak_placed/padding_bytes", 0),
    ("/peak_placed/hole_bytes", 4_218_880),
    ("/peak_placed/tail_bytes", 176_676_864),
    ("/peak_placed/buffers/requested_bytes", 286_720),
    ("/peak_placed/buffers/allocated_bytes", 286_720),
    ("/peak_placed/buffers/padded_64k_bytes", 18_350_080),
    // Peak number of live placed resources, and the layout of the heaps at that time.
    ("/peak_count/at_seq", 251_001),
    ("/peak_count/heaps", 4),
    ("/peak_count/empty_heaps", 3),
    ("/peak_count/heap_bytes", 69_992_448),
    ("/peak_count/placed", 30_418),
    ("/peak_count/placed_bytes", 19_660_800),
    ("/peak_count/covered_bytes", 19_660_800),
    ("/peak_count/hole_bytes", 0),
    ("/peak_count/tail_bytes", 50_331_648),
    ("/peak_count/buffers/requested_bytes", 16_064_768),
    ("/peak_count/buffers/allocated_bytes", 19_660_800),
    ("/peak_count/buffers/padded_64k_bytes", 1_993_474_048),
    // All objects are released at the end.
    ("/end/resources", 0),
    ("/end/heaps", 0),
];

/// Parses one JSON document.
pub fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("one JSON document")
}

#[test]
fn the_logs_figures_come_out_exactly() {
    let log = testdata("d3d12ma-tight.jsonl.gz");
    let log = log.to_str().expect("a path in UTF-8");
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());

    let recorded = json(&taut.stdout(&["record", log, "--driver", "peer", "-o", "ma.taut", "--json"]));
    let of_log = |name: &str| recorded["log"][name].as_u64();
    assert_eq!((of_log("lines"), of_log("failures"), of_log("threads")), (Some(373_382), Some(0), Some(33)));
    assert_eq!(recorded["lost_events"], 0);
    // Every size and alignment is as logged, including those of the 277 textures.
    let infos = &recorded["log"]["changes"]["infos"];
    assert_eq!((&infos["equal"], &infos["different"]), (&Value::from(117_848), &Value::from(0)));

    let replayed = json(&taut.stdout(&["replay", "ma.taut", "--json"]));
    assert_eq!((&replayed["identical"], &replayed["calls"]), (&Value::from(true), &Value::from(373_310)));

    let analyzed = json(&taut.stdout(&["analyze", "ma.taut", "--report", "alignment", "--json"]));
    let report = &analyzed["reports"]["alignment"];
    let wrong: Vec<String> = FIGURES
        .iter()
        .filter(|(place, figure)| report.pointer(place).and_then(Value::as_u64) != Some(*figure))
        .map(|(place, figure)| format!("{place}: expected {figure}, found {:?}", report.pointer(place)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Uses of each buffer of `testdata/buffer-uses.jsonl`, and the largest alignment that they require by rule A-17.
const BUFFER_FLOORS: &[(&str, &[&str], u64)] = &[
    ("mesh/vertices", &["raytracing build input"], 16),
    ("mesh/indices", &["raytracing build input"], 16),
    ("scene/instances", &["raytracing build input"], 16),
    ("scene/shader tables", &["shader table"], 64),
    ("frame/camera", &["constant buffer view"], 256),
    ("frame/lights", &["raw view", "constant buffer view"], 256),
    ("video/bitstream", &["video bitstream"], 256),
    ("video/histogram", &["video histogram"], 256),
    ("scene/scratch", &["raw view"], 16),
];

#[test]
fn the_uses_of_a_buffer_determine_its_min_alignment() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let log = testdata("buffer-uses.jsonl");
    let log = log.to_str().expect("a path");
    taut.stdout(&[
        "record",
        log,
        "--rules",
        "1.619.4",
        "--driver",
        "tightest",
        "--clock",
        "logical",
        "-o",
        "uses.taut",
    ]);
    assert_eq!(taut.run(&["replay", "uses.taut"]).code, 0);
    let report = taut.stdout(&["analyze", "uses.taut", "--report", "alignment", "--json"]);
    let report = json(&report);
    let floors =
        report.pointer("/reports/alignment/buffer_floors").and_then(Value::as_array).cloned().unwrap_or_default();
    let found: Vec<(String, Vec<String>, u64)> = floors.iter().map(floor).collect();
    let wanted: Vec<(String, Vec<String>, u64)> = BUFFER_FLOORS
        .iter()
        .map(|(name, uses, floor)| {
            let uses = uses.iter().map(|one| (*one).to_owned()).collect();
            ((*name).to_owned(), uses, *floor)
        })
        .collect();
    assert_eq!(found, wanted, "{report:#}");
    let text = taut.stdout(&["analyze", "uses.taut", "--report", "alignment"]);
    let part = text.find("buffers are bound with").map(|at| &text[text[..at].rfind('\n').unwrap_or(0)..]);
    insta::assert_snapshot!("buffer_uses", part.unwrap_or_default());
}

fn floor(floor: &Value) -> (String, Vec<String>, u64) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let uses = floor["uses"].as_array().into_iter().flatten().map(text).collect();
    (text(&floor["name"]), uses, floor["floor_bytes"].as_u64().unwrap_or_default())
}
