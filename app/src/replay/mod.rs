//! Replay of a trace: as recorded, in another world, or with several values of a key of a driver's profile.

pub(crate) mod api_support;
mod driver_change;
mod faithful;
mod placement;
mod presents;
mod sweep;
mod sweep_effect;
mod tasks;
mod what_if;
mod world;

pub use driver_change::{ProfileChange, TaskComparison, TaskFigures, profile_changes};
pub use faithful::{RepeatOptions, outcome_json};
pub use placement::{Placement, PlacementOptions, PolicyResult, placement_chart};
pub use presents::PresentDiff;
pub use sweep::{Sweep, SweepOutcome, SweepResult};
pub use what_if::{WhatIf, WhatIfOptions};
pub use world::add_what_if_parameter;

use crate::progress::watched;
use crate::{Error, Progress, Step};
use taut_replay::{Options, ReplayError, Replayer};
use taut_traces::{Header, Trace, TraceWriter, WriteError};

/// Function that starts the trace of a replay.
pub type StartTrace<'a> = &'a dyn Fn(Header) -> Result<TraceWriter, WriteError>;

/// Program in the identity of a replay's trace.
const PROGRAM: &str = "taut";
/// Version in the identity of a replay's trace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Limits of a replay.
#[derive(Debug, Clone, Copy)]
pub struct ReplayLimits {
    /// Stamp after which events are ignored; `None` for all events.
    pub until: Option<u64>,
    /// Max number of divergences in the result; all are counted.
    pub max_divergences: usize,
}

/// A trace that can be replayed.
pub struct Replay<'t> {
    name: String,
    trace: &'t Trace,
    replayer: Replayer<'t>,
}

impl<'t> Replay<'t> {
    /// Checks that the trace can be replayed. Errors name it `name`.
    ///
    /// # Errors
    /// The trace has no inputs.
    pub fn new(name: String, trace: &'t Trace, limits: ReplayLimits) -> Result<Replay<'t>, Error> {
        let options = Options {
            until: limits.until.unwrap_or(u64::MAX),
            keep_divergences: limits.max_divergences,
            ..Options::default()
        };
        let replay = Replay { name, trace, replayer: Replayer::new(trace, options) };
        replay.replayer.check_inputs().map_err(|error| replay.error(error))?;
        Ok(replay)
    }

    /// Error of a replay: the trace is corrupt, or of another build.
    fn error(&self, error: ReplayError) -> Error {
        let error = match error {
            ReplayError::Read(error) => Error::Read(error),
            error => Error::input(error),
        };
        error.context(self.name.clone())
    }

    /// Runs work that reads all events of the trace `passes` times.
    fn watched<R>(&self, passes: u64, progress: &dyn Progress, work: impl FnOnce() -> R) -> R {
        let total = self.trace.summary().events.saturating_mul(passes);
        watched(progress, Step { total, name: "replaying", done: &|| self.trace.records_read() }, work)
    }
}
