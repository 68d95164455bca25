//! Calls that panicked when recorded or panic in the replay, and work that failed.

use super::panic_event::PANICKED;
use super::{Ended, EventPlace, Run};
use crate::policy::Policy;
use taut_schemas::{Call, CodecError, Decoder, EventCode, machine};

/// Size in bytes of the lock wait time that precedes the arguments in a start's row.
const WAIT_BYTES: usize = size_of::<u64>();

impl<P: Policy> Run<'_, '_, P> {
    /// Compares a call that panicked when recorded: it must panic in the replay with the same message.
    pub(super) fn panicked(&mut self, stamp: u64, row: &[u8]) -> Result<(), CodecError> {
        let Some(Ended { place, mut live }) = self.end_call(stamp, PANICKED) else {
            // The recording lacks the start of this call.
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

    /// Reports a call that returned this result when recorded and panics in the replay.
    pub(super) fn panicked_only_live(&mut self, place: EventPlace, row: &[u8]) -> Result<(), CodecError> {
        self.result(place, row, None)?;
        let [recorded, live] = [place.event, PANICKED].map(|code| self.recording.name(code));
        self.event_divergence(place, Some(recorded), Some(live));
        Ok(())
    }

    /// Compares an input that reports failed work. Work is a pure function, so it must fail in the replay too.
    pub(super) fn compare_failure(&mut self, stamp: u64, code: EventCode, row: &[u8]) -> Result<(), CodecError> {
        let ids = [machine::FailBackgroundWork::ID, machine::FailQueueOperation::ID];
        if !P::IS_RECORDED_WORLD || !ids.contains(&code.id()) {
            return Ok(());
        }
        let mut arguments = Decoder::new(row.get(WAIT_BYTES..).unwrap_or_default());
        let (recorded, replayed) = if code.id() == machine::FailBackgroundWork::ID {
            let call = machine::FailBackgroundWork::decode(&mut arguments)?;
            (call.reason, self.world.machine.executor().failure_of_task(call.task))
        } else {
            let call = machine::FailQueueOperation::decode(&mut arguments)?;
            (call.reason, self.world.machine.executor().failure_of_submission(call.submission))
        };
        // `None` for work that was handed out before a rundown, or whose result was taken: then the driver panicked,
        // which was compared.
        let Some(live) = replayed.filter(|live| live.as_ref() != Some(&recorded)) else { return Ok(()) };
        let call_index = self.outcome.calls - 1;
        let place = EventPlace { stamp, call: code, call_index, event: code };
        self.diverge(place, "reason".to_owned(), recorded.into(), live.into());
        Ok(())
    }
}
