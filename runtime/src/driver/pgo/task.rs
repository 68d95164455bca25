//! Background tasks as the driver sees them: queued, then ended or cancelled.

use super::installed::Installed;
use super::optimiser::{Optimiser, with};
use super::report::report;
use super::windows::Key;
use super::work::{Made, Specialisation};
use crate::driver::faults::Faults;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use taut_schemas::{Callbacks, PipelineStateId, VariantChange, VariantId, d3d12_callbacks};
use taut_shaders::Shader;

/// A specialisation that is worth a task.
pub(super) struct Opportunity {
    pub pipeline_state: PipelineStateId,
    pub key: Key,
    pub shader: Arc<Shader>,
    /// The latest submission whose measurements tell so.
    pub decided_by_submission: u64,
}

/// What task and pipeline state share: the task finds its pipeline state by it, if that still lives (rule B-70).
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct VariantTask {
    /// None once the pipeline state is destroyed.
    pub pipeline_state: Option<PipelineStateId>,
    pub key: Key,
    /// When it was queued, in discards.
    generation: u64,
}

/// QueueProcessingWork. The task is known before it is queued: a cancel may come before this returns.
pub(super) fn queue(faults: &Faults, callbacks: &mut dyn Callbacks, opportunity: Opportunity) {
    let context = with(callbacks, |optimiser| optimiser.begin(&opportunity));
    let Opportunity { pipeline_state, key, shader, decided_by_submission } = opportunity;
    let (slots, words) = key.iter().map(|(slot, word)| (slot.0, word.0)).unzip();
    let (has_callback, has_cancel) = (true, true);
    let call = d3d12_callbacks::QueueProcessingWork {
        has_callback,
        has_cancel,
        context,
        pipeline_state,
        decided_by_submission,
        slots,
        words,
    };
    let work = Arc::new(Specialisation { shader, key, panics: faults.panics_in_tasks });
    if faults.queues_twice {
        // Its fate is that of the first.
        let _ = callbacks.queue_processing_work(&call, work.clone());
    }
    if callbacks.queue_processing_work(&call, work).is_err() {
        // Neither callback nor cancel is going to come.
        with(callbacks, |optimiser| optimiser.cancel(context));
    }
}

impl Optimiser {
    /// Notes a task, and gives its context.
    fn begin(&mut self, opportunity: &Opportunity) -> u64 {
        let (context, generation) = (self.next_context(), self.generation());
        let (pipeline_state, key) = (opportunity.pipeline_state, opportunity.key.clone());
        if let Some(pipeline) = self.pipelines.get_mut(&pipeline_state) {
            pipeline.pending.insert(key.clone());
        }
        self.tasks.insert(context, VariantTask { pipeline_state: Some(pipeline_state), key, generation });
        context
    }

    /// Takes a task off the pending ones.
    fn end(&mut self, context: u64) -> Option<VariantTask> {
        let task = self.tasks.remove(&context)?;
        let current = task.generation == self.generation();
        let pipeline = task.pipeline_state.and_then(|id| self.pipelines.get_mut(&id));
        if let Some(pipeline) = pipeline.filter(|_| current) {
            pipeline.pending.remove(&task.key);
        }
        Some(task)
    }

    /// A task is not going to run. What it was for may be found again.
    pub fn cancel(&mut self, context: u64) {
        self.end(context);
    }

    /// The work of a task, for a faulty driver that does it although it was cancelled.
    pub fn work_of(&mut self, context: u64) -> Option<Specialisation> {
        let task = self.tasks.get(&context)?;
        let shader = Arc::clone(self.pipelines.get(&task.pipeline_state?)?.shader());
        Some(Specialisation { shader, key: task.key.clone(), panics: false })
    }

    /// A task has ended: installs what it made, or abandons it and gives the null variant. Draws see the variants as
    /// they were before or as they are after (rule B-72): both happen under the same lock.
    pub fn finish(&mut self, context: u64, made: Option<&Made>) -> VariantId {
        let id = self.next_variant();
        match self.end(context).is_some_and(|task| self.install(id, task, made)) {
            true => {
                self.last_variant = id;
                id
            }
            false => VariantId::NULL,
        }
    }

    fn install(&mut self, id: VariantId, task: VariantTask, made: Option<&Made>) -> bool {
        let current = task.generation == self.generation();
        let pipeline = task.pipeline_state.and_then(|id| Some((id, self.pipelines.get_mut(&id)?)));
        let (Some((pipeline_state, pipeline)), Some(made), true) = (pipeline, made, current) else { return false };
        let Some(code) = &made.code else {
            pipeline.hopeless.insert(task.key);
            pipeline.back_off();
            return false;
        };
        if let Some(same) = pipeline.installed.iter_mut().find(|variant| variant.guard == made.guard) {
            // Other slots were found, but those of use are the same: there is nothing new in it.
            if !same.asked.contains(&task.key) {
                same.asked.push(task.key);
                pipeline.back_off();
                return false;
            }
        }
        // Only a driver that does not remember what it has asks for the same twice.
        let same = pipeline.installed.iter().position(|variant| variant.guard == made.guard);
        let replaced = same.map(|place| pipeline.installed.remove(place));
        let installed = Installed::new(id, made.guard.clone(), Arc::clone(code), vec![task.key]);
        self.reports.extend(replaced.map(|replaced| report(pipeline_state, &replaced, VariantChange::REPLACED)));
        self.reports.push(report(pipeline_state, &installed, VariantChange::INSTALLED));
        pipeline.installed.push(installed);
        true
    }
}
