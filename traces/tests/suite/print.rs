//! Names and values of rows.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use taut_schemas::{
    Bytes, Call, Encoder, EventCode, Feature, Field, HResult, HResultCode, HeapDesc, HeapFlags, HeapId, Opcode,
    ResourceDesc, SchemaTable, d3d12,
};
use taut_traces::{ReadError, Value, fields, row_parts};

fn json(code: EventCode, encode: impl FnOnce(&mut Encoder<'_>)) -> serde_json::Map<String, serde_json::Value> {
    let mut row = Vec::new();
    encode(&mut Encoder::new(&mut row));
    let fields = fields(&SchemaTable::current(), code, &row).unwrap();
    fields.into_iter().map(|(name, value)| (name, serde_json::to_value(value).unwrap())).collect()
}

fn start<C: Call>(call: C) -> serde_json::Map<String, serde_json::Value> {
    json(EventCode::new(C::ID, Opcode::Start), |encoder| {
        encoder.u64(1500);
        call.encode(encoder);
    })
}

#[test]
fn enumerators_and_flags_have_their_names() {
    let flags = HeapFlags::SHARED | HeapFlags::CREATE_NOT_ZEROED | HeapFlags(1 << 30);
    let desc = HeapDesc { size_bytes: 65536, flags, ..Default::default() };
    let fields = start(d3d12::CreateHeap { desc, ..Default::default() });
    assert_eq!(fields["wait_ns"], 1500);
    assert_eq!(fields["desc.size_bytes"], 65536);
    assert_eq!(fields["desc.flags"], "SHARED|CREATE_NOT_ZEROED|0x40000000");
    let fields = start(d3d12::CheckFeatureSupport { feature: Feature(9999), ..Default::default() });
    assert_eq!(fields["feature"], 9999);
    let fields = start(d3d12::CheckFeatureSupport { data: Bytes(vec![1, 0xab]), ..Default::default() });
    assert_eq!((&fields["feature"], &fields["data"]), (&"D3D12_OPTIONS".into(), &"01ab".into()));
}

#[test]
fn results_are_eight_hex_digits_and_lists_are_objects() {
    let result: HResult<HeapId> = Err(HResultCode::E_INVALIDARG);
    let fields = json(EventCode::new(d3d12::CreateHeap::ID, Opcode::Stop), |encoder| result.encode(encoder));
    assert_eq!(fields["hr"], "0x80070057");
    assert_eq!(fields["heap"], 0);
    let descs = vec![ResourceDesc { width: 64, ..Default::default() }; 2];
    let fields = start(d3d12::GetResourceAllocationInfo { descs, ..Default::default() });
    assert_eq!(fields["descs"].as_array().unwrap().len(), 2);
    assert_eq!(fields["descs"][1]["width"], 64);
}

#[test]
fn rows_that_are_not_their_events_are_refused() {
    let table = SchemaTable::current();
    let code = EventCode::new(d3d12::CreateHeap::ID, Opcode::Start);
    assert!(matches!(fields(&table, EventCode(0xfff0), &[]), Err(ReadError::UnknownEvent(EventCode(0xfff0)))));
    assert!(matches!(fields(&table, code, &[0; 3]), Err(ReadError::Row { .. })));
    assert!(matches!(fields(&table, code, &[0; 4000]), Err(ReadError::Row { .. })));
}

#[test]
fn a_list_in_chunks_equals_the_list() {
    let descs = (0..10).map(|width| ResourceDesc { width, ..Default::default() }).collect();
    let call = d3d12::GetResourceAllocationInfo { descs, ..Default::default() };
    let (table, code) = (SchemaTable::current(), EventCode::new(d3d12::GetResourceAllocationInfo::ID, Opcode::Start));
    let mut row = Vec::new();
    let mut encoder = Encoder::new(&mut row);
    encoder.u64(1500);
    call.encode(&mut encoder);
    let whole = fields(&table, code, &row).unwrap();
    let parts = row_parts(&table, code, &row).unwrap();
    assert_eq!(parts.len(), whole.len());
    for (part, (name, value)) in parts.iter().zip(&whole) {
        assert_eq!((part.name(), &part.value().unwrap()), (name.as_str(), value));
        for elements in [1, 3, 10, 11] {
            let values: Vec<Value> = part.values(elements).map(Result::unwrap).collect();
            if let Value::List(all) = value {
                assert_eq!(values.len(), all.len().div_ceil(elements));
                let lists = values.into_iter().map(|value| if let Value::List(list) = value { list } else { vec![] });
                assert_eq!(&lists.flatten().collect::<Vec<_>>(), all);
            } else {
                assert_eq!(&values, std::slice::from_ref(value));
            }
        }
    }
    assert!(row_parts(&table, code, &row[1..]).is_err());
}
