//! Metadata of the recording: queued for the trace, or passed to a listener.

use super::Pool;
use super::callbacks::OnNotPersistent;
use crate::format::clock::Clock;
use crate::format::clock_reading::ClockReading;
use crate::format::metadata::MetadataRecord;
use crate::format::stream_info::StreamInfo;

impl Pool {
    /// Queues metadata for the trace.
    pub fn queue_metadata(&self, metadata: MetadataRecord) {
        self.state().metadata.push(metadata);
        self.filled.notify_one();
    }

    /// Sets the clock of the stamps and records a first reading. The logical clock is ignored: equal runs have to
    /// produce equal traces.
    pub fn keep_time(&self, clock: Clock) {
        self.state().clock = Some(clock).filter(|clock| !matches!(clock, Clock::Logical));
        self.read_clock();
    }

    /// Current reading of the clocks; `None` without a clock.
    pub fn time(&self) -> Option<ClockReading> {
        let clock = self.state().clock;
        clock.and_then(|clock| ClockReading::now(&clock))
    }

    /// Queues a clock reading.
    pub fn read_clock(&self) {
        self.time().into_iter().for_each(|reading| self.queue_metadata(MetadataRecord::Clock(reading)));
    }

    /// Queues the calling thread's identity as the identity of `stream`.
    pub fn queue_stream_info(&self, stream: u32) {
        if self.state().clock.is_some() {
            self.queue_metadata(MetadataRecord::Stream(StreamInfo::current_thread(stream)));
        }
    }

    /// Records in the trace that events may no longer survive the process, and notifies the listener once.
    pub fn report_not_persistent(&self, why: &std::io::Error) {
        let why = why.to_string();
        self.queue_metadata(MetadataRecord::NotPersistent(why.clone()));
        let mut state = self.state();
        match state.on_not_persistent.take() {
            Some(OnNotPersistent(call)) => {
                // Released first, because the callback may use the pool.
                drop(state);
                call(&why);
            }
            None => state.not_persistent = Some(why),
        }
    }

    /// Registers the listener for [`report_not_persistent`](Self::report_not_persistent); calls it immediately if that has
    /// already happened.
    pub fn on_not_persistent(&self, call: Box<dyn FnOnce(&str) + Send>) {
        let mut state = self.state();
        match state.not_persistent.take() {
            Some(why) => {
                drop(state);
                call(&why);
            }
            None => state.on_not_persistent = Some(OnNotPersistent(call)),
        }
    }
}
