//! Heaps and resources.

use super::child::child;
use super::hold::DeviceHold;
use super::private_data::PrivateData;
use crate::convert;
use crate::interfaces::{ID3D12Heap, ID3D12Pageable, ID3D12Resource, ID3D12ResourceTable};
use crate::unsafe_abi::{CopyBox, HeapDesc, HeapProperties, Hresult, In, Out, OutPointer, Range, ResourceDesc};
use taut_schemas::{HResult, HResultCode, HeapFlags, HeapId, ResourceId, d3d12};

/// ID3D12Heap.
pub struct Heap {
    pub device: &'static DeviceHold,
    pub data: PrivateData,
    pub id: HeapId,
    /// Description from the creation.
    pub desc: HeapDesc,
}

child!(Heap: ID3D12HeapTable of [ID3D12Pageable, ID3D12Heap], object |heap| heap.id.into(), release |heap| {
    let _ = heap.device.world.call(d3d12::ReleaseHeap { heap: heap.id });
});

impl ID3D12Pageable for Heap {}

impl ID3D12Heap for Heap {
    fn get_desc(&self) -> HeapDesc {
        let desc = self.device.world.call(d3d12::GetHeapDesc { heap: self.id });
        desc.map(convert::header_heap_desc).unwrap_or_default()
    }
}

/// ID3D12Resource.
pub struct Resource {
    pub device: &'static DeviceHold,
    pub data: PrivateData,
    pub id: ResourceId,
    /// Properties and flags of the resource's heap; `None` for a reserved resource.
    pub heap: Option<(HeapProperties, HeapFlags)>,
}

child!(
    Resource: ID3D12ResourceTable of [ID3D12Pageable, ID3D12Resource],
    object |resource| resource.id.into(),
    release |resource| {
        let _ = resource.device.world.call(d3d12::ReleaseResource { resource: resource.id });
    }
);

impl ID3D12Pageable for Resource {}

impl Resource {
    fn mapped(&self, map: d3d12::Map, out: OutPointer) -> HResult<()> {
        let (world, subresource) = (self.device.world, map.subresource);
        let range = world.map(map)?;
        if out.is_null() {
            return Ok(());
        }
        // A texture whose bytes are not in rows has no address, and is mapped without an output.
        let pointer = if range.size_bytes == 0 { Err(HResultCode::E_INVALIDARG) } else { Ok(range) };
        let pointer = pointer.and_then(|range| world.window.pointer(range).ok_or(HResultCode::E_OUTOFMEMORY));
        match pointer {
            Ok(pointer) => {
                out.set(pointer);
                Ok(())
            }
            Err(code) => {
                world.unmap(d3d12::Unmap { resource: self.id, subresource, written_range: None })?;
                Err(code)
            }
        }
    }
}

impl ID3D12Resource for Resource {
    fn map(&self, subresource: u32, read_range: In<Range>, data: OutPointer) -> Hresult {
        data.clear();
        let read_range = read_range.get().map(convert::memory_range);
        self.mapped(d3d12::Map { resource: self.id, subresource, read_range }, data).into()
    }

    fn unmap(&self, subresource: u32, written_range: In<Range>) {
        let written_range = written_range.get().map(convert::memory_range);
        // The method returns nothing; an error is in the trace.
        let _ = self.device.world.unmap(d3d12::Unmap { resource: self.id, subresource, written_range });
    }

    fn get_desc(&self) -> ResourceDesc {
        let desc = self.device.world.call(d3d12::GetDesc { resource: self.id });
        desc.map(convert::header_resource_desc).unwrap_or_default()
    }

    fn get_gpu_virtual_address(&self) -> u64 {
        let address = self.device.world.call(d3d12::GetGPUVirtualAddress { resource: self.id });
        address.map_or(0, |address| address.0)
    }

    fn get_heap_properties(&self, properties: Out<HeapProperties>, flags: Out<u32>) -> Hresult {
        // Reserved resources have no heap.
        let Some((heap_properties, heap_flags)) = self.heap else { return HResultCode::E_INVALIDARG.into() };
        properties.set(heap_properties);
        flags.set(heap_flags.0);
        HResultCode::S_OK.into()
    }

    fn write_to_subresource(&self, _: u32, _: In<CopyBox>, _: In<u8>, _: u32, _: u32) -> Hresult {
        ID3D12ResourceTable::write_to_subresource().refuse()
    }

    fn read_from_subresource(&self, _: Out<u8>, _: u32, _: u32, _: u32, _: In<CopyBox>) -> Hresult {
        ID3D12ResourceTable::read_from_subresource().refuse()
    }
}
