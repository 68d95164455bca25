//! Descriptor heaps, and descriptors that no rule applies to. The addresses of descriptors are results of the runtime;
//! nothing is stored there.

use super::pipeline_object::insert;
use crate::context::{Context, no_such_object};
use crate::revision::Revision;
use crate::state::{DESCRIPTOR_BYTES, DescriptorHeap, DeviceState, Object, ObjectKind, Objects};
use taut_schemas::{
    CpuDescriptorHandle, DescriptorHeapDesc, DescriptorHeapFlags, DescriptorHeapId, DescriptorHeapType,
    GpuDescriptorHandle, HResult, HResultCode, ObjectId, ResourceId, d3d12, d3d12_ddi,
};

/// ID3D12Device::CreateDescriptorHeap.
pub(crate) fn create_descriptor_heap(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateDescriptorHeap,
) -> HResult<DescriptorHeapId> {
    device.open(context, call.device)?;
    let DescriptorHeapDesc { heap_type, flags, .. } = call.desc;
    let refused = |context: &mut Context<'_>, text: std::fmt::Arguments<'_>| {
        context.refuse(HResultCode::E_INVALIDARG, ObjectId::NULL, text)
    };
    if !DescriptorHeapType::NAMES.iter().any(|(known, _)| *known == heap_type.0) {
        return refused(context, format_args!("There is no descriptor heap type {}.", heap_type.0));
    }
    if call.desc.num_descriptors == 0 {
        return refused(context, format_args!("A descriptor heap has one descriptor or more."));
    }
    let is_of_views = matches!(heap_type, DescriptorHeapType::RTV | DescriptorHeapType::DSV);
    if is_of_views && flags.contains(DescriptorHeapFlags::SHADER_VISIBLE) {
        return refused(context, format_args!("A descriptor heap of type {heap_type:?} is not visible to shaders."));
    }
    let size_bytes = descriptor_bytes(context, heap_type);
    let Some(address) = device.take_descriptors(call.desc.num_descriptors, size_bytes) else {
        return context.refuse(
            HResultCode::E_OUTOFMEMORY,
            ObjectId::NULL,
            format_args!("No descriptor address is free."),
        );
    };
    let heap = DescriptorHeap { desc: call.desc, address };
    Ok(DescriptorHeapId(insert(device, objects, ObjectKind::DescriptorHeap(heap)).0))
}

/// IUnknown::Release of a descriptor heap's last reference.
pub(crate) fn release_descriptor_heap(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::ReleaseDescriptorHeap,
) -> HResult<()> {
    heap(context, objects, call.descriptor_heap)?;
    objects.remove(call.descriptor_heap.into());
    Ok(())
}

/// ID3D12DescriptorHeap::GetDesc.
pub(crate) fn get_descriptor_heap_desc(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::GetDescriptorHeapDesc,
) -> HResult<DescriptorHeapDesc> {
    heap(context, objects, call.descriptor_heap).map(|heap| heap.desc)
}

/// ID3D12DescriptorHeap::GetCPUDescriptorHandleForHeapStart.
pub(crate) fn get_cpu_descriptor_handle_for_heap_start(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::GetCPUDescriptorHandleForHeapStart,
) -> HResult<CpuDescriptorHandle> {
    heap(context, objects, call.descriptor_heap).map(|heap| heap.address)
}

/// ID3D12DescriptorHeap::GetGPUDescriptorHandleForHeapStart: the same number as for the processor.
pub(crate) fn get_gpu_descriptor_handle_for_heap_start(
    context: &mut Context<'_>,
    objects: &mut dyn Objects,
    call: &d3d12::GetGPUDescriptorHandleForHeapStart,
) -> HResult<GpuDescriptorHandle> {
    let heap = heap(context, objects, call.descriptor_heap)?;
    let is_visible = heap.desc.flags.contains(DescriptorHeapFlags::SHADER_VISIBLE);
    Ok(if is_visible { GpuDescriptorHandle(heap.address.0) } else { GpuDescriptorHandle::default() })
}

/// ID3D12Device::GetDescriptorHandleIncrementSize.
pub(crate) fn get_descriptor_handle_increment_size(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    call: &d3d12::GetDescriptorHandleIncrementSize,
) -> HResult<u64> {
    device.open(context, call.device)?;
    let is_known = DescriptorHeapType::NAMES.iter().any(|(known, _)| *known == call.heap_type.0);
    Ok(if is_known { descriptor_bytes(context, call.heap_type) } else { 0 })
}

/// Size of descriptors of a known heap type, as the driver answers.
fn descriptor_bytes(context: &mut Context<'_>, heap_type: DescriptorHeapType) -> u64 {
    if context.settings.revision < Revision::COMMAND_BOUNDS {
        return DESCRIPTOR_BYTES;
    }
    context.ddi(d3d12_ddi::GetDescriptorSizeInBytes { heap_type }).into()
}

fn heap(context: &mut Context<'_>, objects: &mut dyn Objects, id: DescriptorHeapId) -> HResult<DescriptorHeap> {
    match objects.get(id.into()).map(|object: &Object| &object.kind) {
        Some(ObjectKind::DescriptorHeap(heap)) => Ok(*heap),
        _ => no_such_object(context, "descriptor heap", id.into()),
    }
}

/// ID3D12Device::CreateDepthStencilView.
pub(crate) fn create_depth_stencil_view(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d12::CreateDepthStencilView,
) -> HResult<()> {
    device.open(context, call.device)?;
    if call.resource == ResourceId::NULL {
        return Ok(());
    }
    super::query::resource(context, objects, call.resource).map(|_| ())
}

macro_rules! recorded {
    ($( $function:ident $Call:ident; )*) => { $(
        #[doc = concat!("ID3D12Device::", stringify!($Call), ".")]
        pub(crate) fn $function(
            context: &mut Context<'_>,
            device: &mut DeviceState,
            call: &d3d12::$Call,
        ) -> HResult<()> {
            device.open(context, call.device).map(|_| ())
        }
    )* };
}

recorded! {
    create_sampler CreateSampler;
    copy_descriptors CopyDescriptors;
    copy_descriptors_simple CopyDescriptorsSimple;
}
