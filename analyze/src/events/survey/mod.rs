//! The survey: one pass over a trace, a few blocks at a time, for the events of the world and for recording health.
//!
//! Only events that change the world are stored, so memory grows with creations and releases, not with records. Blocks
//! are decoded while the world is built from the earlier ones.

mod creation;
mod health;
mod kinds;
mod rundown;
mod snapshot;
mod thread;
mod world_calls;
mod world_event;
mod world_indices;
mod world_tracker;

pub(crate) use health::{Repeated, ThreadHealth};
pub(crate) use kinds::Kinds;

use super::lines::LineNumbers;
use super::{Batches, MergedThreads, Tracker};
use crate::error::AnalyzeError;
use crate::events::Source;
use crate::memory::World;
use std::ops::ControlFlow;
use taut_traces::Damage;
use thread::ThreadSurvey;
use world_tracker::{WorldChange, WorldTracker};

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
        let mut threads: MergedThreads<'_, ThreadSurvey> = MergedThreads::new(&batches);
        let number_lines = kinds.marks.position.as_ref().is_some_and(|position| LineNumbers::any(trace, position.code));
        let mut tracker = WorldTracker::new(trace.summary(), number_lines);
        let damage = batches.each(&kinds.selection, |batch| {
            let damaged = batch.parts.iter().filter(|part| part.records.is_none());
            damaged.for_each(|part| tracker.missing_from(part.block.min_stamp));
            threads.decode(batch.parts, |thread, part| {
                if part.block.lost_before > 0 {
                    thread.gap();
                }
                thread.block(kinds, number_lines, part.records.as_ref());
            });
            tracker.add_lines(threads.iter_mut());
            threads.emit(&batch.next_stamps, |at, thread, event| {
                tracker.on_event(at, WorldChange { thread, kind: event.kind });
                Ok::<_, AnalyzeError>(ControlFlow::Continue(()))
            })
        })?;
        source.met(&damage);
        let mut health = ThreadHealth::default();
        for (number, thread) in threads.iter_mut() {
            thread.end();
            health.add(number, std::mem::take(&mut thread.health));
        }
        Ok(Survey { world: tracker.finish(), health, damage })
    }
}
