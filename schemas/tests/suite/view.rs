//! References to events and fields agree with the schema table.
#![allow(clippy::unwrap_used)]

use taut_schemas::format::Format;
use taut_schemas::*;

fn names(fields: Vec<FieldSchema>) -> Vec<String> {
    fields.into_iter().map(|field| field.name).collect()
}

#[test]
fn a_reference_has_the_names_that_the_table_has() {
    let table = SchemaTable::current();
    let known = |event: EventRef| names(table.find(event).unwrap().fields.clone());
    let heap = start::<d3d12::CreateHeap>();
    assert!(known(heap.event_ref()).contains(&names(heap.desc().properties().heap_type().described())[0]));
    let map = stop::<d3d11::Map>();
    assert_eq!(known(map.event_ref()), [names(map.hr().described()), names(map.output().described())].concat());
    let created = stop::<d3d12::CreateHeap>();
    assert_eq!(known(created.event_ref())[1..], names(created.output().described()));
    let tasks = info::<mark::BackgroundCommit>().tasks();
    let event = table.find(tasks.event_ref()).unwrap();
    let tasks = tasks.described().remove(0);
    assert!(event.fields.iter().any(|field| field.name == tasks.name && field.kind == tasks.kind));
    let size = start::<d3d12_ddi::CreateHeapAndResource>().heap_desc().element().size_bytes();
    assert_eq!(names(size.described()), ["size_bytes"]);
}

#[test]
fn an_enumeration_has_the_name_that_the_table_has() {
    let name = enumeration_of::<MessageId>().unwrap();
    assert!(SchemaTable::current().code(&name).is_some());
    assert_eq!(enumeration_of::<u32>(), None);
}

/// The numbers of a value's columns, from its row.
fn numbers<T: Field>(value: &T, field: FieldRef<T>) -> Vec<u64> {
    let mut row = Vec::new();
    value.encode(&mut Encoder::new(&mut row));
    let mut decoder = Decoder::new(&row);
    let number = |scalar: &ScalarSchema, decoder: &mut Decoder<'_>| {
        let mut number = [0; 8];
        let bytes = decoder.raw(scalar.width_bytes.into()).unwrap();
        number[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(number)
    };
    let fields = field.described();
    fields.iter().flat_map(FieldSchema::scalars).map(|scalar| number(scalar, &mut decoder)).collect()
}

#[test]
fn a_value_is_built_from_the_numbers_of_its_columns() {
    let desc = ResourceDesc {
        dimension: Dimension::TEXTURE2D,
        alignment_bytes: 4096,
        width: 1 << 33,
        height: 7,
        depth_or_array_size: 6,
        mip_levels: 3,
        format: Format::R8_UNORM,
        sample_count: 4,
        sample_quality: 1,
        layout: TextureLayout(1),
        flags: ResourceFlags(5),
    };
    let values = numbers(&desc, start::<d3d12::CreatePlacedResource>().desc());
    assert_eq!(ResourceDesc::from_numbers(&mut values.into_iter()), Some(desc));
    for result in [Ok(HeapId(9)), Err(HResultCode::E_INVALIDARG)] {
        let values = numbers(&result, stop::<d3d12::CreateHeap>());
        assert_eq!(Field::from_numbers(&mut values.into_iter()), Some(result));
    }
    assert_eq!(bool::from_numbers(&mut [1].into_iter()), Some(true));
    assert_eq!(bool::from_numbers(&mut [2].into_iter()), None);
    assert_eq!(ResourceDesc::from_numbers(&mut [1, 2].into_iter()), None);
}
