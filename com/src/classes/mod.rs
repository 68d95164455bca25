//! Classes of the objects that clients get.

mod blob;
mod child;
mod command_list;
mod command_queue;
mod creation;
mod device;
mod devices;
mod dxcore;
mod features;
mod fence;
mod format_support;
mod memory;
mod stand_in;

pub use blob::Blob;
pub use devices::Devices;
pub use dxcore::{Adapter, AdapterFactory};
