//! Effects of list commands on memory: copies, clears, resolves, writes and query results, as plain values for the GPU's
//! thread.

mod clears;
mod copies;
mod immediate;
mod queries;
mod region;
mod tiles;

pub(super) use clears::{
    clear_depth_stencil_view, clear_render_target_view, clear_unordered_access_view_float,
    clear_unordered_access_view_uint,
};
pub(super) use copies::{
    atomic_copy_buffer_uint, atomic_copy_buffer_uint64, copy_buffer_region, copy_resource, copy_texture_region,
    resolve_subresource, resolve_subresource_region,
};
pub(super) use immediate::{execute_bundle, write_buffer_immediate};
pub(super) use queries::{end_query, resolve_query_data};
pub(crate) use region::region_for_copy;
pub(super) use region::region_of;
pub(super) use tiles::copy_tiles;

use crate::memory::effect::MemoryEffect;

/// Effects of a command, or the reason for none.
pub(super) type Effects = Result<Vec<MemoryEffect>, NoEffect>;

/// Reason of a command without an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoEffect {
    /// The command is not executed: a resource has no memory, or the simulation does not have the format.
    NotExecuted,
    /// The command is invalid; the debug layer reports this.
    Refused(&'static str),
}

/// Side of a copy that lies beyond its resource.
const DST_BEYOND: NoEffect = NoEffect::Refused("the destination is not within its resource");
const SRC_BEYOND: NoEffect = NoEffect::Refused("the source is not within its resource");
/// A texture in place of a buffer.
const NO_BUFFER: NoEffect = NoEffect::Refused("a texture is not a buffer");
