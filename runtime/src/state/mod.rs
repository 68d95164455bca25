//! State of devices and objects, on which the calls of every interface work.

mod bindings;
mod blend_binding;
mod command_list;
mod contents;
mod d3d11_device;
mod d3d11_object;
mod deferred_command;
mod device;
mod ic_handle;
mod objects;
mod pipeline_state;
mod state_desc;
mod work;

pub(crate) use bindings::Bindings;
pub(crate) use blend_binding::BlendBinding;
pub(crate) use command_list::CommandList;
pub(crate) use contents::Contents;
pub(crate) use d3d11_device::{D3d11State, DeviceFacts, ListRecord};
pub(crate) use d3d11_object::*;
pub(crate) use deferred_command::DeferredCommand;
pub use device::Adapter;
pub use device::DeviceState;
pub(crate) use device::{DESCRIPTOR_BYTES, HeapRecord};
pub(crate) use ic_handle::IcHandle;
pub(crate) use objects::{Creation, DescriptorHeap, ObjectKind, ResourcePlacement, ResourceState};
pub use objects::{Object, ObjectTable, Objects};
pub(crate) use pipeline_state::PipelineState;
pub(crate) use state_desc::StateDesc;
pub use work::Content;
pub(crate) use work::{ContextWork, DrawEffect, ListWork};
