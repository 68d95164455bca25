//! Replayer: reads the recorded events in stamp order, executes the calls, and compares.

use crate::error::ReplayError;
use crate::outcome::Outcome;
use crate::policy::{Faithful, Policy};
use crate::recording::{Options, Recording};
use crate::run::Run;
use crate::split_at::{SplitPoint, split_at};
use crate::tasks::TaskModel;
use crate::what_if::{Changes, WhatIf, WhatIfOutcome};
use crate::world::{ReplayWorld, drivers};
use std::sync::Arc;
use taut_runtime::SharedCode;
use taut_traces::{Trace, TraceWriter, World};

/// Replays one trace.
pub struct Replayer<'t> {
    recording: Recording<'t>,
    /// Compiled code, shared by successive what-ifs because most of their draws are equal.
    code: Arc<SharedCode>,
}

impl<'t> Replayer<'t> {
    /// Creates a replayer for `trace`.
    pub fn new(trace: &'t Trace, options: Options) -> Replayer<'t> {
        Replayer { recording: Recording::new(trace, options), code: Arc::default() }
    }

    /// Checks that the trace can be replayed, before a world is created.
    ///
    /// # Errors
    /// The trace has no inputs.
    pub fn check_inputs(&self) -> Result<(), ReplayError> {
        self.recording.check_inputs()
    }

    /// Replays on the recorded world.
    ///
    /// # Errors
    /// The world cannot be rebuilt, the trace cannot be read, or it has an event this build does not know.
    pub fn run(&self) -> Result<Outcome, ReplayError> {
        self.recording.check_inputs()?;
        self.run_on(ReplayWorld::recorded(&self.recording.trace.header().world)?, None)
    }

    /// Replays on `world`; the resulting events are written to `output`, under the recorded stamps.
    ///
    /// # Errors
    /// The trace cannot be read, or it has an event this build does not know.
    pub fn run_on(&self, world: ReplayWorld, output: Option<&TraceWriter>) -> Result<Outcome, ReplayError> {
        self.pass(Run::new(&self.recording, world, output, &mut Faithful))
    }

    /// Writes the part of the recording after the stamp `at` to `output`: a rundown of the runtime state at the first
    /// moment after `at` at which no call is open, and the later events as recorded. The header of `output` must be
    /// that of a trace of this build in the same world. Returns `None` if no event follows.
    ///
    /// # Errors
    /// As [`Replayer::run`], or the runtime state has a part that a rundown cannot contain.
    pub fn split_at(&self, at: u64, output: &TraceWriter) -> Result<Option<SplitPoint>, ReplayError> {
        split_at(&self.recording, at, output)
    }

    /// Replays in another world. `world` states its drivers and settings; `changes` are the changes of descriptions and
    /// background tasks. The first pass computes the heap sizes and offsets in that world; the second pass executes the
    /// changed calls and writes the resulting events to `output`.
    ///
    /// # Errors
    /// A world cannot be built, the trace cannot be read, or it has an event this build does not know.
    pub fn what_if(
        &self,
        world: &World,
        changes: impl Into<Changes>,
        output: Option<&TraceWriter>,
    ) -> Result<WhatIfOutcome, ReplayError> {
        self.recording.check_inputs()?;
        // A replay of the recorded world does not share code, because compile times are measured there.
        self.code.within(|| self.changed(world, changes.into(), output))
    }

    fn changed(
        &self,
        world: &World,
        changes: Changes,
        output: Option<&TraceWriter>,
    ) -> Result<WhatIfOutcome, ReplayError> {
        let recorded = ReplayWorld::recorded(&self.recording.trace.header().world)?;
        let tasks = changes.tasks();
        let mut what_if = WhatIf::survey(&self.recording, recorded, ReplayWorld::recorded(world)?, changes)?;
        let run = Run::new(&self.recording, ReplayWorld::recorded(world)?, output, &mut what_if);
        let replayed = self.pass(run.with_tasks(tasks))?;
        Ok(WhatIfOutcome { replayed, ..what_if.outcome })
    }

    /// Returns the model of background tasks for another world, with this number of workers and this duration in
    /// nanoseconds per instruction. Unset values default to the workers of a live session in that world and to the
    /// median of the recorded tasks.
    ///
    /// # Errors
    /// The world cannot be built, or the trace cannot be read.
    pub fn task_model(
        &self,
        world: &World,
        workers: Option<u32>,
        ns_per_instruction: Option<u64>,
    ) -> Result<TaskModel, ReplayError> {
        self.recording.check_inputs()?;
        let (settings, _) = drivers(world)?;
        TaskModel::from_recording(&self.recording, &settings, workers, ns_per_instruction)
    }

    fn pass<P: Policy>(&self, mut run: Run<'_, 't, P>) -> Result<Outcome, ReplayError> {
        let damage = self.recording.each_row(|row| run.row(row))?;
        Ok(Outcome { damage, ..run.finish()? })
    }
}
