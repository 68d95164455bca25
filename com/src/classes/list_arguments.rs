//! Arguments of list commands: limits, rectangles, barriers.

use super::memory::Resource;
use crate::convert_list::{MAX_ELEMENTS, optional_elements, rect};
use crate::unsafe_abi::{self, AliasingBarrier, In, Interface, ResourceBarrier};
use taut_schemas::{ResourceBarrierDesc, ResourceId};

/// D3D12_VIEWPORT_AND_SCISSORRECT_OBJECT_COUNT_PER_PIPELINE.
pub const MAX_VIEWPORTS: usize = 16;
/// D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT.
pub const MAX_RENDER_TARGETS: usize = 8;
/// D3D12_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT.
pub const MAX_VERTEX_BUFFERS: usize = 32;
/// D3D12_SO_BUFFER_SLOT_COUNT.
pub const MAX_STREAMS: usize = 4;
/// One heap of resources and one of samplers.
pub const MAX_DESCRIPTOR_HEAPS: usize = 2;

/// Sample positions of a pixel or of a quad of pixels at most.
pub const MAX_SAMPLE_POSITIONS: usize = 16;

/// D3D12_RESOURCE_BARRIER_TYPE_TRANSITION and D3D12_RESOURCE_BARRIER_TYPE_ALIASING.
const TRANSITION: u32 = 0;
const ALIASING: u32 = 1;

/// Rectangles of a clear; NULL clears the whole view.
pub fn clear_rects(rects: In<unsafe_abi::Rect>, count: u32) -> Option<Vec<taut_schemas::Rect>> {
    optional_elements(rects, count, MAX_ELEMENTS, rect)
}

/// A barrier. `None` for an invalid one: of a foreign object, or a transition of NULL.
pub fn barrier(barrier: ResourceBarrier) -> Option<ResourceBarrierDesc> {
    let id = |interface: Interface| match interface.class::<Resource>() {
        Some(resource) => Some(resource.id),
        None => interface.is_null().then_some(ResourceId::NULL),
    };
    let ResourceBarrier { barrier_type, flags, resource, subresource, state_before, state_after, padding: _ } = barrier;
    let desc = ResourceBarrierDesc { barrier_type, flags, resource: id(resource)?, ..ResourceBarrierDesc::default() };
    Some(match barrier_type {
        TRANSITION if resource.is_null() => return None,
        TRANSITION => ResourceBarrierDesc { subresource, state_before, state_after, ..desc },
        ALIASING => {
            let AliasingBarrier { resource_after, .. } = barrier.aliasing();
            ResourceBarrierDesc { resource_after: id(resource_after)?, ..desc }
        }
        _ => desc,
    })
}
