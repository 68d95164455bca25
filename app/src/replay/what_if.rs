//! Replay of the recorded calls with other drivers, rules or settings.

use super::api_support;
use super::driver_change::{ProfileChange, TaskComparison, TaskFigures, profile_changes};
use super::tasks::{add_model, task_model};
use super::{PROGRAM, PresentDiff, Replay, StartTrace, VERSION};
use crate::scratch::{scratch, scratch_trace_name};
use crate::{Error, Progress};
use serde_json::{Value, json};
use taut_analyze::reports::present::has_any as has_presents;
use taut_replay::{CauseChange, Changes, MachineChange, TaskModel, Tight, WhatIfOutcome};
use taut_runtime::MachineProfile;
use taut_schemas::SchemaTable;
use taut_traces::{Header, Identity, Trace, TraceWriter, World, WriteOptions};

/// Changes of the recorded world in a what-if. The default has no changes.
#[derive(Debug, Clone, Default)]
pub struct WhatIfOptions {
    /// Driver models in place of the recorded ones, in the form of
    /// [`WorldOptions::driver`](crate::world::WorldOptions::driver).
    pub driver: Option<String>,
    /// Name of a machine or path of its profile, in place of the recorded machine. Its drivers are used unless `driver`
    /// names others.
    pub machine: Option<String>,
    /// Name of the rule set in place of the recorded one.
    pub rules: Option<String>,
    /// Changed settings, as `KEY=VALUE`.
    pub settings: Vec<String>,
    /// Change of the tight flag of every resource that may have the flag.
    pub tight: Option<Tight>,
    /// Changes of descriptions, as the alignment report suggests them.
    pub changes: Vec<CauseChange>,
    /// Maximum number of concurrent background tasks, over all adapters.
    pub workers: Option<u32>,
    /// Duration of a background task, in nanoseconds per instruction that the task reads or writes.
    pub task_ns: Option<u64>,
}

impl WhatIfOptions {
    /// Checks the model of background tasks.
    ///
    /// # Errors
    /// There is no worker, or a task takes too long.
    pub fn check_tasks(&self) -> Result<(), Error> {
        let max = TaskModel::MAX_NS_PER_INSTRUCTION;
        match (self.workers, self.task_ns) {
            (Some(0), _) => Err(Error::usage("workers 0: expected 1 or more")),
            (_, Some(ns)) if ns > max => Err(Error::usage(format_args!("task_ns {ns}: expected at most {max}"))),
            _ => Ok(()),
        }
    }

    /// True if the options can change the result of a call.
    pub fn has_changes(&self) -> bool {
        self.driver.is_some()
            || self.machine.is_some()
            || self.rules.is_some()
            || !self.settings.iter().all(|setting| only_adds_events(setting))
            || self.tight.is_some()
            || !self.changes.is_empty()
            || self.workers.is_some()
            || self.task_ns.is_some()
    }

    /// Returns the changes of calls, with `tasks` as the model of background tasks and the machine of `world`, the world
    /// of these options.
    ///
    /// # Errors
    /// The world's machine cannot be parsed.
    pub(super) fn changes(&self, world: &World, tasks: Option<TaskModel>) -> Result<Changes, Error> {
        let profile = || serde_json::from_value::<MachineProfile>(world.machine.clone()).map_err(Error::input);
        let machine = self.machine.is_some().then(profile).transpose()?.as_ref().map(MachineChange::from);
        Ok(Changes::new(self.tight.unwrap_or_default(), &self.changes).with_tasks(tasks).on_machine(machine))
    }
}

/// True if a setting, as `KEY=VALUE`, changes no result and only adds events: accesses to handle memory.
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
    /// Keys of the drivers' profiles that differ from the recorded ones.
    pub profile_changes: Vec<ProfileChange>,
    /// Background tasks of the what-if; `None` if the recorded tasks were replayed, or if the caller has the trace.
    pub live_tasks: Option<TaskFigures>,
}

impl Replay<'_> {
    /// Replays the trace in the recorded world with the changes of `options`. With `start`, writes the events of the
    /// replay to the trace that `start` starts.
    ///
    /// # Errors
    /// An option is invalid, the trace cannot be replayed in the changed world, or the new trace cannot be written.
    pub fn what_if(
        &self,
        options: &WhatIfOptions,
        start: Option<StartTrace<'_>>,
        progress: &dyn Progress,
    ) -> Result<WhatIf, Error> {
        if options.machine.is_some() && !has_presents(self.trace) {
            return Err(Error::usage("--machine: the recording has no presents, so no machine changes its results"));
        }
        let recorded = &self.trace.header().world;
        let mut world = options.world(recorded)?;
        api_support::check(self.trace, recorded, &world)?;
        let tasks = task_model(&self.replayer, options, &world, recorded).map_err(|error| self.error(error))?;
        add_model(&mut world, tasks)?;
        // The trace is read in two passes, of which the first is the survey.
        let changes = options.changes(&world, tasks)?;
        let profile_changes = profile_changes(recorded, &world);
        if start.is_some() || tasks.is_none() {
            let outcome = self.watched(2, progress, || self.changed(&world, changes, start))?;
            return Ok(WhatIf { world, tasks, outcome, profile_changes, live_tasks: None });
        }
        // The effect of simulated tasks is in the events of the what-if.
        let (outcome, live) = self.watched(2, progress, || self.changed_in_scratch(&world, changes))?;
        Ok(WhatIf { world, tasks, outcome, profile_changes, live_tasks: Some(TaskFigures::of(live)?) })
    }

    /// Replays the trace in `world` with `changes` of calls into an unnamed temporary file.
    pub(super) fn changed_in_scratch(&self, world: &World, changes: Changes) -> Result<(WhatIfOutcome, Trace), Error> {
        let file = scratch()?;
        let trace_file = file.try_clone().map_err(Error::io)?;
        let header = Header {
            identity: Identity::derived(PROGRAM, VERSION, world),
            schema: SchemaTable::current(),
            world: world.clone(),
        };
        let name = scratch_trace_name();
        let writer = TraceWriter::to_file(file, &name, header, WriteOptions::default())?;
        let outcome = self.replayer.what_if(world, changes, Some(&writer)).map_err(|error| self.error(error))?;
        writer.finish()?;
        Ok((outcome, Trace::from_file(&trace_file, &name).map_err(Error::input)?))
    }

    /// Replays the trace in `world` with `changes` of calls. With `start`, writes the events of the replay to the trace
    /// that `start` starts.
    ///
    /// # Errors
    /// The trace cannot be replayed in `world`, or the new trace cannot be written.
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
    /// Returns the result as JSON, with the differences of `presents` and of background tasks.
    ///
    /// # Errors
    /// A figure is not representable in JSON.
    pub fn json(&self, presents: &PresentDiff, compared: Option<TaskComparison>) -> Result<Value, Error> {
        let WhatIf { world, tasks, outcome, profile_changes, .. } = self;
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
            document.insert("profile_changes".to_owned(), json!(profile_changes));
            document.insert("task_comparison".to_owned(), json!(compared));
        }
        Ok(document)
    }
}
