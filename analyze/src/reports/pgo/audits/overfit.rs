//! Audit of variants that rest on the measurements of a single frame.

use super::{AuditFindings, Evidence};
use crate::background::{
    BackgroundEvent, Collected, ModeCall, ModeCallEnded, Submitted, TaskProcessed, VariantReported, bound_constants,
};
use crate::render::counted;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use taut_schemas::{
    CommandQueueId, HResultCode, MeasurementsAction, PipelineStateId, TaskId, VariantChange, VariantId,
};

/// A variant that rests on the measurements of a single frame.
struct SingleFrameVariant {
    pipeline_state: PipelineStateId,
    guard: Vec<(u32, u32)>,
    installed_stamp: u64,
    /// Guard slots that later had another value, and the timestamp of the first such submission.
    moving: BTreeSet<u32>,
    first_stamp: u64,
}

/// State during the traversal of the events.
#[derive(Default)]
struct Walk<'a> {
    call: Option<&'a ModeCall>,
    presents: HashMap<CommandQueueId, u64>,
    /// Command queue and frame number of each submission.
    frames: HashMap<u64, (CommandQueueId, u64)>,
    /// Frames measured since the last discard, by pipeline state.
    measured: BTreeMap<PipelineStateId, BTreeSet<(CommandQueueId, u64)>>,
    /// Tasks queued in a commit after measurements of a single frame.
    single_frame: BTreeSet<TaskId>,
    processing: Option<TaskId>,
    variants: BTreeMap<VariantId, SingleFrameVariant>,
}

/// Checks that the constants folded by a variant from a single frame keep their values. A commit specialises for
/// everything measured, even for one frame, and a value of one frame may change in the next.
pub(super) fn check(evidence: &Evidence<'_>) -> AuditFindings {
    let mut walk = Walk::default();
    for (at, happening) in &evidence.background.events {
        walk.take(at.stamp, happening);
    }
    let mut findings = AuditFindings::default();
    for (variant, single_frame) in walk.variants {
        let (folded, moving) = (single_frame.guard.len() as u64, single_frame.moving.len());
        let stamp = if moving > 0 { single_frame.first_stamp } else { single_frame.installed_stamp };
        findings.case(stamp, moving > 0, || {
            format!(
                "Variant {} of {} was built by a commit after one frame and folds {}, of which {} later.",
                variant.0,
                evidence.background.pipeline_name(single_frame.pipeline_state),
                counted(folded, "slot"),
                if moving == 1 { "1 changes its value".to_owned() } else { format!("{moving} change their values") }
            )
        });
    }
    findings
}

impl<'a> Walk<'a> {
    fn take(&mut self, stamp: u64, happening: &'a BackgroundEvent) {
        match happening {
            BackgroundEvent::ModeCallBegan(call) => {
                self.call = Some(call);
            }
            BackgroundEvent::ModeCallEnded(ModeCallEnded { hr, .. }) => {
                let call = self.call.take().filter(|_| *hr == HResultCode::S_OK);
                if call.is_some_and(|call| call.action == MeasurementsAction::DISCARD_PREVIOUS) {
                    self.measured.clear();
                }
            }
            BackgroundEvent::Presented { command_queue } => *self.presents.entry(*command_queue).or_default() += 1,
            BackgroundEvent::Submitted(submitted) => self.submitted(stamp, submitted),
            BackgroundEvent::Collected(Collected { submission, runs, .. }) => {
                let Some(frame) = self.frames.remove(submission) else { return };
                for run in runs {
                    self.measured.entry(run.pipeline_state).or_default().insert(frame);
                }
            }
            BackgroundEvent::Queued { task, item } => {
                let commits = self.call.is_some_and(|call| call.action.commits());
                let frames = self.measured.get(&item.pipeline_state).map_or(0, BTreeSet::len);
                if commits && frames == 1 {
                    self.single_frame.insert(*task);
                }
            }
            BackgroundEvent::TaskProcessed(TaskProcessed { task, .. }) => self.processing = Some(*task),
            BackgroundEvent::VariantReported(reported) => self.reported(stamp, reported),
            _ => {}
        }
    }

    fn reported(&mut self, stamp: u64, reported: &VariantReported) {
        let VariantReported { variant, pipeline_state, change, slots, words } = reported;
        if *change != VariantChange::INSTALLED || !self.processing.is_some_and(|task| self.single_frame.contains(&task))
        {
            return;
        }
        let guard = slots.iter().copied().zip(words.iter().copied()).collect();
        let (pipeline_state, installed_stamp) = (*pipeline_state, stamp);
        let single_frame =
            SingleFrameVariant { pipeline_state, guard, installed_stamp, moving: BTreeSet::new(), first_stamp: 0 };
        self.variants.insert(*variant, single_frame);
    }

    fn submitted(&mut self, stamp: u64, submitted: &Submitted) {
        let queue = submitted.command_queue;
        // Frames are numbered from 1 per command queue; the next present ends the current one.
        let frame = self.presents.get(&queue).copied().unwrap_or_default() + 1;
        self.frames.insert(submitted.submission, (queue, frame));
        for (pipeline_state, constants) in bound_constants(submitted) {
            for single_frame in
                self.variants.values_mut().filter(|single_frame| single_frame.pipeline_state == pipeline_state)
            {
                let moved = |(slot, word): &&(u32, u32)| constants.get(*slot as usize).is_some_and(|now| now != word);
                let before = single_frame.moving.len();
                single_frame.moving.extend(single_frame.guard.iter().filter(moved).map(|(slot, _)| *slot));
                if before == 0 && !single_frame.moving.is_empty() {
                    single_frame.first_stamp = stamp;
                }
            }
        }
    }
}
