//! Machine on which a trace is replayed.

use crate::parallel_executor::ParallelExecutor;
use std::sync::Arc;
use taut_runtime::{Machine, Profile, Settings};
use taut_schemas::{AdapterId, Driver};
use taut_traces::World;
use thiserror::Error;

/// Error of rebuilding the recorded world.
#[derive(Debug, Error)]
pub enum WorldError {
    /// The header's driver profile is not one this build understands.
    #[error("the trace's driver profile cannot be used: {0}")]
    Profile(serde_json::Error),
    /// The header has no adapter, or more than [`AdapterId::MAX`].
    #[error("the trace's world cannot be used: expected 1 to {} adapters, found {found}", AdapterId::MAX)]
    Adapters {
        /// Number of adapters in the header.
        found: usize,
    },
    /// This build cannot parse the settings in the header.
    #[error("the trace's settings cannot be used: {0}")]
    Settings(serde_json::Error),
}

/// Runtime machine of a replay: drivers, settings and the whole runtime state.
pub struct ReplayWorld {
    pub(crate) machine: Machine<'static, ParallelExecutor>,
}

impl ReplayWorld {
    /// Creates the world a trace was recorded in, in its state before the first call.
    ///
    /// # Errors
    /// The header's profile or settings are of a later build.
    pub fn recorded(world: &World) -> Result<ReplayWorld, WorldError> {
        let (settings, drivers) = drivers(world)?;
        let found = drivers.len();
        let machine = Machine::with_adapters(settings, drivers).ok_or(WorldError::Adapters { found })?;
        Ok(ReplayWorld { machine })
    }

    /// Creates a world with one adapter, which uses `driver`, in its state before the first call.
    pub fn new(settings: Settings, driver: Box<dyn Driver>) -> ReplayWorld {
        ReplayWorld { machine: Machine::new(settings, Arc::from(driver)) }
    }
}

/// Returns the settings of a recorded world and the driver of each adapter, which together answer allocation queries.
///
/// # Errors
/// As [`ReplayWorld::recorded`].
pub(crate) fn drivers(world: &World) -> Result<(Settings, Vec<Arc<dyn Driver>>), WorldError> {
    let found = world.adapters.len();
    if found > AdapterId::MAX {
        return Err(WorldError::Adapters { found });
    }
    let settings = serde_json::from_value(world.settings.clone()).map_err(WorldError::Settings)?;
    let mut drivers = Vec::new();
    for adapter in &world.adapters {
        let profile: Profile = serde_json::from_value(adapter.profile.clone()).map_err(WorldError::Profile)?;
        drivers.push(Arc::from(taut_runtime::driver(&profile)));
    }
    Ok((settings, drivers))
}
