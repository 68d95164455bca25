//! Effects of queries.

use super::region::{buffer_bytes, memory_of};
use super::{DST_BEYOND, Effects, NoEffect};
use crate::memory::effect::{Extent, MemoryEffect, Rows, Texel};
use crate::state::Objects;
use taut_schemas::{QueryHeapId, d3d12};

/// D3D12_QUERY_TYPE_TIMESTAMP.
const TIMESTAMP: u32 = 2;

/// ID3D12GraphicsCommandList::EndQuery.
pub fn end_query(_: &dyn Objects, call: &d3d12::EndQuery) -> Effects {
    let is_timestamp = call.query_type == TIMESTAMP && call.query_heap != QueryHeapId::NULL;
    let stamp = MemoryEffect::Timestamp { query_heap: call.query_heap, index: call.index };
    if is_timestamp { Ok(vec![stamp]) } else { Err(NoEffect::NotExecuted) }
}

/// Bytes of a query's result.
fn result_bytes(query_type: u32) -> Option<u64> {
    Some(match query_type {
        // Occlusion, binary occlusion, time stamp.
        0..=2 => 8,
        // Pipeline statistics: 11 numbers.
        3 => 88,
        // Stream output statistics.
        4..=7 => 16,
        _ => return None,
    })
}

/// ID3D12GraphicsCommandList::ResolveQueryData. Without draws the results of all types but time stamps are 0.
pub fn resolve_query_data(objects: &dyn Objects, call: &d3d12::ResolveQueryData) -> Effects {
    let size_bytes = u64::from(call.num_queries) * result_bytes(call.query_type).ok_or(NoEffect::NotExecuted)?;
    let buffer = memory_of(objects, call.destination_buffer)?;
    let address = buffer_bytes(buffer, call.aligned_destination_buffer_offset_bytes, size_bytes, DST_BEYOND)?;
    if call.query_type == TIMESTAMP {
        let (query_heap, first, count) = (call.query_heap, call.start_index, call.num_queries);
        return Ok(vec![MemoryEffect::ResolveTimestamps { query_heap, first, count, address }]);
    }
    let texel = Texel { bytes: [0; 16], size_bytes: 1 };
    Ok(vec![MemoryEffect::Fill { dst: Rows::of_bytes(address), extent: Extent::of_bytes(size_bytes), texel }])
}
