//! Conversions of the structures that command lists, descriptors and pipelines take.

use crate::unsafe_abi::{self, In, ShaderBytecode};
use taut_schemas::format::Format;
use taut_schemas::{
    ClearWords, CopyBox, CpuDescriptorHandle, DescriptorHeapDesc, DescriptorHeapFlags, DescriptorHeapType,
    DescriptorRange, GpuVirtualAddress, IndexBufferView, OpaqueShader, OpaqueStage, QueryHeapDesc, Rect, ResourceId,
    SamplePosition, SamplerDesc, StreamOutputBufferView, SubresourceBytes, TextureCopyLocation, TileRegionSize,
    TiledCoordinate, VertexBufferView, Viewport, WriteBufferImmediateParameter,
};

/// Max number of array elements that a method reads: a wrong count must not make the library read all memory.
pub const MAX_ELEMENTS: usize = 1 << 20;

/// D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX.
const SUBRESOURCE_INDEX: u32 = 0;

/// Elements of an array. `None` for NULL unless `count` is 0, and for a count that no call has.
pub fn elements<T: unsafe_abi::Plain, U>(pointer: In<T>, count: u32, convert: fn(T) -> U) -> Option<Vec<U>> {
    limited(pointer, count, MAX_ELEMENTS, convert)
}

/// Elements of an array of at most `max` elements, the limit of the method. `None` as for [`elements`].
pub fn limited<T: unsafe_abi::Plain, U>(pointer: In<T>, count: u32, max: usize, convert: fn(T) -> U) -> Option<Vec<U>> {
    let count = Some(count as usize).filter(|count| *count <= max)?;
    Some(pointer.list(count)?.into_iter().map(convert).collect())
}

/// Elements of an array that may be NULL, which has none.
pub fn optional_elements<T: unsafe_abi::Plain, U>(
    pointer: In<T>,
    count: u32,
    max: usize,
    convert: fn(T) -> U,
) -> Option<Vec<U>> {
    let count = Some(count as usize).filter(|count| *count <= max)?;
    if pointer.is_null() { Some(Vec::new()) } else { limited(pointer, count as u32, max, convert) }
}

pub fn viewport(viewport: unsafe_abi::Viewport) -> Viewport {
    let [top_left_x, top_left_y, width, height, min_depth, max_depth] = viewport.words;
    Viewport { top_left_x, top_left_y, width, height, min_depth, max_depth }
}

pub fn rect(rect: unsafe_abi::Rect) -> Rect {
    let [left, top, right, bottom] = rect.words;
    Rect { left, top, right, bottom }
}

pub fn copy_box(copied: unsafe_abi::CopyBox) -> CopyBox {
    let [left, top, front, right, bottom, back] = copied.words;
    CopyBox { left, top, front, right, bottom, back }
}

pub fn clear_words(words: unsafe_abi::Words) -> ClearWords {
    let [word0, word1, word2, word3] = words.words;
    ClearWords { word0, word1, word2, word3 }
}

pub fn index_buffer_view(view: unsafe_abi::IndexBufferView) -> IndexBufferView {
    IndexBufferView {
        buffer_location: GpuVirtualAddress(view.buffer_location),
        size_bytes: view.size,
        format: Format(view.format),
    }
}

pub fn vertex_buffer_view(view: unsafe_abi::VertexBufferView) -> VertexBufferView {
    VertexBufferView {
        buffer_location: GpuVirtualAddress(view.buffer_location),
        size_bytes: view.size,
        stride_bytes: view.stride,
    }
}

pub fn stream_output_view(view: unsafe_abi::StreamOutputBufferView) -> StreamOutputBufferView {
    StreamOutputBufferView {
        buffer_location: GpuVirtualAddress(view.buffer_location),
        size_bytes: view.size,
        buffer_filled_size_location: GpuVirtualAddress(view.filled_size_location),
    }
}

pub fn tiled_coordinate(coordinate: unsafe_abi::TiledCoordinate) -> TiledCoordinate {
    let unsafe_abi::TiledCoordinate { x, y, z, subresource } = coordinate;
    TiledCoordinate { x, y, z, subresource }
}

pub fn tile_region_size(size: unsafe_abi::TileRegionSize) -> TileRegionSize {
    let unsafe_abi::TileRegionSize { num_tiles, use_box, width, height, depth } = size;
    TileRegionSize { num_tiles, use_box: use_box != 0, width, height, depth }
}

pub fn subresource_bytes(range: unsafe_abi::SubresourceBytes) -> SubresourceBytes {
    let unsafe_abi::SubresourceBytes { subresource, padding: _, begin, end } = range;
    SubresourceBytes { subresource, begin, end }
}

pub fn sample_position(position: unsafe_abi::SamplePosition) -> SamplePosition {
    let unsafe_abi::SamplePosition { x, y } = position;
    SamplePosition { x, y }
}

pub fn immediate_parameter(parameter: unsafe_abi::ImmediateParameter) -> WriteBufferImmediateParameter {
    let unsafe_abi::ImmediateParameter { dest, value, padding: _ } = parameter;
    WriteBufferImmediateParameter { dest: GpuVirtualAddress(dest), value }
}

/// A location in `resource`.
pub fn copy_location(location: unsafe_abi::TextureCopyLocation, resource: ResourceId) -> TextureCopyLocation {
    let copy_type = location.copy_type;
    if copy_type == SUBRESOURCE_INDEX {
        // The union's first word, of a little-endian offset.
        let subresource_index = location.footprint.offset as u32;
        return TextureCopyLocation { resource, subresource_index, ..TextureCopyLocation::default() };
    }
    let unsafe_abi::PlacedFootprint { offset, format, width, height, depth, row_pitch, padding: _ } =
        location.footprint;
    TextureCopyLocation {
        resource,
        copy_type,
        subresource_index: 0,
        offset_bytes: offset,
        format: Format(format),
        width,
        height,
        depth,
        row_pitch_bytes: row_pitch,
    }
}

pub fn query_heap(desc: unsafe_abi::QueryHeapDesc) -> QueryHeapDesc {
    QueryHeapDesc { heap_type: desc.heap_type, num_queries: desc.count, node_mask: desc.node_mask }
}

pub fn descriptor_heap(desc: unsafe_abi::DescriptorHeapDesc) -> DescriptorHeapDesc {
    DescriptorHeapDesc {
        heap_type: DescriptorHeapType(desc.heap_type),
        num_descriptors: desc.num_descriptors,
        flags: DescriptorHeapFlags(desc.flags),
        node_mask: desc.node_mask,
    }
}

pub fn header_descriptor_heap(desc: DescriptorHeapDesc) -> unsafe_abi::DescriptorHeapDesc {
    unsafe_abi::DescriptorHeapDesc {
        heap_type: desc.heap_type.0,
        num_descriptors: desc.num_descriptors,
        flags: desc.flags.0,
        node_mask: desc.node_mask,
    }
}

pub fn descriptor(descriptor: unsafe_abi::CpuDescriptor) -> CpuDescriptorHandle {
    CpuDescriptorHandle(descriptor.address as u64)
}

pub fn sampler(desc: unsafe_abi::SamplerDesc) -> SamplerDesc {
    SamplerDesc {
        filter: desc.filter,
        address_u: desc.address_u,
        address_v: desc.address_v,
        address_w: desc.address_w,
        mip_lod_bias: desc.mip_lod_bias,
        max_anisotropy: desc.max_anisotropy,
        comparison_func: desc.comparison_func,
        border_color: clear_words(unsafe_abi::Words { words: desc.border_color }),
        min_lod: desc.min_lod,
        max_lod: desc.max_lod,
    }
}

/// Ranges of descriptors. Without sizes each range has one descriptor. `None` for ranges without starts.
pub fn descriptor_ranges(
    starts: In<unsafe_abi::CpuDescriptor>,
    sizes: In<u32>,
    count: u32,
) -> Option<Vec<DescriptorRange>> {
    let count = count as usize;
    if count > MAX_ELEMENTS {
        return None;
    }
    let starts = starts.list(count)?.into_iter().map(descriptor);
    let sizes = if sizes.is_null() { vec![1; count] } else { sizes.list(count)? };
    Some(starts.zip(sizes).map(|(start, num_descriptors)| DescriptorRange { start, num_descriptors }).collect())
}

/// A shader; `None` without bytes.
pub fn shader(stage: OpaqueStage, code: ShaderBytecode) -> Option<OpaqueShader> {
    let bytes = code.bytes.list(code.size).filter(|bytes| !bytes.is_empty())?;
    Some(OpaqueShader { stage, size_bytes: bytes.len() as u64, hash: fnv1a(&bytes) })
}

/// FNV-1a hash with 64 bits.
fn fnv1a(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_hash_is_fnv1a() {
        assert_eq!(super::fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(super::fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
    }
}
