//! The machine a trace is replayed on.

use crate::workshop::Workshop;
use taut_runtime::{Profile, RuntimeState, Settings};
use taut_schemas::{AdapterId, Driver};
use taut_traces::World;
use thiserror::Error;

/// Why the recorded world cannot be rebuilt.
#[derive(Debug, Error)]
pub enum WorldError {
    /// The header's driver profile is not one this build understands.
    #[error("the trace's driver profile cannot be used: {0}")]
    Profile(serde_json::Error),
    /// The header names no adapter, or more than there can be.
    #[error("the trace's world cannot be used: expected 1 to {} adapters, found {found}", AdapterId::MOST)]
    Adapters {
        /// How many it names.
        found: usize,
    },
    /// The header's settings are not ones this build understands.
    #[error("the trace's settings cannot be used: {0}")]
    Settings(serde_json::Error),
}

/// Drivers, settings, and everything the runtime remembers.
pub struct ReplayWorld {
    pub(crate) settings: Settings,
    /// By adapter; at least one.
    drivers: Vec<Box<dyn Driver>>,
    pub(crate) state: RuntimeState,
    pub(crate) workshop: Workshop,
}

impl ReplayWorld {
    /// The world a trace was recorded in, before its first call.
    ///
    /// # Errors
    /// The header's profile or settings are of a later build.
    pub fn recorded(world: &World) -> Result<ReplayWorld, WorldError> {
        let found = world.adapters.len();
        if !(1..=AdapterId::MOST).contains(&found) {
            return Err(WorldError::Adapters { found });
        }
        let settings = serde_json::from_value(world.settings.clone()).map_err(WorldError::Settings)?;
        let mut drivers = Vec::new();
        for adapter in &world.adapters {
            let profile: Profile = serde_json::from_value(adapter.profile.clone()).map_err(WorldError::Profile)?;
            drivers.push(taut_runtime::driver(&profile));
        }
        Ok(ReplayWorld::of(settings, drivers))
    }

    /// A world with one adapter, which has this driver, before its first call.
    pub fn new(settings: Settings, driver: Box<dyn Driver>) -> ReplayWorld {
        ReplayWorld::of(settings, vec![driver])
    }

    fn of(settings: Settings, drivers: Vec<Box<dyn Driver>>) -> ReplayWorld {
        let state = RuntimeState::new(drivers.len());
        ReplayWorld { settings, drivers, state, workshop: Workshop::default() }
    }

    /// What answers questions about descriptions: the settings, and the driver of each adapter.
    pub(crate) fn into_drivers(self) -> (Settings, Vec<Box<dyn Driver>>) {
        (self.settings, self.drivers)
    }

    /// Its adapters.
    pub(crate) fn adapters(&self) -> impl Iterator<Item = AdapterId> {
        AdapterId::first(self.drivers.len())
    }

    /// The driver of an adapter; of one that the world lacks, the first one's.
    pub(crate) fn driver(&self, adapter: AdapterId) -> &dyn Driver {
        &*self.drivers[adapter.place_among(self.drivers.len())]
    }

    /// What a call on an adapter is made with: settings, driver, state, and who does the work.
    pub(crate) fn parts(&mut self, adapter: AdapterId) -> (&Settings, &dyn Driver, &mut RuntimeState, &mut Workshop) {
        let ReplayWorld { settings, drivers, state, workshop } = self;
        (settings, &*drivers[adapter.place_among(drivers.len())], state, workshop)
    }
}
