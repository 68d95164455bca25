//! Command lists. Commands are recorded: their methods return nothing, and Close fails after a refused one, and after one
//! with an invalid argument.

use super::child::child;
use super::command_allocator::CommandAllocator;
use super::hold::DeviceHold;
use super::list_arguments::*;
use super::memory::Resource;
use super::pipeline_object::{CommandSignature, DescriptorHeap, PipelineState, QueryHeap, RootSignature};
use super::private_data::PrivateData;
use crate::convert_list::*;
use crate::interfaces::{ID3D12CommandList, ID3D12GraphicsCommandList};
use crate::unsafe_abi::{
    self, CpuDescriptor, DiscardRegion, GpuDescriptor, Hresult, In, Interface, ResourceBarrier, Words,
};
use taut_schemas::format::Format;
use taut_schemas::{
    Bytes, CommandListId, CommandListType, GpuDescriptorHandle, GpuVirtualAddress, HResultCode, SubresourceRange, d3d12,
};

/// ID3D12GraphicsCommandList to ID3D12GraphicsCommandList2.
pub struct CommandList {
    pub device: &'static DeviceHold,
    pub data: PrivateData,
    pub id: CommandListId,
    pub list_type: CommandListType,
}

child!(
    CommandList: ID3D12GraphicsCommandList2Table of [
        ID3D12CommandList, ID3D12GraphicsCommandList, ID3D12GraphicsCommandList1, ID3D12GraphicsCommandList2
    ],
    object |list| list.id.into(),
    release |list| {
        let _ = list.device.world.call(d3d12::ReleaseCommandList { command_list: list.id });
    }
);

impl ID3D12CommandList for CommandList {
    fn get_type(&self) -> u32 {
        self.list_type.0
    }
}

/// The id of an object that a method names. NULL is the null id; a foreign or released object makes the command invalid.
macro_rules! named {
    ($interface:expr, $Class:ident) => {{
        let interface: Interface = $interface;
        match interface.class::<$Class>() {
            Some(object) => object.id,
            None if interface.is_null() => Default::default(),
            None => return None,
        }
    }};
}

/// The id of an object that a method requires.
macro_rules! required {
    ($interface:expr, $Class:ident) => {
        $interface.class::<$Class>()?.id
    };
}
pub(super) use required;

/// Records a command. A field that is `None` makes it invalid: the list fails to close.
macro_rules! record {
    ($list:ident, $Call:ident { $($field:ident $(: $value:expr)?),* $(,)? }) => {{
        let call = || Some(d3d12::$Call { command_list: $list.id, $( $field $(: $value)?, )* });
        // Commands return nothing; an error is in the trace.
        let _ = match call() {
            Some(call) => $list.device.world.call(call),
            None => {
                let (command_list, method) = ($list.id, stringify!($Call).to_owned());
                $list.device.world.call(d3d12::InvalidCommand { command_list, method })
            }
        };
    }};
}
pub(super) use record;

/// Methods with the same arguments, one for dispatches and one for draws.
macro_rules! both_pipelines {
    ($(
        $compute:ident $Compute:ident, $graphics:ident $Graphics:ident
        ($($argument:ident: $Type:ty),*) { $($field:ident: $value:expr),* $(,)? }
    )*) => { $(
        fn $compute(&self, $($argument: $Type),*) {
            record!(self, $Compute { $($field: $value),* });
        }

        fn $graphics(&self, $($argument: $Type),*) {
            record!(self, $Graphics { $($field: $value),* });
        }
    )* };
}

impl ID3D12GraphicsCommandList for CommandList {
    fn close(&self) -> Hresult {
        self.device.world.call(d3d12::CloseCommandList { command_list: self.id }).into()
    }

    fn reset(&self, allocator: Interface, initial_state: Interface) -> Hresult {
        let Some(allocator) = allocator.class::<CommandAllocator>() else { return HResultCode::E_INVALIDARG.into() };
        let Some(initial_state) = PipelineState::optional(initial_state) else {
            return HResultCode::E_INVALIDARG.into();
        };
        let reset = d3d12::ResetCommandList { command_list: self.id, command_allocator: allocator.id, initial_state };
        self.device.world.call(reset).into()
    }

    fn clear_state(&self, pipeline_state: Interface) {
        record!(self, ClearCommandListState { pipeline_state: named!(pipeline_state, PipelineState) });
    }

    fn draw_instanced(&self, vertices: u32, instance_count: u32, start_vertex: u32, start_instance: u32) {
        record!(
            self,
            DrawInstanced {
                vertex_count_per_instance: vertices,
                instance_count,
                start_vertex_location: start_vertex,
                start_instance_location: start_instance,
            }
        );
    }

    fn draw_indexed_instanced(&self, indices: u32, instance_count: u32, start: u32, base: i32, start_instance: u32) {
        record!(
            self,
            DrawIndexedInstanced {
                index_count_per_instance: indices,
                instance_count,
                start_index_location: start,
                base_vertex_location: base.cast_unsigned(),
                start_instance_location: start_instance,
            }
        );
    }

    fn dispatch(&self, thread_group_count_x: u32, thread_group_count_y: u32, thread_group_count_z: u32) {
        record!(self, Dispatch { thread_group_count_x, thread_group_count_y, thread_group_count_z });
    }

    fn copy_buffer_region(&self, dst: Interface, dst_offset_bytes: u64, src: Interface, src_offset: u64, bytes: u64) {
        record!(
            self,
            CopyBufferRegion {
                dst_buffer: required!(dst, Resource),
                dst_offset_bytes,
                src_buffer: required!(src, Resource),
                src_offset_bytes: src_offset,
                num_bytes: bytes,
            }
        );
    }

    fn copy_texture_region(
        &self,
        dst: In<unsafe_abi::TextureCopyLocation>,
        dst_x: u32,
        dst_y: u32,
        dst_z: u32,
        src: In<unsafe_abi::TextureCopyLocation>,
        src_box: In<unsafe_abi::CopyBox>,
    ) {
        let location = |location: In<unsafe_abi::TextureCopyLocation>| {
            let location = location.get()?;
            Some(copy_location(location, required!(location.resource, Resource)))
        };
        // Not both may be buffers.
        let locations = location(dst).zip(location(src)).filter(|(dst, src)| dst.copy_type == 0 || src.copy_type == 0);
        let src_box = src_box.get().map(copy_box);
        record!(self, CopyTextureRegion { dst: locations?.0, dst_x, dst_y, dst_z, src: locations?.1, src_box });
    }

    fn copy_resource(&self, dst: Interface, src: Interface) {
        record!(self, CopyResource { dst_resource: required!(dst, Resource), src_resource: required!(src, Resource) });
    }

    fn copy_tiles(
        &self,
        tiled_resource: Interface,
        region_start: In<unsafe_abi::TiledCoordinate>,
        region_size: In<unsafe_abi::TileRegionSize>,
        buffer: Interface,
        buffer_start_offset_bytes: u64,
        flags: u32,
    ) {
        record!(
            self,
            CopyTiles {
                tiled_resource: required!(tiled_resource, Resource),
                region_start: tiled_coordinate(region_start.get()?),
                region_size: tile_region_size(region_size.get()?),
                buffer: required!(buffer, Resource),
                buffer_start_offset_bytes,
                flags,
            }
        );
    }

    fn resolve_subresource(&self, dst: Interface, dst_subresource: u32, src: Interface, src_index: u32, format: u32) {
        record!(
            self,
            ResolveSubresource {
                dst_resource: required!(dst, Resource),
                dst_subresource,
                src_resource: required!(src, Resource),
                src_subresource: src_index,
                format: Format(format),
            }
        );
    }

    fn ia_set_primitive_topology(&self, primitive_topology: u32) {
        record!(self, IASetPrimitiveTopology { primitive_topology });
    }

    fn rs_set_viewports(&self, count: u32, viewports: In<unsafe_abi::Viewport>) {
        record!(self, RSSetViewports { viewports: limited(viewports, count, MAX_VIEWPORTS, viewport)? });
    }

    fn rs_set_scissor_rects(&self, count: u32, rects: In<unsafe_abi::Rect>) {
        record!(self, RSSetScissorRects { rects: limited(rects, count, MAX_VIEWPORTS, rect)? });
    }

    fn om_set_blend_factor(&self, factor: In<Words>) {
        let blend_factor = factor.get().map(|factor| factor.words.to_vec()).unwrap_or_default();
        record!(self, OMSetBlendFactor { blend_factor });
    }

    fn om_set_stencil_ref(&self, stencil_ref: u32) {
        record!(self, OMSetStencilRef { stencil_ref });
    }

    fn set_pipeline_state(&self, pipeline_state: Interface) {
        record!(self, SetPipelineState { pipeline_state: named!(pipeline_state, PipelineState) });
    }

    fn resource_barrier(&self, count: u32, barriers: In<ResourceBarrier>) {
        let barriers = elements(barriers, count, barrier);
        record!(self, ResourceBarrier { barriers: barriers?.into_iter().collect::<Option<_>>()? });
    }

    fn execute_bundle(&self, bundle: Interface) {
        record!(self, ExecuteBundle { bundle: required!(bundle, CommandList) });
    }

    fn set_descriptor_heaps(&self, count: u32, heaps: In<Interface>) {
        let id = |heap: Interface| heap.class::<DescriptorHeap>().map(|heap| heap.id);
        let ids = limited(heaps, count, MAX_DESCRIPTOR_HEAPS, id);
        record!(self, SetDescriptorHeaps { descriptor_heaps: ids?.into_iter().collect::<Option<_>>()? });
    }

    both_pipelines! {
        set_compute_root_signature SetComputeRootSignature,
        set_graphics_root_signature SetGraphicsRootSignature (signature: Interface) {
            root_signature: named!(signature, RootSignature),
        }
        set_compute_root_descriptor_table SetComputeRootDescriptorTable,
        set_graphics_root_descriptor_table SetGraphicsRootDescriptorTable (parameter: u32, base: GpuDescriptor) {
            root_parameter_index: parameter, base_descriptor: GpuDescriptorHandle(base.address),
        }
        set_compute_root_32_bit_constant SetComputeRoot32BitConstant,
        set_graphics_root_32_bit_constant SetGraphicsRoot32BitConstant (parameter: u32, data: u32, offset: u32) {
            root_parameter_index: parameter, src_data: data, dest_offset_in_32bit_values: offset,
        }
        set_compute_root_32_bit_constants SetComputeRoot32BitConstants,
        set_graphics_root_32_bit_constants SetGraphicsRoot32BitConstants (
            parameter: u32, count: u32, data: In<u8>, offset: u32
        ) {
            root_parameter_index: parameter,
            src_data: elements(data.words(), count, |word| word)?,
            dest_offset_in_32bit_values: offset,
        }
        set_compute_root_constant_buffer_view SetComputeRootConstantBufferView,
        set_graphics_root_constant_buffer_view SetGraphicsRootConstantBufferView (parameter: u32, address: u64) {
            root_parameter_index: parameter, buffer_location: GpuVirtualAddress(address),
        }
        set_compute_root_shader_resource_view SetComputeRootShaderResourceView,
        set_graphics_root_shader_resource_view SetGraphicsRootShaderResourceView (parameter: u32, address: u64) {
            root_parameter_index: parameter, buffer_location: GpuVirtualAddress(address),
        }
        set_compute_root_unordered_access_view SetComputeRootUnorderedAccessView,
        set_graphics_root_unordered_access_view SetGraphicsRootUnorderedAccessView (parameter: u32, address: u64) {
            root_parameter_index: parameter, buffer_location: GpuVirtualAddress(address),
        }
    }

    fn ia_set_index_buffer(&self, view: In<unsafe_abi::IndexBufferView>) {
        record!(self, IASetIndexBuffer { view: view.get().map(index_buffer_view) });
    }

    fn ia_set_vertex_buffers(&self, start_slot: u32, num_views: u32, views: In<unsafe_abi::VertexBufferView>) {
        record!(
            self,
            IASetVertexBuffers {
                start_slot,
                views: optional_elements(views, num_views, MAX_VERTEX_BUFFERS, vertex_buffer_view)?,
                num_views,
            }
        );
    }

    fn so_set_targets(&self, start_slot: u32, num_views: u32, views: In<unsafe_abi::StreamOutputBufferView>) {
        let views = optional_elements(views, num_views, MAX_STREAMS, stream_output_view);
        record!(self, SOSetTargets { start_slot, views: views?, num_views });
    }

    fn om_set_render_targets(&self, count: u32, targets: In<CpuDescriptor>, is_range: u32, depth: In<CpuDescriptor>) {
        let read = if is_range == 0 { count } else { count.min(1) };
        record!(
            self,
            OMSetRenderTargets {
                render_targets: limited(targets, read, MAX_RENDER_TARGETS, descriptor)?,
                num_render_targets: count,
                single_handle_to_descriptor_range: is_range != 0,
                depth_stencil: depth.get().map(descriptor),
            }
        );
    }

    fn clear_depth_stencil_view(
        &self,
        view: CpuDescriptor,
        clear_flags: u32,
        depth: f32,
        stencil: u8,
        num_rects: u32,
        rects: In<unsafe_abi::Rect>,
    ) {
        record!(
            self,
            ClearDepthStencilView {
                depth_stencil_view: descriptor(view),
                clear_flags,
                depth: depth.to_bits(),
                stencil,
                rects: clear_rects(rects, num_rects)?,
                view: self.device.world.views.get(view),
            }
        );
    }

    fn clear_render_target_view(&self, view: CpuDescriptor, color: In<Words>, count: u32, rects: In<unsafe_abi::Rect>) {
        record!(
            self,
            ClearRenderTargetView {
                render_target_view: descriptor(view),
                color: color.get().map(clear_words)?,
                rects: clear_rects(rects, count)?,
                view: self.device.world.views.get(view),
            }
        );
    }

    fn clear_unordered_access_view_uint(
        &self,
        gpu: GpuDescriptor,
        cpu: CpuDescriptor,
        resource: Interface,
        values: In<Words>,
        num_rects: u32,
        rects: In<unsafe_abi::Rect>,
    ) {
        record!(
            self,
            ClearUnorderedAccessViewUint {
                view_gpu_handle: GpuDescriptorHandle(gpu.address),
                view_cpu_handle: descriptor(cpu),
                resource: required!(resource, Resource),
                values: values.get().map(clear_words)?,
                rects: clear_rects(rects, num_rects)?,
                view: self.device.world.views.get(cpu),
            }
        );
    }

    fn clear_unordered_access_view_float(
        &self,
        gpu: GpuDescriptor,
        cpu: CpuDescriptor,
        resource: Interface,
        values: In<Words>,
        num_rects: u32,
        rects: In<unsafe_abi::Rect>,
    ) {
        record!(
            self,
            ClearUnorderedAccessViewFloat {
                view_gpu_handle: GpuDescriptorHandle(gpu.address),
                view_cpu_handle: descriptor(cpu),
                resource: required!(resource, Resource),
                values: values.get().map(clear_words)?,
                rects: clear_rects(rects, num_rects)?,
                view: self.device.world.views.get(cpu),
            }
        );
    }

    fn discard_resource(&self, resource: Interface, region: In<DiscardRegion>) {
        let region = region.get();
        let subresources = region.map(|DiscardRegion { first_subresource, num_subresources, .. }| SubresourceRange {
            first_subresource,
            num_subresources,
        });
        let rects = region.map_or_else(|| Some(Vec::new()), |region| clear_rects(region.rects, region.num_rects));
        record!(self, DiscardResource { resource: required!(resource, Resource), subresources, rects: rects? });
    }

    fn begin_query(&self, heap: Interface, query_type: u32, index: u32) {
        record!(self, BeginQuery { query_heap: required!(heap, QueryHeap), query_type, index });
    }

    fn end_query(&self, heap: Interface, query_type: u32, index: u32) {
        record!(self, EndQuery { query_heap: required!(heap, QueryHeap), query_type, index });
    }

    fn resolve_query_data(
        &self,
        heap: Interface,
        query_type: u32,
        start_index: u32,
        num_queries: u32,
        destination: Interface,
        offset: u64,
    ) {
        record!(
            self,
            ResolveQueryData {
                query_heap: required!(heap, QueryHeap),
                query_type,
                start_index,
                num_queries,
                destination_buffer: required!(destination, Resource),
                aligned_destination_buffer_offset_bytes: offset,
            }
        );
    }

    fn set_predication(&self, buffer: Interface, aligned_buffer_offset_bytes: u64, operation: u32) {
        record!(self, SetPredication { buffer: named!(buffer, Resource), aligned_buffer_offset_bytes, operation });
    }

    fn set_marker(&self, metadata: u32, data: In<u8>, size: u32) {
        record!(self, SetMarker { metadata, data: Bytes(elements(data, size, |byte| byte)?) });
    }

    fn begin_event(&self, metadata: u32, data: In<u8>, size: u32) {
        record!(self, BeginEvent { metadata, data: Bytes(elements(data, size, |byte| byte)?) });
    }

    fn end_event(&self) {
        record!(self, EndEvent {});
    }

    fn execute_indirect(
        &self,
        signature: Interface,
        max_command_count: u32,
        arguments: Interface,
        argument_offset: u64,
        count: Interface,
        count_offset: u64,
    ) {
        record!(
            self,
            ExecuteIndirect {
                command_signature: required!(signature, CommandSignature),
                max_command_count,
                argument_buffer: required!(arguments, Resource),
                argument_buffer_offset_bytes: argument_offset,
                count_buffer: named!(count, Resource),
                count_buffer_offset_bytes: count_offset,
            }
        );
    }
}
