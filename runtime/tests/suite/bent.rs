//! A driver whose answers are bent on purpose.

use taut_runtime::{Profile, driver};
use taut_schemas::{
    AvailableExtensions, CapsData, CopyOutcome, D3d11ResourceLayout, DdiAllocationInfo, DdiResourceDesc, Driver,
    HResult, SharedMapData, SupportedVersions, ddi,
};

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

impl Driver for Bent {
    fn get_supported_versions(&self, call: &ddi::GetSupportedVersions) -> HResult<SupportedVersions> {
        self.driver.get_supported_versions(call)
    }

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
}
