//! Creation of resources: the part that all kinds share.

use super::answer::Answer;
use super::translate;
use super::validation::Plan;
use crate::context::Context;
use crate::placement::plane_count;
use crate::settings::RuleSet;
use crate::state::{Creation, DeviceState, Object, Objects, ResourcePlacement, ResourceState};
use crate::violation::{ObservedValue, violate};
use taut_schemas::format::Format;
use taut_schemas::{
    ClearValue, DdiAllocationInfo, DdiHeapDesc, DdiHeapFlags, DeviceId, Dimension, HResult, HeapId, HeapProperties,
    HeapType, MipRegion, ObjectId, ResourceDesc, ResourceId, d3d12_ddi, rule,
};

/// Arguments that all calls which create a resource have in common.
pub(crate) struct ResourceRequest<'a> {
    pub device: DeviceId,
    pub desc: &'a ResourceDesc,
    pub mip_region: MipRegion,
    pub castable_formats: &'a [Format],
    pub clear_value: Option<&'a ClearValue>,
    /// D3D12_RESOURCE_STATES; `None` for calls that have a layout in its place.
    pub initial_state: Option<u32>,
}

/// A resource with an allocated address, ready to be created.
pub(crate) struct Placement<'a> {
    /// The application's description.
    pub desc: &'a ResourceDesc,
    pub plan: &'a Plan,
    /// The driver's answer for the allocation that is created.
    pub answer: &'a Answer,
    /// The answer that the API reports: size and alignment of GetResourceAllocationInfo.
    pub reported: &'a Answer,
    pub home: ResourcePlacement,
    /// Offset in the heap, in bytes.
    pub heap_offset_bytes: u64,
    /// The implicit heap of a committed resource.
    pub heap_desc: Option<DdiHeapDesc>,
    /// Properties of the heap that contains the resource; `None` for a reserved resource.
    pub properties: Option<&'a HeapProperties>,
    /// GPU address of the first byte.
    pub address: u64,
}

/// Has the driver create the resource, and inserts the object.
///
/// # Errors
/// The driver's code; DXGI_ERROR_DEVICE_REMOVED if the driver broke a rule in strict mode. The caller releases the
/// memory.
pub(crate) fn realize(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    placement: &Placement<'_>,
) -> HResult<ResourceId> {
    let Placement { desc, plan, answer, reported, home, .. } = *placement;
    let ObjectId(id) = device.next_object();
    let resource = ResourceId(id);
    let heap = match home {
        ResourcePlacement::Placed(heap) => heap,
        ResourcePlacement::Committed | ResourcePlacement::Reserved => HeapId::NULL,
    };
    let mut resource_desc = answer.desc;
    resource_desc.heap_offset_bytes = placement.heap_offset_bytes;
    let driver_data = context.ddi(d3d12_ddi::CreateHeapAndResource {
        heap_desc: placement.heap_desc,
        heap,
        resource_desc: Some(resource_desc),
        resource,
        alignment_restriction_bytes: answer.restriction_bytes,
    })?;
    // Rule A-13: creation must keep what the query announced.
    if let Err(code) = verify(context, device, answer, resource, driver_data) {
        context.ddi(d3d12_ddi::DestroyHeapAndResource { resource, ..Default::default() });
        return Err(code);
    }
    let slices = u64::from(plan.shape.mip_levels) * plan.shape.array_size();
    let state = ResourceState {
        desc: ResourceDesc { alignment_bytes: answer.alignment_bytes, mip_levels: plan.shape.mip_levels, ..*desc },
        home,
        address: placement.address,
        size_bytes: reported.size_bytes,
        mappable: placement.properties.is_some_and(translate::is_mappable),
        subresources: match desc.dimension {
            Dimension::BUFFER => 1,
            _ => (slices as u32).saturating_mul(plane_count(desc.format)),
        },
        maps: Vec::new(),
        is_shared: placement.heap_desc.is_some_and(|heap| heap.flags.contains(DdiHeapFlags::COHERENT_SYSTEMWIDE)),
        created: Creation {
            requested_alignment_bytes: desc.alignment_bytes,
            reported_alignment_bytes: reported.alignment_bytes,
            implicit_heap_bytes: placement.heap_desc.map_or(0, |heap| heap.size_bytes),
            heap_type: placement.properties.map_or(HeapType::NONE, |properties| properties.heap_type),
        },
    };
    // Only rule set 1.619.4 has floors, so only it needs to find buffers by address.
    if desc.dimension == Dimension::BUFFER && context.settings.rules == RuleSet::R1_619_4 {
        device.buffers.insert(resource, state.address, state.desc.width, state.desc.alignment_bytes);
    }
    objects.insert(resource.into(), Object::resource(state));
    device.count_object();
    Ok(resource)
}

/// Validates, in strict mode by another query, that the created resource has the announced size and alignment (rule
///
fn verify(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    answer: &Answer,
    resource: ResourceId,
    driver_data: DdiAllocationInfo,
) -> HResult<()> {
    let existing = match context.settings.strict {
        true => context.ddi(d3d12_ddi::CheckExistingResourceAllocationInfo { resource, driver_data }),
        false => driver_data,
    };
    let announced = (answer.ddi.size_bytes, answer.ddi.alignment_bytes);
    if (existing.size_bytes, existing.alignment_bytes) == announced {
        return Ok(());
    }
    let text = format_args!(
        "The driver announced {} bytes at alignment {} and created {} bytes at alignment {}.",
        announced.0, announced.1, existing.size_bytes, existing.alignment_bytes
    );
    let (found, expected) = match existing.size_bytes == announced.0 {
        true => (existing.alignment_bytes, announced.1),
        false => (existing.size_bytes, announced.0),
    };
    violate(context, device, rule::A_13, ObservedValue { found, min: expected, max: expected }, text)
}
