//! Expected arguments of a slice: the JSON lines, converted to Perfetto's representation.

use super::reading::{Event, File, Kind};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use taut_analyze::Analysis;
use taut_analyze::export::write_jsonl;
use taut_schemas::{EventSchema, FieldKind, Opcode, SchemaTable};

/// A record of the JSON lines.
pub struct Line {
    pub stamp: u64,
    pub thread: u64,
    pub provider: String,
    pub event: String,
    pub opcode: Opcode,
    pub fields: Value,
}

/// All records, in order.
pub fn lines(analysis: &Analysis) -> Vec<Line> {
    let mut text = Vec::new();
    write_jsonl(analysis.trace(), &mut text).unwrap();
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        Line {
            stamp: line["stamp"].as_u64().unwrap(),
            thread: line["thread"].as_u64().unwrap(),
            provider: line["provider"].as_str().unwrap().to_owned(),
            event: line["event"].as_str().unwrap().to_owned(),
            opcode: serde_json::from_value(line["opcode"].clone()).unwrap(),
            fields: line["fields"].clone(),
        }
    };
    String::from_utf8(text).unwrap().lines().map(line).collect()
}

/// The annotations of a record.
pub fn annotations(schema: &SchemaTable, line: &Line) -> Value {
    let fields = arguments(schema.named(&line.provider, &line.event, line.opcode).unwrap(), &line.fields);
    match (line.opcode, fields.as_object().is_some_and(Map::is_empty)) {
        (Opcode::Stop, false) => serde_json::json!({ "result": fields }),
        _ => fields,
    }
}

fn arguments(event: &EventSchema, fields: &Value) -> Value {
    let mut nested = Value::Object(Map::new());
    for field in &event.fields {
        let value = &fields[&field.name];
        let elements = value.as_array().map(Vec::as_slice).unwrap_or_default();
        let mut length = None;
        let value = match &field.kind {
            FieldKind::Optional(_) => elements.first().map(element),
            FieldKind::List(_) => {
                length = (elements.len() > 64).then_some(elements.len());
                let shown: Vec<Value> = elements.iter().take(64).map(element).collect();
                (!shown.is_empty()).then(|| shown.into())
            }
            FieldKind::Bytes => {
                let hex = value.as_str().unwrap();
                length = (hex.len() > 128).then_some(hex.len() / 2);
                Some(hex[..hex.len().min(128)].into())
            }
            FieldKind::Text => {
                let text = value.as_str().unwrap();
                length = (text.len() > 4096).then_some(text.len());
                // The test texts are ASCII, so that the byte limit is a character boundary.
                Some(text[..text.len().min(4096)].into())
            }
            // The time that a call waited is left out if it did not wait.
            FieldKind::Scalar(_) if field.name == "wait_ns" && value == 0 => None,
            FieldKind::Scalar(_) => Some(value.clone()),
        };
        put(&mut nested, &field.name, value);
        if let Some(length) = length {
            put(&mut nested, &format!("{}_length", field.name), Some(length.into()));
        }
    }
    nested
}

/// An element of a list; in a list of plain numbers it has no name.
fn element(element: &Value) -> Value {
    let columns = element.as_object().unwrap();
    if columns.len() == 1 && columns.contains_key("value") {
        return columns["value"].clone();
    }
    let mut nested = Value::Object(Map::new());
    columns.iter().for_each(|(name, value)| put(&mut nested, name, Some(value.clone())));
    nested
}

/// Names with dots are members of structs.
fn put(nested: &mut Value, name: &str, value: Option<Value>) {
    let object = nested.as_object_mut().unwrap();
    match (name.split_once('.'), value) {
        (Some((outer, inner)), value) => {
            put(object.entry(outer).or_insert_with(|| Value::Object(Map::new())), inner, value);
        }
        (None, Some(value)) => assert_eq!(object.insert(name.to_owned(), value), None),
        (None, None) => {}
    }
}

/// The events on the tracks of each thread, by thread id.
pub fn by_thread(file: &File) -> BTreeMap<u64, Vec<&Event>> {
    let mut threads: BTreeMap<u64, Vec<&Event>> = BTreeMap::new();
    for event in &file.events {
        let track = &file.tracks[&event.track];
        if let (Some((_, tid)), true) = (track.ids, track.is_thread) {
            threads.entry(tid - 1).or_default().push(event);
        }
    }
    threads
}

/// Checks that slices are properly nested and that each end has a start. Returns the names of slices that are open at
/// the end, outermost first.
pub fn nesting(events: &[&Event]) -> Vec<String> {
    let mut open = Vec::new();
    for event in events {
        match event.kind {
            Kind::Begin => open.push(event.name.clone()),
            Kind::End => assert!(open.pop().is_some(), "{event:?} ends nothing"),
            Kind::Instant | Kind::Counter => {}
        }
    }
    open
}
