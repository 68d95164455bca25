//! Traces exported as Windows traces and imported again.
#![allow(clippy::unwrap_used)]

use super::{Export, ExportForm};
use crate::NoProgress;
use crate::import::{Import, ImportOptions};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;
use taut_etl::Etl;
use taut_schemas::{
    Encoder, EventCode, EventSchema, FieldKind, FieldSchema, Layer, Level, Opcode, ProviderSchema, Role, ScalarSchema,
    SchemaTable, Slot,
};
use taut_traces::{Header, Trace, TraceWriter, WriteOptions, fields};

/// Exports a trace. Returns the file and the number of events left out.
fn exported(trace: Trace) -> (Vec<u8>, u64) {
    let mut bytes = Vec::new();
    let gaps = Export::new("trace".to_owned(), trace).unwrap().write(ExportForm::Etl, &mut bytes, &NoProgress).unwrap();
    (bytes, gaps.left_out)
}

/// A record of either trace: stamp, name, opcode, fields.
type Record = (u64, String, u8, Vec<(String, Value)>);

/// Records by stream, in order of the streams' first records. Names of enumerators are not in
/// a Windows trace, so values are numbers in both.
fn records(trace: &Trace, is_imported: bool) -> Vec<Record> {
    let mut schema = trace.header().schema.clone();
    schema.codes.clear();
    let (mut found, mut rows) = (Vec::<(u32, Vec<Record>)>::new(), trace.rows());
    while let Some(row) = rows.next_row() {
        let Some(event) = schema.event(row.code) else { continue };
        let values = fields(&schema, row.code, row.payload).unwrap();
        let (name, opcode, values) = match is_imported {
            true => {
                let values = values.into_iter().map(|(name, value)| (name, serde_json::to_value(value).unwrap()));
                (event.name.clone(), event.etw.as_ref().unwrap().opcode, values.collect())
            }
            false => {
                let opcode = match row.code.opcode() {
                    Some(Opcode::Start) => 1,
                    Some(Opcode::Stop) => 2,
                    _ => 0,
                };
                (format!("{}.{}", event.provider, event.name), opcode, as_imported(event, values))
            }
        };
        let record = (row.stamp, name, opcode, values);
        match found.iter_mut().find(|(thread, _)| *thread == row.thread) {
            Some((_, records)) => records.push(record),
            None => found.push((row.thread, vec![record])),
        }
    }
    found.into_iter().flat_map(|(_, records)| records).collect()
}

/// The fields as an import has them: a list's columns are lists of their own, and enumerators, flags and ids numbers.
fn as_imported(event: &EventSchema, values: Vec<(String, taut_traces::Value)>) -> Vec<(String, Value)> {
    let mut flat = Vec::new();
    for (field, (name, value)) in event.fields.iter().zip(values) {
        let value = serde_json::to_value(value).unwrap();
        match &field.kind {
            FieldKind::List(columns) | FieldKind::Optional(columns) => {
                let elements = value.as_array().unwrap();
                for column in columns {
                    let of_column = elements.iter().map(|element| json!({"value": number(&element[&column.name])}));
                    flat.push((format!("{name}.{}", column.name), of_column.collect()));
                }
            }
            FieldKind::Scalar(_) => flat.push((name, number(&value))),
            FieldKind::Text | FieldKind::Bytes => flat.push((name, value)),
        }
    }
    flat
}

/// The number of a text such as `0x8007000e`.
fn number(value: &Value) -> Value {
    let digits = value.as_str().and_then(|text| text.strip_prefix("0x"));
    digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()).map_or(value.clone(), Value::from)
}

/// Names of an imported event carry a number where the name, version and id of a former one are equal.
fn unnumbered(records: Vec<Record>) -> Vec<Record> {
    let base = |name: String| name.rsplit_once("_v").map_or(name.clone(), |(base, _)| base.to_owned());
    records.into_iter().map(|(stamp, name, opcode, fields)| (stamp, base(name), opcode, fields)).collect()
}

/// Exports a trace and imports it again.
fn assert_round_trip(trace: Trace, name: &str) {
    let expected = records(&trace, false);
    let (bytes, left_out) = exported(trace);
    let folder = tempfile::tempdir().unwrap();
    let (file, target) = (folder.path().join("trace.etl"), folder.path().join("again.taut"));
    std::fs::write(&file, &bytes).unwrap();
    let mut import = Import::new(ImportOptions { file, ..ImportOptions::default() }).unwrap();
    let result = import.write(|header| TraceWriter::create(&target, header, WriteOptions::default())).unwrap();
    assert_eq!((result.damage_count, result.events), (0, expected.len() as u64 - left_out), "{name}");
    let imported = unnumbered(records(&Trace::open(&target).unwrap(), true));
    let expected = unnumbered(expected);
    if left_out == 0 {
        for (expected, imported) in expected.iter().zip(&imported) {
            assert_eq!(imported, expected, "{name}");
        }
        assert_eq!(imported.len(), expected.len(), "{name}");
    }
}

#[test]
fn every_event_of_the_corpus_is_read_back_with_its_fields() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/corpus");
    let mut read = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "taut") {
            let trace = Trace::open_in_memory(&path).unwrap();
            assert_round_trip(trace, &path.to_string_lossy());
            read += 1;
        }
    }
    assert!(read > 20, "{read}");
}

/// A schema with one event: a number of each width, a float, a text, bytes, and a list with two columns.
fn schema() -> (SchemaTable, EventCode) {
    let scalar = |name: &str, width_bytes, role, in_list| ScalarSchema {
        name: name.to_owned(),
        width_bytes,
        role,
        space: None,
        slot: Slot::new(role, in_list),
        code: None,
        doc: String::new(),
    };
    let field = |name: &str, kind| FieldSchema { name: name.to_owned(), doc: String::new(), kind };
    let number = |name: &str, width, role| field(name, FieldKind::Scalar(scalar(name, width, role, false)));
    let list = vec![scalar("first", 1, Role::Value, true), scalar("second", 8, Role::Value, true)];
    let fields = vec![
        number("one", 1, Role::Value),
        number("two", 2, Role::Value),
        number("four", 4, Role::Value),
        number("eight", 8, Role::Value),
        number("share", 8, Role::Float),
        field("text", FieldKind::Text),
        field("bytes", FieldKind::Bytes),
        field("list", FieldKind::List(list)),
    ];
    let mut table = SchemaTable::default();
    let mut appender = table.append_events();
    appender.provider(ProviderSchema::from_name("tests", 1));
    let code = appender.event(EventSchema {
        code: EventCode(0),
        name: "Everything".to_owned(),
        provider: "tests".to_owned(),
        layer: Layer::Mark,
        opcode: Opcode::Info,
        level: Level::Info,
        keywords: 0,
        etw: None,
        doc: String::new(),
        fields,
    });
    drop(appender);
    (table, code.unwrap())
}

/// Values of an event.
type Values = ((u8, u16, u32, u64), f64, String, Vec<u8>, Vec<(u8, u64)>);

fn written(events: &[(u32, u64, Values)]) -> Trace {
    let (schema, code) = schema();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("random.taut");
    let writer = TraceWriter::create(&path, Header { schema, ..Header::default() }, WriteOptions::default()).unwrap();
    for (thread, stamp, ((one, two, four, eight), share, text, bytes, list)) in events {
        writer.thread(*thread).event(code, *stamp, |row| {
            row.u8(*one);
            row.u16(*two);
            row.u32(*four);
            row.u64(*eight);
            row.u64(share.to_bits());
            row.bytes(text.as_bytes());
            row.bytes(bytes);
            row.count(list.len());
            list.iter().for_each(|(first, second)| element(row, *first, *second));
        });
    }
    writer.finish().unwrap();
    Trace::from_bytes(std::fs::read(&path).unwrap()).unwrap()
}

fn element(row: &mut Encoder<'_>, first: u8, second: u64) {
    row.u8(first);
    row.u64(second);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn random_events_are_read_back(events in prop::collection::vec(
        (0_u32..3, any::<((u8, u16, u32, u64), i32, String, Vec<u8>, Vec<(u8, u64)>)>()), 0..30,
    )) {
        let event = |(stamp, (thread, (numbers, share, text, bytes, list)))| {
            (thread, stamp as u64 + 1, (numbers, f64::from(share) / 8.0, text, bytes, list))
        };
        let events: Vec<_> = events.into_iter().enumerate().map(event).collect();
        assert_round_trip(written(&events), "random");
    }
}

#[test]
fn an_event_that_no_buffer_holds_is_left_out_and_the_header_counts_it() {
    let values = |size| ((1, 2, 3, 4), 0.5, String::new(), vec![7; size], Vec::new());
    let trace = written(&[(0, 1, values(60_000)), (0, 2, values(65_300)), (0, 3, values(70_000)), (0, 4, values(1))]);
    let (bytes, left_out) = exported(trace);
    assert_eq!(left_out, 2);
    let file = Etl::from_bytes(bytes).unwrap();
    assert_eq!((file.header().events_lost, file.header().session.as_str()), (2, "tautline"));
    let mut events = file.events();
    let mut count = 0;
    while events.next_record().is_some() {
        count += 1;
    }
    assert_eq!(count, 3, "the header's record and two events");
}
