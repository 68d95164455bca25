//! DDI functions of the driver model for handles per context. The model keeps its state in the private memory of its
//! handles and answers every call from there.
//!
//! Every handle begins with the object's handle of the immediate context; that handle itself begins with its own
//! address.

use super::contexts_field_table::FieldUse;
use super::contexts_lines::{plain_commands, plain_objects, view_commands, view_objects};
use super::contexts_profile::ContextHandles;
use super::contexts_table::table;
use super::d3d11_model;
use super::model::Model;
use super::profile::Profile;
use taut_schemas::Call;
use taut_schemas::{
    BindFlags, ContextCallbacks, CpuAddress, D3d11DdiResourceDesc, D3d11ResourceLayout, DriverHandle, FunctionTable,
    HResult, HResultCode, HandleSize, HandleSizes, HandleType, PrivateSize, RecordedCommands, ShaderStage,
    SharedMapData, ThreadingCaps, TileFormat, d3d11_callbacks::SetError, d3d11_context_ddi as ddi, d3d11_ddi,
};

/// Core-layer handle that belongs to no context.
pub(super) const NO_CORE_LAYER: DriverHandle = DriverHandle(u64::MAX);
/// Offset of the counter of size queries in an object's handle of the immediate context.
const SIZE_QUERIES: u64 = 128;
/// Offset in a handle of the object's handle of the immediate context; in a context, of the number of recorded
/// commands.
pub(super) const IC_HANDLE: u64 = 0;
pub(super) const COMMANDS: u64 = 0;
/// Offset in a view's handle of the resource's handle in the same context, if there is room; in a context and in a
/// command list, of the digest of the commands.
pub(super) const DEPENDENCY: u64 = 8;
pub(super) const DIGEST: u64 = 8;
/// Offset in a command list's memory of the number of its commands.
pub(super) const LIST_COMMANDS: u64 = 16;
/// Offsets in a context's memory of the used part of its budget, of its core-layer handle and of the flag for deferred
/// contexts.
pub(super) const USED: u64 = 16;
pub(super) const CORE_LAYER: u64 = 24;
pub(super) const IS_DEFERRED: u64 = 32;
/// Offsets in a resource's handle of the immediate context of its bind flags, pitch and size.
const BIND_FLAGS: u64 = 8;
pub(super) const PITCH: u64 = 16;
const SIZE: u64 = 24;

/// Returns the profile's table `[contexts]`. A driver without the table is never called for handles per context.
pub(crate) fn handles(profile: &Profile) -> Option<&ContextHandles> {
    profile.contexts.as_ref()
}

pub(super) type Memory<'m> = &'m mut dyn ContextCallbacks;

pub(super) fn at(handle: DriverHandle, offset: u64) -> u64 {
    handle.0.wrapping_add(offset)
}

/// Hashes eight bytes with FNV-1a into a digest.
fn mix_digest(digest: u64, value: u64) -> u64 {
    value
        .to_le_bytes()
        .iter()
        // Offset basis and prime of 64-bit FNV-1a.
        .fold(digest ^ 0xcbf2_9ce4_8422_2325, |digest, byte| (digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Reports an error of a call on a context.
pub(super) fn report(memory: Memory<'_>, device: DriverHandle, code: HResultCode) {
    let core_layer = DriverHandle(memory.read_u64(at(device, CORE_LAYER)));
    memory.set_error(&SetError { core_layer, code });
}

/// Function-table slot that a faulty driver leaves empty.
const EMPTIED_SLOT: u32 = FunctionTable::stage_slot(ddi::SetShaderResources::ID, ShaderStage::PIXEL);

/// Returns the object's handle of the immediate context for a handle of any context; 0 for a null handle.
fn object(memory: Memory<'_>, handle: DriverHandle) -> u64 {
    if handle.0 == 0 { 0 } else { memory.read_u64(at(handle, IC_HANDLE)) }
}

/// Returns the views of a list of views, each followed by its resource.
fn views_alone(objects: &[u64]) -> Vec<u64> {
    objects.iter().step_by(2).copied().collect()
}

/// Resets a context's command count, digest and used budget.
pub(super) fn reset_context(memory: Memory<'_>, device: DriverHandle) {
    memory.write_u64(at(device, COMMANDS), 0);
    memory.write_u64(at(device, DIGEST), 0);
    memory.write_u64(at(device, USED), 0);
}

impl Model {
    /// Records a command into the context's count and digest: function, argument values and objects.
    fn command(&self, memory: Memory<'_>, device: DriverHandle, line: u16, values: &[u64], objects: &[u64]) {
        if !self.charge(memory, device, self.context_handles(|handles| handles.call_bytes)) {
            return;
        }
        self.apply_command_faults(memory, device, objects);
        let commands = memory.read_u64(at(device, COMMANDS));
        let mut digest = mix_digest(memory.read_u64(at(device, DIGEST)), line.into());
        for value in values.iter().chain(objects) {
            digest = mix_digest(digest, *value);
        }
        memory.write_u64(at(device, COMMANDS), commands + 1);
        memory.write_u64(at(device, DIGEST), digest);
    }

    /// Charges memory to a deferred context's budget. Returns `false` and reports an error if the budget is exceeded.
    pub(super) fn charge(
        &self,
        memory: Memory<'_>,
        device: DriverHandle,
        PrivateSize { size_bytes }: PrivateSize,
    ) -> bool {
        if let Some(code) = self.failure(memory, device) {
            report(memory, device, code);
            return false;
        }
        let PrivateSize { size_bytes: budget_bytes } = self.context_handles(|handles| handles.budget_bytes);
        if budget_bytes == 0 || memory.read_u64(at(device, IS_DEFERRED)) == 0 {
            return true;
        }
        let used = memory.read_u64(at(device, USED)).saturating_add(size_bytes);
        let used = if self.has_failed_permanently(memory, device) { u64::MAX } else { used };
        memory.write_u64(at(device, USED), used);
        if used > budget_bytes {
            let removes = handles(self.profile()).is_some_and(|handles| handles.budget_removes_device);
            let code = if removes { HResultCode::DXGI_ERROR_DEVICE_REMOVED } else { HResultCode::E_OUTOFMEMORY };
            self.report_out_of_memory(memory, device, code);
        }
        used <= budget_bytes
    }

    /// Returns the views, each followed by its resource: read from the view's own handle if there is room for it, else
    /// from the immediate context's.
    fn resolve_views(&self, memory: Memory<'_>, handle_type: HandleType, views: &[DriverHandle]) -> Vec<u64> {
        let has_dependency = self.has_dependency(handle_type);
        let mut objects = Vec::new();
        for view in views {
            let ic = object(memory, *view);
            // A handle without room for the dependency falls back to the immediate context's handle, which has it.
            let through = if has_dependency { *view } else { DriverHandle(ic) };
            let dependency = if ic == 0 { 0 } else { memory.read_u64(at(through, DEPENDENCY)) };
            objects.extend([ic, object(memory, DriverHandle(dependency))]);
        }
        objects
    }

    pub(super) fn context_handles(&self, size: impl Fn(&ContextHandles) -> u64) -> PrivateSize {
        PrivateSize { size_bytes: handles(self.profile()).map_or(0, size) }
    }

    fn deferred_table(&self) -> FunctionTable {
        let mut table = table(false);
        table.slots.retain(|slot| !self.profile().faults.leaves_a_slot_empty || *slot != EMPTIED_SLOT);
        table
    }

    fn object_bytes(&self, handle_type: HandleType) -> PrivateSize {
        self.context_handles(|handles| handles.immediate_size_of(handle_type))
    }
}

/// Returns the answer of Map, read from the resource's handle of the immediate context.
fn mapped(memory: Memory<'_>, resource: DriverHandle, base_address: CpuAddress) -> SharedMapData {
    let ic = DriverHandle(object(memory, resource));
    SharedMapData {
        base_address,
        tile_format: TileFormat::LINEAR,
        pitch_bytes: memory.read_u64(at(ic, PITCH)) as u32,
        size_bytes: memory.read_u64(at(ic, SIZE)),
        ..SharedMapData::default()
    }
}

/// Writes the context's recorded commands into the list's memory.
pub(super) fn write_list_summary(memory: Memory<'_>, deferred: DriverHandle, list: DriverHandle) -> RecordedCommands {
    let (commands, digest) = (memory.read_u64(at(deferred, COMMANDS)), memory.read_u64(at(deferred, DIGEST)));
    memory.write_u64(at(list, IC_HANDLE), list.0);
    memory.write_u64(at(list, DIGEST), digest);
    memory.write_u64(at(list, LIST_COMMANDS), commands);
    RecordedCommands { commands: commands as u32, digest }
}

impl ddi::DeviceFuncs for Model {
    fn get_threading_caps(&self, _: &ddi::GetThreadingCaps) -> ThreadingCaps {
        handles(self.profile()).map_or(ThreadingCaps::NONE, ContextHandles::caps)
    }

    fn calc_private_device_size(&self, _: &ddi::CalcPrivateDeviceSize) -> PrivateSize {
        self.context_handles(|handles| handles.context_bytes)
    }

    fn create_device(&self, memory: Memory<'_>, call: &ddi::CreateDevice) -> HResult<FunctionTable> {
        reset_context(memory, call.device);
        memory.write_u64(at(call.device, CORE_LAYER), call.core_layer.0);
        Ok(table(true))
    }

    fn check_deferred_context_handle_sizes(
        &self,
        memory: Memory<'_>,
        call: &ddi::CheckDeferredContextHandleSizes,
    ) -> HandleSizes {
        let mut sizes = handles(self.profile()).map_or_else(Vec::new, ContextHandles::sizes);
        if self.profile().faults.reports_in_polls && call.capacity.is_some() {
            report(memory, call.device, HResultCode::E_OUTOFMEMORY);
        }
        let is_listed = |size: &HandleSize| size.handle_type != HandleType::COMMANDLIST;
        sizes.retain(|size| !self.profile().faults.omits_list_size || is_listed(size));
        let more = self.profile().faults.polls_one_more && call.capacity.is_some();
        let count = sizes.len() as u32 + u32::from(more);
        HandleSizes { count, sizes: if call.capacity.is_some() { sizes } else { Vec::new() } }
    }

    fn calc_deferred_context_handle_size(
        &self,
        memory: Memory<'_>,
        call: &ddi::CalcDeferredContextHandleSize,
    ) -> PrivateSize {
        let flags = match call.handle_type {
            HandleType::RESOURCE => BindFlags(memory.read_u64(at(call.ic_handle, BIND_FLAGS)) as u32),
            _ => BindFlags::NONE,
        };
        let faults = &self.profile().faults;
        if faults.counts_size_queries && call.handle_type == HandleType::RESOURCE {
            memory.write_u64(at(call.ic_handle, SIZE_QUERIES), 1);
        }
        let PrivateSize { size_bytes } = self.context_handles(|handles| handles.size_of(call.handle_type, flags));
        let is_list = call.handle_type == HandleType::COMMANDLIST;
        if is_list && faults.handle_sizes_change {
            // The parity of the commands that the memory holds distinguishes the first list in it from a later one.
            let commands = memory.read_u64(at(call.ic_handle, LIST_COMMANDS));
            let all = handles(self.profile()).map_or_else(Vec::new, ContextHandles::sizes);
            let of_lists = all.iter().filter(|size| size.handle_type == HandleType::COMMANDLIST);
            let chosen = of_lists.map(|size| size.size_bytes).nth((commands % 2) as usize);
            return PrivateSize { size_bytes: chosen.unwrap_or(size_bytes) };
        }
        PrivateSize { size_bytes: size_bytes + u64::from(is_list && faults.unlisted_handle_sizes) }
    }

    fn calc_private_deferred_context_size(&self, _: &ddi::CalcPrivateDeferredContextSize) -> PrivateSize {
        self.context_handles(ContextHandles::deferred_context_bytes)
    }

    fn create_deferred_context(&self, memory: Memory<'_>, call: &ddi::CreateDeferredContext) -> FunctionTable {
        reset_context(memory, call.deferred_device);
        memory.write_u64(at(call.deferred_device, CORE_LAYER), call.core_layer.0);
        memory.write_u64(at(call.deferred_device, IS_DEFERRED), 1);
        self.release_blocks(memory, call.deferred_device);
        self.apply_context_faults(memory, call);
        self.deferred_table()
    }

    fn recycle_create_deferred_context(
        &self,
        memory: Memory<'_>,
        call: &ddi::RecycleCreateDeferredContext,
    ) -> HResult<FunctionTable> {
        self.recycle(memory, call.deferred_device);
        self.release_blocks(memory, call.deferred_device);
        if let Some(code) = self.failure(memory, call.deferred_device) {
            return Err(code);
        }
        if self.profile().faults.calls_back_when_recycling {
            report(memory, call.device, HResultCode::E_OUTOFMEMORY);
        }
        Ok(self.deferred_table())
    }

    fn destroy_device(&self, _: &ddi::DestroyDevice) {}

    fn calc_private_resource_size(&self, _: &ddi::CalcPrivateResourceSize) -> PrivateSize {
        self.object_bytes(HandleType::RESOURCE)
    }

    fn create_resource(&self, memory: Memory<'_>, call: &ddi::CreateResource) -> HResult<D3d11ResourceLayout> {
        self.begin(memory, call.device, HandleType::RESOURCE, &call.handle);
        let Some(desc) = call.desc else { return Ok(D3d11ResourceLayout::default()) };
        let layout = self.layout(desc)?;
        let handle = call.handle.driver_handle;
        memory.write_u64(at(handle, BIND_FLAGS), desc.bind_flags.0.into());
        memory.write_u64(at(handle, PITCH), layout.pitch_bytes.into());
        memory.write_u64(at(handle, SIZE), layout.size_bytes);
        Ok(layout)
    }

    fn destroy_resource(&self, _: &ddi::DestroyResource) {}

    fn resource_copy(&self, memory: Memory<'_>, call: &ddi::ResourceCopy) {
        let handles = [call.destination, call.source];
        let objects = handles.map(|handle| object(memory, handle));
        self.access_fields(memory, FieldUse { device: call.device, line: ddi::ResourceCopy::ID }, &handles, &objects);
        self.command(memory, call.device, ddi::ResourceCopy::ID, &[], &objects);
    }

    fn staging_resource_map(&self, memory: Memory<'_>, call: &ddi::StagingResourceMap) -> SharedMapData {
        mapped(memory, call.resource, call.base_address)
    }

    fn staging_resource_unmap(&self, _: &ddi::StagingResourceUnmap) {}

    fn dynamic_resource_map(&self, memory: Memory<'_>, call: &ddi::DynamicResourceMap) -> SharedMapData {
        let found = object(memory, call.resource);
        let values = [call.subresource.into(), call.map_type.0.into()];
        let field_use = FieldUse { device: call.device, line: ddi::DynamicResourceMap::ID };
        self.access_fields(memory, field_use, &[call.resource], &[found]);
        self.command(memory, call.device, ddi::DynamicResourceMap::ID, &values, &[found]);
        let base_address = self.mapped_at(memory, call);
        mapped(memory, call.resource, base_address)
    }

    fn dynamic_resource_unmap(&self, _: Memory<'_>, _: &ddi::DynamicResourceUnmap) {}

    view_objects! {
        SHADERRESOURCEVIEW: calc_private_shader_resource_view_size CalcPrivateShaderResourceViewSize,
            create_shader_resource_view CreateShaderResourceView,
            destroy_shader_resource_view DestroyShaderResourceView;
        RENDERTARGETVIEW: calc_private_render_target_view_size CalcPrivateRenderTargetViewSize,
            create_render_target_view CreateRenderTargetView, destroy_render_target_view DestroyRenderTargetView;
        DEPTHSTENCILVIEW: calc_private_depth_stencil_view_size CalcPrivateDepthStencilViewSize,
            create_depth_stencil_view CreateDepthStencilView, destroy_depth_stencil_view DestroyDepthStencilView;
        UNORDEREDACCESSVIEW: calc_private_unordered_access_view_size CalcPrivateUnorderedAccessViewSize,
            create_unordered_access_view CreateUnorderedAccessView,
            destroy_unordered_access_view DestroyUnorderedAccessView;
    }

    plain_objects! {
        BLENDSTATE: calc_private_blend_state_size CalcPrivateBlendStateSize,
            create_blend_state CreateBlendState, destroy_blend_state DestroyBlendState;
        DEPTHSTENCILSTATE: calc_private_depth_stencil_state_size CalcPrivateDepthStencilStateSize,
            create_depth_stencil_state CreateDepthStencilState, destroy_depth_stencil_state DestroyDepthStencilState;
        RASTERIZERSTATE: calc_private_rasterizer_state_size CalcPrivateRasterizerStateSize,
            create_rasterizer_state CreateRasterizerState, destroy_rasterizer_state DestroyRasterizerState;
        SHADER: calc_private_shader_size CalcPrivateShaderSize, create_shader CreateShader, destroy_shader DestroyShader;
        ELEMENTLAYOUT: calc_private_element_layout_size CalcPrivateElementLayoutSize,
            create_element_layout CreateElementLayout, destroy_element_layout DestroyElementLayout;
        QUERY: calc_private_query_size CalcPrivateQuerySize, create_query CreateQuery, destroy_query DestroyQuery;
    }

    fn calc_private_sampler_size(&self, _: &ddi::CalcPrivateSamplerSize) -> PrivateSize {
        self.object_bytes(HandleType::SAMPLERSTATE)
    }

    fn create_sampler(&self, memory: Memory<'_>, call: &ddi::CreateSampler) {
        let is_immediate = self.begin(memory, call.device, HandleType::SAMPLERSTATE, &call.handle) == Some(true);
        if is_immediate && self.profile().faults.creations_report_elsewhere {
            let code = HResultCode::E_OUTOFMEMORY;
            memory.set_error(&SetError { core_layer: NO_CORE_LAYER, code });
        }
    }

    fn destroy_sampler(&self, _: &ddi::DestroySampler) {}

    plain_commands! {
        set_constant_buffers SetConstantBuffers(call) vec![call.stage.0, call.start_slot], call.buffers.clone();
        set_samplers SetSamplers(call) vec![call.stage.0, call.start_slot], call.samplers.clone();
        set_shader SetShader(call) vec![call.stage.0], vec![call.shader];
        ia_set_input_layout IaSetInputLayout(call) vec![], vec![call.input_layout];
        ia_set_vertex_buffers IaSetVertexBuffers(call)
            [&[call.start_slot][..], &call.strides_bytes, &call.offsets_bytes].concat(), call.buffers.clone();
        ia_set_index_buffer IaSetIndexBuffer(call) vec![call.format.0, call.offset_bytes], vec![call.buffer];
        ia_set_topology IaSetTopology(call) vec![call.topology.0], vec![];
        set_rasterizer_state SetRasterizerState(call) vec![], vec![call.rasterizer_state];
        set_viewports SetViewports(call)
            call.viewports.iter().flat_map(|of| [of.top_left_x, of.top_left_y, of.width, of.height]).collect(), vec![];
        set_scissor_rects SetScissorRects(call)
            call.rects.iter().flat_map(|of| [of.left, of.top, of.right, of.bottom]).collect(), vec![];
        set_depth_stencil_state SetDepthStencilState(call) vec![call.stencil_ref], vec![call.depth_stencil_state];
        set_predication SetPredication(call) vec![call.value.into()], vec![call.query];
        draw_indexed DrawIndexed(call) vec![call.index_count, call.start_index, call.base_vertex], vec![];
        draw_instanced DrawInstanced(call)
            vec![call.vertex_count, call.instance_count, call.start_vertex, call.start_instance], vec![];
        draw_indexed_instanced DrawIndexedInstanced(call)
            vec![call.index_count, call.instance_count, call.start_index, call.base_vertex, call.start_instance], vec![];
        dispatch Dispatch(call) vec![call.x, call.y, call.z], vec![];
        resource_update_subresource ResourceUpdateSubresource(call)
            vec![call.subresource, call.size_bytes as u32], vec![call.resource];
        query_begin QueryBegin(call) vec![], vec![call.query];
        query_end QueryEnd(call) vec![], vec![call.query];
    }

    view_commands! {
        set_shader_resources SetShaderResources(call)
            vec![call.stage.0, call.start_slot], SHADERRESOURCEVIEW call.views.clone();
        cs_set_unordered_access_views CsSetUnorderedAccessViews(call)
            vec![call.start_slot], UNORDEREDACCESSVIEW call.views.clone();
        clear_render_target_view ClearRenderTargetView(call) call.color.clone(), RENDERTARGETVIEW vec![call.view];
        clear_depth_stencil_view ClearDepthStencilView(call)
            vec![call.flags.0, call.depth, call.stencil], DEPTHSTENCILVIEW vec![call.view];
        clear_unordered_access_view_uint ClearUnorderedAccessViewUint(call)
            call.values.clone(), UNORDEREDACCESSVIEW vec![call.view];
    }

    fn set_render_targets(&self, memory: Memory<'_>, call: &ddi::SetRenderTargets) {
        let field_use = FieldUse { device: call.device, line: ddi::SetRenderTargets::ID };
        let mut objects = self.resolve_views(memory, HandleType::RENDERTARGETVIEW, &call.render_targets);
        self.access_fields(memory, field_use, &call.render_targets, &views_alone(&objects));
        objects.extend(self.resolve_views(memory, HandleType::DEPTHSTENCILVIEW, &[call.depth_stencil]));
        self.command(memory, call.device, ddi::SetRenderTargets::ID, &[], &objects);
    }

    /// Reads the handle only. Query results are written by the GPU; the runtime keeps them.
    fn query_get_data(&self, memory: Memory<'_>, call: &ddi::QueryGetData) {
        object(memory, call.query);
    }

    fn set_blend_state(&self, memory: Memory<'_>, call: &ddi::SetBlendState) {
        let state = object(memory, call.blend_state);
        let field_use = FieldUse { device: call.device, line: ddi::SetBlendState::ID };
        self.access_fields(memory, field_use, &[call.blend_state], &[state]);
        let values: Vec<u64> = call.blend_factor.iter().chain([&call.sample_mask]).map(|bits| (*bits).into()).collect();
        self.command(memory, call.device, ddi::SetBlendState::ID, &values, &[state]);
    }

    fn draw(&self, memory: Memory<'_>, call: &ddi::Draw) {
        let values = [call.vertex_count.into(), call.start_vertex.into()];
        self.command(memory, call.device, ddi::Draw::ID, &values, &[]);
        self.apply_draw_faults(memory, call.device);
    }

    fn flush(&self, _: Memory<'_>, _: &ddi::Flush) {}

    fn calc_private_command_list_size(&self, _: &ddi::CalcPrivateCommandListSize) -> PrivateSize {
        self.context_handles(|handles| handles.command_list_bytes)
    }

    fn create_command_list(&self, memory: Memory<'_>, call: &ddi::CreateCommandList) -> RecordedCommands {
        let is_immediate = call.handle.ic_handle.0 == 0;
        // `begin` counts calls that open a list; the creation itself is counted here.
        if is_immediate && let Some(code) = self.failure(memory, call.deferred_device) {
            report(memory, call.device, code);
            return RecordedCommands::default();
        }
        match self.begin(memory, call.device, HandleType::COMMANDLIST, &call.handle) {
            Some(true) => write_list_summary(memory, call.deferred_device, call.handle.driver_handle),
            _ => RecordedCommands::default(),
        }
    }

    fn recycle_create_command_list(
        &self,
        memory: Memory<'_>,
        call: &ddi::RecycleCreateCommandList,
    ) -> HResult<RecordedCommands> {
        match self.failure(memory, call.deferred_device) {
            Some(code) => Err(code),
            None => Ok(self.write_recycled_list_summary(memory, call.deferred_device, call.command_list)),
        }
    }

    fn destroy_command_list(&self, _: &ddi::DestroyCommandList) {}

    fn recycle_destroy_command_list(&self, _: &ddi::RecycleDestroyCommandList) {}

    fn recycle_command_list(&self, _: &ddi::RecycleCommandList) {}

    fn command_list_execute(&self, memory: Memory<'_>, call: &ddi::CommandListExecute) -> RecordedCommands {
        let list = DriverHandle(object(memory, call.command_list));
        let (digest, commands) = (memory.read_u64(at(list, DIGEST)), memory.read_u64(at(list, LIST_COMMANDS)));
        self.command(memory, call.device, ddi::CommandListExecute::ID, &[commands, digest], &[]);
        self.apply_execute_faults(memory, call.device, RecordedCommands { commands: commands as u32, digest })
    }

    fn abandon_command_list(&self, memory: Memory<'_>, call: &ddi::AbandonCommandList) {
        reset_context(memory, call.device);
        if self.profile().faults.reports_in_abandon {
            report(memory, call.device, HResultCode::E_OUTOFMEMORY);
        }
    }
}

impl Model {
    fn layout(&self, desc: D3d11DdiResourceDesc) -> HResult<D3d11ResourceLayout> {
        let call = d3d11_ddi::CreateResource { desc, ..Default::default() };
        d3d11_model::create(self.profile(), &call)
    }
}
