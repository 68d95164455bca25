//! Imports of files that the tests write, and of other people's traces where these are next to the checkout.
#![allow(clippy::unwrap_used, clippy::type_complexity)]

mod memory;
mod own_files;
mod presents;
mod provider_events;
mod rows;
mod worlds;

use super::{Import, ImportOptions, Imported};
use crate::Error;
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use taut_etl::Etl;
use taut_testkit::{EtlEvent, EtlFile};
use taut_traces::{Trace, TraceWriter, WriteOptions, fields};

/// An event of a file: (process, thread), tick and number. The TraceLogging field `n` has the number.
#[derive(Debug, Clone)]
struct Written {
    thread: (u32, u32),
    tick: i64,
    number: u32,
    name: char,
}

/// A file with a buffer per processor.
fn file(events: &[Vec<Written>]) -> Vec<u8> {
    let events: Vec<Vec<EtlEvent>> = events.iter().map(|events| events.iter().map(event).collect()).collect();
    EtlFile { events_lost: 3, ..EtlFile::default() }.bytes(&events)
}

/// A TraceLogging event with the fields `n` (u32), `d` (f64) and `path` (text). Without a description for the name `-`.
fn event(event: &Written) -> EtlEvent {
    let mut payload = event.number.to_le_bytes().to_vec();
    payload.extend(f64::from(event.number).to_le_bytes());
    payload.extend("C:\\Users\\ann\\x\0".encode_utf16().flat_map(u16::to_le_bytes));
    let written = EtlEvent::trace_logging(&event.name.to_string(), b"n\0\x08d\0\x0cpath\0\x01", payload);
    let schema = written.schema.filter(|_| event.name != '-');
    EtlEvent { process: event.thread.0, thread: event.thread.1, tick: event.tick, schema, ..written }
}

/// Imports a file, which `options` choose from.
fn import(path: &Path, options: ImportOptions) -> Result<(Trace, Imported), Error> {
    let folder = tempfile::tempdir().map_err(Error::io)?;
    let target = folder.path().join("imported.taut");
    let mut import = Import::new(ImportOptions { file: path.to_owned(), ..options })?;
    let imported = import.write(|header| TraceWriter::create(&target, header, WriteOptions::default()))?;
    let trace = Trace::from_bytes(std::fs::read(&target).map_err(Error::io)?)?;
    Ok((trace, imported))
}

fn import_bytes(bytes: &[u8], options: ImportOptions) -> Result<(Trace, Imported), Error> {
    let folder = tempfile::tempdir().map_err(Error::io)?;
    let path = folder.path().join("capture.etl");
    std::fs::write(&path, bytes).map_err(Error::io)?;
    import(&path, options)
}

/// Sum of a key over the entries of the parameter `counts`.
fn sum(trace: &Trace, key: &str) -> u64 {
    let counts = &trace.header().world.workload.parameters["counts"];
    counts.as_array().unwrap().iter().map(|entry| entry[key].as_u64().unwrap()).sum()
}

/// Fields of all rows by (process, thread), in order.
fn rows(trace: &Trace) -> BTreeMap<(u32, u64), Vec<(u64, String, Value)>> {
    let streams: BTreeMap<u32, (u32, u64)> =
        trace.streams().into_iter().map(|stream| (stream.stream, (stream.process, stream.system_thread))).collect();
    let (mut found, mut rows) = (BTreeMap::<_, Vec<_>>::new(), trace.rows());
    while let Some(row) = rows.next_row() {
        let schema = &trace.header().schema;
        let values = fields(schema, row.code, row.payload).unwrap();
        let values = values.into_iter().map(|(name, value)| (name, serde_json::to_value(value).unwrap())).collect();
        let name = schema.event(row.code).unwrap().name.clone();
        found.entry(streams[&row.thread]).or_default().push((row.stamp, name, Value::Object(values)));
    }
    found
}

fn written() -> impl Strategy<Value = Written> {
    let thread = (1_u32..3, 1_u32..4);
    (thread, 0_i64..50, any::<u32>(), prop_oneof![proptest::char::range('a', 'c'), Just('-')])
        .prop_map(|(thread, tick, number, name)| Written { thread, tick, number, name })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn imported_events_equal_the_files_with_equal_ticks_in_order(
        mut events in proptest::collection::vec(proptest::collection::vec(written(), 0..20), 1..4),
    ) {
        events.iter_mut().for_each(|events| events.sort_by_key(|event| event.tick));
        let (trace, imported) = import_bytes(&file(&events), ImportOptions { all: true, ..ImportOptions::default() }).unwrap();
        let total = events.iter().map(Vec::len).sum::<usize>() as u64;
        // The file's own record is the first event.
        prop_assert_eq!((imported.file_events, imported.events, imported.damage_count), (total + 1, total + 1, 0));
        prop_assert_eq!((sum(&trace, "number"), sum(&trace, "imported")), (total + 1, total + 1));
        prop_assert_eq!(trace.damage(), []);
        // Order: tick, then processor, then position.
        let mut all: Vec<&Written> = events.iter().flatten().collect();
        all.sort_by_key(|event| event.tick);
        let mut found = rows(&trace);
        prop_assert_eq!(found.remove(&(0, 0)).map(|rows| rows.len()), Some(1));
        let mut expected = BTreeMap::<_, Vec<_>>::new();
        for event in all {
            let of_thread = expected.entry((event.thread.0, u64::from(event.thread.1))).or_default();
            of_thread.push((event.tick as u64, event.number, event.name));
        }
        let found: BTreeMap<_, Vec<_>> = found.into_iter().map(|(thread, rows)| {
            let row = |(stamp, name, value): (u64, String, Value)| match value["payload"].as_str() {
                Some(hex) => {
                    let number = u32::from_str_radix(&hex[..8], 16).unwrap().swap_bytes();
                    (stamp, number, '-')
                }
                None => (stamp, value["n"].as_u64().unwrap() as u32, name.chars().next().unwrap()),
            };
            (thread, rows.into_iter().map(row).collect())
        }).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_cut_file_is_imported_or_its_loss_is_reported(cut in 0_usize..2_000, flip in 0_usize..2_000, bits: u8) {
        let events: Vec<_> = (0..8).map(|number| Written { thread: (1, 1), tick: 5, number, name: 'a' }).collect();
        let mut bytes = file(&[events]);
        let whole = bytes.len();
        bytes.truncate(cut.max(1));
        let length = bytes.len();
        if let Some(byte) = bytes.get_mut(flip) {
            *byte ^= bits;
        }
        if let Ok((trace, imported)) = import_bytes(&bytes, ImportOptions { all: true, ..ImportOptions::default() }) {
            prop_assert_eq!(sum(&trace, "number"), imported.file_events);
            prop_assert_eq!(sum(&trace, "imported"), imported.events);
            let is_unchanged = bits == 0 || flip >= length;
            prop_assert!(!is_unchanged || length >= whole || imported.is_incomplete());
        }
    }
}

fn three() -> Vec<u8> {
    let event = |tick, number, name| Written { thread: (1, number), tick, number, name };
    file(&[vec![event(1, 1, 'a'), event(2, 2, 'b'), event(3, 3, '-')]])
}

#[test]
fn events_without_a_description_are_counted_and_imported_on_request_only() {
    let (trace, imported) = import_bytes(&three(), ImportOptions::default()).unwrap();
    assert_eq!((imported.file_events, imported.events, imported.undescribed_events), (4, 2, 2));
    assert_eq!((sum(&trace, "number"), sum(&trace, "imported")), (4, 2));
    let (_, imported) = import_bytes(&three(), ImportOptions { all: true, ..ImportOptions::default() }).unwrap();
    assert_eq!((imported.events, imported.undescribed_events), (4, 0));
}

#[test]
fn the_header_states_origin_session_and_losses_of_windows() {
    let (trace, imported) = import_bytes(&three(), ImportOptions::default()).unwrap();
    let workload = &trace.header().world.workload;
    assert_eq!((workload.name.as_str(), workload.imported_from()), ("capture.etl", Some("capture.etl")));
    let parameters = &workload.parameters;
    assert_eq!(parameters["session"], "session");
    assert_eq!(parameters["windows_build"], 22_000);
    assert_eq!((&parameters["events_lost"], imported.windows_lost.0), (&Value::from(3), 3));
    assert!(parameters["start_utc"].as_str().unwrap().ends_with('Z'));
    let clock = trace.utc_clock().unwrap();
    // 10 MHz from the start of the session, whose record has the tick 0.
    assert_eq!(clock.utc_ns(10_000_000) - clock.utc_ns(0), 1_000_000_000);
    let event = trace.header().schema.events.iter().find(|event| event.name == "a").unwrap();
    assert_eq!((event.etw.unwrap().channel, event.opcode), (0, taut_schemas::Opcode::Info));
}

#[test]
fn options_choose_processes_threads_and_stamps() {
    let imported = |options| import_bytes(&three(), options).unwrap().1.events;
    assert_eq!(imported(ImportOptions { from: Some(2), ..ImportOptions::default() }), 1);
    assert_eq!(imported(ImportOptions { to: Some(1), ..ImportOptions::default() }), 1);
    assert_eq!(imported(ImportOptions { processes: vec![2], ..ImportOptions::default() }), 0);
    let provider = "ABABABAB-abab-abab-abab-abababababab".to_owned();
    assert_eq!(imported(ImportOptions { providers: vec![provider], ..ImportOptions::default() }), 2);
    let unknown = ImportOptions { providers: vec!["DxgKrnl".to_owned()], ..ImportOptions::default() };
    assert!(matches!(import_bytes(&three(), unknown), Err(Error::UnknownName { .. })));
    let reversed = ImportOptions { from: Some(2), to: Some(1), ..ImportOptions::default() };
    assert!(matches!(import_bytes(&three(), reversed), Err(Error::Usage(_))));
}

#[test]
fn redaction_leaves_no_users_name_in_the_trace() {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join("a.etl"), folder.path().join("a.taut"));
    std::fs::write(&source, three()).unwrap();
    let options = ImportOptions { file: source, redact: true, ..ImportOptions::default() };
    let mut import = Import::new(options.clone()).unwrap();
    let imported = import.write(|header| TraceWriter::create(&target, header, WriteOptions::default())).unwrap();
    assert_eq!(imported.redacted_names, 2);
    let trace = Trace::open(&target).unwrap();
    let texts = format!("{:?}", rows(&trace));
    assert!(texts.contains("REDACTED") && !texts.contains("ann"), "{texts}");
    assert!(matches!(Import::new(ImportOptions { all: true, ..options }), Err(Error::Usage(_))));
}

/// Folder of other people's traces.
fn folder(test: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/etl");
    if !folder.join("files.json").is_file() {
        let _ = writeln!(std::io::stderr(), "skipped: {test}: no real traces next to the checkout");
        return None;
    }
    Some(folder)
}

#[test]
fn real_files_are_imported_whole_and_their_counts_add_up() {
    let Some(folder) = folder("real_files_are_imported_whole_and_their_counts_add_up") else { return };
    let files: Vec<Value> = serde_json::from_slice(&std::fs::read(folder.join("files.json")).unwrap()).unwrap();
    for expected in &files {
        let name = expected["file"].as_str().unwrap();
        let path = folder.join("files").join(name);
        let (trace, imported) = import(&path, ImportOptions { all: true, ..ImportOptions::default() }).unwrap();
        assert_eq!(
            (imported.file_events, imported.events),
            (expected["events"].as_u64().unwrap(), imported.file_events)
        );
        assert_eq!((imported.damage_count, imported.lost_events, imported.other_events), (0, 0, 0), "{name}");
        assert_eq!((sum(&trace, "number"), sum(&trace, "imported")), (imported.events, imported.events), "{name}");
        assert_eq!(trace.header().world.workload.parameters["sha256"], expected["sha256"], "{name}");
        assert_eq!(trace.damage(), [], "{name}");
        let mut stamps = Vec::new();
        let mut rows = trace.rows();
        while let Some(row) = rows.next_row() {
            fields(&trace.header().schema, row.code, row.payload).unwrap();
            stamps.push(row.stamp);
        }
        let (file, mut ticks) = (Etl::open(&path).unwrap(), Vec::new());
        let mut events = file.events();
        while let Some(record) = events.next_record() {
            ticks.push(record.tick as u64);
        }
        stamps.sort_unstable();
        ticks.sort_unstable();
        assert!(stamps == ticks, "{name}: ticks differ");
    }
}

#[test]
fn the_graphics_capture_has_no_undecoded_bytes_but_the_known_ones() {
    let Some(folder) = folder("the_graphics_capture_has_no_undecoded_bytes_but_the_known_ones") else { return };
    let path = folder.join("files/gpuvis-wintracecmd.etl");
    let (trace, imported) = import(&path, ImportOptions::default()).unwrap();
    assert_eq!(imported.events, 196_500);
    let mut with_rest = BTreeMap::<u64, u64>::new();
    for rows in rows(&trace).values() {
        for (_, _, value) in rows {
            let hex = value["undecoded"].as_str().unwrap_or_default();
            *with_rest.entry(hex.len() as u64 / 2).or_default() += 1;
        }
    }
    assert_eq!(with_rest, BTreeMap::from([(0, 195_133), (8, 1_367)]));
}
