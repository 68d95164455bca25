//! Devices.

use super::child::object_methods;
use super::command_allocator::CommandAllocator;
use super::command_list::CommandList;
use super::command_queue::CommandQueue;
use super::creation::{created, refused};
use super::features;
use super::fence::Fence;
use super::footprints::Footprints;
use super::hold::{DeviceHold, give_device};
use super::memory::{Heap, Resource};
use super::pipeline_object::{CommandSignature, DescriptorHeap, PipelineState, QueryHeap, RootSignature};
use super::private_data::PrivateData;
use super::tiling::Outputs;
use crate::interfaces::*;
use crate::unsafe_abi::{
    AllocationInfo, Class, ClearValue, CommandQueueDesc, CommandSignatureDesc, ComputePipelineHead,
    ConstantBufferViewDesc, CpuDescriptor, DepthStencilViewDesc, DescriptorHeapDesc, DestructionCallbacks, EventFd,
    GraphicsPipelineHead, Guid, HeapDesc, HeapProperties, Hresult, In, Interface, Luid, Opaque, Out, OutPointer,
    PackedMipInfo, PlacedFootprint, QueryHeapDesc, RenderTargetViewDesc, ResourceDesc, SamplerDesc,
    ShaderResourceViewDesc, SubresourceTiling, TablePointer, Tables, TileShape, UnorderedAccessViewDesc, WideText,
    notifier_table,
};
use crate::views::{self, Viewed};
use crate::world::World;
use crate::{convert, convert_list};
use taut_schemas::format::Format;
use taut_schemas::{
    Bytes, CommandListType, DescriptorHeapType, FenceFlags, HResultCode, HeapFlags, HeapType, ObjectId, OpaqueStage,
    d3d12,
};

/// Stages of the shaders of a D3D12_GRAPHICS_PIPELINE_STATE_DESC, in their order.
const STAGES: [OpaqueStage; 5] =
    [OpaqueStage::VERTEX, OpaqueStage::PIXEL, OpaqueStage::DOMAIN, OpaqueStage::HULL, OpaqueStage::GEOMETRY];

/// ID3D12Device3.
pub struct Device {
    pub(super) hold: &'static DeviceHold,
}

impl Device {
    /// Gives the device of an adapter to the client; creates it unless it exists.
    pub fn give(
        world: &'static World,
        create_device: d3d12::CreateDevice,
        id: Option<Guid>,
        out: OutPointer,
    ) -> Hresult {
        give_device(world, create_device, id, out, |hold| Device { hold })
    }
}

impl Class for Device {
    const INTERFACES: &'static [Guid] = &[
        <Device as ID3D12Object>::IID,
        <Device as ID3D12Device>::IID,
        <Device as ID3D12Device1>::IID,
        <Device as ID3D12Device2>::IID,
        <Device as ID3D12Device3>::IID,
    ];

    fn table() -> TablePointer {
        static TABLES: Tables<ID3D12Device3Table> = ID3D12Device3Table::of::<Device>();
        TablePointer::new(&TABLES)
    }

    fn notifier_table() -> TablePointer {
        notifier_table::<Device>()
    }

    fn destruction_callbacks(&self) -> Option<&dyn DestructionCallbacks> {
        Some(&self.hold.data)
    }

    fn released(&self) {
        self.hold.release();
        self.hold.data.destroy();
    }
}

// The runtime names objects of a device only.
object_methods!(Device, data | device | &device.hold.data, hold | device | device.hold, object | _ | ObjectId::NULL);

impl ID3D12Device for Device {
    fn get_node_count(&self) -> u32 {
        1
    }

    fn create_command_queue(&self, desc: In<CommandQueueDesc>, id: In<Guid>, out: OutPointer) -> Hresult {
        let Some(desc) = desc.get() else { return refused(out) };
        created(self.hold, id, out, || {
            let create = d3d12::CreateCommandQueue { device: self.hold.id, desc: convert::queue_desc(desc) };
            self.hold.world.call(create).map(|id| CommandQueue {
                device: self.hold,
                data: PrivateData::default(),
                id,
                desc,
            })
        })
    }

    fn create_command_allocator(&self, kind: u32, id: In<Guid>, out: OutPointer) -> Hresult {
        created(self.hold, id, out, || {
            let create = d3d12::CreateCommandAllocator { device: self.hold.id, list_type: CommandListType(kind) };
            self.hold.world.call(create).map(|id| CommandAllocator {
                device: self.hold,
                data: PrivateData::default(),
                id,
            })
        })
    }

    fn create_graphics_pipeline_state(&self, desc: In<GraphicsPipelineHead>, id: In<Guid>, out: OutPointer) -> Hresult {
        let Some(desc) = desc.get() else { return refused(out) };
        let Some(root_signature) = RootSignature::optional(desc.root_signature) else { return refused(out) };
        created(self.hold, id, out, || {
            let shaders = STAGES.into_iter().zip(desc.shaders);
            let shaders = shaders.filter_map(|(stage, shader)| convert_list::shader(stage, shader)).collect();
            let device = self.hold.id;
            let create = d3d12::CreateOpaqueGraphicsPipelineState { device, root_signature, shaders };
            self.hold.world.call(create).map(|id| PipelineState { device: self.hold, data: PrivateData::default(), id })
        })
    }

    fn create_compute_pipeline_state(&self, desc: In<ComputePipelineHead>, id: In<Guid>, out: OutPointer) -> Hresult {
        let Some(desc) = desc.get() else { return refused(out) };
        let Some(root_signature) = RootSignature::optional(desc.root_signature) else { return refused(out) };
        created(self.hold, id, out, || {
            let shaders = convert_list::shader(OpaqueStage::COMPUTE, desc.shader).into_iter().collect();
            let device = self.hold.id;
            let create = d3d12::CreateOpaqueComputePipelineState { device, root_signature, shaders };
            self.hold.world.call(create).map(|id| PipelineState { device: self.hold, data: PrivateData::default(), id })
        })
    }

    fn create_command_list(
        &self,
        node_mask: u32,
        kind: u32,
        allocator: Interface,
        initial_state: Interface,
        id: In<Guid>,
        out: OutPointer,
    ) -> Hresult {
        let Some(allocator) = allocator.class::<CommandAllocator>() else { return refused(out) };
        let Some(initial_state) = PipelineState::optional(initial_state) else { return refused(out) };
        created(self.hold, id, out, || {
            let list_type = CommandListType(kind);
            let create = d3d12::CreateCommandList {
                device: self.hold.id,
                node_mask,
                list_type,
                command_allocator: allocator.id,
                initial_state,
            };
            self.hold.world.call(create).map(|id| CommandList {
                device: self.hold,
                data: PrivateData::default(),
                id,
                list_type,
            })
        })
    }

    fn check_feature_support(&self, feature: u32, data: Out<u8>, size: u32) -> Hresult {
        features::check(self.hold, feature, data, size).into()
    }

    fn create_descriptor_heap(&self, desc: In<DescriptorHeapDesc>, id: In<Guid>, out: OutPointer) -> Hresult {
        let Some(desc) = desc.get() else { return refused(out) };
        created(self.hold, id, out, || {
            let desc = convert_list::descriptor_heap(desc);
            let id = self.hold.world.call(d3d12::CreateDescriptorHeap { device: self.hold.id, desc })?;
            Ok(DescriptorHeap { device: self.hold, data: PrivateData::default(), id })
        })
    }

    fn get_descriptor_handle_increment_size(&self, heap_type: u32) -> u32 {
        let get =
            d3d12::GetDescriptorHandleIncrementSize { device: self.hold.id, heap_type: DescriptorHeapType(heap_type) };
        self.hold.world.call(get).map_or(0, |bytes| bytes as u32)
    }

    fn create_root_signature(
        &self,
        node_mask: u32,
        blob: In<u8>,
        length: usize,
        id: In<Guid>,
        out: OutPointer,
    ) -> Hresult {
        let blob = blob.list(length).filter(|blob| !blob.is_empty());
        let Some(blob) = blob.map(Bytes) else { return refused(out) };
        created(self.hold, id, out, || {
            let create = d3d12::CreateRootSignature { device: self.hold.id, node_mask, blob };
            self.hold.world.call(create).map(|id| RootSignature { device: self.hold, data: PrivateData::default(), id })
        })
    }

    fn create_constant_buffer_view(&self, desc: In<ConstantBufferViewDesc>, _: CpuDescriptor) {
        let desc = desc.get().map(convert::constant_buffer_view);
        // Creation of a view returns nothing; an error is in the trace.
        let _ = self.hold.world.call(d3d12::CreateConstantBufferView { device: self.hold.id, desc });
    }

    fn create_shader_resource_view(&self, resource: Interface, desc: In<ShaderResourceViewDesc>, _: CpuDescriptor) {
        let Some(Viewed { id: resource, .. }) = Resource::viewed(resource) else { return };
        let desc = desc.get().map(convert::shader_resource_view);
        let _ = self.hold.world.call(d3d12::CreateShaderResourceView { device: self.hold.id, resource, desc });
    }

    fn create_unordered_access_view(
        &self,
        resource: Interface,
        counter: Interface,
        desc: In<UnorderedAccessViewDesc>,
        dest: CpuDescriptor,
    ) {
        let (Some(viewed), Some(counter)) = (Resource::viewed(resource), Resource::viewed(counter)) else {
            return;
        };
        self.hold.world.views.set(dest, views::unordered_access(viewed, desc.get()));
        let (device, desc) = (self.hold.id, desc.get().map(convert::unordered_access_view));
        let (resource, counter_resource) = (viewed.id, counter.id);
        let create = d3d12::CreateUnorderedAccessView { device, resource, counter_resource, desc };
        let _ = self.hold.world.call(create);
    }

    fn create_render_target_view(&self, resource: Interface, desc: In<RenderTargetViewDesc>, dest: CpuDescriptor) {
        let Some(viewed) = Resource::viewed(resource) else { return };
        self.hold.world.views.set(dest, views::render_target(viewed, desc.get()));
        let format = Format(desc.get().map_or(0, |desc| desc.format));
        let create = d3d12::CreateRenderTargetView { device: self.hold.id, resource: viewed.id, format };
        let _ = self.hold.world.call(create);
    }

    fn create_depth_stencil_view(&self, resource: Interface, desc: In<DepthStencilViewDesc>, dest: CpuDescriptor) {
        let Some(viewed) = Resource::viewed(resource) else { return };
        self.hold.world.views.set(dest, views::depth_stencil(viewed, desc.get()));
        let (resource, format) = (viewed.id, Format(desc.get().map_or(0, |desc| desc.format)));
        let (device, dest_descriptor) = (self.hold.id, convert_list::descriptor(dest));
        let _ = self.hold.world.call(d3d12::CreateDepthStencilView { device, resource, format, dest_descriptor });
    }

    fn create_sampler(&self, desc: In<SamplerDesc>, dest: CpuDescriptor) {
        let Some(desc) = desc.get().map(convert_list::sampler) else { return };
        let dest_descriptor = convert_list::descriptor(dest);
        let _ = self.hold.world.call(d3d12::CreateSampler { device: self.hold.id, desc, dest_descriptor });
    }

    fn copy_descriptors(
        &self,
        num_dest: u32,
        dest_starts: In<CpuDescriptor>,
        dest_sizes: In<u32>,
        num_src: u32,
        src_starts: In<CpuDescriptor>,
        src_sizes: In<u32>,
        heap_type: u32,
    ) {
        let dest = convert_list::descriptor_ranges(dest_starts, dest_sizes, num_dest);
        let src = convert_list::descriptor_ranges(src_starts, src_sizes, num_src);
        let (Some(dest_ranges), Some(src_ranges)) = (dest, src) else { return };
        let (device, heap_type) = (self.hold.id, DescriptorHeapType(heap_type));
        self.hold.world.views.copy_ranges(&dest_ranges, &src_ranges, self.hold.descriptor_bytes(heap_type));
        let _ = self.hold.world.call(d3d12::CopyDescriptors { device, dest_ranges, src_ranges, heap_type });
    }

    fn copy_descriptors_simple(&self, count: u32, dest: CpuDescriptor, src: CpuDescriptor, heap_type: u32) {
        let size = self.hold.descriptor_bytes(DescriptorHeapType(heap_type));
        self.hold.world.views.copy(dest, src, count, size);
        let copy = d3d12::CopyDescriptorsSimple {
            device: self.hold.id,
            num_descriptors: count,
            dest_range_start: convert_list::descriptor(dest),
            src_range_start: convert_list::descriptor(src),
            heap_type: DescriptorHeapType(heap_type),
        };
        let _ = self.hold.world.call(copy);
    }

    fn get_resource_allocation_info(&self, visible_mask: u32, count: u32, descs: In<ResourceDesc>) -> AllocationInfo {
        let invalid = AllocationInfo { size: u64::MAX, alignment: 0 };
        let Some(descs) = descs.list(count as usize) else { return invalid };
        let descs = descs.into_iter().map(convert::resource_desc).collect();
        let get = d3d12::GetResourceAllocationInfo { device: self.hold.id, visible_mask, descs };
        let info = self.hold.world.query(get);
        info.map_or(invalid, |info| AllocationInfo { size: info.size_bytes, alignment: info.alignment_bytes })
    }

    fn get_custom_heap_properties(&self, node_mask: u32, heap_type: u32) -> HeapProperties {
        let heap_type = HeapType(heap_type);
        let get = d3d12::GetCustomHeapProperties { device: self.hold.id, node_mask, heap_type };
        self.hold.world.call(get).map(convert::header_heap_properties).unwrap_or_default()
    }

    fn create_committed_resource(
        &self,
        heap_properties: In<HeapProperties>,
        heap_flags: u32,
        desc: In<ResourceDesc>,
        initial_state: u32,
        clear_value: In<ClearValue>,
        id: In<Guid>,
        out: OutPointer,
    ) -> Hresult {
        let (Some(properties), Some(desc)) = (heap_properties.get(), desc.get()) else {
            return refused(out);
        };
        created(self.hold, id, out, || {
            let create = d3d12::CreateCommittedResource {
                device: self.hold.id,
                heap_properties: convert::heap_properties(properties),
                heap_flags: HeapFlags(heap_flags),
                desc: convert::resource_desc(desc),
                initial_state,
                clear_value: clear_value.get().map(convert::clear_value),
            };
            Resource::created(self.hold, create, desc.format, Some((properties, HeapFlags(heap_flags))))
        })
    }

    fn create_heap(&self, desc: In<HeapDesc>, id: In<Guid>, out: OutPointer) -> Hresult {
        let Some(desc) = desc.get() else { return refused(out) };
        created(self.hold, id, out, || {
            let create = d3d12::CreateHeap { device: self.hold.id, desc: convert::heap_desc(desc) };
            let id = self.hold.world.call(create)?;
            Ok(Heap { device: self.hold, data: PrivateData::default(), id, desc })
        })
    }

    fn create_placed_resource(
        &self,
        heap: Interface,
        heap_offset_bytes: u64,
        desc: In<ResourceDesc>,
        initial_state: u32,
        clear_value: In<ClearValue>,
        id: In<Guid>,
        out: OutPointer,
    ) -> Hresult {
        let (Some(heap), Some(desc)) = (heap.class::<Heap>(), desc.get()) else {
            return refused(out);
        };
        created(self.hold, id, out, || {
            let create = d3d12::CreatePlacedResource {
                device: self.hold.id,
                heap: heap.id,
                heap_offset_bytes,
                desc: convert::resource_desc(desc),
                initial_state,
                clear_value: clear_value.get().map(convert::clear_value),
            };
            Resource::created(self.hold, create, desc.format, Some((heap.desc.properties, HeapFlags(heap.desc.flags))))
        })
    }

    fn create_reserved_resource(
        &self,
        desc: In<ResourceDesc>,
        initial_state: u32,
        clear_value: In<ClearValue>,
        id: In<Guid>,
        out: OutPointer,
    ) -> Hresult {
        let Some(desc) = desc.get() else { return refused(out) };
        created(self.hold, id, out, || {
            let create = d3d12::CreateReservedResource {
                device: self.hold.id,
                desc: convert::resource_desc(desc),
                initial_state,
                clear_value: clear_value.get().map(convert::clear_value),
            };
            Resource::created(self.hold, create, desc.format, None)
        })
    }

    fn create_shared_handle(&self, _: Interface, _: Opaque, _: u32, _: WideText, handle: Out<EventFd>) -> Hresult {
        ID3D12DeviceTable::create_shared_handle().count();
        handle.set(EventFd::default());
        HResultCode::DXGI_ERROR_UNSUPPORTED.into()
    }

    fn open_shared_handle(&self, _: EventFd, _: In<Guid>, out: OutPointer) -> Hresult {
        // Since no handle is created, each one is invalid.
        refused(out)
    }

    fn open_shared_handle_by_name(&self, _: WideText, _: u32, handle: Out<EventFd>) -> Hresult {
        handle.set(EventFd::default());
        HResultCode::E_INVALIDARG.into()
    }

    fn make_resident(&self, count: u32, objects: In<Interface>) -> Hresult {
        let Some(objects) = Device::pageable(count, objects) else { return HResultCode::E_INVALIDARG.into() };
        self.hold.world.call(d3d12::MakeResident { device: self.hold.id, objects }).into()
    }

    fn evict(&self, count: u32, objects: In<Interface>) -> Hresult {
        let Some(objects) = Device::pageable(count, objects) else { return HResultCode::E_INVALIDARG.into() };
        self.hold.world.call(d3d12::Evict { device: self.hold.id, objects }).into()
    }

    fn create_fence(&self, initial_value: u64, flags: u32, id: In<Guid>, out: OutPointer) -> Hresult {
        created(self.hold, id, out, || {
            let create = d3d12::CreateFence { device: self.hold.id, initial_value, flags: FenceFlags(flags) };
            self.hold.world.call(create).map(|id| Fence { device: self.hold, data: PrivateData::default(), id })
        })
    }

    fn get_device_removed_reason(&self) -> Hresult {
        self.hold.world.call(d3d12::GetDeviceRemovedReason { device: self.hold.id }).into()
    }

    fn get_copyable_footprints(
        &self,
        desc: In<ResourceDesc>,
        first_subresource: u32,
        num_subresources: u32,
        base_offset_bytes: u64,
        layouts: Out<PlacedFootprint>,
        num_rows: Out<u32>,
        row_sizes: Out<u64>,
        total: Out<u64>,
    ) {
        let get = d3d12::GetCopyableFootprints {
            device: self.hold.id,
            desc: desc.get().map(convert::resource_desc).unwrap_or_default(),
            first_subresource,
            num_subresources,
            base_offset_bytes,
        };
        let footprints = if desc.is_null() { None } else { self.hold.world.query(get).ok() };
        Footprints { layouts, num_rows, row_sizes, total }.set(footprints, num_subresources);
    }

    fn create_query_heap(&self, desc: In<QueryHeapDesc>, id: In<Guid>, out: OutPointer) -> Hresult {
        let Some(desc) = desc.get() else { return refused(out) };
        created(self.hold, id, out, || {
            let desc = convert_list::query_heap(desc);
            let id = self.hold.world.call(d3d12::CreateQueryHeap { device: self.hold.id, desc })?;
            Ok(QueryHeap { device: self.hold, data: PrivateData::default(), id })
        })
    }

    fn set_stable_power_state(&self, _: u32) -> Hresult {
        ID3D12DeviceTable::set_stable_power_state().count();
        HResultCode::S_OK.into()
    }

    fn create_command_signature(
        &self,
        desc: In<CommandSignatureDesc>,
        root_signature: Interface,
        id: In<Guid>,
        out: OutPointer,
    ) -> Hresult {
        let Some(desc) = desc.get() else { return refused(out) };
        let Some(root_signature) = RootSignature::optional(root_signature) else { return refused(out) };
        let types = convert_list::elements(desc.arguments, desc.num_arguments, |argument| argument.argument_type);
        let Some(types) = types else { return refused(out) };
        created(self.hold, id, out, || {
            let create = d3d12::CreateCommandSignature {
                device: self.hold.id,
                desc: taut_schemas::CommandSignatureDesc { stride_bytes: desc.stride, node_mask: desc.node_mask },
                argument_types: types,
                root_signature,
            };
            self.hold.world.call(create).map(|id| CommandSignature {
                device: self.hold,
                data: PrivateData::default(),
                id,
            })
        })
    }

    fn get_resource_tiling(
        &self,
        resource: Interface,
        num_tiles: Out<u32>,
        packed_mips: Out<PackedMipInfo>,
        tile_shape: Out<TileShape>,
        num_tilings: Out<u32>,
        first_tiling: u32,
        tilings: Out<SubresourceTiling>,
    ) {
        let outputs = Outputs { num_tiles, packed_mips, tile_shape, num_tilings, first_tiling, tilings };
        outputs.set(Resource::reserved_desc(resource).as_ref());
    }

    fn get_adapter_luid(&self) -> Luid {
        super::dxcore::luid(self.hold.adapter)
    }
}
