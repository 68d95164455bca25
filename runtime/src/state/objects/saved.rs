//! Objects as rundown records.

use super::{Creation, DescriptorHeap, Object, ObjectKind, ResourcePlacement, ResourceState};
use crate::records::{RestoreError, StateRecords, check_memory, invalid_value};
use crate::state::command_list::CommandList;
use crate::state::pipeline_state::PipelineState;
use std::sync::Arc;
use taut_schemas::{
    BoundPipeline, CommandAllocatorId, CommandListId, CommandQueueId, CommandSignatureId, DescriptorHeapId, FenceId,
    GpuVirtualAddress, HeapId, ObjectId, OpenMap, PipelineStateId, QueryHeapId, ResourceId, RootSignatureId, state,
};

/// Max constants of a pipeline state in a record: a corrupt record must not cause large allocations.
const MAX_CONSTANTS: u64 = 1 << 16;

impl Object {
    /// Writes the object's record.
    pub(crate) fn save(&self, ObjectId(id): ObjectId, records: &mut StateRecords) {
        let Object { name, kind } = self;
        let name = name.to_string();
        match kind {
            ObjectKind::Heap(desc) => records.put(&state::Heap { heap: HeapId(id), name, desc: *desc }),
            ObjectKind::Resource(resource) => records.put(&resource.save(ResourceId(id), name)),
            ObjectKind::PipelineState(pipeline) => records.put(&state::PipelineState {
                pipeline_state: PipelineStateId(id),
                name,
                command_list_part: pipeline.save(),
            }),
            ObjectKind::CommandQueue => {
                records.put(&state::CommandQueue { command_queue: CommandQueueId(id), name });
            }
            ObjectKind::CommandAllocator(list_type) => records.put(&state::CommandAllocator {
                command_allocator: CommandAllocatorId(id),
                name,
                list_type: *list_type,
            }),
            ObjectKind::CommandList(list) => records.put(&list.save(CommandListId(id), name)),
            ObjectKind::Fence => records.put(&state::Fence { fence: FenceId(id), name }),
            ObjectKind::RootSignature => {
                records.put(&state::RootSignature { root_signature: RootSignatureId(id), name });
            }
            ObjectKind::QueryHeap => records.put(&state::QueryHeap { query_heap: QueryHeapId(id), name }),
            ObjectKind::CommandSignature => {
                records.put(&state::CommandSignature { command_signature: CommandSignatureId(id), name });
            }
            ObjectKind::DescriptorHeap(DescriptorHeap { desc, address }) => records.put(&state::DescriptorHeap {
                descriptor_heap: DescriptorHeapId(id),
                name,
                desc: *desc,
                address: *address,
            }),
            ObjectKind::D3d11(object) => object.save(ObjectId(id), name, records),
        }
    }

    /// Creates an object from a record, with its name.
    pub(crate) fn named(name: &str, kind: ObjectKind) -> Object {
        Object { name: name.into(), kind }
    }
}

impl ResourceState {
    fn save(&self, resource: ResourceId, name: String) -> state::Resource {
        let ResourceState { desc, home, address, size_bytes, mappable, subresources, maps, is_shared, created } = self;
        let Creation { requested_alignment_bytes, reported_alignment_bytes, implicit_heap_bytes, heap_type } = *created;
        let (placement, heap) = match home {
            ResourcePlacement::Committed => (taut_schemas::ResourcePlacement::COMMITTED, HeapId::NULL),
            ResourcePlacement::Placed(heap) => (taut_schemas::ResourcePlacement::PLACED, *heap),
            ResourcePlacement::Reserved => (taut_schemas::ResourcePlacement::RESERVED, HeapId::NULL),
        };
        let maps = maps.iter().map(|(subresource, maps)| OpenMap { subresource: *subresource, maps: *maps }).collect();
        state::Resource {
            resource,
            name,
            desc: *desc,
            placement,
            heap,
            address: GpuVirtualAddress(*address),
            size: *size_bytes,
            mappable: *mappable,
            subresources: *subresources,
            maps,
            is_shared: *is_shared,
            requested_alignment: requested_alignment_bytes,
            reported_alignment: reported_alignment_bytes,
            implicit_heap: implicit_heap_bytes,
            heap_type,
        }
    }

    /// Restores a resource from its record.
    pub(crate) fn restore(record: &state::Resource) -> Result<ResourceState, RestoreError> {
        let state::Resource { resource: _, name: _, desc, placement, heap, address, size, .. } = record;
        let state::Resource { mappable, subresources, maps, is_shared, .. } = record;
        let state::Resource { requested_alignment, reported_alignment, implicit_heap, heap_type, .. } = *record;
        check_memory::<state::Resource>(address.0, *size)?;
        let home = match *placement {
            taut_schemas::ResourcePlacement::COMMITTED => ResourcePlacement::Committed,
            taut_schemas::ResourcePlacement::PLACED => ResourcePlacement::Placed(*heap),
            taut_schemas::ResourcePlacement::RESERVED => ResourcePlacement::Reserved,
            other => return invalid_value::<_, state::Resource>("a resource's home", other.0),
        };
        Ok(ResourceState {
            desc: *desc,
            home,
            address: address.0,
            size_bytes: *size,
            mappable: *mappable,
            subresources: *subresources,
            maps: maps.iter().map(|OpenMap { subresource, maps }| (*subresource, *maps)).collect(),
            is_shared: *is_shared,
            created: Creation {
                requested_alignment_bytes: requested_alignment,
                reported_alignment_bytes: reported_alignment,
                implicit_heap_bytes: implicit_heap,
                heap_type,
            },
        })
    }
}

impl PipelineState {
    fn save(&self) -> BoundPipeline {
        let PipelineState { id: pipeline_state, compute, constants, opaque } = *self;
        BoundPipeline { pipeline_state, compute, constants: constants as u64, opaque }
    }

    /// Restores a pipeline state from its record.
    pub(crate) fn restore(record: &BoundPipeline) -> Result<Arc<PipelineState>, RestoreError> {
        let BoundPipeline { pipeline_state: id, compute, constants, opaque } = *record;
        if constants > MAX_CONSTANTS {
            return invalid_value::<_, state::PipelineState>("a pipeline state of at most 65536 constants", constants);
        }
        Ok(Arc::new(PipelineState { id, compute, constants: constants as usize, opaque }))
    }
}

impl CommandList {
    fn save(&self, command_list: CommandListId, name: String) -> state::CommandList {
        let CommandList {
            list_type,
            open,
            failed,
            pipeline,
            graphics_constants,
            compute_constants,
            draws,
            constants,
            graphics_root_signature,
            compute_root_signature,
            // A replay has no memory.
            effects: _,
        } = self.clone();
        let pipeline = pipeline.map(|pipeline| pipeline.save());
        state::CommandList {
            command_list,
            name,
            list_type,
            open,
            failed,
            pipeline,
            graphics_constants,
            compute_constants,
            draws,
            constants,
            graphics_root_signature,
            compute_root_signature,
        }
    }

    /// Restores a command list from its record.
    pub(crate) fn restore(record: state::CommandList) -> Result<CommandList, RestoreError> {
        let state::CommandList { list_type, open, failed, pipeline, draws, constants, .. } = record;
        let state::CommandList { graphics_constants, compute_constants, .. } = record;
        let state::CommandList { graphics_root_signature, compute_root_signature, .. } = record;
        let end = |draw: &taut_schemas::DrawCommand| u64::from(draw.first_constant) + u64::from(draw.num_constants);
        // Submission copies constants by these indices, so they must be in range.
        if let Some(draw) = draws.iter().find(|draw| end(draw) > constants.len() as u64) {
            return invalid_value::<_, state::CommandList>(
                "draws with constants of the list",
                format_args!("{draw:?}"),
            );
        }
        let pipeline = pipeline.as_ref().map(PipelineState::restore).transpose()?;
        Ok(CommandList {
            list_type,
            open,
            failed,
            pipeline,
            graphics_constants,
            compute_constants,
            draws,
            constants,
            graphics_root_signature,
            compute_root_signature,
            effects: Arc::default(),
        })
    }
}
