//! Frames that were played after the driver's answer, and what they cost.

use super::super::pipelines::saving_ratio;
use crate::background::FitSettings;
use crate::background::Submitted;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use taut_schemas::{CommandQueueId, DrawRun, PipelineStateId};

/// A frame of a command queue.
type Place = (CommandQueueId, u64);

/// What a frame draws: how often with each pipeline state, and the instructions that the generic shaders execute for it.
type Work = (BTreeMap<PipelineStateId, u64>, u64);

/// The same, and the hash of all constants: draw for draw the same, so the cost should be, too.
type Exact<'f> = (&'f Work, u64);

/// One frame.
#[derive(Debug, Default)]
struct Played {
    first_stamp: u64,
    last_stamp: u64,
    work: Work,
    /// Hash of the constants, in the order of the draws.
    constants: u64,
    executed: u64,
    /// Submissions that were not measured.
    open: u64,
}

/// The frames since the answer.
#[derive(Debug, Default)]
pub(super) struct Frames {
    frames: BTreeMap<Place, Played>,
    submissions: HashMap<u64, (Place, bool)>,
    /// Frames that the answer came in the midst of.
    cut: BTreeSet<Place>,
    ended: BTreeMap<CommandQueueId, u64>,
}

/// What the frames were.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Default)]
pub struct MeasuredFigures {
    /// Whole frames after the answer.
    pub frames: u64,
    /// Those of the work that most of them have.
    pub frames_alike: u64,
    /// Instructions that the first of these executed.
    pub executed_per_frame: Option<u64>,
    /// Instructions that the generic shaders execute for it.
    pub generic_per_frame: Option<u64>,
    /// What all of those frames save of the instructions of the generic shaders.
    pub saving_ratio: Option<f64>,
    /// What the code of draws submitted after the answer saves of the generic shaders' machine time; none if nobody took the time.
    pub time_saving_ratio: Option<f64>,
    /// How far the others are from it at most, as a part of the least.
    pub spread_ratio: Option<f64>,
}

/// A frame that costs more or less than another of the same work.
pub(super) struct Moved {
    pub stamp: u64,
    pub frame: u64,
    pub executed: u64,
    pub before: (u64, u64),
}

impl Frames {
    /// The frame that a submission to this queue belongs to.
    fn place(&self, queue: CommandQueueId) -> Place {
        (queue, self.ended.get(&queue).copied().unwrap_or_default() + 1)
    }

    /// A frame of the queue ended.
    pub fn presented(&mut self, queue: CommandQueueId) {
        *self.ended.entry(queue).or_default() += 1;
    }

    /// Draws were submitted.
    pub fn submitted(&mut self, stamp: u64, submitted: &Submitted) {
        let place = self.place(submitted.command_queue);
        self.submissions.insert(submitted.submission, (place, true));
        let frame = self.frames.entry(place).or_insert_with(|| Played { first_stamp: stamp, ..Played::default() });
        frame.last_stamp = stamp;
        frame.open += 1;
        let mut hasher = DefaultHasher::new();
        (frame.constants, &submitted.constants).hash(&mut hasher);
        frame.constants = hasher.finish();
    }

    /// A submission was measured.
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

    /// The driver answered: what was before does not count, nor what goes on over the answer.
    pub fn answered(&mut self) {
        self.cut = self.frames.keys().filter(|place| !self.has_ended(**place)).copied().collect();
        self.submissions.values_mut().for_each(|(_, counts)| *counts = false);
        self.frames.clear();
    }

    fn has_ended(&self, (queue, number): Place) -> bool {
        self.ended.get(&queue).is_some_and(|ended| *ended >= number)
    }

    /// The whole frames.
    fn whole(&self) -> impl Iterator<Item = (u64, &Played)> {
        let whole = self.frames.iter().filter(|(place, frame)| {
            self.has_ended(**place) && !self.cut.contains(place) && frame.open == 0 && frame.work.1 > 0
        });
        whole.map(|((_, number), frame)| (*number, frame))
    }

    /// What they cost, and the first that costs more or less than one of the same work before it.
    pub fn judge(&self, settings: &FitSettings) -> (MeasuredFigures, Option<Moved>) {
        let mut alike: HashMap<&Work, Vec<(u64, &Played)>> = HashMap::new();
        let mut same: HashMap<Exact<'_>, Vec<(u64, &Played)>> = HashMap::new();
        for (number, frame) in self.whole() {
            alike.entry(&frame.work).or_default().push((number, frame));
            same.entry((&frame.work, frame.constants)).or_default().push((number, frame));
        }
        let frames = alike.values().map(|frames| frames.len() as u64).sum();
        let mut moved: Option<Moved> = None;
        alike.values_mut().for_each(|group| group.sort_by_key(|(_, frame)| frame.first_stamp));
        for group in same.values_mut() {
            group.sort_by_key(|(_, frame)| frame.first_stamp);
            if let Some(found) = first_moved(group, settings.tolerance_ratio)
                && moved.as_ref().is_none_or(|known| found.stamp < known.stamp)
            {
                moved = Some(found);
            }
        }
        let most = alike.values().max_by_key(|group| (group.len(), std::cmp::Reverse(group[0].1.first_stamp)));
        let of = |group: &Vec<(u64, &Played)>| {
            let (least, largest) = group
                .iter()
                .fold((u64::MAX, 0), |(least, most), (_, frame)| (least.min(frame.executed), most.max(frame.executed)));
            let sum = |of: fn(&Played) -> u64| group.iter().map(|(_, frame)| of(frame)).fold(0, u64::saturating_add);
            MeasuredFigures {
                frames_alike: group.len() as u64,
                executed_per_frame: Some(group[0].1.executed),
                generic_per_frame: Some(group[0].1.work.1),
                saving_ratio: saving_ratio(sum(|frame| frame.executed), sum(|frame| frame.work.1)),
                spread_ratio: Some(spread(least, largest)),
                ..MeasuredFigures::default()
            }
        };
        (MeasuredFigures { frames, ..most.map(of).unwrap_or_default() }, moved)
    }
}

/// How far two costs are from each other, as a part of the smaller one.
fn spread(one: u64, other: u64) -> f64 {
    one.abs_diff(other) as f64 / one.min(other).max(1) as f64
}

/// The first of frames alike, in order, that is further from one before it than may be.
fn first_moved(frames: &[(u64, &Played)], tolerance_ratio: f64) -> Option<Moved> {
    let (first, played) = frames.first()?;
    let mut least = (*first, played.executed);
    let mut most = least;
    for (frame, played) in frames {
        let executed = played.executed;
        let before = if most.1.abs_diff(executed) > least.1.abs_diff(executed) { most } else { least };
        if spread(before.1, executed) > tolerance_ratio {
            return Some(Moved { stamp: played.first_stamp, frame: *frame, executed, before });
        }
        least = if executed < least.1 { (*frame, executed) } else { least };
        most = if executed > most.1 { (*frame, executed) } else { most };
    }
    None
}
