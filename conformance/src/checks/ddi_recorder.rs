//! Driver layer that records the calls of checks.

use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_schemas::{
    CopyOutcome, D3d11ResourceLayout, DdiAllocationInfo, Driver, DriverCall, DriverLayer, HResult, SharedMapData,
    d3d11_ddi, d3d12_ddi,
};

/// DDI calls since the record was last cleared.
#[derive(Debug, Default)]
pub(crate) struct DdiRecord {
    /// CheckResourceAllocationInfo calls with their results.
    pub checks: Vec<(d3d12_ddi::CheckResourceAllocationInfo, DdiAllocationInfo)>,
    /// CreateHeapAndResource calls with their results.
    pub creations: Vec<(d3d12_ddi::CreateHeapAndResource, HResult<DdiAllocationInfo>)>,
    /// Result of the last CreateResource.
    pub layout: Option<HResult<D3d11ResourceLayout>>,
    /// Result of the last ResourceCopy.
    pub copied: Option<CopyOutcome>,
    /// Last StagingResourceMap with its result.
    pub mapped: Option<(d3d11_ddi::StagingResourceMap, SharedMapData)>,
}

/// Layer that passes all calls to a driver and records the calls about allocations.
pub(crate) struct DdiRecorder<'d> {
    pub driver: &'d dyn Driver,
    record: Mutex<DdiRecord>,
}

impl<'d> DdiRecorder<'d> {
    pub fn new(driver: &'d dyn Driver) -> DdiRecorder<'d> {
        DdiRecorder { driver, record: Mutex::default() }
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

    /// Returns the last CheckResourceAllocationInfo with its result.
    pub fn last_check(&self) -> Option<(d3d12_ddi::CheckResourceAllocationInfo, DdiAllocationInfo)> {
        self.record().checks.last().cloned()
    }

    /// Returns the last CreateHeapAndResource with its result.
    pub fn last_creation(&self) -> Option<(d3d12_ddi::CreateHeapAndResource, HResult<DdiAllocationInfo>)> {
        self.record().creations.last().cloned()
    }
}

impl DriverLayer for DdiRecorder<'_> {
    taut_schemas::changes!(d3d12_ddi, d3d11_ddi);

    fn below(&self) -> &dyn Driver {
        self.driver
    }
}

impl d3d12_ddi::DeviceFuncsLayer for DdiRecorder<'_> {
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

impl d3d11_ddi::DeviceFuncsLayer for DdiRecorder<'_> {
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
