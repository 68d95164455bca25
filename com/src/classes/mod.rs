//! Classes of the objects that clients get.

mod blob;
mod child;
mod command_allocator;
mod command_list;
mod command_queue;
mod creation;
mod device;
mod dxcore;
mod features;
mod fence;
mod format_support;
mod hold;
mod memory;
mod stand_in;

pub use blob::Blob;
pub use device::Device;
pub use dxcore::{Adapter, AdapterFactory};
pub use features::check_minimum;
