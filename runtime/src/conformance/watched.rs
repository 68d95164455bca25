//! A driver that is listened to.

use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_schemas::{
    AvailableExtensions, Callbacks, CapsData, CopyOutcome, D3d11ResourceLayout, DdiAllocationInfo, Driver,
    FurtherMeasurements, HResult, Selection, SharedMapData, SupportedVersions, WorkVerdict, ddi,
};

/// What was said at the driver interface since it was last cleared.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// Each CheckResourceAllocationInfo and its answer.
    pub checks: Vec<(ddi::CheckResourceAllocationInfo, DdiAllocationInfo)>,
    /// Each CreateHeapAndResource and its answer.
    pub creations: Vec<(ddi::CreateHeapAndResource, HResult<DdiAllocationInfo>)>,
}

/// Passes everything on to a driver, and keeps what concerns allocations.
pub(crate) struct Watched<'d> {
    pub driver: &'d dyn Driver,
    said: Mutex<Said>,
}

impl<'d> Watched<'d> {
    pub fn new(driver: &'d dyn Driver) -> Watched<'d> {
        Watched { driver, said: Mutex::default() }
    }

    pub fn said(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn clear(&self) {
        let mut said = self.said();
        said.checks.clear();
        said.creations.clear();
    }

    /// The last answer to CheckResourceAllocationInfo.
    pub fn last_check(&self) -> Option<(ddi::CheckResourceAllocationInfo, DdiAllocationInfo)> {
        self.said().checks.last().cloned()
    }

    /// The last CreateHeapAndResource.
    pub fn last_creation(&self) -> Option<(ddi::CreateHeapAndResource, HResult<DdiAllocationInfo>)> {
        self.said().creations.last().cloned()
    }
}

impl Driver for Watched<'_> {
    fn get_supported_versions(&self, call: &ddi::GetSupportedVersions) -> HResult<SupportedVersions> {
        self.driver.get_supported_versions(call)
    }

    fn get_caps(&self, call: &ddi::GetCaps) -> HResult<CapsData> {
        self.driver.get_caps(call)
    }

    fn check_resource_allocation_info(&self, call: &ddi::CheckResourceAllocationInfo) -> DdiAllocationInfo {
        let answer = self.driver.check_resource_allocation_info(call);
        self.said().checks.push((call.clone(), answer));
        answer
    }

    fn check_existing_resource_allocation_info(
        &self,
        call: &ddi::CheckExistingResourceAllocationInfo,
    ) -> DdiAllocationInfo {
        self.driver.check_existing_resource_allocation_info(call)
    }

    fn create_heap_and_resource(&self, call: &ddi::CreateHeapAndResource) -> HResult<DdiAllocationInfo> {
        let answer = self.driver.create_heap_and_resource(call);
        self.said().creations.push((call.clone(), answer));
        answer
    }

    fn destroy_heap_and_resource(&self, call: &ddi::DestroyHeapAndResource) {
        self.driver.destroy_heap_and_resource(call);
    }

    fn get_extensions(&self, call: &ddi::GetExtensions) -> AvailableExtensions {
        self.driver.get_extensions(call)
    }

    fn create_resource(&self, call: &ddi::CreateResource) -> HResult<D3d11ResourceLayout> {
        self.driver.create_resource(call)
    }

    fn destroy_resource(&self, call: &ddi::DestroyResource) {
        self.driver.destroy_resource(call);
    }

    fn resource_copy(&self, call: &ddi::ResourceCopy) -> CopyOutcome {
        self.driver.resource_copy(call)
    }

    fn staging_resource_map(&self, call: &ddi::StagingResourceMap) -> SharedMapData {
        self.driver.staging_resource_map(call)
    }

    fn staging_resource_unmap(&self, call: &ddi::StagingResourceUnmap) {
        self.driver.staging_resource_unmap(call);
    }

    fn set_background_processing_mode_0062(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &ddi::SetBackgroundProcessingMode0062,
    ) {
        self.driver.set_background_processing_mode_0062(callbacks, call);
    }

    fn set_background_processing_mode_0063(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &ddi::SetBackgroundProcessingMode0063,
    ) -> Option<FurtherMeasurements> {
        self.driver.set_background_processing_mode_0063(callbacks, call)
    }

    fn create_pipeline_state(&self, callbacks: &mut dyn Callbacks, call: &ddi::CreatePipelineState) -> HResult<()> {
        self.driver.create_pipeline_state(callbacks, call)
    }

    fn destroy_pipeline_state(&self, callbacks: &mut dyn Callbacks, call: &ddi::DestroyPipelineState) {
        self.driver.destroy_pipeline_state(callbacks, call);
    }

    fn execute_command_lists(
        &self,
        callbacks: &mut dyn Callbacks,
        call: &ddi::ExecuteCommandListsDdi,
    ) -> Vec<Selection> {
        self.driver.execute_command_lists(callbacks, call)
    }

    fn collect_measurements(&self, callbacks: &mut dyn Callbacks, call: &ddi::CollectMeasurements) {
        self.driver.collect_measurements(callbacks, call);
    }

    fn process_background_work(&self, callbacks: &mut dyn Callbacks, call: &ddi::ProcessBackgroundWork) -> WorkVerdict {
        self.driver.process_background_work(callbacks, call)
    }

    fn cancel_background_work(&self, callbacks: &mut dyn Callbacks, call: &ddi::CancelBackgroundWork) {
        self.driver.cancel_background_work(callbacks, call);
    }

    fn destroy_device(&self, callbacks: &mut dyn Callbacks, call: &ddi::DestroyDevice) {
        self.driver.destroy_device(callbacks, call);
    }
}
