//! Frames presented after the driver's last answer, and their cost.

use super::super::pipelines::saving_ratio;
use crate::background::FitSettings;
use crate::background::Submitted;
use crate::reports::figures::figures;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use taut_schemas::{CommandQueueId, DrawRun, PipelineStateId};

/// A frame by command queue and frame number.
type Place = (CommandQueueId, u64);

/// Work of a frame: number of draws by pipeline state, and the instructions that the generic shaders execute for it.
type Work = (BTreeMap<PipelineStateId, u64>, u64);

/// Work and hash of all constants. Equal values mean equal draws, which should have equal costs.
type Exact<'f> = (&'f Work, u64);

/// Sums over one frame.
#[derive(Debug, Default)]
struct MeasuredFrame {
    first_stamp: u64,
    last_stamp: u64,
    work: Work,
    /// Hash of the constants, in draw order.
    constants: u64,
    executed: u64,
    /// Submissions that are not measured yet.
    open: u64,
}

/// Frames since the last answer.
#[derive(Debug, Default)]
pub(super) struct Frames {
    frames: BTreeMap<Place, MeasuredFrame>,
    submissions: HashMap<u64, (Place, bool)>,
    /// Frames during which the answer came; they are excluded.
    cut: BTreeSet<Place>,
    ended: BTreeMap<CommandQueueId, u64>,
}

figures! {
    /// Figures of the frames after the last answer.
    #[derive(Debug, Clone, Copy, PartialEq, Default)]
    pub struct MeasuredFigures {
        frames_same_work: u64, Count, "Frames after the answer with the most frequent work.";
        generic_per_frame: Option<u64>, Count, "Instructions of the generic shaders in a frame of the same work; null without frames.";
        executed_per_frame: Option<u64>, Count, "Instructions that the first frame of the same work executed, including guards; null without frames.";
        spread_ratio: Option<f64>, Ratio, "(max - min) / min of the costs of frames of the same work; null without frames.";
        saving_ratio: Option<f64>, Ratio, same;
        frames: u64, Count, same;
        time_saving_ratio: Option<f64>, Ratio, same;
    }
}

/// A frame whose cost differs from an earlier frame with the same work.
pub(super) struct Moved {
    pub stamp: u64,
    pub frame: u64,
    pub executed: u64,
    pub before: (u64, u64),
}

impl Frames {
    /// The frame that the next submission to a queue belongs to.
    fn place(&self, queue: CommandQueueId) -> Place {
        (queue, self.ended.get(&queue).copied().unwrap_or_default() + 1)
    }

    /// Ends the current frame of a queue.
    pub fn presented(&mut self, queue: CommandQueueId) {
        *self.ended.entry(queue).or_default() += 1;
    }

    /// Adds submitted draws to the current frame of their queue.
    pub fn submitted(&mut self, stamp: u64, submitted: &Submitted) {
        let place = self.place(submitted.command_queue);
        self.submissions.insert(submitted.submission, (place, true));
        let frame = self
            .frames
            .entry(place)
            .or_insert_with(|| MeasuredFrame { first_stamp: stamp, ..MeasuredFrame::default() });
        frame.last_stamp = stamp;
        frame.open += 1;
        // Each submission is hashed with the previous hash, so that the result depends on their order.
        let mut hasher = DefaultHasher::new();
        (frame.constants, &submitted.constants).hash(&mut hasher);
        frame.constants = hasher.finish();
    }

    /// Adds the measurements of a submission.
    pub fn collected(&mut self, submission: u64, runs: &[DrawRun]) {
        let Some((place, true)) = self.submissions.remove(&submission) else { return };
        let Some(frame) = self.frames.get_mut(&place) else { return };
        frame.open -= 1;
        for run in runs {
            *frame.work.0.entry(run.pipeline_state).or_default() += 1;
            frame.work.1 = frame.work.1.saturating_add(run.generic_executed);
            frame.executed = frame.executed.saturating_add(run.executed);
        }
    }

    /// Discards all frames before the driver's answer, and excludes the frames in progress.
    pub fn answered(&mut self) {
        self.cut = self.frames.keys().filter(|(queue, number)| !self.has_ended(*queue, *number)).copied().collect();
        self.submissions.values_mut().for_each(|(_, counts)| *counts = false);
        self.frames.clear();
    }

    fn has_ended(&self, queue: CommandQueueId, number: u64) -> bool {
        self.ended.get(&queue).is_some_and(|ended| *ended >= number)
    }

    /// Complete frames whose submissions are all measured.
    fn whole(&self) -> impl Iterator<Item = (u64, &MeasuredFrame)> {
        // Frames without measured instructions have no cost to compare.
        let whole = self.frames.iter().filter(|(place, frame)| {
            self.has_ended(place.0, place.1) && !self.cut.contains(place) && frame.open == 0 && frame.work.1 > 0
        });
        whole.map(|((_, number), frame)| (*number, frame))
    }

    /// Computes the figures, and finds the first frame whose cost differs from an earlier frame with the same work and
    /// constants.
    pub fn judge(&self, settings: &FitSettings) -> (MeasuredFigures, Option<Moved>) {
        let mut groups: HashMap<&Work, Vec<(u64, &MeasuredFrame)>> = HashMap::new();
        let mut same: HashMap<Exact<'_>, Vec<(u64, &MeasuredFrame)>> = HashMap::new();
        for (number, frame) in self.whole() {
            groups.entry(&frame.work).or_default().push((number, frame));
            same.entry((&frame.work, frame.constants)).or_default().push((number, frame));
        }
        let frames = groups.values().map(|frames| frames.len() as u64).sum();
        let mut moved: Option<Moved> = None;
        groups.values_mut().for_each(|group| group.sort_by_key(|(_, frame)| frame.first_stamp));
        for group in same.values_mut() {
            group.sort_by_key(|(_, frame)| frame.first_stamp);
            if let Some(found) = first_moved(group, settings.tolerance_ratio)
                && moved.as_ref().is_none_or(|known| found.stamp < known.stamp)
            {
                moved = Some(found);
            }
        }
        let max_cost = groups.values().max_by_key(|group| (group.len(), std::cmp::Reverse(group[0].1.first_stamp)));
        let of = |group: &Vec<(u64, &MeasuredFrame)>| {
            let (min_cost, largest) = group.iter().fold((u64::MAX, 0), |(min_cost, max_cost), (_, frame)| {
                (min_cost.min(frame.executed), max_cost.max(frame.executed))
            });
            let sum =
                |of: fn(&MeasuredFrame) -> u64| group.iter().map(|(_, frame)| of(frame)).fold(0, u64::saturating_add);
            MeasuredFigures {
                frames_same_work: group.len() as u64,
                executed_per_frame: Some(group[0].1.executed),
                generic_per_frame: Some(group[0].1.work.1),
                saving_ratio: saving_ratio(sum(|frame| frame.executed), sum(|frame| frame.work.1)),
                spread_ratio: Some(spread(min_cost, largest)),
                ..MeasuredFigures::default()
            }
        };
        (MeasuredFigures { frames, ..max_cost.map(of).unwrap_or_default() }, moved)
    }
}

/// Difference of two costs, divided by the smaller one.
fn spread(one: u64, other: u64) -> f64 {
    one.abs_diff(other) as f64 / one.min(other).max(1) as f64
}

/// The first frame of a group, in order, whose cost differs from an earlier one by more than the tolerance.
fn first_moved(frames: &[(u64, &MeasuredFrame)], tolerance_ratio: f64) -> Option<Moved> {
    let (first, played) = frames.first()?;
    let mut min_cost = (*first, played.executed);
    let mut max_cost = min_cost;
    for (frame, played) in frames {
        let executed = played.executed;
        // The earlier cost with the largest difference is always the minimum or the maximum.
        let before = if max_cost.1.abs_diff(executed) > min_cost.1.abs_diff(executed) { max_cost } else { min_cost };
        if spread(before.1, executed) > tolerance_ratio {
            return Some(Moved { stamp: played.first_stamp, frame: *frame, executed, before });
        }
        min_cost = if executed < min_cost.1 { (*frame, executed) } else { min_cost };
        max_cost = if executed > max_cost.1 { (*frame, executed) } else { max_cost };
    }
    None
}
