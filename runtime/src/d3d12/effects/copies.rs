//! Effects of copies and resolves.

use super::region::{Region, begin, buffer_bytes, memory_of, subresource};
use super::{DST_BEYOND, Effects, NO_BUFFER, NoEffect, SRC_BEYOND};
use crate::memory::effect::{Extent, MemoryEffect, Rows};
use crate::state::{Objects, ResourceState};
use taut_schemas::{CopyBox, CpuAddress, Dimension, Rect, ResourceId, TextureCopyLocation, d3d12};

/// D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX.
const SUBRESOURCE_INDEX: u32 = 0;

/// D3D12_RESOLVE_MODE_AVERAGE: the modes after it are those of sampler feedback.
const LAST_RESOLVE_MODE: u32 = 3;

/// Texels in rows of a buffer; `None` for a format without texels, and beyond the address space.
fn footprint_of(resource: &ResourceState, location: &TextureCopyLocation) -> Option<Region> {
    let info = location.format.info()?;
    let unit_bytes = u64::from(info.unit_bits / 8);
    let num_rows = u64::from(location.height.div_ceil(info.unit_texels.1));
    let row_pitch_bytes = u64::from(location.row_pitch_bytes);
    Some(Region {
        rows: Rows {
            address: CpuAddress(begin(resource).checked_add(location.offset_bytes)?),
            element_pitch_bytes: unit_bytes,
            row_pitch_bytes,
            slice_pitch_bytes: row_pitch_bytes.checked_mul(num_rows)?,
        },
        unit_bytes,
        unit_texels: info.unit_texels,
        counts: [location.width.div_ceil(info.unit_texels.0).into(), num_rows, location.depth.into()],
        end: begin(resource).checked_add(resource.desc.width)?,
        is_footprint: true,
    })
}

fn location_of(objects: &dyn Objects, location: &TextureCopyLocation, beyond: NoEffect) -> Result<Region, NoEffect> {
    let resource = memory_of(objects, location.resource)?;
    if location.copy_type == SUBRESOURCE_INDEX {
        return subresource(resource, location.subresource_index, beyond);
    }
    if resource.desc.dimension != Dimension::BUFFER {
        return Err(NO_BUFFER);
    }
    if location.format.info().is_none() {
        return Err(NoEffect::NotExecuted);
    }
    footprint_of(resource, location).ok_or(beyond)
}

/// Copies all units of `src` to the first ones of `dst`.
fn copy(dst: &Region, src: &Region) -> Result<MemoryEffect, NoEffect> {
    // Depth of 24 bits has 3 bytes in its texture and 4 in a buffer.
    if src.unit_bytes.abs_diff(dst.unit_bytes) > 1 {
        return Err(NoEffect::NotExecuted);
    }
    if src.counts.iter().zip(dst.counts).any(|(src, dst)| *src > dst) {
        return Err(DST_BEYOND);
    }
    let unit_bytes = src.unit_bytes.min(dst.unit_bytes);
    // A driver may state a size that does not have room for the simulation's layout of a texture: only a footprint can be
    // wrong.
    let beyond = |region: &Region, beyond| if region.is_footprint { beyond } else { NoEffect::NotExecuted };
    let extent = Region { unit_bytes, ..*src }.extent().ok_or_else(|| beyond(src, SRC_BEYOND))?;
    let dst = Region { unit_bytes, counts: src.counts, ..*dst };
    dst.extent().ok_or_else(|| beyond(&dst, DST_BEYOND))?;
    Ok(MemoryEffect::Copy { dst: dst.rows, src: src.rows, extent })
}

/// Bytes of a buffer from an offset on.
struct BufferPlace {
    buffer: ResourceId,
    offset_bytes: u64,
}

fn copy_between(objects: &dyn Objects, dst: &BufferPlace, src: &BufferPlace, size_bytes: u64) -> Effects {
    let (dst_buffer, src_buffer) = (memory_of(objects, dst.buffer)?, memory_of(objects, src.buffer)?);
    let dst = buffer_bytes(dst_buffer, dst.offset_bytes, size_bytes, DST_BEYOND)?;
    let src = buffer_bytes(src_buffer, src.offset_bytes, size_bytes, SRC_BEYOND)?;
    Ok(vec![copy_bytes(dst, src, size_bytes)])
}

/// Effects of a call that copies between buffers.
macro_rules! buffer_copy {
    ($objects:ident, $call:ident, $size_bytes:expr) => {{
        let dst = BufferPlace { buffer: $call.dst_buffer, offset_bytes: $call.dst_offset_bytes };
        let src = BufferPlace { buffer: $call.src_buffer, offset_bytes: $call.src_offset_bytes };
        copy_between($objects, &dst, &src, $size_bytes)
    }};
}

/// ID3D12GraphicsCommandList::CopyBufferRegion.
pub fn copy_buffer_region(objects: &dyn Objects, call: &d3d12::CopyBufferRegion) -> Effects {
    buffer_copy!(objects, call, call.num_bytes)
}

/// ID3D12GraphicsCommandList1::AtomicCopyBufferUINT. Commands are executed by one thread, so none of them reads a part of
/// the copy; the CPU may.
pub fn atomic_copy_buffer_uint(objects: &dyn Objects, call: &d3d12::AtomicCopyBufferUINT) -> Effects {
    buffer_copy!(objects, call, 4)
}

/// ID3D12GraphicsCommandList1::AtomicCopyBufferUINT64.
pub fn atomic_copy_buffer_uint64(objects: &dyn Objects, call: &d3d12::AtomicCopyBufferUINT64) -> Effects {
    buffer_copy!(objects, call, 8)
}

fn copy_bytes(dst: CpuAddress, src: CpuAddress, size_bytes: u64) -> MemoryEffect {
    MemoryEffect::Copy { dst: Rows::of_bytes(dst), src: Rows::of_bytes(src), extent: Extent::of_bytes(size_bytes) }
}

/// ID3D12GraphicsCommandList::CopyResource.
pub fn copy_resource(objects: &dyn Objects, call: &d3d12::CopyResource) -> Effects {
    let (dst, src) = (memory_of(objects, call.dst_resource)?, memory_of(objects, call.src_resource)?);
    if dst.desc.dimension != src.desc.dimension {
        return Err(NoEffect::Refused("the resources differ in dimension"));
    }
    if src.desc.dimension == Dimension::BUFFER {
        let size_bytes = src.desc.width;
        let dst = buffer_bytes(dst, 0, size_bytes, DST_BEYOND)?;
        return Ok(vec![copy_bytes(dst, buffer_bytes(src, 0, size_bytes, SRC_BEYOND)?, size_bytes)]);
    }
    if dst.desc.sample_count != src.desc.sample_count || dst.subresources != src.subresources {
        return Err(NoEffect::Refused("the resources differ in subresources or samples"));
    }
    let samples = u64::from(src.desc.sample_count.max(1));
    let copied = |index| {
        let (dst, src) = (subresource(dst, index, DST_BEYOND)?, subresource(src, index, SRC_BEYOND)?);
        copy(&dst.by_samples(samples), &src.by_samples(samples))
    };
    (0..src.subresources).map(copied).collect()
}

/// ID3D12GraphicsCommandList::CopyTextureRegion. An empty box copies nothing.
pub fn copy_texture_region(objects: &dyn Objects, call: &d3d12::CopyTextureRegion) -> Effects {
    let (dst, mut src) = (location_of(objects, &call.dst, DST_BEYOND)?, location_of(objects, &call.src, SRC_BEYOND)?);
    if let Some(copied) = &call.src_box {
        if is_empty(copied) {
            return Ok(Vec::new());
        }
        src = src.within(copied).ok_or(SRC_BEYOND)?;
    }
    let dst = dst.from(call.dst_x, call.dst_y, call.dst_z).ok_or(DST_BEYOND)?;
    Ok(vec![copy(&dst, &src)?])
}

fn is_empty(copied: &CopyBox) -> bool {
    let CopyBox { left, top, front, right, bottom, back } = *copied;
    left >= right || top >= bottom || front >= back
}

/// ID3D12GraphicsCommandList::ResolveSubresource: the first sample of each texel. No draw is executed, so all samples of a
/// texel are equal.
pub fn resolve_subresource(objects: &dyn Objects, call: &d3d12::ResolveSubresource) -> Effects {
    let dst = subresource(memory_of(objects, call.dst_resource)?, call.dst_subresource, DST_BEYOND)?;
    let src = subresource(memory_of(objects, call.src_resource)?, call.src_subresource, SRC_BEYOND)?;
    Ok(vec![copy(&dst, &src)?])
}

/// ID3D12GraphicsCommandList1::ResolveSubresourceRegion: as [`resolve_subresource`], in all modes but those of sampler
/// feedback.
pub fn resolve_subresource_region(objects: &dyn Objects, call: &d3d12::ResolveSubresourceRegion) -> Effects {
    if call.resolve_mode > LAST_RESOLVE_MODE {
        return Err(NoEffect::NotExecuted);
    }
    let dst = subresource(memory_of(objects, call.dst_resource)?, call.dst_subresource, DST_BEYOND)?;
    let mut src = subresource(memory_of(objects, call.src_resource)?, call.src_subresource, SRC_BEYOND)?;
    if let Some(Rect { left, top, right, bottom }) = call.src_rect {
        let copied = CopyBox { left, top, front: 0, right, bottom, back: 1 };
        if is_empty(&copied) {
            return Ok(Vec::new());
        }
        src = src.within(&copied).ok_or(SRC_BEYOND)?;
    }
    let dst = dst.from(call.dst_x, call.dst_y, 0).ok_or(DST_BEYOND)?;
    Ok(vec![copy(&dst, &src)?])
}
