//! A recording cut in two: its later part, behind a rundown of what the earlier one came to.

use crate::error::ReplayError;
use crate::outcome::Outcome;
use crate::policy::Faithful;
use crate::recording::Recording;
use crate::run::Run;
use crate::world::ReplayWorld;
use std::collections::BTreeMap;
use taut_schemas::{EventCode, Mark, Opcode, state};
use taut_traces::{ThreadWriter, TraceWriter};

/// The thread that a cut's rundown is on: behind all others of its stamp, and none of a recording's own.
const THREAD: u32 = u32::MAX - 1;

/// Where a recording was cut.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// The stamp of the rundown.
    pub stamp: u64,
    /// What the replay up to there found.
    pub before: Outcome,
}

/// Replays up to `at`, and on to where no call is open; writes a rundown to `output`, and all events from there on. `None`, and
/// nothing written, if no event comes after that.
///
/// # Errors
/// As a replay; or the state there cannot be written down.
pub(crate) fn cut(recording: &Recording<'_>, at: u64, output: &TraceWriter) -> Result<Option<Cut>, ReplayError> {
    let mut faithful = Faithful;
    let world = ReplayWorld::recorded(&recording.trace.header().world)?;
    let mut run = Run::new(recording, world, None, &mut faithful);
    let (mut last_stamp, mut cut_at) = (0, None);
    let mut writers: BTreeMap<u32, ThreadWriter> = BTreeMap::new();
    recording.each_row(|row| {
        if cut_at.is_none() && row.stamp > at.max(last_stamp) && run.is_between_calls() {
            let records = run.rundown()?;
            let mut writer = output.thread(THREAD);
            for (code, row) in records.iter() {
                writer.event(code, last_stamp, |encoder| encoder.raw(row));
            }
            let end = EventCode::new(state::RundownEnd::ID, Opcode::Info);
            writer.event(end, last_stamp, |encoder| records.end(0).encode(encoder));
            cut_at = Some(Cut { stamp: last_stamp, before: run.outcome.clone() });
        }
        last_stamp = row.stamp;
        if cut_at.is_none() {
            return run.row(row);
        }
        let known = recording.known(row)?;
        let mut translated = Vec::new();
        let payload = known.translate(row.payload, &mut translated)?;
        let writer = writers.entry(row.thread).or_insert_with(|| output.thread(row.thread));
        writer.event(known.code, row.stamp, |encoder| encoder.raw(payload));
        Ok(())
    })?;
    Ok(cut_at)
}
