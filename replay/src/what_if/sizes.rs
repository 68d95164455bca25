//! What a world says of resources, each asked for once.

use crate::world::ReplayWorld;
use foldhash::{HashMap, HashMapExt};
use taut_runtime::refit::{SilentDevice, supports_tight_alignment};
use taut_runtime::{AllocationKind, alloc_info};
use taut_schemas::{AllocationInfo, ResourceDesc, format::Format};

/// What a world says of resources.
pub(super) struct Sizes {
    world: ReplayWorld,
    placed: HashMap<ResourceDesc, AllocationInfo>,
    castable: HashMap<(ResourceDesc, Vec<Format>), AllocationInfo>,
    committed: HashMap<ResourceDesc, AllocationInfo>,
}

impl Sizes {
    pub fn new(world: ReplayWorld) -> Sizes {
        Sizes { world, placed: HashMap::new(), castable: HashMap::new(), committed: HashMap::new() }
    }

    /// Whether its driver takes the tight flag.
    pub fn has_tight_alignment(&self) -> bool {
        let device = SilentDevice::new(&self.world.settings, &*self.world.driver);
        supports_tight_alignment(&|desc, castable_formats| device.answer(desc, castable_formats))
    }

    /// What GetResourceAllocationInfo says, and a placed resource takes.
    pub fn placed(&mut self, desc: &ResourceDesc, castable_formats: &[Format]) -> AllocationInfo {
        let ReplayWorld { settings, driver, .. } = &self.world;
        let ask = || SilentDevice::new(settings, &**driver).answer(desc, castable_formats);
        if castable_formats.is_empty() {
            return *self.placed.entry(*desc).or_insert_with(ask);
        }
        *self.castable.entry((*desc, castable_formats.to_vec())).or_insert_with(ask)
    }

    /// What a committed resource takes.
    pub fn committed(&mut self, desc: &ResourceDesc) -> AllocationInfo {
        let ReplayWorld { settings, driver, .. } = &self.world;
        *self.committed.entry(*desc).or_insert_with(|| {
            let info = alloc_info(settings, &**driver, &[*desc], AllocationKind::Committed);
            AllocationInfo { size_bytes: info.size_bytes, alignment_bytes: info.alignment_bytes }
        })
    }
}
