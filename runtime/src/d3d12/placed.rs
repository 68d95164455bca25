//! CreatePlacedResource and its two successors: a resource in a heap (rules ).

use super::answer::{check_reach, query_driver};
use super::resource::{Placement, ResourceRequest, realize};
use super::validation::placement::{check_heap_kind, check_initial_state, check_offset};
use super::validation::{self, AllocationQuery, Intent, check_clear_value};
use crate::context::Context;
use crate::state::{DeviceState, Objects, ResourcePlacement};
use taut_schemas::{HResult, HResultCode, HeapId, MessageId, MipRegion, ResourceId, d3d12};

/// ID3D12Device::CreatePlacedResource.
pub(crate) fn create_placed_resource(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreatePlacedResource,
) -> HResult<ResourceId> {
    let request = ResourceRequest {
        device: call.device,
        desc: &call.desc,
        mip_region: MipRegion::default(),
        castable_formats: &[],
        clear_value: call.clear_value.as_ref(),
        initial_state: Some(call.initial_state),
    };
    create(
        context,
        device,
        objects,
        &request,
        HeapOffset { heap: call.heap, heap_offset_bytes: call.heap_offset_bytes },
    )
}

/// ID3D12Device8::CreatePlacedResource1.
pub(crate) fn create_placed_resource1(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreatePlacedResource1,
) -> HResult<ResourceId> {
    let request = ResourceRequest {
        device: call.device,
        desc: &call.desc,
        mip_region: call.mip_region,
        castable_formats: &[],
        clear_value: call.clear_value.as_ref(),
        initial_state: Some(call.initial_state),
    };
    create(
        context,
        device,
        objects,
        &request,
        HeapOffset { heap: call.heap, heap_offset_bytes: call.heap_offset_bytes },
    )
}

/// ID3D12Device10::CreatePlacedResource2.
pub(crate) fn create_placed_resource2(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreatePlacedResource2,
) -> HResult<ResourceId> {
    let request = ResourceRequest {
        device: call.device,
        desc: &call.desc,
        mip_region: call.mip_region,
        castable_formats: &call.castable_formats,
        clear_value: call.clear_value.as_ref(),
        initial_state: None,
    };
    create(
        context,
        device,
        objects,
        &request,
        HeapOffset { heap: call.heap, heap_offset_bytes: call.heap_offset_bytes },
    )
}

/// Place of a resource in a heap.
struct HeapOffset {
    heap: HeapId,
    heap_offset_bytes: u64,
}

fn create(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    request: &ResourceRequest<'_>,
    offset: HeapOffset,
) -> HResult<ResourceId> {
    let HeapOffset { heap, heap_offset_bytes } = offset;
    let adapter = device.open(context, request.device)?;
    // A record outlives its released heap while resources are placed in it, so the object must be alive too.
    let alive = objects.get(heap.into()).is_some_and(|object| object.as_heap().is_some());
    let Some((record, true)) = device.heaps.get(heap.0).map(|record| (record, alive)) else {
        let text = format_args!("There is no heap {}.", heap.0);
        context.error(MessageId::CREATERESOURCEANDHEAP_NULLHEAP, text);
        return Err(HResultCode::E_HANDLE);
    };
    let (heap_desc, heap_address) = (record.desc, record.address);
    let requested = AllocationQuery {
        desc: request.desc,
        mip_region: request.mip_region,
        castable_formats: request.castable_formats,
        visible_node_mask: heap_desc.properties.visible_node_mask,
        intent: Intent::Placed,
    };
    let plan = validation::plan(context, adapter, &requested)?;
    check_heap_kind(context, &plan, &heap_desc)?;
    check_initial_state(context, adapter, &heap_desc.properties, request.initial_state)?;
    check_clear_value(context, request.desc, request.castable_formats, request.clear_value)?;
    let answer = query_driver(context, device, &plan)?;
    check_reach(context, device, &answer)?;
    check_offset(context, &answer, &heap_desc, heap_offset_bytes)?;
    let placement = Placement {
        desc: request.desc,
        plan: &plan,
        answer: &answer,
        reported: &answer,
        home: ResourcePlacement::Placed(heap),
        heap_offset_bytes,
        heap_desc: None,
        properties: Some(&heap_desc.properties),
        address: heap_address + heap_offset_bytes,
    };
    let resource = realize(context, device, objects, &placement)?;
    if let Some(record) = device.heaps.get_mut(heap.0) {
        record.placed += 1;
    }
    Ok(resource)
}
