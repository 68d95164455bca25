//! Tables of single calls and marks, compared with records decoded without the code under test.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use taut_analyze::Analysis;
use taut_schemas::{Decoder, EventCode, EventSchema, FieldKind, Layer, Opcode, Role, ScalarSchema, SchemaTable};
use taut_tables::sql::{NamedTrace, Query};
use taut_tables::{EventTable, TABLES};
use taut_traces::{Header, Trace, TraceWriter, WriteOptions};

fn row(event: &EventSchema, random: &mut impl FnMut() -> u64) -> Vec<u8> {
    let mut row = Vec::new();
    for field in &event.fields {
        let mut put = |row: &mut Vec<u8>, scalar: &ScalarSchema| {
            let number = if random().is_multiple_of(3) { random() } else { random() % 300 };
            row.extend(&number.to_le_bytes()[..usize::from(scalar.width_bytes)]);
        };
        match &field.kind {
            FieldKind::Scalar(scalar) => put(&mut row, scalar),
            FieldKind::Text | FieldKind::Bytes => {
                let text = format!("text {}", random() % 40);
                row.extend((text.len() as u32).to_le_bytes());
                row.extend(text.bytes());
            }
            FieldKind::List(columns) | FieldKind::Optional(columns) => {
                let count = random() % if matches!(field.kind, FieldKind::List(_)) { 4 } else { 2 };
                row.extend((count as u32).to_le_bytes());
                let mut put = |row: &mut Vec<u8>, scalar: &ScalarSchema| {
                    row.extend(&(random() % 200).to_le_bytes()[..usize::from(scalar.width_bytes)]);
                };
                (0..count).for_each(|_| columns.iter().for_each(|scalar| put(&mut row, scalar)));
            }
        }
    }
    row
}

/// Generates a trace with every call and mark of this build's schema table, each a few times in turn.
fn trace(seed: u64) -> Arc<Analysis> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("generated.taut");
    let schema = SchemaTable::current();
    let header = Header { schema: schema.clone(), ..Header::default() };
    let writer = TraceWriter::create(&path, header, WriteOptions::default()).unwrap();
    let mut state = seed | 1;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 11
    };
    let mut thread = writer.thread(7);
    let mut stamp = 0;
    for event in schema.events.iter().filter(|event| event.opcode != Opcode::Stop) {
        for _ in 0..random() % 4 {
            let stop = schema.event(EventCode::new(event.code.id(), Opcode::Stop));
            let both = [Some(event), stop.filter(|_| event.opcode == Opcode::Start && random() % 8 > 0)];
            for event in both.into_iter().flatten() {
                let row = row(event, &mut random);
                stamp += 1;
                thread.event(event.code, stamp, |encoder| row.iter().for_each(|byte| encoder.u8(*byte)));
            }
        }
    }
    drop(thread);
    writer.finish().unwrap();
    Arc::new(Analysis::new(Trace::open(&path).unwrap()).unwrap())
}

/// Decodes a number: those that are no identity are signed, and null if they do not fit.
fn number(scalar: &ScalarSchema, decoder: &mut Decoder<'_>) -> Value {
    let number = (0..scalar.width_bytes).fold(0, |number, at| number | u64::from(decoder.u8().unwrap()) << (8 * at));
    let wide = scalar.width_bytes == 8 && matches!(scalar.role, Role::Value | Role::Enum | Role::Flags);
    let is_identity = wide || matches!(scalar.role, Role::Id | Role::Address);
    if is_identity || i64::try_from(number).is_ok() { json!(number) } else { Value::Null }
}

/// Decodes the fields of a record, by the names of their columns.
fn decode_fields(event: &EventSchema, payload: &[u8], columns: &mut Vec<(String, Value)>) {
    let mut decoder = Decoder::new(payload);
    let mut add = |name: String, is_hr: bool, value: Value| {
        let mut name = name.replace('.', "_");
        if event.opcode == Opcode::Stop && !is_hr {
            name.insert_str(0, "result_");
        }
        while columns.iter().any(|(known, _)| known.eq_ignore_ascii_case(&name)) {
            name.insert_str(0, "arg_");
        }
        columns.push((name, value));
    };
    for field in &event.fields {
        let is_hr = field.scalars().first().is_some_and(|scalar| scalar.role == Role::HResult);
        match &field.kind {
            FieldKind::Scalar(scalar) => add(field.name.clone(), is_hr, number(scalar, &mut decoder)),
            FieldKind::Text => {
                let text = String::from_utf8(decoder.bytes().unwrap().to_vec()).unwrap();
                add(field.name.clone(), is_hr, json!(text));
            }
            FieldKind::Bytes => drop(decoder.bytes().unwrap()),
            FieldKind::List(scalars) => {
                let count = decoder.u32().unwrap();
                let element = |decoder: &mut Decoder<'_>| match scalars.as_slice() {
                    [one] => number(one, decoder),
                    several => {
                        let fields = several.iter().map(|one| (one.name.replace('.', "_"), number(one, decoder)));
                        Value::Object(fields.collect::<Map<String, Value>>())
                    }
                };
                let elements: Vec<Value> = (0..count).map(|_| element(&mut decoder)).collect();
                add(field.name.clone(), is_hr, json!(elements));
            }
            FieldKind::Optional(scalars) => {
                let some = decoder.u32().unwrap() > 0;
                for scalar in scalars {
                    let value = if some { number(scalar, &mut decoder) } else { Value::Null };
                    let several = scalars.len() > 1;
                    let name = if several { format!("{}.{}", field.name, scalar.name) } else { field.name.clone() };
                    add(name, is_hr, value);
                }
            }
        }
    }
}

fn rows_of(query: &Query, sql: &str) -> Vec<Map<String, Value>> {
    let mut text = Vec::new();
    query.run(sql).unwrap_or_else(|error| panic!("{sql}: {error}")).write_json(&mut text).unwrap();
    serde_json::from_slice(&text).unwrap()
}

fn query_over(analysis: &Arc<Analysis>) -> Query {
    Query::new(vec![NamedTrace::new("one", analysis.clone())])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_table_of_a_call_or_mark_has_its_records_with_every_field(seed: u64) {
        let analysis = trace(seed);
        let query = query_over(&analysis);
        let schema = &analysis.trace().header().schema;
        for table in EventTable::all(schema) {
            let start = schema.events.iter().find(|event| {
                event.provider == table.provider && event.name == table.name && event.opcode != Opcode::Stop
            }).unwrap();
            let own: &[&str] = match (start.layer, start.opcode) {
                (Layer::Api, Opcode::Start) => &["call", "seq", "thread", "start_stamp", "stop_stamp", "duration_ns"],
                (_, Opcode::Start) => &["call", "thread", "start_stamp", "stop_stamp", "duration_ns"],
                _ => &["call", "thread", "stamp"],
            };
            let mut known: Vec<Vec<(String, Value)>> = Vec::new();
            let mut rows = analysis.trace().rows();
            while let Some(row) = rows.next_row() {
                let event = schema.event(row.code).unwrap();
                if row.code == start.code {
                    let mut fields = own.iter().map(|name| ((*name).to_owned(), Value::Null)).collect();
                    decode_fields(event, row.payload, &mut fields);
                    known.push(fields);
                } else if row.code.id() == start.code.id() && start.opcode == Opcode::Start {
                    decode_fields(event, row.payload, known.last_mut().unwrap());
                }
            }
            let found = rows_of(&query, &format!("SELECT * FROM {}", table.full_name()));
            prop_assert_eq!(found.len(), known.len(), "{}", table.full_name());
            for (found, known) in found.iter().zip(&known) {
                for (name, value) in known.iter().filter(|(name, _)| !own.contains(&name.as_str())) {
                    prop_assert_eq!(&found[name], value, "{}.{}", table.full_name(), name);
                }
                // Result fields of a call that never returned are null.
                let rest = found.iter().filter(|(name, _)| known.iter().all(|(known, _)| known != *name));
                for (name, value) in rest {
                    prop_assert!(value.is_null() && (name.starts_with("result_") || name == "hr" || name.starts_with("arg_")), "{}", name);
                }
            }
        }
    }
}

/// The manual's example query, recomputed from the records.
#[test]
fn a_tables_sums_are_those_of_its_records() {
    let analysis = trace(5);
    let schema = &analysis.trace().header().schema;
    let start = schema.events.iter().find(|event| event.name == "CreatePlacedResource" && event.provider == "d3d12");
    let start = start.filter(|event| event.opcode == Opcode::Start).unwrap();
    let (mut rows, mut sum, mut count) = (analysis.trace().rows(), 0, 0);
    while let Some(row) = rows.next_row() {
        if row.code == start.code {
            let mut fields = Vec::new();
            decode_fields(start, row.payload, &mut fields);
            sum += fields.iter().find(|(name, _)| name == "desc_width").unwrap().1.as_i64().unwrap_or_default();
            count += 1;
        }
    }
    let sql = "SELECT count(*) AS n, coalesce(sum(desc_width), 0) AS width FROM CreatePlacedResource";
    assert_eq!(rows_of(&query_over(&analysis), sql), [json!({"n": count, "width": sum}).as_object().unwrap().clone()]);
}

#[test]
fn every_name_is_one_table_and_shared_names_need_a_provider() {
    let query = query_over(&trace(9));
    let listed = query.tables();
    for table in &listed {
        // Some names are SQL keywords.
        let quoted = format!("\"{}\"", table.name.replace('.', "\".\""));
        let found = rows_of(&query, &format!("SELECT count(*) AS n FROM {quoted}"));
        if let Some(records) = table.records {
            assert_eq!(found[0]["n"], json!(records), "{}", table.name);
        }
        let described = rows_of(&query, &format!("DESCRIBE {quoted}"));
        let names: Vec<&str> = described.iter().map(|row| row["column_name"].as_str().unwrap()).collect();
        assert_eq!(names, table.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>());
    }
    let mut names: Vec<String> = listed.iter().map(|table| table.name.to_lowercase()).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), listed.len());
    // Names of the provider `state` always have the provider.
    let is_shared = |table: &&taut_tables::sql::ListedTable| {
        table.name.split_once('.').is_some_and(|(provider, _)| provider != "state")
    };
    let several = listed.iter().find(is_shared).unwrap();
    let bare = several.name.split('.').nth(1).unwrap();
    if !TABLES.iter().any(|table| table.name.eq_ignore_ascii_case(bare)) {
        let refused = query.run(&format!("SELECT 1 FROM {bare}")).err().unwrap().to_string();
        assert!(refused.contains("is ambiguous"), "{refused}");
    }
}

#[test]
fn a_table_of_the_rundown_is_not_reachable_by_its_bare_name() {
    let query = query_over(&trace(9));
    let refused = query.run("SELECT 1 AS one FROM Resource").err().unwrap().to_string();
    assert!(refused.contains("there is no table `Resource`: did you mean `resources`?"), "{refused}");
    let listed = query.tables();
    assert!(!listed.iter().any(|table| table.name == "Resource"));
    let table = listed.iter().find(|table| table.name == "state.Resource").unwrap();
    let counted = rows_of(&query, "SELECT count(*) AS n FROM state.Resource");
    assert_eq!(counted[0]["n"], json!(table.records.unwrap()));
}

#[test]
fn lists_are_selected_and_counted_and_nothing_else() {
    let query = query_over(&trace(3));
    let listed = query.tables();
    let with_list =
        |table: &&taut_tables::sql::ListedTable| table.columns.iter().any(|column| !column.elements.is_empty());
    let table = listed.iter().find(with_list).unwrap();
    let list = &table.columns.iter().find(|column| !column.elements.is_empty()).unwrap().name;
    let count = rows_of(&query, &format!("SELECT count({list}) AS n, count(*) AS all FROM {}", table.name));
    assert_eq!(count[0]["n"], count[0]["all"]);
    for wrong in [
        format!("SELECT sum({list}) FROM {}", table.name),
        format!("SELECT max({list}) FROM {}", table.name),
        format!("SELECT {list} + 1 FROM {}", table.name),
        format!("SELECT {list} = 1 FROM {}", table.name),
        format!("SELECT DISTINCT {list} FROM {}", table.name),
        format!("SELECT count(*) FROM {} GROUP BY {list}", table.name),
        format!("SELECT * FROM {} ORDER BY {list}", table.name),
    ] {
        let refused = query.run(&wrong).err().unwrap_or_else(|| panic!("answered: {wrong}")).to_string();
        assert!(refused.contains("list or struct") && !refused.contains("polars"), "{wrong}: {refused}");
    }
}
