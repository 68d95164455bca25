//! The work that a driver had measured.

use crate::background::{Submitted, bound_constants};
use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{DrawRun, PipelineStateId};

/// A slot that had more values than these goes on changing: then no value of it is new.
const MOST_VALUES: usize = 8;

/// The pipeline states that were measured since the last discard, and the values that their constants had.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pipelines: BTreeSet<PipelineStateId>,
    slots: BTreeMap<PipelineStateId, Vec<Vec<u32>>>,
}

impl Seen {
    /// A submission was measured.
    pub fn add(&mut self, submitted: &Submitted, runs: &[DrawRun]) {
        self.pipelines.extend(runs.iter().map(|run| run.pipeline_state));
        for (pipeline_state, constants) in bound_constants(submitted) {
            let slots = self.slots.entry(pipeline_state).or_default();
            slots.resize(slots.len().max(constants.len()), Vec::new());
            for (known, word) in slots.iter_mut().zip(constants) {
                if known.len() <= MOST_VALUES && !known.contains(word) {
                    known.push(*word);
                }
            }
        }
    }

    /// What is new in a submission: a pipeline state, or a value of one of its slots.
    pub fn news(&self, submitted: &Submitted, runs: &[DrawRun]) -> Option<(PipelineStateId, Option<usize>)> {
        let new = runs.iter().find(|run| !self.pipelines.contains(&run.pipeline_state));
        new.map(|run| (run.pipeline_state, None)).or_else(|| {
            bound_constants(submitted).find_map(|(pipeline_state, constants)| {
                let slots = self.slots.get(&pipeline_state)?;
                let is_new = |(known, word): (&Vec<u32>, &u32)| known.len() <= MOST_VALUES && !known.contains(word);
                Some((pipeline_state, Some(slots.iter().zip(constants).position(is_new)?)))
            })
        })
    }
}
