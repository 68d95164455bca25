//! ID3D12GraphicsCommandList1 and ID3D12GraphicsCommandList2.

use super::command_list::{CommandList, record, required};
use super::list_arguments::MAX_SAMPLE_POSITIONS;
use super::memory::Resource;
use crate::convert_list::{
    MAX_ELEMENTS, elements, immediate_parameter, limited, optional_elements, rect, sample_position, subresource_bytes,
};
use crate::interfaces::{ID3D12GraphicsCommandList1, ID3D12GraphicsCommandList2};
use crate::unsafe_abi::{ImmediateParameter, In, Interface, Rect, SamplePosition, SubresourceBytes};
use taut_schemas::format::Format;
use taut_schemas::{ResourceId, d3d12};

/// Resources that a copy depends on; `None` for NULL and foreign objects.
fn dependent(resources: In<Interface>, count: u32) -> Option<Vec<ResourceId>> {
    let id = |resource: Interface| resource.class::<Resource>().map(|resource| resource.id);
    elements(resources, count, id)?.into_iter().collect()
}

/// Methods that copy 32 and 64 bits.
macro_rules! atomic_copies {
    ($( $method:ident $Call:ident; )*) => { $(
        fn $method(
            &self,
            dst: Interface,
            dst_offset_bytes: u64,
            src: Interface,
            src_offset_bytes: u64,
            dependencies: u32,
            resources: In<Interface>,
            ranges: In<SubresourceBytes>,
        ) {
            record!(
                self,
                $Call {
                    dst_buffer: required!(dst, Resource),
                    dst_offset_bytes,
                    src_buffer: required!(src, Resource),
                    src_offset_bytes,
                    dependent_resources: dependent(resources, dependencies)?,
                    dependent_ranges: elements(ranges, dependencies, subresource_bytes)?,
                }
            );
        }
    )* };
}

impl ID3D12GraphicsCommandList1 for CommandList {
    atomic_copies! {
        atomic_copy_buffer_uint AtomicCopyBufferUINT;
        atomic_copy_buffer_uint64 AtomicCopyBufferUINT64;
    }

    fn om_set_depth_bounds(&self, min: f32, max: f32) {
        record!(self, OMSetDepthBounds { min: min.to_bits(), max: max.to_bits() });
    }

    fn set_sample_positions(&self, num_samples_per_pixel: u32, num_pixels: u32, positions: In<SamplePosition>) {
        let count = num_samples_per_pixel.saturating_mul(num_pixels);
        let sample_positions = limited(positions, count, MAX_SAMPLE_POSITIONS, sample_position);
        record!(self, SetSamplePositions { num_samples_per_pixel, num_pixels, sample_positions: sample_positions? });
    }

    fn resolve_subresource_region(
        &self,
        dst: Interface,
        dst_subresource: u32,
        dst_x: u32,
        dst_y: u32,
        src: Interface,
        src_subresource: u32,
        src_rect: In<Rect>,
        format: u32,
        resolve_mode: u32,
    ) {
        record!(
            self,
            ResolveSubresourceRegion {
                dst_resource: required!(dst, Resource),
                dst_subresource,
                dst_x,
                dst_y,
                src_resource: required!(src, Resource),
                src_subresource,
                src_rect: src_rect.get().map(rect),
                format: Format(format),
                resolve_mode,
            }
        );
    }

    fn set_view_instance_mask(&self, mask: u32) {
        record!(self, SetViewInstanceMask { mask });
    }
}

impl ID3D12GraphicsCommandList2 for CommandList {
    fn write_buffer_immediate(&self, count: u32, params: In<ImmediateParameter>, modes: In<u32>) {
        record!(
            self,
            WriteBufferImmediate {
                params: elements(params, count, immediate_parameter)?,
                modes: optional_elements(modes, count, MAX_ELEMENTS, |mode| mode)?,
            }
        );
    }
}
