//! Effects of clears.

use super::region::{Region, bytes_of, memory_of, region_of};
use super::{Effects, NoEffect};
use crate::memory::effect::{Extent, MemoryEffect, Rows, Texel};
use crate::placement::{Shape, texel, texel_of_words};
use crate::state::{Objects, ResourceState};
use taut_schemas::format::Format;
use taut_schemas::{ClearWords, ClearedView, CopyBox, Dimension, Rect, d3d12};

/// D3D12_CLEAR_FLAG_DEPTH and D3D12_CLEAR_FLAG_STENCIL.
const CLEAR_DEPTH: u32 = 1;
const CLEAR_STENCIL: u32 = 2;

impl Region {
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
fn fill(resource: &ResourceState, view: &ClearedView, rects: &[Rect], texel: Texel) -> Effects {
    filled(resource, view, rects, texel).ok_or(NoEffect::NotExecuted)
}

fn filled(resource: &ResourceState, view: &ClearedView, rects: &[Rect], texel: Texel) -> Option<Vec<MemoryEffect>> {
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
pub fn clear_render_target_view(objects: &dyn Objects, call: &d3d12::ClearRenderTargetView) -> Effects {
    let resource = memory_of(objects, call.view.resource)?;
    let texel = texel(format_of(resource, &call.view), words(&call.color).map(f32::from_bits));
    let texel = texel.ok_or(NoEffect::NotExecuted)?;
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
pub fn clear_depth_stencil_view(objects: &dyn Objects, call: &d3d12::ClearDepthStencilView) -> Effects {
    let resource = memory_of(objects, call.view.resource)?;
    let mut effects = Vec::new();
    if call.clear_flags & CLEAR_DEPTH != 0 {
        let texel = depth_texel(format_of(resource, &call.view), f32::from_bits(call.depth));
        let texel = texel.ok_or(NoEffect::NotExecuted)?;
        effects.extend(fill(resource, &call.view, &call.rects, texel)?);
    }
    if call.clear_flags & CLEAR_STENCIL != 0 && crate::placement::plane_count(resource.desc.format) == 2 {
        let texel = Texel { bytes: [call.stencil; 16], size_bytes: 1 };
        effects.extend(fill(resource, &ClearedView { plane_slice: 1, ..call.view }, &call.rects, texel)?);
    }
    Ok(effects)
}

/// Fills a view for unordered access.
fn clear_unordered_access(
    objects: &dyn Objects,
    view: &ClearedView,
    rects: &[Rect],
    texel: impl Fn(Format) -> Option<Texel>,
) -> Effects {
    let resource = memory_of(objects, view.resource)?;
    // The views of raw buffers are typeless.
    let format = match format_of(resource, view) {
        Format::R32_TYPELESS => Format::R32_UINT,
        format => format,
    };
    let texel = texel(format).ok_or(NoEffect::NotExecuted)?;
    if resource.desc.dimension != Dimension::BUFFER {
        return fill(resource, view, rects, texel);
    }
    let (element_bytes, elements) = (texel.size_bytes as u64, u64::from(view.num_elements));
    let offset_bytes = view.first_element.saturating_mul(element_bytes);
    let address = bytes_of(resource, offset_bytes, elements * element_bytes).ok_or(NoEffect::NotExecuted)?;
    let dst = Rows { element_pitch_bytes: element_bytes, ..Rows::of_bytes(address) };
    Ok(vec![MemoryEffect::Fill { dst, extent: Extent { element_bytes, elements, rows: 1, slices: 1 }, texel }])
}

/// ID3D12GraphicsCommandList::ClearUnorderedAccessViewUint.
pub fn clear_unordered_access_view_uint(objects: &dyn Objects, call: &d3d12::ClearUnorderedAccessViewUint) -> Effects {
    clear_unordered_access(objects, &call.view, &call.rects, |format| texel_of_words(format, words(&call.values)))
}

/// ID3D12GraphicsCommandList::ClearUnorderedAccessViewFloat.
pub fn clear_unordered_access_view_float(
    objects: &dyn Objects,
    call: &d3d12::ClearUnorderedAccessViewFloat,
) -> Effects {
    let values = words(&call.values).map(f32::from_bits);
    clear_unordered_access(objects, &call.view, &call.rects, |format| texel(format, values))
}
