//! Placement rules: alignments, small resources, tiles, footprints and aggregates.

mod aggregate;
mod alignment;
mod footprint;
mod plane;
mod shape;
mod small;
mod surface;
mod texel;
mod tile;

pub use aggregate::Aggregate;
pub use alignment::{
    AlignmentRange, ResourceClass, default_alignment, expanded_alignment, requested_alignments, tight_range,
};
pub use footprint::{footprints, subresource_count};
pub use plane::{plane_count, planes};
pub use shape::Shape;
pub use small::{TileCount, count_tiles, estimate_tiles, is_small};
pub use surface::{Surface, surface};
pub use taut_schemas::{BufferUse, MAX_FLOOR_BYTES, floor_bytes};
pub use texel::is_clearable;
pub(crate) use texel::{texel, texel_of_words};
pub use tile::{tile_shape, tiles_of};

/// D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT (d3d12.h), and the page size of VidMm.
pub const KIB_4: u64 = 4 << 10;
/// D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT and D3D12_SMALL_MSAA_RESOURCE_PLACEMENT_ALIGNMENT (d3d12.h).
pub const KIB_64: u64 = 64 << 10;
/// D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT (d3d12.h).
pub const MIB_4: u64 = 4 << 20;
/// D3D12_TIGHT_ALIGNMENT_MIN_PLACED_RESOURCE_ALIGNMENT (d3d12.h).
pub const TIGHT_MIN_PLACED: u64 = 8;
/// D3D12_TIGHT_ALIGNMENT_MIN_COMMITTED_RESOURCE_ALIGNMENT (d3d12.h).
pub const TIGHT_MIN_COMMITTED: u64 = 4096;
/// Maximum alignment of a placed tight buffer (rule A-11).
pub const TIGHT_MAX_BUFFER: u64 = 256;
