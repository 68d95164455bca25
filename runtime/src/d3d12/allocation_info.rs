//! GetResourceAllocationInfo and its three successors (rules ).

use super::answer::{check_reach, query_driver};
use super::validation::{self, AllocationQuery, Intent};
use crate::context::Context;
use crate::placement::{Aggregate, ResourceClass, Shape};
use crate::state::DeviceState;
use taut_schemas::format::Format;
use taut_schemas::{
    AllocationInfo, AllocationInfo1, AllocationInfos, DeviceId, HResult, HResultCode, MessageId, MipRegion,
    ResourceDesc, d3d12,
};

/// SizeInBytes of an invalid description (d3d12.h: UINT64_MAX).
const INVALID_SIZE: u64 = u64::MAX;

/// A query for several descriptions, with the additional arrays of the newer calls.
pub(crate) struct Query<'a> {
    pub device: DeviceId,
    pub visible_mask: u32,
    pub descs: &'a [ResourceDesc],
    /// One per description, or empty.
    pub mip_regions: &'a [MipRegion],
    /// One per description, or empty.
    pub num_castable_formats: &'a [u32],
    pub castable_formats: &'a [Format],
    pub intent: Intent,
}

/// ID3D12Device::GetResourceAllocationInfo.
pub(crate) fn get_resource_allocation_info(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    call: &d3d12::GetResourceAllocationInfo,
) -> AllocationInfo {
    let query = query(call.device, call.visible_mask, &call.descs);
    let (size_bytes, alignment_bytes) = answer(context, device, &query, &mut |_| {});
    AllocationInfo { size_bytes, alignment_bytes }
}

/// ID3D12Device4::GetResourceAllocationInfo1.
pub(crate) fn get_resource_allocation_info1(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    call: &d3d12::GetResourceAllocationInfo1,
) -> AllocationInfos {
    let query = query(call.device, call.visible_mask, &call.descs);
    answer_each(context, device, &query, call.want_infos)
}

/// ID3D12Device8::GetResourceAllocationInfo2.
pub(crate) fn get_resource_allocation_info2(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    call: &d3d12::GetResourceAllocationInfo2,
) -> AllocationInfos {
    let query = Query { mip_regions: &call.mip_regions, ..query(call.device, call.visible_mask, &call.descs) };
    answer_each(context, device, &query, call.want_infos)
}

/// ID3D12Device12::GetResourceAllocationInfo3.
pub(crate) fn get_resource_allocation_info3(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    call: &d3d12::GetResourceAllocationInfo3,
) -> AllocationInfos {
    let query = Query {
        mip_regions: &call.mip_regions,
        num_castable_formats: &call.num_castable_formats,
        castable_formats: &call.castable_formats,
        ..query(call.device, call.visible_mask, &call.descs)
    };
    answer_each(context, device, &query, call.want_infos)
}

fn query(device: DeviceId, visible_mask: u32, descs: &[ResourceDesc]) -> Query<'_> {
    Query {
        device,
        visible_mask,
        descs,
        mip_regions: &[],
        num_castable_formats: &[],
        castable_formats: &[],
        intent: Intent::Query,
    }
}

fn answer_each(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    query: &Query<'_>,
    want_infos: bool,
) -> AllocationInfos {
    let mut infos = Vec::new();
    let (size_bytes, alignment_bytes) = answer(context, device, query, &mut |info| {
        if want_infos {
            infos.push(info);
        }
    });
    AllocationInfos { size_bytes, alignment_bytes, infos }
}

/// Size and alignment of all resources together; `each` gets every element's offset. If an element is invalid, so is
/// the whole (rule A-31), with the max of the default alignments.
fn answer(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    query: &Query<'_>,
    each: &mut dyn FnMut(AllocationInfo1),
) -> (u64, u64) {
    match lay_out(context, device, query, each) {
        Ok(whole) => whole,
        Err(_) => {
            let defaults = query.descs.iter().map(|desc| ResourceClass::new(&Shape::from(desc)).default_alignment());
            (INVALID_SIZE, defaults.max().unwrap_or(ResourceClass::Buffer.default_alignment()))
        }
    }
}

/// Lays the elements out in order. An invalid element is reported with size UINT64_MAX; the elements after it are still
/// validated, so that each gets its messages.
///
/// # Errors
/// The code that creating the first invalid element would return.
pub(crate) fn lay_out(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    query: &Query<'_>,
    each: &mut dyn FnMut(AllocationInfo1),
) -> HResult<(u64, u64)> {
    device.open(context, query.device)?;
    check_counts(context, query)?;
    let mut layout = Aggregate::default();
    let mut castable_formats = query.castable_formats;
    let mut failure = None;
    for (at, desc) in query.descs.iter().enumerate() {
        let count = query.num_castable_formats.get(at).copied().unwrap_or(0) as usize;
        let (own, rest) = castable_formats.split_at_checked(count).unwrap_or((castable_formats, &[]));
        castable_formats = rest;
        let requested = AllocationQuery {
            desc,
            mip_region: query.mip_regions.get(at).copied().unwrap_or_default(),
            castable_formats: own,
            visible_node_mask: query.visible_mask,
            intent: query.intent,
        };
        match element(context, device, query.device, &requested, &mut layout) {
            Ok(info) => each(info),
            Err(code) => {
                failure = failure.or(Some(code));
                // An element's own default alignment is reported even if its size is invalid.
                let alignment_bytes = ResourceClass::new(&Shape::from(desc)).default_alignment();
                each(AllocationInfo1 { offset_bytes: INVALID_SIZE, alignment_bytes, size_bytes: INVALID_SIZE });
            }
        }
    }
    match (failure, layout.size_bytes()) {
        (None, Some(size_bytes)) => Ok((size_bytes, layout.alignment_bytes())),
        (Some(code), _) => Err(code),
        (None, None) => Err(too_large(context)),
    }
}

fn element(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    id: DeviceId,
    requested: &AllocationQuery<'_>,
    layout: &mut Aggregate,
) -> HResult<AllocationInfo1> {
    let adapter = device.open(context, id)?;
    let plan = validation::plan(context, adapter, requested)?;
    let answer = query_driver(context, device, &plan)?;
    // A query returns a size even if the adapter could not address it; creation fails.
    if requested.intent != Intent::Query {
        check_reach(context, device, &answer)?;
    }
    let (size_bytes, alignment_bytes) = (answer.size_bytes, answer.alignment_bytes);
    match layout.push(size_bytes, alignment_bytes) {
        Some(offset_bytes) => Ok(AllocationInfo1 { offset_bytes, alignment_bytes, size_bytes }),
        None => Err(too_large(context)),
    }
}

fn too_large(context: &mut Context<'_>) -> HResultCode {
    let text = format_args!("The resources together are larger than a 64-bit number of bytes.");
    context.error(MessageId::GETRESOURCEALLOCATIONINFO_INVALIDRDESCS, text);
    HResultCode::E_INVALIDARG
}

/// Validates that the additional arrays have one element per description, or are empty.
fn check_counts(context: &mut Context<'_>, query: &Query<'_>) -> HResult<()> {
    let count = query.descs.len();
    let formats = query.num_castable_formats.iter().fold(0_u64, |sum, num| sum.saturating_add((*num).into()));
    let matches_descs = |len: usize| len == 0 || len == count;
    let wrong = if !matches_descs(query.mip_regions.len()) {
        Some(("mip regions", query.mip_regions.len()))
    } else if !matches_descs(query.num_castable_formats.len()) {
        Some(("counts of castable formats", query.num_castable_formats.len()))
    } else if formats != query.castable_formats.len() as u64 {
        Some(("castable formats", query.castable_formats.len()))
    } else {
        None
    };
    let id = MessageId::GETRESOURCEALLOCATIONINFO_INVALIDRDESCS;
    if let Some((what, found)) = wrong {
        context.error(id, format_args!("There are {found} {what} beside {count} descriptions."));
        return Err(HResultCode::E_INVALIDARG);
    }
    if query.visible_mask > 1 {
        context.error(id, format_args!("visibleMask is {}; the adapter has one node.", query.visible_mask));
        return Err(HResultCode::E_INVALIDARG);
    }
    Ok(())
}
