//! Driver layer with modified answers.

use taut_runtime::{Profile, driver};
use taut_schemas::{DdiAllocationInfo, DdiResourceDesc, Driver, DriverCall, DriverLayer, HResult, d3d12_ddi};

/// Maps the query (description and restriction) and the true answer to the modified one.
type Bend = Box<dyn Fn(&DdiResourceDesc, u32, DdiAllocationInfo) -> DdiAllocationInfo + Send + Sync>;

/// Bundled driver with a modification of its answers about resources, or only of what it then creates.
pub struct ModifiedAnswers {
    driver: Box<dyn Driver>,
    check: Bend,
    create: Bend,
}

impl ModifiedAnswers {
    /// Modifies answers and creations.
    pub fn answering<B>(name: &str, bend: B) -> Box<dyn Driver>
    where
        B: Fn(&DdiResourceDesc, u32, DdiAllocationInfo) -> DdiAllocationInfo + Clone + Send + Sync + 'static,
    {
        let driver = driver(&Profile::named(name).unwrap());
        Box::new(ModifiedAnswers { driver, check: Box::new(bend.clone()), create: Box::new(bend) })
    }

    /// Aligns everything to `alignment_bytes`.
    pub fn aligning(name: &str, alignment_bytes: u64) -> Box<dyn Driver> {
        ModifiedAnswers::answering(name, move |_, _, info| DdiAllocationInfo { alignment_bytes, ..info })
    }

    /// Modifies creations only.
    pub fn creation<B>(name: &str, bend: B) -> Box<dyn Driver>
    where
        B: Fn(&DdiResourceDesc, u32, DdiAllocationInfo) -> DdiAllocationInfo + Send + Sync + 'static,
    {
        let driver = driver(&Profile::named(name).unwrap());
        Box::new(ModifiedAnswers { driver, check: Box::new(|_, _, info| info), create: Box::new(bend) })
    }
}

impl DriverLayer for ModifiedAnswers {
    taut_schemas::changes!(d3d12_ddi);

    fn below(&self) -> &dyn Driver {
        &*self.driver
    }
}

impl d3d12_ddi::DeviceFuncsLayer for ModifiedAnswers {
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
