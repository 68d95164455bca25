//! Effects of CopyTiles.

use super::region::{buffer_bytes, memory_of};
use super::{DST_BEYOND, Effects, NoEffect, SRC_BEYOND};
use crate::memory::effect::{Extent, MemoryEffect, Rows, Texel};
use crate::placement::{KIB_64, Shape, tile_shape};
use crate::state::{Object, Objects, ResourcePlacement, ResourceState};
use taut_schemas::{Dimension, TileRegionSize, TiledCoordinate, d3d12};

/// D3D12_TILE_COPY_FLAG_LINEAR_BUFFER_TO_SWIZZLED_TILED_RESOURCE and
/// D3D12_TILE_COPY_FLAG_SWIZZLED_TILED_RESOURCE_TO_LINEAR_BUFFER.
const TO_TILES: u32 = 2;
const TO_BUFFER: u32 = 4;

/// Tiles of a subresource in each dimension; `None` if the format has no tiles.
fn tiles_of(resource: &ResourceState, subresource: u32) -> Option<[u64; 3]> {
    if resource.desc.dimension == Dimension::BUFFER {
        return Some([resource.desc.width.div_ceil(KIB_64), 1, 1]);
    }
    let shape = Shape::from(&resource.desc);
    let info = shape.format.info()?;
    let (tile_width, tile_height, tile_depth) =
        tile_shape(info.unit_bits, shape.dimension, shape.sample_count, KIB_64)?;
    let level = subresource % u32::from(shape.mip_levels.max(1));
    let (width, height, depth) = shape.mip_extents(level as u16);
    let units = width.div_ceil(info.unit_texels.0.into());
    let rows = height.div_ceil(info.unit_texels.1.into());
    Some([units.div_ceil(tile_width), rows.div_ceil(tile_height), depth.div_ceil(tile_depth)])
}

/// True if the resource has the tiles of a region. Those of a region without a box follow one another, through the
/// subresources.
fn has_tiles(resource: &ResourceState, start: &TiledCoordinate, size: &TileRegionSize) -> Option<bool> {
    if start.subresource >= resource.subresources {
        return Some(false);
    }
    let [width, height, depth] = tiles_of(resource, start.subresource)?;
    let num_tiles = u64::from(size.num_tiles);
    let [x, y, z] = [start.x, start.y, start.z].map(u64::from);
    if x >= width || y >= height || z >= depth {
        return Some(false);
    }
    if size.use_box {
        let [across, down, deep] = [size.width, size.height.into(), size.depth.into()].map(u64::from);
        let is_in = x + across <= width && y + down <= height && z + deep <= depth;
        return Some(is_in && across.checked_mul(down)?.checked_mul(deep)? == num_tiles);
    }
    let mut left = width * height * depth - ((z * height + y) * width + x);
    for subresource in start.subresource + 1..resource.subresources {
        if left >= num_tiles {
            break;
        }
        let tiles: u64 = tiles_of(resource, subresource)?.iter().product();
        left = left.saturating_add(tiles);
    }
    Some(left >= num_tiles)
}

/// ID3D12GraphicsCommandList::CopyTiles. No tile is mapped to memory: a buffer receives zeros, and writes of tiles have no
/// effect, as Direct3D documents for tiles that are not mapped.
pub fn copy_tiles(objects: &dyn Objects, call: &d3d12::CopyTiles) -> Effects {
    let tiled = objects.get(call.tiled_resource.into()).and_then(Object::as_resource).ok_or(NoEffect::NotExecuted)?;
    if tiled.home != ResourcePlacement::Reserved {
        return Err(NoEffect::Refused("the tiled resource is not a reserved resource"));
    }
    let is_to_tiles = match call.flags & (TO_TILES | TO_BUFFER) {
        TO_TILES => true,
        TO_BUFFER => false,
        _ => return Err(NoEffect::Refused("the flags name one direction of the copy")),
    };
    let (tiles_beyond, buffer_beyond) = if is_to_tiles { (DST_BEYOND, SRC_BEYOND) } else { (SRC_BEYOND, DST_BEYOND) };
    if !has_tiles(tiled, &call.region_start, &call.region_size).ok_or(NoEffect::NotExecuted)? {
        return Err(tiles_beyond);
    }
    let size_bytes = u64::from(call.region_size.num_tiles) * KIB_64;
    let buffer = memory_of(objects, call.buffer)?;
    let address = buffer_bytes(buffer, call.buffer_start_offset_bytes, size_bytes, buffer_beyond)?;
    if is_to_tiles {
        return Ok(Vec::new());
    }
    let texel = Texel { bytes: [0; 16], size_bytes: 1 };
    Ok(vec![MemoryEffect::Fill { dst: Rows::of_bytes(address), extent: Extent::of_bytes(size_bytes), texel }])
}
