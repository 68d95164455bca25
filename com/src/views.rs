//! Views in the descriptors that clears use. A clear is recorded with the view that its descriptor has at that time.

use crate::unsafe_abi::{CpuDescriptor, DepthStencilViewDesc, RenderTargetViewDesc, UnorderedAccessViewDesc};
use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use taut_runtime::placement::is_clearable;
use taut_schemas::format::Format;
use taut_schemas::{ClearedView, DescriptorRange, ResourceId};

/// Descriptors of the largest heap, D3D12_MAX_SHADER_VISIBLE_DESCRIPTOR_HEAP_SIZE_TIER_2.
const MAX_DESCRIPTORS: usize = 1_000_000;

/// Views by the address of their descriptor.
#[derive(Debug, Default)]
pub struct Views {
    table: RwLock<HashMap<usize, ClearedView>>,
}

/// A resource that a view names, with its format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Viewed {
    pub id: ResourceId,
    pub format: Format,
}

impl Views {
    /// The view in a descriptor; of the null resource if there is none, or none that a clear can fill.
    pub fn get(&self, descriptor: CpuDescriptor) -> ClearedView {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        table.get(&descriptor.address).copied().unwrap_or_default()
    }

    /// Stores a view in a descriptor.
    pub fn set(&self, descriptor: CpuDescriptor, view: ClearedView) {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        table.insert(descriptor.address, view);
    }

    /// Copies descriptors of this size one after another.
    pub fn copy(&self, dst: CpuDescriptor, src: CpuDescriptor, count: u32, size: usize) {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        copy_one_by_one(&mut table, dst.address, src.address, count, size);
    }

    /// Copies ranges of descriptors: those of the sources one after another to those of the destinations.
    pub fn copy_ranges(&self, dst: &[DescriptorRange], src: &[DescriptorRange], size: usize) {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        let rest = |ranges: &[DescriptorRange], index: usize, done: u32| {
            let range = ranges.get(index)?;
            let first = (range.start.0 as usize).wrapping_add((done as usize).wrapping_mul(size));
            Some((first, range.num_descriptors.saturating_sub(done)))
        };
        let (mut to, mut from) = ((0, 0), (0, 0));
        while let (Some((dst_first, dst_count)), Some((src_first, src_count))) =
            (rest(dst, to.0, to.1), rest(src, from.0, from.1))
        {
            let count = dst_count.min(src_count);
            copy_one_by_one(&mut table, dst_first, src_first, count, size);
            to = if count == dst_count { (to.0 + 1, 0) } else { (to.0, to.1 + count) };
            from = if count == src_count { (from.0 + 1, 0) } else { (from.0, from.1 + count) };
        }
    }
}

fn copy_one_by_one(table: &mut HashMap<usize, ClearedView>, dst: usize, src: usize, count: u32, size: usize) {
    // A wrong count must not take longer than the largest heap.
    for index in 0..(count as usize).min(MAX_DESCRIPTORS) {
        // Most copies are of other heaps, and find nothing.
        let at = |first: usize| first.wrapping_add(index.wrapping_mul(size));
        match table.get(&at(src)).copied() {
            Some(view) => drop(table.insert(at(dst), view)),
            None => drop(table.remove(&at(dst))),
        }
    }
}

/// The whole most detailed mip of a resource.
fn whole(viewed: Viewed) -> ClearedView {
    ClearedView { resource: viewed.id, format: viewed.format, num_slices: u32::MAX, ..ClearedView::default() }
}

/// A view of this format; UNKNOWN is the resource's own. A view that no clear can fill is not known.
fn of_format(viewed: Viewed, format: u32, view: ClearedView) -> ClearedView {
    let format = if format == 0 { viewed.format } else { Format(format) };
    let is_known = is_clearable(format) || format == Format::R32_TYPELESS;
    if is_known { ClearedView { resource: viewed.id, format, ..view } } else { ClearedView::default() }
}

/// View of textures whose union has these words. Dimensions are those of render targets.
fn of_texture(dimension: u32, words: [u32; 4]) -> ClearedView {
    let [first, second, third, fourth] = words;
    let one = ClearedView { num_slices: 1, ..ClearedView::default() };
    match dimension {
        // TEXTURE1D.
        2 => ClearedView { mip_slice: first, ..one },
        // TEXTURE1DARRAY, TEXTURE3D.
        3 | 8 => ClearedView { mip_slice: first, first_slice: second, num_slices: third, ..one },
        // TEXTURE2D.
        4 => ClearedView { mip_slice: first, plane_slice: second, ..one },
        // TEXTURE2DARRAY.
        5 => ClearedView { mip_slice: first, first_slice: second, num_slices: third, plane_slice: fourth, ..one },
        // TEXTURE2DMSARRAY.
        7 => ClearedView { first_slice: first, num_slices: second, ..one },
        // TEXTURE2DMS.
        _ => one,
    }
}

fn halves(union: [u64; 2]) -> [u32; 4] {
    [union[0] as u32, (union[0] >> 32) as u32, union[1] as u32, (union[1] >> 32) as u32]
}

/// The view of a D3D12_RENDER_TARGET_VIEW_DESC.
pub fn render_target(viewed: Viewed, desc: Option<RenderTargetViewDesc>) -> ClearedView {
    match desc {
        None => of_format(viewed, 0, whole(viewed)),
        Some(desc) => of_format(viewed, desc.format, of_texture(desc.dimension, halves(desc.union))),
    }
}

/// The view of a D3D12_DEPTH_STENCIL_VIEW_DESC.
pub fn depth_stencil(viewed: Viewed, desc: Option<DepthStencilViewDesc>) -> ClearedView {
    let Some(desc) = desc else { return of_format(viewed, 0, whole(viewed)) };
    let [first, second, third] = desc.union;
    // D3D12_DSV_DIMENSION has no buffers and no 3D textures: each number is one less than that of a render target.
    let words = if desc.dimension == 3 { [first, 0, 0, 0] } else { [first, second, third, 0] };
    of_format(viewed, desc.format, of_texture(desc.dimension.saturating_add(1), words))
}

/// The view of a D3D12_UNORDERED_ACCESS_VIEW_DESC.
pub fn unordered_access(viewed: Viewed, desc: Option<UnorderedAccessViewDesc>) -> ClearedView {
    let Some(desc) = desc else { return of_format(viewed, 0, whole(viewed)) };
    let view = match desc.dimension {
        1 => {
            ClearedView { first_element: desc.first_element, num_elements: desc.num_elements, ..ClearedView::default() }
        }
        dimension => of_texture(
            dimension,
            [desc.first_element as u32, (desc.first_element >> 32) as u32, desc.num_elements, desc.structure_stride],
        ),
    };
    of_format(viewed, desc.format, view)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEWED: Viewed = Viewed { id: ResourceId(7), format: Format::R8G8B8A8_UNORM };

    #[test]
    fn copies_move_views_and_their_absence() {
        let views = Views::default();
        let at = |address| CpuDescriptor { address };
        let view = render_target(VIEWED, None);
        views.set(at(1000), view);
        views.copy(at(2000), at(1000), 2, 32);
        assert_eq!((views.get(at(2000)), views.get(at(2032))), (view, ClearedView::default()));
        views.copy(at(2000), at(2032), 1, 32);
        assert_eq!(views.get(at(2000)), ClearedView::default());
    }

    #[test]
    fn the_unions_have_mips_and_slices() {
        let array = RenderTargetViewDesc { format: 0, dimension: 5, union: [2 | 3 << 32, 4] };
        let found = render_target(VIEWED, Some(array));
        assert_eq!((found.mip_slice, found.first_slice, found.num_slices), (2, 3, 4));
        assert_eq!((found.resource, found.format), (VIEWED.id, VIEWED.format));
        let depth = DepthStencilViewDesc { format: Format::D16_UNORM.0, dimension: 4, flags: 0, union: [1, 2, 3] };
        let found = depth_stencil(VIEWED, Some(depth));
        assert_eq!((found.mip_slice, found.first_slice, found.num_slices), (1, 2, 3));
        let compressed = RenderTargetViewDesc { format: Format::BC1_UNORM.0, dimension: 4, union: [0; 2] };
        assert_eq!(render_target(VIEWED, Some(compressed)), ClearedView::default());
    }
}
