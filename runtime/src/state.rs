//! What there is: the device, the objects and what each remembers. The calls of every interface work on it.

mod bindings;
mod command_list;
mod contents;
mod d3d11_device;
mod d3d11_object;
mod device;
mod ic_handle;
mod objects;
mod pipeline_state;
mod state_desc;
mod token;
mod work;

pub(crate) use bindings::{Bindings, BlendBinding};
pub(crate) use command_list::CommandList;
pub(crate) use contents::Contents;
pub(crate) use d3d11_device::{D3d11State, DeviceFacts, ListRecord};
pub(crate) use d3d11_object::*;
pub use device::DeviceState;
pub(crate) use device::{Adapter, HeapRecord};
pub(crate) use ic_handle::IcHandle;
pub(crate) use objects::{Creation, Home, ObjectKind, ResourceState};
pub use objects::{Object, ObjectTable, Objects};
pub(crate) use pipeline_state::PipelineState;
pub(crate) use state_desc::StateDesc;
pub(crate) use token::{Recording, Token};
pub(crate) use work::{Content, DrawEffect, ListWork, Work};
