//! CreateReservedResource: a resource with address space but without memory. Never tight (rule A-15).

use super::answer::query_driver;
use super::resource::{Placement, realize};
use super::validation::{self, AllocationQuery, Intent, check_clear_value};
use crate::context::Context;
use crate::placement::KIB_64;
use crate::state::{DeviceState, Objects, ResourcePlacement};
use taut_schemas::{HResult, HResultCode, MessageId, MipRegion, ResourceId, d3d12};

/// ID3D12Device::CreateReservedResource.
pub(crate) fn create_reserved_resource(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateReservedResource,
) -> HResult<ResourceId> {
    let adapter = device.open(context, call.device)?;
    if adapter.caps.tiled_resources_tier == 0 {
        let text = format_args!("The adapter's tiled resources tier is 0: it has no reserved resources.");
        context.error(MessageId::CREATERESOURCE_INVALIDARG_RETURN, text);
        return Err(HResultCode::E_INVALIDARG);
    }
    let requested = AllocationQuery {
        desc: &call.desc,
        mip_region: MipRegion::default(),
        castable_formats: &[],
        visible_node_mask: 0,
        intent: Intent::Reserved,
    };
    let plan = validation::plan(context, adapter, &requested)?;
    check_clear_value(context, &call.desc, &[], call.clear_value.as_ref())?;
    let answer = query_driver(context, device, &plan)?;
    // Tiles are 64 KiB, so a reserved resource's address is too.
    let Some(address) = device.memory.allocate(answer.size_bytes, answer.alignment_bytes.max(KIB_64)) else {
        let text = format_args!("There is no room of {} bytes in the adapter's address space.", answer.size_bytes);
        context.error(MessageId::CREATERESOURCE_OUTOFMEMORY_RETURN, text);
        return Err(HResultCode::E_OUTOFMEMORY);
    };
    let placement = Placement {
        desc: &call.desc,
        plan: &plan,
        answer: &answer,
        reported: &answer,
        home: ResourcePlacement::Reserved,
        heap_offset_bytes: 0,
        heap_desc: None,
        properties: None,
        address,
    };
    let created = realize(context, device, objects, &placement);
    if created.is_err() {
        device.memory.release(address, answer.size_bytes);
    }
    created
}
