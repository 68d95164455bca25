//! Calls that query sizes and alignments.

use super::line::AllocationQuery;
use super::name::CallName;
use super::plan::Plan;
use taut_capture::Caller;
use taut_schemas::{AllocationInfo, AllocationInfos, DeviceId, d3d12};

/// Makes the logged query, with the plan's changes.
pub(super) fn query_allocation_info<C: Caller>(
    caller: &mut C,
    device: DeviceId,
    plan: &Plan,
    query: &AllocationQuery,
) -> AllocationInfos {
    let AllocationQuery { visible_mask, want_infos, .. } = *query;
    let descs = query.descs.iter().map(|desc| plan.desc(desc)).collect();
    let mip_regions = query.mip_regions.clone();
    match query.name {
        CallName::GetResourceAllocationInfo3 => {
            let num_castable_formats = query.castable_formats.iter().map(|list| list.len() as u32).collect();
            let castable_formats = query.castable_formats.concat();
            caller.call(d3d12::GetResourceAllocationInfo3 {
                device,
                visible_mask,
                descs,
                mip_regions,
                num_castable_formats,
                castable_formats,
                want_infos,
            })
        }
        CallName::GetResourceAllocationInfo2 => {
            let call = d3d12::GetResourceAllocationInfo2 { device, visible_mask, descs, mip_regions, want_infos };
            caller.call(call)
        }
        CallName::GetResourceAllocationInfo1 => {
            caller.call(d3d12::GetResourceAllocationInfo1 { device, visible_mask, descs, want_infos })
        }
        _ => {
            let call = d3d12::GetResourceAllocationInfo { device, visible_mask, descs };
            let AllocationInfo { size_bytes, alignment_bytes } = caller.call(call);
            AllocationInfos { size_bytes, alignment_bytes, infos: Vec::new() }
        }
    }
}
