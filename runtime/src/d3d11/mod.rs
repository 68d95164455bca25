//! The part of Direct3D 11 that the instant-access extension and handles per context need: one function per call of its
//! list.
//!
//! Rules T-04 to T-06: Init comes before any other call of the extension; SetDirectAccessResourceExtension marks the
//! next creation; CopyResource of the two textures created so binds them; the staging texture has no memory of its own,
//! and Map of it returns the memory of the other. Messages have no id: d3d11sdklayers.h has a numbering of its own.

mod access_log;
mod bound;
mod buffer;
mod callbacks;
mod command_list;
pub(crate) mod context_ref;
pub(crate) mod context_state;
pub(crate) mod context_table;
mod copy;
mod create;
mod deferred_context;
mod device;
pub(crate) mod device_facts;
mod draw;
pub(crate) mod effect;
mod emit;
mod execute_deferred;
mod extension;
mod flush;
mod gpu_wait;
mod handle;
mod hazards;
mod held;
mod immediate;
mod implicit_locks;
mod map;
mod map_by_handle;
mod memory;
mod object;
mod open;
mod pipeline;
mod query;
mod release;
mod removal;
mod shader;
mod state_object;
mod state_swap;
mod table;
mod texture;
mod unpin;
mod view;
mod violation;
mod work;

pub(crate) use bound::*;
pub(crate) use buffer::*;
pub(crate) use command_list::*;
pub(crate) use copy::*;
pub(crate) use deferred_context::create_deferred_context;
pub(crate) use device::*;
pub(crate) use draw::*;
pub(crate) use extension::*;
pub(crate) use flush::*;
pub(crate) use immediate::*;
pub use implicit_locks::implicit_locks;
pub(crate) use map::*;
pub(crate) use open::{device as open_device, find as find_object};
pub(crate) use pipeline::*;
pub(crate) use query::*;
pub(crate) use release::*;
pub(crate) use removal::{get_device_removed_reason, mark_objects_removed, remove_device};
pub(crate) use shader::*;
pub(crate) use state_object::*;
pub(crate) use state_swap::*;
pub(crate) use texture::*;
pub(crate) use view::*;
pub(crate) use work::*;
