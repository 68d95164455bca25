//! Traces that other people recorded. They are not part of the project: where they are absent, the tests say so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use taut_etl::{Etl, Kind};

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
