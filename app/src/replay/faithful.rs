//! Replay of a trace as it was recorded.

use super::{PROGRAM, Replay, StartTrace, VERSION};
use crate::world::change_settings;
use crate::{Error, Progress};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use taut_replay::{Outcome, ReplayWorld};
use taut_schemas::{SchemaTable, counted};
use taut_traces::{Header, World};

/// Expected time of the remaining passes above which they are announced.
const LONG: Duration = Duration::from_secs(60);

/// Options of a replay as recorded.
#[derive(Debug, Clone, Default)]
pub struct RepeatOptions {
    /// Number of passes.
    pub repeat: u32,
    /// Settings as `KEY=VALUE` that only add events.
    pub settings: Vec<String>,
}

impl Replay<'_> {
    /// Replays as often as requested. Returns the first outcome, or the first one that differs. The first pass is
    /// recorded if `start` starts a trace.
    ///
    /// # Errors
    /// The trace cannot be replayed, or the new trace cannot be written.
    pub fn repeat(
        &self,
        options: &RepeatOptions,
        start: Option<StartTrace<'_>>,
        progress: &dyn Progress,
    ) -> Result<Outcome, Error> {
        self.watched(options.repeat.into(), progress, || {
            let began = Instant::now();
            let mut first = self.first_pass(options, start)?;
            if let Some(warning) = warning(began.elapsed(), options.repeat).filter(|_| first.is_identical()) {
                progress.note(&warning);
            }
            for _ in 1..options.repeat {
                if !first.is_identical() {
                    break;
                }
                let outcome = self.replayer.run().map_err(|error| self.error(error))?;
                if !outcome.is_identical() {
                    first = outcome;
                }
            }
            Ok(first)
        })
    }

    fn first_pass(&self, options: &RepeatOptions, start: Option<StartTrace<'_>>) -> Result<Outcome, Error> {
        let mut world = self.trace.header().world.clone();
        change_settings(&mut world, &options.settings)?;
        let recorded = |world: &World| ReplayWorld::recorded(world).map_err(|error| self.error(error.into()));
        let Some(start) = start else {
            return self.replayer.run_on(recorded(&world)?, None).map_err(|error| self.error(error));
        };
        // All providers are recorded, whichever were.
        let world = World { providers: None, ..world };
        let identity = self.trace.header().identity.for_replay(PROGRAM, VERSION, &world);
        let header = Header { identity, schema: SchemaTable::current(), world };
        let world = recorded(&header.world)?;
        let writer = start(header)?;
        let outcome = self.replayer.run_on(world, Some(&writer)).map_err(|error| self.error(error))?;
        writer.finish()?;
        Ok(outcome)
    }
}

/// Announcement of passes that will take minutes, judged by the time of the first.
fn warning(first: Duration, repeat: u32) -> Option<String> {
    let left = first.saturating_mul(repeat.saturating_sub(1));
    let minutes = counted(left.as_secs().div_ceil(60), "minute");
    let message = || format!("the first pass took {:.1} s; the rest will take about {minutes}", first.as_secs_f64());
    (left > LONG).then(message)
}

/// The outcome of a replay as JSON.
pub fn outcome_json(outcome: &Outcome, repeats: u32) -> Value {
    json!({
        "identical": outcome.is_identical(),
        "calls": outcome.calls,
        "ddi_calls": outcome.ddi_calls,
        "tasks": outcome.tasks,
        "unfinished_calls": outcome.unfinished_calls,
        "not_compared": outcome.not_compared,
        "not_recorded": outcome.not_recorded,
        "states_restored": outcome.states_restored,
        "states_compared": outcome.states_compared,
        "calls_before_state": outcome.calls_before_state,
        "repeats": repeats,
        "divergence_count": outcome.divergence_count,
        "divergences": outcome.divergences,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_passes_of_minutes_are_announced() {
        assert_eq!(warning(Duration::from_secs(3), 20), None);
        assert_eq!(warning(Duration::from_secs(300), 1), None);
        let warned = warning(Duration::from_secs(3), 41).unwrap_or_default();
        assert_eq!(warned, "the first pass took 3.0 s; the rest will take about 2 minutes");
        assert!(warning(Duration::MAX, u32::MAX).is_some());
    }
}
