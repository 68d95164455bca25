//! Values of creations, releases and names in one block of a trace.

use super::super::{Values, values};
use super::world_calls::{CallColumns, WorldCall};
use taut_schemas::{HResultCode, HeapDesc, HeapId, HeapType, MipRegion, ObjectId, ResourceDesc};
use taut_traces::ThreadExtract;

/// The values of one kind of API call that changes the world.
#[derive(Debug)]
pub(super) struct CallValues<'a> {
    pub part: WorldCall,
    /// Result of the call, in its stop record.
    pub hr: Values<'a, HResultCode>,
    /// The object: in the stop of a creation, else in the call's start.
    pub object: Values<'a, ObjectId>,
    /// The new name.
    pub name: Values<'a, String>,
    /// Description of a heap.
    pub heap_desc: Values<'a, HeapDesc>,
    heap: Values<'a, HeapId>,
    heap_offset_bytes: Values<'a, u64>,
    /// Type of a committed resource's implicit heap.
    pub heap_type: Values<'a, HeapType>,
    resource_desc: Values<'a, ResourceDesc>,
    mip_region: Values<'a, MipRegion>,
}

impl<'a> CallValues<'a> {
    /// The values of a block.
    pub fn new(columns: &CallColumns, block: &'a ThreadExtract) -> CallValues<'a> {
        CallValues {
            part: columns.part,
            hr: values(&columns.hr, block),
            object: values(&columns.object, block),
            name: values(&columns.name, block),
            heap_desc: values(&columns.heap_desc, block),
            heap: values(&columns.heap, block),
            heap_offset_bytes: values(&columns.heap_offset_bytes, block),
            heap_type: values(&columns.heap_type, block),
            resource_desc: values(&columns.resource_desc, block),
            mip_region: values(&columns.mip_region, block),
        }
    }

    /// Heap and offset of a placed resource.
    pub fn place(&self, row: u32) -> (HeapId, u64) {
        (self.heap.or_default(row), self.heap_offset_bytes.or_default(row))
    }

    /// Description of a resource.
    pub fn resource_desc(&self, row: u32) -> (ResourceDesc, MipRegion) {
        (self.resource_desc.or_default(row), self.mip_region.or_default(row))
    }
}
