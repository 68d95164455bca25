//! The schema table as a whole: a golden of its text, and the rules of the lists.

use std::collections::BTreeSet;
use taut_schemas::{EventCode, FieldKind, Opcode, SchemaTable, Slot};

#[test]
fn the_schema_is_what_was_blessed() {
    insta::assert_snapshot!("schema", SchemaTable::current().to_string());
}

#[test]
fn codes_and_names_are_given_once() {
    let table = SchemaTable::current();
    let codes: BTreeSet<EventCode> = table.events.iter().map(|event| event.code).collect();
    assert_eq!(codes.len(), table.events.len());
    let names: BTreeSet<_> = table.events.iter().map(|event| (&event.name, event.opcode)).collect();
    assert_eq!(names.len(), table.events.len());
    for event in &table.events {
        let fields: BTreeSet<_> = event.fields.iter().map(|field| &field.name).collect();
        assert_eq!(fields.len(), event.fields.len(), "{} has a field twice", event.name);
    }
}

#[test]
fn every_field_says_what_it_is() {
    for event in &SchemaTable::current().events {
        assert!(!event.doc.is_empty(), "{}", event.name);
        for field in &event.fields {
            assert!(!field.doc.is_empty(), "{}.{}", event.name, field.name);
            assert!(!field.name.is_empty(), "{} has a field without a name", event.name);
        }
    }
}

#[test]
fn every_call_has_a_start_and_a_stop() {
    let table = SchemaTable::current();
    for event in &table.events {
        let other = match event.opcode {
            Opcode::Start => Opcode::Stop,
            Opcode::Stop => Opcode::Start,
            Opcode::Info => continue,
        };
        assert!(table.event(EventCode::new(event.code.id(), other)).is_some(), "{}", event.name);
    }
}

#[test]
fn plain_fields_and_list_elements_never_share_a_slot() {
    let (mut plain, mut listed) = (BTreeSet::new(), BTreeSet::new());
    for field in SchemaTable::current().events.into_iter().flat_map(|event| event.fields) {
        match field.kind {
            FieldKind::Scalar(scalar) => drop(plain.insert(scalar.slot)),
            FieldKind::List(columns) | FieldKind::Optional(columns) => {
                listed.extend(columns.into_iter().map(|column| column.slot));
            }
            FieldKind::Text | FieldKind::Bytes => {}
        }
    }
    assert!(plain.is_disjoint(&listed));
    assert!(!plain.contains(&Slot::BYTES) && !plain.contains(&Slot::COUNTS));
}

#[test]
fn the_table_survives_its_own_serialisation() -> Result<(), serde_json::Error> {
    let table = SchemaTable::current();
    let text = serde_json::to_string(&table)?;
    assert_eq!(serde_json::from_str::<SchemaTable>(&text)?, table);
    Ok(())
}
