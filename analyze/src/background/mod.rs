//! Background processing: queued tasks, their outcomes, and their effects on draws.
//!
//! One pass over its events builds a [`Background`]: its [`Pass`]es, [`Task`]s, [`Draw`]s, [`Frame`]s and [`Commit`]s,
//! and the events themselves in the order of all threads, for audits.

mod builder;
mod commit;
mod draw;
mod event;
mod extent;
mod fit_settings;
mod frame;
mod pass;
mod pipeline;
mod reader;
mod task;
mod variant;

pub use commit::Commit;
pub use draw::Draw;
pub use fit_settings::FitSettings;
pub use frame::Frame;
pub use pass::{Counts, Pass};
pub use pipeline::Pipeline;
pub use task::{Cancelled, Started, Task, TaskState};
pub use variant::{Estimated, Variant};

pub(crate) use crate::events::At;
pub(crate) use event::{
    BackgroundEvent, CancelCalled, Collected, CommitDone, Committed, ModeCall, ModeCallEnded, PipelineDestroyed,
    RundownTask, Submitted, TaskCancelled, TaskPriority, TaskProcessed, TaskStarted, TaskStopped, VariantReported,
    bound_constants,
};
pub(crate) use reader::any;

use crate::error::AnalyzeError;
use crate::events::{Source, Tracker};
use builder::BackgroundTracker;
use std::collections::HashMap;
use taut_schemas::{CodeTime, PipelineStateId, TaskId};

/// Background processing in a trace.
#[derive(Debug, Default)]
pub struct Background {
    /// The passes; the first is the time before the first accepted SetBackgroundProcessingMode.
    pub passes: Vec<Pass>,
    /// The tasks, in order of their first event.
    pub tasks: Vec<Task>,
    /// The measured draws, in order of measurement.
    pub draws: Vec<Draw>,
    /// The frames, in order of their ends.
    pub frames: Vec<Frame>,
    /// Measured times of draws' code, with the draw's submission, in order of measurement.
    pub times: Vec<(u64, CodeTime)>,
    /// Stamps at which draws were completed, with the processor, from 1.
    pub drawn_on: Vec<(u64, u32)>,
    /// The commits, in order.
    pub commits: Vec<Commit>,
    /// The variants, in order of their first event.
    pub variants: Vec<Variant>,
    /// Specialisations that were never compiled, because the estimated gain is too small, in order.
    pub estimated: Vec<Estimated>,
    /// The pipeline states of draws and tasks, by handle.
    pub pipelines: Vec<Pipeline>,
    /// Stamps of the first and the last record of the trace.
    pub span: (u64, u64),
    pub(crate) events: Vec<(At, BackgroundEvent)>,
    pub(crate) tasks_by_id: HashMap<TaskId, u32>,
}

impl Background {
    /// True if a task compiles no variant but tunes the execution of draws: it has no fixed slot. Without tuned draws,
    /// all tasks compile variants.
    pub fn tunes(&self, task: &Task) -> bool {
        let is_tuned = || self.draws.iter().any(|draw| draw.run.untuned_executed > 0);
        task.queued_stamp.is_some() && task.fixed_slots == 0 && is_tuned()
    }

    /// Reads the events from a trace and builds the result.
    pub(crate) fn read(source: &Source) -> Result<Background, AnalyzeError> {
        if !any(source.trace()) {
            return Ok(Background::default());
        }
        let events = reader::events(source)?.read()?;
        let summary = source.trace().summary();
        let span = (summary.first_stamp.unwrap_or_default(), summary.last_stamp.unwrap_or_default());
        let mut tracker = BackgroundTracker::new(span);
        // By reference, because the result keeps the events.
        events.iter().for_each(|(at, event)| tracker.on_event(*at, event));
        Ok(Background { events, ..tracker.finish() })
    }

    /// Finds the task with this id.
    pub fn task(&self, id: TaskId) -> Option<&Task> {
        self.tasks_by_id.get(&id).and_then(|place| self.tasks.get(*place as usize))
    }

    /// The name of a pipeline state: the last one set, that of its shader, or its handle.
    pub fn pipeline_name(&self, id: PipelineStateId) -> String {
        let known = self.pipelines.iter().find(|pipeline| pipeline.id == id);
        known.map_or_else(|| format!("pipeline state {}", id.0), |pipeline| pipeline.name.clone())
    }

    /// Ranges of time in which a task ran, in order, merged. A task without an end counts to the trace's end.
    pub fn busy(&self) -> Vec<(u64, u64)> {
        self.busy_with(|_| true)
    }

    /// Ranges of time in which one of certain tasks ran, as [`busy`](Self::busy).
    pub(crate) fn busy_with(&self, counts: impl Fn(&Task) -> bool) -> Vec<(u64, u64)> {
        let end = self.span.1;
        let ran = |task: &Task| Some((task.started?.stamp, task.stopped_stamp.unwrap_or(end)));
        joined(self.tasks.iter().filter(|task| counts(task)).filter_map(ran).collect())
    }
}

pub(crate) use extent::{covered, joined};
