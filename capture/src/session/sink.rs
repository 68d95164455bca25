//! Sink of a thread's events during a session and after its end.

use crate::event_stream::EventSink;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use taut_schemas::{Encoder, EventCode, ProviderSet};

/// Sink of a thread of a session.
pub(super) enum SessionSink<S> {
    /// Records the events.
    Recorded(S),
    /// Counts the events, because the session has ended.
    Late(Arc<AtomicU64>),
}

impl<S: EventSink> EventSink for SessionSink<S> {
    #[inline]
    fn make_room(&mut self) {
        if let SessionSink::Recorded(sink) = self {
            sink.make_room();
        }
    }

    #[inline]
    fn take_waited(&mut self) -> Duration {
        match self {
            SessionSink::Recorded(sink) => sink.take_waited(),
            SessionSink::Late(_) => Duration::ZERO,
        }
    }

    fn hand_over(&mut self) {
        if let SessionSink::Recorded(sink) = self {
            sink.hand_over();
        }
    }

    #[inline]
    fn providers(&self) -> ProviderSet {
        match self {
            SessionSink::Recorded(sink) => sink.providers(),
            SessionSink::Late(_) => ProviderSet::ALL,
        }
    }

    fn first_providers(&self) -> ProviderSet {
        match self {
            SessionSink::Recorded(sink) => sink.first_providers(),
            SessionSink::Late(_) => ProviderSet::ALL,
        }
    }

    #[inline]
    fn event(&mut self, code: EventCode, stamp: u64, payload: &dyn Fn(&mut Encoder<'_>)) {
        match self {
            SessionSink::Recorded(sink) => sink.event(code, stamp, payload),
            SessionSink::Late(events) => {
                events.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}
