//! Pipeline states and constants that the driver has measured.

use crate::background::{Submitted, bound_constants};
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{DrawRun, PipelineStateId};

/// Maximum number of values stored per slot. A slot with more values counts as varying, so that no further value is
/// new.
const MAX_VALUES: usize = 8;

/// Values of a slot of constants.
#[derive(Debug, Default, Clone)]
struct Slot {
    values: Vec<u32>,
    /// True if the slot had several values between the last two answers.
    moved: bool,
    /// Values since the last answer.
    since: SinceAnswer,
}

/// Values of a slot since the driver's last answer.
#[derive(Debug, Default, Clone, Copy)]
enum SinceAnswer {
    #[default]
    Nothing,
    /// A single value; the timestamp is that of the first measurement.
    Rests {
        word: u32,
        stamp: u64,
    },
    Moves,
}

/// A slot that had several values before the last answer and a single one since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct QuiescentState {
    pub pipeline_state: PipelineStateId,
    pub slot: usize,
    pub stamp: u64,
}

/// Pipeline states measured since the last discard, and the values of their constants.
#[derive(Debug, Default)]
pub(super) struct ObservedState {
    pipelines: BTreeSet<PipelineStateId>,
    slots: BTreeMap<PipelineStateId, Vec<Slot>>,
}

impl ObservedState {
    /// Adds a measured submission.
    pub fn add(&mut self, stamp: u64, submitted: &Submitted, runs: &[DrawRun]) {
        self.pipelines.extend(runs.iter().map(|run| run.pipeline_state));
        for (pipeline_state, constants) in bound_constants(submitted) {
            let slots = self.slots.entry(pipeline_state).or_default();
            slots.resize(slots.len().max(constants.len()), Slot::default());
            for (slot, word) in slots.iter_mut().zip(constants) {
                if slot.values.len() <= MAX_VALUES && !slot.values.contains(word) {
                    slot.values.push(*word);
                }
                slot.since = match slot.since {
                    SinceAnswer::Nothing => SinceAnswer::Rests { word: *word, stamp },
                    SinceAnswer::Rests { word: known, .. } if known != *word => SinceAnswer::Moves,
                    known => known,
                };
            }
        }
    }

    /// Starts a new interval at an answer of the driver.
    pub fn answered(&mut self) {
        for slot in self.slots.values_mut().flatten() {
            slot.moved = match slot.since {
                // Two answers without measurements in between: the interval before both still applies.
                SinceAnswer::Nothing => slot.moved,
                SinceAnswer::Rests { .. } => false,
                SinceAnswer::Moves => true,
            };
            slot.since = SinceAnswer::Nothing;
        }
    }

    /// Finds the first new element of a submission: a pipeline state, or a value of one of its slots.
    pub fn news(&self, submitted: &Submitted, runs: &[DrawRun]) -> Option<(PipelineStateId, Option<usize>)> {
        let new = runs.iter().find(|run| !self.pipelines.contains(&run.pipeline_state));
        new.map(|run| (run.pipeline_state, None)).or_else(|| {
            bound_constants(submitted).find_map(|(pipeline_state, constants)| {
                let slots = self.slots.get(&pipeline_state)?;
                let is_new =
                    |(slot, word): (&Slot, &u32)| slot.values.len() <= MAX_VALUES && !slot.values.contains(word);
                Some((pipeline_state, Some(slots.iter().zip(constants).position(is_new)?)))
            })
        })
    }

    /// The first slot that varied before the last answer and has not since. A driver that measures longer may fold it.
    pub fn rested(&self) -> Option<QuiescentState> {
        let all =
            self.slots.iter().flat_map(|(id, slots)| slots.iter().enumerate().map(move |(slot, of)| (*id, slot, of)));
        let rests = all.filter_map(|(pipeline_state, slot, of)| match of.since {
            SinceAnswer::Rests { stamp, .. } if of.moved => Some(QuiescentState { pipeline_state, slot, stamp }),
            _ => None,
        });
        rests.min_by_key(|rested| rested.stamp)
    }
}
