//! Background tasks as the driver sees them: queued, then ended or cancelled.

use super::base::Base;
use super::installed::Installed;
use super::optimiser::{Optimiser, with};
use super::own_lock::OwnLock;
use super::report::report;
use super::tuning::{Policy, TuningWork};
use super::windows::Key;
use super::work::{Made, Specialisation};
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use taut_schemas::{BackgroundWork, Callbacks, PipelineStateId, VariantChange, VariantId, d3d12_callbacks};
use taut_shaders::{Shader, Word};

/// A specialisation that is worth a task.
pub(super) struct Opportunity {
    pub pipeline_state: PipelineStateId,
    pub key: Key,
    /// What is specialised.
    pub shader: Arc<Shader>,
    /// The variant that this is the shader of; none: it is the generic one.
    pub base: Option<Base>,
    /// The branch that it is for.
    pub branch: Option<Word>,
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
    /// The variant that is specialised further.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base: Option<Base>,
    /// The branch that it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    branch: Option<Word>,
    /// It looks for another policy, and specialises nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    tunes: bool,
}

/// QueueProcessingWork of a task that tunes: it has no slots.
pub(super) fn queue_tuning(
    settings: &Background,
    faults: &Faults,
    callbacks: &mut dyn Callbacks,
    (pipeline_state, least): (PipelineStateId, u64),
) {
    let own_lock = OwnLock::take(settings, callbacks);
    let found = with(callbacks, |optimiser| optimiser.begin_tuning(settings, pipeline_state, least));
    let Some((context, work, decided_by_submission)) = found else { return own_lock.release(callbacks) };
    let call = d3d12_callbacks::QueueProcessingWork {
        has_callback: true,
        has_cancel: true,
        context,
        pipeline_state,
        decided_by_submission,
        ..Default::default()
    };
    hand_in(faults, callbacks, own_lock, &call, Arc::new(work));
}

/// QueueProcessingWork of a task that specialises.
pub(super) fn queue(faults: &Faults, callbacks: &mut dyn Callbacks, opportunity: Opportunity, own_lock: OwnLock) {
    let context = with(callbacks, |optimiser| optimiser.begin(&opportunity));
    let Opportunity { pipeline_state, key, shader, base, branch: _, decided_by_submission } = opportunity;
    let (slots, words) = key.iter().map(|(slot, word)| (slot.0, word.0)).unzip();
    let call = d3d12_callbacks::QueueProcessingWork {
        has_callback: true,
        has_cancel: true,
        context,
        pipeline_state,
        decided_by_submission,
        slots,
        words,
    };
    // What a driver must not do (rule B-73): the variant that this is made of was built for less than all constants.
    let beneath = base.map(|base| base.guard).filter(|_| !faults.forgets_its_base);
    let work = Specialisation { shader, key, panics: faults.panics_in_tasks, beneath };
    hand_in(faults, callbacks, own_lock, &call, Arc::new(work));
}

/// The task is known before it is queued: a cancel may come before this returns. So the lock under which it was found is let go of
/// first (rule B-55).
fn hand_in(
    faults: &Faults,
    callbacks: &mut dyn Callbacks,
    own_lock: OwnLock,
    call: &d3d12_callbacks::QueueProcessingWork,
    work: Arc<dyn BackgroundWork>,
) {
    let mut own_lock = Some(own_lock);
    // What a driver must not do (rule B-55): its cancel callback takes the lock, too.
    if !faults.holds_its_lock {
        own_lock.take().into_iter().for_each(|own_lock| own_lock.release(callbacks));
    }
    if faults.queues_twice {
        // Its fate is that of the first.
        let _ = callbacks.queue_processing_work(call, Arc::clone(&work));
    }
    if callbacks.queue_processing_work(call, work).is_err() {
        // Neither callback nor cancel is going to come.
        with(callbacks, |optimiser| optimiser.cancel(call.context));
    }
    own_lock.into_iter().for_each(|own_lock| own_lock.release(callbacks));
}

impl Optimiser {
    /// Whether what a task is for still lives, and was not measured before a discard.
    pub fn is_wanted(&self, context: u64) -> bool {
        let task = self.tasks.get(&context).filter(|task| task.generation == self.generation());
        task.and_then(|task| task.pipeline_state).is_some_and(|id| self.pipelines.contains_key(&id))
    }

    /// The pipeline state that a task is for, if it lives.
    pub fn pipeline_state_of(&self, context: u64) -> Option<PipelineStateId> {
        self.tasks.get(&context)?.pipeline_state
    }

    /// Notes a task, and gives its context.
    fn begin(&mut self, opportunity: &Opportunity) -> u64 {
        let (context, generation) = (self.next_context(), self.generation());
        let (pipeline_state, key) = (opportunity.pipeline_state, opportunity.key.clone());
        if let Some(pipeline) = self.pipelines.get_mut(&pipeline_state) {
            pipeline.pending.insert(key.clone());
        }
        let (base, branch) = (opportunity.base.clone(), opportunity.branch);
        let task = VariantTask { pipeline_state: Some(pipeline_state), key, generation, base, branch, tunes: false };
        self.tasks.insert(context, task);
        context
    }

    /// Notes a task that tunes, if another policy is worth one by so many draws; its context, and by which submission.
    fn begin_tuning(
        &mut self,
        settings: &Background,
        pipeline_state: PipelineStateId,
        least: u64,
    ) -> Option<(u64, TuningWork, u64)> {
        let pipeline = self.pipelines.get_mut(&pipeline_state)?;
        let decided_by_submission = pipeline.measured_by;
        let tuning = pipeline.tuning.as_mut().filter(|tuning| tuning.is_worth(settings, least))?;
        let work = tuning.work(settings);
        let (context, generation) = (self.next_context(), self.generation());
        let task = VariantTask {
            pipeline_state: Some(pipeline_state),
            key: Key::new(),
            generation,
            base: None,
            branch: None,
            tunes: true,
        };
        self.tasks.insert(context, task);
        self.found += 1;
        Some((context, work, decided_by_submission))
    }

    /// A task that tunes has ended, with the policy that it found.
    pub fn finish_tuning(&mut self, context: u64, policy: Option<Policy>) {
        let Some(task) = self.tasks.remove(&context) else { return };
        let is_current = task.generation == self.generation();
        let pipeline = task.pipeline_state.and_then(|id| self.pipelines.get_mut(&id));
        if let Some(tuning) = pipeline.and_then(|pipeline| pipeline.tuning.as_mut()).filter(|_| is_current) {
            tuning.end(policy);
        }
    }

    /// A task looks for a policy.
    pub fn tunes(&self, context: u64) -> bool {
        self.tasks.get(&context).is_some_and(|task| task.tunes)
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
        if self.tunes(context) {
            return self.finish_tuning(context, None);
        }
        self.end(context);
    }

    /// The work of a task, for a faulty driver that does it although it was cancelled.
    pub fn work_of(&mut self, context: u64) -> Option<Specialisation> {
        let task = self.tasks.get(&context).filter(|task| !task.tunes)?;
        let generic = self.pipelines.get(&task.pipeline_state?)?.shader();
        let shader = Arc::clone(task.base.as_ref().map_or(generic, |base| &base.shader));
        let beneath = task.base.as_ref().map(|base| base.guard.clone());
        Some(Specialisation { shader, key: task.key.clone(), panics: false, beneath })
    }

    /// A task has ended: installs what it made, or abandons it and gives the null variant. Draws see the variants as
    /// they were before or as they are after (rule B-72): both happen under the same lock.
    pub fn finish(&mut self, context: u64, made: Option<&Made>) -> VariantId {
        if self.tunes(context) {
            self.finish_tuning(context, None);
            return VariantId::NULL;
        }
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
        if let Some(base) = &task.base {
            pipeline.was_tried(base.variant, &task.key);
        }
        let Some(code) = &made.code else {
            if task.base.is_some() {
                return false;
            }
            pipeline.hopeless.insert(task.key);
            pipeline.back_off();
            return false;
        };
        let is_same = |variant: &&mut Installed| variant.guard == made.guard && task.base.is_none();
        if let Some(same) = pipeline.installed.iter_mut().find(is_same) {
            // Other slots were found, but those of use are the same: there is nothing new in it.
            if !same.asked.contains(&task.key) {
                same.asked.push(task.key);
                pipeline.back_off();
                return false;
            }
        }
        // A further level may need no other slots. Else only a driver that does not remember what it has asks for the same
        // twice.
        let same = pipeline.installed.iter().position(|variant| variant.guard == made.guard);
        let replaced = same.map(|place| pipeline.installed.remove(place));
        let asked = match (&task.base, &replaced) {
            (None, _) => vec![task.key],
            (Some(_), Some(replaced)) => replaced.asked.clone(),
            (Some(_), None) => Vec::new(),
        };
        let level = task.base.map_or(1, |base| base.level.saturating_add(1));
        let installed = Installed::new(id, made.guard.clone(), Arc::clone(code), asked).at(level, task.branch);
        self.reports.extend(replaced.map(|replaced| report(pipeline_state, &replaced, VariantChange::REPLACED)));
        self.reports.push(report(pipeline_state, &installed, VariantChange::INSTALLED));
        pipeline.installed.push(installed);
        true
    }
}
