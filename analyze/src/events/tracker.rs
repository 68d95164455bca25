//! Trackers: state machines over the events of a trace.
//!
//! An analysis has three parts: its events, values that a reader makes of the selected records
//! ([`EventReader`](super::EventReader), unless a thread's state is needed to make them); a [`Tracker`], whose state
//! changes at each event; and its result, which the tracker returns after the last event.

use super::at::At;

/// A state machine over the events of a trace, which come in the order of (stamp, thread).
pub(crate) trait Tracker {
    /// An event, or a reference to one that the reader stores.
    type Event<'e>;
    /// The result.
    type Output;

    /// Changes the state at the next event.
    fn on_event(&mut self, at: At, event: Self::Event<'_>);

    /// Returns the result after the last event.
    fn finish(self) -> Self::Output;
}
