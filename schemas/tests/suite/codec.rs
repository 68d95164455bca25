//! Rows: an encoded value decodes to itself, and any other bytes decode to a value or an error, without a panic.

use proptest::collection::vec;
use proptest::prelude::*;
use taut_schemas::{
    AllocationInfo, Bytes, Call, CodecError, Decoder, Encoder, Field, HResult, HResultCode, ResourceDesc, ResourceId,
    d3d12,
};

fn encoded<T: Field>(value: &T) -> Vec<u8> {
    let mut row = Vec::new();
    value.encode(&mut Encoder::new(&mut row));
    row
}

fn desc() -> impl Strategy<Value = ResourceDesc> {
    vec(any::<u8>(), ResourceDesc::MIN_BYTES)
        .prop_filter_map("a row of a desc", |bytes| ResourceDesc::decode(&mut Decoder::new(&bytes)).ok())
}

proptest! {
    #[test]
    fn descs_come_back(descs in vec(desc(), 0..5)) {
        let call = d3d12::GetResourceAllocationInfo { visible_mask: 1, descs, ..Default::default() };
        let mut row = Vec::new();
        call.encode(&mut Encoder::new(&mut row));
        prop_assert_eq!(d3d12::GetResourceAllocationInfo::decode(&mut Decoder::new(&row))?, call);
    }

    #[test]
    fn results_come_back(id in any::<u64>(), code in 1u32.., text in ".{0,20}", bytes in vec(any::<u8>(), 0..20)) {
        let results: [HResult<ResourceId>; 2] = [Ok(ResourceId(id)), Err(HResultCode(code))];
        for result in results {
            prop_assert_eq!(Field::decode(&mut Decoder::new(&encoded(&result))), Ok(result));
        }
        prop_assert_eq!(String::decode(&mut Decoder::new(&encoded(&text))), Ok(text));
        let bytes = Bytes(bytes);
        prop_assert_eq!(Bytes::decode(&mut Decoder::new(&encoded(&bytes))), Ok(bytes));
    }

    #[test]
    fn a_bounded_row_equals_the_growing_one_or_reports_its_size(descs in vec(desc(), 0..3), room in 0usize..400) {
        let call = d3d12::GetResourceAllocationInfo { visible_mask: 1, descs, ..Default::default() };
        let mut row = Vec::new();
        call.encode(&mut Encoder::new(&mut row));
        let mut bounded = vec![0xee; room];
        let mut encoder = Encoder::bounded(&mut bounded);
        call.encode(&mut encoder);
        let end = encoder.end();
        prop_assert_eq!(end, row.len());
        if end <= room {
            prop_assert_eq!(&bounded[..end], &row[..]);
            prop_assert!(bounded[end..].iter().all(|byte| *byte == 0xee), "no byte after it changes");
        }
    }

    #[test]
    fn numbers_at_once_are_those_one_by_one_or_are_counted_as_missing(values: [u64; 3], room in 0usize..40) {
        let mut row = Vec::new();
        let mut encoder = Encoder::new(&mut row);
        values.iter().for_each(|value| encoder.u64(*value));
        let mut bounded = vec![0xee; room];
        let mut encoder = Encoder::bounded(&mut bounded);
        encoder.u64s(values);
        prop_assert_eq!((encoder.end(), encoder.whole()), (24, (room >= 24).then_some(24)));
        if room >= 24 {
            prop_assert_eq!(&bounded[..24], &row[..]);
        }
        let mut at_once = Vec::new();
        Encoder::new(&mut at_once).u64s(values);
        prop_assert_eq!(at_once, row);
    }

    #[test]
    fn any_bytes_decode_without_a_panic(row in vec(any::<u8>(), 0..200)) {
        let _ = d3d12::GetResourceAllocationInfo3::decode(&mut Decoder::new(&row));
        let _ = d3d12::SetName::decode(&mut Decoder::new(&row));
        let _ = d3d12::Map::decode(&mut Decoder::new(&row));
    }

    #[test]
    fn a_row_cut_short_is_an_error(cut in 0usize..60) {
        let call = d3d12::CreatePlacedResource { heap_offset_bytes: 7, ..Default::default() };
        let mut row = Vec::new();
        call.encode(&mut Encoder::new(&mut row));
        let cut = cut.min(row.len() - 1);
        let error = d3d12::CreatePlacedResource::decode(&mut Decoder::new(&row[..cut]));
        prop_assert!(matches!(error, Err(CodecError::Short { .. })), "{:?}", error);
    }
}

#[test]
fn a_list_longer_than_its_row_is_refused_before_it_is_allocated() {
    let row = [255, 255, 255, 255, 0, 0];
    let error = Vec::<AllocationInfo>::decode(&mut Decoder::new(&row));
    assert!(matches!(error, Err(CodecError::Short { at: 4, left_bytes: 2, .. })), "{error:?}");
}

#[test]
fn a_row_that_goes_on_is_an_error() {
    let mut row = Vec::new();
    d3d12::ReleaseHeap::default().encode(&mut Encoder::new(&mut row));
    row.push(0);
    assert_eq!(
        d3d12::ReleaseHeap::decode(&mut Decoder::new(&row)),
        Err(CodecError::Long { at: row.len() - 1, left_bytes: 1 })
    );
}
