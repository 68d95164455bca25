//! The driver model: a pure function of its profile and its calls, except for injected faults such as drifting sizes.

use super::contexts_field_table::FieldTable;
use super::d3d11_model;
use super::ddi_version::DdiVersion;
use super::kernel_model::{self, EarlierChecks};
use super::panicking::Panicking;
use super::pgo::Tuner;
use super::profile::Profile;
use super::size::{round_up, shared_bytes, texture_bytes};
use super::texture_sampling;
use super::texture_view::{self, ViewedBy};
use crate::placement::{KIB_4, KIB_64, ResourceClass, Shape, default_alignment, is_small};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use taut_schemas::{
    AvailableExtensions, BackgroundWork, Bytes, Callbacks, CapsData, CopyOutcome, D3d11ResourceLayout,
    DdiAllocationInfo, DdiCapsType, DdiHeapFlags, DdiResourceDesc, DdiResourceFlags, Driver, DriverCaps,
    DriverInitializationData, DriverMemory, DriverTraits, FurtherMeasurements, GpuWork, HResult, HResultCode, NtStatus,
    OverlaySupport, PrimaryDriverFlags, Product, QueriedDList, ScanOut, Selection, SharedMapData, SupportedVersions,
    TaskBeginning, WorkVerdict, d3d11_context_ddi, d3d11_ddi, d3d12_ddi, dxgi_ddi, dxgkddi,
};

/// Creates the driver that a profile describes.
pub fn driver(profile: &Profile) -> Box<dyn Driver> {
    let (allocation_queries, earlier_checks) = (AtomicU64::new(0), EarlierChecks::default());
    let fields = FieldTable::new(profile);
    let model = Box::new(Model { profile: profile.clone(), fields, allocation_queries, earlier_checks });
    match &profile.faults.panics_in {
        None => model,
        Some(function) => Box::new(Panicking::new(model, function, profile.faults.panics_at_call)),
    }
}

pub(crate) struct Model {
    profile: Profile,
    /// Fields of handles, by type.
    pub(super) fields: FieldTable,
    /// Number of allocation queries so far. Only the fault `drifting_size_bytes` depends on it.
    allocation_queries: AtomicU64,
    earlier_checks: EarlierChecks,
}

impl Model {
    pub(crate) fn profile(&self) -> &Profile {
        &self.profile
    }

    /// True if the driver knows and supports tight alignment and the resource requests it.
    fn is_tight(&self, desc: &DdiResourceDesc) -> bool {
        desc.flags.contains(DdiResourceFlags::USE_TIGHT_ALIGNMENT)
            && self.profile.caps.tight_alignment_tier > 0
            && self.profile.ddi_version >= DdiVersion::V0111
    }

    fn allocation_info(&self, desc: &DdiResourceDesc, restriction_bytes: u64) -> DdiAllocationInfo {
        let shape = Shape::from(desc);
        let (size_bytes, alignment_bytes) = match self.is_tight(desc) {
            true => self.tight(&shape, restriction_bytes),
            false => self.classic(desc, &shape, restriction_bytes),
        };
        let cross_adapter = self.profile.faults.cross_adapter_alignment_bytes;
        let alignment_bytes = match cross_adapter.filter(|_| desc.flags.contains(DdiResourceFlags::CROSS_ADAPTER)) {
            Some(alignment) => alignment,
            None => alignment_bytes,
        };
        // A row-major layout that every adapter can read needs at least this size (rule X-30).
        let size_bytes = size_bytes.max(round_up(shared_bytes(desc), alignment_bytes));
        DdiAllocationInfo { size_bytes, alignment_bytes, layout: desc.layout }
    }

    fn classic(&self, desc: &DdiResourceDesc, shape: &Shape, restriction_bytes: u64) -> (u64, u64) {
        let alignment = if restriction_bytes == 0 { default_alignment(shape) } else { restriction_bytes };
        match ResourceClass::new(shape) {
            ResourceClass::Buffer => {
                // Resources that other adapters see keep the default alignment (rule A-14).
                let crossing = desc.flags.contains(DdiResourceFlags::CROSS_ADAPTER);
                let own = self.profile.classic_buffer_alignment_bytes.filter(|_| !crossing);
                (round_up(shape.width, KIB_64), own.unwrap_or(alignment))
            }
            _ => (round_up(texture_bytes(&self.profile, shape, alignment), alignment), alignment),
        }
    }

    fn tight(&self, shape: &Shape, restriction_bytes: u64) -> (u64, u64) {
        let class = ResourceClass::new(shape);
        let committed = restriction_bytes >= KIB_4;
        let wanted = match class {
            ResourceClass::Buffer => self.profile.tight_buffer_alignment_bytes,
            _ => self.tight_texture_alignment(shape, class, committed),
        };
        let faults = &self.profile.faults;
        let alignment = if faults.ignores_restriction { wanted } else { wanted.max(restriction_bytes) };
        // A tight buffer's size is its width (rule A-13).
        let size = match class {
            ResourceClass::Buffer => round_up(shape.width, faults.tight_buffer_size_multiple_bytes.unwrap_or(1)),
            _ => self.tight_texture_bytes(shape, alignment).saturating_add(self.drift()),
        };
        let large_page = u64::from(self.profile.caps.large_page_size_bytes);
        // Large pages apply to committed allocations of whole pages only (rule A-12).
        let large = self.profile.caps.large_page_support && committed && large_page > alignment;
        (size, if large && size > 0 && size.is_multiple_of(large_page) { large_page } else { alignment })
    }

    fn tight_texture_alignment(&self, shape: &Shape, class: ResourceClass, committed: bool) -> u64 {
        let small = is_small(shape, true);
        let own = match committed {
            true => self.profile.tight_texture_alignment_committed_bytes,
            false => self.profile.tight_texture_alignment_placed_bytes,
        };
        let msaa = self.profile.tight_msaa_alignment_bytes.filter(|_| class == ResourceClass::Msaa && !small);
        // Alignment is never worse than without the flag (rule A-18), where every MSAA texture may have the small one.
        let smaller = small || (class == ResourceClass::Msaa && self.profile.caps.msaa_64kb_aligned_textures);
        let classic = if smaller { class.small_alignment() } else { class.default_alignment() };
        msaa.or(own).unwrap_or(classic)
    }

    /// Returns the size of a tight texture. Small tiles can need more memory than large ones, whose mips share a tile;
    /// the texture then uses the layout without the flag, because rule A-18 (never worse with it) is taken to cover
    /// sizes as well.
    fn tight_texture_bytes(&self, shape: &Shape, alignment: u64) -> u64 {
        let bytes = |alignment| round_up(texture_bytes(&self.profile, shape, alignment), alignment);
        bytes(alignment).min(bytes(default_alignment(shape)))
    }

    /// Returns the excess size of the current answer of a drifting driver.
    fn drift(&self) -> u64 {
        let odd = self.allocation_queries.load(Ordering::Relaxed) % 2 == 1;
        self.profile.faults.drifting_size_bytes.filter(|_| odd).unwrap_or(0)
    }
}

/// Serialised state of a driver with injected faults, apart from the state that the runtime keeps for it.
#[derive(Serialize, Deserialize)]
struct ModelState {
    #[serde(rename = "questions")]
    allocation_queries: u64,
    earlier_checks: [bool; 2],
    /// Third flag of [`EarlierChecks`], which states of earlier builds lack.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    caps_queried: bool,
}

impl DriverMemory for Model {
    fn save(&self, driver_state: Option<&(dyn Any + Send)>) -> Result<Vec<u8>, String> {
        let Model { profile: _, fields: _, allocation_queries, earlier_checks } = self;
        let [plane_reserved, was_refused, caps_queried] = earlier_checks.save();
        let state = ModelState {
            allocation_queries: allocation_queries.load(Ordering::Relaxed),
            earlier_checks: [plane_reserved, was_refused],
            caps_queried,
        };
        Tuner::save(&state, driver_state)
    }

    fn restore(&self, saved: &[u8]) -> Result<Option<Box<dyn Any + Send>>, String> {
        let (state, driver_state): (ModelState, _) = Tuner::restore(saved)?;
        self.allocation_queries.store(state.allocation_queries, Ordering::Relaxed);
        let [plane_reserved, was_refused] = state.earlier_checks;
        self.earlier_checks.restore([plane_reserved, was_refused, state.caps_queried]);
        Ok(driver_state)
    }

    fn restore_work(&self, saved: &[u8]) -> Result<Arc<dyn BackgroundWork>, String> {
        Tuner::restore_work(saved)
    }

    fn restore_gpu_work(&self, saved: &[u8]) -> Result<Arc<dyn GpuWork>, String> {
        Tuner::restore_gpu_work(saved)
    }
}

impl Driver for Model {
    fn memory(&self) -> Option<&dyn DriverMemory> {
        Some(self)
    }

    fn traits(&self) -> DriverTraits {
        self.profile.background.as_ref().map_or_else(DriverTraits::default, |background| DriverTraits {
            has_thread: background.queues_from_thread > 0,
            receives_command_lists: background.queues_when_recording > 0,
            checks_before_work: background.checks_before_work > 0,
        })
    }

    fn d3d12_ddi(&self) -> Option<&dyn d3d12_ddi::DeviceFuncs> {
        Some(self)
    }

    fn d3d11_ddi(&self) -> Option<&dyn d3d11_ddi::DeviceFuncs> {
        Some(self)
    }

    fn d3d11_context_ddi(&self) -> Option<&dyn d3d11_context_ddi::DeviceFuncs> {
        self.profile.contexts.is_some().then_some(self as _)
    }

    fn dxgkddi(&self) -> Option<&dyn dxgkddi::DeviceFuncs> {
        self.profile.kernel.as_ref().map(|_| self as _)
    }

    fn dxgi_ddi(&self) -> Option<&dyn dxgi_ddi::DeviceFuncs> {
        let has = self.profile.kernel.is_some() && !self.profile.faults.creates_no_primaries;
        has.then_some(self as _)
    }
}

impl dxgi_ddi::DeviceFuncs for Model {
    fn create_resource(&self, call: &dxgi_ddi::CreateResource) -> HResult<PrimaryDriverFlags> {
        Ok(kernel_model::primary_flags(&self.profile, &call.desc))
    }

    fn open_resource(&self, _: &dxgi_ddi::OpenResource) -> HResult<()> {
        Ok(())
    }

    fn destroy_resource(&self, _: &dxgi_ddi::DestroyResource) -> HResult<()> {
        Ok(())
    }

    fn create_view(&self, call: &dxgi_ddi::CreateView) -> HResult<()> {
        texture_view::create(&self.profile, call.view, call.format, ViewedBy::Dxgi)
    }

    fn query_dlist_for_application2(&self, call: &dxgi_ddi::QueryDListForApplication2) -> HResult<QueriedDList> {
        Ok(self.profile.dlist.clone().unwrap_or_default().query(&call.application))
    }

    fn check_multiplane_overlay_support(&self, call: &dxgi_ddi::CheckMultiplaneOverlaySupport) -> HResult<bool> {
        Ok(kernel_model::planes_supported(&self.profile, &call.check))
    }

    fn present_multiplane_overlay(&self, _: &dxgi_ddi::PresentMultiplaneOverlay) -> HResult<()> {
        Ok(())
    }

    fn present_1(&self, _: &dxgi_ddi::Present1) -> HResult<()> {
        Ok(())
    }

    fn sample_texture(&self, call: &dxgi_ddi::SampleTexture) -> HResult<Bytes> {
        texture_sampling::sample(&self.profile, call).map(Bytes)
    }
}

impl dxgkddi::DeviceFuncs for Model {
    fn driver_entry(&self, _: &dxgkddi::DriverEntry) -> DriverInitializationData {
        kernel_model::functions(&self.profile)
    }

    fn start_device(&self, _: &dxgkddi::DxgkDdiStartDevice) -> NtStatus {
        kernel_model::start(&self.profile, &self.earlier_checks)
    }

    fn query_adapter_info(&self, call: &dxgkddi::DxgkDdiQueryAdapterInfo) -> DriverCaps {
        kernel_model::caps(&self.profile, &self.earlier_checks, call)
    }

    fn check_multiplane_overlay_support3(
        &self,
        call: &dxgkddi::DxgkDdiCheckMultiPlaneOverlaySupport3,
    ) -> OverlaySupport {
        kernel_model::overlay_support(&self.profile, &self.earlier_checks, &call.check)
    }

    fn set_vidpn_source_address_with_multiplane_overlay3(
        &self,
        call: &dxgkddi::DxgkDdiSetVidPnSourceAddressWithMultiPlaneOverlay3,
    ) -> ScanOut {
        kernel_model::scan_out(&self.profile, call)
    }

    fn stop_device(&self, _: &dxgkddi::DxgkDdiStopDevice) -> NtStatus {
        NtStatus::SUCCESS
    }
}

impl d3d11_ddi::DeviceFuncs for Model {
    fn get_extensions(&self, _: &d3d11_ddi::GetExtensions) -> AvailableExtensions {
        d3d11_model::extensions(&self.profile)
    }

    fn create_resource(&self, call: &d3d11_ddi::CreateResource) -> HResult<D3d11ResourceLayout> {
        d3d11_model::create(&self.profile, call)
    }

    fn destroy_resource(&self, _: &d3d11_ddi::DestroyResource) {}

    fn resource_copy(&self, call: &d3d11_ddi::ResourceCopy) -> CopyOutcome {
        d3d11_model::copy(&self.profile, call)
    }

    fn staging_resource_map(&self, call: &d3d11_ddi::StagingResourceMap) -> SharedMapData {
        d3d11_model::map(&self.profile, call)
    }

    fn staging_resource_unmap(&self, _: &d3d11_ddi::StagingResourceUnmap) {}
}

impl d3d12_ddi::DeviceFuncs for Model {
    fn open_heap_and_resource(&self, _: &d3d12_ddi::OpenHeapAndResource) -> HResult<()> {
        Ok(())
    }

    fn create_row_major_texture_view(&self, call: &d3d12_ddi::CreateRowMajorTextureView) -> HResult<()> {
        texture_view::create(&self.profile, call.view, call.format, ViewedBy::D3d12)
    }

    fn get_supported_versions(&self, _: &d3d12_ddi::GetSupportedVersions) -> HResult<SupportedVersions> {
        // Interfaces have versions of their own; background processing's is lower than that of every driver here.
        let background = self.profile.background.as_ref().map(|background| background.ddi_version);
        let later = self.profile.caps.has_later_options().then_some(DdiVersion::LATER_OPTIONS);
        let versions = [Some(self.profile.ddi_version), background, later].into_iter().flatten();
        Ok(SupportedVersions { versions: versions.map(|version| version.0).collect() })
    }

    fn get_caps(&self, call: &d3d12_ddi::GetCaps) -> HResult<CapsData> {
        let data = match call.caps_type {
            // A driver below DDI 0111 does not know this caps type.
            DdiCapsType::TIGHT_ALIGNMENT_TIER_0111 if self.profile.ddi_version < DdiVersion::V0111 => Vec::new(),
            caps_type => self.profile.caps.encode(caps_type),
        };
        let known = !data.is_empty() && data.len() == call.data_size_bytes as usize;
        if known { Ok(CapsData(data)) } else { Err(HResultCode::E_INVALIDARG) }
    }

    fn check_resource_allocation_info(&self, call: &d3d12_ddi::CheckResourceAllocationInfo) -> DdiAllocationInfo {
        if self.profile.faults.drifting_size_bytes.is_some() {
            self.allocation_queries.fetch_add(1, Ordering::Relaxed);
        }
        self.allocation_info(&call.desc, call.alignment_restriction_bytes.into())
    }

    fn get_descriptor_size_in_bytes(&self, call: &d3d12_ddi::GetDescriptorSizeInBytes) -> u32 {
        self.profile.descriptors.size_bytes(call.heap_type)
    }

    fn check_existing_resource_allocation_info(
        &self,
        call: &d3d12_ddi::CheckExistingResourceAllocationInfo,
    ) -> DdiAllocationInfo {
        let multiple = self.profile.faults.existing_size_multiple_bytes.unwrap_or(1);
        DdiAllocationInfo { size_bytes: round_up(call.driver_data.size_bytes, multiple), ..call.driver_data }
    }

    fn create_heap_and_resource(&self, call: &d3d12_ddi::CreateHeapAndResource) -> HResult<DdiAllocationInfo> {
        let marked = call.heap_desc.is_some_and(|heap| heap.flags.contains(DdiHeapFlags::IMPLICIT));
        if marked && self.profile.faults.refuses_implicit_heaps {
            return Err(HResultCode::E_INVALIDARG);
        }
        let wanted_bytes = call.heap_desc.map_or(0, |heap| heap.size_bytes);
        if self.profile.memory_bytes.is_some_and(|memory_bytes| wanted_bytes > memory_bytes) {
            return Err(HResultCode::E_OUTOFMEMORY);
        }
        match (&call.resource_desc, &call.heap_desc) {
            (Some(desc), _) => Ok(self.allocation_info(desc, call.alignment_restriction_bytes.into())),
            (None, Some(heap)) => Ok(DdiAllocationInfo {
                size_bytes: heap.size_bytes,
                alignment_bytes: heap.alignment_bytes,
                ..Default::default()
            }),
            (None, None) => Err(HResultCode::E_INVALIDARG),
        }
    }

    fn destroy_heap_and_resource(&self, _: &d3d12_ddi::DestroyHeapAndResource) {}

    fn set_background_processing_mode_0062(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &d3d12_ddi::SetBackgroundProcessingMode0062,
    ) {
        let d3d12_ddi::SetBackgroundProcessingMode0062 { mode, measurements_action } = *call;
        let call = d3d12_ddi::SetBackgroundProcessingMode0063 { mode, measurements_action };
        // 0062 has no result.
        let _ = Tuner::new(&self.profile).set_mode(callbacks, &call);
    }

    fn set_background_processing_mode_0063(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &d3d12_ddi::SetBackgroundProcessingMode0063,
    ) -> Option<FurtherMeasurements> {
        Tuner::new(&self.profile).set_mode(callbacks, call)
    }

    fn create_pipeline_state(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &d3d12_ddi::CreatePipelineState,
    ) -> HResult<()> {
        Tuner::new(&self.profile).create_pipeline_state(callbacks, call)
    }

    fn destroy_pipeline_state(&self, callbacks: &mut dyn Callbacks, call: &d3d12_ddi::DestroyPipelineState) {
        Tuner::new(&self.profile).destroy_pipeline_state(callbacks, call);
    }

    fn execute_command_lists(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &d3d12_ddi::ExecuteCommandLists,
    ) -> Vec<Selection> {
        Tuner::new(&self.profile).execute_command_lists(callbacks, call)
    }

    fn collect_measurements(&self, callbacks: &mut dyn Callbacks, call: &d3d12_ddi::CollectMeasurements) {
        Tuner::new(&self.profile).collect_measurements(callbacks, call);
    }

    fn process_background_work(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &d3d12_ddi::ProcessBackgroundWork,
        product: Product,
    ) -> WorkVerdict {
        Tuner::new(&self.profile).process_background_work(callbacks, call, product)
    }

    fn cancel_background_work(&self, callbacks: &mut dyn Callbacks, call: &d3d12_ddi::CancelBackgroundWork) {
        Tuner::new(&self.profile).cancel_background_work(callbacks, call);
    }

    fn begin_background_work(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &d3d12_ddi::BeginBackgroundWork,
    ) -> TaskBeginning {
        Tuner::new(&self.profile).begin_background_work(callbacks, call)
    }

    fn close_command_list(&self, callbacks: &mut dyn Callbacks, call: &d3d12_ddi::CloseCommandList) {
        Tuner::new(&self.profile).close_command_list(callbacks, call);
    }

    fn run_driver_thread(&self, callbacks: &mut dyn Callbacks, _: &d3d12_ddi::RunDriverThread) {
        Tuner::new(&self.profile).run_driver_thread(callbacks);
    }

    fn destroy_device(&self, callbacks: &mut dyn Callbacks, _: &d3d12_ddi::DestroyDevice) {
        Tuner::new(&self.profile).destroy_device(callbacks);
    }
}
