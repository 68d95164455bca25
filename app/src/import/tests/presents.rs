//! Presents of the published graphics capture, compared with the results of another consumer and with counts of the raw records.

use super::{ImportOptions, folder, import};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use taut_analyze::imported::{self, PresentPath};
use taut_analyze::{Analysis, report};
use taut_etl::{Etl, Guid};

/// Process of the compositor in the capture.
const COMPOSITOR: u32 = 1072;

/// Counts of the raw records, whose payloads are read by offset.
#[derive(Debug, Default, PartialEq, Eq)]
struct RawCounts {
    blits: u64,
    presents: u64,
    cross_adapter: u64,
    flips: u64,
    syncs: u64,
    tokens_paired: u64,
    tokens_left: u64,
    /// Flips whose sequence a synchronization has, synchronizations of other sequences, and flips without one.
    flips_paired: u64,
    syncs_left: u64,
    flips_left: u64,
}

fn number(payload: &[u8], offset: usize, bytes: usize) -> u64 {
    payload[offset..offset + bytes].iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn raw_counts(path: &Path) -> RawCounts {
    let graphics_kernel = Guid::parse("802ec45a-1e99-4b83-9920-87c98277ba9d");
    let file = Etl::open(path).unwrap();
    let (mut counts, mut events) = (RawCounts::default(), file.events());
    let (mut open, mut tokens) = (BTreeSet::new(), BTreeMap::<u64, u64>::new());
    let mut sequences = BTreeMap::<u64, bool>::new();
    while let Some(record) = events.next_record() {
        if record.provider != graphics_kernel {
            continue;
        }
        let payload = record.payload;
        match record.descriptor.id {
            166 => counts.blits += 1,
            184 => {
                counts.presents += 1;
                counts.cross_adapter += u64::from(number(payload, 16, 4) & 0x400_0000 != 0);
            }
            252 => {
                counts.flips += 1;
                open.insert(record.thread);
            }
            // The first present packet of a thread after its flip.
            178 if number(payload, 32, 4) != 0 && open.remove(&record.thread) => {
                sequences.insert(number(payload, 12, 4), false);
            }
            17 => {
                counts.syncs += 1;
                let sequence = number(payload, 52, 4);
                match sequences.get_mut(&sequence) {
                    Some(is_paired) => *is_paired = true,
                    None => counts.syncs_left += u64::from(sequence != 0),
                }
            }
            171 | 215 => *tokens.entry(number(payload, 8, 8)).or_default() += 1,
            173 => match tokens.get_mut(&number(payload, 8, 8)).filter(|open| **open > 0) {
                Some(open) => {
                    *open -= 1;
                    counts.tokens_paired += 1;
                }
                None => counts.tokens_left += 1,
            },
            _ => {}
        }
    }
    counts.tokens_left += tokens.values().sum::<u64>();
    counts.flips_paired = sequences.values().filter(|is_paired| **is_paired).count() as u64;
    counts.flips_left = sequences.len() as u64 - counts.flips_paired;
    counts
}

#[test]
fn the_raw_records_of_the_graphics_capture_pair_up_to_one_synchronization() {
    let Some(folder) = folder("the_raw_records_of_the_graphics_capture_pair_up_to_one_synchronization") else { return };
    let expected = RawCounts {
        blits: 517,
        presents: 517,
        cross_adapter: 291,
        flips: 332,
        syncs: 438,
        tokens_paired: 624,
        tokens_left: 0,
        flips_paired: 332,
        syncs_left: 1,
        flips_left: 0,
    };
    assert_eq!(raw_counts(&folder.join("files/gpuvis-wintracecmd.etl")), expected);
}

#[test]
fn presents_of_the_graphics_capture_equal_those_of_another_consumer() {
    let Some(folder) = folder("presents_of_the_graphics_capture_equal_those_of_another_consumer") else { return };
    let path = folder.join("files/gpuvis-wintracecmd.etl");
    let expected: Value = serde_json::from_slice(&std::fs::read(folder.join("presents.json")).unwrap()).unwrap();
    let raw = raw_counts(&path);
    let (trace, _) = import(&path, ImportOptions::default()).unwrap();
    let analysis = Analysis::new(trace).unwrap();
    let found = imported::presents(analysis.source()).unwrap().unwrap();
    let count = |is: &dyn Fn(&imported::ImportedPresent) -> bool| found.presents.iter().filter(|one| is(one)).count();

    assert_eq!(found.presents.len() as u64, expected["tracked"].as_u64().unwrap());
    let of_compositor = &expected["by_process"][0];
    let is_flip = |one: &imported::ImportedPresent| one.path == PresentPath::HardwareLegacyFlip;
    assert_eq!(count(&is_flip) as u64, of_compositor["presents"].as_u64().unwrap());
    assert_eq!(count(&|one| is_flip(one) && one.process == COMPOSITOR) as u64, raw.flips);
    assert_eq!(count(&|one| one.shown_stamp.is_some()) as u64, of_compositor["shown"].as_u64().unwrap());
    assert_eq!(count(&|one| one.path == PresentPath::Unknown) as u64, raw.blits);
    assert_eq!(count(&|one| one.is_cross_adapter == Some(true)) as u64, raw.cross_adapter);
    assert_eq!(expected["with_cross_adapter_bit"], raw.cross_adapter);
    // The capture's flips have no flags, so that nothing is known of them.
    assert_eq!(count(&|one| is_flip(one) && one.is_cross_adapter.is_some()), 0);

    let flips: Vec<_> = found.presents.iter().filter(|one| is_flip(one)).collect();
    assert_eq!(flips[0].start_stamp, of_compositor["first_start"].as_u64().unwrap());
    assert_eq!(flips[flips.len() - 1].start_stamp, of_compositor["last_start"].as_u64().unwrap());
    let mut shown: Vec<u64> = found.presents.iter().filter_map(|one| one.shown_stamp).collect();
    shown.sort_unstable();
    assert_eq!(serde_json::json!(shown[..3]), expected["shown_ticks_first_three"]);
    let mut steps: Vec<u64> = shown.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.sort_unstable();
    let median = steps[steps.len() / 2];
    let spread = serde_json::json!({"least": steps[0], "median": median, "greatest": steps[steps.len() - 1]});
    assert_eq!(spread, expected["shown_interval_ticks"]);
    let counts = found.counts;
    assert_eq!((counts.tokens_ended, counts.vertical_syncs), (raw.tokens_paired, raw.syncs));
    assert_eq!((counts.tokens_open, counts.syncs_of_unknown_flips), (raw.tokens_left, raw.syncs_left));
    assert_eq!((counts.ends_without_start, counts.starts_without_end), (0, 0));

    report_equals(&analysis, &expected, &raw);
}

/// The report has the same figures.
fn report_equals(analysis: &Analysis, expected: &Value, raw: &RawCounts) {
    let figures = report("windows").unwrap().run(analysis).unwrap().json;
    let groups = figures["presents"].as_array().unwrap();
    let sum = |key: &str| groups.iter().filter_map(|group| group[key].as_u64()).sum::<u64>();
    assert_eq!((sum("presents"), sum("cross_adapter")), (raw.blits + raw.flips, raw.cross_adapter));
    let of_compositor = groups.iter().find(|group| group["path"] == "hardware_legacy_flip").unwrap();
    assert_eq!(of_compositor["shown"], expected["by_process"][0]["shown"]);
    assert_eq!((&of_compositor["cross_adapter"], &of_compositor["process_name"]), (&Value::Null, &Value::Null));
    let unknown = groups.iter().filter(|group| group["path"] == "unknown");
    let processes: BTreeSet<_> = unknown.map(|group| group["process"].as_u64()).collect();
    assert_eq!(processes.len() as u64, expected["blit_processes"].as_u64().unwrap());
    assert_eq!(figures["pairs"]["tokens_ended"], raw.tokens_paired);
    // Two kinds of text markers and the header have no description.
    let undecoded = figures["undecoded"].as_array().unwrap().iter().filter_map(|kind| kind["events"].as_u64());
    assert_eq!(undecoded.sum::<u64>(), figures["file_events"].as_u64().unwrap() - figures["events"].as_u64().unwrap());
    for absent in ["background_work", "pipelines"] {
        assert_eq!(figures[absent], Value::Null, "{absent}");
    }
    let missing: Vec<_> =
        figures["missing"].as_array().unwrap().iter().filter_map(|one| one["figure"].as_str()).collect();
    assert!(missing.contains(&"process_name") && missing.contains(&"gpu.engine"), "{missing:?}");
    assert!(!missing.contains(&"presents") && !missing.contains(&"segments"), "{missing:?}");
}

#[test]
fn a_trace_without_presents_has_null_for_each_figure_of_them() {
    let (trace, _) = super::import_bytes(&super::three(), ImportOptions::default()).unwrap();
    let analysis = Analysis::new(trace).unwrap();
    let figures = report("windows").unwrap().run(&analysis).unwrap().json;
    for absent in [
        "presents",
        "unknown_path_ratio",
        "cross_adapter_ratio",
        "pairs",
        "gpu",
        "segments",
        "process_memory",
        "allocations",
        "background_work",
        "pipelines",
    ] {
        assert_eq!(figures[absent], Value::Null, "{absent}");
    }
    assert_eq!((&figures["lost_events"], &figures["file_events"]), (&3.into(), &4.into()));
    assert_eq!(figures["undecoded"].as_array().unwrap().len(), 2, "{figures}");
}
