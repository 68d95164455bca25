//! Field tables, TraceLogging and layouts in a file.

use std::collections::BTreeMap;

use taut_etl::{
    Decoded, Decoder, EmbeddedEvent, Etl, Extent, Field, FieldType, Fit, Guid, Layout, TraceLoggingSchema, Value,
    decode, providers,
};

use crate::real_files::folder;
use crate::synthetic::{buffer, event, head};

fn field(name: &str, field_type: FieldType) -> Field {
    Field { name: name.to_owned(), field_type, count: Extent::None, length: Extent::None, map: None }
}

/// Fit and values of a payload.
fn values<'a>(layout: &Layout, payload: &'a [u8], pointer_bytes: usize) -> (Fit, Vec<(usize, Value<'a>)>) {
    let mut found = Vec::new();
    let fit = decode(layout, payload, pointer_bytes, &mut |index, value| found.push((index, value)));
    (fit, found)
}

#[test]
fn all_tables_are_read() {
    let counts: BTreeMap<&str, usize> =
        providers().values().map(|provider| (provider.name.as_str(), provider.event_count())).collect();
    let expected = [
        ("Microsoft-Windows-D3D9", 10),
        ("Microsoft-Windows-DXGI", 212),
        ("Microsoft-Windows-Direct3D11", 92),
        ("Microsoft-Windows-Direct3D12", 145),
        ("Microsoft-Windows-Direct3DShaderCache", 48),
        ("Microsoft-Windows-DxgKrnl", 825),
        ("Microsoft-Windows-Kernel-Process", 10),
    ];
    assert_eq!(counts, BTreeMap::from(expected));
    let kernel = &providers()[&Guid::parse("802ec45a-1e99-4b83-9920-87c98277ba9d").unwrap()];
    assert!(kernel.keywords.contains(&("Resource".to_owned(), 0x40)));
}

#[test]
fn a_build_between_two_layouts_has_the_older_one() {
    let kernel = &providers()[&Guid::parse("802ec45a-1e99-4b83-9920-87c98277ba9d").unwrap()];
    let event = kernel.event(113, 0).unwrap();
    let fields = |build| event.layout(build).unwrap().fields.len();
    assert_eq!((fields(10_240), fields(16_299), fields(17_134), fields(30_000)), (5, 5, 6, 6));
    assert_eq!(fields(7_600), 5, "a build before all has the oldest");
}

#[test]
fn a_count_field_repeats_its_array_and_a_pointer_has_the_size_of_the_event() {
    let mut array = field("values", FieldType::Pointer);
    array.count = Extent::Field(0);
    let layout = Layout { fields: vec![field("n", FieldType::U8), array], builds: Vec::new() };
    let expected = vec![(0, Value::Unsigned(2)), (1, Value::Unsigned(1)), (1, Value::Unsigned(2))];
    assert_eq!(values(&layout, &[2, 1, 0, 0, 0, 2, 0, 0, 0], 4), (Fit::Exact, expected.clone()));
    let wide = [&[2_u8][..], &1_u64.to_le_bytes(), &2_u64.to_le_bytes()].concat();
    assert_eq!(values(&layout, &wide, 8), (Fit::Exact, expected));
    assert_eq!(values(&layout, &[255, 1, 0, 0, 0], 4).0, Fit::ShortAfter(1));
}

#[test]
fn fields_of_newer_builds_are_absent_and_not_zero() {
    let fields = vec![field("a", FieldType::U16), field("b", FieldType::U16), field("c", FieldType::U16)];
    let layout = Layout { fields, builds: vec![(10_240, 1), (17_134, 3)] };
    assert_eq!(values(&layout, &[1, 0], 8), (Fit::Exact, vec![(0, Value::Unsigned(1))]));
    assert_eq!(values(&layout, &[1, 0, 2, 0], 8).0, Fit::ShortAfter(2), "no build has two fields");
    assert_eq!(values(&layout, &[1, 0, 2, 0, 3, 0, 4, 5], 8).0, Fit::Trailing(2));
}

#[test]
fn strings_end_at_nul_or_at_their_length_in_characters() {
    let mut sized = field("sized", FieldType::Utf16);
    sized.length = Extent::Field(0);
    let fields = vec![field("n", FieldType::U8), sized, field("text", FieldType::Ansi)];
    let layout = Layout { fields, builds: Vec::new() };
    let (fit, found) = values(&layout, b"\x02a\0\x01\xD8hi\0", 8);
    assert_eq!(fit, Fit::Exact);
    assert_eq!(found[1].1.text().unwrap(), "a\u{FFFD}", "an unpaired surrogate");
    assert_eq!(found[2].1.text().unwrap(), "hi");
    assert_eq!(values(&layout, b"\0hi", 8).0, Fit::ShortAfter(2), "no NUL");
}

/// Data of a schema item: size, no tags, name, fields.
fn schema(fields: &[u8]) -> Vec<u8> {
    let mut data = vec![0, 0, 0];
    data.extend(b"Event\0");
    data.extend(fields);
    let size = data.len() as u16;
    data[..2].copy_from_slice(&size.to_le_bytes());
    data
}

#[test]
fn trace_logging_decodes_counts_structures_and_counted_strings() {
    // s: array in the payload of {x: u8, t: counted ANSI}; y: u16[2].
    let data = schema(b"s\0\xD8\x02x\0\x04t\0\x17y\0\x26\x02\0");
    let schema = TraceLoggingSchema::parse(&data).unwrap();
    assert_eq!((schema.name, schema.fields.len()), ("Event", 4));
    let mut found = Vec::new();
    let payload = b"\x02\0\x07\x01\0a\x08\x00\0\x01\0\x02\0";
    let fit = schema.decode(payload, 8, &mut |index, value| found.push((schema.fields[index].name, value)));
    assert_eq!(fit, Fit::Exact);
    let expected = [
        ("x", Value::Unsigned(7)),
        ("t", Value::Ansi(b"a")),
        ("x", Value::Unsigned(8)),
        ("t", Value::Ansi(b"")),
        ("y", Value::Unsigned(1)),
        ("y", Value::Unsigned(2)),
    ];
    assert_eq!(found, expected);
}

#[test]
fn nested_arrays_of_empty_structures_end() {
    // Each structure has 65,535 elements of one member: 65,535^10 steps without a limit.
    let mut fields = Vec::new();
    for _ in 0..10 {
        fields.extend(b"s\0\xB8\x01\xFF\xFF");
    }
    fields.extend(b"e\0\xB8\x00\xFF\xFF");
    let data = schema(&fields);
    let schema = TraceLoggingSchema::parse(&data).unwrap();
    assert!(matches!(schema.decode(&[], 8, &mut |_, _| {}), Fit::ShortAfter(_)));
}

#[test]
fn a_schema_that_ends_outside_its_item_leaves_the_payload_raw() {
    let mut data = schema(b"x\0\x04");
    data[0] += 1;
    assert_eq!(TraceLoggingSchema::parse(&data), None);
    let record = event(0x13, 1, 5, &[(11, &data)], &[1]);
    let file = Etl::from_bytes([head(1, 0), buffer(0, 1, 0, 0, &record)].concat()).unwrap();
    let mut events = file.events();
    events.next_record().unwrap();
    let result = Decoder::new(&file).decode(&events.next_record().unwrap(), &mut |_, _| panic!("a field"));
    assert_eq!(result, Decoded::Raw);
}

/// Decoding of all events of a real file that are not raw: counts by result.
fn fits(file: &Etl) -> BTreeMap<Decoded, u64> {
    let decoder = Decoder::new(file);
    let mut counts = BTreeMap::new();
    let mut events = file.events();
    while let Some(record) = events.next_record() {
        let decoded = decoder.decode(&record, &mut |_, _| {});
        if decoded != Decoded::Raw {
            *counts.entry(decoded).or_default() += 1;
        }
    }
    counts
}

#[test]
fn every_graphics_event_of_the_capture_decodes_exactly_or_with_eight_trailing_bytes() {
    let Some(folder) = folder("every_graphics_event_of_the_capture_decodes_exactly_or_with_eight_trailing_bytes")
    else {
        return;
    };
    let file = Etl::open(&folder.join("files/gpuvis-wintracecmd.etl")).unwrap();
    let expected = [(Decoded::Fits(Fit::Exact), 195_133), (Decoded::Fits(Fit::Trailing(8)), 1_367)];
    assert_eq!(fits(&file), BTreeMap::from(expected));
}

#[test]
fn trace_logging_payloads_and_events_described_in_their_file_are_consumed() {
    let Some(folder) = folder("trace_logging_payloads_and_events_described_in_their_file_are_consumed") else {
        return;
    };
    for (name, events) in [("airbus-lxcore_kernel.etl", 2), ("perfview-SelfDescribingSingleEvent.etl", 1)] {
        let file = Etl::open(&folder.join("files").join(name)).unwrap();
        assert_eq!(fits(&file), BTreeMap::from([(Decoded::Fits(Fit::Exact), events)]), "{name}");
    }
    let file = Etl::open(&folder.join("files/perfview-net.4.5.2.x64.etl")).unwrap();
    let embedded = EmbeddedEvent::all(&file);
    assert!(!embedded.is_empty());
    assert!(embedded.values().all(|event| !event.provider.is_empty()));
}

#[test]
fn seeds_of_the_fuzz_target_reach_the_decoder_without_damage() {
    let expected = [("embedded", 1), ("events", 3), ("trace-logging", 1), ("xpress", 1)];
    for (name, decoded) in expected {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/etl").join(name);
        let file = Etl::open(&path).unwrap();
        let mut events = file.events();
        while events.next_record().is_some() {}
        assert_eq!(file.damage().total() + events.damage().total(), 0, "{name}");
        assert_eq!(fits(&file).values().sum::<u64>(), decoded, "{name}");
    }
}
