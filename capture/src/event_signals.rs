//! Signals of a session's events, for front ends whose program waits for objects of its own.

use taut_schemas::EventHandle;

/// Receiver of the signals of a session's events.
///
/// Called under the locks of the call that signals the event, hence in the order of these calls, on any thread.
/// Implementations must not call the session, and must not wait.
pub trait EventSignals: Send + Sync {
    /// Called each time the runtime signals an event, even if the event is signalled already.
    fn signal(&self, event: EventHandle);
}
