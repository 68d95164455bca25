//! Classes of the objects that clients get.

mod blob;
mod child;
mod command_allocator;
mod command_list;
mod command_queue;
mod creation;
mod device;
mod dxcore;
mod dxgi;
mod features;
mod fence;
mod footprints;
mod format_support;
mod hold;
mod later_devices;
mod later_lists;
mod list_arguments;
mod memory;
mod pipeline_object;
mod pipeline_stream;
mod private_data;
#[cfg(test)]
mod reference_tests;
mod tiling;

pub use blob::Blob;
pub use device::Device;
pub use dxcore::{Adapter, AdapterFactory};
pub use dxgi::{DxgiAdapter, DxgiFactory};
pub use features::check_minimum;
