//! The work that a driver had measured.

use crate::background::{Submitted, bound_constants};
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{DrawRun, PipelineStateId};

/// A slot that had more values than these goes on changing: then no value of it is new.
const MOST_VALUES: usize = 8;

/// The values that a slot of constants had.
#[derive(Debug, Default, Clone)]
struct Slot {
    values: Vec<u32>,
    /// It had several in what was measured for the last answer: since the answer before.
    moved: bool,
    /// Since then.
    since: SinceAnswer,
}

/// What a slot did since the driver answered.
#[derive(Debug, Default, Clone, Copy)]
enum SinceAnswer {
    #[default]
    Nothing,
    /// It had one value, at first in a draw that was measured then.
    Rests {
        word: u32,
        stamp: u64,
    },
    Moves,
}

/// A slot that had several values in what was measured for the answer, and one since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rested {
    pub pipeline_state: PipelineStateId,
    pub slot: usize,
    pub stamp: u64,
}

/// The pipeline states that were measured since the last discard, and the values that their constants had.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pipelines: BTreeSet<PipelineStateId>,
    slots: BTreeMap<PipelineStateId, Vec<Slot>>,
}

impl Seen {
    /// A submission was measured.
    pub fn add(&mut self, stamp: u64, submitted: &Submitted, runs: &[DrawRun]) {
        self.pipelines.extend(runs.iter().map(|run| run.pipeline_state));
        for (pipeline_state, constants) in bound_constants(submitted) {
            let slots = self.slots.entry(pipeline_state).or_default();
            slots.resize(slots.len().max(constants.len()), Slot::default());
            for (slot, word) in slots.iter_mut().zip(constants) {
                if slot.values.len() <= MOST_VALUES && !slot.values.contains(word) {
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

    /// The driver answered.
    pub fn answered(&mut self) {
        for slot in self.slots.values_mut().flatten() {
            slot.moved = match slot.since {
                // Asked twice: what was measured for it is the same.
                SinceAnswer::Nothing => slot.moved,
                SinceAnswer::Rests { .. } => false,
                SinceAnswer::Moves => true,
            };
            slot.since = SinceAnswer::Nothing;
        }
    }

    /// What is new in a submission: a pipeline state, or a value of one of its slots.
    pub fn news(&self, submitted: &Submitted, runs: &[DrawRun]) -> Option<(PipelineStateId, Option<usize>)> {
        let new = runs.iter().find(|run| !self.pipelines.contains(&run.pipeline_state));
        new.map(|run| (run.pipeline_state, None)).or_else(|| {
            bound_constants(submitted).find_map(|(pipeline_state, constants)| {
                let slots = self.slots.get(&pipeline_state)?;
                let is_new =
                    |(slot, word): (&Slot, &u32)| slot.values.len() <= MOST_VALUES && !slot.values.contains(word);
                Some((pipeline_state, Some(slots.iter().zip(constants).position(is_new)?)))
            })
        })
    }

    /// The first slot that moved before the driver answered and does not since: measured longer, it may be found fixed.
    pub fn rested(&self) -> Option<Rested> {
        let all =
            self.slots.iter().flat_map(|(id, slots)| slots.iter().enumerate().map(move |(slot, of)| (*id, slot, of)));
        let rests = all.filter_map(|(pipeline_state, slot, of)| match of.since {
            SinceAnswer::Rests { stamp, .. } if of.moved => Some(Rested { pipeline_state, slot, stamp }),
            _ => None,
        });
        rests.min_by_key(|rested| rested.stamp)
    }
}
