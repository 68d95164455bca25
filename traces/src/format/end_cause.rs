//! Causes that end a recording before its program ends, and the notification about the first cause.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Cause for ending a recording early. Calls in progress are still recorded, so that the trace is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndCause {
    /// The trace approaches its configured maximum size, in bytes.
    Size(u64),
    /// The configured maximum duration has elapsed.
    Time(Duration),
    /// Another process requested the end.
    Requested,
    /// The remaining free disk space is needed for the end of the trace: metadata and footer.
    Full,
}

/// The cause as a clause that follows "the recording ended: ".
impl fmt::Display for EndCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EndCause::Size(bytes) => write!(f, "the trace has reached the size set for it, {bytes} bytes"),
            EndCause::Time(time) => write!(f, "it has gone on for the time set for it, {time:?}"),
            EndCause::Full => f.write_str("the disk is full"),
            EndCause::Requested => f.write_str("another process asked for it"),
        }
    }
}

type OnEnd = Box<dyn FnOnce(EndCause) + Send>;

#[derive(Default)]
struct State {
    reached: Option<EndCause>,
    on_end: Option<OnEnd>,
    /// True once a listener has been registered, even after it was called.
    has_listener: bool,
}

/// One-time notification that a recording is to end.
#[derive(Default)]
pub(crate) struct EndWatch(Mutex<State>);

impl fmt::Debug for EndWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EndWatch").field(&self.state().reached).finish()
    }
}

impl EndWatch {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a cause and notifies the listener of the first one. Returns `false` if no listener was registered.
    pub fn reach(&self, cause: EndCause) -> bool {
        let mut state = self.state();
        let (first, call) = (*state.reached.get_or_insert(cause), state.on_end.take());
        let has_listener = state.has_listener;
        // The listener may call back into this watch, so the lock is released first.
        drop(state);
        if let Some(call) = call {
            call(first);
        }
        has_listener
    }

    /// Registers the listener; calls it immediately if there already is a cause.
    pub fn on_end(&self, call: OnEnd) {
        let mut state = self.state();
        state.has_listener = true;
        match state.reached {
            Some(cause) => {
                drop(state);
                call(cause);
            }
            None => state.on_end = Some(call),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn the_first_cause_is_reported_once_in_any_order() {
        for listens_first in [true, false] {
            let (watch, (sender, receiver)) = (EndWatch::default(), channel());
            let call = Box::new(move |cause| sender.send(cause).unwrap());
            if listens_first {
                watch.on_end(call);
                assert!(watch.reach(EndCause::Size(7)));
            } else {
                assert!(!watch.reach(EndCause::Size(7)));
                watch.on_end(call);
            }
            assert!(watch.reach(EndCause::Requested));
            assert_eq!(receiver.iter().collect::<Vec<_>>(), [EndCause::Size(7)]);
        }
    }
}
