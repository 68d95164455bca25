//! Methods of devices that ID3D12Device1, 2 and 3 added.

use super::creation::{created, refused};
use super::device::Device;
use super::fence::{Fence, FenceWait};
use super::memory::{Heap, Resource};
use super::pipeline_object::{DescriptorHeap, PipelineState, QueryHeap, RootSignature};
use super::pipeline_stream;
use super::private_data::PrivateData;
use crate::convert_list;
use crate::interfaces::{ID3D12Device1, ID3D12Device2, ID3D12Device3};
use crate::unsafe_abi::{EventFd, Guid, Hresult, In, Interface, OutPointer, PipelineStreamDesc};
use taut_schemas::{HResultCode, ObjectId, OpaqueStage, d3d12};

/// D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY.
const ANY: u32 = 1;

impl Device {
    /// Ids of pageable objects; `None` for other interfaces.
    pub(super) fn pageable(count: u32, objects: In<Interface>) -> Option<Vec<ObjectId>> {
        fn id(object: &Interface) -> Option<ObjectId> {
            let heap = object.class::<Heap>().map(|heap| heap.id.into());
            let resource = || object.class::<Resource>().map(|resource| resource.id.into());
            let descriptors = || object.class::<DescriptorHeap>().map(|heap| heap.id.into());
            let queries = || object.class::<QueryHeap>().map(|heap| heap.id.into());
            heap.or_else(resource).or_else(descriptors).or_else(queries)
        }
        objects.list(count as usize)?.iter().map(id).collect()
    }
}

impl ID3D12Device1 for Device {
    fn create_pipeline_library(&self, _: In<u8>, _: usize, _: In<Guid>, out: OutPointer) -> Hresult {
        // D3D12_SHADER_CACHE_SUPPORT_FLAGS has no D3D12_SHADER_CACHE_SUPPORT_LIBRARY.
        out.clear();
        HResultCode::DXGI_ERROR_UNSUPPORTED.into()
    }

    fn set_event_on_multiple_fence_completion(
        &self,
        fences: In<Interface>,
        values: In<u64>,
        count: u32,
        flags: u32,
        event: EventFd,
    ) -> Hresult {
        let lists = (fences.list(count as usize), values.list(count as usize));
        let ((Some(fences), Some(values)), 1.., ..=ANY) = (lists, count, flags) else {
            return HResultCode::E_INVALIDARG.into();
        };
        let ids = fences.iter().map(|fence| fence.class::<Fence>().map(|fence| fence.id));
        let Some(ids) = ids.collect::<Option<Vec<_>>>() else { return HResultCode::E_INVALIDARG.into() };
        let points: Vec<_> = ids.into_iter().zip(values).collect();
        FenceWait { world: self.hold.world, points: &points, any: flags == ANY }.begin(event).into()
    }

    fn set_residency_priority(&self, count: u32, objects: In<Interface>, priorities: In<u32>) -> Hresult {
        let (Some(objects), Some(priorities)) = (Device::pageable(count, objects), priorities.list(count as usize))
        else {
            return HResultCode::E_INVALIDARG.into();
        };
        self.hold.world.call(d3d12::SetResidencyPriority { device: self.hold.id, objects, priorities }).into()
    }
}

impl ID3D12Device2 for Device {
    fn create_pipeline_state(&self, desc: In<PipelineStreamDesc>, id: In<Guid>, out: OutPointer) -> Hresult {
        let Some(stream) = desc.get().and_then(pipeline_stream::read) else { return refused(out) };
        let Some(root_signature) = RootSignature::optional(stream.root_signature) else { return refused(out) };
        let is_compute = stream.shaders.iter().any(|(stage, _)| *stage == OpaqueStage::COMPUTE);
        created(self.hold, id, out, || {
            let (device, world) = (self.hold.id, self.hold.world);
            let shaders =
                stream.shaders.iter().filter_map(|(stage, code)| convert_list::shader(*stage, *code)).collect();
            let id = if is_compute {
                world.call(d3d12::CreateOpaqueComputePipelineState { device, root_signature, shaders })?
            } else {
                world.call(d3d12::CreateOpaqueGraphicsPipelineState { device, root_signature, shaders })?
            };
            Ok(PipelineState { device: self.hold, data: PrivateData::default(), id })
        })
    }
}

impl ID3D12Device3 for Device {
    fn open_existing_heap_from_address(&self, _: In<u8>, _: In<Guid>, out: OutPointer) -> Hresult {
        // D3D12_FEATURE_DATA_EXISTING_HEAPS::Supported is FALSE.
        out.clear();
        HResultCode::DXGI_ERROR_UNSUPPORTED.into()
    }

    fn open_existing_heap_from_file_mapping(&self, _: EventFd, _: In<Guid>, out: OutPointer) -> Hresult {
        out.clear();
        HResultCode::DXGI_ERROR_UNSUPPORTED.into()
    }

    fn enqueue_make_resident(
        &self,
        _: u32,
        count: u32,
        objects: In<Interface>,
        fence: Interface,
        value: u64,
    ) -> Hresult {
        let (Some(fence), Some(objects)) = (fence.class::<Fence>(), Device::pageable(count, objects)) else {
            return HResultCode::E_INVALIDARG.into();
        };
        let resident = self.hold.world.call(d3d12::MakeResident { device: self.hold.id, objects });
        // All memory is always resident, so the fence has the value at once.
        let signal = || self.hold.world.call(d3d12::SignalFence { fence: fence.id, value });
        resident.and_then(|()| signal()).into()
    }
}
