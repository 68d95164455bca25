//! Extracted columns agree with the rows.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::generate;

use generate::{Random, Record, records, table, write};
use proptest::prelude::*;
use taut_schemas::{Decoder, EventCode, EventSchema, FieldKind, ScalarSchema, SchemaTable};
use taut_traces::{BlockEvents, Column, EventReader, Extract, KindStamps, Selection, Trace, WriteOptions};

/// Value of one field of one row, decoded independently of the crate: numbers, or bytes.
#[derive(Debug, PartialEq, Eq)]
enum FieldValue {
    Number(u64),
    Bytes(Vec<u8>),
    List(Vec<Vec<u64>>),
}

fn number(decoder: &mut Decoder<'_>, scalar: &ScalarSchema) -> u64 {
    (0..scalar.width_bytes).fold(0, |number, at| number | u64::from(decoder.u8().unwrap()) << (8 * at))
}

fn decoded_value(event: &EventSchema, row: &[u8]) -> Vec<FieldValue> {
    let mut decoder = Decoder::new(row);
    let fields = event.fields.iter().map(|field| match &field.kind {
        FieldKind::Scalar(scalar) => FieldValue::Number(number(&mut decoder, scalar)),
        FieldKind::Text | FieldKind::Bytes => FieldValue::Bytes(decoder.bytes().unwrap().to_vec()),
        FieldKind::List(columns) | FieldKind::Optional(columns) => {
            let count = decoder.u32().unwrap();
            let element = |decoder: &mut Decoder<'_>| columns.iter().map(|scalar| number(decoder, scalar)).collect();
            FieldValue::List((0..count).map(|_| element(&mut decoder)).collect())
        }
    });
    fields.collect()
}

fn at(column: &Column, index: usize) -> FieldValue {
    let range = |ends: &[usize]| (if index == 0 { 0 } else { ends[index - 1] })..ends[index];
    match column {
        Column::Numbers(numbers) => FieldValue::Number(numbers[index]),
        Column::Texts { ends, bytes } => FieldValue::Bytes(bytes[range(ends)].to_vec()),
        Column::Lists { ends, columns } => FieldValue::List(
            range(ends).map(|element| columns.iter().map(|(_, column)| column[element]).collect()).collect(),
        ),
    }
}

fn assert_extract_is_the_rows(table: &SchemaTable, records: &[Record], selection: &Selection, extract: &Extract) {
    assert_eq!(extract.damage, []);
    for part in &extract.threads {
        let own: Vec<&Record> = records.iter().filter(|record| record.thread == part.thread).collect();
        assert!(own.iter().map(|record| record.code).eq(part.codes.iter().copied()));
        assert!(own.iter().map(|record| record.stamp).eq(part.stamps.iter().copied()));
        for (columns, (code, names)) in part.columns.iter().zip(&selection.events) {
            let event = table.event(*code).unwrap();
            assert_eq!(columns.code, *code);
            for ((name, column), wanted) in columns.fields.iter().zip(names) {
                assert_eq!(name, wanted);
                let field = event.fields.iter().position(|field| field.name == *name).unwrap();
                let own: Vec<&&Record> = own.iter().filter(|record| record.code == *code).collect();
                assert_eq!(column.len(), own.len());
                for (index, record) in own.iter().enumerate() {
                    assert_eq!(
                        at(column, index),
                        decoded_value(event, &record.payload)[field],
                        "{name} of {}",
                        event.name
                    );
                }
            }
        }
    }
    let threads: std::collections::BTreeSet<u32> = records.iter().map(|record| record.thread).collect();
    assert!(extract.threads.iter().map(|part| part.thread).eq(threads));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn extracted_columns_are_those_of_the_rows(seed: u64, count in 0usize..300, real: bool) {
        let mut random = Random(seed);
        let table = if real { SchemaTable::current() } else { table(&mut random) };
        let records = records(&mut random, &table, 3, count);
        let (bytes, _) = write(&table, &records, WriteOptions { buffer_bytes: 512, ..WriteOptions::default() });
        let trace = Trace::from_bytes(bytes).unwrap();
        let mut selection = Selection::default();
        for event in &trace.header().schema.events {
            if random.below(3) == 0 {
                continue;
            }
            let names = event.fields.iter().filter(|_| random.below(2) == 0).map(|field| field.name.clone());
            selection.events.push((event.code, names.rev().collect()));
        }
        assert_extract_is_the_rows(&table, &records, &selection, &trace.extract(&selection).unwrap());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn selected_events_of_blocks_equal_those_of_the_rows(seed: u64, count in 0usize..900, keep: u64, stamps: bool) {
        let mut random = Random(seed);
        let table = table(&mut random);
        let records = records(&mut random, &table, 5, count);
        let (bytes, _) = write(&table, &records, WriteOptions { buffer_bytes: 512, ..WriteOptions::default() });
        let trace = Trace::from_bytes(bytes).unwrap();
        let is_selected = |code: EventCode| keep >> (code.0 % 64) & 1 == 1;
        let mut reader = EventReader::default();
        for block in trace.blocks() {
            let codes = trace.block_codes(block).unwrap();
            let selected: Vec<bool> = codes.iter().map(|(code, _)| is_selected(*code)).collect();
            let BlockEvents { thread, codes: found, kinds, stamps: at } =
                trace.block_events(block, &selected, stamps, &mut reader).unwrap();
            // Each thread has one block here.
            let own: Vec<&Record> = records.iter().filter(|record| record.thread == block.thread).collect();
            let decoded_value = own.iter().filter(|record| is_selected(record.code));
            let read: Vec<EventCode> = kinds.iter().map(|kind| found[usize::from(*kind)]).collect();
            prop_assert_eq!(thread, block.thread);
            prop_assert_eq!(read, decoded_value.clone().map(|record| record.code).collect::<Vec<_>>());
            let known: Vec<u64> = decoded_value.map(|record| record.stamp).collect();
            prop_assert_eq!(at, if stamps { known } else { Vec::new() });
            for (code, count) in &codes {
                prop_assert_eq!(*count as usize, own.iter().filter(|record| record.code == *code).count());
            }
            let mut by_kind = KindStamps::with_capacity(0, true);
            trace.block_stamps(block, &selected, &mut reader, &mut by_kind).unwrap();
            let of_code = |code: EventCode| (0..).zip(&own).filter(move |(_, record)| record.code == code);
            let runs = codes.iter().filter(|(code, _)| is_selected(*code)).flat_map(|(code, _)| of_code(*code));
            let (places, known): (Vec<u32>, Vec<u64>) = runs.map(|(place, record)| (place, record.stamp)).unzip();
            prop_assert_eq!((by_kind.stamps, by_kind.places), (known, Some(places)));
        }
    }
}

#[test]
fn extracted_columns_of_several_blocks_are_joined() {
    let table = SchemaTable::current();
    let records = records(&mut Random(3), &table, 2, 150_000);
    let (bytes, _) = write(&table, &records, WriteOptions::default());
    let trace = Trace::from_bytes(bytes).unwrap();
    let names = |event: &EventSchema| event.fields.iter().map(|field| field.name.clone()).collect();
    let events = table.events.iter().take(8).map(|event| (event.code, names(event))).collect();
    let selection = Selection { events };
    assert!(trace.blocks().len() > 3);
    assert_extract_is_the_rows(&table, &records, &selection, &trace.extract(&selection).unwrap());
}

#[test]
fn a_selection_of_unknown_names_is_refused() {
    let table = SchemaTable::current();
    let (bytes, _) = write(&table, &[], WriteOptions::default());
    let trace = Trace::from_bytes(bytes).unwrap();
    let code = table.events[0].code;
    let selection = Selection { events: vec![(code, vec!["no such field".to_owned()])] };
    assert!(trace.extract(&selection).unwrap_err().to_string().contains("no such field"));
}

#[test]
fn scanned_blocks_hold_together_what_is_extracted() {
    let table = SchemaTable::current();
    let records = records(&mut Random(4), &table, 3, 50_000);
    let (bytes, _) = write(&table, &records, WriteOptions::default());
    let trace = Trace::from_bytes(bytes).unwrap();
    let scalar =
        |event: &EventSchema| event.fields.iter().find(|field| matches!(field.kind, FieldKind::Scalar(_))).cloned();
    let events = table.events.iter().filter_map(|event| Some((event.code, vec![scalar(event)?.name]))).collect();
    let selection = Selection { events };
    let sum = |columns: &[taut_traces::EventColumns]| -> Vec<(usize, u64)> {
        let numbers = columns.iter().map(|event| event.fields[0].1.numbers());
        numbers.map(|numbers| (numbers.len(), numbers.iter().fold(0, |sum, number| sum ^ number))).collect()
    };
    let add = |all: Vec<Vec<(usize, u64)>>| {
        let empty = vec![(0, 0); selection.events.len()];
        all.into_iter().fold(empty, |all, part| {
            all.into_iter().zip(part).map(|(all, part)| (all.0 + part.0, all.1 ^ part.1)).collect()
        })
    };
    let (parts, damage) = trace.scan(&selection, |part| sum(&part.columns)).unwrap();
    assert_eq!(damage, []);
    let extract = trace.extract(&selection).unwrap();
    assert_eq!(add(parts), add(extract.threads.iter().map(|part| sum(&part.columns)).collect()));
}
