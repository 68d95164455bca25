//! Heaps and resources.

use super::child::child;
use super::hold::DeviceHold;
use super::private_data::PrivateData;
use crate::interfaces::{ID3D12Heap, ID3D12Pageable, ID3D12Resource};
use crate::unsafe_abi::{
    CopyBox, HeapDesc, HeapProperties, Hresult, In, Interface, Out, OutPointer, Pitches, Range, ResourceDesc,
};
use crate::views::Viewed;
use crate::{convert, convert_list};
use taut_capture::Execute;
use taut_schemas::format::Format;
use taut_schemas::{Call, HResult, HResultCode, HeapFlags, HeapId, MemoryRange, ResourceId, d3d12};

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
    pub format: Format,
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
    /// The resource that a call creates.
    ///
    /// # Errors
    /// As the call.
    pub fn created<C: Execute + Call<Output = HResult<ResourceId>>>(
        device: &'static DeviceHold,
        create: C,
        format: u32,
        heap: Option<(HeapProperties, HeapFlags)>,
    ) -> HResult<Resource> {
        let id = device.world.call(create)?;
        Ok(Resource { device, data: PrivateData::default(), id, heap, format: Format(format) })
    }

    /// A resource that a view names, which may be NULL; `None` for another object.
    pub fn viewed(resource: Interface) -> Option<Viewed> {
        match resource.class::<Resource>() {
            Some(resource) => Some(Viewed { id: resource.id, format: resource.format }),
            None => resource.is_null().then(Viewed::default),
        }
    }

    /// Description of a reserved resource, by a call of GetDesc; `None` for another object.
    pub fn reserved_desc(resource: Interface) -> Option<taut_schemas::ResourceDesc> {
        let resource = resource.class::<Resource>().filter(|resource| resource.heap.is_none())?;
        resource.device.world.call(d3d12::GetDesc { resource: resource.id }).ok()
    }

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
                let written_range = Some(MemoryRange::default());
                world.unmap(d3d12::Unmap { resource: self.id, subresource, written_range })?;
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

    fn write_to_subresource(
        &self,
        subresource: u32,
        dst_box: In<CopyBox>,
        data: In<u8>,
        row_pitch_bytes: u32,
        depth_pitch_bytes: u32,
    ) -> Hresult {
        if data.is_null() {
            return HResultCode::E_INVALIDARG.into();
        }
        let (world, dst_box) = (self.device.world, dst_box.get().map(convert_list::copy_box));
        let write =
            d3d12::WriteToSubresource { resource: self.id, subresource, dst_box, row_pitch_bytes, depth_pitch_bytes };
        let written = world.access(write);
        if let Ok(Some((rows, extent))) = written {
            world.window.write_rows(rows, &extent, data, Pitches { row: row_pitch_bytes, depth: depth_pitch_bytes });
        }
        written.map(drop).into()
    }

    fn read_from_subresource(
        &self,
        data: Out<u8>,
        row_pitch_bytes: u32,
        depth_pitch_bytes: u32,
        subresource: u32,
        src_box: In<CopyBox>,
    ) -> Hresult {
        if data.is_null() {
            return HResultCode::E_INVALIDARG.into();
        }
        let (world, src_box) = (self.device.world, src_box.get().map(convert_list::copy_box));
        let read =
            d3d12::ReadFromSubresource { resource: self.id, subresource, src_box, row_pitch_bytes, depth_pitch_bytes };
        let found = world.access(read);
        if let Ok(Some((rows, extent))) = found {
            world.window.read_rows(rows, &extent, data, Pitches { row: row_pitch_bytes, depth: depth_pitch_bytes });
        }
        found.map(drop).into()
    }
}
