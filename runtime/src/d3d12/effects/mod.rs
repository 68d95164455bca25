//! Effects of list commands on memory: copies, clears, resolves and query results, as plain values for the GPU's thread. A
//! command whose bytes are not within its resources has none; the debug layer would report it.

mod clears;
mod copies;
mod queries;
mod region;

pub(super) use clears::{
    clear_depth_stencil_view, clear_render_target_view, clear_unordered_access_view_float,
    clear_unordered_access_view_uint,
};
pub(super) use copies::{copy_buffer_region, copy_resource, copy_texture_region, resolve_subresource};
pub(super) use queries::{end_query, resolve_query_data};
pub(crate) use region::region_for_copy;
pub(super) use region::region_of;
