//! The replayer: walks the recorded events in stamp order, makes the calls again, and compares.

use crate::cut::{Cut, cut};
use crate::error::ReplayError;
use crate::outcome::Outcome;
use crate::policy::{Faithful, Policy};
use crate::recording::{Options, Recording};
use crate::run::Run;
use crate::tasks::TaskModel;
use crate::what_if::{Changes, WhatIf, WhatIfOutcome};
use crate::world::{ReplayWorld, drivers};
use std::sync::Arc;
use taut_runtime::SharedCode;
use taut_traces::{Trace, TraceWriter, World};

/// Replays one trace.
pub struct Replayer<'t> {
    recording: Recording<'t>,
    /// Of the worlds of what-ifs, which draw much the same.
    code: Arc<SharedCode>,
}

impl<'t> Replayer<'t> {
    /// A replayer for `trace`.
    pub fn new(trace: &'t Trace, options: Options) -> Replayer<'t> {
        Replayer { recording: Recording::new(trace, options), code: Arc::default() }
    }

    /// Checks that there may be something to replay: to be asked before a world is made.
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

    /// Replays on `world`; what happens there is written to `output`, under the recorded stamps.
    ///
    /// # Errors
    /// The trace cannot be read, or it has an event this build does not know.
    pub fn run_on(&self, world: ReplayWorld, output: Option<&TraceWriter>) -> Result<Outcome, ReplayError> {
        self.pass(Run::new(&self.recording, world, output, &mut Faithful))
    }

    /// Writes to `output`, whose header is to be that of a trace of this build in the same world, the part of the recording
    /// behind the first moment after the stamp `at` at which no call is open: a rundown of what the runtime remembers there, and
    /// the events as recorded. `None` if no event comes after it.
    ///
    /// # Errors
    /// As [`Replayer::run`], or there is something in the runtime that a rundown cannot hold.
    pub fn cut(&self, at: u64, output: &TraceWriter) -> Result<Option<Cut>, ReplayError> {
        cut(&self.recording, at, output)
    }

    /// Replays on another world: `world` has its driver and settings, `tight` says what becomes of the tight flag. What
    /// the heaps need there is found first; then the calls are made, changed accordingly, and what happens is written to
    /// `output`.
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

    /// The model of background tasks for another world: so many workers, and so many nanoseconds for an instruction. What is
    /// not given is that of a live session in that world, and the average of the recorded tasks.
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
        TaskModel::of(&self.recording, &settings, (workers, ns_per_instruction))
    }

    fn pass<P: Policy>(&self, mut run: Run<'_, 't, P>) -> Result<Outcome, ReplayError> {
        let damage = self.recording.each_row(|row| run.row(row))?;
        Ok(Outcome { damage, ..run.finish()? })
    }
}
