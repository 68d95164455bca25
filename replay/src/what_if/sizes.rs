//! What a world says of resources, each asked for once.

use super::tight::Tight;
use crate::world::ReplayWorld;
use foldhash::{HashMap, HashMapExt};
use taut_runtime::refit::{SilentDevice, supports_tight_alignment};
use taut_runtime::{AllocationKind, alloc_info};
use taut_schemas::{AdapterId, AllocationInfo, ResourceDesc, format::Format};

/// What a world says of resources.
pub(super) struct Sizes {
    world: ReplayWorld,
    /// By adapter.
    adapters: Vec<AdapterSizes>,
}

/// What one adapter's driver said.
struct AdapterSizes {
    adapter: AdapterId,
    /// It takes the tight flag.
    has_tight_alignment: bool,
    placed: HashMap<ResourceDesc, AllocationInfo>,
    castable: HashMap<(ResourceDesc, Vec<Format>), AllocationInfo>,
    committed: HashMap<ResourceDesc, AllocationInfo>,
}

impl Sizes {
    pub fn new(world: ReplayWorld) -> Sizes {
        let adapters = world.machine.adapters().map(|adapter| {
            let device = SilentDevice::new(&world.machine.settings, world.machine.driver(adapter));
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

    /// What becomes of the tight flag on an adapter: nothing is tight on a driver that does not take the flag.
    pub fn tight(&self, wanted: Tight, adapter: AdapterId) -> Tight {
        let has = self.adapters.get(adapter.index()).is_some_and(|sizes| sizes.has_tight_alignment);
        if wanted == Tight::On && !has { Tight::Off } else { wanted }
    }

    /// What GetResourceAllocationInfo says, and a placed resource takes.
    pub fn placed(&mut self, adapter: AdapterId, desc: &ResourceDesc, castable_formats: &[Format]) -> AllocationInfo {
        let (world, sizes) = self.of(adapter);
        let ask = || {
            SilentDevice::new(&world.machine.settings, world.machine.driver(sizes.adapter))
                .answer(desc, castable_formats)
        };
        if castable_formats.is_empty() {
            return *sizes.placed.entry(*desc).or_insert_with(ask);
        }
        *sizes.castable.entry((*desc, castable_formats.to_vec())).or_insert_with(ask)
    }

    /// What a committed resource takes.
    pub fn committed(&mut self, adapter: AdapterId, desc: &ResourceDesc) -> AllocationInfo {
        let (world, sizes) = self.of(adapter);
        *sizes.committed.entry(*desc).or_insert_with(|| {
            let driver = world.machine.driver(sizes.adapter);
            let info = alloc_info(&world.machine.settings, driver, &[*desc], AllocationKind::Committed);
            AllocationInfo { size_bytes: info.size_bytes, alignment_bytes: info.alignment_bytes }
        })
    }

    /// An adapter's; of one that the world lacks, the first one's, which has no such device.
    fn of(&mut self, adapter: AdapterId) -> (&ReplayWorld, &mut AdapterSizes) {
        let at = adapter.place_among(self.adapters.len());
        (&self.world, &mut self.adapters[at])
    }
}
