//! Effects of list commands on memory: copies, clears, resolves and query results, as plain values for the graphics
//! processor's thread. A command whose bytes are not within its resources has none; the debug layer would report it.

use crate::memory::effect::{Extent, MemoryEffect, Rows, Texel};
use crate::memory::space::AddressSpace;
use crate::placement::{Shape, Surface, surface, texel, texel_of_words};
use crate::state::{Objects, ResourcePlacement, ResourceState};
use taut_schemas::format::Format;
use taut_schemas::{
    ClearWords, ClearedView, CopyBox, CpuAddress, Dimension, QueryHeapId, Rect, ResourceId, TextureCopyLocation, d3d12,
};

/// D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX.
const SUBRESOURCE_INDEX: u32 = 0;
/// D3D12_CLEAR_FLAG_DEPTH and D3D12_CLEAR_FLAG_STENCIL.
const CLEAR_DEPTH: u32 = 1;
const CLEAR_STENCIL: u32 = 2;
/// D3D12_QUERY_TYPE_TIMESTAMP.
const TIMESTAMP: u32 = 2;

/// Units of a resource that a command reads or writes, from a first one on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Region {
    rows: Rows,
    /// Bytes of a unit.
    unit_bytes: u64,
    unit_texels: (u32, u32),
    /// Units of a row, rows, and slices.
    counts: [u64; 3],
    /// End of the resource's memory.
    end: u64,
}

/// The resource, if its memory is that of the simulation's address space: reserved resources have none, and memory that
/// adapters share has several addresses.
fn memory_of(objects: &dyn Objects, id: ResourceId) -> Option<&ResourceState> {
    let resource = objects.get(id.into())?.as_resource()?;
    (resource.home != ResourcePlacement::Reserved && !resource.is_shared).then_some(resource)
}

fn begin(resource: &ResourceState) -> u64 {
    AddressSpace::cpu_address(resource.address)
}

/// Bytes of a buffer; `None` if they are not all within it.
fn bytes_of(resource: &ResourceState, offset_bytes: u64, size_bytes: u64) -> Option<CpuAddress> {
    let is_in =
        resource.desc.dimension == Dimension::BUFFER && offset_bytes.checked_add(size_bytes)? <= resource.desc.width;
    is_in.then(|| CpuAddress(begin(resource) + offset_bytes))
}

/// A subresource of a texture.
pub(crate) fn region_of(resource: &ResourceState, subresource: u32) -> Option<Region> {
    let place: Surface = surface(&Shape::from(&resource.desc), subresource)?;
    let first = begin(resource);
    Some(Region {
        rows: Rows {
            address: CpuAddress(first.checked_add(place.offset_bytes)?),
            element_pitch_bytes: place.unit_pitch_bytes,
            row_pitch_bytes: place.row_pitch_bytes,
            slice_pitch_bytes: place.slice_pitch_bytes,
        },
        unit_bytes: place.unit_bytes,
        unit_texels: place.unit_texels,
        counts: [place.units, place.rows, place.slices],
        end: first.checked_add(resource.size_bytes)?,
    })
}

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

impl Region {
    /// Units from these texels on; `None` beyond the last.
    fn from(self, x: u32, y: u32, z: u32) -> Option<Region> {
        let first = [u64::from(x / self.unit_texels.0), u64::from(y / self.unit_texels.1), z.into()];
        let [units, rows, slices] = self.counts;
        let counts = [units.checked_sub(first[0])?, rows.checked_sub(first[1])?, slices.checked_sub(first[2])?];
        Some(Region { rows: self.rows.from(first[0], first[1], first[2])?, counts, ..self })
    }

    /// Units of a box of texels; `None` unless the region contains it.
    pub(crate) fn within(self, copied: &CopyBox) -> Option<Region> {
        let CopyBox { left, top, front, right, bottom, back } = *copied;
        let extents = [right.checked_sub(left)?, bottom.checked_sub(top)?, back.checked_sub(front)?];
        let counts = [
            extents[0].div_ceil(self.unit_texels.0).into(),
            extents[1].div_ceil(self.unit_texels.1).into(),
            extents[2].into(),
        ];
        let rest = self.from(left, top, front)?;
        let is_in = counts.iter().zip(rest.counts).all(|(count, rest)| *count <= rest);
        is_in.then_some(Region { counts, ..rest })
    }

    /// The extent of the units; `None` if they are not all within the resource.
    fn extent(&self) -> Option<Extent> {
        let [elements, rows, slices] = self.counts;
        let extent = Extent { element_bytes: self.unit_bytes, elements, rows, slices };
        (self.rows.end(&extent)? <= self.end).then_some(extent)
    }
}

/// Units of a box of a subresource, for a copy by the processor; `None` if they are not all within the resource.
pub(crate) fn region_for_copy(
    resource: &ResourceState,
    subresource: u32,
    copied: Option<&CopyBox>,
) -> Option<(Rows, Extent)> {
    let region = match region_of(resource, subresource) {
        Some(region) => region,
        None => Region {
            rows: Rows::of_bytes(bytes_of(resource, 0, resource.desc.width)?),
            unit_bytes: 1,
            unit_texels: (1, 1),
            counts: [resource.desc.width, 1, 1],
            end: begin(resource).checked_add(resource.desc.width)?,
        },
    };
    let region = match copied {
        Some(copied) => region.within(copied)?,
        None => region,
    };
    Some((region.rows, region.extent()?))
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
pub(super) fn copy_buffer_region(objects: &dyn Objects, call: &d3d12::CopyBufferRegion) -> Option<Vec<MemoryEffect>> {
    let [dst, src] = [call.dst_buffer, call.src_buffer].map(|id| memory_of(objects, id));
    let dst = bytes_of(dst?, call.dst_offset_bytes, call.num_bytes)?;
    let src = bytes_of(src?, call.src_offset_bytes, call.num_bytes)?;
    Some(vec![copy_bytes(dst, src, call.num_bytes)])
}

fn copy_bytes(dst: CpuAddress, src: CpuAddress, size_bytes: u64) -> MemoryEffect {
    MemoryEffect::Copy { dst: Rows::of_bytes(dst), src: Rows::of_bytes(src), extent: Extent::of_bytes(size_bytes) }
}

/// ID3D12GraphicsCommandList::CopyResource.
pub(super) fn copy_resource(objects: &dyn Objects, call: &d3d12::CopyResource) -> Option<Vec<MemoryEffect>> {
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
pub(super) fn copy_texture_region(objects: &dyn Objects, call: &d3d12::CopyTextureRegion) -> Option<Vec<MemoryEffect>> {
    let (dst, mut src) = (location_of(objects, &call.dst)?, location_of(objects, &call.src)?);
    if let Some(copied) = &call.src_box {
        src = src.within(copied)?;
    }
    Some(vec![copy(&dst.from(call.dst_x, call.dst_y, call.dst_z)?, &src)?])
}

/// ID3D12GraphicsCommandList::ResolveSubresource: the first sample of each texel. No draw is executed, so all samples of a
/// texel are equal.
pub(super) fn resolve_subresource(
    objects: &dyn Objects,
    call: &d3d12::ResolveSubresource,
) -> Option<Vec<MemoryEffect>> {
    let dst = region_of(memory_of(objects, call.dst_resource)?, call.dst_subresource)?;
    let src = region_of(memory_of(objects, call.src_resource)?, call.src_subresource)?;
    Some(vec![copy(&dst, &src)?])
}

impl Region {
    /// The region with each sample as a unit.
    fn by_samples(self, samples: u64) -> Region {
        let [units, rows, slices] = self.counts;
        let element_pitch_bytes = self.rows.element_pitch_bytes / samples;
        Region {
            rows: Rows { element_pitch_bytes, ..self.rows },
            counts: [units.saturating_mul(samples), rows, slices],
            ..self
        }
    }

    /// Sets the units of a rectangle, or all, to a value.
    fn fill(self, rect: Option<&Rect>, texel: Texel, samples: u64) -> Option<MemoryEffect> {
        let [width, height, depth] = self.counts.map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        let clip = |edge: u32, max: u32| u32::try_from(edge.cast_signed().max(0)).unwrap_or(0).min(max);
        let filled = match rect {
            None => self,
            Some(rect) => self.within(&CopyBox {
                left: clip(rect.left, width),
                top: clip(rect.top, height),
                front: 0,
                right: clip(rect.right, width),
                bottom: clip(rect.bottom, height),
                back: depth,
            })?,
        };
        let filled = filled.by_samples(samples);
        let extent = filled.extent()?;
        Some(MemoryEffect::Fill { dst: filled.rows, extent, texel })
    }
}

/// Fills the rectangles of all slices of a plane of a view.
fn fill(resource: &ResourceState, view: &ClearedView, rects: &[Rect], texel: Texel) -> Option<Vec<MemoryEffect>> {
    let shape = Shape::from(&resource.desc);
    let (levels, array) = (u32::from(shape.mip_levels.max(1)), shape.array_size() as u32);
    let samples = u64::from(shape.sample_count.max(1));
    if view.mip_slice >= levels {
        return None;
    }
    let plane = view.plane_slice.checked_mul(levels.checked_mul(array)?)?.checked_add(view.mip_slice)?;
    let mut regions = Vec::new();
    if shape.dimension == Dimension::TEXTURE3D {
        let all = region_of(resource, plane)?.from(0, 0, view.first_slice)?;
        let [units, rows, slices] = all.counts;
        regions.push(Region { counts: [units, rows, slices.min(view.num_slices.into())], ..all });
    } else {
        let end = view.first_slice.saturating_add(view.num_slices).min(array);
        for slice in view.first_slice..end {
            regions.push(region_of(resource, slice.checked_mul(levels)?.checked_add(plane)?)?);
        }
    }
    let mut effects = Vec::new();
    for region in regions {
        match rects {
            [] => effects.extend(region.fill(None, texel, samples)),
            rects => effects.extend(rects.iter().filter_map(|rect| region.fill(Some(rect), texel, samples))),
        }
    }
    Some(effects)
}

fn words(words: &ClearWords) -> [u32; 4] {
    [words.word0, words.word1, words.word2, words.word3]
}

fn format_of(resource: &ResourceState, view: &ClearedView) -> Format {
    if view.format == Format::UNKNOWN { resource.desc.format } else { view.format }
}

/// ID3D12GraphicsCommandList::ClearRenderTargetView.
pub(super) fn clear_render_target_view(
    objects: &dyn Objects,
    call: &d3d12::ClearRenderTargetView,
) -> Option<Vec<MemoryEffect>> {
    let resource = memory_of(objects, call.view.resource)?;
    let texel = texel(format_of(resource, &call.view), words(&call.color).map(f32::from_bits))?;
    fill(resource, &call.view, &call.rects, texel)
}

/// Depth in the bytes of its plane.
fn depth_texel(format: Format, depth: f32) -> Option<Texel> {
    let value = match format {
        Format::D24_UNORM_S8_UINT => {
            let unorm = (f64::from(depth).clamp(0.0, 1.0) * f64::from(0xff_ffff_u32)).round() as u32;
            let mut bytes = [0; 16];
            bytes[..3].copy_from_slice(&unorm.to_le_bytes()[..3]);
            return Some(Texel { bytes, size_bytes: 3 });
        }
        Format::D32_FLOAT_S8X24_UINT => Format::D32_FLOAT,
        other => other,
    };
    texel(value, [depth, 0.0, 0.0, 0.0])
}

/// ID3D12GraphicsCommandList::ClearDepthStencilView.
pub(super) fn clear_depth_stencil_view(
    objects: &dyn Objects,
    call: &d3d12::ClearDepthStencilView,
) -> Option<Vec<MemoryEffect>> {
    let resource = memory_of(objects, call.view.resource)?;
    let mut effects = Vec::new();
    if call.clear_flags & CLEAR_DEPTH != 0 {
        let texel = depth_texel(format_of(resource, &call.view), f32::from_bits(call.depth))?;
        effects.extend(fill(resource, &call.view, &call.rects, texel)?);
    }
    if call.clear_flags & CLEAR_STENCIL != 0 && crate::placement::plane_count(resource.desc.format) == 2 {
        let texel = Texel { bytes: [call.stencil; 16], size_bytes: 1 };
        effects.extend(fill(resource, &ClearedView { plane_slice: 1, ..call.view }, &call.rects, texel)?);
    }
    Some(effects)
}

/// Fills a view for unordered access.
fn clear_unordered_access(
    objects: &dyn Objects,
    view: &ClearedView,
    rects: &[Rect],
    texel: impl Fn(Format) -> Option<Texel>,
) -> Option<Vec<MemoryEffect>> {
    let resource = memory_of(objects, view.resource)?;
    // The views of raw buffers are typeless.
    let format = match format_of(resource, view) {
        Format::R32_TYPELESS => Format::R32_UINT,
        format => format,
    };
    let texel = texel(format)?;
    if resource.desc.dimension != Dimension::BUFFER {
        return fill(resource, view, rects, texel);
    }
    let (element_bytes, elements) = (texel.size_bytes as u64, u64::from(view.num_elements));
    let address =
        bytes_of(resource, view.first_element.checked_mul(element_bytes)?, elements.checked_mul(element_bytes)?)?;
    let dst = Rows { element_pitch_bytes: element_bytes, ..Rows::of_bytes(address) };
    Some(vec![MemoryEffect::Fill { dst, extent: Extent { element_bytes, elements, rows: 1, slices: 1 }, texel }])
}

/// ID3D12GraphicsCommandList::ClearUnorderedAccessViewUint.
pub(super) fn clear_unordered_access_view_uint(
    objects: &dyn Objects,
    call: &d3d12::ClearUnorderedAccessViewUint,
) -> Option<Vec<MemoryEffect>> {
    clear_unordered_access(objects, &call.view, &call.rects, |format| texel_of_words(format, words(&call.values)))
}

/// ID3D12GraphicsCommandList::ClearUnorderedAccessViewFloat.
pub(super) fn clear_unordered_access_view_float(
    objects: &dyn Objects,
    call: &d3d12::ClearUnorderedAccessViewFloat,
) -> Option<Vec<MemoryEffect>> {
    let values = words(&call.values).map(f32::from_bits);
    clear_unordered_access(objects, &call.view, &call.rects, |format| texel(format, values))
}

/// ID3D12GraphicsCommandList::EndQuery.
pub(super) fn end_query(_: &dyn Objects, call: &d3d12::EndQuery) -> Option<Vec<MemoryEffect>> {
    let is_timestamp = call.query_type == TIMESTAMP && call.query_heap != QueryHeapId::NULL;
    is_timestamp.then(|| vec![MemoryEffect::Timestamp { query_heap: call.query_heap, index: call.index }])
}

/// Bytes of a query's result.
fn result_bytes(query_type: u32) -> Option<u64> {
    Some(match query_type {
        // Occlusion, binary occlusion, time stamp.
        0..=2 => 8,
        // Pipeline statistics: 11 numbers.
        3 => 88,
        // Stream output statistics.
        4..=7 => 16,
        _ => return None,
    })
}

/// ID3D12GraphicsCommandList::ResolveQueryData. Without draws the results of all types but time stamps are 0.
pub(super) fn resolve_query_data(objects: &dyn Objects, call: &d3d12::ResolveQueryData) -> Option<Vec<MemoryEffect>> {
    let size_bytes = u64::from(call.num_queries).checked_mul(result_bytes(call.query_type)?)?;
    let buffer = memory_of(objects, call.destination_buffer)?;
    let address = bytes_of(buffer, call.aligned_destination_buffer_offset_bytes, size_bytes)?;
    if call.query_type == TIMESTAMP {
        let (query_heap, first, count) = (call.query_heap, call.start_index, call.num_queries);
        return Some(vec![MemoryEffect::ResolveTimestamps { query_heap, first, count, address }]);
    }
    let texel = Texel { bytes: [0; 16], size_bytes: 1 };
    Some(vec![MemoryEffect::Fill { dst: Rows::of_bytes(address), extent: Extent::of_bytes(size_bytes), texel }])
}
