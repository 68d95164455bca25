//! Recorder of a session: creates the sinks of its threads.

use crate::event_stream::EventSink;
use std::time::Duration;
use taut_schemas::{Encoder, EventCode, ProviderSet};
use taut_traces::{ThreadWriter, TraceWriter};

/// Creates the sinks for the events of a session's threads.
pub trait Recorder: Send + Sync + 'static {
    /// Sink of one thread's events; dropped when the thread or the session ends.
    type Sink: EventSink + Send + 'static;

    /// Creates the sink of the thread with this number.
    fn sink(&self, thread: u32) -> Self::Sink;

    /// Creates a sink that blocks rather than drop events, even if other sinks of the recorder drop events.
    fn blocking_sink(&self, thread: u32) -> Self::Sink {
        self.sink(thread)
    }
}

impl Recorder for TraceWriter {
    type Sink = ThreadWriter;

    fn sink(&self, thread: u32) -> ThreadWriter {
        self.thread(thread)
    }

    fn blocking_sink(&self, thread: u32) -> ThreadWriter {
        self.thread(thread).blocking()
    }
}

impl EventSink for ThreadWriter {
    #[inline]
    fn make_room(&mut self) {
        ThreadWriter::make_room(self);
    }

    #[inline]
    fn take_waited(&mut self) -> Duration {
        ThreadWriter::take_waited(self)
    }

    fn hand_over(&mut self) {
        ThreadWriter::hand_over(self);
    }

    #[inline]
    fn providers(&self) -> ProviderSet {
        ThreadWriter::providers(self).now()
    }

    fn first_providers(&self) -> ProviderSet {
        ThreadWriter::providers(self).first()
    }

    fn event(&mut self, code: EventCode, stamp: u64, payload: &dyn Fn(&mut Encoder<'_>)) {
        ThreadWriter::event(self, code, stamp, payload);
    }
}

/// Discards all events: for measuring a workload without recording.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unrecorded;

impl Recorder for Unrecorded {
    type Sink = Unrecorded;

    fn sink(&self, _: u32) -> Unrecorded {
        Unrecorded
    }
}

impl EventSink for Unrecorded {
    fn event(&mut self, _: EventCode, _: u64, _: &dyn Fn(&mut Encoder<'_>)) {}
}
