//! Effects of queries.

use super::region::{bytes_of, memory_of};
use crate::memory::effect::{Extent, MemoryEffect, Rows, Texel};
use crate::state::Objects;
use taut_schemas::{QueryHeapId, d3d12};

/// D3D12_QUERY_TYPE_TIMESTAMP.
const TIMESTAMP: u32 = 2;

/// ID3D12GraphicsCommandList::EndQuery.
pub fn end_query(_: &dyn Objects, call: &d3d12::EndQuery) -> Option<Vec<MemoryEffect>> {
    let is_timestamp = call.query_type == TIMESTAMP && call.query_heap != QueryHeapId::NULL;
    is_timestamp.then(|| vec![MemoryEffect::Timestamp { query_heap: call.query_heap, index: call.index }])
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
pub fn resolve_query_data(objects: &dyn Objects, call: &d3d12::ResolveQueryData) -> Option<Vec<MemoryEffect>> {
    let size_bytes = u64::from(call.num_queries).checked_mul(result_bytes(call.query_type)?)?;
    let buffer = memory_of(objects, call.destination_buffer)?;
    let address = bytes_of(buffer, call.aligned_destination_buffer_offset_bytes, size_bytes)?;
    if call.query_type == TIMESTAMP {
        let (query_heap, first, count) = (call.query_heap, call.start_index, call.num_queries);
        return Some(vec![MemoryEffect::ResolveTimestamps { query_heap, first, count, address }]);
    }
    let texel = Texel { bytes: [0; 16], size_bytes: 1 };
    Some(vec![MemoryEffect::Fill { dst: Rows::of_bytes(address), extent: Extent::of_bytes(size_bytes), texel }])
}
