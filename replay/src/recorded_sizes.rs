//! Resource sizes according to the driver models and settings in a trace's header.

use crate::world::{WorldError, drivers};
use foldhash::{HashMap, HashMapExt};
use std::sync::{Arc, Mutex, PoisonError};
use taut_runtime::{AllocationKind, Settings, alloc_info};
use taut_schemas::{AdapterId, AllocationInfo, Driver, HResultCode, ResourceDesc, ResourceSizes};
use taut_traces::World;

/// Cache key of an allocation query: adapter, allocation kind and description.
type AllocationKey = (AdapterId, AllocationKind, ResourceDesc);

/// Resource sizes in the world of a trace's header. Each query is evaluated once and cached.
pub struct RecordedSizes {
    settings: Settings,
    /// One driver per adapter; never empty.
    drivers: Vec<Arc<dyn Driver>>,
    answers: Mutex<HashMap<AllocationKey, Option<AllocationInfo>>>,
}

impl RecordedSizes {
    /// Creates the drivers and settings of a trace's world.
    ///
    /// # Errors
    /// The header's profile or settings are of a later build.
    pub fn of(world: &World) -> Result<RecordedSizes, WorldError> {
        let (settings, drivers) = drivers(world)?;
        if drivers.is_empty() {
            return Err(WorldError::Adapters { found: 0 });
        }
        Ok(RecordedSizes { settings, drivers, answers: Mutex::new(HashMap::new()) })
    }

    fn answer(&self, adapter: AdapterId, kind: AllocationKind, desc: &ResourceDesc) -> Option<AllocationInfo> {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        *answers.entry((adapter, kind, *desc)).or_insert_with(|| {
            let driver = &*self.drivers[adapter.place_among(self.drivers.len())];
            let info = alloc_info(&self.settings, driver, &[*desc], kind);
            let answer = AllocationInfo { size_bytes: info.size_bytes, alignment_bytes: info.alignment_bytes };
            (info.hr == HResultCode::S_OK).then_some(answer)
        })
    }
}

impl ResourceSizes for RecordedSizes {
    fn placed(&self, adapter: AdapterId, desc: &ResourceDesc) -> Option<AllocationInfo> {
        self.answer(adapter, AllocationKind::Placed, desc)
    }

    fn committed(&self, adapter: AdapterId, desc: &ResourceDesc) -> Option<AllocationInfo> {
        self.answer(adapter, AllocationKind::Committed, desc)
    }
}
