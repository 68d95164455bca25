//! The survey: one pass over a trace, a few blocks at a time, for the events of the world and for recording health.
//!
//! Only events that change the world are stored, so memory grows with creations and releases, not with records. Blocks
//! are decoded while the world is built from the earlier ones.

mod creation;
mod health;
mod kinds;
mod merge;
mod rundown;
mod snapshot;
mod thread;
mod world_calls;
mod world_event;

pub(crate) use health::{Repeated, ThreadHealth};
pub(crate) use kinds::Kinds;

use super::batches::{BatchBlock, Batches};
use super::lines::LineNumbers;
use crate::error::AnalyzeError;
use crate::events::Source;
use crate::memory::World;
use merge::Merge;
use rayon::prelude::*;
use std::ops::ControlFlow;
use taut_traces::Damage;
use thread::ThreadSurvey;

/// The results of the pass.
#[derive(Debug)]
pub(crate) struct Survey {
    /// Heaps and resources.
    pub world: World,
    /// Recording health, all threads together.
    pub health: ThreadHealth,
    /// Damage of blocks, whose records are missing, and of opening the trace.
    pub damage: Vec<Damage>,
}

impl Survey {
    /// Reads a trace.
    ///
    /// # Errors
    /// The trace's table lacks a required field.
    pub fn new(source: &Source, kinds: &Kinds) -> Result<Survey, AnalyzeError> {
        let trace = source.trace();
        let batches = Batches::new(trace);
        let mut states: Vec<ThreadSurvey> = batches.threads().iter().map(|_| ThreadSurvey::default()).collect();
        let number_lines = kinds.marks.position.as_ref().is_some_and(|position| LineNumbers::any(trace, position.code));
        let mut merge = Merge::new(batches.threads(), number_lines);
        let damage = batches.each(&kinds.selection, |batch| {
            let damaged = batch.parts.iter().filter(|part| part.records.is_none());
            damaged.for_each(|part| merge.missing_from(part.block.min_stamp));
            let mut parts: Vec<Vec<BatchBlock>> = states.iter().map(|_| Vec::new()).collect();
            batch.parts.into_iter().for_each(|part| parts[part.thread_index].push(part));
            states.par_iter_mut().zip(parts).for_each(|(state, parts)| {
                for part in parts {
                    if part.block.lost_before > 0 {
                        state.gap();
                    }
                    state.block(kinds, number_lines, part.records.as_ref());
                }
            });
            merge.take(&mut states, &batch.next_stamps)?;
            Ok::<_, AnalyzeError>(ControlFlow::Continue(()))
        })?;
        source.met(&damage);
        let mut health = ThreadHealth::default();
        for (thread, state) in batches.threads().iter().zip(&mut states) {
            state.end();
            health.add(*thread, std::mem::take(&mut state.health));
        }
        Ok(Survey { world: merge.finish(trace.summary()), health, damage })
    }
}
