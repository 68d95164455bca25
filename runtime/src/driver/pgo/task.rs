//! Background tasks from the driver's side: queued, then finished or cancelled.

use super::base::Base;
use super::installed::Installed;
use super::optimiser::{Optimiser, with};
use super::own_lock::DriverLockGuard;
use super::report::report;
use super::tuning::{Policy, TuningWork};
use super::variant_task::VariantTask;
use super::windows::Key;
use super::work::{Specialisation, SpecialisationProduct};
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use std::sync::Arc;
use taut_schemas::{BackgroundWork, Callbacks, PipelineStateId, VariantChange, VariantId, d3d12_callbacks};
use taut_shaders::{Shader, Word};

/// A specialisation that is worth a task.
pub(super) struct SpecialisationRequest {
    pub pipeline_state: PipelineStateId,
    pub key: Key,
    /// Shader that is specialised.
    pub shader: Arc<Shader>,
    /// Variant whose shader is specialised; `None`: the generic shader.
    pub base: Option<Base>,
    /// Branch of the variant, as the value of the slot that selects the branch.
    pub branch: Option<Word>,
    /// Latest submission whose measurements the decision uses.
    pub decided_by_submission: u64,
}

/// Queues a tuning task, which has no slots.
pub(super) fn queue_tuning(
    settings: &Background,
    faults: &Faults,
    callbacks: &mut dyn Callbacks,
    pipeline_state: PipelineStateId,
    min_draws: u64,
) {
    let own_lock = DriverLockGuard::take(settings, callbacks);
    let found = with(callbacks, |optimiser| optimiser.begin_tuning(settings, pipeline_state, min_draws));
    let Some((context, work, decided_by_submission)) = found else { return own_lock.release(callbacks) };
    let call = d3d12_callbacks::QueueProcessingWork {
        has_callback: true,
        has_cancel: true,
        context,
        pipeline_state,
        decided_by_submission,
        ..Default::default()
    };
    submit_work(faults, callbacks, own_lock, &call, Arc::new(work));
}

/// Queues a specialisation task.
pub(super) fn queue(
    faults: &Faults,
    callbacks: &mut dyn Callbacks,
    opportunity: SpecialisationRequest,
    own_lock: DriverLockGuard,
) {
    let context = with(callbacks, |optimiser| optimiser.begin(&opportunity));
    let SpecialisationRequest { pipeline_state, key, shader, base, branch: _, decided_by_submission } = opportunity;
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
    // Fault for rule B-73: the guard of the base variant is dropped, so the new variant has a weaker guard than it
    // needs.
    let base_guard = base.map(|base| base.guard).filter(|_| !faults.forgets_its_base);
    let work = Specialisation { shader, key, panics: faults.panics_in_tasks, base_guard };
    submit_work(faults, callbacks, own_lock, &call, Arc::new(work));
}

/// Queues the work of a task. The task is stored before: a cancel may come before this call returns. For the same
/// reason the lock is released first (rule B-55).
fn submit_work(
    faults: &Faults,
    callbacks: &mut dyn Callbacks,
    own_lock: DriverLockGuard,
    call: &d3d12_callbacks::QueueProcessingWork,
    work: Arc<dyn BackgroundWork>,
) {
    let mut own_lock = Some(own_lock);
    // Fault for rule B-55: the cancel callback takes the lock as well.
    if !faults.holds_its_lock {
        own_lock.take().into_iter().for_each(|own_lock| own_lock.release(callbacks));
    }
    if faults.queues_twice {
        // The result of the second call counts.
        let _ = callbacks.queue_processing_work(call, Arc::clone(&work));
    }
    if callbacks.queue_processing_work(call, work).is_err() {
        // Neither the callback nor the cancel callback will be called.
        with(callbacks, |optimiser| optimiser.cancel(call.context));
    }
    own_lock.into_iter().for_each(|own_lock| own_lock.release(callbacks));
}

impl Optimiser {
    /// True if the task's pipeline state is alive and no discard happened since the task was queued.
    pub fn is_wanted(&self, context: u64) -> bool {
        let task = self.tasks.get(&context).filter(|task| task.generation == self.generation());
        task.and_then(|task| task.pipeline_state).is_some_and(|id| self.pipelines.contains_key(&id))
    }

    /// Returns the task's pipeline state if that is alive.
    pub fn pipeline_state_of(&self, context: u64) -> Option<PipelineStateId> {
        self.tasks.get(&context)?.pipeline_state
    }

    /// Stores a task and returns its context.
    fn begin(&mut self, opportunity: &SpecialisationRequest) -> u64 {
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

    /// Stores a tuning task if another policy is worth one after `min_draws` draws. Returns context, work and deciding
    /// submission.
    fn begin_tuning(
        &mut self,
        settings: &Background,
        pipeline_state: PipelineStateId,
        min_draws: u64,
    ) -> Option<(u64, TuningWork, u64)> {
        let pipeline = self.pipelines.get_mut(&pipeline_state)?;
        let decided_by_submission = pipeline.measured_by;
        let tuning = pipeline.tuning.as_mut().filter(|tuning| tuning.is_worth(settings, min_draws))?;
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

    /// Handles a finished tuning task with the policy that it found.
    pub fn finish_tuning(&mut self, context: u64, policy: Option<Policy>) {
        let Some(task) = self.tasks.remove(&context) else { return };
        let is_current = task.generation == self.generation();
        let pipeline = task.pipeline_state.and_then(|id| self.pipelines.get_mut(&id));
        if let Some(tuning) = pipeline.and_then(|pipeline| pipeline.tuning.as_mut()).filter(|_| is_current) {
            tuning.end(policy);
        }
    }

    /// True if the task tunes a policy.
    pub fn tunes(&self, context: u64) -> bool {
        self.tasks.get(&context).is_some_and(|task| task.tunes)
    }

    /// Removes a task from the pending tasks.
    fn end(&mut self, context: u64) -> Option<VariantTask> {
        let task = self.tasks.remove(&context)?;
        let current = task.generation == self.generation();
        let pipeline = task.pipeline_state.and_then(|id| self.pipelines.get_mut(&id));
        if let Some(pipeline) = pipeline.filter(|_| current) {
            pipeline.pending.remove(&task.key);
        }
        Some(task)
    }

    /// Handles a cancelled task. Its specialisation may be found again.
    pub fn cancel(&mut self, context: u64) {
        if self.tunes(context) {
            return self.finish_tuning(context, None);
        }
        self.end(context);
    }

    /// Returns the work of a task for a faulty driver that does it although it was cancelled.
    pub fn work_of(&mut self, context: u64) -> Option<Specialisation> {
        let task = self.tasks.get(&context).filter(|task| !task.tunes)?;
        let generic = self.pipelines.get(&task.pipeline_state?)?.shader();
        let shader = Arc::clone(task.base.as_ref().map_or(generic, |base| &base.shader));
        let base_guard = task.base.as_ref().map(|base| base.guard.clone());
        Some(Specialisation { shader, key: task.key.clone(), panics: false, base_guard })
    }

    /// Handles a finished task: installs its product, or discards it and returns the null variant. Draws use either the
    /// variants before or those after (rule B-72), because both calls hold the same lock.
    pub fn finish(&mut self, context: u64, built: Option<&SpecialisationProduct>) -> VariantId {
        if self.tunes(context) {
            self.finish_tuning(context, None);
            return VariantId::NULL;
        }
        let id = self.next_variant();
        match self.end(context).is_some_and(|task| self.install(id, task, built)) {
            true => {
                self.last_variant = id;
                id
            }
            false => VariantId::NULL,
        }
    }

    fn install(&mut self, id: VariantId, task: VariantTask, built: Option<&SpecialisationProduct>) -> bool {
        let current = task.generation == self.generation();
        let pipeline = task.pipeline_state.and_then(|id| Some((id, self.pipelines.get_mut(&id)?)));
        let (Some((pipeline_state, pipeline)), Some(built), true) = (pipeline, built, current) else { return false };
        if let Some(base) = &task.base {
            pipeline.mark_as_tried(base.variant, &task.key);
        }
        let Some(code) = &built.code else {
            if task.base.is_some() {
                return false;
            }
            pipeline.hopeless.insert(task.key);
            pipeline.back_off();
            return false;
        };
        let is_same = |variant: &&mut Installed| variant.guard == built.guard && task.base.is_none();
        if let Some(same) = pipeline.installed.iter_mut().find(is_same) {
            // Other slots were found stable, but the relevant slots are the same, so the variant exists already.
            if !same.requested_keys.contains(&task.key) {
                same.requested_keys.push(task.key);
                pipeline.back_off();
                return false;
            }
        }
        // A further level may need no other slots. In other cases, only a driver that has lost its state requests the
        // same key twice.
        let same = pipeline.installed.iter().position(|variant| variant.guard == built.guard);
        let replaced = same.map(|place| pipeline.installed.remove(place));
        let requested_keys = match (&task.base, &replaced) {
            (None, _) => vec![task.key],
            (Some(_), Some(replaced)) => replaced.requested_keys.clone(),
            (Some(_), None) => Vec::new(),
        };
        let level = task.base.map_or(1, |base| base.level.saturating_add(1));
        let installed =
            Installed::new(id, built.guard.clone(), Arc::clone(code), requested_keys).at(level, task.branch);
        self.reports.extend(replaced.map(|replaced| report(pipeline_state, &replaced, VariantChange::REPLACED)));
        self.reports.push(report(pipeline_state, &installed, VariantChange::INSTALLED));
        pipeline.installed.push(installed);
        true
    }
}
