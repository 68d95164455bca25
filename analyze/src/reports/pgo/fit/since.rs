//! What happened since the driver last answered.

use super::played::Frames;
use super::seen::{Rested, Seen};
use super::{Cause, MODE_CALL, Unfit, unfit};
use crate::background::{
    Background, BackgroundEvent, Collected, ModeCall, ModeCallEnded, Submitted, TaskCancelled, TaskStopped,
    VariantReported,
};
use crate::event_reader::At;
use crate::render::counted;
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{
    BackgroundProcessingMode, Call, DrawRun, HResultCode, MeasurementsAction, PipelineStateId, TaskId, VariantChange,
    VariantId, d3d12_callbacks, d3d12_ddi,
};

/// What happened up to the last answer, and after it.
#[derive(Default)]
pub(super) struct Since<'a> {
    /// When the driver's last answer was given; none if there is none.
    pub answer_stamp: Option<u64>,
    pub times_asked: u64,
    /// Accepted calls that wanted an answer.
    wanted: u64,
    /// What is wrong with the answer itself.
    pub at_answer: Option<Unfit>,
    /// The first thing that happened after it.
    pub later: Option<Unfit>,
    pub frames: Frames,
    mode: BackgroundProcessingMode,
    /// The most that was measured since the answer before the last.
    most_measured: u32,
    call: Option<ModeCall>,
    /// The driver was told in a call that may answer, and answered.
    told: bool,
    unfinished: BTreeSet<TaskId>,
    /// Submissions not measured yet that are going to be learned from.
    profiled: BTreeMap<u64, &'a Submitted>,
    seen: Seen,
    /// The device is gone.
    over: bool,
}

/// How much is measured in a mode.
fn measured_in(mode: BackgroundProcessingMode) -> u32 {
    match mode {
        BackgroundProcessingMode::ALLOW_INTRUSIVE_MEASUREMENTS => 3,
        BackgroundProcessingMode::ALLOWED => 2,
        BackgroundProcessingMode::DISABLE_BACKGROUND_WORK => 1,
        _ => 0,
    }
}

impl<'a> Since<'a> {
    pub fn of(background: &'a Background) -> Since<'a> {
        let mut since = Since { most_measured: measured_in(BackgroundProcessingMode::ALLOWED), ..Since::default() };
        for (at, happening) in &background.events {
            since.take(*at, happening, background);
        }
        if since.answer_stamp.is_none() {
            let last = background.passes.last().filter(|pass| pass.thread.is_some());
            let stamp = last.map_or(background.span.0, |pass| pass.began_stamp);
            let asked = background.passes.iter().filter(|pass| pass.asked).count() as u64;
            let (cause, description) = match (asked, since.wanted) {
                (0, 0) => {
                    let description = "the driver was not asked whether it desires further measurements".to_owned();
                    (Cause::NotAsked, description)
                }
                (0, wanted) => {
                    let wanted = counted(wanted, "time");
                    let description = format!(
                        "asked {wanted} whether it desires further measurements, the driver has no way to say so"
                    );
                    (Cause::CannotSay, description)
                }
                (asked, _) => {
                    let asked = counted(asked, "time");
                    let description = format!(
                        "asked {asked} whether it desires further measurements, the driver left every answer unwritten"
                    );
                    (Cause::CannotSay, description)
                }
            };
            since.at_answer = Some(unfit(cause, stamp, MODE_CALL, description));
        }
        since
    }

    fn take(&mut self, at: At, happening: &'a BackgroundEvent, background: &Background) {
        match happening {
            BackgroundEvent::DeviceCreated if self.over => {
                *self = Since { most_measured: measured_in(BackgroundProcessingMode::ALLOWED), ..Since::default() };
            }
            BackgroundEvent::DeviceDestroyed => self.over = true,
            _ if self.over => {}
            BackgroundEvent::TasksThere(there) if self.answer_stamp.is_none() && self.call.is_none() => {
                self.mode = there.mode;
            }
            BackgroundEvent::ModeCallBegan(call) => (self.call, self.told) = (Some(*call), false),
            BackgroundEvent::DriverNotified { may_answer, answers } => self.told = *may_answer && *answers,
            BackgroundEvent::ModeCallEnded(ended) => self.mode_call_ended(at, ended),
            BackgroundEvent::Presented { command_queue } => self.frames.presented(*command_queue),
            BackgroundEvent::Submitted(submitted) if !submitted.selections.is_empty() => {
                self.frames.submitted(at.stamp, submitted);
                if measured_in(self.mode) > 0 {
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
                // In the call that answers, the answer tells of it.
                let what = || format!("the driver queued task {} for {}", task.0, name(item.pipeline_state));
                self.broke(Cause::FoundLater, at, d3d12_callbacks::QueueProcessingWork::NAME, what);
            }
            BackgroundEvent::TaskThere(there) => drop(self.unfinished.insert(there.task)),
            BackgroundEvent::TaskStopped(TaskStopped { task })
            | BackgroundEvent::TaskCancelled(TaskCancelled { task, .. }) => {
                self.unfinished.remove(task);
            }
            BackgroundEvent::TaskVerdict { task, variant } if *variant != VariantId::NULL => {
                let of = background.task(*task).map(|task| name(task.pipeline_state)).unwrap_or_default();
                let what = || format!("variant {} of {of} came into use", variant.0);
                self.broke(Cause::InstalledLater, at, d3d12_ddi::ProcessBackgroundWork::NAME, what);
            }
            BackgroundEvent::VariantReported(VariantReported { variant, pipeline_state, change, .. })
                if *change != VariantChange::INSTALLED =>
            {
                let what = || format!("variant {} of {} went out of use", variant.0, name(*pipeline_state));
                self.broke(Cause::DroppedLater, at, d3d12_callbacks::ReportVariant::NAME, what);
            }
            _ => {}
        }
    }

    /// Something happened after the answer. What happens in a call is after the answers of others alone.
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
            self.seen = Seen::default();
            self.profiled.clear();
        }
        let measured = measured_in(call.mode);
        self.wanted += u64::from(call.want_further);
        if call.want_further && self.told {
            self.answered(at, ended.desired, measured_in(before).max(measured));
            return;
        }
        if discards {
            self.broke(Cause::DiscardedLater, at, MODE_CALL, || "measurements were discarded".to_owned());
        }
        if measured > self.most_measured {
            self.broke(Cause::ModeLater, at, MODE_CALL, || {
                format!("the mode {:?} was set, in which more is measured than before it", call.mode)
            });
        }
    }

    fn answered(&mut self, at: At, desired: bool, most_measured: u32) {
        self.times_asked += 1;
        (self.answer_stamp, self.most_measured, self.later) = (Some(at.stamp), most_measured, None);
        self.frames.answered();
        self.seen.answered();
        let left = self.unfinished.len() as u64;
        self.at_answer = if desired {
            let description = "the driver's last answer was that it desires further measurements".to_owned();
            Some(unfit(Cause::DesiresMore, at.stamp, MODE_CALL, description))
        } else {
            (left > 0).then(|| {
                let description = format!("{} had not ended when the driver last answered", counted(left, "task"));
                unfit(Cause::QueueNotEmpty, at.stamp, MODE_CALL, description)
            })
        };
    }

    /// Draws were measured: of work that may still be learned from, the driver had to know before it answered.
    fn measured(&mut self, at: At, submitted: &Submitted, runs: &[DrawRun], background: &Background) {
        if self.answer_stamp.is_some()
            && let Some((pipeline_state, slot)) = self.seen.news(submitted, runs)
        {
            let name = background.pipeline_name(pipeline_state);
            self.broke(Cause::NewWork, at, d3d12_ddi::CollectMeasurements::NAME, || match slot {
                None => format!("{name} was first measured"),
                Some(slot) => format!("slot {slot} of {name} had a value that it had not had before"),
            });
        }
        // Before a later answer it is not new any more.
        self.seen.add(at.stamp, submitted, runs);
    }

    /// Since the answer the same value is measured again and again where several were before: a longer run may find it fixed.
    pub fn rested(&self, background: &Background) -> Option<Unfit> {
        let Rested { pipeline_state, slot, stamp } = self.seen.rested().filter(|_| self.answer_stamp.is_some())?;
        let name = background.pipeline_name(pipeline_state);
        let description =
            format!("after the driver's last answer slot {slot} of {name} kept one of the values that it had before");
        Some(unfit(Cause::NewWork, stamp, d3d12_ddi::CollectMeasurements::NAME, description))
    }
}
