//! Translation of a call of the capture to the line that is played.

use super::args::{FootprintArgs, MapArgs, QueryInterfaceArgs, SetNameArgs, UnmapArgs};
use super::objects::{Kind, Object, Objects};
use super::row::Call;
use super::translation::{Translated, Translation, defined, line};
use super::value::Address;
use crate::call_log::{FootprintQuery, LogCall, SubmissionCall};
use taut_schemas::{
    CommandAllocatorId, CommandListId, CommandQueueId, FenceId, HResultCode, HeapId, ObjectId, ResourceId,
};

/// Translates a call; new objects are added to `objects`.
pub(super) fn translate(call: &Call<'_>, objects: &mut Objects) -> Translation {
    match &*call.name {
        "CreateHeap" | "CreateHeap1" => super::creation::heap(call, objects),
        name if name.starts_with("CreateCommittedResource")
            || name.starts_with("CreatePlacedResource")
            || name.starts_with("CreateReservedResource") =>
        {
            super::creation::resource(call, objects)
        }
        name if name.starts_with("GetResourceAllocationInfo") => super::query::allocation_info(call),
        "GetCopyableFootprints" => footprints(call),
        "CheckFeatureSupport" if call.interface == "ID3D12Device" => super::query::feature(call),
        "Map" | "Unmap" => map(call, objects),
        "SetName" => set_name(call, objects),
        "GetGPUVirtualAddress" => {
            objects.set_address(call.handle, call.result_of::<Address>()?.0);
            Ok(Translated::Noted)
        }
        "QueryInterface" => {
            if call.result_of::<HResultCode>()? == HResultCode::S_OK {
                let args: QueryInterfaceArgs = call.args()?;
                objects.join(call.handle, args.ppvObject.unwrap_or_default());
            }
            Ok(Translated::Noted)
        }
        "AddRef" => Ok(Translated::Noted),
        "Release" => release(call, objects),
        "CreateConstantBufferView" | "CreateShaderResourceView" | "CreateUnorderedAccessView" => {
            super::view::view(call, objects)
        }
        _ => super::submission::submission(call, objects),
    }
}

fn footprints(call: &Call<'_>) -> Translation {
    let args: FootprintArgs = call.args()?;
    let Some(desc) = args.pResourceDesc else { return Ok(Translated::NotPlayed) };
    Ok(Translated::Line(LogCall::GetCopyableFootprints(Box::new(FootprintQuery {
        desc: desc.desc(),
        first_subresource: args.FirstSubresource,
        num_subresources: args.NumSubresources,
        base_offset_bytes: args.BaseOffset,
        total_bytes: args.pTotalBytes,
    }))))
}

fn map(call: &Call<'_>, objects: &Objects) -> Translation {
    if objects.get(call.handle).is_some_and(|object| object.kind == Kind::BackBuffer) {
        return Ok(Translated::NotPlayed);
    }
    let resource = ResourceId(defined!(objects.resource(call.handle)));
    if call.name == "Map" {
        let (args, hr): (MapArgs, _) = (call.args()?, call.result_of::<HResultCode>()?);
        let (subresource, read_range) = (args.Subresource, args.pReadRange.map(|range| range.range()));
        return Ok(Translated::Line(LogCall::Map { resource, subresource, read_range, hr }));
    }
    let args: UnmapArgs = call.args()?;
    let (subresource, written_range) = (args.Subresource, args.pWrittenRange.map(|range| range.range()));
    Ok(Translated::Line(LogCall::Unmap { resource, subresource, written_range }))
}

fn set_name(call: &Call<'_>, objects: &Objects) -> Translation {
    // Names of objects that are not played, as of pipeline states, have nothing to name.
    let Some(object) = objects.id(call.handle, |_| true) else { return Ok(Translated::NotPlayed) };
    let args: SetNameArgs = call.args()?;
    let (object, name) = (ObjectId(object), args.Name.unwrap_or_default());
    Ok(Translated::Line(LogCall::SetName { object, name }))
}

fn release(call: &Call<'_>, objects: &mut Objects) -> Translation {
    if call.result::<u64>()? != 0 || objects.get(call.handle).is_none() {
        return Ok(Translated::Noted);
    }
    let Some(Object { kind, id, .. }) = objects.release(call.handle) else { return Ok(Translated::Noted) };
    let released = match kind {
        Kind::Heap => return Ok(Translated::Line(LogCall::ReleaseHeap { heap: HeapId(id) })),
        Kind::Buffer { .. } | Kind::Texture => {
            return Ok(Translated::Line(LogCall::ReleaseResource { resource: ResourceId(id) }));
        }
        Kind::Queue => SubmissionCall::ReleaseCommandQueue { queue: CommandQueueId(id) },
        Kind::Allocator => SubmissionCall::ReleaseCommandAllocator { allocator: CommandAllocatorId(id) },
        Kind::List => SubmissionCall::ReleaseCommandList { list: CommandListId(id) },
        Kind::Fence => SubmissionCall::ReleaseFence { fence: FenceId(id) },
        Kind::UnusedList { .. } | Kind::SwapChain { .. } | Kind::BackBuffer => return Ok(Translated::Noted),
    };
    Ok(line(released, HResultCode::S_OK, None))
}
