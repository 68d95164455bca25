//! Methods of devices that ID3D12Device1, 2 and 3 added.

use super::creation::{created, refused};
use super::device::Device;
use super::fence::Fence;
use super::pipeline_object::PipelineState;
use crate::interfaces::{ID3D12Device1, ID3D12Device2, ID3D12Device2Table, ID3D12Device3};
use crate::unsafe_abi::{Guid, Hresult, In, Interface, Opaque, OutPointer};
use taut_schemas::{HResultCode, d3d12};

impl ID3D12Device1 for Device {
    fn set_residency_priority(&self, count: u32, objects: In<Interface>, priorities: In<u32>) -> Hresult {
        let (Some(objects), Some(priorities)) = (Device::pageable(count, objects), priorities.list(count as usize))
        else {
            return HResultCode::E_INVALIDARG.into();
        };
        self.hold.world.call(d3d12::SetResidencyPriority { device: self.hold.id, objects, priorities }).into()
    }
}

impl ID3D12Device2 for Device {
    fn create_pipeline_state(&self, desc: Opaque, id: In<Guid>, out: OutPointer) -> Hresult {
        // The subobjects of the stream are not read: the pipeline state has no shaders.
        ID3D12Device2Table::create_pipeline_state().count();
        if desc.is_null() {
            return refused(out);
        }
        created(self.hold, id, out, || {
            let device = self.hold.id;
            let create = d3d12::CreateOpaqueGraphicsPipelineState { device, ..Default::default() };
            self.hold.world.call(create).map(|id| PipelineState { device: self.hold, id })
        })
    }
}

impl ID3D12Device3 for Device {
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
