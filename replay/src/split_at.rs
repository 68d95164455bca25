//! Splitting of a recording: the later part, preceded by a rundown of the state that the earlier part leaves.

use crate::error::ReplayError;
use crate::outcome::Outcome;
use crate::policy::Faithful;
use crate::recording::Recording;
use crate::run::Run;
use crate::world::ReplayWorld;
use std::collections::BTreeMap;
use taut_schemas::{EventCode, Mark, Opcode, state};
use taut_traces::{ThreadWriter, TraceWriter};

/// Thread number of the rundown that starts the later part. It sorts after all application threads of the same stamp,
/// and no thread of a recording has it.
const RUNDOWN_THREAD: u32 = u32::MAX - 1;

/// Point at which a recording was split.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitPoint {
    /// Stamp of the rundown, in ticks.
    pub stamp: u64,
    /// Result of replaying the part before the split.
    pub before: Outcome,
}

/// Replays up to `at` and on to the next point at which no call is open; writes a rundown to `output`, then all later
/// events as recorded. Returns `None` and writes no event if no event follows that point.
///
/// # Errors
/// As a replay; or the state cannot be written as a rundown.
pub(crate) fn split_at(
    recording: &Recording<'_>,
    at: u64,
    output: &TraceWriter,
) -> Result<Option<SplitPoint>, ReplayError> {
    let mut faithful = Faithful;
    let world = ReplayWorld::recorded(&recording.trace.header().world)?;
    let mut run = Run::new(recording, world, None, &mut faithful);
    let (mut last_stamp, mut split_point) = (0, None);
    let mut writers: BTreeMap<u32, ThreadWriter> = BTreeMap::new();
    recording.each_row(|row| {
        // Only before the first event of a new stamp: the rundown gets the previous stamp, whose events must all
        // precede it.
        if split_point.is_none() && row.stamp > at.max(last_stamp) && run.is_between_calls() {
            let records = run.rundown()?;
            let mut writer = output.thread(RUNDOWN_THREAD);
            for (code, row) in records.iter() {
                writer.event(code, last_stamp, |encoder| encoder.raw(row));
            }
            let end = EventCode::new(state::RundownEnd::ID, Opcode::Info);
            writer.event(end, last_stamp, |encoder| records.end(0).encode(encoder));
            split_point = Some(SplitPoint { stamp: last_stamp, before: run.outcome.clone() });
        }
        last_stamp = row.stamp;
        if split_point.is_none() {
            return run.row(row);
        }
        let known = recording.known(row)?;
        let mut translated = Vec::new();
        let payload = known.translate(row.payload, &mut translated)?;
        let writer = writers.entry(row.thread).or_insert_with(|| output.thread(row.thread));
        writer.event(known.code, row.stamp, |encoder| encoder.raw(payload));
        Ok(())
    })?;
    Ok(split_point)
}
