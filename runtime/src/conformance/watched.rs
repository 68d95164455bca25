//! A driver that is listened to.

use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_schemas::{
    CopyOutcome, D3d11ResourceLayout, DdiAllocationInfo, Driver, DriverCall, DriverLayer, HResult, SharedMapData,
    d3d11_ddi, d3d12_ddi,
};

/// What was said at the driver interface since it was last cleared.
#[derive(Debug, Default)]
pub(crate) struct DdiRecord {
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
    record: Mutex<DdiRecord>,
}

impl<'d> Watched<'d> {
    pub fn new(driver: &'d dyn Driver) -> Watched<'d> {
        Watched { driver, record: Mutex::default() }
    }

    pub fn record(&self) -> MutexGuard<'_, DdiRecord> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn clear(&self) {
        let mut record = self.record();
        record.checks.clear();
        record.creations.clear();
        (record.layout, record.copied, record.mapped) = (None, None, None);
    }

    /// The last answer to CheckResourceAllocationInfo.
    pub fn last_check(&self) -> Option<(d3d12_ddi::CheckResourceAllocationInfo, DdiAllocationInfo)> {
        self.record().checks.last().cloned()
    }

    /// The last CreateHeapAndResource.
    pub fn last_creation(&self) -> Option<(d3d12_ddi::CreateHeapAndResource, HResult<DdiAllocationInfo>)> {
        self.record().creations.last().cloned()
    }
}

impl DriverLayer for Watched<'_> {
    taut_schemas::changes!(d3d12_ddi, d3d11_ddi);

    fn below(&self) -> &dyn Driver {
        self.driver
    }
}

impl d3d12_ddi::DeviceFuncsLayer for Watched<'_> {
    fn check_resource_allocation_info(&self, call: &d3d12_ddi::CheckResourceAllocationInfo) -> DdiAllocationInfo {
        let answer = call.dispatch(self.below());
        self.record().checks.push((call.clone(), answer));
        answer
    }

    fn create_heap_and_resource(&self, call: &d3d12_ddi::CreateHeapAndResource) -> HResult<DdiAllocationInfo> {
        let answer = call.dispatch(self.below());
        self.record().creations.push((call.clone(), answer));
        answer
    }
}

impl d3d11_ddi::DeviceFuncsLayer for Watched<'_> {
    fn create_resource(&self, call: &d3d11_ddi::CreateResource) -> HResult<D3d11ResourceLayout> {
        let answer = call.dispatch(self.below());
        self.record().layout = Some(answer);
        answer
    }

    fn resource_copy(&self, call: &d3d11_ddi::ResourceCopy) -> CopyOutcome {
        let answer = call.dispatch(self.below());
        self.record().copied = Some(answer);
        answer
    }

    fn staging_resource_map(&self, call: &d3d11_ddi::StagingResourceMap) -> SharedMapData {
        let answer = call.dispatch(self.below());
        self.record().mapped = Some((call.clone(), answer));
        answer
    }
}
