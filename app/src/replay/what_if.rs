//! Replay of the recorded calls with other drivers, rules or settings.

use super::tasks::{add_model, task_model};
use super::{PROGRAM, PresentDiff, Replay, StartTrace, VERSION};
use crate::{Error, Progress};
use serde_json::{Value, json};
use taut_replay::{CauseChange, Changes, TaskModel, Tight, WhatIfOutcome};
use taut_schemas::SchemaTable;
use taut_traces::{Header, World};

/// Changes of a what-if. None of them is the recorded world.
#[derive(Debug, Clone, Default)]
pub struct WhatIfOptions {
    /// Another driver: as [`WorldOptions::driver`](crate::world::WorldOptions::driver).
    pub driver: Option<String>,
    /// Name of another rule set.
    pub rules: Option<String>,
    /// Settings as `KEY=VALUE`.
    pub settings: Vec<String>,
    /// Tight flag of every resource that may have it.
    pub tight: Option<Tight>,
    /// Changes of the alignment report.
    pub changes: Vec<CauseChange>,
    /// Workers of each adapter that do background tasks.
    pub workers: Option<u32>,
    /// Time of a background task, in nanoseconds for each instruction that it reads and writes.
    pub task_ns: Option<u64>,
}

impl WhatIfOptions {
    /// True if a result can differ from the recorded one.
    pub fn has_changes(&self) -> bool {
        self.driver.is_some()
            || self.rules.is_some()
            || !self.settings.iter().all(|setting| only_adds_events(setting))
            || self.tight.is_some()
            || !self.changes.is_empty()
            || self.workers.is_some()
            || self.task_ns.is_some()
    }

    /// Changes of resources and tasks.
    pub(super) fn changes(&self, tasks: Option<TaskModel>) -> Changes {
        Changes::new(self.tight.unwrap_or_default(), &self.changes).with_tasks(tasks)
    }
}

/// True if a setting only adds events, of accesses to handle memory, and changes no result.
fn only_adds_events(setting: &str) -> bool {
    setting == "handle_accesses=true"
}

/// Result of a what-if.
pub struct WhatIf {
    /// World of the what-if.
    pub world: World,
    /// Model of background tasks; `None` if the recorded tasks were replayed.
    pub tasks: Option<TaskModel>,
    pub outcome: WhatIfOutcome,
}

impl Replay<'_> {
    /// Replays in the world of the options. The replay is recorded if `start` starts a trace.
    ///
    /// # Errors
    /// An option is wrong, the trace cannot be replayed in that world, or the new trace cannot be written.
    pub fn what_if(
        &self,
        options: &WhatIfOptions,
        start: Option<StartTrace<'_>>,
        progress: &dyn Progress,
    ) -> Result<WhatIf, Error> {
        let recorded = &self.trace.header().world;
        let mut world = options.world(recorded)?;
        let tasks = task_model(&self.replayer, options, &world, recorded).map_err(|error| self.error(error))?;
        add_model(&mut world, tasks)?;
        // The trace is read twice, once for a survey.
        let outcome = self.watched(2, progress, || self.changed(&world, options.changes(tasks), start))?;
        Ok(WhatIf { world, tasks, outcome })
    }

    /// Replays in another world.
    ///
    /// # Errors
    /// The trace cannot be replayed in that world, or the new trace cannot be written.
    pub fn changed(
        &self,
        world: &World,
        changes: impl Into<Changes>,
        start: Option<StartTrace<'_>>,
    ) -> Result<WhatIfOutcome, Error> {
        let Some(start) = start else {
            return self.replayer.what_if(world, changes, None).map_err(|error| self.error(error));
        };
        let identity = self.trace.header().identity.for_replay(PROGRAM, VERSION, world);
        let writer = start(Header { identity, schema: SchemaTable::current(), world: world.clone() })?;
        let outcome = self.replayer.what_if(world, changes, Some(&writer)).map_err(|error| self.error(error))?;
        writer.finish()?;
        Ok(outcome)
    }
}

impl WhatIf {
    /// The result as JSON, with the presents that differ.
    ///
    /// # Errors
    /// A figure is not representable in JSON.
    pub fn json(&self, presents: &PresentDiff) -> Result<Value, Error> {
        let WhatIf { world, tasks, outcome } = self;
        let mut document = serde_json::to_value(outcome).map_err(Error::input)?;
        if let Value::Object(document) = &mut document {
            document.insert("calls".to_owned(), json!(outcome.replayed.calls));
            document.insert("ddi_calls".to_owned(), json!(outcome.replayed.ddi_calls));
            document.insert("driver".to_owned(), json!(world.drivers()));
            document.insert("rules".to_owned(), json!(world.rules));
            if let Some(differences) = &presents.differences {
                document.insert("presents".to_owned(), json!(differences));
            }
            document.insert("recorded_tasks".to_owned(), json!(outcome.replayed.recorded_tasks));
            document.insert("tasks".to_owned(), json!(outcome.replayed.tasks));
            document.insert("task_model".to_owned(), json!(tasks));
        }
        Ok(document)
    }
}
