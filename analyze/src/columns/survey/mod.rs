//! The survey: one pass over a trace, a few blocks at a time, that finds what makes up the world and how it all went.
//!
//! Only what the world consists of is kept, so memory grows with creations and releases, not with records.

mod creation;
mod deed;
mod health;
mod kinds;
mod merge;
mod parts;
mod thread;

pub(crate) use health::{Said, ThreadHealth};
pub(crate) use kinds::Kinds;

use crate::error::AnalyzeError;
use crate::world::World;
use rayon::prelude::*;
use taut_traces::{BlockInfo, Damage, ThreadExtract, Trace};
use thread::ThreadSurvey;

/// Records that are decoded at a time, all threads together.
const BATCH_RECORDS: u64 = 1 << 21;

/// What the pass finds.
#[derive(Debug)]
pub(crate) struct Survey {
    /// Heaps and resources.
    pub world: World,
    /// How it all went, all threads together.
    pub health: ThreadHealth,
    /// Damage in the blocks, whose records are missing, and that of opening the trace.
    pub damage: Vec<Damage>,
}

impl Survey {
    /// Goes through a trace.
    ///
    /// # Errors
    /// The trace's table lacks a field that was asked for.
    pub fn of(trace: &Trace, kinds: &Kinds) -> Result<Survey, AnalyzeError> {
        let summary = trace.summary();
        let threads: Vec<u32> = summary.threads.iter().map(|thread| thread.thread).collect();
        let mut states: Vec<ThreadSurvey> = threads.iter().map(|_| ThreadSurvey::default()).collect();
        let mut damage = trace.damage().to_vec();
        // Lines are numbered where a log's positions say so. A lost call is not counted, so the numbers after it would
        // be wrong: then none is given.
        let positioned = kinds.marks.position.is_some_and(|code| summary.codes.iter().any(|(known, _)| *known == code));
        let number_lines = positioned && damage.is_empty() && summary.complete && summary.lost_events == 0;
        let mut rest = trace.blocks();
        while !rest.is_empty() {
            let batch;
            (batch, rest) = rest.split_at(batch_blocks(rest));
            let mut parts: Vec<Vec<(bool, Option<ThreadExtract>)>> = threads.iter().map(|_| Vec::new()).collect();
            for (block, part) in read(trace, kinds, batch, &mut damage)? {
                if let Ok(thread) = threads.binary_search(&block.thread) {
                    parts[thread].push((block.lost_before > 0, part));
                }
            }
            states.par_iter_mut().zip(parts).for_each(|(state, parts)| {
                for (lost_before, part) in parts {
                    if lost_before {
                        state.gap();
                    }
                    state.block(kinds, number_lines, part.as_ref());
                }
            });
        }
        let mut health = ThreadHealth::default();
        for (thread, state) in threads.iter().zip(&mut states) {
            state.end();
            health.add(*thread, std::mem::take(&mut state.health));
        }
        let world = merge::world(trace, &threads, states, number_lines && damage.is_empty());
        Ok(Survey { world, health, damage })
    }
}

/// How many of these blocks make up the next batch.
fn batch_blocks(blocks: &[BlockInfo]) -> usize {
    let mut records = 0;
    let within = blocks.iter().take_while(|block| {
        let fits = records < BATCH_RECORDS;
        records += u64::from(block.records);
        fits
    });
    within.count().max(1)
}

/// Reads blocks; there is nothing of a damaged one.
fn read<'b>(
    trace: &Trace,
    kinds: &Kinds,
    blocks: &'b [BlockInfo],
    damage: &mut Vec<Damage>,
) -> Result<Vec<(&'b BlockInfo, Option<ThreadExtract>)>, AnalyzeError> {
    let (parts, found) = trace.scan_blocks(&kinds.selection, blocks, |part| part)?;
    if found.is_empty() {
        return Ok(blocks.iter().zip(parts.into_iter().map(Some)).collect());
    }
    damage.extend(found);
    // Which of them it was is found one by one: this is rare.
    let one = |block: &'b BlockInfo| {
        let (mut parts, _) = trace.scan_blocks(&kinds.selection, std::slice::from_ref(block), |part| part)?;
        Ok((block, parts.pop()))
    };
    blocks.iter().map(one).collect()
}
