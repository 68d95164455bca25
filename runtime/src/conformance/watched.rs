//! A driver that is listened to.

use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_schemas::{
    CopyOutcome, D3d11ResourceLayout, DdiAllocationInfo, Driver, DriverCall, DriverLayer, HResult, SharedMapData,
    d3d11_context_ddi, d3d11_ddi, d3d12_ddi,
};

/// What was said at the driver interface since it was last cleared.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// Each CheckResourceAllocationInfo and its answer.
    pub checks: Vec<(d3d12_ddi::CheckResourceAllocationInfo, DdiAllocationInfo)>,
    /// Each CreateHeapAndResource and its answer.
    pub creations: Vec<(d3d12_ddi::CreateHeapAndResource, HResult<DdiAllocationInfo>)>,
    /// The last CreateResource's answer.
    pub layout: Option<HResult<D3d11ResourceLayout>>,
    /// The last ResourceCopy's answer.
    pub copied: Option<CopyOutcome>,
    /// The last StagingResourceMap and its answer.
    pub mapped: Option<(d3d11_ddi::StagingResourceMap, SharedMapData)>,
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
        (said.layout, said.copied, said.mapped) = (None, None, None);
    }

    /// The last answer to CheckResourceAllocationInfo.
    pub fn last_check(&self) -> Option<(d3d12_ddi::CheckResourceAllocationInfo, DdiAllocationInfo)> {
        self.said().checks.last().cloned()
    }

    /// The last CreateHeapAndResource.
    pub fn last_creation(&self) -> Option<(d3d12_ddi::CreateHeapAndResource, HResult<DdiAllocationInfo>)> {
        self.said().creations.last().cloned()
    }
}

impl DriverLayer for Watched<'_> {
    fn below(&self) -> &dyn Driver {
        self.driver
    }
}

impl d3d12_ddi::DeviceFuncsLayer for Watched<'_> {
    fn check_resource_allocation_info(&self, call: &d3d12_ddi::CheckResourceAllocationInfo) -> DdiAllocationInfo {
        let answer = call.dispatch(self.below());
        self.said().checks.push((call.clone(), answer));
        answer
    }

    fn create_heap_and_resource(&self, call: &d3d12_ddi::CreateHeapAndResource) -> HResult<DdiAllocationInfo> {
        let answer = call.dispatch(self.below());
        self.said().creations.push((call.clone(), answer));
        answer
    }
}

impl d3d11_context_ddi::DeviceFuncsLayer for Watched<'_> {}

impl d3d11_ddi::DeviceFuncsLayer for Watched<'_> {
    fn create_resource(&self, call: &d3d11_ddi::CreateResource) -> HResult<D3d11ResourceLayout> {
        let answer = call.dispatch(self.below());
        self.said().layout = Some(answer);
        answer
    }

    fn resource_copy(&self, call: &d3d11_ddi::ResourceCopy) -> CopyOutcome {
        let answer = call.dispatch(self.below());
        self.said().copied = Some(answer);
        answer
    }

    fn staging_resource_map(&self, call: &d3d11_ddi::StagingResourceMap) -> SharedMapData {
        let answer = call.dispatch(self.below());
        self.said().mapped = Some((call.clone(), answer));
        answer
    }
}
