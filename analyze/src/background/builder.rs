//! The tracker of background processing, which builds a [`Background`].

use super::event::{
    BackgroundEvent, Collected, CommitDone, Committed, ModeCall, ModeCallEnded, RundownTask, Submitted, TaskCancelled,
    TaskPriority, TaskProcessed, TaskStarted, TaskStopped, Timed, VariantReported, WorkItem,
};
use super::{Background, Cancelled, Commit, Draw, Estimated, Frame, Pass, Pipeline, Started, Task, Variant};
use crate::events::{At, Tracker};
use std::collections::{BTreeMap, HashMap};
use taut_schemas::{
    BackgroundProcessingMode, CommandQueueId, DrawRun, HResultCode, PipelineStateId, Selection, TaskId, VariantChange,
    VariantId, WorkPriority,
};

/// A submission whose measurements have not been read.
struct Submission {
    stamp: u64,
    pass: u32,
    mode: BackgroundProcessingMode,
    frame: u64,
    selections: Vec<Selection>,
}

/// A [`Background`] under construction, without the list of its events.
#[derive(Default)]
pub(super) struct BackgroundTracker {
    result: Background,
    /// The SetBackgroundProcessingMode in progress, and the pass that it begins if it is accepted: events during the
    /// call count for that pass.
    call: Option<(At, ModeCall, Pass)>,
    /// True if the driver was notified of that call by a version that can answer; true if it answered.
    driver_answer: (bool, bool),
    mode: BackgroundProcessingMode,
    names: BTreeMap<PipelineStateId, Option<String>>,
    /// Per command queue, the number of Presents and the stamp of the last one.
    presents: HashMap<CommandQueueId, (u64, u64)>,
    submissions: HashMap<u64, Submission>,
    variants_by_id: HashMap<VariantId, usize>,
}

impl Tracker for BackgroundTracker {
    type Event<'e> = &'e BackgroundEvent;
    type Output = Background;

    fn on_event(&mut self, at: At, event: &BackgroundEvent) {
        if self.result.passes.is_empty() {
            self.result.passes.push(Pass::first());
        }
        match event {
            BackgroundEvent::DeviceCreated
            | BackgroundEvent::CancelCalled(_)
            | BackgroundEvent::PipelineDestroyed(_) => {}
            BackgroundEvent::DeviceDestroyed => self.mode = BackgroundProcessingMode::ALLOWED,
            BackgroundEvent::PipelineCreated { id, name } => {
                self.names.insert(*id, (!name.is_empty()).then(|| name.clone()));
            }
            BackgroundEvent::RundownPipeline(record) => {
                let known = self.names.entry(record.pipeline_state).or_default();
                *known = known.take().or_else(|| (!record.name.is_empty()).then(|| record.name.clone()));
            }
            BackgroundEvent::RundownTasks(record) => self.rundown_mode(record.mode),
            BackgroundEvent::RundownTask(record) => self.rundown_task(at, record),
            BackgroundEvent::Named { object, name } => {
                if let Some(known) = self.names.get_mut(&PipelineStateId(object.0)).filter(|_| !name.is_empty()) {
                    *known = Some(name.clone());
                }
            }
            BackgroundEvent::ModeCallBegan(call) => self.mode_call_began(at, *call),
            BackgroundEvent::DriverNotified { may_answer, answers } => self.driver_answer = (*may_answer, *answers),
            BackgroundEvent::ModeCallEnded(ModeCallEnded { hr, desired }) => self.mode_call_ended(*hr, *desired),
            BackgroundEvent::Queued { task, item } => self.queued(at, *task, item),
            BackgroundEvent::Submitted(Submitted { submission, command_queue, selections, .. }) => {
                let frame = self.presents.get(command_queue).map_or(0, |(count, _)| *count) + 1;
                let (pass, mode, selections) = (self.pass_place(), self.mode, selections.clone());
                let submitted = Submission { stamp: at.stamp, pass, mode, frame, selections };
                self.submissions.insert(*submission, submitted);
            }
            BackgroundEvent::Collected(Collected { submission, command_queue, runs }) => {
                self.collected(at, *submission, *command_queue, runs);
            }
            BackgroundEvent::Timed(Timed { submission, times, processor }) => {
                self.result.times.extend(times.iter().map(|time| (*submission, *time)));
                self.result.drawn_on.extend((*processor != 0).then_some((at.stamp, *processor)));
            }
            BackgroundEvent::Presented { command_queue } => self.presented(at, *command_queue),
            BackgroundEvent::Committed(Committed { commit, event, high_priority, tasks }) => {
                self.result.commits.push(Commit {
                    id: *commit,
                    event: *event,
                    high_priority: *high_priority,
                    tasks: tasks.clone(),
                    committed_stamp: at.stamp,
                    done_stamp: None,
                })
            }
            BackgroundEvent::CommitDone(CommitDone { commit }) => {
                let waiting = self.result.commits.iter_mut().rev().find(|known| known.id == *commit);
                if let Some(commit) = waiting {
                    commit.done_stamp = commit.done_stamp.or(Some(at.stamp));
                }
            }
            task => self.of_task(at, task),
        }
    }

    fn finish(mut self) -> Background {
        self.abandon_call();
        let tasked = self.result.tasks.iter().map(|task| task.pipeline_state);
        for id in tasked.filter(|id| *id != PipelineStateId::NULL) {
            self.names.entry(id).or_default();
        }
        for draw in &self.result.draws {
            self.names.entry(draw.run.pipeline_state).or_default();
        }
        let named = |(id, name): (PipelineStateId, Option<String>)| Pipeline {
            id,
            name: name.unwrap_or_else(|| format!("pipeline state {}", id.0)),
        };
        let mut result = self.result;
        result.pipelines = self.names.into_iter().map(named).collect();
        if let Some(first) = result.passes.first_mut() {
            first.began_stamp = result.span.0;
        }
        result
    }
}

impl BackgroundTracker {
    /// Creates a tracker of a trace whose first and last record have these stamps.
    pub fn new(span: (u64, u64)) -> BackgroundTracker {
        BackgroundTracker { result: Background { span, ..Background::default() }, ..BackgroundTracker::default() }
    }

    fn of_task(&mut self, at: At, event: &BackgroundEvent) {
        match event {
            BackgroundEvent::TaskStarted(TaskStarted { task, sequence, priority, worker, pipeline_state }) => {
                let begun = Started { stamp: at.stamp, worker: *worker, priority: *priority };
                let task = self.known(*task, *pipeline_state, Some(*sequence));
                if task.started.is_none() {
                    (task.started, task.priority) = (Some(begun), *priority);
                    task.boosted |= *priority != WorkPriority::IDLE;
                    self.current().counts.started += 1;
                }
            }
            BackgroundEvent::TaskPriority(TaskPriority { task, priority }) => {
                let task = self.known(*task, PipelineStateId::NULL, None);
                task.priority = *priority;
                task.boosted |= *priority != WorkPriority::IDLE;
            }
            BackgroundEvent::TaskProcessed(TaskProcessed { task, outcome }) => {
                self.known(*task, PipelineStateId::NULL, None).outcome = Some(*outcome);
            }
            BackgroundEvent::TaskVerdict { task, variant } => {
                let known_task = self.known(*task, PipelineStateId::NULL, None);
                known_task.variant = *variant;
                let pipeline_state = known_task.pipeline_state;
                let discarded = *variant == VariantId::NULL && known_task.compiled().is_some();
                self.current().counts.discarded += u64::from(discarded);
                if *variant != VariantId::NULL {
                    let known = self.variant(*variant);
                    (known.task, known.pipeline_state) = (Some(*task), pipeline_state);
                    self.installed(*variant, at);
                }
            }
            BackgroundEvent::VariantReported(reported) => self.variant_reported(at, reported),
            BackgroundEvent::Estimated(VariantReported { pipeline_state, slots, words, .. }) => {
                let values = slots.iter().copied().zip(words.iter().copied()).collect();
                self.result.estimated.push(Estimated { stamp: at.stamp, pipeline_state: *pipeline_state, values });
            }
            BackgroundEvent::TaskFailed { task } => {
                self.known(*task, PipelineStateId::NULL, None).failed = true;
                self.current().counts.failed += 1;
            }
            BackgroundEvent::TaskEnded { task, priority_refused, processor } => {
                let task = self.known(*task, PipelineStateId::NULL, None);
                (task.priority_refused, task.processor) = (*priority_refused, *processor);
            }
            BackgroundEvent::TaskStopped(TaskStopped { task }) => {
                let task = self.known(*task, PipelineStateId::NULL, None);
                if task.stopped_stamp.is_none() {
                    task.stopped_stamp = Some(at.stamp);
                    self.current().counts.finished += 1;
                }
            }
            BackgroundEvent::TaskCancelled(TaskCancelled { task, sequence, reason, pipeline_state }) => {
                let task = self.known(*task, *pipeline_state, Some(*sequence));
                if task.cancelled.is_none() {
                    task.cancelled = Some(Cancelled { stamp: at.stamp, reason: *reason });
                    self.current().counts.cancelled += 1;
                }
            }
            _ => {}
        }
    }

    /// The pass for which events count.
    fn current(&mut self) -> &mut Pass {
        if let Some((_, _, pass)) = &mut self.call {
            return pass;
        }
        if self.result.passes.is_empty() {
            self.result.passes.push(Pass::first());
        }
        let last = self.result.passes.len() - 1;
        &mut self.result.passes[last]
    }

    fn pass_place(&self) -> u32 {
        let known = self.result.passes.len() - usize::from(self.call.is_none());
        u32::try_from(known).unwrap_or(u32::MAX)
    }

    fn known(&mut self, id: TaskId, pipeline_state: PipelineStateId, sequence: Option<u64>) -> &mut Task {
        let pass = self.pass_place();
        let tasks = &mut self.result.tasks;
        let place = *self.result.tasks_by_id.entry(id).or_insert_with(|| {
            tasks.push(Task { id, pipeline_state, pass, ..Task::default() });
            (tasks.len() - 1) as u32
        });
        let task = &mut tasks[place as usize];
        task.sequence = task.sequence.or(sequence);
        if task.pipeline_state == PipelineStateId::NULL {
            task.pipeline_state = pipeline_state;
        }
        task
    }

    fn variant(&mut self, id: VariantId) -> &mut Variant {
        let variants = &mut self.result.variants;
        let place = *self.variants_by_id.entry(id).or_insert_with(|| {
            variants.push(Variant { id, ..Variant::default() });
            variants.len() - 1
        });
        &mut variants[place]
    }

    /// Marks a variant as installed, from a task's verdict or a report.
    fn installed(&mut self, id: VariantId, at: At) {
        let variant = self.variant(id);
        // An installation may be recorded twice: as the verdict on a task and as a report.
        let is_new = variant.installed_stamp.is_none();
        variant.installed_stamp = variant.installed_stamp.or(Some(at.stamp));
        self.current().counts.variants += u64::from(is_new);
    }

    fn variant_reported(&mut self, at: At, reported: &VariantReported) {
        let variant = self.variant(reported.variant);
        variant.pipeline_state = reported.pipeline_state;
        variant.guard = Some(reported.slots.iter().copied().zip(reported.words.iter().copied()).collect());
        match reported.change {
            VariantChange::INSTALLED => self.installed(reported.variant, at),
            change => variant.dropped = variant.dropped.or(Some((at.stamp, change))),
        }
    }

    /// Sets the mode before the first call of the trace, from a rundown.
    fn rundown_mode(&mut self, mode: BackgroundProcessingMode) {
        if let ([first], None) = (self.result.passes.as_mut_slice(), &self.call) {
            (first.mode, self.mode) = (mode, mode);
        }
    }

    /// Adds a task from a rundown; the events before the rundown are not in the trace.
    fn rundown_task(&mut self, at: At, record: &RundownTask) {
        if self.result.tasks_by_id.contains_key(&record.task) {
            return;
        }
        let task = self.known(record.task, record.pipeline_state, Some(record.sequence));
        (task.is_preexisting, task.has_cancel) = (true, record.has_cancel);
        if let Some(run) = record.runs {
            task.started = Some(Started { stamp: at.stamp, worker: run.worker, priority: run.priority });
            task.ran_before_recording = true;
            task.priority = run.priority;
            task.boosted = run.priority != WorkPriority::IDLE;
        }
    }

    fn mode_call_began(&mut self, at: At, call: ModeCall) {
        self.abandon_call();
        let pass = Pass {
            began_stamp: at.stamp,
            thread: Some(at.thread),
            mode: call.mode,
            action: call.action,
            ..Pass::first()
        };
        // A driver that is not notified is not queried: the runtime answers for it (rule B-09).
        self.driver_answer = (false, false);
        self.call = Some((at, call, pass));
    }

    fn mode_call_ended(&mut self, hr: HResultCode, desired: bool) {
        let Some((_, call, mut pass)) = self.call.take() else { return };
        if hr != HResultCode::S_OK {
            self.fold(pass.counts);
            return;
        }
        let (may_answer, answers) = self.driver_answer;
        pass.queried = call.want_further && may_answer;
        pass.further_desired = (pass.queried && answers).then_some(desired);
        pass.found_at_begin = pass.counts.opportunities;
        self.mode = call.mode;
        self.result.passes.push(pass);
    }

    /// Drops a call that never returns or was refused: it begins no pass.
    fn abandon_call(&mut self) {
        if let Some((_, _, pass)) = self.call.take() {
            self.fold(pass.counts);
        }
    }

    fn fold(&mut self, counts: super::Counts) {
        let pass = self.current();
        pass.counts = pass.counts.plus(&counts);
        let last = self.pass_place();
        // Tasks that were assigned to the dropped pass.
        self.result.tasks.iter_mut().rev().take_while(|task| task.pass > last).for_each(|task| task.pass = last);
    }

    fn queued(&mut self, at: At, id: TaskId, item: &WorkItem) {
        let pass = self.pass_place();
        let task = self.known(id, item.pipeline_state, None);
        (task.queued_stamp, task.queued_thread, task.pass) = (Some(at.stamp), Some(at.thread), pass);
        (task.has_cancel, task.pipeline_state) = (item.has_cancel, item.pipeline_state);
        (task.decided_by_submission, task.fixed_slots) =
            (item.decided_by_submission, u32::try_from(item.slots.len()).unwrap_or(u32::MAX));
        task.refused = task.cancelled.is_some();
        let refused = task.refused;
        let counts = &mut self.current().counts;
        counts.opportunities += 1;
        counts.queued += u64::from(!refused);
    }

    fn presented(&mut self, at: At, command_queue: CommandQueueId) {
        let pass = self.pass_place();
        let (count, last) = self.presents.entry(command_queue).or_default();
        *count += 1;
        let (number, began_stamp) = (*count, std::mem::replace(last, at.stamp));
        // The first Present has no predecessor that would begin its frame.
        if number > 1 {
            let ended_stamp = at.stamp;
            self.result.frames.push(Frame { command_queue, number, began_stamp, ended_stamp, pass });
        }
        self.current().counts.frames += 1;
    }

    fn collected(&mut self, at: At, submission: u64, command_queue: CommandQueueId, runs: &[DrawRun]) {
        // Absent if the submission precedes the recording.
        let known = self.submissions.remove(&submission);
        let pass = known.as_ref().map_or_else(|| self.pass_place(), |known| known.pass);
        let mode = known.as_ref().map_or(self.mode, |known| known.mode);
        for (index, run) in (0..).zip(runs) {
            let selections = known.as_ref().map_or(&[][..], |known| &known.selections);
            let selection = selections.get(index as usize).copied().unwrap_or_default();
            self.result.draws.push(Draw {
                submission,
                index,
                command_queue,
                frame: known.as_ref().map_or(0, |known| known.frame),
                pass,
                mode,
                submitted_stamp: known.as_ref().map(|known| known.stamp),
                measured_stamp: at.stamp,
                measured_thread: at.thread,
                guard_missed: selection.guard_missed,
                guard_cost: selection.guard_cost,
                run: *run,
            });
            let of = self.result.passes.get_mut(pass as usize);
            let Some(pass) = of.or(self.call.as_mut().map(|(_, _, pass)| pass)) else { continue };
            pass.measured = true;
            pass.counts.draws += 1;
            pass.counts.variant_draws += u64::from(run.variant != VariantId::NULL);
            pass.counts.guard_misses += u64::from(selection.guard_missed);
            pass.counts.executed = pass.counts.executed.saturating_add(run.executed);
            pass.counts.counted_draws += u64::from(run.counter_executed > 0);
            pass.counts.counter_executed = pass.counts.counter_executed.saturating_add(run.counter_executed);
            pass.counts.tuned_executed = pass.counts.tuned_executed.saturating_add(run.tuned_executed);
            pass.counts.untuned_executed = pass.counts.untuned_executed.saturating_add(run.untuned_executed);
            pass.counts.generic_executed = pass.counts.generic_executed.saturating_add(run.generic_executed);
        }
    }
}
