//! Direct3D 11, as far as the instant-access extension needs it: one function per call of its list.
//!
//! Rules T-04 to T-06: Init comes before any other call of the extension; SetDirectAccessResourceExtension marks the next
//! creation; CopyResource of the two textures created so binds them; the staging texture has no memory of its own, and
//! Map of it leads to the memory of the other. Messages have no id: d3d11sdklayers.h has a numbering of its own.

mod buffer;
mod copy;
mod create;
mod device;
mod extension;
mod map;
mod memory;
mod open;
mod release;
pub(crate) mod state;
mod texture;
mod work;

pub(crate) use buffer::create_buffer;
pub(crate) use copy::d3d11_copy_resource;
pub(crate) use device::d3d11_create_device;
pub(crate) use extension::{init_extensions, set_direct_access_resource_extension};
pub(crate) use map::{d3d11_map, d3d11_unmap};
pub(crate) use release::{d3d11_release_device, d3d11_release_resource};
pub(crate) use texture::create_texture2d;
pub(crate) use work::gpu_work_completed;
