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

pub(crate) use buffer::*;
pub(crate) use copy::*;
pub(crate) use device::*;
pub(crate) use extension::*;
pub(crate) use map::*;
pub(crate) use release::*;
pub(crate) use texture::*;
pub(crate) use work::*;
