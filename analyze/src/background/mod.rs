//! Background processing: what a driver queued, what became of it, and what it did to the draws.
//!
//! One pass over the events that speak of it makes a [`Background`]: its [`Pass`]es, [`Task`]s, [`Draw`]s, [`Frame`]s and
//! [`Commit`]s, and the events themselves in the order of all threads, which audits walk.

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

pub(crate) use crate::event_reader::At;
pub(crate) use event::{
    BackgroundEvent, CancelCalled, Collected, CommitDone, Committed, ModeCall, ModeCallEnded, PipelineDestroyed,
    Submitted, TaskCancelled, TaskPriority, TaskProcessed, TaskStarted, TaskStopped, TaskThere, VariantReported,
    bound_constants,
};
pub(crate) use reader::any;

use crate::error::AnalyzeError;
use crate::source::Source;
use builder::Builder;
use std::collections::HashMap;
use taut_schemas::{CodeTime, PipelineStateId, TaskId};

/// Everything a trace says of background processing.
#[derive(Debug, Default)]
pub struct Background {
    /// The passes; the first is the time before SetBackgroundProcessingMode is first accepted.
    pub passes: Vec<Pass>,
    /// The tasks, in the order in which they were first heard of.
    pub tasks: Vec<Task>,
    /// The draws that were measured, in the order of measurement.
    pub draws: Vec<Draw>,
    /// The frames, in the order of their ends.
    pub frames: Vec<Frame>,
    /// How long code of draws took, by the draw's submission, in the order of measurement.
    pub times: Vec<(u64, CodeTime)>,
    /// When draws were done, and on which processor, from 1.
    pub drawn_on: Vec<(u64, u32)>,
    /// The commits, in order.
    pub commits: Vec<Commit>,
    /// The variants that came into use, in the order in which they were first heard of.
    pub variants: Vec<Variant>,
    /// Specialisations that were never made, because the texts promise too little, in order.
    pub estimated: Vec<Estimated>,
    /// The pipeline states that are drawn with or that tasks are for, by their handles.
    pub pipelines: Vec<Pipeline>,
    /// Stamps of the first and the last record of the trace.
    pub span: (u64, u64),
    pub(crate) events: Vec<(At, BackgroundEvent)>,
    pub(crate) tasks_by_id: HashMap<TaskId, u32>,
}

impl Background {
    /// A task makes no variant, but tunes how draws are run: it takes no slot as fixed. Where nothing is tuned, all make variants.
    pub fn tunes(&self, task: &Task) -> bool {
        let is_tuned = || self.draws.iter().any(|draw| draw.run.untuned_executed > 0);
        task.queued_stamp.is_some() && task.asked_slots == 0 && is_tuned()
    }

    /// Reads it out of a trace.
    pub(crate) fn read(source: &Source) -> Result<Background, AnalyzeError> {
        if !any(source.trace()) {
            return Ok(Background::default());
        }
        let events = reader::events(source)?;
        let mut builder = Builder::default();
        events.iter().for_each(|(at, event)| builder.take(*at, event));
        let summary = source.trace().summary();
        let span = (summary.first_stamp.unwrap_or_default(), summary.last_stamp.unwrap_or_default());
        Ok(builder.finish(span, events))
    }

    /// The task of this number.
    pub fn task(&self, id: TaskId) -> Option<&Task> {
        self.tasks_by_id.get(&id).and_then(|place| self.tasks.get(*place as usize))
    }

    /// The name of a pipeline state: the one it was last given, that of its shader, or its handle.
    pub fn pipeline_name(&self, id: PipelineStateId) -> String {
        let known = self.pipelines.iter().find(|pipeline| pipeline.id == id);
        known.map_or_else(|| format!("pipeline state {}", id.0), |pipeline| pipeline.name.clone())
    }

    /// Stretches of time in which a task ran, in order, none touching the next. What was cut off ran to the end.
    pub fn busy(&self) -> Vec<(u64, u64)> {
        self.busy_with(|_| true)
    }

    /// The same, of some tasks alone.
    pub(crate) fn busy_with(&self, counts: impl Fn(&Task) -> bool) -> Vec<(u64, u64)> {
        let end = self.span.1;
        let ran = |task: &Task| Some((task.started?.stamp, task.stopped_stamp.unwrap_or(end)));
        joined(self.tasks.iter().filter(|task| counts(task)).filter_map(ran).collect())
    }
}

pub(crate) use extent::{covered, joined};
