//! GetCopyableFootprints: layouts of subresources in a buffer. No driver call is involved.

use super::validation::{self, AllocationQuery, Intent};
use crate::context::Context;
use crate::placement::{footprints, subresource_count};
use crate::state::DeviceState;
use taut_schemas::{CopyableFootprints, HResult, HResultCode, MessageId, MipRegion, d3d12};

/// ID3D12Device::GetCopyableFootprints. The description is validated as in GetResourceAllocationInfo. An invalid one,
/// or a range of subresources beyond its last, gives a total of UINT64_MAX.
pub(crate) fn get_copyable_footprints(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    call: &d3d12::GetCopyableFootprints,
) -> CopyableFootprints {
    lay_out(context, device, call).unwrap_or_else(|_| CopyableFootprints { total_bytes: u64::MAX, layouts: Vec::new() })
}

fn lay_out(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    call: &d3d12::GetCopyableFootprints,
) -> HResult<CopyableFootprints> {
    let adapter = device.open(context, call.device)?;
    let requested = AllocationQuery {
        desc: &call.desc,
        mip_region: MipRegion::default(),
        castable_formats: &[],
        visible_node_mask: 0,
        intent: Intent::Query,
    };
    let shape = validation::plan(context, adapter, &requested)?.shape;
    let (first, count) = (u64::from(call.first_subresource), subresource_count(&shape));
    let end = first + u64::from(call.num_subresources);
    if end > count {
        let text = format_args!("Subresources {first} to {end} are not within 0 to {count}.");
        context.error(MessageId::GETCOPYABLEFOOTPRINTS_INVALIDSUBRESOURCERANGE, text);
        return Err(HResultCode::E_INVALIDARG);
    }
    let mut layouts = Vec::new();
    let total = footprints(&shape, first..end, call.base_offset_bytes, &mut |place| layouts.push(place));
    total.map(|total_bytes| CopyableFootprints { total_bytes, layouts }).ok_or_else(|| {
        let text = format_args!("BaseOffset {} and the subresources after it do not fit.", call.base_offset_bytes);
        context.error(MessageId::GETCOPYABLEFOOTPRINTS_INVALIDBASEOFFSET, text);
        HResultCode::E_INVALIDARG
    })
}
