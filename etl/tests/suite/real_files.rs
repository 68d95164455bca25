//! Traces that other people recorded. They are not part of the project: where they are absent, the tests say so.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;
use taut_etl::{Etl, Guid, Kind};

/// Folder of the traces beside the checkout, with `files.json`.
pub fn folder(test: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/etl");
    if !folder.join("files.json").is_file() {
        eprintln!("skipped: {test}: no real traces beside the checkout");
        return None;
    }
    Some(folder)
}

#[test]
fn counts_span_and_losses_equal_those_of_independent_readers() {
    let Some(folder) = folder("counts_span_and_losses_equal_those_of_independent_readers") else { return };
    let files: Vec<Value> = serde_json::from_slice(&std::fs::read(folder.join("files.json")).unwrap()).unwrap();
    assert_eq!(files.len(), 20);
    let (mut total, mut compressed) = (0, 0);
    for expected in &files {
        let name = expected["file"].as_str().unwrap();
        let file = Etl::open(&folder.join("files").join(name)).unwrap();
        let found = read(&file);
        let header = file.header();
        let tick_rate = header.ticks_per_second().unwrap() as f64;
        let span = (found.last - found.first.unwrap_or(found.last)) as f64 / tick_rate;
        assert_eq!(found.damage, 0, "{name}");
        assert_eq!(found.events, expected["events"], "{name}");
        assert_eq!(serde_json::json!(found.kinds), expected["by_header"], "{name}");
        assert_eq!(serde_json::json!((span * 1e3).round() / 1e3), expected["span_s"], "{name}");
        assert_eq!(file.counts().buffers, expected["buffers"], "{name}");
        assert_eq!(header.session, expected["session"], "{name}");
        assert_eq!(header.windows_build, expected["windows_build"], "{name}");
        assert_eq!(header.events_lost, expected["events_lost"], "{name}");
        assert_eq!(header.buffers_lost, expected["buffers_lost"], "{name}");
        assert_eq!(header.perf_frequency, expected["perf_freq"], "{name}");
        assert_eq!(header.pointer_bytes, expected["pointer_size_of_header"], "{name}");
        let start = expected["start_utc"].as_str().unwrap();
        // The expected text was rounded by a 64-bit float, whose step at such a time is about 2 µs.
        assert!((header.start_date().unwrap() / 10).abs_diff(filetime_us(start)) <= 2, "{name}");
        assert_eq!(file.size_bytes(), expected["bytes"], "{name}");
        assert_eq!(header.clock_type, expected["clock"], "{name}");
        assert_eq!(format!("{:#x}", header.log_file_mode), expected["log_file_mode"], "{name}");
        let compression =
            file.compression().map_or("no".to_owned(), |c| format!("{} {}", file.counts().compressed, c.name()));
        assert_eq!(compression, expected["compression"], "{name}");
        let providers = expected["providers"].as_array().unwrap();
        let providers =
            providers.iter().map(|p| (p["guid"].as_str().unwrap().to_owned(), p["events"].as_u64().unwrap()));
        assert_eq!(found.providers, providers.collect(), "{name}");
        let items = expected["extended_items"].as_str().unwrap().replace("none", "{}");
        assert_eq!(found.items, item_counts(&items), "{name}");
        total += found.events;
        compressed += file.counts().compressed;
    }
    assert_eq!((total, compressed), (422_228, 362));
}

/// Microseconds since 1601 of a text like `2019-04-26T21:03:04.578344`.
fn filetime_us(text: &str) -> i64 {
    let numbers: Vec<i64> = text.split(['-', 'T', ':', '.']).map(|part| part.parse().unwrap()).collect();
    let (year, month) = (numbers[0], numbers[1]);
    let leap = |year: i64| i64::from(year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
    let month_days = [31, 28 + leap(year), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let years: i64 = (1601..year).map(|year| 365 + leap(year)).sum();
    let days = years + month_days.iter().take(month as usize - 1).sum::<i64>() + numbers[2] - 1;
    (((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]) * 1_000_000 + numbers[6]
}

#[test]
fn the_graphics_capture_has_the_same_count_of_every_event_and_of_equal_ticks() {
    let Some(folder) = folder("the_graphics_capture_has_the_same_count_of_every_event_and_of_equal_ticks") else {
        return;
    };
    let files: Vec<Value> = serde_json::from_slice(&std::fs::read(folder.join("files.json")).unwrap()).unwrap();
    let expected = files.iter().find(|file| file["file"] == "gpuvis-wintracecmd.etl").unwrap();
    let file = Etl::open(&folder.join("files/gpuvis-wintracecmd.etl")).unwrap();
    let kernel = Guid::parse("802ec45a-1e99-4b83-9920-87c98277ba9d");
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut last_ticks = BTreeMap::new();
    let mut processes = BTreeSet::new();
    let mut equal_ticks = 0;
    let mut events = file.events();
    while let Some(record) = events.next_record() {
        if record.kind != Kind::Event64 {
            continue;
        }
        if record.provider == kernel {
            *counts.entry(format!("{} v{}", record.descriptor.id, record.descriptor.version)).or_default() += 1;
        }
        processes.insert(record.process);
        equal_ticks += u64::from(last_ticks.insert(record.thread, record.tick) == Some(record.tick));
    }
    assert_eq!(serde_json::json!(counts), expected["dxgkrnl_events"]);
    assert_eq!(equal_ticks, expected["records_with_the_same_tick_as_the_one_before_on_their_thread"]);
    assert_eq!(last_ticks.len(), expected["threads"]);
    assert_eq!(processes.len(), expected["processes"]);
}

/// Counts of a text like `{12: 1, 11: 1}`.
fn item_counts(text: &str) -> BTreeMap<u16, u64> {
    let entries = text.trim_matches(['{', '}']).split(", ").filter_map(|entry| entry.split_once(": "));
    entries.map(|entry| (entry.0.parse().unwrap(), entry.1.parse().unwrap())).collect()
}

#[derive(Default)]
struct Found {
    events: u64,
    kinds: BTreeMap<&'static str, u64>,
    providers: BTreeMap<String, u64>,
    items: BTreeMap<u16, u64>,
    first: Option<i64>,
    last: i64,
    damage: u64,
}

fn read(file: &Etl) -> Found {
    let mut found = Found::default();
    let mut events = file.events();
    while let Some(record) = events.next_record() {
        found.events += 1;
        *found.kinds.entry(record.kind.name()).or_default() += 1;
        if let Some(provider) = record.provider {
            *found.providers.entry(provider.to_string()).or_default() += 1;
        }
        for item in record.extended() {
            *found.items.entry(item.item_type).or_default() += 1;
        }
        let is_header = found.events == 1 && matches!(record.kind, Kind::System32 | Kind::System64);
        if !is_header {
            found.first.get_or_insert(record.tick);
            found.last = record.tick;
        }
    }
    found.damage = file.damage().total() + events.damage().total();
    found
}
