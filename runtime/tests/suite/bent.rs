//! A driver whose answers are bent on purpose.

use taut_runtime::{Profile, driver};
use taut_schemas::{CapsData, DdiAllocationInfo, DdiResourceDesc, Driver, HResult, ddi};

type Bend = fn(&DdiResourceDesc, u32, DdiAllocationInfo) -> DdiAllocationInfo;

/// A bundled driver with a bend: in its answers about resources, or only in what it then creates.
pub struct Bent {
    driver: Box<dyn Driver>,
    check: Bend,
    create: Bend,
}

impl Bent {
    /// Bends what the driver says and what it then creates alike.
    pub fn new(name: &str, bend: Bend) -> Box<dyn Driver> {
        Box::new(Bent { driver: driver(&Profile::named(name).unwrap()), check: bend, create: bend })
    }

    /// Bends only what it creates.
    pub fn creation(name: &str, bend: Bend) -> Box<dyn Driver> {
        let driver = driver(&Profile::named(name).unwrap());
        Box::new(Bent { driver, check: |_, _, info| info, create: bend })
    }
}

impl Driver for Bent {
    fn get_caps(&self, call: &ddi::GetCaps) -> HResult<CapsData> {
        self.driver.get_caps(call)
    }

    fn check_resource_allocation_info(&self, call: &ddi::CheckResourceAllocationInfo) -> DdiAllocationInfo {
        let info = self.driver.check_resource_allocation_info(call);
        (self.check)(&call.desc, call.alignment_restriction_bytes, info)
    }

    fn check_existing_resource_allocation_info(
        &self,
        call: &ddi::CheckExistingResourceAllocationInfo,
    ) -> DdiAllocationInfo {
        self.driver.check_existing_resource_allocation_info(call)
    }

    fn create_heap_and_resource(&self, call: &ddi::CreateHeapAndResource) -> HResult<DdiAllocationInfo> {
        let info = self.driver.create_heap_and_resource(call)?;
        Ok(match &call.resource_desc {
            Some(desc) => (self.create)(desc, call.alignment_restriction_bytes, info),
            None => info,
        })
    }

    fn destroy_heap_and_resource(&self, call: &ddi::DestroyHeapAndResource) {
        self.driver.destroy_heap_and_resource(call);
    }
}
