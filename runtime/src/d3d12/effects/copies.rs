//! Effects of copies and resolves.

use super::region::{Region, begin, bytes_of, memory_of, region_of};
use crate::memory::effect::{Extent, MemoryEffect, Rows};
use crate::state::{Objects, ResourceState};
use taut_schemas::{CpuAddress, Dimension, TextureCopyLocation, d3d12};

/// D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX.
const SUBRESOURCE_INDEX: u32 = 0;

/// Texels in rows of a buffer.
fn footprint_of(resource: &ResourceState, location: &TextureCopyLocation) -> Option<Region> {
    let info = location.format.info()?;
    let unit_bytes = u64::from(info.unit_bits / 8);
    let address = bytes_of(resource, location.offset_bytes, 0)?;
    let num_rows = u64::from(location.height.div_ceil(info.unit_texels.1));
    let row_pitch_bytes = u64::from(location.row_pitch_bytes);
    Some(Region {
        rows: Rows {
            address,
            element_pitch_bytes: unit_bytes,
            row_pitch_bytes,
            slice_pitch_bytes: row_pitch_bytes.checked_mul(num_rows)?,
        },
        unit_bytes,
        unit_texels: info.unit_texels,
        counts: [location.width.div_ceil(info.unit_texels.0).into(), num_rows, location.depth.into()],
        end: begin(resource).checked_add(resource.desc.width)?,
    })
}

fn location_of(objects: &dyn Objects, location: &TextureCopyLocation) -> Option<Region> {
    let resource = memory_of(objects, location.resource)?;
    match location.copy_type {
        SUBRESOURCE_INDEX => region_of(resource, location.subresource_index),
        _ => footprint_of(resource, location),
    }
}

/// Copies all units of `src` to the first ones of `dst`.
fn copy(dst: &Region, src: &Region) -> Option<MemoryEffect> {
    let fits = src.counts.iter().zip(dst.counts).all(|(src, dst)| *src <= dst);
    // Depth of 24 bits has 3 bytes in its texture and 4 in a buffer.
    let unit_bytes = src.unit_bytes.min(dst.unit_bytes);
    if !fits || src.unit_bytes.abs_diff(dst.unit_bytes) > 1 {
        return None;
    }
    let extent = Region { unit_bytes, ..*src }.extent()?;
    let dst = Region { unit_bytes, counts: src.counts, ..*dst };
    dst.extent()?;
    Some(MemoryEffect::Copy { dst: dst.rows, src: src.rows, extent })
}

/// ID3D12GraphicsCommandList::CopyBufferRegion.
pub fn copy_buffer_region(objects: &dyn Objects, call: &d3d12::CopyBufferRegion) -> Option<Vec<MemoryEffect>> {
    let [dst, src] = [call.dst_buffer, call.src_buffer].map(|id| memory_of(objects, id));
    let dst = bytes_of(dst?, call.dst_offset_bytes, call.num_bytes)?;
    let src = bytes_of(src?, call.src_offset_bytes, call.num_bytes)?;
    Some(vec![copy_bytes(dst, src, call.num_bytes)])
}

fn copy_bytes(dst: CpuAddress, src: CpuAddress, size_bytes: u64) -> MemoryEffect {
    MemoryEffect::Copy { dst: Rows::of_bytes(dst), src: Rows::of_bytes(src), extent: Extent::of_bytes(size_bytes) }
}

/// ID3D12GraphicsCommandList::CopyResource.
pub fn copy_resource(objects: &dyn Objects, call: &d3d12::CopyResource) -> Option<Vec<MemoryEffect>> {
    let (dst, src) = (memory_of(objects, call.dst_resource)?, memory_of(objects, call.src_resource)?);
    if src.desc.dimension == Dimension::BUFFER {
        let size_bytes = src.desc.width;
        return Some(vec![copy_bytes(bytes_of(dst, 0, size_bytes)?, bytes_of(src, 0, size_bytes)?, size_bytes)]);
    }
    if dst.desc.sample_count != src.desc.sample_count || dst.subresources != src.subresources {
        return None;
    }
    let samples = u64::from(src.desc.sample_count.max(1));
    let copied = |subresource| {
        let (dst, src) = (region_of(dst, subresource)?, region_of(src, subresource)?);
        copy(&dst.by_samples(samples), &src.by_samples(samples))
    };
    (0..src.subresources).map(copied).collect()
}

/// ID3D12GraphicsCommandList::CopyTextureRegion.
pub fn copy_texture_region(objects: &dyn Objects, call: &d3d12::CopyTextureRegion) -> Option<Vec<MemoryEffect>> {
    let (dst, mut src) = (location_of(objects, &call.dst)?, location_of(objects, &call.src)?);
    if let Some(copied) = &call.src_box {
        src = src.within(copied)?;
    }
    Some(vec![copy(&dst.from(call.dst_x, call.dst_y, call.dst_z)?, &src)?])
}

/// ID3D12GraphicsCommandList::ResolveSubresource: the first sample of each texel. No draw is executed, so all samples of a
/// texel are equal.
pub fn resolve_subresource(objects: &dyn Objects, call: &d3d12::ResolveSubresource) -> Option<Vec<MemoryEffect>> {
    let dst = region_of(memory_of(objects, call.dst_resource)?, call.dst_subresource)?;
    let src = region_of(memory_of(objects, call.src_resource)?, call.src_subresource)?;
    Some(vec![copy(&dst, &src)?])
}
