//! The machine a trace is replayed on.

use crate::workshop::Workshop;
use taut_runtime::{Profile, RuntimeState, Settings};
use taut_schemas::Driver;
use taut_traces::World;
use thiserror::Error;

/// Why the recorded world cannot be rebuilt.
#[derive(Debug, Error)]
pub enum WorldError {
    /// The header's driver profile is not one this build understands.
    #[error("the trace's driver profile cannot be used: {0}")]
    Profile(serde_json::Error),
    /// The header's settings are not ones this build understands.
    #[error("the trace's settings cannot be used: {0}")]
    Settings(serde_json::Error),
}

/// Driver, settings, and everything the runtime remembers.
pub struct ReplayWorld {
    pub(crate) settings: Settings,
    pub(crate) driver: Box<dyn Driver>,
    pub(crate) state: RuntimeState,
    pub(crate) workshop: Workshop,
}

impl ReplayWorld {
    /// The world a trace was recorded in, before its first call.
    ///
    /// # Errors
    /// The header's profile or settings are of a later build.
    pub fn recorded(world: &World) -> Result<ReplayWorld, WorldError> {
        let profile: Profile = serde_json::from_value(world.profile.clone()).map_err(WorldError::Profile)?;
        let settings = serde_json::from_value(world.settings.clone()).map_err(WorldError::Settings)?;
        Ok(ReplayWorld::new(settings, taut_runtime::driver(&profile)))
    }

    /// A world with this driver, before its first call.
    pub fn new(settings: Settings, driver: Box<dyn Driver>) -> ReplayWorld {
        ReplayWorld { settings, driver, state: RuntimeState::default(), workshop: Workshop::default() }
    }
}
