//! Rundowns in a pass: restored where the recording starts or resumes in mid-stream, compared everywhere else.

use super::{EventPlace, Run};
use crate::error::ReplayError;
use crate::handles::{Handles, NextObjects};
use crate::policy::Policy;
use crate::world::ReplayWorld;
use taut_runtime::StateRecords;
use taut_schemas::{CodecError, EventCode, Layer, Mark, ObjectId, Opcode, state};
use taut_traces::Row;

impl<P: Policy> Run<'_, '_, P> {
    /// True if no call is open.
    pub fn is_between_calls(&self) -> bool {
        self.threads.iter().all(|thread| thread.call.is_none())
    }

    /// Returns the runtime state as rundown records.
    pub fn rundown(&self) -> Result<StateRecords, ReplayError> {
        Ok(self.world.machine.rundown()?)
    }

    /// Continues in a new world that is restored from a rundown of the present one.
    pub(super) fn restore_from_rundown(&mut self, row: &Row<'_>) -> Result<(), ReplayError> {
        self.next_rundown = self.recording.options.next_rundown(self.outcome.calls);
        let records = self.rundown()?;
        self.world = ReplayWorld::recorded(&self.recording.trace.header().world)?;
        let place = |source| ReplayError::State { stamp: row.stamp, thread: row.thread, source };
        self.world.machine.restore(&records).map_err(place)?;
        self.outcome.states_restored += 1;
        self.compare_state(row, &records).map_err(|source| self.recording.row_error(row, row.code, source))
    }

    /// Handles an event in a range of unknown state. Inputs before the first rundown are skipped; later, an input
    /// cannot be replayed.
    pub(super) fn unknown(&mut self, row: &Row<'_>, layer: Layer, code: EventCode) -> Result<(), ReplayError> {
        let is_input = layer.is_input() && code.opcode() == Some(Opcode::Start);
        if !is_input {
            return Ok(());
        }
        self.outcome.calls_before_state += 1;
        self.first_unknown.get_or_insert(row.stamp);
        if self.outcome.calls > 0 { Err(ReplayError::Unknown { stamp: row.stamp }) } else { Ok(()) }
    }

    /// Handles a record of a rundown.
    pub(super) fn state_record(&mut self, row: &Row<'_>, code: EventCode, payload: &[u8]) -> Result<(), ReplayError> {
        let error = |source| self.recording.row_error(row, code, source);
        let whole = self.mid_stream.record(row.thread, code, payload).map_err(error)?;
        if let Some(records) = whole {
            let is_start = self.outcome.calls == 0 || self.mid_stream.is_unknown(row.stamp);
            if !P::IS_RECORDED_WORLD {
                // A recorded state does not apply in another world, and the state of that world is not recorded.
                return if is_start { Err(ReplayError::WhatIfFromState { stamp: row.stamp }) } else { Ok(()) };
            }
            match is_start {
                true => self.restore(row, &records)?,
                false => {
                    self.compare_state(row, &records).map_err(|source| self.recording.row_error(row, code, source))?
                }
            }
        }
        if P::IS_RECORDED_WORLD {
            self.output.write(&mut self.threads[self.current], row.stamp, code, payload);
        }
        Ok(())
    }

    /// Restores a recorded state.
    fn restore(&mut self, row: &Row<'_>, records: &StateRecords) -> Result<(), ReplayError> {
        let machine = &mut self.world.machine;
        let place = |source| ReplayError::State { stamp: row.stamp, thread: row.thread, source };
        machine.restore(records).map_err(place)?;
        (self.handles, self.next_recorded) = (Handles::default(), NextObjects::default());
        for adapter in machine.adapters() {
            let ObjectId(next) = machine.state.adapter(adapter).device.next_object();
            // `next` is the first unused handle, so its predecessor was the last one created.
            self.next_recorded.created(next - 1);
        }
        self.threads.close_calls();
        self.mid_stream.known_at(row.stamp);
        self.first_unknown = None;
        self.outcome.states_restored += 1;
        Ok(())
    }

    /// Compares a recorded rundown with the state of the pass, including state that no result shows.
    fn compare_state(&mut self, row: &Row<'_>, recorded: &StateRecords) -> Result<(), CodecError> {
        let Ok(live) = self.world.machine.rundown() else { return Ok(()) };
        // A rundown contains handles. Rundowns are comparable only while all handles equal the recorded handles.
        if !self.handles.is_identity() {
            return Ok(());
        }
        self.outcome.states_compared += 1;
        let call = EventCode::new(state::Rundown::ID, Opcode::Info);
        let call_index = self.outcome.calls;
        let place = |event| EventPlace { stamp: row.stamp, call, call_index, event };
        let (mut recorded, mut live) = (recorded.iter(), live.iter());
        loop {
            match (recorded.next(), live.next()) {
                (None, None) => return Ok(()),
                (Some((code, recorded)), Some((live_code, live))) if code == live_code => {
                    let place = place(code);
                    let differences = self.outcome.divergence_count;
                    self.compare(place, recorded, live)?;
                    // Later differences may be consequences of the first.
                    if self.outcome.divergence_count > differences {
                        return Ok(());
                    }
                }
                (recorded, live) => {
                    let place = place(recorded.or(live).map_or(call, |(code, _)| code));
                    let name = |record: Option<(EventCode, &[u8])>| record.map(|(code, _)| self.recording.name(code));
                    let (recorded, live) = (name(recorded), name(live));
                    self.event_divergence(place, recorded, live);
                    return Ok(());
                }
            }
        }
    }
}
