//! A driver that is listened to.

use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_schemas::{DdiAllocationInfo, Driver, DriverLayer, HResult, ddi};

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

impl DriverLayer for Watched<'_> {
    fn below(&self) -> &dyn Driver {
        self.driver
    }

    fn check_resource_allocation_info(&self, call: &ddi::CheckResourceAllocationInfo) -> DdiAllocationInfo {
        let answer = self.driver.check_resource_allocation_info(call);
        self.said().checks.push((call.clone(), answer));
        answer
    }

    fn create_heap_and_resource(&self, call: &ddi::CreateHeapAndResource) -> HResult<DdiAllocationInfo> {
        let answer = self.driver.create_heap_and_resource(call);
        self.said().creations.push((call.clone(), answer));
        answer
    }
}
