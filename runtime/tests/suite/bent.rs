//! A driver whose answers are bent on purpose.

use taut_runtime::{Profile, driver};
use taut_schemas::{DdiAllocationInfo, DdiResourceDesc, Driver, DriverCall, DriverLayer, HResult, d3d12_ddi};

/// From the question (description and restriction) and the true answer to the bent one.
type Bend = Box<dyn Fn(&DdiResourceDesc, u32, DdiAllocationInfo) -> DdiAllocationInfo + Send + Sync>;

/// A bundled driver with a bend: in its answers about resources, or only in what it then creates.
pub struct Bent {
    driver: Box<dyn Driver>,
    check: Bend,
    create: Bend,
}

impl Bent {
    /// Bends what the driver says and what it then creates alike.
    pub fn answering<B>(name: &str, bend: B) -> Box<dyn Driver>
    where
        B: Fn(&DdiResourceDesc, u32, DdiAllocationInfo) -> DdiAllocationInfo + Clone + Send + Sync + 'static,
    {
        let driver = driver(&Profile::named(name).unwrap());
        Box::new(Bent { driver, check: Box::new(bend.clone()), create: Box::new(bend) })
    }

    /// Aligns everything to this.
    pub fn aligning(name: &str, alignment_bytes: u64) -> Box<dyn Driver> {
        Bent::answering(name, move |_, _, info| DdiAllocationInfo { alignment_bytes, ..info })
    }

    /// Bends only what it creates.
    pub fn creation<B>(name: &str, bend: B) -> Box<dyn Driver>
    where
        B: Fn(&DdiResourceDesc, u32, DdiAllocationInfo) -> DdiAllocationInfo + Send + Sync + 'static,
    {
        let driver = driver(&Profile::named(name).unwrap());
        Box::new(Bent { driver, check: Box::new(|_, _, info| info), create: Box::new(bend) })
    }
}

impl DriverLayer for Bent {
    taut_schemas::changes!(d3d12_ddi);

    fn below(&self) -> &dyn Driver {
        &*self.driver
    }
}

impl d3d12_ddi::DeviceFuncsLayer for Bent {
    fn check_resource_allocation_info(&self, call: &d3d12_ddi::CheckResourceAllocationInfo) -> DdiAllocationInfo {
        let info = call.dispatch(self.below());
        (self.check)(&call.desc, call.alignment_restriction_bytes, info)
    }

    fn create_heap_and_resource(&self, call: &d3d12_ddi::CreateHeapAndResource) -> HResult<DdiAllocationInfo> {
        let info = call.dispatch(self.below())?;
        Ok(match &call.resource_desc {
            Some(desc) => (self.create)(desc, call.alignment_restriction_bytes, info),
            None => info,
        })
    }
}
