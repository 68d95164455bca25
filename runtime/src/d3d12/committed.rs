//! CreateCommittedResource and its three successors: a resource with a heap of its own (rules ).

use super::answer::{check_reach, query_driver};
use super::resource::{Placement, ResourceRequest, realize};
use super::translate;
use super::validation::heap::check_implicit_heap;
use super::validation::placement::{check_heap_type, check_initial_state};
use super::validation::{self, AllocationQuery, Intent, check_clear_value};
use crate::context::Context;
use crate::driver::ddi_version::DdiVersion;
use crate::memory::space::PAGE_BYTES;
use crate::state::{DeviceState, Objects, ResourcePlacement};
use taut_schemas::{
    DdiHeapFlags, Dimension, HResult, HResultCode, HeapDesc, HeapFlags, HeapProperties, MessageId, MipRegion,
    ResourceDesc, ResourceFlags, ResourceId, d3d12,
};

/// The properties of a committed resource's implicit heap.
struct ImplicitHeap<'a> {
    properties: &'a HeapProperties,
    flags: HeapFlags,
    protected_session: bool,
}

/// ID3D12Device::CreateCommittedResource.
pub(crate) fn create_committed_resource(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateCommittedResource,
) -> HResult<ResourceId> {
    let heap = ImplicitHeap { properties: &call.heap_properties, flags: call.heap_flags, protected_session: false };
    let request = ResourceRequest {
        device: call.device,
        desc: &call.desc,
        mip_region: MipRegion::default(),
        castable_formats: &[],
        clear_value: call.clear_value.as_ref(),
        initial_state: Some(call.initial_state),
    };
    create(context, device, objects, &request, &heap)
}

/// ID3D12Device4::CreateCommittedResource1.
pub(crate) fn create_committed_resource1(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateCommittedResource1,
) -> HResult<ResourceId> {
    let heap = ImplicitHeap {
        properties: &call.heap_properties,
        flags: call.heap_flags,
        protected_session: call.protected_session,
    };
    let request = ResourceRequest {
        device: call.device,
        desc: &call.desc,
        mip_region: MipRegion::default(),
        castable_formats: &[],
        clear_value: call.clear_value.as_ref(),
        initial_state: Some(call.initial_state),
    };
    create(context, device, objects, &request, &heap)
}

/// ID3D12Device8::CreateCommittedResource2.
pub(crate) fn create_committed_resource2(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateCommittedResource2,
) -> HResult<ResourceId> {
    let heap = ImplicitHeap {
        properties: &call.heap_properties,
        flags: call.heap_flags,
        protected_session: call.protected_session,
    };
    let request = ResourceRequest {
        device: call.device,
        desc: &call.desc,
        mip_region: call.mip_region,
        castable_formats: &[],
        clear_value: call.clear_value.as_ref(),
        initial_state: Some(call.initial_state),
    };
    create(context, device, objects, &request, &heap)
}

/// ID3D12Device10::CreateCommittedResource3.
pub(crate) fn create_committed_resource3(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateCommittedResource3,
) -> HResult<ResourceId> {
    let heap = ImplicitHeap {
        properties: &call.heap_properties,
        flags: call.heap_flags,
        protected_session: call.protected_session,
    };
    let request = ResourceRequest {
        device: call.device,
        desc: &call.desc,
        mip_region: call.mip_region,
        castable_formats: &call.castable_formats,
        clear_value: call.clear_value.as_ref(),
        initial_state: None,
    };
    create(context, device, objects, &request, &heap)
}

fn create(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    request: &ResourceRequest<'_>,
    heap: &ImplicitHeap<'_>,
) -> HResult<ResourceId> {
    let adapter = device.open(context, request.device)?;
    let displayable = is_displayable(request.desc);
    check_implicit_heap(context, adapter, heap.properties, heap.flags, heap.protected_session, displayable)?;
    let requested = AllocationQuery {
        desc: request.desc,
        mip_region: request.mip_region,
        castable_formats: request.castable_formats,
        visible_node_mask: heap.properties.visible_node_mask,
        intent: Intent::Committed,
    };
    let plan = validation::plan(context, adapter, &requested)?;
    check_heap_type(context, &plan, heap.properties)?;
    check_initial_state(context, adapter, heap.properties, request.initial_state)?;
    check_clear_value(context, request.desc, request.castable_formats, request.clear_value)?;
    let mut heap_desc = translate::heap(
        &HeapDesc { properties: *heap.properties, flags: heap.flags, ..HeapDesc::default() },
        &adapter.caps,
    );
    // Rule A-41: older drivers do not know the IMPLICIT flag.
    if adapter.ddi_version >= DdiVersion::V0115 {
        heap_desc.flags = heap_desc.flags | DdiHeapFlags::IMPLICIT;
    }
    // The first query is for the size and alignment that the API reports, placed or not; the second is for the
    // allocation itself (rule A-21).
    let reported = match plan.tight {
        true => Some(query_driver(context, device, &plan.for_query(context.settings))?),
        false => None,
    };
    let answer = query_driver(context, device, &plan)?;
    check_reach(context, device, &answer)?;
    // VidMm's allocation: aligned to at least a page, with a size in whole pages (rule A-40).
    heap_desc.alignment_bytes = answer.alignment_bytes.max(PAGE_BYTES);
    heap_desc.size_bytes = answer.size_bytes.checked_next_multiple_of(PAGE_BYTES).unwrap_or(u64::MAX);
    let Some(address) = device.memory.allocate(heap_desc.size_bytes, heap_desc.alignment_bytes) else {
        let size = heap_desc.size_bytes;
        let text = format_args!("There is no room of {size} bytes in the adapter's address space.");
        context.error(MessageId::CREATERESOURCEANDHEAP_OUTOFMEMORY_RETURN, text);
        return Err(HResultCode::E_OUTOFMEMORY);
    };
    let placement = Placement {
        desc: request.desc,
        plan: &plan,
        answer: &answer,
        reported: reported.as_ref().unwrap_or(&answer),
        home: ResourcePlacement::Committed,
        heap_offset_bytes: 0,
        heap_desc: Some(heap_desc),
        properties: Some(heap.properties),
        address,
    };
    let created = realize(context, device, objects, &placement);
    if created.is_err() {
        device.memory.release(address, heap_desc.size_bytes);
    }
    created
}

/// True if the resource could be a swap chain's back buffer.
fn is_displayable(desc: &ResourceDesc) -> bool {
    desc.dimension == Dimension::TEXTURE2D
        && desc.sample_count == 1
        && desc.flags.contains(ResourceFlags::ALLOW_RENDER_TARGET)
}
