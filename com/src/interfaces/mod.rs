//! List of the interfaces: slots and signatures of the methods. Written by tools/interfaces.py.

mod blob;
mod command_list;
mod command_queue;
mod define;
mod device;
mod dxcore;
mod dxgi;
mod object;
mod pipeline;
mod resource;

pub use blob::*;
pub use command_list::*;
pub use command_queue::*;
pub use device::*;
pub use dxcore::*;
pub use dxgi::*;
pub use object::*;
pub use pipeline::*;
pub use resource::*;
