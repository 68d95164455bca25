//! CreateHeap and CreateHeap1.

use super::translate;
use super::validation::heap::check_heap;
use crate::context::Context;
use crate::placement::KIB_64;
use crate::state::{DeviceState, HeapRecord, Object, Objects};
use taut_schemas::{DeviceId, HResult, HResultCode, HeapDesc, HeapId, MessageId, ObjectId, d3d12, d3d12_ddi};

/// ID3D12Device::CreateHeap.
pub(crate) fn create_heap(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateHeap,
) -> HResult<HeapId> {
    create(context, device, objects, HeapRequest { device: call.device, desc: &call.desc, protected_session: false })
}

/// ID3D12Device4::CreateHeap1.
pub(crate) fn create_heap1(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateHeap1,
) -> HResult<HeapId> {
    create(
        context,
        device,
        objects,
        HeapRequest { device: call.device, desc: &call.desc, protected_session: call.protected_session },
    )
}

/// Heap that a call creates.
struct HeapRequest<'d> {
    device: DeviceId,
    desc: &'d HeapDesc,
    protected_session: bool,
}

fn create(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    request: HeapRequest<'_>,
) -> HResult<HeapId> {
    let HeapRequest { device: device_id, desc, protected_session } = request;
    let adapter = device.open(context, device_id)?;
    check_heap(context, adapter, desc, protected_session)?;
    // D3D12_HEAP_DESC: 0 means D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT, 64 KiB.
    let resolved =
        HeapDesc { alignment_bytes: if desc.alignment_bytes == 0 { KIB_64 } else { desc.alignment_bytes }, ..*desc };
    let heap_desc = translate::heap(&resolved, &adapter.caps);
    let Some(address) = device.memory.allocate(resolved.size_bytes, resolved.alignment_bytes) else {
        let size = resolved.size_bytes;
        let text = format_args!("There is no room of {size} bytes in the adapter's address space.");
        context.error(MessageId::CREATEHEAP_OUTOFMEMORY_RETURN, text);
        return Err(HResultCode::E_OUTOFMEMORY);
    };
    let ObjectId(id) = device.next_object();
    let heap = HeapId(id);
    let created =
        context.ddi(d3d12_ddi::CreateHeapAndResource { heap_desc: Some(heap_desc), heap, ..Default::default() });
    if let Err(code) = created {
        device.memory.release(address, resolved.size_bytes);
        return Err(code);
    }
    device.heaps.insert(id, HeapRecord { desc: resolved, address, placed: 0, released: false });
    objects.insert(heap.into(), Object::heap(resolved));
    device.count_object();
    Ok(heap)
}
