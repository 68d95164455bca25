//! Command lists.
//!
//! Only Reset and Close are calls of the runtime: the commands of the schema lists need shaders of the project's form,
//! which no client has. All commands are counted as unsupported.

use super::child::child;
use super::command_allocator::CommandAllocator;
use super::hold::DeviceHold;
use crate::interfaces::{ID3D12CommandList, ID3D12CommandListTable, ID3D12GraphicsCommandList};
use crate::unsafe_abi::{Hresult, Interface};
use taut_schemas::{CommandListId, CommandListType, HResultCode, PipelineStateId, d3d12};

/// ID3D12GraphicsCommandList.
pub struct CommandList {
    pub device: &'static DeviceHold,
    pub id: CommandListId,
    pub list_type: CommandListType,
}

child!(
    CommandList: ID3D12GraphicsCommandListTable of [ID3D12CommandList, ID3D12GraphicsCommandList],
    object |list| list.id.into(),
    release |list| {
        let _ = list.device.world.call(d3d12::ReleaseCommandList { command_list: list.id });
    }
);

impl ID3D12CommandList for CommandList {
    fn get_type(&self) -> u32 {
        ID3D12CommandListTable::get_type().count();
        self.list_type.0
    }
}

impl ID3D12GraphicsCommandList for CommandList {
    fn close(&self) -> Hresult {
        self.device.world.call(d3d12::CloseCommandList { command_list: self.id }).into()
    }

    fn reset(&self, allocator: Interface, _: Interface) -> Hresult {
        let Some(allocator) = allocator.class::<CommandAllocator>() else { return HResultCode::E_INVALIDARG.into() };
        let reset = d3d12::ResetCommandList {
            command_list: self.id,
            command_allocator: allocator.id,
            // Pipeline states of clients are no objects of the runtime.
            initial_state: PipelineStateId::NULL,
        };
        self.device.world.call(reset).into()
    }
}
