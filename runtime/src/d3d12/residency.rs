//! Residency, and properties of heaps. All memory of the simulation is always resident.

use crate::context::{Context, no_such_object};
use crate::state::{DeviceState, Objects};
use taut_schemas::{CpuPageProperty, HResult, HResultCode, HeapProperties, HeapType, MemoryPool, ObjectId, d3d12};

macro_rules! resident {
    ($( $(#[$doc:meta])+ $function:ident $Call:ident; )*) => { $(
        $(#[$doc])+
        pub(crate) fn $function(
            context: &mut Context<'_>,
            device: &mut DeviceState,
            objects: &mut dyn Objects,
            call: &d3d12::$Call,
        ) -> HResult<()> {
            device.open(context, call.device)?;
            match call.objects.iter().find(|object| objects.get(**object).is_none()) {
                Some(missing) => no_such_object(context, "object", *missing),
                None => Ok(()),
            }
        }
    )* };
}

resident! {
    /// ID3D12Device::MakeResident.
    make_resident MakeResident;
    /// ID3D12Device::Evict.
    evict Evict;
    /// ID3D12Device1::SetResidencyPriority.
    set_residency_priority SetResidencyPriority;
}

/// ID3D12Device::GetCustomHeapProperties.
pub(crate) fn get_custom_heap_properties(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    call: &d3d12::GetCustomHeapProperties,
) -> HResult<HeapProperties> {
    let caps = &device.open(context, call.device)?.caps;
    let cpu_page_property = match call.heap_type {
        HeapType::DEFAULT => CpuPageProperty::NOT_AVAILABLE,
        HeapType::UPLOAD if !caps.cache_coherent_uma => CpuPageProperty::WRITE_COMBINE,
        HeapType::UPLOAD | HeapType::READBACK => CpuPageProperty::WRITE_BACK,
        other => {
            let text = format_args!("Heap type {} has no equal custom heap.", other.0);
            return context.refuse(HResultCode::E_INVALIDARG, ObjectId::NULL, text);
        }
    };
    let is_local = !caps.uma && call.heap_type == HeapType::DEFAULT;
    Ok(HeapProperties {
        heap_type: HeapType::CUSTOM,
        cpu_page_property,
        memory_pool: if is_local { MemoryPool::L1 } else { MemoryPool::L0 },
        creation_node_mask: 1,
        visible_node_mask: 1,
    })
}
