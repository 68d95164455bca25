//! State of the driver at its last answer, and events since then.

use super::measured_frames::Frames;
use super::observed_state::{ObservedState, QuiescentState};
use super::{Cause, MODE_CALL, Unfit, unfit};
use crate::background::{
    Background, BackgroundEvent, Collected, ModeCall, ModeCallEnded, Submitted, TaskCancelled, TaskStopped,
    VariantReported,
};
use crate::events::At;
use crate::render::counted;
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{
    BackgroundProcessingMode, Call, DrawRun, HResultCode, MeasurementsAction, PipelineStateId, TaskId, VariantChange,
    VariantId, d3d12_callbacks, d3d12_ddi, machine,
};

/// State of the driver at its last answer, and events since then.
#[derive(Default)]
pub(super) struct MeasurementWindow<'a> {
    /// Timestamp of the driver's last answer.
    pub answer_stamp: Option<u64>,
    pub driver_answers: u64,
    /// Number of successful calls that requested an answer.
    wanted: u64,
    /// Reason why the answer itself is not sufficient.
    pub at_answer: Option<Unfit>,
    /// The first event after the answer that invalidates it.
    pub later: Option<Unfit>,
    pub frames: Frames,
    mode: BackgroundProcessingMode,
    /// Highest measurement level since the last answer, see [`measured_in`].
    max_measured: u32,
    call: Option<ModeCall>,
    /// True if the driver was notified in a call that may answer, and wrote its answer.
    has_answer: bool,
    /// True if the driver was notified in the current call.
    is_notified: bool,
    /// True if a successful call made no DDI call: the driver has no background processing (rule B-09).
    pub has_no_background_processing: bool,
    unfinished: BTreeSet<TaskId>,
    /// Submissions that are not measured yet and whose measurements the driver uses.
    profiled: BTreeMap<u64, &'a Submitted>,
    observed_state: ObservedState,
    /// The failed task that removed the device.
    pub removal: Option<Unfit>,
    /// True after the destruction or removal of the device.
    over: bool,
}

/// Measurement level of a mode; higher levels measure more.
fn measured_in(mode: BackgroundProcessingMode) -> u32 {
    match mode {
        BackgroundProcessingMode::ALLOW_INTRUSIVE_MEASUREMENTS => 3,
        BackgroundProcessingMode::ALLOWED => 2,
        BackgroundProcessingMode::DISABLE_BACKGROUND_WORK => 1,
        _ => 0,
    }
}

impl<'a> MeasurementWindow<'a> {
    pub fn of(background: &'a Background) -> MeasurementWindow<'a> {
        let mut window = MeasurementWindow {
            max_measured: measured_in(BackgroundProcessingMode::ALLOWED),
            ..MeasurementWindow::default()
        };
        for (at, happening) in &background.events {
            window.take(*at, happening, background);
        }
        if window.answer_stamp.is_none() {
            let last = background.passes.last().filter(|pass| pass.thread.is_some());
            let stamp = last.map_or(background.span.0, |pass| pass.began_stamp);
            let queries = background.passes.iter().filter(|pass| pass.queried).count() as u64;
            let (cause, description) = match (queries, window.wanted) {
                (0, 0) => {
                    let description = "the application never queried the driver for further measurements".to_owned();
                    (Cause::NotQueried, description)
                }
                (0, wanted) => {
                    let wanted = counted(wanted, "time");
                    let description = format!(
                        "the application queried the driver {wanted} for further measurements, and the driver does not support the query"
                    );
                    (Cause::Unsupported, description)
                }
                (queries, _) => {
                    let queries = counted(queries, "time");
                    let description = format!(
                        "the application queried the driver {queries} for further measurements, and the driver left every answer unwritten"
                    );
                    (Cause::Unsupported, description)
                }
            };
            window.at_answer = Some(unfit(cause, stamp, MODE_CALL, description));
        }
        window
    }

    fn take(&mut self, at: At, happening: &'a BackgroundEvent, background: &Background) {
        match happening {
            // A new device restarts the check.
            BackgroundEvent::DeviceCreated if self.over => {
                *self = MeasurementWindow {
                    max_measured: measured_in(BackgroundProcessingMode::ALLOWED),
                    ..MeasurementWindow::default()
                };
            }
            BackgroundEvent::DeviceDestroyed => self.over = true,
            BackgroundEvent::TaskFailed { task } => self.device_removed(at, *task, background),
            _ if self.over => {}
            // The rundown gives the initial mode; a later call takes precedence.
            BackgroundEvent::RundownTasks(rundown) if self.answer_stamp.is_none() && self.call.is_none() => {
                self.mode = rundown.mode;
            }
            BackgroundEvent::ModeCallBegan(call) => {
                (self.call, self.has_answer, self.is_notified) = (Some(*call), false, false);
            }
            BackgroundEvent::DriverNotified { may_answer, answers } => {
                (self.has_answer, self.is_notified) = (*may_answer && *answers, true);
            }
            BackgroundEvent::ModeCallEnded(ended) => self.mode_call_ended(at, ended),
            BackgroundEvent::Presented { command_queue } => self.frames.presented(*command_queue),
            BackgroundEvent::Submitted(submitted) if !submitted.selections.is_empty() => {
                self.frames.submitted(at.stamp, submitted);
                // The driver does not learn from draws in modes without measurements, or without background processing.
                if measured_in(self.mode) > 0 && !self.has_no_background_processing {
                    self.profiled.insert(submitted.submission, submitted);
                }
            }
            BackgroundEvent::Collected(Collected { submission, runs, .. }) => {
                self.frames.collected(*submission, runs);
                if let Some(submitted) = self.profiled.remove(submission) {
                    self.measured(at, submitted, runs, background);
                }
            }
            other => self.of_task(at, other, background),
        }
    }

    fn of_task(&mut self, at: At, happening: &BackgroundEvent, background: &Background) {
        let name = |id: PipelineStateId| background.pipeline_name(id);
        match happening {
            BackgroundEvent::Queued { task, item } => {
                if background.task(*task).is_none_or(|task| !task.refused) {
                    self.unfinished.insert(*task);
                }
                // A task queued during the call that answers is covered by the answer, which resets `later`.
                let what = || format!("the driver queued task {} for {}", task.0, name(item.pipeline_state));
                self.broke(Cause::FoundLater, at, d3d12_callbacks::QueueProcessingWork::NAME, what);
            }
            BackgroundEvent::RundownTask(rundown) => drop(self.unfinished.insert(rundown.task)),
            BackgroundEvent::TaskStopped(TaskStopped { task })
            | BackgroundEvent::TaskCancelled(TaskCancelled { task, .. }) => {
                self.unfinished.remove(task);
            }
            BackgroundEvent::TaskVerdict { task, variant } if *variant != VariantId::NULL => {
                let of = background.task(*task).map(|task| name(task.pipeline_state)).unwrap_or_default();
                let what = || format!("variant {} of {of} was installed", variant.0);
                self.broke(Cause::InstalledLater, at, d3d12_ddi::ProcessBackgroundWork::NAME, what);
            }
            BackgroundEvent::VariantReported(VariantReported { variant, pipeline_state, change, .. })
                if *change != VariantChange::INSTALLED =>
            {
                let what = || format!("variant {} of {} was dropped", variant.0, name(*pipeline_state));
                self.broke(Cause::DroppedLater, at, d3d12_callbacks::ReportVariant::NAME, what);
            }
            _ => {}
        }
    }

    /// Records the removal of the device, which a failure in a task's work causes: nothing runs on the device afterwards.
    fn device_removed(&mut self, at: At, task: TaskId, background: &Background) {
        let name = background.task(task).map(|task| background.pipeline_name(task.pipeline_state)).unwrap_or_default();
        let failed = counted(background.tasks.iter().filter(|task| task.failed).count() as u64, "task");
        let description =
            format!("the device was removed when the work of task {} for {name} failed; {failed} failed", task.0);
        let call = machine::FailBackgroundWork::NAME;
        (self.removal, self.over) = (Some(unfit(Cause::DeviceRemoved, at.stamp, call, description)), true);
    }

    /// Records an event after the answer that invalidates it; only the first one is stored.
    fn broke(&mut self, cause: Cause, at: At, call: &'static str, what: impl FnOnce() -> String) {
        if self.answer_stamp.is_some() && self.later.is_none() {
            self.later = Some(unfit(cause, at.stamp, call, format!("after the driver's last answer {}", what())));
        }
    }

    fn mode_call_ended(&mut self, at: At, ended: &ModeCallEnded) {
        let Some(call) = self.call.take().filter(|_| ended.hr == HResultCode::S_OK) else { return };
        let before = std::mem::replace(&mut self.mode, call.mode);
        let discards = call.action == MeasurementsAction::DISCARD_PREVIOUS;
        if discards {
            self.observed_state = ObservedState::default();
            self.profiled.clear();
        }
        let measured = measured_in(call.mode);
        self.wanted += u64::from(call.want_further);
        if !self.is_notified && !ended.desired {
            return self.without_background_processing(at);
        }
        if call.want_further && self.has_answer {
            // The answer covers measurements under the previous mode and under the new one.
            self.answered(at, ended.desired, measured_in(before).max(measured));
            return;
        }
        if discards {
            self.broke(Cause::DiscardedLater, at, MODE_CALL, || "measurements were discarded".to_owned());
        }
        if measured > self.max_measured {
            self.broke(Cause::ModeLater, at, MODE_CALL, || {
                format!("the mode {:?} was set, which measures more than the mode before", call.mode)
            });
        }
    }

    /// Records that the driver has no background processing, from the first call that shows it: nothing changes a shader,
    /// so that later calls of this kind change nothing.
    fn without_background_processing(&mut self, at: At) {
        if !self.has_no_background_processing {
            (self.has_no_background_processing, self.answer_stamp) = (true, Some(at.stamp));
            (self.at_answer, self.later) = (None, None);
            self.profiled.clear();
            self.frames.answered();
        }
    }

    fn answered(&mut self, at: At, desired: bool, max_measured: u32) {
        self.driver_answers += 1;
        (self.answer_stamp, self.max_measured, self.later) = (Some(at.stamp), max_measured, None);
        self.frames.answered();
        self.observed_state.answered();
        let left = self.unfinished.len() as u64;
        self.at_answer = if desired {
            let description = "the driver's last answer requests further measurements".to_owned();
            Some(unfit(Cause::DesiresMore, at.stamp, MODE_CALL, description))
        } else {
            (left > 0).then(|| {
                let description = format!("{} had not ended at the driver's last answer", counted(left, "task"));
                unfit(Cause::QueueNotEmpty, at.stamp, MODE_CALL, description)
            })
        };
    }

    /// Handles the measurements of a submission: a driver that may use them must have known the work before it
    /// answered.
    fn measured(&mut self, at: At, submitted: &Submitted, runs: &[DrawRun], background: &Background) {
        if self.answer_stamp.is_some()
            && let Some((pipeline_state, slot)) = self.observed_state.news(submitted, runs)
        {
            let name = background.pipeline_name(pipeline_state);
            self.broke(Cause::NewWork, at, d3d12_ddi::CollectMeasurements::NAME, || match slot {
                None => format!("{name} was first measured"),
                Some(slot) => format!("slot {slot} of {name} had a value that is new to the driver"),
            });
        }
        // The work is no longer new before the next answer.
        self.observed_state.add(at.stamp, submitted, runs);
    }

    /// Reports a slot that varied before the answer and has a single value since: a driver that measures longer may
    /// fold it.
    pub fn rested(&self, background: &Background) -> Option<Unfit> {
        let QuiescentState { pipeline_state, slot, stamp } =
            self.observed_state.rested().filter(|_| self.answer_stamp.is_some())?;
        let name = background.pipeline_name(pipeline_state);
        let description = format!(
            "after the driver's last answer slot {slot} of {name} kept one of the values that it had before the answer"
        );
        Some(unfit(Cause::NewWork, stamp, d3d12_ddi::CollectMeasurements::NAME, description))
    }
}
