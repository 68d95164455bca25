//! Calls that panicked when they were recorded, or do so now, and work that failed.

use super::{Ended, EventPlace, Run};
use crate::policy::Policy;
use taut_schemas::{Call, CodecError, Decoder, EventCode, Mark, Opcode, machine, mark};

/// What stands in the stop's place of a call that panicked.
pub(super) const PANICKED: EventCode = EventCode::new(mark::CallPanicked::ID, Opcode::Info);

/// Of a start's row, what comes before the arguments: how long the call waited for locks.
const WAIT_BYTES: usize = size_of::<u64>();

impl<P: Policy> Run<'_, '_, P> {
    /// The thread's call panicked when it was recorded: it is to do so now, with the same words.
    pub(super) fn panicked(&mut self, stamp: u64, row: &[u8]) -> Result<(), CodecError> {
        let Some(Ended { place, mut live }) = self.end_call(stamp, PANICKED) else {
            // A call that was left out of the recording.
            self.output.write(&mut self.threads[self.current], stamp, PANICKED, row);
            return Ok(());
        };
        let compared = match live.pop() {
            Some((PANICKED, live_row)) => {
                self.output.write(&mut self.threads[self.current], stamp, PANICKED, live_row);
                if P::IS_RECORDED_WORLD { self.compare(place, row, live_row) } else { Ok(()) }
            }
            Some((live_code, live_row)) => {
                self.output.write(&mut self.threads[self.current], stamp, live_code, live_row);
                let [recorded, live] = [PANICKED, live_code].map(|code| self.recording.name(code));
                self.event_divergence(place, Some(recorded), Some(live));
                Ok(())
            }
            None => Ok(()),
        };
        self.thread().live = live;
        compared
    }

    /// A call that returned when it was recorded, with this result, panicked now.
    pub(super) fn panicked_alone(&mut self, place: EventPlace, row: &[u8]) -> Result<(), CodecError> {
        self.result(place, row, None)?;
        let [recorded, live] = [place.event, PANICKED].map(|code| self.recording.name(code));
        self.event_divergence(place, Some(recorded), Some(live));
        Ok(())
    }

    /// An input says that work failed when it was recorded. It is a pure function, so it is to fail now.
    pub(super) fn compare_failure(&mut self, stamp: u64, code: EventCode, row: &[u8]) -> Result<(), CodecError> {
        let ids = [machine::FailBackgroundWork::ID, machine::FailQueueOperation::ID];
        if !P::IS_RECORDED_WORLD || !ids.contains(&code.id()) {
            return Ok(());
        }
        let mut arguments = Decoder::new(row.get(WAIT_BYTES..).unwrap_or_default());
        let (recorded, made) = if code.id() == machine::FailBackgroundWork::ID {
            let call = machine::FailBackgroundWork::decode(&mut arguments)?;
            (call.reason, self.world.machine.executor().failure_of_task(call.task))
        } else {
            let call = machine::FailQueueOperation::decode(&mut arguments)?;
            (call.reason, self.world.machine.executor().failure_of_submission(call.submission))
        };
        // None of work that was handed out before a rundown, or whose result was taken: then its driver panicked, as was compared.
        let Some(live) = made.filter(|live| live.as_ref() != Some(&recorded)) else { return Ok(()) };
        let call_index = self.outcome.calls - 1;
        let place = EventPlace { stamp, call: code, call_index, event: code };
        self.diverge(place, "reason".to_owned(), recorded.into(), live.into());
        Ok(())
    }
}
