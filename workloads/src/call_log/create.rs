//! Calls that create resources.

use super::line::{Place, ResourceCreation};
use super::name::CallName;
use super::plan::Plan;
use taut_capture::Caller;
use taut_schemas::{DeviceId, HResult, HeapFlags, HeapId, HeapProperties, ResourceId, d3d12};

/// Creates a resource as logged, with the plan's changes; `heap` is the live heap it is placed in.
pub(super) fn create_resource<C: Caller>(
    caller: &mut C,
    device: DeviceId,
    heap: HeapId,
    plan: &Plan,
    creation: &ResourceCreation,
) -> HResult<ResourceId> {
    match creation.place {
        Place::Placed { offset_bytes, .. } => {
            let offset_bytes = plan.offset_bytes(creation.resource, offset_bytes);
            create_placed(caller, device, HeapOffset { heap, heap_offset_bytes: offset_bytes }, plan, creation)
        }
        Place::Committed { properties, flags, protected_session } => create_committed(
            caller,
            device,
            CommittedHeap { heap_properties: properties, heap_flags: flags, protected_session },
            plan,
            creation,
        ),
        Place::Reserved => {
            let ResourceCreation { initial_state, clear_value, .. } = *creation;
            let desc = plan.desc(&creation.desc);
            caller.call(d3d12::CreateReservedResource { device, desc, initial_state, clear_value })
        }
    }
}

/// Place of a resource in a heap.
struct HeapOffset {
    heap: HeapId,
    heap_offset_bytes: u64,
}

fn create_placed<C: Caller>(
    caller: &mut C,
    device: DeviceId,
    offset: HeapOffset,
    plan: &Plan,
    creation: &ResourceCreation,
) -> HResult<ResourceId> {
    let HeapOffset { heap, heap_offset_bytes } = offset;
    let ResourceCreation { mip_region, initial_state, clear_value, .. } = *creation;
    let desc = plan.desc(&creation.desc);
    match creation.name {
        CallName::CreatePlacedResource2 => caller.call(d3d12::CreatePlacedResource2 {
            device,
            heap,
            heap_offset_bytes,
            desc,
            mip_region,
            initial_layout: initial_state,
            clear_value,
            castable_formats: creation.castable_formats.clone(),
        }),
        CallName::CreatePlacedResource1 => {
            let call = d3d12::CreatePlacedResource1 {
                device,
                heap,
                heap_offset_bytes,
                desc,
                mip_region,
                initial_state,
                clear_value,
            };
            caller.call(call)
        }
        _ => {
            let call =
                d3d12::CreatePlacedResource { device, heap, heap_offset_bytes, desc, initial_state, clear_value };
            caller.call(call)
        }
    }
}

/// Heap of a committed resource.
struct CommittedHeap {
    heap_properties: HeapProperties,
    heap_flags: HeapFlags,
    protected_session: bool,
}

fn create_committed<C: Caller>(
    caller: &mut C,
    device: DeviceId,
    heap: CommittedHeap,
    plan: &Plan,
    creation: &ResourceCreation,
) -> HResult<ResourceId> {
    let CommittedHeap { heap_properties, heap_flags, protected_session } = heap;
    let ResourceCreation { mip_region, initial_state, clear_value, .. } = *creation;
    let desc = plan.desc(&creation.desc);
    match creation.name {
        CallName::CreateCommittedResource3 => caller.call(d3d12::CreateCommittedResource3 {
            device,
            heap_properties,
            heap_flags,
            desc,
            mip_region,
            initial_layout: initial_state,
            clear_value,
            protected_session,
            castable_formats: creation.castable_formats.clone(),
        }),
        CallName::CreateCommittedResource2 => caller.call(d3d12::CreateCommittedResource2 {
            device,
            heap_properties,
            heap_flags,
            desc,
            mip_region,
            initial_state,
            clear_value,
            protected_session,
        }),
        CallName::CreateCommittedResource1 => caller.call(d3d12::CreateCommittedResource1 {
            device,
            heap_properties,
            heap_flags,
            desc,
            initial_state,
            clear_value,
            protected_session,
        }),
        _ => caller.call(d3d12::CreateCommittedResource {
            device,
            heap_properties,
            heap_flags,
            desc,
            initial_state,
            clear_value,
        }),
    }
}
