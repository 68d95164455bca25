//! Resource sizes in a world. Each query is evaluated once and cached.

use super::tight::Tight;
use crate::world::ReplayWorld;
use foldhash::{HashMap, HashMapExt};
use taut_runtime::repack::{UnrecordedDevice, supports_tight_alignment};
use taut_runtime::{AllocationKind, alloc_info};
use taut_schemas::{AdapterId, AllocationInfo, ResourceDesc, format::Format};

/// Resource sizes according to the drivers of a world.
pub(super) struct Sizes {
    world: ReplayWorld,
    /// Cached sizes of each adapter.
    adapters: Vec<AdapterSizes>,
}

/// Cached answers of one adapter's driver.
struct AdapterSizes {
    adapter: AdapterId,
    /// True if the driver supports the tight flag.
    has_tight_alignment: bool,
    placed: HashMap<ResourceDesc, AllocationInfo>,
    castable: HashMap<(ResourceDesc, Vec<Format>), AllocationInfo>,
    committed: HashMap<ResourceDesc, AllocationInfo>,
}

impl Sizes {
    pub fn new(world: ReplayWorld) -> Sizes {
        let adapters = world.machine.adapters().map(|adapter| {
            let device = UnrecordedDevice::new(&world.machine.settings, world.machine.driver(adapter));
            AdapterSizes {
                adapter,
                has_tight_alignment: supports_tight_alignment(&|desc, formats| device.answer(desc, formats)),
                placed: HashMap::new(),
                castable: HashMap::new(),
                committed: HashMap::new(),
            }
        });
        Sizes { adapters: adapters.collect(), world }
    }

    /// Returns the change of the tight flag for an adapter: `On` becomes `Off` where the driver does not support the
    /// flag.
    pub fn tight(&self, wanted: Tight, adapter: AdapterId) -> Tight {
        let has = self.adapters.get(adapter.index()).is_some_and(|sizes| sizes.has_tight_alignment);
        if wanted == Tight::On && !has { Tight::Off } else { wanted }
    }

    /// Returns the result of GetResourceAllocationInfo, which is the allocation of a placed resource.
    pub fn placed(&mut self, adapter: AdapterId, desc: &ResourceDesc, castable_formats: &[Format]) -> AllocationInfo {
        let (world, sizes) = self.of(adapter);
        let query = || {
            UnrecordedDevice::new(&world.machine.settings, world.machine.driver(sizes.adapter))
                .answer(desc, castable_formats)
        };
        if castable_formats.is_empty() {
            return *sizes.placed.entry(*desc).or_insert_with(query);
        }
        *sizes.castable.entry((*desc, castable_formats.to_vec())).or_insert_with(query)
    }

    /// Returns the allocation of a committed resource.
    pub fn committed(&mut self, adapter: AdapterId, desc: &ResourceDesc) -> AllocationInfo {
        let (world, sizes) = self.of(adapter);
        *sizes.committed.entry(*desc).or_insert_with(|| {
            let driver = world.machine.driver(sizes.adapter);
            let info = alloc_info(&world.machine.settings, driver, &[*desc], AllocationKind::Committed);
            AllocationInfo { size_bytes: info.size_bytes, alignment_bytes: info.alignment_bytes }
        })
    }

    /// Returns the cache of an adapter. An adapter that the world lacks has no device, so the first adapter's is used.
    fn of(&mut self, adapter: AdapterId) -> (&ReplayWorld, &mut AdapterSizes) {
        let at = adapter.place_among(self.adapters.len());
        (&self.world, &mut self.adapters[at])
    }
}
